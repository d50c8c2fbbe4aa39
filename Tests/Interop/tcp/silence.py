"""Straps that fall silent in the middle of pairing, and hr-raw that waits for them: half a minute, in which other tests run."""
import tempfile

from harness import Run
from pairing_strap import STRAP, Guarded

# The PDU that is never answered, its code, and what the strap is besides.
UNANSWERED = [
    ('Pairing Request', 0x01, {}),
    ('Pairing Public Key', 0x0C, {}),
    ('Pairing Confirm', 0x03, {'secure_connections': False}),
]
_begun = []


def begin():
    """Has all of them begin, unless they have. Gives them."""
    if not _begun:
        _begun.extend(Silence(*each) for each in UNANSWERED)
    return _begun


class Silence:
    def __init__(self, name, code, wishes):
        self.name, self.code = name, code
        self.strap = Guarded()
        self.strap.__enter__()
        self.strap.begin(unanswered=[code], **wishes)
        self.home = tempfile.TemporaryDirectory()
        self.run = Run(self.home.name, '--adapter', self.strap.adapter, '--json', 'pair', STRAP, '--type', 'random')

    def end(self):
        self.run.kill()
        self.strap.__exit__()
        self.home.cleanup()
