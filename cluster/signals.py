"""Let SIGTERM end the command as cleanly as Ctrl-C does, and hold both back where they would leave things behind."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator
from types import FrameType, TracebackType

INTERRUPTED = 130  # the shell's number for a program that ended on Ctrl-C
TERMINATED = 143  # and on SIGTERM

_STOPPING = (signal.SIGINT, signal.SIGTERM)


class Stops:
    """Be a context in which SIGTERM raises KeyboardInterrupt in the main thread, and remember that it was SIGTERM.

    Remembered, because Ray catches what a signal handler raises and raises a plain KeyboardInterrupt instead.
    """

    def __init__(self) -> None:
        self._terminated = False

    def __enter__(self) -> Stops:
        self._before = signal.signal(signal.SIGTERM, self._terminate)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        signal.signal(signal.SIGTERM, self._before)

    def _terminate(self, number: int, frame: FrameType | None) -> None:
        self._terminated = True
        raise KeyboardInterrupt

    @property
    def terminated(self) -> bool:
        """Tell whether SIGTERM has arrived."""
        return self._terminated

    @property
    def exit_code(self) -> int:
        """Give the exit code that tells the shell how the command was stopped."""
        return TERMINATED if self._terminated else INTERRUPTED


class Stopped(KeyboardInterrupt):
    """Be a stop that the user has been told about already."""


class Ended(Stopped):
    """Be the stop of a program that runs until Ctrl-C: that is its proper end."""


@contextlib.contextmanager
def held_back(told: Callable[[], None]) -> Iterator[None]:
    """Hold Ctrl-C and SIGTERM back until the block is left, whatever it does to the handlers; a second one passes.

    `told` is called when the first one arrives. Outside the main thread, where no signal arrives, nothing is changed.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    handlers = {number: signal.getsignal(number) for number in _STOPPING}
    arrived: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        if arrived:
            raise KeyboardInterrupt
        arrived.append(number)
        told()

    for number, handler in handlers.items():
        if handler != signal.SIG_IGN:
            signal.signal(number, note)
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
    if arrived:
        signal.raise_signal(arrived[0])
