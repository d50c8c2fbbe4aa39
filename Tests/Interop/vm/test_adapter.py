"""An adapter is found, used, and left as it was found."""
import pathlib
import signal
import time
import unittest

from kernel import *


class ListingTests(unittest.TestCase):
    def test_without_an_adapter(self):
        listing = run('adapters')
        self.assertEqual(listing.status, 69, listing.text)
        self.assertEqual(listing.output, [])
        scan = run('scan', '--duration', 1)
        self.assertEqual(scan.status, 69, scan.text)
        self.assertIn('--adapter sim', scan.text)

    def test_an_adapter_that_is_off_and_one_that_is_on(self):
        with Plugged():
            listing = run('adapters')
            self.assertEqual(listing.status, 0, listing.text)
            self.assertRegex(listing.output[0], f'hci0 .*{ADDRESS}.*virtual.* off')
            put_up()
            self.assertRegex(run('adapters').output[0], 'hci0 .* on')

    def test_one_that_does_not_exist(self):
        with Plugged():
            scan = run('--adapter', 'hci7', 'scan', '--duration', 1)
            self.assertEqual(scan.status, 69, scan.text)
            self.assertIn('hci7', scan.text)

    def test_one_that_rfkill_blocks(self):
        with Plugged():
            switch = next(pathlib.Path('/sys/class/bluetooth/hci0').glob('rfkill*')) / 'soft'
            switch.write_text('1')
            self.assertRegex(run('adapters').output[0], 'hci0 .* blocked')
            scan = run('scan', '--duration', 1)
            self.assertEqual(scan.status, 75, scan.text)
            self.assertIn('rfkill unblock bluetooth', scan.text)
            switch.write_text('0')
            self.assertEqual(run('scan', '--count', 1).status, 0)

    def test_changes_are_told_as_they_happen_and_to_every_user(self):
        def states(listing):
            return [entry['state'] for entry in listing.objects('adapter')]

        def ups(listing):
            return [entry['up'] for entry in listing.objects('adapter')]

        with Plugged() as adapter, Run('--json', 'adapters', '--follow') as root, Run(
            '--json', 'adapters', '--follow', environment=environment(WALKER.home), **WALKER.options()
        ) as user:
            until(lambda: states(root)[-1:] == ['off'], 'the adapter is off')
            until(lambda: states(user)[-1:] == ['unauthorized'], 'the user may not take it')
            put_up()
            until(lambda: states(root)[-1:] == ['on'], 'the adapter is on')
            until(lambda: ups(user)[-1:] == [True], 'the user sees it go up')
            switch = next(pathlib.Path('/sys/class/bluetooth/hci0').glob('rfkill*')) / 'soft'
            switch.write_text('1')
            until(lambda: states(root)[-1:] == ['blocked'], 'the adapter is blocked')
            switch.write_text('0')
            until(lambda: states(root)[-1:] == ['off'], 'the adapter is free')
            with HCI() as other:
                other.bind(0, HCI.USER)
                until(lambda: states(root)[-1:] == ['busy'], 'the adapter is taken')
            until(lambda: states(root)[-1:] == ['off'], 'the adapter is free again')
            adapter.pull_out()
            root.wait_for_message('no adapter')
            user.wait_for_message('no adapter')
            self.assertEqual(root.end(signal.SIGINT), 0)
            self.assertEqual(user.end(signal.SIGINT), 0)

    def test_a_change_of_which_the_kernel_tells_nobody(self):
        with Plugged(), Run(
            '--json', 'adapters', '--follow', environment=environment(WALKER.home), **WALKER.options()
        ) as listing:
            listing.wait_for('adapter')
            # What tells of it is then behind.
            time.sleep(0.5)
            # For two seconds the kernel keeps a new adapter powered for itself: put up meanwhile, it only stays so.
            put_up()
            listing.wait_for('adapter', 2)
            self.assertEqual([entry['up'] for entry in listing.objects('adapter')], [False, True])


