"""Stop a run from outside: `guandan stop` leaves a note in its place, which the process that plays it looks for.

A note and no signal, because the run may be played on another machine that shares the place.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Iterator

from sim import store
from sim.errors import SimError
from sim.places import Where, as_place

_SECONDS_BETWEEN_LOOKS = 1.0


def ask(folder: Where) -> None:
    """Leave the note. Raises `SimError` where it cannot be written."""
    as_place(folder).publish(store.STOP_FILE, b"")


def forget(folder: Where) -> None:
    """Take the note away: whoever starts the run again wants it to go on."""
    with contextlib.suppress(SimError):
        as_place(folder).remove(store.STOP_FILE)


@contextlib.contextmanager
def heeded(folder: Where) -> Iterator[None]:
    """Look for the note while a run is played; once it is there, this process is interrupted as by Ctrl-C."""
    over = threading.Event()

    def look() -> None:
        while not over.wait(_SECONDS_BETWEEN_LOOKS):
            with contextlib.suppress(SimError):  # the network may be back for the next look
                if as_place(folder).exists(store.STOP_FILE):
                    forget(folder)
                    os.kill(os.getpid(), signal.SIGINT)
                    return

    watch = threading.Thread(target=look, name="stop-note", daemon=True)
    watch.start()
    try:
        yield
    finally:
        over.set()
