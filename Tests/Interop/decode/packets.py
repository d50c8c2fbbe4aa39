"""Packets typed by hand that no capture at hand has: pairing, channels of L2CAP, and events and answers of many kinds.

`>` is from controller to host, `<` from host to controller; then the H4 packet. Lengths of commands, events and data are put in.
"""
import struct

KEY = '000102030405060708090a0b0c0d0e0f'
LINK = '4000'


def event(code, parameters):
    return '>', bytes.fromhex(f'04{code:02x}{len(bytes.fromhex(parameters)):02x}{parameters}')


def low_energy(subevent, parameters):
    return event(0x3E, f'{subevent:02x}{parameters}')


def command(opcode, parameters):
    return '<', bytes.fromhex(f'01{opcode.to_bytes(2, "little").hex()}{len(bytes.fromhex(parameters)):02x}{parameters}')


def complete(opcode, parameters):
    return event(0x0E, f'01{opcode.to_bytes(2, "little").hex()}{parameters}')


def data(direction, channel, payload):
    payload = bytes.fromhex(payload)
    flags = 0x2000 if direction == '>' else 0
    return direction, struct.pack('<BHHHH', 2, 0x0040 | flags, len(payload) + 4, len(payload), channel) + payload


def signaling(direction, code, identifier, content):
    return data(direction, 5, f'{code:02x}{identifier:02x}{len(bytes.fromhex(content)):02x}00{content}')


def pairing(direction, code, content):
    return data(direction, 6, f'{code:02x}{content}')


