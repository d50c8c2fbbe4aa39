"""The main job, against somebody else's controller and straps."""
import pathlib
import signal
import tempfile
import unittest

from harness import EFFORT, Run, Straps, att_pdus, run

FIRST = 'F0:F1:F2:F3:F4:01'
SECOND = 'F0:F1:F2:F3:F4:02'


class Scan(unittest.TestCase):
    def setUp(self):
        self.home = self.enterContext(tempfile.TemporaryDirectory())

    def test_names_the_straps_and_their_services(self):
        with Straps('--straps', '2') as straps:
            status, seen = run(self.home, '--adapter', straps.adapter, '--json', 'scan', '--duration', '4')
        self.assertEqual(status, 0, seen.errors)
        self.assertEqual({report['address'] for report in seen.of('advertisement')}, {FIRST, SECOND})
        strap = seen.of('advertisement', address=FIRST)[0]
        self.assertEqual(strap['name'], 'Virtual H7 0001')
        self.assertEqual(strap['address_type'], 'random')
        self.assertEqual(strap['services'], ['180D', '180F'])
        self.assertEqual(strap['flags'], 6)

    def test_counts_devices_and_ends(self):
        with Straps('--straps', '2') as straps:
            status, seen = run(
                self.home, '--adapter', straps.adapter, 'scan', '--json', '--count', '1', '--service', '180D',
                '--name', '0002',
            )
        self.assertEqual(status, 0, seen.errors)
        self.assertEqual({report['address'] for report in seen.of('advertisement')}, {SECOND})

    def test_ends_quietly_when_its_reader_does(self):
        with Straps() as straps:
            scan = Run(self.home, '--adapter', straps.adapter, '--json', 'scan', '--duration', '60')
            self.addCleanup(scan.kill)
            scan.until_event('advertisement')
            scan.process.stdout.close()
            self.assertEqual(scan.wait(), 0)
            self.assertNotIn('rror', scan.errors)