class UseTests(unittest.TestCase):
    def test_found_up_used_and_up_again(self):
        with Plugged():
            put_up()
            scan = run('--json', 'scan', '--service', '180D', '--count', 2)
            self.assertEqual(scan.status, 0, scan.text)
            self.assertEqual({report['address'] for report in scan.objects('advertisement')}, {STRAP, OTHER_STRAP})
            self.assertTrue(is_up())

    def test_found_down_used_and_down_again(self):
        with Plugged():
            connect = run('--json', 'connect', STRAP, '--count', 3)
            self.assertEqual(connect.status, 0, connect.text)
            self.assertEqual(len(connect.objects('heart_rate')), 3)
            self.assertTrue(all(beat['rr_ticks'] == [768, 819] for beat in connect.objects('heart_rate')))
            device = connect.objects('device')[-1]
            self.assertEqual((device['battery_percent'], device['sensor_location']), (87, 'chest'))
            self.assertFalse(is_up())

    def test_two_straps_at_once(self):
        with Plugged():
            with Run('--json', 'connect', STRAP, OTHER_STRAP) as connect:
                until(
                    lambda: {beat['address'] for beat in connect.objects('heart_rate')} == {STRAP, OTHER_STRAP},
                    'beats of both straps')
                self.assertEqual(connect.end(signal.SIGTERM), 0, connect.text)

    def test_up_again_after_the_users_signals(self):
        with Plugged():
            put_up()
            for number in signal.SIGINT, signal.SIGTERM, signal.SIGHUP:
                with Run('--json', 'connect', STRAP) as connect:
                    connect.wait_for('heart_rate')
                    self.assertEqual(connect.end(number), 0, connect.text)
                self.assertTrue(is_up(), number)

    def test_up_again_after_the_terminal_is_closed(self):
        with Plugged():
            put_up()
            with Terminal('connect', STRAP) as terminal:
                terminal.wait_for('bpm')
                self.assertEqual(terminal.close(), 0)
            self.assertTrue(is_up())

    def test_up_again_after_the_terminal_of_a_run_through_sudo_is_closed(self):
        with Plugged():
            put_up()
            with Terminal('connect', STRAP, **WALKER.through_sudo()) as terminal:
                terminal.wait_for('bpm')
                terminal.close()
            self.assertTrue(is_up())

    def test_up_again_after_an_error(self):
        with Plugged():
            put_up()
            connect = run('connect', 'C0:00:00:00:00:99', '--type', 'random', '--timeout', 2)
            self.assertEqual(connect.status, 69, connect.text)
            self.assertTrue(is_up())

    def test_a_killed_run_leaves_a_restoration_that_the_next_offers(self):
        with Plugged():
            put_up()
            for restore in ['adapters', '--restore'], ['scan', '--count', '1']:
                with Run('--json', 'connect', STRAP) as connect:
                    connect.wait_for('heart_rate')
                    connect.end(signal.SIGKILL)
                self.assertFalse(is_up())
                listing = run('adapters')
                self.assertIn(str(connect.process.pid), '\n'.join(listing.output))
                self.assertIn('--restore', '\n'.join(listing.output))
                again = run(*restore)
                self.assertEqual(again.status, 0, again.text)
                self.assertTrue(is_up())
                self.assertNotIn('--restore', '\n'.join(run('adapters').output))

    def test_one_that_was_just_plugged_in(self):
        with Plugged(wait=False):
            scan = run('scan', '--count', 1)
            self.assertEqual(scan.status, 0, scan.text)

    def test_one_that_another_run_holds(self):
        with Plugged():
            with Run('--json', 'connect', STRAP) as first:
                first.wait_for('heart_rate')
                second = run('scan', '--duration', 1)
                self.assertEqual(second.status, 75, second.text)
                self.assertIn(str(first.process.pid), second.text)
                self.assertRegex(run('adapters').output[0], 'hci0 .* busy')
                first.wait_for('heart_rate', len(first.objects('heart_rate')) + 1)
                self.assertEqual(first.end(signal.SIGINT), 0)

    def test_one_that_another_program_holds(self):
        with Plugged(), HCI() as other:
            other.bind(0, HCI.USER)
            scan = run('scan', '--duration', 1)
            self.assertEqual(scan.status, 75, scan.text)
            self.assertIn('another program', scan.text)
            self.assertRegex(run('adapters').output[0], 'hci0 .* busy')

    def test_the_simulator_serves_the_kernel_an_adapter(self):
        with Run('--json', 'simulate', '--vhci') as simulation:
            simulation.wait_for('serving')
            self.assertEqual(simulation.objects('serving')[0]['adapter'], 'hci0')
            until(lambda: 0 in managed(), 'the kernel sets it up')
            connect = run('--json', 'connect', 'any', '--count', 3)
            self.assertEqual(connect.status, 0, connect.text)
            self.assertEqual(len(connect.objects('heart_rate')), 3)
            self.assertEqual(simulation.end(signal.SIGTERM), 0, simulation.text)
        self.assertEqual(run('adapters').status, 69)
