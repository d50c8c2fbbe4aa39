"""The straps of hr-raw's simulator that want to be paired, and its controller's privacy, against bumble's host: pairing that only a
host of the same making understands would be worth nothing."""
import asyncio
import logging

from bumble import gatt, hci, pairing, smp
from bumble.att import ATT_Error
from bumble.core import ProtocolError
from bumble.device import Peer
from bumble.keys import MemoryKeyStore
from bumble.profiles.heart_rate_service import HeartRateServiceProxy

from simulated import STRAP, SimulatedCase

LABEL = 123456
IO = pairing.PairingDelegate.IoCapability
# What the leaflets of the simulator's straps say (Docs/Simulation.md), the most significant octet first.
RANDOM = '20' * 16
CONFIRM = 'f6cd0dfb4dfdeac6042336c0e88eb877'
TEMPORARY_KEY = '22' * 16

# It complains of keys that it agreed not to be given.
logging.getLogger('bumble.smp').setLevel(logging.CRITICAL)


class User(pairing.PairingDelegate):
    """Knows what the strap's label says, shows what its wearer will try, and agrees to numbers."""

    def __init__(self, io, passkey=LABEL, agrees=True):
        super().__init__(io)
        self.passkey, self.agrees = passkey, agrees

    async def get_number(self):
        return self.passkey

    async def generate_passkey(self):
        return self.passkey

    async def compare_numbers(self, number, digits):
        return self.agrees


