"""bluetoothd and hr-raw on one adapter."""
import unittest

from kernel import *


class BluetoothDaemonTests(unittest.TestCase):
    def test_it_has_the_adapter_again_afterwards(self):
        with Plugged(), BluetoothDaemon() as daemon:
            daemon.power()
            scan = run('scan', '--count', 1)
            self.assertEqual(scan.status, 0, scan.text)
            self.assertIn('bluetoothd', scan.text)
            until(daemon.is_powered, 'bluetoothd has the adapter again')
            self.assertTrue(is_up())

    def test_its_live_connection_is_not_cut_unasked(self):
        with Plugged(), BluetoothDaemon() as daemon:
            daemon.power()
            daemon.control('scan', 'le', seconds=5)
            until(lambda: 'Connected: yes' in daemon.control('connect', STRAP) + daemon.control('info', STRAP), 'its connection')
            scan = run('scan', '--duration', 1)
            self.assertEqual(scan.status, 75, scan.text)
            self.assertIn(STRAP, scan.text)
            self.assertIn('--take-over', scan.text)
            self.assertIn('Connected: yes', daemon.control('info', STRAP))
            connect = run('--json', 'connect', STRAP, '--take-over', '--count', 1)
            self.assertEqual(connect.status, 0, connect.text)
            self.assertTrue(is_up())
