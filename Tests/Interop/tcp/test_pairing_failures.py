"""Pairings that fail: each ends with its status and with a message that says what to do, and leaves no bond behind."""
import unittest

from pairing_strap import DISPLAY, STRAP, YES_NO, PairingCase


class Failures(PairingCase):
    def assert_failed(self, failed, pattern):
        self.assertRegex(failed.errors, f'(?i){pattern}')
        self.assertEqual(failed.of('paired'), [])
        self.assertEqual(self.bonds(), [])
        self.assertEqual(self.strap.of('paired'), [])

    def test_a_wrong_passkey(self):
        for sc in True, False:
            with self.subTest(secure_connections=sc):
                self.strap.begin(io=DISPLAY, mitm=True, secure_connections=sc, passkey=123456)
                self.assert_failed(self.pair('--passkey', '654321', status=76), 'passkey')
                self.assertEqual([found['reason'] for found in self.strap.of('failed')], [0x04])
                self.strap.wish(io=DISPLAY, mitm=True, secure_connections=sc, passkey=123456)
                self.pair('--passkey', '123456')
                self.move()

    def test_a_strap_that_refuses(self):
        self.strap.begin(accepts=False, demands='encrypted')
        self.assert_failed(self.pair(status=76), 'pairing not supported')
        failed = self.stream(status=76)
        self.assertEqual(failed.of('heart_rate'), [])
        self.assert_failed(failed, 'pairing not supported')

    def test_numbers_that_differ(self):
        for ours, theirs in ('n', True), ('y', False):
            with self.subTest(ours=ours, theirs=theirs):
                self.strap.begin(io=YES_NO, mitm=True, agrees=theirs)
                pairing = self.start(
                    'pair', STRAP, '--type', 'random', '--io', 'yes-no', '--level', 'authenticated', has_terminal=True)
                self.assertTrue(pairing.screen.until(r'\b\d{6}\b'))
                pairing.type(f'{ours}\n')
                self.assertEqual(pairing.end(), 76, pairing.errors)
                self.assert_failed(pairing, 'comparison')
                self.assertEqual([found['reason'] for found in self.strap.of('failed')], [0x0C])

    def test_nobody_to_ask_for_a_passkey(self):
        self.strap.begin(io=DISPLAY, mitm=True, demands='authenticated', passkey=123456)
        self.assert_failed(self.pair('--level', 'authenticated', status=76), '--passkey')

    def test_nobody_to_ask_where_just_works_is_not_enough(self):
        self.strap.begin(io=DISPLAY, mitm=True, demands='authenticated', passkey=123456)
        failed = self.stream(status=76)
        self.assertIn('--passkey', failed.errors)
        self.assertEqual(failed.of('heart_rate'), [])
        self.assertEqual(len(self.strap.of('paired')), 1, 'the level is raised once')

    def test_a_key_that_everybody_knows(self):
        self.strap.begin(debug_key=True)
        self.assert_failed(self.pair(status=76), 'debug key')
        self.strap.wish(debug_key=True)
        self.pair('--debug-keys')

    def test_wrong_data_out_of_band(self):
        for sc in True, False:
            with self.subTest(secure_connections=sc):
                told = self.strap.begin(out_of_band=True, mitm=True, secure_connections=sc)
                file = self.home / 'out-of-band'
                wrong = '0' * 32
                file.write_text(
                    f'confirm={told["confirm"]}\nrandom={wrong}\n' if sc else f'temporary-key={wrong}\n')
                self.assert_failed(self.pair('--level', 'authenticated', '--oob', file, status=76), 'out[- ]of[- ]band|confirm')
                self.assertEqual([found['reason'] for found in self.strap.of('failed')], [0x04])


if __name__ == '__main__':
    unittest.main()
