"""A controller with one strap, octet by octet and without any Bluetooth library: it does what a test tells it, at the place
in the conversation that the test names.

The strap's attributes: 0x0010 service 180D up to 0x0016; 0x0011 and 0x0012 characteristic 2A37, notify; 0x0013 its CCCD;
0x0014 and 0x0015 characteristic 2A38, 0x01.
"""
import socket
import struct
import threading

ADDRESS = 'C0:00:00:00:00:01'
_WIRE_ADDRESS = bytes.fromhex('0100000000c0')
HANDLE = 0x0040

# ATT requests on the way to the first heart rate, by their opcodes.
FIND_SERVICE, FIND_CHARACTERISTIC, FIND_DESCRIPTOR, SUBSCRIBE = 0x06, 0x08, 0x04, 0x12


class Scripted:
    """Serves one host. `place` is where `action` happens: 'scan', 'connect', an ATT opcode, or 'notified'.

    Actions: 'silence' (nothing comes any more from whoever should answer), 'loss' (Disconnection Complete, 0x08),
    'refusal' (an ATT error, 0x0E), 'nonsense' (an answer of another kind), 'hang up' (the way to the controller closes).
    """

    def __init__(self, place=None, action=None):
        self.place, self.action = place, action
        self.reached = threading.Event()
        self.disconnected = threading.Event()

    def __enter__(self):
        self.listener = socket.create_server(('127.0.0.1', 0))
        self.thread = threading.Thread(target=self.serve, daemon=True)
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.listener.close()
        self.thread.join(60)

    @property
    def adapter(self):
        return f'tcp:127.0.0.1:{self.listener.getsockname()[1]}'

    def serve(self):
        try:
            self.connection, _ = self.listener.accept()
            with self.connection:
                stream = self.connection.makefile('rb')
                while header := stream.read(1):
                    if header == b'\x01':
                        opcode, count = struct.unpack('<HB', stream.read(3))
                        self.command(opcode, stream.read(count))
                    else:
                        _, count = struct.unpack('<HH', stream.read(4))
                        self.data(stream.read(count))
        except (OSError, struct.error, HangUp):
            pass

    # To the host

    def send(self, packet):
        self.connection.sendall(packet)

    def event(self, code, parameters):
        self.send(bytes([4, code, len(parameters)]) + parameters)

    def att(self, pdu):
        self.send(struct.pack('<BHHHH', 2, HANDLE | 0x2000, len(pdu) + 4, len(pdu), 4) + pdu)

    def act(self, request=None):
        """Does what the test wants at this place."""
        self.reached.set()
        if self.action == 'loss':
            self.event(0x05, struct.pack('<BHB', 0, HANDLE, 0x08))
        elif self.action == 'refusal':
            self.att(struct.pack('<BBHB', 1, request, 0x0010, 0x0E))
        elif self.action == 'nonsense':
            self.att(b'\x0b\xff\xff')
        elif self.action == 'hang up':
            raise HangUp

    # From the host

    def command(self, opcode, parameters):
        if opcode in (0x200D, 0x2043):
            self.event(0x0F, struct.pack('<BBH', 0, 1, opcode))
            if self.place == 'connect':
                self.act()
            else:
                complete = struct.pack('<BBHBB', 0x01, 0, HANDLE, 0, 1) + _WIRE_ADDRESS + struct.pack('<HHHB', 40, 0, 500, 0)
                self.event(0x3E, complete)
        elif opcode == 0x0406:
            self.event(0x0F, struct.pack('<BBH', 0, 1, opcode))
            self.event(0x05, struct.pack('<BHB', 0, HANDLE, 0x16))
            self.disconnected.set()
        elif opcode in (0x2013, 0x2016, 0x2022, 0x2032, 0x041D):
            self.event(0x0F, struct.pack('<BBH', 0, 1, opcode))
        else:
            self.event(0x0E, struct.pack('<BH', 1, opcode) + b'\0' + self.returned(opcode))
            if opcode == 0x200E and self.place == 'connect':
                # The attempt that was taken back: Unknown Connection Identifier.
                self.event(0x3E, struct.pack('<BBHBB', 0x01, 0x02, 0, 0, 0) + bytes(6) + bytes(7))
            if opcode == 0x200C and parameters[:1] == b'\1':
                if self.place == 'scan':
                    self.act()
                else:
                    data = bytes.fromhex('0201060303 0d18'.replace(' ', ''))
                    self.event(0x3E, bytes([2, 1, 0, 1]) + _WIRE_ADDRESS + bytes([len(data)]) + data + b'\xc8')

    @staticmethod
    def returned(opcode):
        """Return parameters behind the status: a plain controller without anything extended."""
        return {
            0x1001: bytes([8, 0, 0, 8, 0xFF, 0xFF, 0, 0]),
            # All of the commands that the first LE controllers had.
            0x1002: bytes(25) + bytes([0xFF, 0xFF, 0xFF, 0x00]) + bytes(35),
            0x1003: bytes([0, 0, 0, 0, 0x60, 0, 0, 0]),
            0x1005: struct.pack('<HBHH', 27, 0, 8, 0),
            0x1009: bytes.fromhex('aabbccddeeff'),
            0x2002: struct.pack('<HB', 27, 8),
            0x2003: bytes(8),
            0x2007: b'\x1e',
            0x200F: b'\x08',
            0x201C: bytes([0xFF] * 8),
        }.get(opcode, bytes(8))

    def data(self, frame):
        self.event(0x13, struct.pack('<BHH', 1, HANDLE, 1))
        _, channel = struct.unpack('<HH', frame[:4])
        if channel != 4:
            return
        pdu = frame[4:]
        if pdu[0] == self.place:
            self.act(pdu[0])
            return
        self.answer(pdu)
        if pdu[0] == SUBSCRIBE:
            self.att(bytes.fromhex('1b 1200 0648 0003'.replace(' ', '')))
            if self.place == 'notified':
                self.act()

    def answer(self, pdu):
        start = int.from_bytes(pdu[1:3], 'little')
        if pdu[0] == FIND_SERVICE:
            self.att(bytes.fromhex('0710001600') if start <= 0x10 else error(pdu))
        elif pdu[0] == FIND_CHARACTERISTIC and pdu[5:7] == b'\x03\x28':
            page = {0x11: '0907 1100 10 1200 372a', 0x14: '0907 1400 02 1500 382a'}
            place = next((handle for handle in page if start <= handle), None)
            self.att(bytes.fromhex(page[place].replace(' ', '')) if place else error(pdu))
        elif pdu[0] == FIND_DESCRIPTOR and start <= 0x13:
            self.att(bytes.fromhex('0501 1300 0229'.replace(' ', '')))
        elif pdu[0] == SUBSCRIBE:
            self.att(b'\x13')
        elif pdu[0] & 0x40 == 0 and pdu[0] not in (0x1E, 0x1B, 0x1D):
            self.att(error(pdu))


class HangUp(Exception):
    pass


def error(request):
    """Attribute Not Found."""
    return struct.pack('<BB', 1, request[0]) + request[1:3] + b'\x0a'
