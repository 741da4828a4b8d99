"""Stop a run from outside: `guandan stop` leaves a note in its folder, which the process that plays it looks for.

A note and no signal, because the run may be played on another machine that shares the folder.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

from sim import store
from sim.errors import write_error

_SECONDS_BETWEEN_LOOKS = 1.0


def ask(folder: Path) -> None:
    """Leave the note. Raises `SimError` where it cannot be written."""
    try:
        (folder / store.STOP_FILE).touch()
    except OSError as error:
        raise write_error(error, folder / store.STOP_FILE) from None


def forget(folder: Path) -> None:
    """Take the note away: whoever starts the run again wants it to go on."""
    with contextlib.suppress(OSError):
        (folder / store.STOP_FILE).unlink(missing_ok=True)


@contextlib.contextmanager
def heeded(folder: Path) -> Iterator[None]:
    """Look for the note while a run is played; once it is there, this process is interrupted as by Ctrl-C."""
    over = threading.Event()

    def look() -> None:
        while not over.wait(_SECONDS_BETWEEN_LOOKS):
            if (folder / store.STOP_FILE).exists():
                forget(folder)
                os.kill(os.getpid(), signal.SIGINT)
                return

    watch = threading.Thread(target=look, name="stop-note", daemon=True)
    watch.start()
    try:
        yield
    finally:
        over.set()
