"""Controllers and peers that are silent, vanish or talk nonsense: each ends with its status and a message, none hangs."""
import random
import socket
import tempfile
import unittest

from harness import Run, Straps, run, server

FIRST = 'F0:F1:F2:F3:F4:01'
ABSENT = 'F0:F1:F2:F3:F4:77'


class Controllers(unittest.TestCase):
    def setUp(self):
        self.home = self.enterContext(tempfile.TemporaryDirectory())

    def assert_fails(self, status, seen, expected):
        self.assertEqual(status, expected, seen.errors)
        self.assertNotEqual(seen.errors.strip(), '', 'there is a message')

    def test_nobody_listens(self):
        with socket.create_server(('127.0.0.1', 0)) as listener:
            port = listener.getsockname()[1]
        status, seen = run(self.home, '--adapter', f'tcp:127.0.0.1:{port}', 'scan', '--duration', '2')
        self.assert_fails(status, seen, 69)

    def test_a_silent_controller(self):
        with server(drain) as adapter:
            status, seen = run(self.home, '--adapter', adapter, 'scan', '--duration', '2')
        self.assert_fails(status, seen, 69)

    def test_a_controller_that_hangs_up(self):
        with server(lambda connection: connection.recv(64)) as adapter:
            status, seen = run(self.home, '--adapter', adapter, 'scan', '--duration', '2')
        self.assert_fails(status, seen, 69)

    def test_a_controller_that_talks_nonsense(self):
        noise = random.Random(1).randbytes(200_000)
        with server(lambda connection: (send(connection, noise), drain(connection))) as adapter:
            status, seen = run(self.home, '--adapter', adapter, 'scan', '--duration', '2')
        self.assertIn(status, (69, 76), seen.errors)
        self.assertNotEqual(seen.errors.strip(), '')

    def test_a_controller_that_vanishes_while_scanning(self):
        with Straps() as straps:
            scan = Run(self.home, '--adapter', straps.adapter, '--json', 'scan', '--duration', '60')
            self.addCleanup(scan.kill)
            self.assertIsNotNone(scan.until_event('advertisement'))
            straps.vanish()
            self.assert_fails(scan.end(), scan, 69)

    def test_a_controller_that_vanishes_while_connected(self):
        with Straps('--rate', '4') as straps:
            connect = Run(self.home, '--adapter', straps.adapter, '--json', 'connect', FIRST)
            self.addCleanup(connect.kill)
            self.assertIsNotNone(connect.until_event('heart_rate'))
            straps.vanish()
            self.assert_fails(connect.end(), connect, 69)


class Peers(unittest.TestCase):
    def setUp(self):
        self.home = self.enterContext(tempfile.TemporaryDirectory())

    def test_a_peer_that_is_not_there(self):
        with Straps() as straps:
            status, seen = run(self.home, '--adapter', straps.adapter, 'connect', ABSENT, '--timeout', '3')
        self.assertEqual(status, 69, seen.errors)
        self.assertIn(ABSENT, seen.errors)

    def test_a_diagnosis_of_a_good_strap(self):
        with Straps() as straps:
            status, seen = run(self.home, '--adapter', straps.adapter, '--json', 'diagnose', FIRST)
        self.assertEqual(status, 0, seen.errors)
        steps = [(finding['step'], finding['result']) for finding in seen.of('diagnosis')]
        self.assertEqual(steps, [
            (step, 'ok') for step in (
                'seen', 'connectable', 'advertised_service', 'connection', 'service', 'subscription', 'heart_rate', 'link',
                'verdict',
            )
        ])

    def test_a_diagnosis_of_a_strap_that_is_not_there(self):
        with Straps() as straps:
            status, seen = run(
                self.home, '--adapter', straps.adapter, '--json', 'diagnose', ABSENT, '--timeout', '4'
            )
        self.assertEqual(status, 69, seen.errors)
        heard, verdict = seen.of('diagnosis')
        self.assertEqual((heard['step'], heard['result']), ('seen', 'failed'))
        self.assertIn(FIRST, heard['detail'], 'the one that may be meant is named')
        self.assertIn('worn', verdict['advice'])


def send(connection, octets):
    try:
        connection.sendall(octets)
    except OSError:
        pass


def drain(connection):
    connection.settimeout(60)
    try:
        while connection.recv(4096):
            pass
    except OSError:
        pass
