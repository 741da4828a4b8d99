"""Try a match-up out before it is played: how fast it goes, how much it writes, and how large its blocks should be."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from sim import run_file, store
from sim.places import Where
from sim.request import MAX_BLOCKS, RunRequest
from sim.run import Played, block_tables, resolve

BLOCK_SECONDS: Final = 30.0
"""Work in a block of a long run: long beside what a commit costs, short beside what a lost worker costs."""

LEAST_BLOCKS: Final = 20
"""Blocks that a match-up has at the least, so that all processors are busy to its end."""

LARGEST_BLOCK: Final = 50_000
"""Pairs in a block at most: with every deal a row its buffers stay below 200 MB or so."""

_PILOT_SECONDS: Final = 0.25


@dataclass(frozen=True, slots=True)
class Pilot:
    """Say what playing `pairs` pairs took, on one processor, and the bytes of their rows by table."""

    pairs: int
    matches: int
    deals: int
    seconds: float
    bytes: Mapping[str, int]

    @property
    def pairs_a_second(self) -> float:
        """Give the speed on one processor."""
        return self.pairs / max(self.seconds, 1e-9)


def fly(request: RunRequest) -> Pilot:
    """Play the first pairs of a request, more each time, until a quarter of a second is full; nothing is kept.

    What a block costs besides its pairs (code that is loaded, a worker process that begins) is left out: the time of
    one pair is taken off. Raises `SimError` as playing does.
    """
    alone = min(_flight(request, 1)[1] for _ in range(2))
    n = 1
    while True:
        n = min(4 * n, request.pairs)
        played, seconds = _flight(request, n)
        more = seconds - alone
        if more >= _PILOT_SECONDS or n == request.pairs:
            sizes = {name: len(store.parquet_bytes(name, table)) for name, table in played.tables.items()}
            taken = max(more, seconds / 10) * n / (n - 1) if n > 1 else seconds
            return Pilot(n, played.matches, played.deals, taken, sizes)


def _flight(request: RunRequest, n: int) -> tuple[Played, float]:
    part = replace(request, pairs=n, block_pairs=n, earlier=())
    sides = resolve(part)
    began = time.monotonic()
    played = block_tables(part, sides, range(n), "pilot")
    assert played is not None  # nobody stops it
    return played, time.monotonic() - began


def block_pairs_for(request: RunRequest, pilot: Pilot) -> int:
    """Choose the pairs in a block: a round number (1, 2 or 5 times a power of ten) of some 30 seconds' work.

    Fewer where the match-up would else have less than 20 blocks, or a block more rows than memory should hold.
    """
    rest = request.pairs - sum(pairs for pairs, _ in request.earlier)
    most = min(pilot.pairs_a_second * BLOCK_SECONDS, rest / LEAST_BLOCKS, LARGEST_BLOCK)
    least = -(-rest // (MAX_BLOCKS // 2))
    return max(_round_down(most), least)


def _round_down(value: float) -> int:
    best = step = 1
    while step <= value:
        best = max(factor * step for factor in (1, 2, 5) if factor * step <= value)
        step *= 10
    return best


def cut(requests: Sequence[RunRequest], folder: Where) -> tuple[RunRequest, ...]:
    """Size the blocks of a run: as they are where the run is there already, else by a pilot of each match-up."""
    known = run_file.load(folder).requests if store.has_run(folder) else ()
    cuts = {(each.rules, each.x, each.y): each for each in known}
    found = []
    for request in requests:
        old = cuts.get((request.rules, request.x, request.y))
        if old is not None and old.pairs == request.pairs:
            found.append(replace(request, block_pairs=old.block_pairs, earlier=old.earlier))
        else:
            found.append(replace(request, block_pairs=block_pairs_for(request, fly(request))))
    return tuple(found)
