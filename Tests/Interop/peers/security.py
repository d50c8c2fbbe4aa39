"""bumble's side of pairing, with what it does wrong as the responder mended, and with a user whom a test can direct.

bumble's Security Manager is the independent party here: every function, every PDU and every key is its own. Mended is only what no
sensor does, and what would let a wrong host through or send a correct one astray.
"""
import asyncio
import secrets

from bumble import smp
from bumble.device import Device
from bumble.pairing import PairingConfig, PairingDelegate


class User(PairingDelegate):
    """Whoever wears the strap: sees what it shows, and says what a test has them say."""

    def __init__(self, tell, wishes):
        # Keys are kept, and so exchanged, between bonding devices alone (Core Vol 3, Part H, 2.4.3).
        keys = wishes['keys'] if wishes['bonding'] else PairingDelegate.KeyDistribution(0)
        super().__init__(PairingDelegate.IoCapability(wishes['io']), keys, keys, wishes['key_size'])
        self.tell = tell
        self.wishes = wishes
        self.entered = asyncio.get_running_loop().create_future()

    async def accept(self):
        return self.wishes['accepts']

    async def compare_numbers(self, number, digits):
        self.tell('compared', number=number)
        return self.wishes['agrees']

    async def generate_passkey(self):
        return self.wishes['passkey']

    async def display_number(self, number, digits):
        self.tell('displayed', number=number)

    async def get_number(self):
        """Waits for the test to say what the host under test shows."""
        self.tell('asked')
        return await self.entered


class Session(smp.Session):
    """One pairing."""

    key_size = 16

    def __setattr__(self, name, value):
        """A key is cut to the size that was agreed on (Core Vol 3, Part H, 2.3.4); bumble keeps all of it."""
        if name in ('stk', 'ltk') and value:
            value = value[:self.key_size] + bytes(16 - self.key_size)
        super().__setattr__(name, value)

    async def on_smp_pairing_request_command_async(self, command):
        self.key_size = min(command.maximum_encryption_key_size, self.maximum_encryption_key_size)
        if command.auth_req & smp.AuthReq.BONDING == 0:
            self.pairing_config.delegate.local_initiator_key_distribution = 0
            self.pairing_config.delegate.local_responder_key_distribution = 0
        await super().on_smp_pairing_request_command_async(command)

    def get_long_term_key(self, rand, ediv):
        """The short-term key while a legacy pairing goes on, else the long-term key by its name; bumble gives every peer the same name."""
        if self.sc:
            return getattr(self, 'ltk', None) if (rand, ediv) == (bytes(8), 0) else None
        if not self.completed:
            return self.stk if (rand, ediv) == (bytes(8), 0) else None
        return self.ltk if (rand, ediv) == (self.ltk_rand, self.ltk_ediv) else None

    def distribute_keys(self):
        """bumble calls every legacy key by EDIV and Rand 0."""
        if not self.sc and self.is_responder:
            self.ltk_ediv, self.ltk_rand = secrets.randbelow(0xFFFF) + 1, secrets.token_bytes(8)
        super().distribute_keys()

    def prompt_user_for_numeric_comparison(self, code, next_steps):
        """bumble has a reason of its own for numbers that differ (Core Vol 3, Part H, 3.5.5)."""
        async def prompt():
            if await self.pairing_config.delegate.compare_numbers(code, digits=6):
                next_steps()
            else:
                self.send_pairing_failed(smp.ErrorCode.NUMERIC_COMPARISON_FAILED)
        self.connection.cancel_on_disconnection(prompt())


class SecurityManager(smp.Manager):
    """Tells of every PDU that comes, and leaves those unanswered that a test wants unanswered."""

    def __init__(self, device, pairing_config_factory):
        super().__init__(device, pairing_config_factory)
        self.session_proxy = Session
        self.unanswered = set()

    def on_smp_pdu(self, connection, pdu):
        self.device.tell('smp', code=pdu[0])
        if pdu[0] in self.unanswered:
            return
        # bumble goes on with a pairing that has ended when the peer begins another on the same link.
        ended = self.sessions.get(connection.handle)
        if pdu[0] == smp.CommandCode.PAIRING_REQUEST and ended and ended.completed:
            ended.on_disconnection(0)
        super().on_smp_pdu(connection, pdu)

    async def on_pairing(self, session, identity_address, keys):
        # bumble keeps keys even where it has agreed not to bond.
        stored = identity_address if session.bonding else None
        await super().on_pairing(session, stored, keys)
        self.device.tell(
            'paired', identity=str(identity_address), secure_connections=session.sc, bonding=session.bonding,
            model=session.pairing_method.name, key_size=session.key_size, has_irk=keys.irk is not None,
            has_csrk=keys.csrk is not None, initiator_key_size=None if session.sc else len(keys.ltk_peripheral.value))

    def on_pairing_failure(self, session, reason):
        super().on_pairing_failure(session, reason)
        self.device.tell('failed', reason=int(reason))


class SecureDevice(Device):
    """A device that knows how well each of its links is protected."""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        # Connection handle → (protected against a man in the middle?, by Secure Connections?), from the key last asked for.
        self.keys_in_use = {}
        self.tell = lambda _event, **_values: None
        self.smp_manager = SecurityManager(self, lambda _connection: PairingConfig())

    async def get_long_term_key(self, connection_handle, rand, ediv):
        """The key that a central asks for is the one that this side gave it; bumble's answers with the central's own."""
        if (connection := self.lookup_connection(connection_handle)) is None:
            return None
        session = self.smp_manager.sessions.get(connection_handle)
        if session and (key := session.get_long_term_key(rand, ediv)):
            self.keys_in_use[connection_handle] = (session.pairing_method != smp.PairingMethod.JUST_WORKS, session.sc)
            return key
        keys = await self.keystore.get(str(connection.peer_address))
        if keys and keys.ltk and (rand, ediv) == (bytes(8), 0):
            self.keys_in_use[connection_handle] = (keys.ltk.authenticated, True)
            return keys.ltk.value
        if keys and (key := keys.ltk_central) and (rand, ediv) == (key.rand, key.ediv):
            self.keys_in_use[connection_handle] = (key.authenticated, False)
            return key.value
        self.tell('key_missing')
        return None

    def level(self, connection):
        """open, encrypted, authenticated or secure."""
        if not connection.is_encrypted:
            return 'open'
        is_authenticated, is_secure = self.keys_in_use[connection.handle]
        return 'encrypted' if not is_authenticated else 'secure' if is_secure else 'authenticated'
