"""Play pairs in a process of its own, for strategies that are not native: it may hang, die or eat memory.

`python -m sim.guarded` reads JSON lines from stdin: first the `Job`, then a `Part` a line. For every part it writes one
frame to stdout: a letter, eight bytes of length, and as many bytes. T: tables as named columns of integers (nothing
pickled); F: the fault at which the call stopped, as JSON; E: what went wrong, as text. What the authors' code prints
goes to stderr. sim.guard is the other end.
"""

from __future__ import annotations

import contextlib
import json
import mmap
import os
import resource
import signal
import threading
import traceback
from dataclasses import asdict, dataclass
from typing import BinaryIO, TextIO

import numpy as np

from engine.batch import TABLES
from engine.bulk import Detail, OnFault, Tables, play_pairs
from engine.context import Context
from engine.rules import NATIONAL, change_rules
from engine.strategy_faults import Decision, KnownFault, StrategyFaultError
from engine.style import Style
from strategies import registry
from strategies.registry import NativeStrategy

WATCH_BYTES = 56
"""gd_fault.h, gd_watch: seven int64."""


@dataclass(frozen=True, slots=True)
class Job:
    """Say what is played: names of strategies, switches of the rules, what is kept; memory in MB; the watched file."""

    x: str
    y: str
    switches: dict[str, object]
    seed: int
    detail: Detail
    style: bool
    boards: tuple[str, ...] | None
    on_fault: OnFault
    memory_mb: int
    watch: str


@dataclass(frozen=True, slots=True)
class Part:
    """Ask for pairs first .. first + n - 1, with the faults that are known: fields of Decision, then of KnownFault.

    alone: one that answers in batches is asked for a table at a time, so that it shows at which it fails.
    """

    first: int
    n: int
    alone: bool = False
    known: tuple[tuple[int, int, int, int, str, int, bool], ...] = ()


def pack_tables(tables: Tables) -> bytes:
    """Write tables as a line of JSON, which names the columns, and the columns behind each other.

    An .npz of a small part takes fifty times as long, which is more than native play of it.
    """
    columns = [
        (name, column, np.ascontiguousarray(values))
        for name in ("pairs", "matches", "deals", "faults")
        for column, values in getattr(tables, name).items()
    ]
    if tables.style is not None:
        columns.append(("style", "sums", tables.style.sums))
    named = [(name, column, values.dtype.str, len(values)) for name, column, values in columns]
    head = json.dumps({"done": tables.done, "columns": named}).encode()
    return b"".join([head, b"\n", *(values.tobytes() for _, _, values in columns)])


def unpack_tables(data: bytes) -> Tables:
    """Read what `pack_tables` wrote; the columns are views of it and cannot be written to."""
    head = json.loads(data[: data.index(b"\n")])
    found: dict[str, dict[str, np.ndarray]] = {"pairs": {}, "matches": {}, "deals": {}, "faults": {}, "style": {}}
    at = data.index(b"\n") + 1
    for name, column, dtype, rows in head["columns"]:
        found[name][column] = values = np.frombuffer(data, np.dtype(dtype), rows, at)
        at += values.nbytes
    sums = found.pop("style").get("sums")
    return Tables(**found, done=int(head["done"]), style=None if sums is None else Style(sums))


def _limit_memory(megabytes: int) -> None:
    """Let the process grow by so much from here; beyond it Python raises MemoryError."""
    try:
        with open("/proc/self/statm") as handle:
            used = int(handle.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:  # no Linux: the whole process is counted
        used = 0
    with contextlib.suppress(ValueError, OSError):  # a lower limit is set already
        resource.setrlimit(resource.RLIMIT_AS, (used + megabytes * 2**20, resource.RLIM_INFINITY))


def _end_with_parent(parent: int) -> None:
    """End when the parent is gone, however it went; it may not be able to say so."""
    while os.getppid() == parent:
        threading.Event().wait(1.0)
    os.killpg(0, signal.SIGKILL)


def _keep_to_oneself() -> tuple[TextIO, BinaryIO]:
    """Give the pipes from and to the parent, which the authors' code, and what it forks, does not see as 0 and 1."""
    lines, out = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)

    def shut() -> None:
        os.dup2(nothing, lines.fileno())
        os.dup2(nothing, out.fileno())

    os.register_at_fork(after_in_child=shut)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    return lines, out


def _send(out: BinaryIO, kind: bytes, data: bytes) -> None:
    out.write(kind + len(data).to_bytes(8, "little") + data)
    out.flush()


def _play(job: Job, part: Part, sides: tuple[NativeStrategy, NativeStrategy], watch: mmap.mmap, out: BinaryIO) -> None:
    try:
        tables = play_pairs(
            *sides,
            change_rules(NATIONAL, job.switches),
            job.seed,
            range(part.first, part.first + part.n),
            detail=job.detail,
            style=job.style,
            contexts=None if job.boards is None else [Context.parse(line) for line in job.boards],
            on_fault=job.on_fault,
            known_faults=[KnownFault(Decision(*each[:4]), *each[4:]) for each in part.known],
            watch=watch,
            tables=1 if part.alone else TABLES,
        )
        _send(out, b"T", pack_tables(tables))
    except StrategyFaultError as fault:
        cause = fault.__cause__
        text = "".join(traceback.format_exception(cause)) if cause else ""
        told = {"at": asdict(fault.at), "seat": fault.seat, "reason": fault.reason, "traceback": text}
        _send(out, b"F", json.dumps(told).encode())


def main() -> None:
    """Serve one parent until its lines end."""
    lines, out = _keep_to_oneself()
    threading.Thread(target=_end_with_parent, args=(os.getppid(),), daemon=True).start()
    given = json.loads(lines.readline())
    if given["boards"] is not None:
        given["boards"] = tuple(given["boards"])
    job = Job(**given)
    with open(job.watch, "r+b") as handle:
        watch = mmap.mmap(handle.fileno(), WATCH_BYTES)
    try:
        sides = registry.load(job.x), registry.load(job.y)
        _limit_memory(job.memory_mb)
        for line in lines:
            part = Part(**json.loads(line))
            _play(job, part, sides, watch, out)
    except Exception:
        _send(out, b"E", traceback.format_exc().encode())
        raise SystemExit(1) from None


if __name__ == "__main__":
    main()
