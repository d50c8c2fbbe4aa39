"""How runs end, and what happens to links that end before: against bumble's controller and straps."""
import itertools
import pathlib
import random
import socket
import subprocess
import tempfile
import unittest

from harness import Run, Straps, environment, run, server

FIRST = 'F0:F1:F2:F3:F4:01'
SECOND = 'F0:F1:F2:F3:F4:02'
ABSENT = 'F0:F1:F2:F3:F4:77'
REQUESTS = (0x02, 0x04, 0x06, 0x08, 0x0A, 0x0C, 0x0E, 0x10, 0x12, 0x16, 0x18, 0x20)


class Links(unittest.TestCase):
    def setUp(self):
        self.home = self.enterContext(tempfile.TemporaryDirectory())

    def test_a_lost_link_comes_back_and_the_gap_is_told(self):
        with Straps('--rate', '4', '--lose-after', '3') as straps:
            connect = Run(self.home, '--adapter', straps.adapter, '--json', 'connect', FIRST, '--type', 'random')
            gap = connect.until_event('gap')
            self.assertIsNotNone(gap, connect.errors)
            self.assertIsNotNone(connect.until_event('heart_rate'), 'heart rates come again')
            connect.signal()
            self.assertEqual(connect.end(), 0, connect.errors)
        # A state is told again when the link's numbers change.
        states = [state for state, _ in itertools.groupby(link['state'] for link in connect.of('link'))]
        self.assertEqual(
            states[:7],
            ['connecting', 'connected', 'subscribed', 'disconnected', 'reconnecting', 'connecting', 'connected'],
        )
        self.assertEqual(connect.of('link', state='disconnected')[0]['reason'], {'code': 8, 'name': 'Connection Timeout'})
        before = [
            beat for beat in connect.events[:connect.events.index(gap)] if beat['event'] == 'heart_rate'
        ]
        self.assertEqual(gap['from'], before[-1]['time'])
        self.assertLess(gap['from'], gap['to'])
        self.assertEqual(gap['address'], FIRST)

    def test_a_lost_link_ends_the_run_where_it_is_told_to(self):
        with Straps('--rate', '4', '--lose-after', '3') as straps:
            status, seen = run(self.home, '--adapter', straps.adapter, '--json', 'connect', FIRST, '--no-reconnect')
        self.assertEqual(status, 69, seen.errors)
        self.assertIn('Connection Timeout', seen.errors)
        self.assertGreaterEqual(len(seen.of('heart_rate')), 1)
        self.assertEqual(seen.of('link')[-1]['state'], 'disconnected')

    def test_one_strap_that_is_missing_does_not_keep_the_other_waiting(self):
        with Straps('--rate', '4') as straps:
            status, seen = run(
                self.home, '--adapter', straps.adapter, '--json', 'connect', ABSENT, FIRST, '--type', 'random',
                '--duration', '20',
            )
        self.assertEqual(status, 69, seen.errors)
        self.assertIn(ABSENT, seen.errors)
        self.assertGreaterEqual(len(seen.of('heart_rate', address=FIRST)), 4)

    def test_a_serial_line(self):
        with Straps('--rate', '4', transport=f'pty:{self.home}/strap') as straps:
            status, seen = run(
                self.home, '--adapter', straps.adapter, '--json', 'connect', FIRST, '--type', 'random', '--count', '4'
            )
        self.assertEqual(status, 0, seen.errors)
        self.assertEqual([beat['rr_ticks'] for beat in seen.of('heart_rate')], [[768, 819]] * 4)
        self.assertEqual(seen.of('device')[-1]['battery_percent'], 87)

    def test_a_written_value_is_accepted(self):
        with Straps() as straps:
            status, seen = run(self.home, '--adapter', straps.adapter, 'gatt', FIRST, 'write', '2A39', '01')
        self.assertEqual(status, 0, seen.errors)

    def test_a_subscription_to_a_characteristic(self):
        with Straps('--rate', '4') as straps:
            status, seen = run(
                self.home, '--adapter', straps.adapter, 'gatt', FIRST, 'subscribe', '2A37', '--count', '3'
            )
        self.assertEqual(status, 0, seen.errors)
        self.assertEqual(len([line for line in seen.lines if '00033303' in line.replace(' ', '')]), 3, seen.lines)

    def test_an_attribute_that_is_not_there(self):
        with Straps() as straps:
            status, seen = run(self.home, '--adapter', straps.adapter, 'gatt', FIRST, 'read', '2A99')
        self.assertEqual(status, 76, seen.errors)
        self.assertIn('2A99', seen.errors)


