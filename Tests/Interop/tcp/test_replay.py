"""Runs against bumble's straps, recorded, and replayed from the recording alone to the same events."""
import pathlib
import tempfile
import unittest

from harness import Straps, run

FIRST = 'F0:F1:F2:F3:F4:01'


def events(seen):
    """By kind, in order. When a link's state was told is the host's own clock; all other times are the packets'."""
    kinds = {}
    for event in seen.events:
        kinds.setdefault(event['event'], []).append(
            {key: value for key, value in event.items() if (event['event'], key) != ('link', 'time')})
    return kinds


class Replay(unittest.TestCase):
    def setUp(self):
        self.home = self.enterContext(tempfile.TemporaryDirectory())

    def record(self, straps, name, *command):
        capture = pathlib.Path(self.home) / name
        status, seen = run(self.home, '--adapter', straps.adapter, '--json', '--capture', capture, *command)
        self.assertEqual(status, 0, seen.errors)
        return capture, seen

    def replay(self, capture, *command, way=''):
        # In a home of its own: what the recorded run knew must come out of the recording.
        with tempfile.TemporaryDirectory() as home:
            return run(home, '--adapter', f'replay:{capture}{way}', '--json', *command)

    def test_a_strap_that_is_met_and_met_again(self):
        command = ('connect', FIRST, '--type', 'random', '--count', '5')
        for attributes in ('usual', 'service-changed', 'constant'):
            with self.subTest(attributes), Straps('--rate', '4', '--attributes', attributes) as straps:
                for meeting in (1, 2):
                    capture, seen = self.record(straps, f'{attributes}-{meeting}.btsnoop', *command)
                    status, again = self.replay(capture, *command)
                    self.assertEqual(status, 0, again.errors)
                    self.assertIn('packet by packet', again.errors)
                    self.assertEqual(events(seen), events(again))

    def test_a_host_that_does_something_else(self):
        command = ('connect', FIRST, '--type', 'random', '--count', '3')
        with Straps('--rate', '4') as straps:
            capture, _ = self.record(straps, 'ride.btsnoop', *command)
        octets = bytearray(capture.read_bytes())
        # The wish for notifications becomes one for indications.
        place = octets.index(bytes.fromhex('0100'), octets.index(b'\x05\x00\x04\x00\x12') + 7)
        octets[place] = 2
        other = pathlib.Path(self.home) / 'other.btsnoop'
        other.write_bytes(octets)
        status, seen = self.replay(other, *command)
        self.assertEqual(status, 1, seen.errors)
        self.assertIn('Write Request', seen.errors)
        self.assertIn('→', seen.errors)

    def test_the_same_strap_without_the_same_packets(self):
        command = ('connect', FIRST, '--type', 'random', '--count', '4')
        with Straps('--rate', '4') as straps:
            capture, seen = self.record(straps, 'ride.btsnoop', *command)
        status, again = self.replay(capture, *command, way=',equivalent')
        self.assertEqual(status, 0, again.errors)
        self.assertEqual([event['raw'] for event in seen.of('heart_rate')], [event['raw'] for event in again.of('heart_rate')])


if __name__ == '__main__':
    unittest.main()
