"""A heart-rate sensor worn by nobody, on bumble.

Strap i has the static random address F0:F1:F2:F3:F4:0i and the name `Virtual H7 000i`; it offers device information, the
heart rate, the battery level (87), and values of any length to try access with. It notifies a heart rate of 60 to 119, one more each second of the clock, with contact,
the energy expended since the last reset, and two RR intervals, 768 and 819 ticks.
"""
import asyncio
import sys
import time

from bumble.core import AdvertisingData
from bumble.device import Device, DeviceConfiguration
from bumble.gatt import Characteristic, CharacteristicValue, Descriptor, Service
from bumble.hci import HCI_CONNECTION_TIMEOUT_ERROR, Address
from bumble.host import Host
from bumble.profiles.battery_service import BatteryService
from bumble.profiles.device_information_service import DeviceInformationService
from bumble.profiles.gatt_service import GenericAttributeProfileService
from bumble.profiles.heart_rate_service import HeartRateService

from virtual_link import LinkController


class Strap:
    """One heart-rate sensor worn by nobody."""

    DEVICE = Device

    def __init__(self, link, number, attributes='usual', has_front=False, mtu=517):
        self.energy = 0
        self.name = f'Virtual H7 {number:04X}'
        controller = LinkController(f'strap {number}', link=link, public_address=f'11:22:33:44:55:{number:02X}')
        self.device = self.DEVICE(
            config=DeviceConfiguration(
                name=self.name,
                address=Address(f'F0:F1:F2:F3:F4:{number:02X}'),
                gatt_service_enabled=attributes == 'usual',
            ),
            host=Host(controller, controller),
        )
        self.device.gatt_server.max_mtu = mtu
        self.values = values_service()
        if attributes == 'service-changed':
            self.device.gatt_service = GenericAttributeProfileService(database_hash_enabled=False)
            self.device.add_service(self.device.gatt_service)
        if has_front:
            self.device.add_service(front_service())
        self.heart_rate = HeartRateService(
            self.measure, HeartRateService.BodySensorLocation.CHEST, self.reset_energy
        )
        self.guard()
        self.device.add_services([
            DeviceInformationService(
                manufacturer_name='Example Straps', model_number='H7', serial_number='0001', firmware_revision='1.4.0'
            ),
            self.heart_rate,
            BatteryService(lambda _connection: 87),
            self.values,
        ])
        self.device.advertising_data = bytes(AdvertisingData([
            (AdvertisingData.FLAGS, bytes([0x06])),
            (AdvertisingData.COMPLETE_LOCAL_NAME, self.name.encode()),
            (AdvertisingData.INCOMPLETE_LIST_OF_16_BIT_SERVICE_CLASS_UUIDS, bytes.fromhex('0d180f18')),
        ]))

    def guard(self):
        """Says what must be so before the heart rate may be subscribed to: nothing."""

    def measure(self, _connection):
        return HeartRateService.HeartRateMeasurement(
            heart_rate=60 + int(time.time()) % 60,
            sensor_contact_detected=True,
            energy_expended=self.energy,
            rr_intervals=[0.75, 0.80],
        )

    def reset_energy(self, _connection):
        self.energy = 0

    async def move(self, delay):
        """Once the measurement has been subscribed to for so long, puts a service in front of all but the first two, and says so."""
        server = self.device.gatt_server
        subscribed = asyncio.Event()
        measurement = self.heart_rate.heart_rate_measurement_characteristic
        measurement.on('subscription', lambda *_: subscribed.set())
        await subscribed.wait()
        await asyncio.sleep(delay)
        services = list(server.services)
        server.attributes, server.services, server.attributes_by_handle = [], [], {}
        server.add_services(services[:2] + [front_service()] + services[2:])
        for cccds in server.subscribers.values():
            cccds.pop(measurement.handle, None)
        start = services[1].end_group_handle + 1
        await self.device.indicate_subscribers(
            self.device.gatt_service.service_changed_characteristic, start.to_bytes(2, 'little') + b'\xff\xff')

    def lose_links(self, delay):
        """Ends each link after so many seconds, as if the host had gone out of reach, and advertises again."""
        def on_connection(connection):
            asyncio.get_running_loop().call_later(delay, lambda: asyncio.ensure_future(lose(connection)))

        async def lose(connection):
            try:
                await connection.disconnect(HCI_CONNECTION_TIMEOUT_ERROR)
            except Exception as error:  # the host has left before
                print('lose:', error, file=sys.stderr)

        self.device.on('connection', on_connection)

    async def advertise(self):
        await self.device.power_on()
        await self.device.start_advertising(auto_restart=True)

    async def notify(self, rate):
        while True:
            await asyncio.sleep(1 / rate)
            self.energy += 1
            try:
                await self.device.notify_subscribers(self.heart_rate.heart_rate_measurement_characteristic)
                await self.device.indicate_subscribers(self.values.characteristics[-1])
            except Exception as error:  # a subscriber that leaves just now is no failure of the strap
                print('notify:', error, file=sys.stderr)


def front_service():
    """Four attributes that move all behind them, so that its descriptor takes the place of the measurement's."""
    properties = Characteristic.Properties.NOTIFY | Characteristic.Properties.WRITE
    return Service('FEF0', [Characteristic('FEF1', properties, Characteristic.WRITEABLE, b'')])


def values_service():
    """Values to read and write in every way: FEA1 long, FEA2 by command, FEA3 indicated; all of them show what was written to FEA1."""
    properties, access = Characteristic.Properties, Characteristic.READABLE | Characteristic.WRITEABLE
    value = bytearray(bytes(index % 251 for index in range(512)))

    def write(_connection, new):
        value[:] = new

    stored = CharacteristicValue(read=lambda _connection: bytes(value), write=write)
    return Service('FEA0', [
        Characteristic(
            'FEA1', properties.READ | properties.WRITE | properties.EXTENDED_PROPERTIES, access, stored,
            [Descriptor('2900', Descriptor.READABLE, b'\x01\x00'), Descriptor('2904', Descriptor.READABLE, bytes.fromhex('0efe2f27010100'))],
        ),
        Characteristic('FEA2', properties.READ | properties.WRITE_WITHOUT_RESPONSE, access, stored),
        Characteristic('FEA3', properties.READ | properties.INDICATE, Characteristic.READABLE, stored),
    ])
