"""What `hr-raw decode`, `decode -v` and `decode --json` print, read back and held to what the captures are known to say.

The truth beside the captures is not of our making: a .tsv was made with tshark, a .json from what its file was built from.
"""
import csv
import json
import re
import subprocess
import unittest

from captures import captures
from harness import HR_RAW
from reading import Ours

LINE = re.compile(
    r' *(?P<frame>\d+) (?P<time>-?\d{4,}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6} )?(hci(?P<adapter>\d+) )?(?P<direction>[<>= ]) (?P<text>.*)')
ACL = re.compile(r'ACL 0x(?P<handle>[0-9A-F]{4}) ')
# The PDU's name, the attribute, perhaps its type and the type's name, and the value.
ATTRIBUTE = re.compile(r' 0x(?P<handle>[0-9A-F]{4})(?: [^:]*)?(?:: (?P<value>[0-9a-f]+))?(?= = |  [?!] |$)')
FIELD = re.compile(r'(?P<indent> +)(?P<name>[^:]+?)(?:: (?P<value>.*))?')
REPORT = re.compile(r'(?P<address>(?:[0-9A-F]{2}:){5}[0-9A-F]{2}) (?P<kind>[^|]*?)(?: (?P<rssi>-?\d+) dBm)?(?=[ |]|$)')

# The PDUs that carry the value of one attribute and nothing else, but for its handle.
VALUED = (0x0B, 0x0D, 0x12, 0x1B, 0x1D, 0x52)


def number(text):
    return None if text in (None, '') else int(text, 16)


def truth(path):
    """What each record says: dictionaries with the same keys for both kinds of tables; `None` where there is no table."""
    tsv, built = path.with_name(path.name + '.tsv'), path.with_name(path.name + '.json')
    if tsv.exists():
        with tsv.open() as table:
            return [of_row(row) for row in csv.DictReader(table, delimiter='\t', quoting=csv.QUOTE_NONE)]
    if built.exists():
        return [of_record(record) for record in json.loads(built.read_text())['records']]
    return None


def pairs(text):
    return dict(pair.split('=', 1) for pair in text.split())


def of_row(row):
    reports = [pairs(part) for part in row['adv'].split(' / ')] if row['adv'] else []
    measured = pairs(row['hr']) if row['hr'] else None
    return {
        'direction': {'TX': '<', 'RX': '>', '': None}[row['dir']], 'type': row['hci_type'],
        'event_code': number(row['event_code']), 'opcode': number(row['opcode']), 'subevent': number(row['le_subevent']),
        'reports': [
            (int(report['et'], 16), int(report['at'], 16), report['addr'].upper(), int(report['rssi']), report['data'])
            for report in reports],
        'handle': number(row['acl_handle']), 'att_opcode': number(row['att_opcode']), 'att_handle': number(row['att_handle']),
        'value': row['att_value_hex'] or None, 'cut': False,
        'bpm': measured and int(measured['bpm']),
        'rr': measured and [int(value) for value in measured['rr'].split(',') if value],
    }


def of_record(record):
    measured = record.get('hr') or {}
    return {
        'direction': {'TX': '<', 'RX': '>'}.get(record['dir'], '='), 'type': record['type'],
        'event_code': number(record.get('event_code')), 'opcode': number(record.get('opcode')),
        'subevent': number(record.get('le_subevent')),
        'reports': [
            (int(report['event_type'], 16), report['address_type'], report['address'].upper(), report.get('rssi'),
             report['data_hex']) for report in record.get('reports', [])],
        'handle': number(record.get('acl_handle')), 'att_opcode': number(record.get('att_opcode')),
        'att_handle': number(record.get('att_handle')), 'value': record.get('att_value_hex'),
        'cut': record['included'] < record['original'], 'bpm': measured.get('bpm'),
        'rr': measured.get('rr_1024'), 'time': record.get('time_us'), 'adapter': record.get('adapter'),
    }


class Printed:
    """A record as `decode -v` prints it: its line, and its fields by name in their order."""

    def __init__(self, line):
        match = LINE.fullmatch(line)
        assert match, line
        self.line = match
        self.text = match['text']
        self.fields = []

    def add(self, line):
        match = FIELD.fullmatch(line)
        assert match, line
        self.fields.append((match['name'], match['value'] or ''))

    def values(self, name):
        return [value for field, value in self.fields if field == name]

    def numbers(self, name):
        """The numbers of values, which stand in parentheses where there is a name before them: `LE Meta (0x3E)`."""
        return [int(re.search(r'0x[0-9A-F]+(?=\)?$)', value)[0], 16) for value in self.values(name)]


