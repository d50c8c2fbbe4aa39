"""A peer that vanishes, refuses or talks nonsense in each phase of a connection: an end in time, with its status and a message."""
import tempfile
import unittest

from harness import PATIENCE, Run, run
from scripted import ADDRESS, FIND_CHARACTERISTIC, FIND_DESCRIPTOR, FIND_SERVICE, SUBSCRIBE, Scripted

PHASES = {
    'finding the service': FIND_SERVICE,
    'finding the characteristic': FIND_CHARACTERISTIC,
    'finding the descriptor': FIND_DESCRIPTOR,
    'subscribing': SUBSCRIBE,
}


class Phases(unittest.TestCase):
    def setUp(self):
        self.home = self.enterContext(tempfile.TemporaryDirectory())

    def connect(self, controller, *options):
        return run(self.home, '--adapter', controller.adapter, '--json', 'connect', ADDRESS, '--type', 'random', *options)

    def test_nothing_happens(self):
        """The conversation of these tests is one that works."""
        with Scripted() as controller:
            status, seen = self.connect(controller, '--count', '1')
        self.assertEqual(status, 0, seen.errors)
        self.assertEqual(seen.of('heart_rate')[0]['bpm'], 72)
        self.assertTrue(controller.disconnected.is_set(), 'the link was ended in an orderly way')

    def test_the_link_is_lost(self):
        for name, place in PHASES.items():
            with self.subTest(name), Scripted(place, 'loss') as controller:
                status, seen = self.connect(controller, '--no-reconnect', '--timeout', '2')
                self.assertEqual(status, 69, seen.errors)
                self.assertNotEqual(seen.errors.strip(), '')

    def test_the_link_is_lost_after_the_first_beat(self):
        with Scripted('notified', 'loss') as controller:
            status, seen = self.connect(controller, '--no-reconnect')
        self.assertEqual(status, 69, seen.errors)
        self.assertEqual(len(seen.of('heart_rate')), 1)
        lost = seen.of('link', state='disconnected')[0]
        self.assertEqual(lost['reason'], {'code': 8, 'name': 'Connection Timeout'})

    def test_the_way_to_the_controller_closes(self):
        for name, place in (PHASES | {'scanning': 'scan', 'connecting': 'connect', 'listening': 'notified'}).items():
            with self.subTest(name), Scripted(place, 'hang up') as controller:
                arguments = ['any'] if place == 'scan' else [ADDRESS, '--type', 'random']
                status, seen = run(self.home, '--adapter', controller.adapter, '--json', 'connect', *arguments)
                self.assertEqual(status, 69, seen.errors)
                self.assertNotEqual(seen.errors.strip(), '')

    def test_the_peer_falls_silent(self):
        for name, place in (PHASES | {'connecting': 'connect'}).items():
            with self.subTest(name), Scripted(place, 'silence') as controller:
                status, seen = self.connect(controller, '--no-reconnect', '--timeout', '2')
                self.assertEqual(status, 69, seen.errors)
                self.assertNotEqual(seen.errors.strip(), '')

    def test_the_peer_refuses(self):
        for name, place in PHASES.items():
            with self.subTest(name), Scripted(place, 'refusal') as controller:
                status, seen = self.connect(controller, '--no-reconnect', '--timeout', '2')
                self.assertEqual(status, 76, seen.errors)
                # A peer that cannot find services by their value is asked for all; then it simply has no such service.
                self.assertIn('180D' if place == FIND_SERVICE else 'Unlikely Error', seen.errors)

    def test_the_peer_talks_nonsense(self):
        """An answer to something else is no answer: ignored, and the peer silent."""
        with Scripted(FIND_SERVICE, 'nonsense') as controller:
            status, seen = self.connect(controller, '--no-reconnect', '--timeout', '2')
        self.assertIn(status, (69, 76), seen.errors)
        self.assertNotEqual(seen.errors.strip(), '')

    def test_the_user_interrupts(self):
        for name, place in (PHASES | {'scanning': 'scan', 'connecting': 'connect', 'listening': 'notified'}).items():
            with self.subTest(name), Scripted(place, 'silence') as controller:
                arguments = ['any'] if place == 'scan' else [ADDRESS, '--type', 'random']
                connect = Run(self.home, '--adapter', controller.adapter, '--json', 'connect', *arguments)
                self.addCleanup(connect.kill)
                self.assertTrue(controller.reached.wait(PATIENCE))
                connect.signal()
                self.assertEqual(connect.end(), 0, connect.errors)