class Connect(unittest.TestCase):
    def setUp(self):
        self.home = self.enterContext(tempfile.TemporaryDirectory())

    def test_streams_heart_rates_and_knows_the_device(self):
        with Straps('--rate', '4') as straps:
            status, seen = run(
                self.home, '--adapter', straps.adapter, '--json', 'connect', FIRST, '--type', 'random', '--count', '5'
            )
        self.assertEqual(status, 0, seen.errors)
        states = [link['state'] for link in seen.of('link')]
        self.assertEqual([state for state in states if state != 'connecting'][:2], ['connected', 'subscribed'])
        beats = seen.of('heart_rate')
        self.assertEqual(len(beats), 5)
        for beat in beats:
            self.assertEqual(beat['address'], FIRST)
            self.assertTrue(60 <= beat['bpm'] <= 119)
            self.assertIs(beat['contact'], True)
            self.assertEqual(beat['rr_ticks'], [768, 819])
            self.assertEqual(beat['rr_ms'], [750.0, 799.805])
            self.assertEqual(int(beat['raw'][2:4], 16), beat['bpm'])
        self.assertEqual([beat['energy_kj'] for beat in beats], list(range(beats[0]['energy_kj'], beats[0]['energy_kj'] + 5)))
        device = seen.of('device')[-1]
        self.assertEqual(device['manufacturer'], 'Example Straps')
        self.assertEqual(device['model'], 'H7')
        self.assertEqual(device['serial'], '0001')
        self.assertEqual(device['firmware'], '1.4.0')
        self.assertEqual(device['sensor_location'], 'chest')
        self.assertEqual(device['battery_percent'], 87)
        self.assertNotIn('hardware', device)

    def test_takes_any_strap_and_a_name(self):
        with Straps('--straps', '2', '--rate', '4') as straps:
            status, seen = run(self.home, '--adapter', straps.adapter, 'connect', 'any', '--json', '--count', '1')
            self.assertEqual(status, 0, seen.errors)
        with Straps('--straps', '2', '--rate', '4') as straps:
            status, seen = run(
                self.home, '--adapter', straps.adapter, 'connect', 'Virtual H7 0002', '--json', '--count', '1'
            )
            self.assertEqual(status, 0, seen.errors)
            self.assertEqual(seen.of('heart_rate')[0]['address'], SECOND)

    def test_prints_a_line_with_bpm_for_a_pipe(self):
        with Straps('--rate', '4') as straps:
            status, seen = run(self.home, '--adapter', straps.adapter, 'connect', FIRST, '--count', '3')
        self.assertEqual(status, 0, seen.errors)
        self.assertEqual(len([line for line in seen.lines if ' bpm' in line]), 3, seen.lines)

    def test_listens_to_two_straps_at_once(self):
        with Straps('--straps', '2', '--rate', '4') as straps:
            status, seen = run(
                self.home, '--adapter', straps.adapter, '--json', 'connect', FIRST, SECOND, '--count', '12'
            )
        self.assertEqual(status, 0, seen.errors)
        beats = seen.of('heart_rate')
        self.assertEqual(len(beats), 12)
        self.assertEqual({beat['address'] for beat in beats}, {FIRST, SECOND})

    def test_resets_the_energy(self):
        # Until the connection stands, the strap has expended some energy already.
        with Straps('--rate', '2') as straps:
            status, seen = run(
                self.home, '--adapter', straps.adapter, '--json', 'connect', FIRST, '--count', '8', '--reset-energy'
            )
        self.assertEqual(status, 0, seen.errors)
        energies = [beat['energy_kj'] for beat in seen.of('heart_rate')]
        falls = [index for index in range(1, len(energies)) if energies[index] < energies[index - 1]]
        self.assertTrue(falls or energies[0] <= 1, energies)

    def test_ends_with_0_when_interrupted(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(number), Straps('--rate', '4') as straps:
                connect = Run(self.home, '--adapter', straps.adapter, '--json', 'connect', FIRST)
                self.addCleanup(connect.kill)
                self.assertIsNotNone(connect.until_event('heart_rate'))
                connect.signal(number)
                self.assertEqual(connect.end(), 0, connect.errors)

    def test_first_heartbeat_takes_four_requests(self):
        capture = pathlib.Path(self.home) / 'first.btsnoop'
        with Straps('--rate', '4') as straps:
            status, seen = run(
                self.home, '--adapter', straps.adapter, '--json', '--capture', capture, 'connect', FIRST, '--count', '1'
            )
        self.assertEqual(status, 0, seen.errors)
        requests = []
        for is_sent, pdu in att_pdus(capture):
            if is_sent and pdu[0] in (0x02, 0x04, 0x06, 0x08, 0x0A, 0x0C, 0x0E, 0x10, 0x12, 0x16, 0x18, 0x20):
                requests.append(pdu)
                if pdu[0] == 0x12 and pdu[3:] == b'\x01\x00':
                    break
        self.assertEqual(requests[-1][0], 0x12, 'the CCCD was written')
        self.assertLessEqual(len(requests), 4, [pdu.hex() for pdu in requests])

    def test_a_killed_run_leaves_a_readable_capture(self):
        with Straps('--rate', '10') as straps:
            for kill in range(EFFORT):
                capture = pathlib.Path(self.home) / f'killed-{kill}.btsnoop'
                connect = Run(self.home, '--adapter', straps.adapter, '--json', '--capture', capture, 'connect', FIRST)
                self.addCleanup(connect.kill)
                self.assertIsNotNone(connect.until_event('heart_rate'), connect.errors)
                connect.signal(signal.SIGKILL)
                connect.end()
                self.assertTrue(any(pdu[0] == 0x1B for _, pdu in att_pdus(capture)))
                status, seen = run(self.home, '--json', 'replay', capture)
                self.assertEqual(status, 0, seen.errors)
                self.assertGreaterEqual(len(seen.of('heart_rate')), 1)


class Attributes(unittest.TestCase):
    def setUp(self):
        self.home = self.enterContext(tempfile.TemporaryDirectory())

    def test_prints_the_tree_with_values(self):
        with Straps() as straps:
            status, seen = run(self.home, '--adapter', straps.adapter, '--json', 'gatt', FIRST)
        self.assertEqual(status, 0, seen.errors)
        services = {service['uuid']: service for service in seen.of('service')}
        self.assertLessEqual({'180A', '180D', '180F'}, services.keys())
        heart_rate = {entry['uuid']: entry for entry in services['180D']['characteristics']}
        self.assertEqual(heart_rate['2A37']['properties'], ['notify'])
        self.assertIn('2902', [descriptor['uuid'] for descriptor in heart_rate['2A37']['descriptors']])
        self.assertEqual(heart_rate['2A38']['value'], '01')
        battery = services['180F']['characteristics'][0]
        self.assertEqual((battery['uuid'], battery['value']), ('2A19', '57'))

    def test_reads_by_uuid(self):
        with Straps() as straps:
            status, seen = run(self.home, '--adapter', straps.adapter, 'gatt', FIRST, 'read', '2A19')
        self.assertEqual(status, 0, seen.errors)
        self.assertIn('57', ' '.join(seen.lines))

    def test_one_refusal_hides_no_other_value(self):
        with Straps() as straps:
            status, seen = run(self.home, '--adapter', straps.adapter, 'gatt', FIRST, 'read', '0x0FFF', '2A19')
        self.assertEqual(status, 76, seen.errors)
        self.assertIn('57', ' '.join(seen.lines))

    def test_names_the_error_of_a_refused_write(self):
        with Straps() as straps:
            status, seen = run(self.home, '--adapter', straps.adapter, 'gatt', FIRST, 'write', '2A39', '02')
        self.assertEqual(status, 76, seen.errors)
        self.assertIn('0x80', seen.errors)
