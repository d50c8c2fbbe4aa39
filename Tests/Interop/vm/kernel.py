"""What the tests in the emulated machine stand on: adapters that are plugged in and pulled out, the kernel's view of them, users,
bluetoothd, and hr-raw as a process. Runs as root, and only there.
"""
import contextlib
import ctypes
import fcntl
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
HR_RAW = os.environ.get('HR_RAW', str(ROOT / '.build/debug/hr-raw'))
CONTROLLER = os.environ['CONTROLLER']
ADDRESS = 'AA:BB:CC:DD:EE:FF'
STRAP, OTHER_STRAP = 'F0:F1:F2:F3:F4:01', 'F0:F1:F2:F3:F4:02'
# No test waits longer for anything; an emulated machine is slow, and others may be at work beside it.
PATIENCE = 120

_libc = ctypes.CDLL(None, use_errno=True)


def until(condition, what, patience=PATIENCE):
    """Waits until the condition gives something, and gives that."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        if found := condition():
            return found
        time.sleep(0.1)
    raise AssertionError(f'waited in vain: {what}')


# The kernel's side

class HCI:
    """A Bluetooth socket of the kernel: for the adapter ioctls, or bound to a channel."""
    # Python's own name for it is there only where it was built with BlueZ's headers.
    FAMILY, PROTOCOL = 31, 1
    RAW, USER, CONTROL = 0, 1, 3
    NO_ADAPTER = 0xFFFF
    _UP, _INFORMATION = 0x400448C9, 0x800448D3

    def __init__(self):
        self.socket = socket.socket(self.FAMILY, socket.SOCK_RAW, self.PROTOCOL)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def bind(self, index, channel):
        address = struct.pack('<HHH', self.FAMILY, index, channel)
        if _libc.bind(self.socket.fileno(), address, len(address)):
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))

    def put_up(self, index=0):
        # For the first seconds after set-up the kernel keeps the adapter powered for itself, and refuses.
        with contextlib.suppress(BlockingIOError):
            fcntl.ioctl(self.socket.fileno(), self._UP, index)
        return self.is_up(index)

    def is_up(self, index=0):
        information = bytearray(struct.pack('<H', index) + bytes(90))
        fcntl.ioctl(self.socket.fileno(), self._INFORMATION, information)
        return bool(struct.unpack_from('<I', information, 16)[0] & 1)

    def managed(self):
        """The adapters that are set up and that nobody holds."""
        self.bind(self.NO_ADAPTER, self.CONTROL)
        self.socket.settimeout(5)
        self.socket.send(struct.pack('<HHH', 3, self.NO_ADAPTER, 0))
        while True:
            packet = self.socket.recv(1024)
            # Events without parameters, of an adapter that comes, say, pass by between question and answer.
            code, _, _, opcode = struct.unpack_from('<HHHH', packet.ljust(8, b'\0'))
            if (code, opcode) == (1, 3):
                return set(struct.unpack_from(f'<{(len(packet) - 11) // 2}H', packet, 11))


def managed():
    with HCI() as hci:
        return hci.managed()


def is_up(index=0):
    with HCI() as hci:
        return hci.is_up(index)


def put_up(index=0):
    with HCI() as hci:
        until(lambda: hci.put_up(index), 'the adapter goes up')


class Plugged:
    """A virtual adapter, plugged in and set up by the kernel as hciN."""

    def __init__(self, index=0, wait=True):
        self.index, self.wait = index, wait

    def __enter__(self):
        self.process = subprocess.Popen(
            [sys.executable, '-B', ROOT / 'Tests/Interop/vm/plug.py', CONTROLLER], stdout=subprocess.PIPE, text=True)
        try:
            if self.process.stdout.readline() != 'plugged\n':
                raise AssertionError('the adapter cannot be plugged in')
            if self.wait:
                until(lambda: self.index in managed(), 'the kernel sets the adapter up')
        except BaseException:
            self.process.kill()
            raise
        return self

    def __exit__(self, *_):
        self.pull_out()

    def pull_out(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        until(lambda: not pathlib.Path(f'/sys/class/bluetooth/hci{self.index}').exists(), 'the adapter goes')


@contextlib.contextmanager
def occupied_index():
    """Takes hci0, with a controller that answers nothing."""
    device = os.open('/dev/vhci', os.O_RDWR)
    os.write(device, b'\xFF\x00')
    try:
        until(pathlib.Path('/sys/class/bluetooth/hci0').exists, 'hci0')
        yield
    finally:
        os.close(device)
        until(lambda: not pathlib.Path('/sys/class/bluetooth/hci0').exists(), 'hci0 goes')


# Users

class User:
    """An ordinary user, with a home."""

    def __init__(self, name, identity):
        self.name, self.identity = name, identity
        self.home = pathlib.Path('/home') / name
        with open('/etc/passwd', 'a') as accounts:
            accounts.write(f'{name}:*:{identity}:{identity}::{self.home}:/bin/sh\n')
        self.home.mkdir()
        os.chown(self.home, identity, identity)

    def options(self):
        """For subprocess: to run as this user."""
        return {'user': self.identity, 'group': self.identity, 'extra_groups': []}

    def through_sudo(self):
        """For a run: this user types `sudo` before it, and is asked for no password."""
        # Made anew: whoever runs the emulator may not read this machine's own. What matters in it is Debian's.
        sudoers = pathlib.Path('/etc/sudoers')
        sudoers.unlink()
        sudoers.write_text(f'Defaults env_reset, use_pty\n{self.name} ALL=(root) NOPASSWD: ALL\n')
        sudoers.chmod(0o440)
        return {'through': ['sudo', '-n'], 'environment': environment(self.home), **self.options()}


WALKER = User('walker', 4242)


# hr-raw

def open_to_all(path):
    """Lets every user through the folders above a file."""
    for folder in reversed(pathlib.Path(path).resolve().parents):
        if folder.stat().st_mode & 0o001:
            continue
        # What is mounted over the folder shows what is in it, and has a mode of its own.
        upper, work = tempfile.mkdtemp(dir='/run'), tempfile.mkdtemp(dir='/run')
        os.chmod(upper, 0o755)
        layers = f'lowerdir={folder},upperdir={upper},workdir={work}'
        subprocess.run(['mount', '-t', 'overlay', 'overlay', '-o', layers, folder], check=True)


# The project, or Swift, may lie in root's own home.
for file in HR_RAW, *re.findall(r'=> (/\S+)', subprocess.check_output(['ldd', HR_RAW], text=True)):
    open_to_all(file)


def environment(home='/root', **more):
    return {'HOME': str(home), 'PATH': os.environ['PATH'], 'LANG': 'C', **more}


def family(process):
    """The process, and each that the one before it waits for: hr-raw, behind what it was started through."""
    identity = process.pid
    while identity:
        yield identity
        try:
            children = pathlib.Path(f'/proc/{identity}/task/{identity}/children').read_text().split()
        except FileNotFoundError:
            return
        identity = int(children[0]) if children else None


def kill(process):
    if process.poll() is None:
        for identity in reversed(list(family(process))):
            os.kill(identity, signal.SIGKILL)
        process.wait()


class Run:
    """A run of hr-raw that goes on while the test looks at what it prints."""

    def __init__(self, *arguments, program=HR_RAW, through=(), environment=environment(), **options):
        self.process = subprocess.Popen(
            [*through, program, *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env=environment, **options)
        self.output, self.messages = [], []
        self.threads = [
            threading.Thread(target=self._collect, args=pair, daemon=True)
            for pair in ((self.process.stdout, self.output), (self.process.stderr, self.messages))
        ]
        for thread in self.threads:
            thread.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        kill(self.process)

    @staticmethod
    def _collect(stream, lines):
        with stream:
            for line in stream:
                lines.append(line.decode(errors='replace').rstrip('\n'))

    def objects(self, event=None):
        """What was printed so far, as JSON."""
        objects = [json.loads(line) for line in list(self.output)]
        return [entry for entry in objects if event is None or entry['event'] == event]

    def wait_for(self, event, count=1):
        def enough():
            if self.process.poll() is not None and len(self.objects(event)) < count:
                raise AssertionError(f'hr-raw ended with {self.process.returncode}: {self.text}')
            return len(self.objects(event)) >= count
        until(enough, f'{count} {event}; hr-raw said: {self.text}')

    def wait_for_message(self, part):
        until(lambda: part in self.text, f'{part}; hr-raw said: {self.text}')

    @property
    def text(self):
        return '\n'.join([*self.messages, *self.output[-5:]])

    def privileges(self):
        """Users and permitted capabilities of each thread of hr-raw, and whether it can gain any."""
        *_, program = family(self.process)
        for task in pathlib.Path(f'/proc/{program}/task').iterdir():
            status = dict(line.split(':\t', 1) for line in (task / 'status').read_text().splitlines() if ':\t' in line)
            yield set(map(int, status['Uid'].split())), int(status['CapPrm'], 16), status['NoNewPrivs'].strip()

    def end(self, with_signal=None):
        """Waits for the end and gives the exit status."""
        if with_signal is not None:
            self.process.send_signal(with_signal)
        status = self.process.wait(PATIENCE)
        for thread in self.threads:
            thread.join(PATIENCE)
        return status


class Terminal:
    """A terminal in which hr-raw runs."""

    def __init__(self, *arguments, through=(), environment=environment(), **options):
        self.primary, secondary = os.openpty()
        os.set_blocking(self.primary, False)
        self.process = subprocess.Popen(
            [*through, HR_RAW, *arguments], stdin=secondary, stdout=secondary, stderr=secondary, env=environment,
            start_new_session=True, preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0), **options)
        os.close(secondary)
        self.shown = ''

    def __enter__(self):
        return self

    def __exit__(self, *_):
        kill(self.process)

    def _shows(self, part):
        with contextlib.suppress(BlockingIOError):
            self.shown += os.read(self.primary, 65536).decode(errors='replace')
        return part in self.shown

    def wait_for(self, part):
        until(lambda: self._shows(part), f'{part}; the terminal shows: {self.shown}')

    def close(self):
        """Closes the terminal's window, and waits for the end of hr-raw."""
        *_, program = family(self.process)
        os.close(self.primary)
        until(lambda: self.process.poll() is not None and not pathlib.Path(f'/proc/{program}').exists(), 'hr-raw ends')
        return self.process.returncode


