"""`hr-raw decode --json` against tshark, field by field, on every capture at hand and on new recordings."""
import concurrent.futures
import pathlib
import tempfile
import unittest

import packets
from captures import captures, wrapped
from differences import DIFFERENCES
from harness import HR_RAW, Straps, run
from reading import Ours, Tshark


class Decoding(unittest.TestCase):
    def setUp(self):
        self.home = self.enterContext(tempfile.TemporaryDirectory())

    def compare(self, path, tshark=None, ignored=()):
        """The differences that nothing explains."""
        theirs, ours = Tshark(tshark or path), Ours(HR_RAW, path)
        found = []
        # How many records there are stands for frame 0.
        readings = [({'records': len(theirs.records)}, {'records': len(ours.records)}), *zip(theirs.records, ours.records)]
        for frame, (there, here) in enumerate(readings):
            for field in sorted(there.keys() | here.keys()):
                if there.get(field) == here.get(field) or field in ignored:
                    continue
                # No entry comes before another: each must know what it is about.
                if not any([entry.explains(path.name, frame, field, there, here) for entry in DIFFERENCES]):
                    found.append(f'{path.name}, frame {frame}, {field}: tshark {there.get(field)}, we {here.get(field)}')
        return found

    # One test, so that an entry of the list that explains nothing is found wherever it might.
    def test_every_capture_and_new_recordings(self):
        found = []
        for path in captures():
            if path.suffix == '.bin':
                # Its container keeps neither of the two.
                stream = wrapped(path.read_bytes(), pathlib.Path(self.home) / 'stream.pcap')
                found += self.compare(path, stream, ignored=('time', 'direction'))
            else:
                found += self.compare(path)
        found += self.compare(packets.write(pathlib.Path(self.home) / 'written.btsnoop'))
        for path, status, errors in self.recordings():
            self.assertEqual(status, 0, errors)
            found += self.compare(path)
        self.assertEqual(found, [])
        idle = [f'{entry.files} {entry.fields}: {entry.idle}' for entry in DIFFERENCES if entry.idle]
        self.assertEqual(idle, [], 'listed, and not found')

    def recordings(self):
        """Runs with the simulator and with bumble's straps."""
        with Straps() as straps, concurrent.futures.ThreadPoolExecutor() as pool:
            adapters = {'bumble': straps.adapter} | {name: f'sim:{name}' for name in ('strap', 'wide', 'crowd')}
            # Each takes as long as its heartbeats do: all at once.
            return list(pool.map(self.record, adapters, adapters.values()))

    def record(self, name, adapter):
        """A recording of a run with twenty heartbeats."""
        path = pathlib.Path(self.home) / f'{name}.btsnoop'
        status, recorded = run(
            f'{self.home}/{name}', '--adapter', adapter, '--capture', path, 'connect', 'any', '--count', '20')
        return path, status, recorded.errors
