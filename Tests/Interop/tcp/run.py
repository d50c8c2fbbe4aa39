"""Runs the tests of this folder and ends with `N passed, N failed, N skipped`."""
import pathlib
import sys
import time
import unittest


class Result(unittest.TextTestResult):
    def startTest(self, test):
        super().startTest(test)
        self.started = time.monotonic()

    def addSuccess(self, test):
        super().addSuccess(test)
        self.stream.writeln(f'passed: {name(test)} ({time.monotonic() - self.started:.1f} s)')


def name(test):
    return test.id().split('.', 1)[1]


def main():
    loader = unittest.TestLoader()
    folder = pathlib.Path(__file__).parent
    loader.testNamePatterns = [f'*{pattern}*' for pattern in sys.argv[1:]] or None
    suite = loader.discover(str(folder), pattern='test_*.py')
    runner = unittest.TextTestRunner(stream=sys.stdout, resultclass=Result, verbosity=0)
    result = runner.run(suite)
    failed = result.failures + result.errors + [(test, '') for test in result.unexpectedSuccesses]
    for test, _ in failed:
        print('failed:', name(test))
    for test, reason in result.skipped:
        print('skipped:', name(test), reason)
    passed = result.testsRun - len(failed) - len(result.skipped)
    print(f'{passed} passed, {len(failed)} failed, {len(result.skipped)} skipped')
    return 0 if result.wasSuccessful() and result.testsRun else 1


sys.exit(main())
