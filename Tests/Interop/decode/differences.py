"""The differences between tshark 4.0's reading of the captures and ours, each with its reason.

The test fails on a difference that is not listed, and on an entry that explains none: the list stays short and true.
"""
import fnmatch


class Difference:
    """What may differ, and why."""

    def __init__(self, files, fields, reason, frames=None, when=lambda theirs, ours: True):
        """
        files: a pattern of the file's name
        fields: patterns of the fields' names
        frames: the records; None means all that `when` is true of
        when: a condition on tshark's reading and ours
        """
        self.files = files
        self.fields = fields.split()
        self.reason = reason
        self.frames = frames
        self.when = when
        self.explained = set()

    def explains(self, file, frame, field, theirs, ours):
        if not fnmatch.fnmatch(file, self.files) or self.frames is not None and frame not in self.frames:
            return False
        if not any(fnmatch.fnmatchcase(field, pattern) for pattern in self.fields) or not self.when(theirs, ours):
            return False
        self.explained.add((frame, field))
        return True

    @property
    def idle(self):
        """What the entry lists and nothing differs in: frames, or the whole entry."""
        if self.frames is None:
            return [] if self.explained else ['everything']
        return sorted(set(self.frames) - {frame for frame, _ in self.explained})


def of_a_request(opcode):
    return lambda theirs, ours: opcode in (theirs.get('att.opcode'), theirs.get('att.error.request')) or opcode + 1 == theirs.get('att.opcode')


DIFFERENCES = [
    # Stated conventions.
    Difference(
        '*', 'heart_rate.bpm', 'a rate of 0 says that there is none: we leave it out rather than report a pulse of 0',
        when=lambda theirs, ours: theirs.get('heart_rate.bpm') == 0 and 'heart_rate.bpm' not in ours),
    Difference(
        'le_session.*', 'heart_rate.rr', 'an RR-Interval of 0 is no interval: we leave it out and say so', frames=[86]),
    Difference(
        '*', 'handle', 'the handle of a connection that failed means nothing, and may be that of another',
        when=lambda theirs, ours: theirs.get('subevent') in (0x01, 0x0A) and theirs['status'] != 0),
    Difference('*', 'link.reason', 'a disconnection that failed has no reason',
               when=lambda theirs, ours: theirs.get('event_code') == 0x05 and theirs['status'] != 0),
    Difference(
        '*', 'signaling.reason_data', 'what follows a reason for rejecting stays octets; tshark has no field for it',
        when=lambda theirs, ours: theirs.get('signaling.code') == 0x01),
    Difference(
        'wangdalian__btsnooper.*', 'cid signaling.* att.* smp.*',
        'ACL data on handle 0x0EDC is the log of a Qualcomm chip; tshark reads L2CAP into it',
        when=lambda theirs, ours: theirs.get('handle') == 0x0EDC),
    Difference(
        '*', 'att.uuid', 'tshark does not carry the type that Find By Type Value asks for over to its response or error',
        when=lambda theirs, ours: 'att.uuid' not in theirs and of_a_request(0x06)(theirs, ours)),
    Difference(
        'cut_short.*', 'adv[[]*', 'a report that was not recorded whole is none to us; tshark shows what there is of it',
        frames=[2, 3]),
    Difference(
        'cut_short.*', 'att.pdu', 'a value that was not recorded whole is left out; tshark shows what there is of it',
        frames=[4]),
    # tshark at fault.
    Difference(
        '*', 'adv[[]*', 'tshark 4.0 does not read LE Directed Advertising Reports',
        when=lambda theirs, ours: theirs.get('subevent') == 0x0B),
    Difference(
        '*', 'handle', 'tshark 4.0 does not read Authenticated Payload Timeout Expired',
        when=lambda theirs, ours: theirs.get('event_code') == 0x57),
    Difference(
        'before_1970.*', 'time', 'tshark takes times before 1970 for times after it; JSON shows no year before 0000', frames=[1, 2]),
    Difference(
        'l2cap_abandoned.*', 'cid att.*', 'tshark joins a continuation to a PDU that was given up for a new one before', frames=[10]),
    Difference(
        'l2cap_split_header.*', 'cid att.*', 'tshark does not join a PDU whose L2CAP header is spread over two fragments', frames=[8]),
    Difference(
        'zero_length.pcap', 'records', 'tshark stops at a record of no octets, which has not even the direction', frames=[0]),
    Difference(
        'pcapng_201_simple_blocks.*', 'records adapter',
        'tshark reads four octets too many of a Simple Packet Block with a pseudo header, and stops before the second interface',
        frames=[0, 1]),
    Difference(
        'l2cap_split_header.*', 'att.requested', 'so it takes the request for unanswered, and the response on another link for its answer',
        frames=[10]),
]