class SimulatedPairing(SimulatedCase):
    def host(self, scenario, offload=False):
        """It makes and resolves private addresses where it is told to."""
        return super().host(
            scenario, irk=bytes(range(16)), keystore=MemoryKeyStore(), address_resolution_offload=offload,
            address_generation_offload=offload)

    async def pair(self, connection, user=None, sc=True, mitm=False, bonding=True, oob=None):
        user = user or User(IO.NO_OUTPUT_NO_INPUT)
        connection.device.pairing_config_factory = lambda _: pairing.PairingConfig(
            sc, mitm, bonding, user, pairing.PairingConfig.AddressType.RANDOM, oob)
        await connection.pair()

    async def stream(self, connection):
        peer = Peer(connection)
        [service] = await peer.discover_service(gatt.GATT_HEART_RATE_SERVICE)
        await service.discover_characteristics()
        measurement = peer.create_service_proxy(HeartRateServiceProxy).heart_rate_measurement
        measurements = asyncio.Queue()
        await measurement.subscribe(measurements.put_nowait)
        self.assertTrue(40 < (await measurements.get()).heart_rate < 130)

    async def assert_refused(self, connection, code):
        with self.assertRaises(ATT_Error) as refused:
            await self.stream(connection)
        self.assertEqual(refused.exception.error_code, code)

    async def test_every_model_then_encryption_with_the_keys(self):
        shared = smp.OobSharedData(bytes.fromhex(CONFIRM)[::-1], bytes.fromhex(RANDOM)[::-1])
        legacy = pairing.OobLegacyContext(bytes.fromhex(TEMPORARY_KEY)[::-1])
        await asyncio.gather(*(self.pair_and_meet_again(*case) for case in (
            ('encrypted', 0x0F, {}),
            ('authorization', 0x08, {}),
            ('legacy-pairing', 0x0F, {'sc': False}),
            ('legacy-pairing', 0x0F, {}),
            ('secure-only', 0x05, {}),
            ('passkey', 0x05, {'user': User(IO.KEYBOARD_INPUT_ONLY), 'mitm': True}),
            ('passkey', 0x05, {'user': User(IO.KEYBOARD_INPUT_ONLY), 'mitm': True, 'sc': False}),
            ('legacy-passkey', 0x05, {'user': User(IO.KEYBOARD_INPUT_ONLY), 'mitm': True}),
            ('passkey-entry', 0x05, {'user': User(IO.DISPLAY_OUTPUT_ONLY), 'mitm': True}),
            ('comparison', 0x05, {'user': User(IO.DISPLAY_OUTPUT_AND_YES_NO_INPUT), 'mitm': True}),
            ('out-of-band', 0x05, {
                'mitm': True, 'oob': pairing.PairingConfig.OobConfig(pairing.OobContext(), shared, None)}),
            ('legacy-out-of-band', 0x05, {
                'mitm': True, 'sc': False, 'oob': pairing.PairingConfig.OobConfig(None, None, legacy)}),
        )))

    async def pair_and_meet_again(self, scenario, code, options):
        try:
            async with self.host(scenario) as device:
                connection = await device.connect(hci.Address(STRAP))
                await self.assert_refused(connection, code)
                await self.pair(connection, **options)
                await self.stream(connection)
                await connection.disconnect()
                connection = await device.connect(hci.Address(STRAP))
                await connection.encrypt()
                await self.stream(connection)
                await connection.disconnect()
        except BaseException as error:
            error.add_note(f'{scenario}, {options}')
            raise

    async def test_a_passkey_or_number_that_is_wrong_is_no_pairing(self):
        for scenario, user, reason in (
            ('passkey', User(IO.KEYBOARD_INPUT_ONLY, 654321), smp.ErrorCode.CONFIRM_VALUE_FAILED),
            ('legacy-passkey', User(IO.KEYBOARD_INPUT_ONLY, 654321), smp.ErrorCode.CONFIRM_VALUE_FAILED),
            ('passkey-entry', User(IO.DISPLAY_OUTPUT_ONLY, 654321), smp.ErrorCode.CONFIRM_VALUE_FAILED),
            ('refuses-number', User(IO.DISPLAY_OUTPUT_AND_YES_NO_INPUT), smp.ErrorCode.NUMERIC_COMPARISON_FAILED),
        ):
            with self.subTest(scenario):
                async with self.host(scenario) as device:
                    connection = await device.connect(hci.Address(STRAP))
                    with self.assertRaises(ProtocolError) as refused:
                        await self.pair(connection, user, mitm=True)
                    self.assertEqual(refused.exception.error_code, reason)
                    await connection.disconnect()

    async def test_what_it_does_not_agree_to(self):
        for scenario, code, is_debugging, options in (
            ('secure-only', 0x05, False, {'sc': False}),
            # The key that everybody knows
            ('encrypted', 0x0F, True, {}),
        ):
            with self.subTest(scenario):
                async with self.host(scenario) as device:
                    device.smp_manager.debug_mode = is_debugging
                    connection = await device.connect(hci.Address(STRAP))
                    with self.assertRaises(ProtocolError) as refused:
                        await self.pair(connection, **options)
                    self.assertEqual(refused.exception.error_code, smp.ErrorCode.AUTHENTICATION_REQUIREMENTS)
                    await self.assert_refused(connection, code)
                    await connection.disconnect()

    async def test_one_that_does_not_bond_keeps_no_keys(self):
        async with self.host('not-bonding') as device:
            connection = await device.connect(hci.Address(STRAP))
            await self.pair(connection)
            await self.stream(connection)
            await connection.disconnect()
            connection = await device.connect(hci.Address(STRAP))
            with self.assertRaises(hci.HCI_Error) as missing:
                await connection.encrypt()
            self.assertEqual(missing.exception.error_code, hci.HCI_ErrorCode.PIN_OR_KEY_MISSING_ERROR)
            await connection.disconnect()

    async def test_a_key_that_is_missing_and_one_that_is_another(self):
        async with self.host('encrypted') as device:
            connection = await device.connect(hci.Address(STRAP))
            failed = asyncio.get_running_loop().create_future()
            connection.on(connection.EVENT_CONNECTION_ENCRYPTION_FAILURE, failed.set_result)
            await device.send_command(hci.HCI_LE_Enable_Encryption_Command(
                connection_handle=connection.handle, random_number=bytes(8), encrypted_diversifier=0,
                long_term_key=bytes(16)))
            self.assertEqual(await failed, hci.HCI_ErrorCode.PIN_OR_KEY_MISSING_ERROR)
            await self.pair(connection)
            await connection.disconnect()
            keys = device.keystore.all_keys[STRAP]
            keys.ltk.value = bytes(16)
            connection = await device.connect(hci.Address(STRAP))
            lost = asyncio.get_running_loop().create_future()
            connection.on(connection.EVENT_DISCONNECTION, lost.set_result)
            with self.assertRaises((hci.HCI_Error, asyncio.CancelledError)):
                await connection.encrypt()
            self.assertEqual(await lost, hci.HCI_ErrorCode.CONNECTION_TERMINATED_DUE_TO_MIC_FAILURE_ERROR)

    async def test_asks_for_security_by_itself(self):
        async with self.host('security-request') as device:
            asked = asyncio.get_running_loop().create_future()
            device.on('connection', lambda connection: connection.on('security_request', asked.set_result))
            connection = await device.connect(hci.Address(STRAP))
            self.assertEqual(await asked, smp.AuthReq.BONDING | smp.AuthReq.SC)
            await self.pair(connection)
            await self.stream(connection)

    async def test_a_private_address_is_resolved_and_shown_by_the_controller(self):
        """bumble has the controller do it: reports and completions name the identity, and the strap recognises our private address."""
        async with self.host('rotating', offload=True) as device:
            found = asyncio.get_running_loop().create_future()
            device.on('advertisement', lambda heard: found.done() or found.set_result(heard.address))
            await device.start_scanning(active=True)
            address = await found
            await device.stop_scanning()
            self.assertTrue(address.is_resolvable)
            connection = await device.connect(address)
            await self.pair(connection)
            self.assertEqual(list(device.keystore.all_keys), [STRAP])
            await connection.disconnect()
            # From here on the controller knows it.
            resolved = asyncio.get_running_loop().create_future()
            device.remove_all_listeners('advertisement')
            device.on('advertisement', lambda heard: resolved.done() or resolved.set_result(heard.address))
            await device.start_scanning(active=True)
            self.assertEqual(
                ((await resolved).address_type, str(await resolved)), (hci.Address.RANDOM_IDENTITY_ADDRESS, STRAP))
            await device.stop_scanning()
            connection = await device.connect(hci.Address(STRAP))
            self.assertEqual(str(connection.peer_address).split('/')[0], STRAP)
            self.assertTrue(connection.peer_resolvable_address.is_resolvable)
            await connection.encrypt()
            await self.stream(connection)
            await connection.disconnect()
