"""`hr-raw decode --json` against tshark, field by field, on every capture at hand and on new recordings."""
import concurrent.futures
import os
import pathlib
import struct
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.append(str(ROOT / 'Tests/Interop/tcp'))

from differences import DIFFERENCES  # noqa: E402
from harness import HR_RAW, Straps, run  # noqa: E402
from reading import Ours, Tshark  # noqa: E402

FIXTURES = ROOT / 'Tests/Fixtures/captures'
# Captures that lie elsewhere: folders, separated by colons.
MORE = [pathlib.Path(folder) for folder in os.environ.get('HR_RAW_CAPTURES', '').split(':') if folder]
# What lies beside the captures and tells what they say.
NOTES = {'.json', '.tsv', '.md', '.txt'}


def captures():
    for folder in [FIXTURES, *MORE]:
        for path in sorted(folder.rglob('*')):
            if path.is_file() and path.suffix not in NOTES:
                yield path


def packets(stream):
    """The packets of a bare H4 stream."""
    offset = 0
    while offset < len(stream):
        header = {1: 4, 2: 5, 3: 4, 4: 3, 5: 5}[stream[offset]]
        length = stream[offset + header - 1]
        if header == 5:
            length = int.from_bytes(stream[offset + 3:offset + 5], 'little')
        yield stream[offset:offset + header + length]
        offset += header + length


def wrapped(stream, path):
    """A bare H4 stream as a file that tshark can read: pcap, H4 without directions (link type 187)."""
    with path.open('wb') as file:
        file.write(struct.pack('<IHHiIII', 0xA1B2C3D4, 2, 4, 0, 0, 65535, 187))
        for packet in packets(stream):
            file.write(struct.pack('<IIII', 0, 0, len(packet), len(packet)) + packet)
    return path


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

    def test_every_capture_and_new_recordings(self):
        for path in captures():
            with self.subTest(path.name):
                if path.suffix == '.bin':
                    # Its container keeps neither of the two.
                    stream = wrapped(path.read_bytes(), pathlib.Path(self.home) / 'stream.pcap')
                    found = self.compare(path, stream, ignored=('time', 'direction'))
                else:
                    found = self.compare(path)
                self.assertEqual(found, [])
        for path, status, errors in self.recordings():
            with self.subTest(path.name):
                self.assertEqual(status, 0, errors)
                self.assertEqual(self.compare(path), [])
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