def tables():
    """The captures that have a truth, with it."""
    for path in captures():
        table = truth(path)
        if table is not None:
            yield path, table


class JSON(unittest.TestCase):
    def test_every_capture_with_a_truth(self):
        for path, table in tables():
            records = Ours(HR_RAW, path).records
            self.assertEqual(len(records), len(table), path.name)
            for frame, (said, wanted) in enumerate(zip(records, table), 1):
                # A report and a value that were not recorded whole are none to us.
                facts = self.facts(said)
                if wanted['direction'] is None:
                    # The container keeps none; of commands and events it is plain all the same.
                    wanted['direction'] = facts['direction']
                self.assertEqual(facts, self.wanted(wanted), f'{path.name}, frame {frame}')

    @staticmethod
    def facts(said):
        reports = []
        while f'adv[{len(reports)}].kind' in said:
            place = f'adv[{len(reports)}].'
            reports.append(tuple(said.get(place + key) for key in ('kind', 'address_type', 'address', 'rssi', 'data')))
        value = said.get('att.pdu', '')[6 if 'att.handle' in said else 2:]
        return {
            'direction': {'in': '>', 'out': '<'}.get(said.get('direction'), '='),
            'event_code': said.get('event_code'), 'opcode': said.get('opcode'), 'subevent': said.get('subevent'),
            'reports': reports, 'handle': said.get('handle') if said.get('packet') == 'acl' else None,
            'att_opcode': said.get('att.opcode'), 'att_handle': said.get('att.handle', said.get('att.error.handle')),
            'value': value if said.get('att.opcode') in VALUED and value else None, 'bpm': said.get('heart_rate.bpm'),
            'rr': said.get('heart_rate.rr'),
        }

    @staticmethod
    def wanted(row):
        keys = 'direction', 'event_code', 'opcode', 'subevent', 'handle', 'att_opcode', 'att_handle'
        wanted = {key: row[key] for key in keys}
        wanted['reports'] = [report[:3] + (report[3] if report[3] != 127 else None, report[4]) for report in row['reports']]
        wanted['value'] = (row['value'] or None) if row['att_opcode'] in VALUED else None
        wanted['bpm'] = row['bpm'] or None
        wanted['rr'] = [ticks for ticks in row['rr'] or [] if ticks] or None
        return wanted


