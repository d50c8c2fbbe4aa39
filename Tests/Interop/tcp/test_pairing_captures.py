"""Captures of pairings: tshark reads them without a complaint, and `hr-raw decode` names the steps that it names."""
import json
import subprocess
import unittest

from harness import HR_RAW
from pairing_strap import DISPLAY, STRAP, PairingCase

# Names that tshark has from older versions of the specification, and what they are called now.
NAMES = {'Master Identification': 'Central Identification'}


def steps(capture):
    """What tshark sees of the Security Manager: (frame, name of the PDU, why a pairing failed)."""
    seen = subprocess.run(
        ['tshark', '-r', capture, '-Y', 'btsmp', '-T', 'fields', '-e', 'frame.number', '-e', '_ws.col.Info'],
        check=True, capture_output=True, text=True).stdout
    for line in seen.splitlines():
        frame, text = line.split('\t')
        # `Sent Pairing Request: AuthReq: …`
        name, _, rest = text.partition(' ')[2].partition(':')
        yield int(frame), NAMES.get(name, name), rest


class PairingCaptures(PairingCase):
    def assert_read(self, capture):
        """Gives the names of the steps, in order."""
        complaints = subprocess.run(
            ['tshark', '-r', capture, '-Y', '_ws.malformed || _ws.expert.severity >= 0x600000'],
            check=True, capture_output=True, text=True)
        self.assertEqual(complaints.stdout, '')
        text = subprocess.run([HR_RAW, 'decode', '-v', capture], check=True, capture_output=True, text=True).stdout
        objects = subprocess.run([HR_RAW, '--json', 'decode', capture], check=True, capture_output=True, text=True).stdout
        records = {found['frame']: found for found in map(json.loads, objects.splitlines())}
        self.assertEqual([found for found in records.values() if 'malformed' in found], [])
        seen = list(steps(capture))
        for frame, name, _ in seen:
            self.assertEqual(records[frame]['cid'], 6)
            self.assertIn(name.lower(), json.dumps(records[frame]).lower())
            self.assertIn(name.lower(), text.lower())
        return text, [name for _, name, _ in seen]

    def test_each_generation(self):
        start = ['Pairing Request', 'Pairing Response']
        keys = ['Identity Information', 'Identity Address Information']
        # Ours are for the identity alone: as the central we are asked for no other.
        legacy_keys = ['Encryption Information', 'Central Identification', *keys]
        for sc, expected in (
            (True, [*start, *['Pairing Public Key'] * 2, 'Pairing Confirm', *['Pairing Random'] * 2,
                    *['Pairing DHKey Check'] * 2, *keys, *keys]),
            (False, [*start, *['Pairing Confirm'] * 2, *['Pairing Random'] * 2, *legacy_keys, *keys]),
        ):
            with self.subTest(secure_connections=sc):
                self.move()
                self.strap.begin(secure_connections=sc, keys=3)
                capture = self.home / 'pairing.btsnoop'
                self.pair(options=('--capture', capture))
                _, names = self.assert_read(capture)
                self.assertEqual(names, expected)

    def test_twenty_rounds_of_a_passkey(self):
        self.strap.begin(io=DISPLAY, mitm=True, passkey=123456)
        capture = self.home / 'pairing.btsnoop'
        self.pair('--passkey', '123456', options=('--capture', capture))
        _, names = self.assert_read(capture)
        self.assertEqual((names.count('Pairing Confirm'), names.count('Pairing Random')), (40, 40))

    def test_a_failure_and_its_reason(self):
        self.strap.begin(accepts=False)
        capture = self.home / 'pairing.btsnoop'
        self.pair(status=76, options=('--capture', capture))
        text, names = self.assert_read(capture)
        self.assertEqual(names, ['Pairing Request', 'Pairing Failed'])
        self.assertIn('Pairing Not Supported', text)

    def test_no_key_leaves_the_process(self):
        """Not through messages, nor data, nor a redacted capture: in no order of octets, in hexadecimal digits or as they are."""
        for sc in True, False:
            with self.subTest(secure_connections=sc):
                self.move()
                self.strap.begin(secure_connections=sc, demands='encrypted')
                paired, met = self.home / 'paired.btsnoop', self.home / 'met.btsnoop'
                runs = [
                    self.stream('-v', options=('--capture', paired, '--redact')),
                    self.stream('-v', options=('--capture', met, '--redact')),
                    self.run_to_end('bonds', '-v'),
                ]
                keys = [bytes.fromhex(key) for key in self.strap.tell('reveal')['keys']]
                self.assertEqual(len(keys), 3, 'the long-term key and both identity resolving keys')
                said = '\n'.join(line for seen in runs for line in [seen.errors, *seen.lines]).lower()
                recorded = paired.read_bytes() + met.read_bytes()
                for key in keys:
                    for order in key, key[::-1]:
                        self.assertNotIn(order.hex(), said)
                        self.assertNotIn(order, recorded)
                # And it is the redaction that does it.
                self.move()
                self.strap.begin(secure_connections=sc)
                self.pair(options=('--capture', paired))
                recorded = paired.read_bytes()
                for key in self.strap.tell('reveal')['keys']:
                    self.assertIn(bytes.fromhex(key), recorded)


if __name__ == '__main__':
    unittest.main()
