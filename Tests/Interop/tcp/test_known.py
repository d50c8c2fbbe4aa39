"""Straps met before: how many ATT requests the second meeting takes, in captures, and that nothing is written astray."""
import pathlib
import tempfile
import unittest

from harness import Straps, att_pdus, run

FIRST = 'F0:F1:F2:F3:F4:01'
REQUESTS = (0x02, 0x04, 0x06, 0x08, 0x0A, 0x0C, 0x0E, 0x10, 0x12, 0x16, 0x18, 0x20)
WRITES = (0x12, 0x16, 0x52, 0xD2)


class Known(unittest.TestCase):
    def setUp(self):
        self.home = self.enterContext(tempfile.TemporaryDirectory())
        self.meetings = 0

    def meet(self, straps, *options, count=4):
        """Streams heart rates. Gives the run, the requests, and those up to and including the first that enables notifications."""
        self.meetings += 1
        capture = pathlib.Path(self.home) / f'{self.meetings}.btsnoop'
        status, seen = run(
            self.home, '--adapter', straps.adapter, '--json', '--capture', capture, 'connect', FIRST, '--type', 'random',
            '--count', count, *options)
        self.assertEqual(status, 0, seen.errors)
        self.assertEqual(len(seen.of('heart_rate')), count, seen.errors)
        self.assertEqual(seen.of('device')[-1]['manufacturer'], 'Example Straps')
        sent = [pdu for is_sent, pdu in att_pdus(capture) if is_sent]
        requests = [pdu for pdu in sent if pdu[0] in REQUESTS]
        enabling = next(index for index, pdu in enumerate(requests) if pdu[0] == 0x12 and pdu[3:] == b'\x01\x00')
        self.written = [pdu[1:3] for pdu in sent if pdu[0] in WRITES]
        return seen, requests, requests[:enabling + 1]

    def store(self):
        return pathlib.Path(self.home) / '.local/state/hr-raw/known-handles'

    def test_a_hash_proves_the_handles_in_one_request(self):
        with Straps('--rate', '4') as straps:
            _, _, first = self.meet(straps)
            self.assertEqual([pdu[0] for pdu in first], [0x06, 0x08, 0x04, 0x12])
            _, _, second = self.meet(straps)
        self.assertEqual([pdu[0] for pdu in second], [0x08, 0x12], [pdu.hex() for pdu in second])
        self.assertEqual(second[0][1:], bytes.fromhex('0100ffff2a2b'), 'Database Hash')
        self.assertEqual(second[-1], first[-1])

    def test_types_prove_the_handles_in_one_request(self):
        with Straps('--rate', '4', '--attributes', 'service-changed') as straps:
            _, _, first = self.meet(straps)
            _, _, second = self.meet(straps)
        self.assertEqual([pdu[0] for pdu in second], [0x04, 0x12], [pdu.hex() for pdu in second])
        self.assertEqual(second[-1], first[-1])

    def test_a_server_without_service_changed_needs_one_request(self):
        with Straps('--rate', '4', '--attributes', 'constant') as straps:
            _, _, first = self.meet(straps)
            _, _, second = self.meet(straps)
        self.assertEqual([pdu.hex() for pdu in second], [first[-1].hex()])

    def test_a_changed_database_is_found_out(self):
        for attributes in 'usual', 'service-changed':
            with self.subTest(attributes):
                self.home = self.enterContext(tempfile.TemporaryDirectory())
                with Straps('--rate', '4', '--attributes', attributes) as straps:
                    _, _, first = self.meet(straps)
                old = first[-1][1:3]
                with Straps('--rate', '4', '--attributes', attributes, '--front') as straps:
                    _, _, second = self.meet(straps)
                    new = second[-1][1:3]
                    self.assertNotEqual(new, old)
                    # The proof that fails, then the way of an unknown strap.
                    self.assertEqual([pdu[0] for pdu in second][1:], [0x06, 0x08, 0x04, 0x12])
                    self.assertNotIn(old, self.written, 'nothing is written to where the descriptor was')
                    self.assertEqual(self.written[0], new)
                    _, _, third = self.meet(straps)
                self.assertEqual(len(third), 2, 'what was found anew is known the next time')
                self.assertEqual(third[-1][1:3], new)

    def test_streams_on_when_the_handles_move(self):
        with Straps('--rate', '4', '--attributes', 'service-changed', '--move-after', '3') as straps:
            seen, requests, first = self.meet(straps, count=40)
        old = first[-1][1:3]
        enablings = [pdu[1:3] for pdu in requests if pdu[0] == 0x12 and pdu[3:] == b'\x01\x00']
        new = (int.from_bytes(old, 'little') + 4).to_bytes(2, 'little')
        measurements = [handle for handle in enablings if handle in (old, new)]
        self.assertEqual(measurements, [old, new])
        self.assertEqual(len([link for link in seen.of('link') if link['state'] == 'connected']), 1)
        self.assertEqual(seen.of('gap'), [])

    def test_a_damaged_memory_is_put_aside(self):
        with Straps('--rate', '4', '--attributes', 'constant') as straps:
            _, _, first = self.meet(straps)
            self.assertEqual(self.store().stat().st_mode & 0o777, 0o600)
            content = self.store().read_bytes()
            handle = str(int.from_bytes(first[-1][1:3], 'little')).encode()
            self.assertIn(b' ' + handle + b' ', content)
            self.store().write_bytes(content.replace(b' ' + handle + b' ', b' 9 '))
            seen, _, second = self.meet(straps)
        self.assertEqual([pdu[0] for pdu in second], [0x06, 0x08, 0x04, 0x12])
        self.assertIn('damaged', seen.errors)
        self.assertTrue(self.store().with_name('known-handles.damaged').exists())
        self.assertEqual(self.store().read_bytes().splitlines()[0], content.splitlines()[0])


