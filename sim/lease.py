"""Keep a second driver from writing the same run on an object store, which has no locks.

The lock is an object with its owner. It is put only if there is none, or over the version that was read, and renewed
while the run is written; one that was not renewed for `TERM` is left over from a crash and may be taken. The age is by
the date of the store and the clock of this machine. Should two drivers write after all (a clock wrong by a minute, a
driver that was stopped and goes on), no number is harmed: the blocks of both are the same, or the first commit counts;
and the one that lost the lock is told by the next `check`.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import socket
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from sim.errors import SimError
from sim.places import LOCK

if TYPE_CHECKING:
    from sim.objects import ObjectPlace

TERM = 60.0
"""Seconds without renewal after which a lease is left over."""

RENEWAL = 15.0
"""Seconds between renewals: three may fail."""

_held: set[str] = set()
"""Tokens of the leases that this process holds: one of its number that is not here was left by a process before it."""


@contextlib.contextmanager
def leasing(place: ObjectPlace) -> Iterator[Callable[[], None]]:
    """Hold the lease of a place; see `Place.writing`."""
    lease = _Lease(place)
    lease.take()
    thread = threading.Thread(target=lease.renew, name="lease", daemon=True)
    thread.start()
    try:
        yield lease.check
    finally:
        lease.release(thread)


def holder(place: ObjectPlace) -> str | None:
    """Name who holds the lease of a place; None if nobody does."""
    lease = _Lease(place)
    found, age, version = lease.read()
    return None if not version or lease.left_over(found, age) else _owner(found)


class _Lease:
    def __init__(self, place: ObjectPlace) -> None:
        self._place = place
        self._token = secrets.token_hex(8)
        self._host, self._process = socket.gethostname(), os.getpid()
        self._version: dict[str, str] | None = None
        self._lost_to = ""
        self._over = threading.Event()

    def take(self) -> None:
        _held.add(self._token)
        try:
            if not self._put("create"):
                found, age, version = self.read()
                if not self.left_over(found, age) or not self._put(version or "create"):
                    raise self._busy(_owner(self.read()[0]))
        except BaseException:
            _held.discard(self._token)
            raise

    def renew(self) -> None:
        while not self._over.wait(RENEWAL):
            with contextlib.suppress(SimError):  # the network may be back for the next one
                if not self._put(self._version):
                    self._lost_to = _owner(self.read()[0])
                    return

    def check(self) -> None:
        if self._lost_to:
            raise self._busy(self._lost_to)

    def release(self, thread: threading.Thread) -> None:
        """Mark the lease as ended: a removal could hit that of another who took it meanwhile."""
        self._over.set()
        thread.join(5.0)
        if not self._lost_to:
            with contextlib.suppress(SimError):
                self._put(self._version, ended=True)
        _held.discard(self._token)

    def _put(self, mode: Any, *, ended: bool = False) -> bool:
        content = {"host": self._host, "process": self._process, "token": self._token, "ended": ended}
        self._version = self._place.put(LOCK, json.dumps(content).encode(), mode) or self._mine()
        return self._version is not None

    def _mine(self) -> dict[str, str] | None:
        """Give the version that stands if it is ours after all: the answer to an earlier try was lost."""
        found, _, version = self.read()
        return version if found.get("token") == self._token else None

    def read(self) -> tuple[dict[str, Any], float, dict[str, str]]:
        try:
            data, meta, version = self._place.fetch(LOCK)
        except FileNotFoundError:  # nobody removes it but by hand
            return {}, 0.0, {}
        try:
            found = json.loads(data)
        except ValueError:
            found = {}
        age = (datetime.now(UTC) - meta["last_modified"]).total_seconds()
        return found if isinstance(found, dict) else {}, age, version

    def left_over(self, found: dict[str, Any], age: float) -> bool:
        if found.get("ended") is True or age > TERM:
            return True
        return found.get("host") == self._host and not _runs(found.get("process"), found.get("token"))

    def _busy(self, owner: str) -> SimError:
        return SimError("run_busy", folder=self._place.at(), owner=owner)


def _owner(found: dict[str, Any]) -> str:
    return f"{found.get('host', '?')} {found.get('process', '?')}"


def _runs(process: object, token: object) -> bool:
    """Tell whether a process of this machine still holds its lease."""
    if type(process) is not int or process <= 0:
        return True
    if process == os.getpid():
        return token in _held
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
