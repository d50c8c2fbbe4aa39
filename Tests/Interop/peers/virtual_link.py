"""The air between virtual devices and the controller that a host under test is given, on bumble.

bumble's controller is a fair stand-in for a real one but for a few faults that no real one has, and that would send a correct
host astray. Each is mended here, and only those: the host has to bear with everything else.
"""
import asyncio

from bumble import hci, ll
from bumble.controller import Controller
from bumble.link import LocalLink


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


class HostController(Controller):
    """The controller of the host under test."""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.filter_accept_list = set()
        self.heeds_filter_accept_list = True

    def on_hci_command_packet(self, command):
        """A command that nothing handles is refused; bumble claims some that it then leaves without any answer."""
        is_handled = hasattr(self, f'on_{command.name.lower()}') or isinstance(command, hci.HCI_SyncCommand)
        if is_handled:
            super().on_hci_command_packet(command)
        else:
            self._send_hci_command_status(hci.HCI_ErrorCode.UNKNOWN_HCI_COMMAND_ERROR, command.op_code)

    def on_hci_reset_command(self, command):
        """Reset ends links, attempts and scans, and empties the filter accept list (Core Vol 4, Part E, 7.3.2)."""
        for connection in list(self.le_connections.values()):
            connection.send_ll_control_pdu(ll.TerminateInd(hci.HCI_ErrorCode.CONNECTION_TIMEOUT_ERROR))
        self.le_connections.clear()
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