class Ends(unittest.TestCase):
    def setUp(self):
        self.home = self.enterContext(tempfile.TemporaryDirectory())

    def test_the_time_is_over_while_the_heart_rate_comes(self):
        with Straps('--rate', '4') as straps:
            status, seen = run(self.home, '--adapter', straps.adapter, '--json', 'connect', FIRST, '--duration', '6')
        self.assertEqual(status, 0, seen.errors)
        self.assertGreaterEqual(len(seen.of('heart_rate')), 1)

    def test_the_time_is_over_before_the_strap_was_found(self):
        with Straps() as straps:
            status, seen = run(self.home, '--adapter', straps.adapter, '--json', 'connect', ABSENT, '--duration', '3')
        self.assertEqual(status, 69, seen.errors)
        self.assertNotEqual(seen.errors.strip(), '')

    def test_no_strap_for_any(self):
        status, seen = run(self.home, '--adapter', 'sim:no-heart-rate', 'connect', 'any', '--timeout', '3')
        self.assertEqual(status, 69, seen.errors)
        self.assertIn('not found', seen.errors)

    def test_an_interruption_while_nothing_answers(self):
        for command in (['scan'], ['connect', FIRST], ['gatt', FIRST]):
            with self.subTest(command), silent() as adapter:
                waiting = Run(self.home, '--adapter', adapter, *command)
                adapter.connected()
                waiting.signal()
                # The controller would be given up with another status.
                self.assertEqual(waiting.end(), 0, waiting.errors)

    def test_a_silent_controller_for_each_command(self):
        for command in (['connect', FIRST], ['gatt', FIRST]):
            with self.subTest(command), server(drain) as adapter:
                status, seen = run(self.home, '--adapter', adapter, *command)
                self.assertEqual(status, 69, seen.errors)
                self.assertIn('does not answer', seen.errors)

    def test_a_controller_that_sends_well_formed_nonsense(self):
        noise = random.Random(7)
        events = b''.join(nonsense(noise) for _ in range(3000))
        with server(lambda connection: (connection.sendall(events), drain(connection))) as adapter:
            status, seen = run(self.home, '--adapter', adapter, 'scan', '--duration', '2')
        self.assertEqual(status, 69, seen.errors)

    def test_a_refused_reset_is_told_at_once(self):
        status, seen = run(self.home, '--adapter', 'sim:bare', 'connect', 'any', '--reset-energy')
        self.assertEqual(status, 76, seen.errors)
        self.assertIn('2A39', seen.errors)


class Captures(unittest.TestCase):
    """What another program makes of our captures."""

    def setUp(self):
        self.home = self.enterContext(tempfile.TemporaryDirectory())

    def test_tshark_reads_a_run_without_a_complaint(self):
        capture = pathlib.Path(self.home) / 'run.btsnoop'
        with Straps('--rate', '4') as straps:
            status, seen = run(
                self.home, '--adapter', straps.adapter, '--json', '--capture', capture, 'connect', FIRST, '--count', '4'
            )
        self.assertEqual(status, 0, seen.errors)
        complaints = tshark(capture, '-Y', '_ws.malformed || _ws.expert.severity >= 0x600000')
        self.assertEqual(complaints, '')
        requests = [
            line.split('\t') for line in tshark(
                capture, '-Y', 'btatt', '-T', 'fields', '-e', 'hci_h4.direction', '-e', 'btatt.opcode', '-e', 'btatt.uuid16'
            ).splitlines()
        ]
        sent = []
        for direction, opcode, uuid in requests:
            if direction == '0x00' and int(opcode, 16) in REQUESTS:
                sent.append(opcode)
                if opcode == '0x12' and '0x2902' in uuid:
                    break
        self.assertEqual(sent[-1], '0x12', sent)
        self.assertLessEqual(len(sent), 4, sent)
        rates = tshark(capture, '-Y', 'btatt.opcode == 0x1b', '-T', 'fields', '-e', 'btatt.heart_rate_measurement.value.8').split()
        self.assertEqual(rates[:4], [str(beat['bpm']) for beat in seen.of('heart_rate')])

    def test_a_capture_that_cannot_be_written(self):
        with Straps() as straps:
            status, seen = run(
                self.home, '--adapter', straps.adapter, '--capture', f'{self.home}/no/such/folder/x', 'scan',
                '--duration', '1',
            )
        self.assertNotIn(status, (0, -11, -4, -5, -6), seen.errors)
        self.assertIn('no/such/folder', seen.errors)


class silent:
    """A server that takes the connection and says nothing."""

    def __enter__(self):
        self.listener = socket.create_server(('127.0.0.1', 0))
        return self

    def __str__(self):
        return f'tcp:127.0.0.1:{self.listener.getsockname()[1]}'

    def connected(self):
        """Waits until somebody connects and has sent the first command."""
        self.connection, _ = self.listener.accept()
        self.connection.settimeout(60)
        assert self.connection.recv(64), 'a command'

    def __exit__(self, *_):
        self.connection.close()
        self.listener.close()


def tshark(capture, *arguments):
    result = subprocess.run(
        ['tshark', '-n', '-r', str(capture), *arguments], capture_output=True, text=True, check=False,
        env=environment(capture.parent),
    )
    if result.returncode != 0:
        raise AssertionError(result.stderr)
    return result.stdout


def nonsense(noise):
    """An event or ACL packet whose length is right and nothing else; a Hardware Error would be the end, and right so."""
    body = noise.randbytes(noise.randrange(0, 200))
    if noise.random() < 0.2:
        return b'\x02' + noise.randbytes(2) + len(body).to_bytes(2, 'little') + body
    code = noise.choice([0x03, 0x05, 0x08, 0x0E, 0x0F, 0x13, 0x1A, 0x30, 0x3E, 0xFF])
    return bytes([4, code, len(body)]) + body


def drain(connection):
    connection.settimeout(60)
    try:
        while connection.recv(4096):
            pass
    except OSError:
        pass
