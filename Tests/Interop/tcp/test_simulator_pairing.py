"""The simulator's straps pair with somebody else's host: bumble's, as the central."""
import asyncio

from bumble import crypto, gatt, hci, pairing, smp
from bumble.att import ATT_Error
from bumble.core import ProtocolError
from bumble.device import Peer
from bumble.pairing import OobContext, OobLegacyContext

from pairing_strap import DISPLAY, KEYBOARD, NOTHING, YES_NO
from simulated import STRAP, SimulatedCase

# What the simulator's labels say, and what its wearers enter.
PASSKEY = 123456


class Central(pairing.PairingDelegate):
    """The user of bumble's host."""

    def __init__(self, io, passkey):
        super().__init__(pairing.PairingDelegate.IoCapability(io))
        self.passkey = passkey

    async def get_number(self):
        return self.passkey

    async def generate_passkey(self):
        return self.passkey


async def at_once(*trials):
    """All of them: they take their time, and each has a simulator of its own."""
    async with asyncio.TaskGroup() as group:
        for trial in trials:
            group.create_task(trial)


class SimulatorPairing(SimulatedCase):
    async def connect(self, device):
        """Connects to the strap, whatever its address is now."""
        found = await self.find(device, lambda heard: heard.is_connectable)
        return await device.connect(found.address)

    async def pair(self, connection, io=NOTHING, passkey=PASSKEY, sc=True, oob=None):
        connection.device.pairing_config_factory = lambda _: pairing.PairingConfig(
            sc, io != NOTHING or oob is not None, True, Central(io, passkey), pairing.PairingConfig.AddressType.RANDOM, oob)
        await connection.pair()

    async def stream(self, connection):
        [service] = await Peer(connection).discover_service(gatt.GATT_HEART_RATE_SERVICE)
        [measurement] = await service.discover_characteristics([gatt.GATT_HEART_RATE_MEASUREMENT_CHARACTERISTIC])
        values = asyncio.Queue()
        await measurement.subscribe(values.put_nowait)
        self.assertTrue(40 < (await values.get())[1] < 130)

    async def assert_refused(self, connection, error):
        with self.assertRaises(ATT_Error) as refused:
            await self.stream(connection)
        self.assertEqual(refused.exception.error_code, error)

    async def test_every_model(self):
        key = crypto.EccKey.from_private_key_bytes(b'\x21' * 32)
        leaflet = OobContext(key, b'\x20' * 16).share()
        oob = pairing.PairingConfig.OobConfig(OobContext(), leaflet, None)
        legacy_oob = pairing.PairingConfig.OobConfig(None, None, OobLegacyContext(b'\x22' * 16))
        await at_once(
            self.assert_pairs('encrypted', 0x0F),
            self.assert_pairs('authentication', 0x05),
            self.assert_pairs('legacy-pairing', 0x0F, generation='legacy'),
            self.assert_pairs('passkey', 0x05, io=KEYBOARD),
            self.assert_pairs('legacy-passkey', 0x05, generation='legacy', io=KEYBOARD),
            self.assert_pairs('passkey-entry', 0x05, io=DISPLAY),
            self.assert_pairs('comparison', 0x05, io=YES_NO),
            self.assert_pairs('out-of-band', 0x05, oob=oob),
            # bumble's host wants its out-of-band data to be of one generation.
            self.assert_pairs('legacy-out-of-band', 0x05, generation='legacy', sc=False, oob=legacy_oob),
        )

    async def assert_pairs(self, scenario, error, generation='secure', **options):
        """Refused, paired, taken, and once more with the keys."""
        is_secure = generation == 'secure'
        async with self.host(scenario) as device:
            device.irk = bytes(range(16))
            connection = await self.connect(device)
            await self.assert_refused(connection, error)
            await self.pair(connection, **options)
            self.assertEqual(connection.sc, is_secure)
            await self.stream(connection)
            await connection.disconnect()
            [keys] = device.keystore.all_keys.values()
            self.assertEqual(keys.ltk is not None, is_secure)
            if not is_secure:
                self.assertNotEqual((keys.ltk_central.ediv, keys.ltk_central.rand), (0, bytes(8)), 'a name of its own')
            self.assertEqual((keys.ltk or keys.ltk_central).authenticated, bool(options))
            connection = await self.connect(device)
            await connection.encrypt()
            await self.stream(connection)
            await connection.disconnect()

    async def test_refusals(self):
        await at_once(
            self.assert_fails('passkey', smp.ErrorCode.CONFIRM_VALUE_FAILED, 0x05, io=KEYBOARD, passkey=654321),
            self.assert_fails('legacy-passkey', smp.ErrorCode.CONFIRM_VALUE_FAILED, 0x05, io=KEYBOARD, passkey=654321),
            self.assert_fails('secure-only', smp.ErrorCode.AUTHENTICATION_REQUIREMENTS, 0x05, sc=False),
            # Everybody knows that key.
            self.assert_fails('encrypted', smp.ErrorCode.AUTHENTICATION_REQUIREMENTS, 0x0F, debug_key=True),
        )

    async def assert_fails(self, scenario, reason, error, debug_key=False, **options):
        """The strap says why it does not pair, and takes no subscription."""
        async with self.host(scenario) as device:
            device.smp_manager.debug_mode = debug_key
            connection = await self.connect(device)
            with self.assertRaises(ProtocolError) as failed:
                await self.pair(connection, **options)
            self.assertEqual(failed.exception.error_code, reason)
            await self.assert_refused(connection, error)

    async def test_keeps_no_keys_where_it_says_so(self):
        async with self.host('not-bonding') as device:
            connection = await self.connect(device)
            await self.pair(connection)
            await self.stream(connection)
            await connection.disconnect()
            connection = await self.connect(device)
            with self.assertRaises(hci.HCI_Error) as missing:
                await connection.encrypt()
            self.assertEqual(missing.exception.error_code, 0x06)

    async def test_asks_for_security(self):
        async with self.host('security-request') as device:
            asked = asyncio.get_running_loop().create_future()
            device.on('connection', lambda connection: connection.on('security_request', asked.set_result))
            await self.connect(device)
            self.assertTrue(await asked & smp.AuthReq.BONDING)

    async def test_hides_behind_private_addresses(self):
        async with self.host('rotating') as device:
            connection = await self.connect(device)
            shown = connection.peer_address
            self.assertTrue(shown.is_resolvable)
            await self.pair(connection)
            self.assertEqual(str(device.address_resolver.resolve(shown)), STRAP)
            self.assertEqual([name for name in device.keystore.all_keys], [STRAP])
