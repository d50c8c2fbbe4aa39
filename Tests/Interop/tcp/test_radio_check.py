"""The guided run for people with a radio, with bumble's straps in its place: what it reports, and what it keeps to itself."""
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from harness import HR_RAW, PATIENCE, ROOT, Straps, environment


class RadioCheck(unittest.TestCase):
    def test_the_report_says_what_happened_and_nothing_private(self):
        home = self.enterContext(tempfile.TemporaryDirectory())
        folder = pathlib.Path(home) / 'check'
        with Straps('--rate', '4') as straps:
            settings = {
                'HR_RAW': HR_RAW, 'HR_RAW_ADAPTER': straps.adapter, 'RADIO_CHECK_FOLDER': str(folder),
                'RADIO_CHECK_UNATTENDED': 'yes', 'RADIO_CHECK_SECONDS': '4', 'RADIO_CHECK_SCAN_SECONDS': '3',
                'RADIO_CHECK_LOST_SECONDS': '4',
            }
            check = subprocess.run(
                [ROOT / 'Scripts/radio-check'], env=environment(home) | settings, stdin=subprocess.DEVNULL,
                capture_output=True, text=True, timeout=PATIENCE,
            )
        report = (folder / 'report.txt').read_text()
        for line in ('a strap was found', 'heart rates came all the time', 'the attribute tree was read'):
            self.assertIn(f'OK      {line}', report, check.stdout + check.stderr)
        self.assertIn('"manufacturer":"Example Straps"', report)
        for text in (report, check.stdout):
            self.assertIsNone(re.search('([0-9A-F]{2}:){5}[0-9A-F]{2}', text), text)
            self.assertNotIn('Virtual H7', text)
            self.assertNotIn('"0001"', text)
            self.assertIsNone(re.search('"bpm":[0-9]|[0-9] bpm', text), text)
        self.assertEqual(os.stat(folder / 'private').st_mode & 0o777, 0o700)