LINKS = [
    low_energy(0x01, f'00{LINK}0001010000 00dec0 1800 0000 4800 00'.replace(' ', '')),
    low_energy(0x0A, '00 4100 01 00 020000000002 000000000000 000000000000 2800 0400 f401 05'.replace(' ', '')),
    low_energy(0x03, f'00{LINK}0c0002002c01'),
    low_energy(0x04, f'00{LINK}ff00000000000000'),
    low_energy(0x05, f'{LINK}{KEY[:16]}3412'),
    low_energy(0x06, f'{LINK}0c0018000000c800'),
    low_energy(0x07, f'{LINK}fb004808fb004808'),
    low_energy(0x0C, f'00{LINK}0202'),
    low_energy(0x14, f'{LINK}01'),
    low_energy(0x01, '3e 0000 00 00 000000000000 0000 0000 0000 00'.replace(' ', '')),
    low_energy(0x0B, '01 01 01 010000 00dec0 01 020000000052 c4'.replace(' ', '')),
    event(0x08, f'00{LINK}01'),
    event(0x08, f'06{LINK}00'),
    event(0x30, f'00{LINK}'),
    event(0x0C, f'00{LINK}0b0f000100'),
    event(0x57, LINK),
    event(0x13, f'01{LINK}0200'),
    event(0x13, f'02{LINK}020041000100'),
    event(0x10, '42'),
    event(0x1A, '01'),
    event(0xFF, '5603aabb'),
    low_energy(0x99, '0102'),
    event(0x0F, '00010d20'),
    event(0x0F, '0c010604'),
]
CLASSIC = [
    event(0x04, '070000000002 0c025a 01'.replace(' ', '')),
    event(0x03, '00 0b00 070000000002 01 00'.replace(' ', '')),
    event(0x12, '00 070000000002 01'.replace(' ', '')),
    event(0x14, '00 0b00 02 2003'.replace(' ', '')),
    event(0x1B, '0b0005'),
    event(0x0B, '000b00ffff8ffedbff5b87'),
    event(0x23, '000b0001020700000000000000'),
    event(0x05, '000b0013'),
]
COMMANDS = [
    command(0x0406, f'{LINK}13'), command(0x041D, LINK), command(0x2013, f'{LINK}1800280000004800' + '00000000'),
    command(0x2016, LINK), command(0x2019, f'{LINK}{KEY[:16]}3412{KEY}'), command(0x201A, f'{LINK}{KEY}'), command(0x201B, LINK),
    command(0x2020, f'{LINK}180028000000c80000000000'), command(0x2021, f'{LINK}3b'), command(0x2022, f'{LINK}fb004808'),
    command(0x2030, LINK), command(0x2032, f'{LINK}0001010000'), command(0x1405, LINK), command(0x2015, LINK),
    command(0x0C2D, f'{LINK}00'), command(0x200D, '6000300000 01 010000 00dec0 00 1800280000004800 00000000'.replace(' ', '')),
    command(0xFC17, '1401'),
]
ANSWERS = [
    complete(0x2022, f'00{LINK}'), complete(0x201A, f'00{LINK}'), complete(0x201B, f'00{LINK}'), complete(0x2030, f'00{LINK}0202'),
    complete(0x1405, f'00{LINK}c4'), complete(0x2015, f'00{LINK}ffffffff1f'), complete(0x0C2D, f'00{LINK}04'),
    complete(0x2020, f'00{LINK}'), complete(0x2021, f'12{LINK}'), complete(0x1001, '000b00000b0f000100'),
    complete(0x1009, '00010000000002'), complete(0x2002, '00fb0010'), complete(0x0000, ''), complete(0xFC17, '00'),
]
CHANNELS = [
    signaling('>', 0x01, 1, '0000'), signaling('<', 0x01, 2, '0100 1700'.replace(' ', '')),
    signaling('>', 0x12, 3, '180028000000c800'), signaling('<', 0x13, 3, '0000'), signaling('>', 0x12, 4, '060006000000ff0f'),
    signaling('<', 0x13, 4, '0100'), signaling('<', 0x14, 5, '8000 4000 0002 f700 0a00'.replace(' ', '')),
    signaling('>', 0x15, 5, '4100 0002 f700 0a00 0000'.replace(' ', '')), signaling('>', 0x16, 6, '41000500'),
    signaling('<', 0x06, 7, '41004000'), signaling('>', 0x07, 7, '41004000'), signaling('<', 0x1B, 8, '0102'),
]
PAIRING = [
    pairing('>', 0x0B, '0d'), pairing('<', 0x01, '03000d100f0f'), pairing('>', 0x02, '0300 01 10 02 03'.replace(' ', '')),
    pairing('<', 0x0C, KEY * 4), pairing('>', 0x0C, KEY * 4), pairing('>', 0x03, KEY), pairing('<', 0x04, KEY),
    pairing('<', 0x0D, KEY), pairing('<', 0x0E, '02'), pairing('>', 0x06, KEY), pairing('>', 0x07, f'3412{KEY[:16]}'),
    pairing('>', 0x08, KEY), pairing('>', 0x09, '01010000 00dec0'.replace(' ', '')), pairing('>', 0x0A, KEY), pairing('>', 0x05, '08'),
]
ATTRIBUTES = [
    data('<', 4, '020002'), data('>', 4, '03f700'), data('<', 4, '10 0100 ffff 0028'.replace(' ', '')),
    data('>', 4, '11 14 0100 0900'.replace(' ', '') + KEY), data('<', 4, '08 0100 0900 0328'.replace(' ', '')),
    data('>', 4, '09 15 0200 10 0300'.replace(' ', '') + KEY), data('<', 4, '04 0400 0500'.replace(' ', '')),
    data('>', 4, '05 01 0400 0229 0500 0129'.replace(' ', '')), data('<', 4, '12 0400 0100'.replace(' ', '')), data('>', 4, '13'),
    data('>', 4, '1b 0300 2a'.replace(' ', '')), data('<', 4, '0a 0500'.replace(' ', '')), data('>', 4, '0b' + '61' * 22),
    data('<', 4, '0c 0500 1600'.replace(' ', '')), data('>', 4, '0d6262'), data('<', 4, '16 0500 0000 6161'.replace(' ', '')),
    data('>', 4, '17 0500 0000 6161'.replace(' ', '')), data('<', 4, '1801'), data('>', 4, '19'),
    data('<', 4, '0a 0700'.replace(' ', '')), data('>', 4, '01 0a 0700 05'.replace(' ', '')), data('<', 4, '52 0300 aa'.replace(' ', '')),
    data('>', 4, '1d 0300 bb'.replace(' ', '')), data('<', 4, '1e'), data('<', 4, 'd2 0300 cc'.replace(' ', '') + '01000000' + KEY[:16]),
    data('<', 4, '0e 0300 0500'.replace(' ', '')), data('>', 4, '0f aabb'.replace(' ', '')),
    data('<', 4, '06 0100 ffff 0028 0f18'.replace(' ', '')), data('>', 4, '01 06 0100 0a'.replace(' ', '')),
]
END = [event(0x05, f'00{LINK}08'), event(0x05, '02410000')]


def write(path):
    """All of them as btsnoop, H4, a millisecond apart."""
    with path.open('wb') as file:
        file.write(b'btsnoop\0' + struct.pack('>II', 1, 1002))
        for index, (direction, packet) in enumerate(LINKS + COMMANDS + ANSWERS + CHANNELS + PAIRING + ATTRIBUTES + CLASSIC + END):
            flags = (direction == '>') | (packet[0] in (1, 4)) << 1
            time = 0x00DCDDB30F2F8000 + 1_700_000_000_000_000 + index * 1000
            file.write(struct.pack('>IIIIq', len(packet), len(packet), flags, 0, time) + packet)
    return path
