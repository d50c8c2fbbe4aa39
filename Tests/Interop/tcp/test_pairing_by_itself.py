"""Straps that notify over a protected link alone: plain `hr-raw connect` pairs, and meets them again without pairing."""
import unittest

from bumble.hci import Address

from harness import att_pdus, records
from pairing_strap import DISPLAY, KEYBOARD, STRAP, PairingCase

PUBLIC_IDENTITY = '11:22:33:44:55:01'


class Protected(PairingCase):
    def test_every_refusal_has_it_pair(self):
        for refusal in 0x05, 0x08, 0x0F:
            for sc in True, False:
                with self.subTest(refusal=refusal, secure_connections=sc):
                    self.move()
                    self.strap.begin(demands='encrypted', refusal=refusal, secure_connections=sc)
                    seen = self.stream()
                    self.assertEqual(len(seen.of('heart_rate')), 3, seen.errors)
                    self.assertEqual([found['error'] for found in self.strap.of('refused')], [refusal])
                    self.assertEqual(len(self.strap.of('smp', code=1)), 1)
                    self.assertEqual([found['level'] for found in self.strap.of('subscribed')], ['encrypted'])
                    self.assertEqual(len(self.bonds()), 1)
                    self.assert_met_again('encrypted')

    def test_a_known_strap_is_encrypted_before_anything_else(self):
        self.strap.begin(demands='encrypted')
        self.stream()
        capture = self.home / 'again.btsnoop'
        self.assert_met_again('encrypted', options=('--capture', capture))
        sent = [packet for is_sent, packet in records(capture) if is_sent]
        encrypting = next(index for index, packet in enumerate(sent) if packet[:3] == bytes.fromhex('011920'))
        asking = next(index for index, packet in enumerate(sent) if packet[0] == 2 and packet[7:9] == b'\x04\x00')
        self.assertLess(encrypting, asking)
        # The descriptor is written all the same.
        self.assertTrue([pdu for is_sent, pdu in att_pdus(capture) if is_sent and pdu[0] == 0x12])

    def test_a_strap_that_wants_a_passkey(self):
        for sc in True, False:
            with self.subTest(secure_connections=sc):
                self.move()
                self.strap.begin(
                    demands='authenticated', secure_connections=sc, mitm=True, io=DISPLAY, passkey=123456)
                self.stream('--passkey', '123456')
                self.assertEqual(len(self.strap.of('paired', model='PASSKEY')), 1)
                self.assert_met_again('secure' if sc else 'authenticated')

    def test_a_strap_whose_passkey_is_asked_for_at_the_terminal(self):
        self.strap.begin(demands='authenticated', mitm=True, io=DISPLAY, passkey=1)
        stream = self.start('connect', STRAP, '--type', 'random', '--count', '3', has_terminal=True)
        self.assertTrue(stream.screen.until('Passkey .*: '))
        stream.type('1\n')
        self.assertEqual(stream.end(), 0, stream.errors)
        self.assert_met_again('secure')

    def test_a_strap_that_takes_our_passkey(self):
        self.strap.begin(demands='authenticated', mitm=True, io=KEYBOARD)
        stream = self.start('connect', STRAP, '--type', 'random', '--count', '3', has_terminal=True)
        self.strap.wait('asked')
        self.strap.tell('enter', passkey=int(stream.until_told(r'\b(\d{6})\b')[1]))
        self.assertEqual(stream.end(), 0, stream.errors)
        self.assert_met_again('secure')

    def test_the_level_is_raised_on_a_bonded_link(self):
        """Bonded by Just Works, then the strap wants more: one more pairing, which takes the place of the bond."""
        self.strap.begin(demands='encrypted', io=DISPLAY, passkey=123456)
        self.stream()
        self.strap.wish(demands='authenticated', mitm=True, io=DISPLAY, passkey=123456)
        self.stream('--passkey', '123456')
        self.assertEqual([found['level'] for found in self.strap.of('encrypted')], ['encrypted', 'secure'])
        [bond] = self.bonds()
        self.assertEqual(bond['level'], 'authenticated_secure_connections')
        self.assert_met_again('secure')

    def test_a_strap_that_asks_for_security(self):
        for sc in True, False:
            with self.subTest(secure_connections=sc):
                self.move()
                self.strap.begin(requests=True, secure_connections=sc)
                self.stream()
                self.assertEqual([found['level'] for found in self.strap.of('encrypted')], ['encrypted'])
                self.assertEqual(len(self.bonds()), 1)
                self.assert_met_again('encrypted')

    def test_other_commands_pair_alike(self):
        self.strap.begin(demands='encrypted')
        subscribe = ('gatt', STRAP, 'subscribe', '2A37', '--count', '3', '--type', 'random')
        self.assertEqual(len(self.run_to_end(*subscribe).of('value')), 3)
        self.assertEqual(len(self.strap.of('paired')), 1)
        self.assert_met_again('encrypted')

    def test_an_open_strap_is_not_paired_with(self):
        self.strap.begin()
        self.stream()
        self.assertEqual(self.strap.of('smp'), [])
        self.assertEqual(self.bonds(), [])


