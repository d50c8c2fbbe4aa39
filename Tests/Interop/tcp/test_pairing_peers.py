"""The strap of the pairing tests, against bumble's own host as the central: what fails here is none of hr-raw's."""
import asyncio
import contextlib
import itertools
import logging
import unittest

from bumble import hci, pairing, smp
from bumble.att import ATT_Error
from bumble.core import ProtocolError
from bumble.device import Device, Peer
from bumble.host import Host
from bumble.profiles.heart_rate_service import HeartRateServiceProxy
from bumble.transport import open_transport

from harness import PATIENCE
from pairing_strap import DISPLAY, KEYBOARD, NOTHING, STRAP, YES_NO, Guarded

# It complains of keys that it agreed not to be given.
logging.getLogger('bumble.smp').setLevel(logging.CRITICAL)
# The association model, how often bumble's names take it: what the central's user can do, what the strap's can.
MODELS = {
    'just works': ('JUST_WORKS', NOTHING, NOTHING),
    'numeric comparison': ('NUMERIC_COMPARISON', YES_NO, YES_NO),
    'passkey, the strap displays': ('PASSKEY', KEYBOARD, DISPLAY),
    'passkey, the strap enters': ('PASSKEY', DISPLAY, KEYBOARD),
    'out of band': ('OOB', NOTHING, NOTHING),
}


class Central(pairing.PairingDelegate):
    """The user of bumble's host, who also reads and enters what is on the strap."""

    def __init__(self, io, strap):
        super().__init__(pairing.PairingDelegate.IoCapability(io))
        self.strap = strap

    async def display_number(self, number, digits):
        await asyncio.to_thread(self.strap.wait, 'asked')
        await asyncio.to_thread(self.strap.tell, 'enter', passkey=number)

    async def get_number(self):
        return (await asyncio.to_thread(self.strap.wait, 'displayed'))['number']

    async def compare_numbers(self, number, digits):
        return number == (await asyncio.to_thread(self.strap.wait, 'compared'))['number']


