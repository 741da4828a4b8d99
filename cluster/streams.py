"""Make sure that the standard streams are there, and tell when the output did not reach its reader."""

from __future__ import annotations

import contextlib
import os
import sys


def missing() -> set[str]:
    """Name the standard streams the shell closed, and put an empty file in the place of each.

    Else the next file that is opened gets the number of the stream, and what is meant for the one lands in the other.
    """
    closed = set()
    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        if getattr(sys, name) is None:
            closed.add(name)
            handle = os.open(os.devnull, os.O_RDWR)
            if handle != number:
                os.dup2(handle, number)
                os.close(handle)
            setattr(sys, name, os.fdopen(number, mode, encoding="utf-8", closefd=False))
    return closed


def drop() -> None:
    """Drop what was printed and not yet sent; Python would complain once more about it when it ends."""
    with contextlib.suppress(OSError, ValueError):
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.stdout.fileno())
        os.close(null)