def run(*arguments, **options):
    """hr-raw from start to end."""
    with Run(*arguments, **options) as running:
        running.status = running.end()
        return running


@contextlib.contextmanager
def scratch(owner=None):
    folder = pathlib.Path(tempfile.mkdtemp())
    if owner:
        os.chown(folder, owner.identity, owner.identity)
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


# bluetoothd

class BluetoothDaemon:
    """The system's message bus and bluetoothd."""
    PROGRAMS = '/usr/libexec/bluetooth/bluetoothd', '/usr/lib/bluetooth/bluetoothd'

    def __enter__(self):
        os.makedirs('/run/dbus', exist_ok=True)
        program = next(filter(os.path.exists, self.PROGRAMS))
        quiet = {'stdout': subprocess.DEVNULL, 'stderr': subprocess.DEVNULL}
        self.processes = [subprocess.Popen(['dbus-daemon', '--system', '--nofork', '--nopidfile'], **quiet)]
        until(pathlib.Path('/run/dbus/system_bus_socket').exists, 'the message bus')
        self.processes.append(subprocess.Popen([program, '--nodetach'], **quiet))
        until(lambda: ADDRESS in self.control('list'), 'bluetoothd knows the adapter')
        return self

    def __exit__(self, *_):
        for process in reversed(self.processes):
            process.terminate()
            process.wait()
        pathlib.Path('/run/dbus/system_bus_socket').unlink(missing_ok=True)

    @staticmethod
    def control(*command, seconds=None):
        timeout = [] if seconds is None else ['--timeout', str(seconds)]
        return subprocess.run(
            ['bluetoothctl', *timeout, *command], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE
        ).stdout

    def power(self):
        self.control('power', 'on')
        until(is_up, 'bluetoothd powers the adapter')

    def is_powered(self):
        return 'Powered: yes' in self.control('show')
