"""Peers that fall silent while they pair. What is waited for began with the first of the tests of pairing."""
import unittest

import silence

# Seconds for which a peer may be silent in the middle of pairing (Core Vol 3, Part H, 3.4).
TIMEOUT = 30


class Timeout(unittest.TestCase):
    def test_a_silent_strap_is_given_up_after_30_seconds(self):
        for silent in silence.begin():
            self.addCleanup(silent.end)
        for silent in silence.begin():
            with self.subTest(silent.name):
                ended = silent.strap.wait('disconnected')
                [unanswered] = silent.strap.of('smp', code=silent.code)
                self.assertAlmostEqual(ended['at'] - unanswered['at'], TIMEOUT, delta=5)
                self.assertEqual(silent.run.end(), 69, silent.run.errors)
                self.assertIn('30 s', silent.run.errors)
                codes = [found['code'] for found in silent.strap.of('smp')]
                self.assertEqual(codes[-1], silent.code, 'nothing more is said on such a link')
                self.assertEqual(silent.strap.of('paired'), [])


if __name__ == '__main__':
    unittest.main()
