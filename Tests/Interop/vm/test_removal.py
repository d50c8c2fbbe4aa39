"""An adapter is pulled out in mid-run."""
import signal
import unittest

from kernel import *


class RemovalTests(unittest.TestCase):
    def test_a_scan_ends(self):
        with Plugged() as adapter, Run('--json', 'scan') as scan:
            scan.wait_for('advertisement')
            adapter.pull_out()
            self.assertEqual(scan.end(), 69, scan.text)

    def test_a_connection_goes_on_when_the_adapter_is_back_under_whatever_name(self):
        with Plugged() as adapter, Run('--json', 'connect', STRAP) as connect:
            connect.wait_for('heart_rate')
            adapter.pull_out()
            connect.wait_for_message(f'waiting for {ADDRESS}')
            beats = len(connect.objects('heart_rate'))
            with occupied_index(), Plugged(index=1, wait=False):
                connect.wait_for('heart_rate', beats + 2)
                self.assertEqual(len(connect.objects('gap')), 1)
                self.assertEqual(connect.end(signal.SIGINT), 0, connect.text)

    def test_a_reader_that_closes_the_pipe_is_no_removal(self):
        with Plugged():
            put_up()
            pipeline = subprocess.run(
                ['bash', '-c', f'"{HR_RAW}" --json connect {STRAP} | head -n 4; exit ${{PIPESTATUS[0]}}'],
                capture_output=True, text=True, timeout=PATIENCE, env=environment())
            self.assertEqual((pipeline.returncode, pipeline.stderr), (0, ''))
            self.assertEqual(len(pipeline.stdout.splitlines()), 4)
            self.assertTrue(is_up())
