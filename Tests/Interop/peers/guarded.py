#!/usr/bin/env python3
"""A virtual heart-rate strap that can demand protection before it notifies, directed by a test.

    guarded.py TRANSPORT [--rate HZ]

It is strap 1 of strap.py, with a controller for the host under test at TRANSPORT (see straps.py). Prints `controller PLACE`,
then one JSON object a line for everything that happens to it, the first being `ready`. Takes one JSON object a line, each
answered by `done`:
    {"do": "wish", …}     how it pairs from now on: keys of WISHES, the others as they are there
    {"do": "enter", "passkey": N}   what its user reads on the host under test
    {"do": "leave"}       ends its links
    {"do": "forget"}      loses all keys
    {"do": "rotate"}      takes a new resolvable private address
    {"do": "reveal"}      is answered with all keys that went over the air or encrypt links
    {"do": "settle"}      takes its static address again
    {"do": "nothing"}     is answered, as everything is, after all that happened before
"""
import argparse
import asyncio
import hashlib
import json
import logging
import os
import sys
import time

from bumble import att, hci, smp
from bumble.crypto import EccKey
from bumble.gatt import Descriptor
from bumble.gatt import GATT_CLIENT_CHARACTERISTIC_CONFIGURATION_DESCRIPTOR as CONFIGURATION
from bumble.pairing import OobContext, OobLegacyContext, PairingConfig

from security import SecureDevice, User
from strap import Strap
from virtual_link import HostController, Link

# What a strap can be told to be.
WISHES = {
    # What its user can see and say: the numbers of Core Vol 3, Part H, 3.5.1.
    'io': 3, 'secure_connections': True, 'mitm': False, 'bonding': True, 'key_size': 16,
    # Encryption, identity and signing key: 3.6.1.
    'keys': 3,
    'accepts': True, 'agrees': True, 'passkey': 0, 'out_of_band': False,
    # The identity it gives: its static address, or its public one.
    'identity': 'random',
    # The level that the heart rate demands, and the error that an access below it ends with: by the level where it is 0.
    'demands': 'open', 'refusal': 0,
    # Whether its key pair is the one that everybody knows.
    'debug_key': False,
    # Asks for security itself as soon as it is connected.
    'requests': False,
    # PDUs of the Security Manager that it never answers, by their code.
    'unanswered': [],
}
LEVELS = ['open', 'encrypted', 'authenticated', 'secure']