class Keys(PairingCase):
    """Keys that one side has lost."""

    def test_a_strap_that_lost_its_keys_is_paired_anew_when_the_user_says_so(self):
        for sc in True, False:
            with self.subTest(secure_connections=sc):
                self.move()
                self.strap.begin(demands='encrypted', secure_connections=sc)
                self.stream()
                before = self.bonds()
                self.strap.tell('forget')
                self.strap.look_away()
                failed = self.stream(status=76)
                self.assertEqual(self.strap.of('smp'), [], 'nothing is paired without the user')
                self.assertIn('hr-raw pair', failed.errors)
                self.assertEqual(failed.of('heart_rate'), [])
                self.assertEqual(self.bonds(), before, 'the bond is kept')
                self.pair()
                self.assertEqual(len(self.bonds()), 1, 'the new one has taken its place')
                self.assert_met_again('encrypted')

    def test_keys_that_we_forgot_are_agreed_on_anew(self):
        self.strap.begin(demands='encrypted')
        self.stream()
        self.run_to_end('unpair', STRAP)
        self.assertEqual(self.bonds(), [])
        self.strap.look_away()
        self.stream()
        self.assertEqual(len(self.strap.of('paired')), 1)
        self.assert_met_again('encrypted')

    def test_unpairing_whom_we_do_not_know(self):
        failed = self.run_to_end('unpair', STRAP, status=69)
        self.assertIn(STRAP, failed.errors)


class Privacy(PairingCase):
    """Addresses that change, on both sides. The controller resolves none: hr-raw does."""

    def test_a_strap_under_new_addresses_is_found_by_its_identity(self):
        for sc in True, False:
            with self.subTest(secure_connections=sc):
                self.move()
                self.strap.begin(demands='encrypted', secure_connections=sc)
                self.stream()
                self.assert_bond(STRAP, 'random')
                for _ in range(2):
                    self.assert_found(STRAP, 'random')

    def test_a_strap_met_under_a_private_address(self):
        for sc, identity, kind in (True, STRAP, 'random'), (False, STRAP, 'random'), (True, PUBLIC_IDENTITY, 'public'):
            with self.subTest(secure_connections=sc, identity=identity):
                self.move()
                self.strap.begin(demands='encrypted', secure_connections=sc, identity=kind)
                address = self.strap.tell('rotate')['address']
                met = self.run_to_end('connect', address, '--type', 'random', '--count', '3')
                self.assertEqual(len(met.of('heart_rate')), 3)
                self.assert_bond(identity, kind)
                self.assert_found(identity, kind)
                # Any strap is this one, too.
                self.strap.tell('rotate')
                self.assert_streams('any', identity)

    def assert_bond(self, identity, kind):
        [bond] = self.bonds()
        self.assertEqual((bond['identity'], bond['identity_type'], bond['private_addresses']), (identity, kind, True))

    def assert_found(self, identity, kind):
        """Under another private address, the strap is shown and connected to by its identity."""
        address = self.strap.tell('rotate')['address']
        self.assertTrue(Address(address).is_resolvable)
        heard = self.run_to_end('scan', '--count', '1').of('advertisement')
        self.assertEqual({found['address'] for found in heard}, {identity})
        self.assertEqual({found['address_type'] for found in heard}, {f'{kind}_identity'})
        self.assert_streams(identity, identity)
        self.assertEqual([found['own_address'] for found in self.strap.of('connected')], [address])

    def assert_streams(self, operand, identity):
        self.strap.look_away()
        seen = self.run_to_end('connect', operand, '--count', '3')
        self.assertEqual([found['address'] for found in seen.of('heart_rate')], [identity] * 3)
        self.assertEqual(self.strap.of('smp'), [], 'no pairing')
        self.assertEqual([found['level'] for found in self.strap.of('subscribed')], ['encrypted'])

    def test_our_own_address_is_private_once_there_is_a_bond(self):
        self.strap.begin(demands='encrypted')
        self.stream()
        [paired] = self.strap.of('paired')
        self.assertTrue(paired['has_irk'])
        addresses = set()
        for _ in range(2):
            self.strap.look_away()
            self.stream()
            [connected] = self.strap.of('connected')
            self.assertTrue(Address(connected['address']).is_resolvable)
            self.assertEqual(connected['identity'], paired['identity'], 'by the key that we distributed')
            addresses.add(connected['address'])
        self.assertNotIn(paired['identity'], addresses)


if __name__ == '__main__':
    unittest.main()
