"""Look at a match-up while it is played: the pairs of each look by cell, and the verdict on the contiguous prefix.

Looks are fixed stretches of pair ids within a block, the same however many workers there are. A verdict looks only at
blocks 0, 1, 2, ... up to the first that is missing: what arrives early does not count until all before it is there. The
order of arrival depends on how long matches take, which depends on who wins them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.bulk import CELLS
from sim.request import RunRequest
from sim.stats import MIN_TEST_PAIRS, SequentialTest, Verdict

Looks = Sequence[Sequence[int]]

_MOST_STEPS = 6  # levels that one side can win on both legs of a board
_STEP_SCORES = tuple(steps / 2 for steps in range(-_MOST_STEPS, _MOST_STEPS + 1))


def count_looks(request: RunRequest, pairs: Mapping[str, NDArray[Any]]) -> tuple[tuple[int, ...], ...]:
    """Count the pairs of a block by cell, look after look; nothing where no test is asked for.

    pairs: columns of the table as the bulk loop gives them. Cells of matches are LL, LD, MID, WD, WW, those of boards
    the net steps of both legs, -6 to 6.
    """
    if request.test is None:
        return ()
    of_boards = request.boards is not None
    cells = pairs["x_steps"].astype(np.int64) - pairs["y_steps"] + _MOST_STEPS if of_boards else pairs["cell"]
    number = len(_STEP_SCORES) if of_boards else len(CELLS)
    starts = range(0, len(cells), request.test.look_pairs)
    return tuple(
        tuple(int(count) for count in np.bincount(cells[k : k + request.test.look_pairs], minlength=number))
        for k in starts
    )


def sequential_test(request: RunRequest) -> SequentialTest:
    """Give the test that a request asks for; its cap is the number of pairs."""
    asked = request.test
    assert asked is not None
    cap = max(request.pairs, MIN_TEST_PAIRS)
    if request.boards is None:
        return SequentialTest(asked.elo0, asked.elo1, asked.alpha, asked.beta, cap=cap)
    return SequentialTest(asked.elo0, asked.elo1, asked.alpha, asked.beta, cap=cap, scores=_STEP_SCORES, even=0.0)


@dataclass(frozen=True, slots=True)
class Judgement:
    """Say what the prefix of a match-up tells. block: the last one that counts, once there is a verdict."""

    verdict: Verdict
    block: int | None

    @property
    def decided(self) -> bool:
        """Tell whether the test has passed or failed, so that no more need be played."""
        return self.verdict.state in ("accepted", "rejected")


class Prefix:
    """Gather the looks of one match-up as its blocks come in, in any order, and judge the contiguous ones."""

    def __init__(self, request: RunRequest) -> None:
        self._test = sequential_test(request)
        self._waiting: dict[int, Looks] = {}
        self._looks: list[Sequence[int]] = []
        self._block_of_look: list[int] = []
        self._next = 0
        self.judgement = Judgement(self._test.verdict([]), None)

    def add(self, number: int, looks: Looks) -> None:
        """Take the looks of a block; one that has come before changes nothing, nor does any after a verdict."""
        if number < self._next or self.judgement.decided:
            return
        self._waiting[number] = looks
        if number != self._next:
            return
        while self._next in self._waiting:
            got = self._waiting.pop(self._next)
            self._looks += got
            self._block_of_look += [self._next] * len(got)
            self._next += 1
        verdict = self._test.verdict(self._looks)
        ended = verdict.state in ("accepted", "rejected")
        self.judgement = Judgement(verdict, self._block_of_look[verdict.look or 0] if ended else None)
