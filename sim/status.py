"""Say how far a run is from what lies in its folder; whoever plays it is not asked."""

from __future__ import annotations

import contextlib
import itertools
from dataclasses import dataclass
from pathlib import Path

from sim import store
from sim.store import BlockRecord, Run

_RECENT = 50
"""Blocks that the speed is taken from."""


@dataclass(frozen=True, slots=True)
class MatchUpStatus:
    """Say how far one match-up is. `seconds` is processor time spent in its blocks, `faults` counts faulty deals."""

    x: str
    y: str
    rules: str
    pairs: int
    pairs_done: int
    matches_done: int
    faults: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Status:
    """Say how far a run is.

    owner: process that plays it, None if none does
    rate: matches a second over the last blocks; None before two blocks, or if nobody plays it
    """

    run: Run
    blocks: int
    blocks_done: int
    owner: str | None
    rate: float | None
    match_ups: tuple[MatchUpStatus, ...]

    @property
    def complete(self) -> bool:
        """Tell whether every block is committed."""
        return self.blocks_done == self.blocks

    @property
    def matches_done(self) -> int:
        """Count the matches that are committed."""
        return sum(each.matches_done for each in self.match_ups)

    @property
    def seconds_left(self) -> float | None:
        """Estimate the seconds to the end at the present speed; None where that is not known."""
        return (self.run.matches - self.matches_done) / self.rate if self.rate else None


def status_of(folder: Path) -> Status:
    """Read how far a run is. `SimError` for a folder that is no run, or a damaged record."""
    run = store.load(folder)
    records = store.records(folder)
    owner = store.writer_of(folder)
    match_ups = []
    for number, request in enumerate(run.requests):
        own = [record for record in records if record.block.match_up == number]
        match_ups.append(
            MatchUpStatus(
                *request.names,
                request.rules,
                request.pairs,
                sum(record.block.pairs for record in own),
                sum(record.matches for record in own),
                sum(store.rows_of(record, "faults") for record in own),
                sum(record.seconds for record in own),
            )
        )
    blocks = sum(request.blocks for request in run.requests)
    rate = None if owner is None else _rate(folder, records)
    return Status(run, blocks, len(records), owner, rate, tuple(match_ups))


def _rate(folder: Path, records: list[BlockRecord]) -> float | None:
    """Divide the matches of the last blocks by the time between their commits."""
    times = []
    for record in records:
        with contextlib.suppress(OSError):
            times.append((store.record_path(folder, record.block).stat().st_mtime, record.matches))
    last = sorted(times)[-_RECENT:]
    span = last[-1][0] - last[0][0] if len(last) > 1 else 0.0
    return sum(matches for _, matches in itertools.islice(last, 1, None)) / span if span > 0 else None
