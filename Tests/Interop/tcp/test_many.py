"""Several straps over one adapter: against bumble's controller and straps."""
import tempfile
import unittest

from harness import Run, Straps, run

ADDRESSES = [f'F0:F1:F2:F3:F4:{number:02X}' for number in range(1, 9)]
ABSENT = 'F0:F1:F2:F3:F4:77'


class Many(unittest.TestCase):
    def setUp(self):
        self.home = self.enterContext(tempfile.TemporaryDirectory())

    def stream_of_eight(self, *options, addresses=ADDRESSES):
        """Eight straps, each with its own heart rates: as many from each, give or take what came while others connected."""
        with Straps('--straps', '8', '--rate', '4', *options) as straps:
            connect = Run(self.home, '--adapter', straps.adapter, '--json', 'connect', *addresses, '--type', 'random')
            for _ in range(2000):
                connect.until_event('heart_rate')
                beats = [len(connect.of('heart_rate', address=address)) for address in ADDRESSES]
                if min(beats) >= 10:
                    break
            connect.signal()
            self.assertEqual(connect.end(), 0, connect.errors)
        self.assertGreaterEqual(min(beats), 10, (beats, connect.errors))
        for address in ADDRESSES:
            times = [beat['time'] for beat in connect.of('heart_rate', address=address)]
            self.assertEqual(times, sorted(times))
        return connect

    def test_eight_straps_at_once(self):
        connect = self.stream_of_eight()
        self.assertEqual(connect.of('gap'), [])

    def test_one_that_is_absent_keeps_none_of_the_eight_waiting(self):
        self.stream_of_eight(addresses=[ABSENT, *ADDRESSES])

    def test_a_filter_accept_list_that_does_nothing(self):
        self.stream_of_eight('--without-list')

    def test_eight_lost_links_come_back(self):
        with Straps('--straps', '8', '--rate', '4', '--lose-after', '6') as straps:
            connect = Run(self.home, '--adapter', straps.adapter, '--json', 'connect', *ADDRESSES, '--type', 'random')
            while min(len(connect.of('gap', address=address)) for address in ADDRESSES) < 1:
                self.assertIsNotNone(connect.until_event('gap'), connect.errors)
            connect.signal()
            self.assertEqual(connect.end(), 0, connect.errors)

    def test_any_three_times_are_three_straps(self):
        with Straps('--straps', '4', '--rate', '4') as straps:
            status, seen = run(self.home, '--adapter', straps.adapter, '--json', 'connect', 'any', 'any', ADDRESSES[2],
                               '--count', '60')
        self.assertEqual(status, 0, seen.errors)
        heard = {beat['address'] for beat in seen.of('heart_rate')}
        self.assertEqual(len(heard), 3, heard)
        self.assertIn(ADDRESSES[2], heard)

    def test_the_same_strap_for_two_operands_is_wrong_usage(self):
        status, seen = run(self.home, '--adapter', 'sim', 'connect', ADDRESSES[0], ADDRESSES[0])
        self.assertEqual(status, 64, seen.errors)


if __name__ == '__main__':
    unittest.main()
