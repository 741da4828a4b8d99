"""Keep an eye on the process that plays for strategies which are not native, and replace it when it does not come back.

A hang, the end of the process, or memory beyond the limit costs the match in which it happened and nothing else: the
decision becomes a known fault, which is judged without asking, and the part is played again in a new process.
"""

from __future__ import annotations

import json
import mmap
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, astuple
from typing import IO, Any, Final

import numpy as np

from engine.bulk import Tables
from engine.strategy_faults import Decision, KnownFault, StrategyFaultError
from sim.errors import SimError
from sim.guarded import WATCH_BYTES, Job, Part, unpack_tables

PART_PAIRS, BATCH_PART_PAIRS = 64, 4096
"""Pairs that are asked for at once, which is what is played again after a fault; strategies that answer in batches are
asked for more, since no more tables than pairs can wait for them."""

_LOOK: Final = 0.05  # seconds between two looks at a busy process
_START_SECONDS: Final = 120.0  # to import and load
_END_SECONDS: Final = 5.0  # from the end of its pipe to its own


class AuthorError(Exception):
    """An author's own exception, as the text of its traceback in the other process."""


class _LostError(Exception):
    """The process did not come back; `reason` is a word of `engine.strategy_faults.REASONS`."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Guard:
    """One process at a time for one job; use `guarding`."""

    def __init__(self, job: Job, decision_seconds: float, part_pairs: int, watch: mmap.mmap) -> None:
        self._job, self._seconds, self._part_pairs, self._watch = job, decision_seconds, part_pairs, watch
        self._child: subprocess.Popen[bytes] | None = None

    def play(self, pairs: range, stop: bytearray | None, known_faults: Iterable[KnownFault] = ()) -> Tables | None:
        """Play pairs; None if `stop[0]` was set meanwhile. Raises StrategyFaultError where the job stops at faults.

        known_faults: decisions that are judged without asking.
        """
        parts, known = [], list(known_faults)
        for first in range(pairs.start, pairs.stop, self._part_pairs):
            n = min(self._part_pairs, pairs.stop - first)
            part = self._part(first, n, known, stop)
            if part is None:
                return None
            parts.append(part)
        return join_tables(parts)

    def _part(self, first: int, n: int, known: list[KnownFault], stop: bytearray | None) -> Tables | None:
        alone = False
        while True:
            mine = [fault for fault in known if first <= fault.at.pair < first + n]
            packed = tuple((*astuple(fault.at), fault.reason, fault.seat, fault.told) for fault in mine)
            try:
                return self._ask(Part(first, n, alone, packed), stop)
            except _LostError as lost:
                fault, many = self._where(lost.reason)
                self.close()
                if many and not alone:
                    alone = True
                    continue
                seen = {(each.at, each.seat, each.told) for each in mine}
                if (
                    (fault.at, fault.seat, fault.told) in seen
                    or not first <= fault.at.pair < first + n
                    or not fault.at.leg
                ):
                    raise SimError("worker_lost", reason=lost.reason) from None
                if self._job.on_fault == "stop":
                    raise StrategyFaultError(fault.at, fault.seat, lost.reason, told=fault.told) from None
                known.append(fault)

    def _where(self, reason: str) -> tuple[KnownFault, bool]:
        _, pair, leg, deal, decision, seat, told = np.frombuffer(self._watch, np.int64).tolist()
        return KnownFault(Decision(pair, leg, deal, decision), reason, seat, told == 1), told == 2

    def _ask(self, part: Part, stop: bytearray | None) -> Tables | None:
        child = self._child or self._start()
        assert child.stdin is not None
        assert child.stdout is not None
        with suppress(BrokenPipeError):  # it is gone: what it wrote last is read below
            child.stdin.write(json.dumps(asdict(part)).encode() + b"\n")
            child.stdin.flush()
        if not self._wait(child, child.stdout, stop):
            return None
        kind, data = _frame(child.stdout)
        if kind == b"T":
            return unpack_tables(data)
        if kind == b"F":
            told = json.loads(data)
            fault = StrategyFaultError(Decision(**told["at"]), told["seat"], told["reason"])
            raise fault from (AuthorError(told["traceback"]) if told["traceback"] else None)
        if kind == b"E":
            self.close()
            text = data.decode(errors="replace").strip()
            raise SimError("worker_failed", reason=text.splitlines()[-1]) from AuthorError(text)
        raise _LostError(self._how_it_ended(child))

    def _start(self) -> subprocess.Popen[bytes]:
        self._watch[:] = bytes(WATCH_BYTES)
        command = [sys.executable, "-m", "sim.guarded"]
        # A process group of its own: Ctrl-C in the terminal is for the parent, which then ends the child.
        self._child = child = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
        )
        assert child.stdin is not None
        with suppress(BrokenPipeError):
            child.stdin.write(json.dumps(asdict(self._job)).encode() + b"\n")
        return child

    def _wait(self, child: subprocess.Popen[bytes], out: IO[bytes], stop: bytearray | None) -> bool:
        """Wait until the process writes or ends; False if stopped. Raises _LostError when a decision takes too long."""
        asked, since = self._asked(), time.monotonic()
        while not select.select([out], [], [], _LOOK)[0]:
            if stop is not None and stop[0]:
                self.close()
                return False
            now = self._asked()
            if now != asked:
                asked, since = now, time.monotonic()
            limit = self._seconds if asked else max(self._seconds, _START_SECONDS)
            if time.monotonic() - since > limit:
                raise _LostError("time")
            if _has_ended(child) and not select.select([out], [], [], 0)[0]:  # what it began may hold the pipe open
                raise _LostError(self._how_it_ended(child))
        return True

    def _asked(self) -> int:
        return int.from_bytes(self._watch[:8], "little")

    def _how_it_ended(self, child: subprocess.Popen[bytes]) -> str:
        """Tell a process that the system ended for want of memory from one that ended by itself, or shut its pipe."""
        try:
            return "memory" if child.wait(_END_SECONDS) == -signal.SIGKILL else "died"
        except subprocess.TimeoutExpired:
            return "died"

    def close(self) -> None:
        """End the process, and what it has begun."""
        child, self._child = self._child, None
        if child is None:
            return
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, signal.SIGKILL)
        child.wait()
        for pipe in (child.stdin, child.stdout):
            if pipe is not None:
                with suppress(BrokenPipeError):
                    pipe.close()


@contextmanager
def guarding(job: Mapping[str, Any], decision_seconds: float, part_pairs: int = PART_PAIRS) -> Iterator[Guard]:
    """Open a guard for a job, given without its watched file; the process starts with the first part."""
    with tempfile.NamedTemporaryFile(prefix="guandan-watch-") as file:
        file.write(bytes(WATCH_BYTES))
        file.flush()
        with mmap.mmap(file.fileno(), WATCH_BYTES) as watch:
            guard = Guard(Job(**job, watch=file.name), decision_seconds, part_pairs, watch)
            try:
                yield guard
            finally:
                guard.close()


def _has_ended(child: subprocess.Popen[bytes]) -> bool:
    """Tell whether a process has ended, and leave it to be waited for."""
    return os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is not None


def _frame(out: IO[bytes]) -> tuple[bytes, bytes]:
    head = out.read(9)
    if len(head) < 9:
        return b"", b""
    size = int.from_bytes(head[1:], "little")
    data = out.read(size)
    return (head[:1], data) if len(data) == size else (b"", b"")


def join_tables(parts: list[Tables]) -> Tables:
    """Put the tables of consecutive parts together."""
    joined: dict[str, dict[str, np.ndarray[Any, Any]]] = {}
    for name in ("pairs", "matches", "deals", "faults"):
        columns = getattr(parts[0], name)
        joined[name] = {column: np.concatenate([getattr(part, name)[column] for part in parts]) for column in columns}
    style = parts[0].style
    for part in parts[1:]:
        style = None if style is None or part.style is None else style + part.style
    return Tables(**joined, done=sum(part.done for part in parts), style=style)
