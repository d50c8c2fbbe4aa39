"""The captures at hand."""
import os
import pathlib
import struct
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
# What the tests over TCP stand on, for recordings.
sys.path.append(str(ROOT / 'Tests/Interop/tcp'))

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
