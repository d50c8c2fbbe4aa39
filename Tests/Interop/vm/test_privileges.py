"""Root is given up, and what the run leaves belongs to the user."""
import pathlib
import signal
import stat
import struct
import unittest

from kernel import *

NET_ADMIN = 1 << 12


def files_of_root():
    """What root's folders hold of hr-raw."""
    folders = '.cache', '.config', '.local/share', '.local/state'
    return {path for folder in folders for path in pathlib.Path('/root', folder, 'hr-raw').glob('**')}


class PrivilegeTests(unittest.TestCase):
    def test_without_permission(self):
        with Plugged():
            scan = run('scan', '--duration', 1, environment=environment(WALKER.home), **WALKER.options())
            self.assertEqual(scan.status, 77, scan.text)
            self.assertIn('setcap cap_net_admin,cap_net_raw+ep', scan.text)
            listing = run('adapters', environment=environment(WALKER.home), **WALKER.options())
            self.assertRegex(listing.output[0], 'hci0 .* unauthorized')

    def test_a_run_through_sudo_becomes_the_user(self):
        of_root = files_of_root()
        with Plugged(), scratch(WALKER) as folder:
            put_up()
            capture = folder / 'run.btsnoop'
            with Run('--json', '--capture', capture, 'connect', STRAP, **WALKER.through_sudo()) as connect:
                connect.wait_for('heart_rate')
                self.check_given_up(connect, all_but=NET_ADMIN)
                self.assertEqual(connect.end(signal.SIGINT), 0, connect.text)
            self.assertTrue(is_up())
            self.check_owned(capture)
        self.assertEqual(files_of_root(), of_root)
        state = WALKER.home / '.local/state/hr-raw'
        self.assertTrue(list(state.iterdir()))
        for path in WALKER.home.rglob('*'):
            self.check_owned(path)

    def test_a_removed_adapter_is_taken_again_without_root(self):
        with Plugged() as adapter, Run('--json', 'connect', STRAP, **WALKER.through_sudo()) as connect:
            connect.wait_for('heart_rate')
            adapter.pull_out()
            connect.wait_for_message('waiting for')
            beats = len(connect.objects('heart_rate'))
            with Plugged(wait=False):
                connect.wait_for('heart_rate', beats + 1)
                self.assertEqual(connect.end(signal.SIGINT), 0, connect.text)

    def test_the_simulator_that_serves_the_kernel_needs_root_only_to_begin(self):
        with Run('--json', 'simulate', '--vhci', **WALKER.through_sudo()) as simulation:
            simulation.wait_for('serving')
            until(lambda: 0 in managed(), 'the kernel sets it up')
            connect = run('--json', 'connect', 'any', '--count', 3)
            self.assertEqual(connect.status, 0, connect.text)
            self.check_given_up(simulation)
            self.assertEqual(simulation.end(signal.SIGTERM), 0, simulation.text)

    def test_capabilities_of_the_file_serve_as_well(self):
        with Plugged(), scratch() as folder:
            folder.chmod(0o755)
            program = folder / 'hr-raw'
            shutil.copy(HR_RAW, program)
            # cap_net_admin,cap_net_raw+ep, as setcap(8) writes it (vfs_cap_data, revision 2).
            os.setxattr(program, 'security.capability', struct.pack('<5I', 0x02000001, 1 << 12 | 1 << 13, 0, 0, 0))
            put_up()
            with Run(
                '--json', 'connect', STRAP, program=program, environment=environment(WALKER.home), **WALKER.options()
            ) as connect:
                connect.wait_for('heart_rate')
                self.check_given_up(connect, all_but=NET_ADMIN)
                self.assertEqual(connect.end(signal.SIGINT), 0, connect.text)
            self.assertTrue(is_up())

    def check_given_up(self, running, all_but=0):
        for users, permitted, no_new_privileges in running.privileges():
            self.assertEqual(users, {WALKER.identity})
            self.assertEqual(permitted & ~all_but, 0)
            self.assertEqual(no_new_privileges, '1')

    def check_owned(self, path):
        status = path.stat()
        self.assertEqual(status.st_uid, WALKER.identity, path)
        self.assertEqual(stat.S_IMODE(status.st_mode) & 0o077, 0, path)
