"""Runs the tests of a folder and ends with `N passed, N failed, N skipped`:  unittests.py FOLDER [PART OF A NAME ...]"""
import sys
import time
import traceback
import unittest


class Result(unittest.TextTestResult):
    # What fails between the tests, as a class is set up, has no start of its own.
    started = time.monotonic()
    passed = 0

    def startTest(self, test):
        super().startTest(test)
        self.started = time.monotonic()

    def addSuccess(self, test):
        super().addSuccess(test)
        self.passed += 1
        self.say('passed', test)

    # Told at once, not only at the end: a run that is cut off says then what it knows.

    def addFailure(self, test, error):
        super().addFailure(test, error)
        self.say('failure', test, self.failures[-1][1])

    def addError(self, test, error):
        super().addError(test, error)
        self.say('error', test, self.errors[-1][1])

    def addSubTest(self, test, subtest, error):
        super().addSubTest(test, subtest, error)
        if error:
            self.say('failure', subtest, ''.join(traceback.format_exception(*error)))

    def say(self, outcome, test, details=''):
        self.stream.writeln(f'{outcome}: {name(test)} ({time.monotonic() - self.started:.1f} s)\n{details}'.rstrip())
        self.stream.flush()

    def printErrors(self):
        pass


def name(test):
    return test.id().split('.', 1)[1]


def main():
    folder, *patterns = sys.argv[1:]
    loader = unittest.TestLoader()
    loader.testNamePatterns = [f'*{pattern}*' for pattern in patterns] or None
    suite = loader.discover(folder, pattern='test_*.py')
    runner = unittest.TextTestRunner(stream=sys.stdout, resultclass=Result, verbosity=0)
    result = runner.run(suite)
    failed = result.failures + result.errors + [(test, '') for test in result.unexpectedSuccesses]
    for test, _ in failed:
        print('failed:', name(test))
    for test, reason in result.skipped:
        print('skipped:', name(test), reason)
    print(f'{result.passed} passed, {len(failed)} failed, {len(result.skipped)} skipped', flush=True)
    return 0 if result.wasSuccessful() and result.testsRun else 1


sys.exit(main())
