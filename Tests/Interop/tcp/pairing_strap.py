"""What the tests of pairing stand on: a strap to direct, and hr-raw beside it."""
import json
import pathlib
import queue
import subprocess
import sys
import tempfile
import threading
import unittest

from harness import PATIENCE, PEERS, Run

STRAP = 'F0:F1:F2:F3:F4:01'
# What a user can see and say (Core Vol 3, Part H, 3.5.1).
DISPLAY, YES_NO, KEYBOARD, NOTHING, KEYBOARD_DISPLAY = range(5)


class Guarded:
    """bumble's strap that pairs, and its controller, in a process of their own; guarded.py says what it can be told."""

    def __enter__(self):
        self.process = subprocess.Popen(
            [sys.executable, '-B', PEERS / 'guarded.py', 'tcp-server:127.0.0.1:0'],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.place = self.process.stdout.readline().split()[1]
        self.adapter = f'tcp:{self.place}'
        # What happened since the test began to look, and what it has not looked at yet.
        self.events, self.coming = [], queue.SimpleQueue()
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()
        self.wait('ready')
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.reader.join()
        self.process.stdin.close()
        self.process.stdout.close()

    def _read(self):
        for line in self.process.stdout:
            self.coming.put(json.loads(line))
        self.coming.put({'event': 'ended'})

    def wait(self, event):
        """Waits for the next such event, and gives it."""
        while True:
            try:
                found = self.coming.get(timeout=PATIENCE)
            except queue.Empty:
                raise AssertionError(f'in vain waited for {event}, after {self.events}') from None
            self.events.append(found)
            if found['event'] == event:
                return found
            if found['event'] == 'ended':
                raise AssertionError(f'the strap has ended before {event}, after {self.events}')

    def tell(self, order, **values):
        """Has the strap do something, and waits until it is done."""
        self.process.stdin.write(json.dumps({'do': order, **values}) + '\n')
        self.process.stdin.flush()
        return self.wait('done')

    def begin(self, **wishes):
        """Makes it a strap that has met nobody and pairs as is wished; what happened before is forgotten."""
        for order in 'leave', 'forget', 'settle':
            self.tell(order)
        return self.wish(**wishes)

    def wish(self, **wishes):
        done = self.tell('wish', **wishes)
        self.look_away()
        return done

    def look_away(self):
        """What has happened by now is of no interest any more."""
        # Whatever happened before this was answered has been told before.
        self.tell('nothing')
        self.events.clear()

    def of(self, event, **values):
        """Everything like that that has happened by now."""
        self.tell('nothing')
        return [
            found for found in self.events
            if found['event'] == event and all(found.get(key) == value for key, value in values.items())
        ]


class PairingCase(unittest.TestCase):
    """Tests that share a strap, each with a home of its own for hr-raw."""

    @classmethod
    def setUpClass(cls):
        cls.strap = cls.enterClassContext(Guarded())

    def setUp(self):
        self.move()

    def move(self):
        """Takes a new home, where nothing is known."""
        self.home = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def start(self, command, *arguments, options=(), has_terminal=False):
        started = Run(
            self.home, '--adapter', self.strap.adapter, '--json', *options, command, *arguments, has_terminal=has_terminal)
        self.addCleanup(started.kill)
        return started

    def run_to_end(self, command, *arguments, status=0, **options):
        """A whole run, which ends with that status."""
        started = self.start(command, *arguments, **options)
        self.assertEqual(started.end(), status, started.errors)
        return started

    def pair(self, *arguments, status=0, **options):
        return self.run_to_end('pair', STRAP, '--type', 'random', *arguments, status=status, **options)

    def stream(self, *arguments, status=0, **options):
        """Three heart rates from the strap, by a process of their own."""
        return self.run_to_end('connect', STRAP, '--type', 'random', '--count', '3', *arguments, status=status, **options)

    def bonds(self):
        return self.run_to_end('bonds').of('bond')

    def assert_met_again(self, level, *arguments, **options):
        """A new process streams with the key that both sides have, and without any pairing."""
        self.strap.look_away()
        seen = self.stream(*arguments, **options)
        self.assertEqual(len(seen.of('heart_rate')), 3, seen.errors)
        self.assertEqual(self.strap.of('smp'), [], 'no pairing')
        self.assertEqual(self.strap.of('refused'), [], 'the level was there before it was needed')
        self.assertEqual([found['level'] for found in self.strap.of('encrypted')], [level])
        self.assertEqual([found['level'] for found in self.strap.of('subscribed')], [level])
        return seen
