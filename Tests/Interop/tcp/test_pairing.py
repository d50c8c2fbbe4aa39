"""`hr-raw pair` as the initiator, against bumble's Security Manager: every association model, in both generations."""
import itertools
import unittest

import silence
from pairing_strap import DISPLAY, KEYBOARD, NOTHING, STRAP, YES_NO, PairingCase

IDENTITY = STRAP


def setUpModule():
    # It takes half a minute, in which all of this is done.
    silence.begin()


class Models(PairingCase):
    """Each pairs, the two agree about how, and with a bond the next process needs no pairing."""

    def each(self, model, level, pair, generations=(True, False), **wishes):
        """Pairs in both generations, kept and not, with a strap that demands what can be had; `pair` is given what it says of itself."""
        for sc, bonding in itertools.product(generations, (True, False)):
            self.level = level if level == 'encrypted' or not sc else 'secure'
            with self.subTest(secure_connections=sc, bonding=bonding):
                self.move()
                told = self.strap.begin(
                    secure_connections=sc, bonding=bonding, mitm=level != 'encrypted', demands=self.level, **wishes)
                self.sc, self.bonding, self.model = sc, bonding, model
                self.assert_paired(pair(told))

    def assert_paired(self, paired):
        self.assertEqual(paired.end(), 0, paired.errors)
        [told] = paired.of('paired')
        level = {'secure': 'authenticated_secure_connections'}.get(self.level, self.level)
        self.assertEqual(
            (told['address'], told['identity'], told['level'], told['key_size'], told['bonded'], told['secure_connections']),
            (STRAP, IDENTITY, level, 16, self.bonding, self.sc))
        [theirs] = self.strap.of('paired')
        self.assertEqual(
            (theirs['model'], theirs['secure_connections'], theirs['bonding'], theirs['has_irk']),
            (self.model, self.sc, self.bonding, self.bonding))
        self.assertEqual([found['level'] for found in self.strap.of('encrypted')], [self.level])
        if self.bonding:
            [bond] = self.bonds()
            self.assertEqual(
                (bond['identity'], bond['identity_type'], bond['level'], bond['key_size'], bond['secure_connections']),
                (IDENTITY, 'random', level, 16, self.sc))
            self.assert_met_again(self.level)
        else:
            self.assertEqual(self.bonds(), [])

    def start_pairing(self, *arguments, **options):
        return self.start('pair', STRAP, '--type', 'random', *arguments, **options)

    def test_just_works(self):
        self.each('JUST_WORKS', 'encrypted', lambda _: self.start_pairing())

    def test_passkey_of_the_strap(self):
        self.each(
            'PASSKEY', 'authenticated', lambda _: self.start_pairing('--level', 'authenticated', '--passkey', '004711'),
            io=DISPLAY, passkey=4711)

    def test_passkey_of_the_strap_typed_at_the_terminal(self):
        def pair(_):
            pairing = self.start_pairing('--level', 'authenticated', has_terminal=True)
            self.assertTrue(pairing.screen.until('Passkey .*: '), pairing.errors)
            pairing.type(f'{self.strap.wait("displayed")["number"]:06}\n')
            return pairing

        self.each('PASSKEY', 'authenticated', pair, io=DISPLAY, passkey=271828)

    def test_passkey_of_ours(self):
        def pair(_):
            pairing = self.start_pairing('--level', 'authenticated', '--io', 'display')
            self.strap.wait('asked')
            self.strap.tell('enter', passkey=int(pairing.until_told(r'\b(\d{6})\b')[1]))
            return pairing

        self.each('PASSKEY', 'authenticated', pair, io=KEYBOARD)

    def test_numeric_comparison(self):
        def pair(_):
            pairing = self.start_pairing('--level', 'authenticated', has_terminal=True)
            shown = pairing.screen.until(r'\b(\d{6})\b')
            self.assertTrue(shown, pairing.errors)
            self.assertEqual(int(shown[1]), self.strap.wait('compared')['number'])
            pairing.type('y\n')
            return pairing

        # Legacy pairing has none (Core Vol 3, Part H, 2.3.5.1).
        self.each('NUMERIC_COMPARISON', 'authenticated', pair, generations=(True,), io=YES_NO)

    def test_out_of_band(self):
        def pair(told):
            file = self.home / 'out-of-band'
            names = {'confirm': 'confirm', 'random': 'random'} if self.sc else {'temporary_key': 'temporary-key'}
            file.write_text(''.join(f'{written}={told[name]}\n' for name, written in names.items()))
            return self.start_pairing('--level', 'authenticated', '--oob', file)

        self.each('OOB', 'authenticated', pair, out_of_band=True, io=NOTHING)


class Choices(PairingCase):
    """What the options of `pair` do."""

    def test_legacy_pairing_where_more_could_be_had(self):
        self.strap.begin()
        paired = self.pair('--legacy')
        self.assertFalse(paired.of('paired')[0]['secure_connections'])
        self.assertFalse(self.strap.of('paired')[0]['secure_connections'])

    def test_secure_connections_where_the_strap_cannot(self):
        self.strap.begin(secure_connections=False)
        refused = self.pair('--secure-connections', status=76)
        self.assertRegex(refused.errors, '(?i)secure connections')
        self.assertEqual(len(self.strap.of('failed')), 1)

    def test_without_a_bond(self):
        self.strap.begin(demands='encrypted')
        self.assertFalse(self.pair('--no-bond').of('paired')[0]['bonded'])
        [theirs] = self.strap.of('paired')
        self.assertEqual((theirs['bonding'], theirs['has_irk']), (False, False))
        self.assertEqual(self.bonds(), [])

    def test_the_size_of_the_key(self):
        self.strap.begin(key_size=10)
        refused = self.pair(status=76)
        self.assertRegex(refused.errors, r'\b10\b')
        self.assertEqual([found['reason'] for found in self.strap.of('failed')], [0x06])
        for sc in True, False:
            with self.subTest(secure_connections=sc):
                self.move()
                self.strap.begin(key_size=10, secure_connections=sc, demands='encrypted')
                self.assertEqual(self.pair('--min-key-size', '7').of('paired')[0]['key_size'], 10)
                self.assertEqual(self.strap.of('paired')[0]['key_size'], 10)
                self.assertEqual(self.bonds()[0]['key_size'], 10)
                self.assert_met_again('encrypted', '--min-key-size', '7')


if __name__ == '__main__':
    unittest.main()