class GuardedStrap(Strap):
    DEVICE = SecureDevice

    def __init__(self, link):
        super().__init__(link, 1)
        self.wishes = WISHES
        self.user = None
        # The key pair and the random value that the out-of-band data of this strap commit to, and its temporary key.
        self.out_of_band = OobContext(EccKey.generate())
        self.temporary_key = OobLegacyContext()
        self.device.tell = self.tell
        self.device.irk = hashlib.sha256(b'strap 1').digest()[:16]
        self.device.smp_manager.pairing_config_factory = self.pairing_config
        self.device.on('connection', self.connected)

    def tell(self, event, **values):
        print(json.dumps({'event': event, 'at': time.monotonic(), **values}), flush=True)

    def pairing_config(self, _connection):
        wishes = self.wishes
        self.user = User(self.tell, wishes)
        is_random = wishes['identity'] == 'random'
        return PairingConfig(
            wishes['secure_connections'], wishes['mitm'], wishes['bonding'], self.user,
            PairingConfig.AddressType.RANDOM if is_random else PairingConfig.AddressType.PUBLIC,
            PairingConfig.OobConfig(self.out_of_band, None, self.temporary_key) if wishes['out_of_band'] else None)

    def connected(self, connection):
        self.tell(
            'connected', address=str(connection.peer_resolvable_address or connection.peer_address),
            identity=str(connection.peer_address) if connection.peer_resolvable_address else None,
            own_address=str(connection.self_address))

        def encrypted(is_new):
            self.tell('encrypted', level=self.device.level(connection), is_new=is_new)

        connection.on(connection.EVENT_CONNECTION_ENCRYPTION_CHANGE, lambda: encrypted(False))
        connection.on(connection.EVENT_CONNECTION_ENCRYPTION_KEY_REFRESH, lambda: encrypted(True))
        connection.on(connection.EVENT_DISCONNECTION, lambda reason: self.tell('disconnected', reason=int(reason)))
        if self.wishes['requests']:
            self.device.request_pairing(connection)

    def guard(self):
        """Gives the measurement a descriptor that heeds what this strap demands; bumble's own takes every write."""
        server = self.device.gatt_server
        measurement = self.heart_rate.heart_rate_measurement_characteristic
        stored = server.make_descriptor_value(measurement)

        def write(bearer, value):
            if LEVELS.index(self.device.level(bearer)) < LEVELS.index(self.wishes['demands']):
                error = self.wishes['refusal'] or self.refusal(bearer)
                self.tell('refused', error=error)
                raise att.ATT_Error(att.ErrorCode(error))
            self.tell('subscribed', value=value.hex(), level=self.device.level(bearer))
            stored.write(bearer, value)

        measurement.descriptors = [Descriptor(
            CONFIGURATION, Descriptor.READABLE | Descriptor.WRITEABLE, att.AttributeValueV2(stored.read, write))]

    def refusal(self, connection):
        """Insufficient Encryption where there is a key to encrypt with, else Insufficient Authentication (Core Vol 3, Part C, 10.3.1)."""
        has_key = str(connection.peer_address) in self.device.keystore.all_keys
        return 0x0F if has_key and not connection.is_encrypted else 0x05

    async def do(self, order):
        device = self.device
        match order.pop('do'):
            case 'wish':
                self.wishes = {**WISHES, **order}
                device.smp_manager.debug_mode = self.wishes['debug_key']
                device.smp_manager.unanswered = set(self.wishes['unanswered'])
                if self.wishes['out_of_band']:
                    shared = self.out_of_band.share()
                    # As users know keys: the most significant octet first.
                    return {
                        name: value[::-1].hex()
                        for name, value in (('confirm', shared.c), ('random', shared.r), ('temporary_key', self.temporary_key.tk))}
            case 'enter':
                self.user.entered.set_result(order['passkey'])
            case 'forget':
                await device.keystore.delete_all()
                await device.refresh_resolving_list()
            case 'leave':
                for connection in list(device.connections.values()):
                    await connection.disconnect()
            case 'rotate':
                await self.advertise_as(hci.Address.generate_private_address(device.irk))
                return {'address': str(device.random_address)}
            case 'reveal':
                [keys] = device.keystore.all_keys.values()
                found = [key for key in (keys.ltk, keys.ltk_central, keys.ltk_peripheral, keys.irk) if key and key.value]
                return {'keys': [device.irk.hex(), *(key.value.hex() for key in found)]}
            case 'settle' if device.random_address != device.static_address:
                await self.advertise_as(device.static_address)
        return {}

    async def advertise_as(self, address):
        await self.device.stop_advertising()
        self.device.random_address = address
        await self.device.send_sync_command(hci.HCI_LE_Set_Random_Address_Command(random_address=address))
        await self.device.start_advertising(auto_restart=True)

    async def obey(self):
        """Does what the test says until it says no more."""
        reader = asyncio.StreamReader()
        await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
        async for line in reader:
            self.tell('done', **await self.do(json.loads(line)))


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('transport')
    parser.add_argument('--rate', type=float, default=8.0, help='notifications a second')
    options = parser.parse_args()
    link = Link()
    await HostController.at(options.transport, link)
    strap = GuardedStrap(link)
    strap.device.advertising_interval_min = strap.device.advertising_interval_max = 50
    await strap.advertise()
    strap.tell('ready')
    notifying = asyncio.ensure_future(strap.notify(options.rate))
    await strap.obey()
    notifying.cancel()


logging.basicConfig(level=os.environ.get('BUMBLE_LOGLEVEL', 'CRITICAL').upper())
asyncio.run(main())