class Text(unittest.TestCase):
    def printed(self, path):
        plain = self.run_program('decode', path)
        records = []
        for line in self.run_program('decode', '-v', path):
            if line.startswith('        '):
                records[-1].add(line)
            else:
                records.append(Printed(line))
        # The lines are the same with and without the fields.
        self.assertEqual(plain, [record.line.string for record in records])
        return records

    def run_program(self, *arguments):
        # A damaged file ends with 65, after all that could be read.
        result = subprocess.run([HR_RAW, *map(str, arguments)], capture_output=True, text=True, check=False)
        self.assertIn(result.returncode, (0, 65), result.stderr)
        return result.stdout.splitlines()

    def test_every_capture_with_a_truth(self):
        names = {}
        count = 0
        for path, table in tables():
            count += 1
            records = self.printed(path)
            self.assertEqual(len(records), len(table), path.name)
            for frame, (record, wanted) in enumerate(zip(records, table), 1):
                try:
                    self.compare(frame, record, wanted, names)
                except AssertionError as error:
                    raise AssertionError(f'{path.name}: {record.line.string}') from error
        self.assertGreater(count, 15)
        # One name for each number, and another for another.
        self.assertEqual(len(set(names.values())), len(names))

    def compare(self, frame, record, wanted, names):
        self.assertEqual(int(record.line['frame']), frame)
        if wanted['direction']:
            self.assertEqual(record.line['direction'], wanted['direction'])
        if wanted.get('time') is not None:
            self.assertEqual(microseconds(record.line['time']), max(wanted['time'], -62_167_219_200_000_000))
        if wanted.get('adapter') is not None:
            self.assertEqual(int(record.line['adapter']), wanted['adapter'])
        if wanted['cut']:
            self.assertIn('cut short by the recorder', record.text)
        if wanted['type'] == 'EVT':
            self.compare_event(record, wanted, names)
        elif wanted['type'] == 'CMD' and wanted['opcode'] is not None:
            # The name ends where a connection, a peer or the parameters begin.
            self.note(names, ('opcode', wanted['opcode']), re.split(r' 0x| [0-9a-f]{2,}|  ! | (?=..:)', record.text)[0], record)
        elif wanted['type'] == 'ACL':
            self.compare_data(record, wanted)

    def note(self, names, number, name, record):
        if name.startswith('Vendor Specific'):
            name = ' '.join(record.text.split()[:3])
        self.assertEqual(names.setdefault(number, name), name)

    def compare_event(self, record, wanted, names):
        if not wanted['cut']:
            self.assertEqual(record.numbers('Subevent_Code'), [wanted['subevent']] if wanted['subevent'] else [])
        if wanted['event_code'] in (0x0E, 0x0F) and not wanted['cut']:
            self.assertEqual(record.numbers('Command_Opcode'), [wanted['opcode']] if wanted['opcode'] else [])
        if wanted['event_code'] == 0x0E and wanted['opcode'] is not None:
            self.assertTrue(record.text.startswith('Command Complete'))
        reports = wanted['reports']
        in_line = REPORT.findall(record.text) if wanted['subevent'] in (0x02, 0x0B, 0x0D) else []
        self.assertEqual([address for address, _, _ in in_line], [report[2] for report in reports])
        self.assertEqual(
            [int(rssi) if rssi else None for _, _, rssi in in_line],
            [report[3] if report[3] != 127 else None for report in reports])
        if not reports or wanted['cut']:
            return
        self.assertEqual(record.numbers('Event_Type'), [report[0] for report in reports])
        self.assertEqual(record.numbers('Address_Type'), [report[1] for report in reports])
        self.assertEqual([value.split()[0] for value in record.values('Address')], [report[2] for report in reports])
        self.assertEqual(record.values('Data'), [report[4] for report in reports])

    def compare_data(self, record, wanted):
        match = ACL.match(record.text)
        self.assertEqual(match and number(match['handle']), wanted['handle'])
        rest = record.text[match.end():] if match else ''
        if wanted['handle'] == 0x0EDC:
            self.assertTrue(rest.startswith('Vendor Log'))
            return
        if not wanted['cut']:
            self.assertEqual(record.numbers('ATT'), [wanted['att_opcode']] if wanted['att_opcode'] is not None else [])
        if wanted['att_opcode'] not in (0x01, None) and wanted['att_handle'] is not None:
            attribute = ATTRIBUTE.search(rest)
            self.assertEqual(number(attribute['handle']), wanted['att_handle'])
        # A response to a prepared write begins with an offset, which the line shows with the value.
        if wanted['value'] and wanted['att_opcode'] not in (0x16, 0x17):
            self.assertRegex(rest, f'(: |: ..){wanted["value"]}' + r'(?= = |  [?!] |$)')
        if wanted['bpm'] is not None:
            self.assertIn(f' = {wanted["bpm"]} bpm' if wanted['bpm'] else ' = no rate', rest)
            milliseconds = [f'{value * 1000 / 1024:.3f}' for value in wanted['rr'] or [] if value]
            shown = re.search(r' RR ([0-9. ]+) ms', rest)
            self.assertEqual([f'{float(value):.3f}' for value in shown[1].split()] if shown else [], milliseconds)


def microseconds(text):
    """Of `2024-02-29 23:59:58.500000`; the calendar of Python begins too late."""
    year, month, day, hour, minute, second, fraction = map(int, re.findall(r'\d+', text))
    days = civil_days(year, month, day)
    return ((days * 24 + hour) * 60 + minute) * 60_000_000 + second * 1_000_000 + fraction


def civil_days(year, month, day):
    """Days from 1970-01-01, counted from one year to the next."""
    lengths = [31, 29 if year % 4 == 0 and (year % 100 or year % 400 == 0) else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    leap_days = sum(1 for each in range(min(year, 1970), max(year, 1970)) if each % 4 == 0 and (each % 100 or each % 400 == 0))
    years = (year - 1970) * 365 + (leap_days if year > 1970 else -leap_days)
    return years + sum(lengths[:month - 1]) + day - 1
