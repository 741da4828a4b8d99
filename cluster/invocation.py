"""Write commands as the user can paste them: by the name under which this program was started."""

from __future__ import annotations

import os
import shlex
import shutil
import sys

from cluster.texts import Pasted

_NAME = "guandan"


def command(*words: str) -> Pasted:
    """Give a command line of this program with these words."""
    return Pasted(" ".join([shlex.quote(_program()), *map(shlex.quote, words)]))


def _program() -> str:
    """Give the name alone if the shell finds this very program by it, else the path it was started by."""
    started = sys.argv[0]
    if os.path.basename(started) != _NAME:  # by `python -m` or from another program
        return _NAME
    found = shutil.which(_NAME)
    try:
        same = found is not None and os.path.samefile(found, started)
    except OSError:
        same = False
    return _NAME if same else started