class PairingPeers(unittest.IsolatedAsyncioTestCase):
    @classmethod
    def setUpClass(cls):
        cls.strap = cls.enterClassContext(Guarded())

    @contextlib.asynccontextmanager
    async def host(self):
        place = self.strap.adapter.removeprefix('tcp:')
        async with asyncio.timeout(PATIENCE), await open_transport(f'tcp-client:{place}') as transport:
            device = Device(
                name='host', address=hci.Address('F0:F1:F2:F3:F4:F5'), host=Host(transport.source, transport.sink))
            device.irk = bytes(range(16))
            await device.power_on()
            yield device

    async def begin(self, **wishes):
        return await asyncio.to_thread(self.strap.begin, **wishes)

    async def next(self, event):
        return await asyncio.to_thread(self.strap.wait, event)

    async def pair(self, connection, io=NOTHING, secure_connections=True, mitm=False, bonding=True, oob=None):
        user = Central(io, self.strap)
        connection.device.pairing_config_factory = lambda _: pairing.PairingConfig(
            secure_connections, mitm, bonding, user, pairing.PairingConfig.AddressType.RANDOM, oob)
        await connection.pair()

    async def stream(self, connection):
        async with Peer(connection) as peer:
            measurement = peer.create_service_proxy(HeartRateServiceProxy).heart_rate_measurement
            measurements = asyncio.Queue()
            await measurement.subscribe(measurements.put_nowait)
            await measurements.get()

    async def test_every_model_then_encryption_with_the_keys(self):
        for name, sc, bonding in itertools.product(MODELS, (True, False), (True, False)):
            model, mine, theirs = MODELS[name]
            if model == 'NUMERIC_COMPARISON' and not sc:
                continue
            with self.subTest(name, sc=sc, bonding=bonding):
                level = 'encrypted' if model == 'JUST_WORKS' else 'secure' if sc else 'authenticated'
                oob = await self.begin(
                    io=theirs, secure_connections=sc, mitm=model != 'JUST_WORKS', bonding=bonding, passkey=314159,
                    out_of_band=model == 'OOB', demands=level)
                async with self.host() as device:
                    connection = await device.connect(hci.Address(STRAP))
                    await self.pair(connection, mine, sc, model != 'JUST_WORKS', True, self.oob(oob))
                    paired = await self.next('paired')
                    self.assertEqual((paired['secure_connections'], paired['bonding'], paired['model']), (sc, bonding, model))
                    self.assertEqual(paired['identity'], 'F0:F1:F2:F3:F4:F5')
                    await self.stream(connection)
                    await connection.disconnect()
                    if bonding:
                        connection = await device.connect(hci.Address(STRAP))
                        await connection.encrypt()
                        await self.stream(connection)
                        self.assertEqual((await self.next('subscribed'))['level'], level)
                        await connection.disconnect()
                self.assertEqual(len(self.strap.of('paired')), 1)
                self.assertEqual(len(self.strap.of('encrypted', level=level, is_new=False)), 2 if bonding else 1)

    def oob(self, told):
        """The strap's data, as bumble's host takes them."""
        if 'random' not in told:
            return None
        values = {name: bytes.fromhex(told[name])[::-1] for name in ('confirm', 'random', 'temporary_key')}
        return pairing.PairingConfig.OobConfig(
            pairing.OobContext(), smp.OobSharedData(values['confirm'], values['random']),
            pairing.OobLegacyContext(values['temporary_key']))

    async def test_a_link_is_refused_what_its_level_does_not_reach(self):
        await self.begin(io=DISPLAY, demands='authenticated', passkey=1)
        async with self.host() as device:
            connection = await device.connect(hci.Address(STRAP))
            await self.assert_refused(connection, 0x05)
            await self.pair(connection)
            await self.assert_refused(connection, 0x05)
            # Again, on the same link and for more.
            await self.pair(connection, KEYBOARD, mitm=True)
            await self.stream(connection)
            self.assertEqual([found['level'] for found in self.strap.of('encrypted')], ['encrypted', 'secure'])
            self.assertEqual([found['is_new'] for found in self.strap.of('encrypted')], [False, True])
            await connection.disconnect()
            connection = await device.connect(hci.Address(STRAP))
            await self.assert_refused(connection, 0x0F)
            self.strap.wish(demands='encrypted', refusal=8)
            await self.assert_refused(connection, 0x08)
            await connection.disconnect()

    async def assert_refused(self, connection, code):
        with self.assertRaises(ATT_Error) as refused:
            await self.stream(connection)
        self.assertEqual(refused.exception.error_code, code)

    async def test_keys_are_asked_for_by_their_names(self):
        await self.begin(secure_connections=False)
        async with self.host() as device:
            connection = await device.connect(hci.Address(STRAP))
            await self.pair(connection, secure_connections=False)
            await connection.disconnect()
            keys = device.keystore.all_keys[STRAP].ltk_central
            for change in {'ediv': keys.ediv ^ 1}, {'rand': bytes(8)}, {'value': bytes(16)}, {}:
                with self.subTest(change):
                    connection = await device.connect(hci.Address(STRAP))
                    kept = {name: getattr(keys, name) for name in change}
                    vars(keys).update(change)
                    # A wrong name: no key. A wrong key: neither side understands the other.
                    with self.assertRaises((hci.HCI_Error, asyncio.CancelledError)) if change else contextlib.nullcontext():
                        await connection.encrypt()
                    vars(keys).update(kept)
                    if 'value' not in change:
                        await connection.disconnect()
            self.assertEqual(len(self.strap.of('key_missing')), 2)
            await self.begin()
            connection = await device.connect(hci.Address(STRAP))
            with self.assertRaises(hci.HCI_Error) as missing:
                await connection.encrypt()
            self.assertEqual(missing.exception.error_code, 0x06)
            await connection.disconnect()

    async def test_refusals(self):
        for wishes, io, reason in (
            ({'accepts': False}, NOTHING, 0x05), ({'io': YES_NO, 'agrees': False}, YES_NO, 0x0C),
        ):
            with self.subTest(wishes):
                await self.begin(mitm=True, **wishes)
                async with self.host() as device:
                    connection = await device.connect(hci.Address(STRAP))
                    with self.assertRaises(ProtocolError) as refused:
                        await self.pair(connection, io, mitm=True)
                    self.assertEqual(refused.exception.error_code, reason)
                    await connection.disconnect()

    async def test_asks_for_security_by_itself(self):
        await self.begin(requests=True)
        async with self.host() as device:
            asked = asyncio.get_running_loop().create_future()
            device.on('connection', lambda connection: connection.on('security_request', asked.set_result))
            connection = await device.connect(hci.Address(STRAP))
            self.assertEqual(await asked, smp.AuthReq.BONDING | smp.AuthReq.SC)
            await connection.disconnect()

    async def test_another_private_address_belongs_to_the_identity(self):
        await self.begin()
        async with self.host() as device:
            connection = await device.connect(hci.Address(STRAP))
            await self.pair(connection)
            await connection.disconnect()
            await self.next('disconnected')
            new = hci.Address((await asyncio.to_thread(self.strap.tell, 'rotate'))['address'])
            self.assertTrue(new.is_resolvable)
            self.assertEqual(str(device.address_resolver.resolve(new)), STRAP)
            connection = await device.connect(new)
            self.assertEqual((await self.next('connected'))['own_address'], str(new))
            await connection.encrypt()
            await connection.disconnect()
        self.assertEqual(len(self.strap.of('smp', code=1)), 1, 'paired once')


if __name__ == '__main__':
    unittest.main()
