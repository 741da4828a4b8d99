"""Say how far a run is from what lies in its place; whoever plays it is not asked."""

from __future__ import annotations

import itertools
import time
from dataclasses import dataclass

from sim import run_file, store
from sim.exclusions import excluded_blocks
from sim.looks import Judgement
from sim.places import Where
from sim.run import prefixes_of
from sim.run_file import Run
from sim.store import BlockRecord

_RECENT_SECONDS = 180.0
_LEAST_BLOCKS = 4
"""The speed is taken from the blocks of the last three minutes, and told from four on."""


@dataclass(frozen=True, slots=True)
class MatchUpStatus:
    """Say how far one match-up is.

    faults: faulty deals; seconds: processor time spent in its blocks; judgement: of its test, None without one;
    excluded: blocks that were played and are excluded, and pairs_excluded their pairs: in none of the other numbers.
    """

    x: str
    y: str
    rules: str
    pairs: int
    pairs_done: int
    matches_done: int
    faults: int
    seconds: float
    judgement: Judgement | None
    excluded: int = 0
    pairs_excluded: int = 0


@dataclass(frozen=True, slots=True)
class Status:
    """Say how far a run is.

    blocks, matches: what is to be played, less what a verdict has made needless and what is excluded
    owner: process that plays it, None if none does
    rate: matches a second over the last three minutes; None if nobody plays it, or few blocks came meanwhile
    """

    run: Run
    blocks: int
    blocks_done: int
    matches: int
    owner: str | None
    rate: float | None
    match_ups: tuple[MatchUpStatus, ...]

    @property
    def complete(self) -> bool:
        """Tell whether every block is committed."""
        return self.blocks_done == self.blocks

    @property
    def excluded(self) -> int:
        """Count the excluded blocks."""
        return sum(each.excluded for each in self.match_ups)

    @property
    def matches_done(self) -> int:
        """Count the matches that are committed."""
        return sum(each.matches_done for each in self.match_ups)

    @property
    def seconds_left(self) -> float | None:
        """Estimate the seconds to the end at the present speed; None where that is not known."""
        return (self.matches - self.matches_done) / self.rate if self.rate else None


def status_of(folder: Where) -> Status:
    """Read how far a run is. `SimError` for a folder that is no run, or a damaged record."""
    run = run_file.load(folder)
    records = store.records(folder)
    owner = store.writer_of(folder)
    excluded = excluded_blocks(run)
    prefixes = prefixes_of(run, records, excluded)
    match_ups, blocks, blocks_done, matches = [], 0, 0, 0
    for number, (request, legs) in enumerate(zip(run.requests, run.legs, strict=True)):
        own = [record for record in records if record.block.match_up == number]
        judgement = prefixes[number].judgement if number in prefixes else None
        last = request.blocks - 1 if judgement is None or judgement.block is None else judgement.block
        own = [record for record in own if record.block.number <= last and record.block not in excluded]
        out = [block for block in excluded if block.match_up == number]
        needless = [block for block in out if block.number <= last]
        blocks += last + 1 - len(needless)
        blocks_done += len(own)
        matches += (request.range_of(last).stop - sum(block.pairs for block in needless)) * legs
        match_ups.append(
            MatchUpStatus(
                *request.names,
                request.rules,
                request.pairs,
                sum(record.block.pairs for record in own),
                sum(record.matches for record in own),
                sum(store.rows_of(record, "faults") for record in own),
                sum(record.seconds for record in own),
                judgement,
                len(out),
                sum(block.pairs for block in out),
            )
        )
    rate = None if owner is None else _rate(folder, records)
    return Status(run, blocks, blocks_done, matches, owner, rate, tuple(match_ups))


def _rate(folder: Where, records: list[BlockRecord]) -> float | None:
    """Divide the matches of the last blocks by the time between their commits."""
    when = store.commit_times(folder)
    since = time.time() - _RECENT_SECONDS
    times = ((when[each.block.stem], each.matches) for each in records if each.block.stem in when)
    last = sorted(each for each in times if each[0] >= since)
    span = last[-1][0] - last[0][0] if len(last) >= _LEAST_BLOCKS else 0.0
    return sum(matches for _, matches in itertools.islice(last, 1, None)) / span if span > 0 else None
