"""The air between virtual devices and the controller that a host under test is given, on bumble.

bumble's controller is a fair stand-in for a real one but for a few faults that no real one has, and that would send a correct
host astray. Each is mended here, and only those: the host has to bear with everything else.
"""
import asyncio

from bumble import hci, ll
from bumble.controller import Controller
from bumble.link import LocalLink
from bumble.transport import open_transport


class Link(LocalLink):
    """Carries data under the address that the sender used for the connection.

    bumble always names the sender's random address, and a peer does not find the connection of a host that connected with its
    public one.
    """

    def send_acl_data(self, sender_controller, destination_address, transport, data):
        source = next(
            (
                connection.self_address
                for connection in sender_controller.le_connections.values()
                if connection.peer_address == destination_address
            ),
            sender_controller.random_address,
        )
        receiver = self.find_le_controller(destination_address)
        if receiver is not None:
            asyncio.get_running_loop().call_soon(receiver.on_link_acl_data, source, transport, data)


class LinkController(Controller):
    """The controller of either end of a link."""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.encrypted = set()

    def on_le_encryption_change(self, connection, status):
        """A new key on an encrypted link has an event of its own (Core Vol 4, Part E, 7.7.39); bumble reports encryption again."""
        if status == hci.HCI_ErrorCode.SUCCESS and connection.handle in self.encrypted:
            self.send_hci_packet(
                hci.HCI_Encryption_Key_Refresh_Complete_Event(status=status, connection_handle=connection.handle))
            return
        if status == hci.HCI_ErrorCode.SUCCESS:
            self.encrypted.add(connection.handle)
        super().on_le_encryption_change(connection, status)

    def on_le_long_term_key_reply(self, connection, request, long_term_key):
        """A link whose encryption is paused for a key that is missing ends (Core Vol 6, Part B, 5.1.3.1); bumble's goes on."""
        if long_term_key is None and connection.handle in self.encrypted:
            reason = hci.HCI_ErrorCode.PIN_OR_KEY_MISSING_ERROR
            connection.send_ll_control_pdu(ll.TerminateInd(reason))
            self.on_le_disconnected(connection, reason)
        else:
            super().on_le_long_term_key_reply(connection, request, long_term_key)

    def on_le_disconnected(self, connection, reason):
        self.encrypted.discard(connection.handle)
        super().on_le_disconnected(connection, reason)


class HostController(LinkController):
    """The controller of the host under test."""

    # bumble claims a resolving list, and takes every command for it without resolving any address.
    ABSENT_COMMANDS = {
        hci.HCI_LE_ADD_DEVICE_TO_RESOLVING_LIST_COMMAND,
        hci.HCI_LE_REMOVE_DEVICE_FROM_RESOLVING_LIST_COMMAND,
        hci.HCI_LE_CLEAR_RESOLVING_LIST_COMMAND,
        hci.HCI_LE_READ_RESOLVING_LIST_SIZE_COMMAND,
        hci.HCI_LE_READ_PEER_RESOLVABLE_ADDRESS_COMMAND,
        hci.HCI_LE_READ_LOCAL_RESOLVABLE_ADDRESS_COMMAND,
        hci.HCI_LE_SET_ADDRESS_RESOLUTION_ENABLE_COMMAND,
        hci.HCI_LE_SET_RESOLVABLE_PRIVATE_ADDRESS_TIMEOUT_COMMAND,
        hci.HCI_LE_SET_PRIVACY_MODE_COMMAND,
    }

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.supported_commands = self.supported_commands - self.ABSENT_COMMANDS
        self.le_features &= ~hci.LeFeatureMask.LL_PRIVACY
        self.filter_accept_list = set()
        self.heeds_filter_accept_list = True

    @classmethod
    async def at(cls, name, link, address='AA:BB:CC:DD:EE:FF'):
        """One that a host finds at a transport. Prints `controller` and the place to tell the host."""
        transport = await open_transport(name)
        if name.startswith('tcp-server:'):
            host, port = transport.server.sockets[0].getsockname()[:2]
            print('controller', f'{host}:{port}', flush=True)
        else:
            print('controller', name.removeprefix('pty:'), flush=True)
        return cls('host', host_source=transport.source, host_sink=transport.sink, link=link, public_address=address)

    def on_hci_command_packet(self, command):
        """A command that nothing handles is refused; bumble claims some that it then leaves without any answer."""
        is_handled = hasattr(self, f'on_{command.name.lower()}') or isinstance(command, hci.HCI_SyncCommand)
        if is_handled and command.op_code not in self.ABSENT_COMMANDS:
            super().on_hci_command_packet(command)
        else:
            self._send_hci_command_status(hci.HCI_ErrorCode.UNKNOWN_HCI_COMMAND_ERROR, command.op_code)

    def on_hci_reset_command(self, command):
        """Reset ends links, attempts and scans, and empties the filter accept list (Core Vol 4, Part E, 7.3.2)."""
        for connection in list(self.le_connections.values()):
            connection.send_ll_control_pdu(ll.TerminateInd(hci.HCI_ErrorCode.CONNECTION_TIMEOUT_ERROR))
        self.le_connections.clear()
        self.encrypted.clear()
        self.pending_le_connection = None
        self.le_scan_enable = False
        self.filter_accept_list = set()
        return super().on_hci_reset_command(command)

    def on_hci_le_create_connection_cancel_command(self, command):
        """A cancelled attempt ends with a completion, and there must be one to cancel (Core Vol 4, Part E, 7.8.13)."""
        if not self.pending_le_connection:
            return hci.HCI_StatusReturnParameters(hci.HCI_ErrorCode.COMMAND_DISALLOWED_ERROR)
        self.pending_le_connection = None
        completion = hci.HCI_LE_Connection_Complete_Event(
            status=hci.HCI_ErrorCode.UNKNOWN_CONNECTION_IDENTIFIER_ERROR,
            connection_handle=0,
            role=hci.Role.CENTRAL,
            peer_address_type=0,
            peer_address=hci.Address.ANY,
            connection_interval=0,
            peripheral_latency=0,
            supervision_timeout=0,
            central_clock_accuracy=0,
        )
        asyncio.get_running_loop().call_soon(self.send_hci_packet, completion)
        return super().on_hci_le_create_connection_cancel_command(command)

    def on_hci_le_clear_filter_accept_list_command(self, command):
        self.filter_accept_list = set()
        return super().on_hci_le_clear_filter_accept_list_command(command)

    def on_hci_le_add_device_to_filter_accept_list_command(self, command):
        self.filter_accept_list.add(command.address)
        return super().on_hci_le_add_device_to_filter_accept_list_command(command)

    def on_hci_le_remove_device_from_filter_accept_list_command(self, command):
        self.filter_accept_list.discard(command.address)
        return super().on_hci_le_remove_device_from_filter_accept_list_command(command)

    def on_advertising_pdu(self, pdu):
        """An attempt that uses the filter accept list takes the first advertiser on it; bumble compares with the attempt's address."""
        attempt = self.pending_le_connection
        if attempt and attempt.initiator_filter_policy == 1:
            is_wanted = self.heeds_filter_accept_list and pdu.advertiser_address in self.filter_accept_list
            attempt.peer_address = pdu.advertiser_address if is_wanted else hci.Address.ANY
        super().on_advertising_pdu(pdu)
