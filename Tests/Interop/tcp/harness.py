"""What the tests stand on: hr-raw as a process, bumble's straps as another, and a reader for captures."""
import contextlib
import fcntl
import json
import os
import pathlib
import pty
import re
import signal
import socket
import struct
import subprocess
import sys
import termios
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
HR_RAW = os.environ.get('HR_RAW', str(ROOT / '.build/debug/hr-raw'))
PEERS = ROOT / 'Tests/Interop/peers'
# No test waits longer for anything. Nothing takes this long, not even on a machine with much else to do.
PATIENCE = 90
# How many times the usual number of kills, as in `make check`.
EFFORT = int(os.environ.get('HR_RAW_EFFORT', '1'))
# The tests may run under `nohup`, and hr-raw would then ignore it for good.
signal.signal(signal.SIGHUP, signal.SIG_DFL)


class Straps:
    """bumble's controller and straps in a process of their own, on a free port or another transport."""

    def __init__(self, *options, transport='tcp-server:127.0.0.1:0'):
        self.options = options
        self.transport = transport

    def __enter__(self):
        self.process = subprocess.Popen(
            [sys.executable, '-B', PEERS / 'straps.py', self.transport, *self.options],
            stdout=subprocess.PIPE, text=True,
        )
        for line in self.process.stdout:
            if line.startswith('controller '):
                self.place = line.split()[1]
            if line.strip() == 'ready':
                return self
        raise RuntimeError('the straps do not start')

    def __exit__(self, *_):
        self.vanish()

    def vanish(self):
        """Ends the controller and all straps at once, as when an adapter is pulled out."""
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    @property
    def adapter(self):
        return f'serial:{self.place}' if self.place.startswith('/') else f'tcp:{self.place}'


@contextlib.contextmanager
def server(serve):
    """A TCP server for one connection that `serve` deals with. Gives the adapter to name."""
    with socket.create_server(('127.0.0.1', 0)) as listener:
        def accept():
            with contextlib.suppress(OSError):
                connection, _ = listener.accept()
                with connection:
                    serve(connection)
        thread = threading.Thread(target=accept, daemon=True)
        thread.start()
        yield f'tcp:127.0.0.1:{listener.getsockname()[1]}'
    thread.join(PATIENCE)


def environment(home):
    """An environment in which hr-raw keeps its state below `home` and is told nothing else."""
    return {'HOME': str(home), 'PATH': os.environ['PATH'], 'LANG': 'C'}


class Text:
    """What comes out of a file descriptor, kept while it comes, to its end."""

    def __init__(self, descriptor):
        self.text = ''
        self._changed = threading.Condition()
        self._reader = threading.Thread(target=self._read, args=(descriptor,))
        self._reader.start()

    def _read(self, descriptor):
        is_open = True
        while is_open:
            try:
                octets = os.read(descriptor, 65536)
            except OSError:  # a terminal that nobody has open any more
                octets = b''
            is_open = octets != b''
            with self._changed:
                self.text += octets.decode(errors='replace')
                self._changed.notify_all()

    def until(self, pattern):
        """Waits for text like that, and gives the match."""
        with self._changed:
            return self._changed.wait_for(lambda: re.search(pattern, self.text), PATIENCE)

    def join(self):
        self._reader.join()


class Run:
    """A run of hr-raw that goes on while the test looks at what it prints.

    It has no controlling terminal, whatever this process has, unless it is to have one: `screen` is then what that shows.
    """

    def __init__(self, home, *arguments, has_terminal=False):
        self._primary, self._line = pty.openpty() if has_terminal else (None, None)
        self.process = subprocess.Popen(
            [HR_RAW, *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True, env=environment(home), start_new_session=True,
            preexec_fn=(lambda: fcntl.ioctl(self._line, termios.TIOCSCTTY, 0)) if has_terminal else None,
        )
        self.lines = []
        self._watchdog = threading.Timer(PATIENCE, self.process.kill)
        self._watchdog.start()
        self.screen = Text(self._primary) if has_terminal else None
        self._messages = Text(self.process.stderr.fileno())

    @property
    def errors(self):
        """What has come on standard error."""
        return self._messages.text

    def until_told(self, pattern):
        """Reads standard error on to text like that, and gives the match."""
        return self._messages.until(pattern)

    def type(self, text):
        """Types at the terminal."""
        os.write(self._primary, text.encode())

    def until(self, is_wanted):
        """Reads on to the first line that is wanted, and gives it; `None` at the end."""
        for line in self.process.stdout:
            self.lines.append(line.rstrip('\n'))
            if is_wanted(self.lines[-1]):
                return self.lines[-1]
        return None

    def until_event(self, event, **values):
        def is_wanted(line):
            found = json.loads(line)
            return found['event'] == event and all(found.get(key) == value for key, value in values.items())
        line = self.until(is_wanted)
        return line and json.loads(line)

    def signal(self, number=signal.SIGINT):
        self.process.send_signal(number)

    def kill(self):
        """For a test that failed before the run's end."""
        if self.process.poll() is None:
            self.process.kill()
            self.end()

    def end(self):
        """Reads the rest and gives the exit status."""
        self.until(lambda _: False)
        return self.wait()

    def wait(self):
        """Reads no more and gives the exit status."""
        status = self.process.wait()
        self._watchdog.cancel()
        self._messages.join()
        self.process.stdout.close()
        self.process.stderr.close()
        if self.screen:
            os.close(self._line)
            self.screen.join()
            os.close(self._primary)
        return status

    @property
    def events(self):
        return [json.loads(line) for line in self.lines]

    def of(self, event, **values):
        return [
            found for found in self.events
            if found['event'] == event and all(found.get(key) == value for key, value in values.items())
        ]


def run(home, *arguments):
    """A whole run of hr-raw: (exit status, the run)."""
    started = Run(home, *arguments)
    return started.end(), started


def records(path):
    """The records of a btsnoop file with H4 packets: (sent by the host?, packet)."""
    data = pathlib.Path(path).read_bytes()
    assert data[:8] == b'btsnoop\0', 'a btsnoop file'
    version, data_link = struct.unpack('>II', data[8:16])
    assert (version, data_link) == (1, 1002), 'version 1, H4'
    offset = 16
    while offset < len(data):
        original, included, flags, _drops, _time = struct.unpack('>IIIIq', data[offset:offset + 24])
        assert original == included, 'whole packets'
        yield flags & 1 == 0, data[offset + 24:offset + 24 + included]
        offset += 24 + included
    assert offset == len(data), 'a whole record at the end'


def att_pdus(path):
    """The ATT PDUs in a capture, as far as they fit into one ACL packet: (sent by the host?, PDU)."""
    for is_sent, packet in records(path):
        if packet[0] == 2 and packet[7:9] == b'\x04\x00' and packet[2] & 0x30 != 0x10:
            yield is_sent, packet[9:]


def wait_for(condition, what):
    """Waits for what another process does and tells nobody."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f'in vain waited for {what}')
        time.sleep(0.05)
