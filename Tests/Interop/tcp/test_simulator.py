"""hr-raw's simulator, against somebody else's host: what it is a proof of is worth no more than it is itself."""
import asyncio
import contextlib

from bumble import core, gatt, hci
from bumble.att import ATT_Error
from bumble.device import Peer
from bumble.profiles.battery_service import BatteryServiceProxy
from bumble.profiles.device_information_service import DeviceInformationServiceProxy
from bumble.profiles.heart_rate_service import HeartRateService, HeartRateServiceProxy

from simulated import STRAP, SimulatedCase


class Simulator(SimulatedCase):
    async def test_is_scanned_either_way(self):
        for scenario in 'strap', 'legacy', 'crowd':
            with self.subTest(scenario=scenario):
                async with self.host(scenario) as device:
                    found = await self.find(
                        device, lambda heard: str(heard.address) == STRAP and heard.data.get(core.AdvertisingData.COMPLETE_LOCAL_NAME))
                    self.assertTrue(found.is_connectable)
                    self.assertTrue(found.is_scannable)
                    self.assertEqual(found.data.get(core.AdvertisingData.FLAGS), core.AdvertisingData.Flags(6))
                    self.assertEqual(found.data.get(core.AdvertisingData.COMPLETE_LOCAL_NAME), 'Simulated H7 0001')
                    self.assertEqual(
                        found.data.get(core.AdvertisingData.COMPLETE_LIST_OF_16_BIT_SERVICE_CLASS_UUIDS),
                        [gatt.GATT_HEART_RATE_SERVICE, gatt.GATT_BATTERY_SERVICE])
                    self.assertTrue(-90 < found.rssi < -30)

    async def test_streams_heart_rates(self):
        async with self.host('strap') as device:
            await self.find(device, lambda heard: str(heard.address) == STRAP)
            async with Peer(await device.connect(hci.Address(STRAP))) as peer:
                self.assertGreater(await peer.request_mtu(200), 100)
                heart_rate = peer.create_service_proxy(HeartRateServiceProxy)
                measurements = asyncio.Queue()
                await heart_rate.heart_rate_measurement.subscribe(measurements.put_nowait)
                first = await measurements.get()
                self.assertTrue(40 < first.heart_rate < 130)
                self.assertTrue(first.sensor_contact_detected)
                self.assertTrue(all(0.4 < interval < 1.5 for interval in first.rr_intervals or []))
                location = await heart_rate.body_sensor_location.read_value()
                self.assertEqual(location, HeartRateService.BodySensorLocation.CHEST)
                await heart_rate.reset_energy_expended()
                with self.assertRaises(ATT_Error) as refused:
                    await heart_rate.heart_rate_control_point.write_value(2, with_response=True)
                self.assertEqual(refused.exception.error_code, 0x80)
                information = peer.create_service_proxy(DeviceInformationServiceProxy)
                self.assertEqual(await information.manufacturer_name.read_value(), 'hr-raw simulator')
                battery = peer.create_service_proxy(BatteryServiceProxy)
                self.assertEqual(await battery.battery_level.read_value(), 91)
                self.assertEqual((await measurements.get()).sensor_contact_detected, True)

    async def test_fragments_and_flow_control_hold(self):
        """A controller of four buffers of 27 octets, and frames that need several of them."""
        async with self.host('legacy') as device:
            async with Peer(await device.connect(hci.Address(STRAP))) as peer:
                await peer.request_mtu(247)
                await peer.discover_services()
                for service in peer.services:
                    await service.discover_characteristics()
                names = {str(service.uuid) for service in peer.services}
                self.assertEqual(len(names), 5)
                # Twenty writes of 100 octets, in a burst, that the server refuses one after the other
                [point] = peer.get_characteristics_by_uuid(gatt.GATT_HEART_RATE_CONTROL_POINT_CHARACTERISTIC)
                for _ in range(20):
                    with self.assertRaises(ATT_Error) as refused:
                        await point.write_value(bytes(100), with_response=True)
                    self.assertEqual(refused.exception.error_code, 0x0D)

    async def test_procedures_of_the_link_layer_end(self):
        async with self.host('strap') as device:
            connection = await device.connect(hci.Address(STRAP))
            await connection.set_data_length(251, 2120)
            changed = asyncio.get_running_loop().create_future()
            connection.on(connection.EVENT_CONNECTION_PHY_UPDATE, changed.set_result)
            await connection.set_phy(tx_phys=[hci.Phy.LE_2M], rx_phys=[hci.Phy.LE_2M])
            self.assertEqual((await changed).tx_phy, hci.Phy.LE_2M)
            self.assertEqual((await connection.get_phy()).tx_phy, hci.Phy.LE_2M)
            await connection.update_parameters(100, 100, 0, 5000)
            self.assertEqual(connection.parameters.connection_interval, 100)
            self.assertTrue(-100 < await connection.get_rssi() < -20)
            self.assertIsNotNone(await device.get_remote_le_features(connection))
            await connection.disconnect()

    async def test_an_attempt_is_cancelled(self):
        async with self.host('strap') as device:
            with self.assertRaises((core.ConnectionError, asyncio.TimeoutError, core.TimeoutError)):
                await device.connect(hci.Address('C0:00:5E:00:53:99'), timeout=0.5)
            # The controller has let go of it: another goes through.
            connection = await device.connect(hci.Address(STRAP))
            await connection.disconnect()

    async def test_refused_notifications_say_why(self):
        async with self.host('refusing') as device:
            async with Peer(await device.connect(hci.Address(STRAP))) as peer:
                heart_rate = peer.create_service_proxy(HeartRateServiceProxy)
                with self.assertRaises(ATT_Error) as refused:
                    await heart_rate.heart_rate_measurement.subscribe(print)
                self.assertEqual(refused.exception.error_code, 0x05)

    async def test_the_wish_for_a_longer_interval_is_granted(self):
        """The strap asks through the link layer after 5 s; it leaves where it is refused."""
        async with self.host('slow') as device:
            connection = await device.connect(hci.Address(STRAP))
            changed = asyncio.get_running_loop().create_future()
            connection.on(connection.EVENT_CONNECTION_PARAMETERS_UPDATE, lambda: changed.done() or changed.set_result(None))
            await changed
            self.assertTrue(400 <= connection.parameters.connection_interval <= 500)
            await connection.disconnect()

    async def test_a_strap_that_vanishes_is_lost(self):
        async with self.host('vanishing-discovery') as device:
            connection = await device.connect(hci.Address(STRAP))
            lost = asyncio.get_running_loop().create_future()
            connection.on(connection.EVENT_DISCONNECTION, lost.set_result)
            with contextlib.suppress(core.BaseBumbleError, asyncio.TimeoutError, asyncio.CancelledError):
                await Peer(connection).discover_services()
            self.assertEqual(await lost, hci.HCI_ErrorCode.CONNECTION_TIMEOUT_ERROR)