class Values(unittest.TestCase):
    """Access in every way that bumble's server knows."""

    LONG = bytes(index % 251 for index in range(512)).hex()

    def setUp(self):
        self.home = self.enterContext(tempfile.TemporaryDirectory())
        self.straps = self.enterContext(Straps('--rate', '4'))

    def gatt(self, *operands, status=0):
        self.capture = pathlib.Path(self.home) / 'gatt.btsnoop'
        code, seen = run(
            self.home, '--adapter', self.straps.adapter, '--json', '--capture', self.capture, 'gatt', FIRST, '--type', 'random',
            *operands)
        self.assertEqual(code, status, seen.errors)
        self.sent = [pdu for is_sent, pdu in att_pdus(self.capture) if is_sent]
        return seen

    def value(self, *operands):
        return [found['value'] for found in self.gatt('read', *operands).of('value')]

    def test_reads_a_long_value_whole(self):
        self.assertEqual(self.value('FEA1'), [self.LONG])
        # Without discovery.
        self.assertFalse({pdu[0] for pdu in self.sent} & {0x06, 0x10, 0x04})

    def test_reads_several_values(self):
        tree = {service['uuid']: service for service in self.gatt().of('service')}
        handles = [hex(characteristic['value_handle']) for characteristic in tree['FEA0']['characteristics']]
        battery = hex(tree['180F']['characteristics'][0]['value_handle'])
        maker = tree['180A']['characteristics'][0]
        self.assertEqual(self.value(battery, hex(maker['value_handle'])), ['57', maker['value']])
        self.assertEqual([pdu[0] for pdu in self.sent if pdu[0] != 0x02], [0x20])
        self.assertEqual(self.value(battery, *handles), ['57', self.LONG, self.LONG, self.LONG])

    def test_writes_a_long_value_and_reads_it_again(self):
        self.straps = self.enterContext(Straps('--rate', '4', '--mtu', '64'))
        for option in [], ['--reliable']:
            with self.subTest(option):
                new = bytes((index + len(option)) * 7 % 256 for index in range(500)).hex()
                self.gatt('write', 'FEA1', new, *option)
                self.assertEqual(len([pdu for pdu in self.sent if pdu[0] == 0x16]), -(-500 // 59))
                self.assertEqual([pdu for pdu in self.sent if pdu[0] == 0x18], [b'\x18\x01'])
                self.assertEqual(self.value('FEA1'), [new])
                self.assertIn(0x0C, [pdu[0] for pdu in self.sent])

    def test_writes_without_response(self):
        for option in [], ['--without-response']:
            with self.subTest(option):
                new = bytes([0xC0, len(option)]).hex()
                self.gatt('write', 'FEA2', new, *option)
                self.assertIn(0x52, [pdu[0] for pdu in self.sent])
                self.assertNotIn(0x12, [pdu[0] for pdu in self.sent])
                self.assertEqual(self.value('FEA2'), [new])

    def test_refuses_a_signed_write(self):
        seen = self.gatt('write', 'FEA2', '01', '--signed', status=76)
        self.assertIn('CSRK', seen.errors)
        self.assertNotIn(0xD2, [pdu[0] for pdu in self.sent])

    def test_takes_indications(self):
        seen = self.gatt('subscribe', 'FEA3', '--count', '3')
        values = seen.of('value')
        self.assertEqual(len(values), 3)
        self.assertTrue(self.LONG.startswith(values[0]['value']))
        self.assertTrue(any(pdu[0] == 0x12 and pdu[3:] == b'\x02\x00' for pdu in self.sent), 'indications were asked for')
        self.assertGreaterEqual(self.sent.count(b'\x1e'), 3, 'and confirmed')

    def test_says_what_descriptors_mean(self):
        status, seen = run(self.home, '--adapter', self.straps.adapter, 'gatt', FIRST)
        self.assertEqual(status, 0, seen.errors)
        tree = '\n'.join(seen.lines)
        self.assertIn('2900  = 0100  reliable-write', tree)
        self.assertIn('2904  = 0efe2f27010100  sint16 × 10^-2, unit 272F, description 1 of namespace 1', tree)


if __name__ == '__main__':
    unittest.main()
