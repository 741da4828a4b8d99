"""Match-win probability and length if deals were independent coin flips: an exact model of promotion (升级).

A state is (level of x, level of y, declarer, failed tries at A of x, of y). The model knows no cards: it is the curve
of comparison behind the level map and an oracle for the code that moves levels. Real deals are not independent.
Source: absorbing Markov chains, J. G. Kemeny and J. L. Snell 1960, chapter 3.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import sqrt
from typing import NamedTuple

import numpy as np

from sim.stats.results import NotEstimable

Steps = tuple[float, float, float]
"""Probabilities that a won deal earns 1, 2, 3 levels."""


class State(NamedTuple):
    """Say where a match stands between two deals. `declarer` is 0 for x, 1 for y, None before the first deal."""

    x_level: int
    y_level: int
    declarer: int | None
    x_fails: int
    y_fails: int


@dataclass(frozen=True, slots=True)
class LevelModel:
    """Describe coin-flip deals under the rules of promotion.

    x wins a deal with probability `p`, plus `tau` if it won the previous one, minus `tau` if it lost it. The winner
    rises by 1, 2 or 3 levels with the probabilities of its side, up to `top` (14 = A). The declarer at the top passes
    A (过A) with a win of at least `pass_steps`; any other result is a failed try, and after `fails_to_reset` of them
    (0: never) it starts again at `start` with no fails. A failed own try by a win of one step earns no level.
    Probabilities outside [0, 1] and steps that do not add up to 1 raise ValueError.
    """

    p: float
    x_steps: Steps
    y_steps: Steps
    tau: float = 0.0
    fails_to_reset: int = 0
    start: int = 2
    top: int = 14
    pass_steps: int = 2

    def __post_init__(self) -> None:
        if self.p - abs(self.tau) < 0 or self.p + abs(self.tau) > 1:
            raise ValueError(f"p +- tau must lie in [0, 1], got p = {self.p}, tau = {self.tau}")
        for steps in (self.x_steps, self.y_steps):
            if min(steps) < 0 or abs(sum(steps) - 1) > 1e-9:
                raise ValueError(f"step probabilities are not negative and add up to 1, got {steps}")

    def outcomes(self, state: State) -> Iterator[tuple[float, State | int]]:
        """Yield (probability, next state) of one deal; the side itself, 0 or 1, where it has won the match."""
        p = self.p if state.declarer is None else self.p + (self.tau if state.declarer == 0 else -self.tau)
        for winner, chance, shares in ((0, p, self.x_steps), (1, 1 - p, self.y_steps)):
            for steps, share in enumerate(shares, start=1):
                if chance * share > 0:
                    yield chance * share, self._after(state, winner, steps)

    def _after(self, state: State, winner: int, steps: int) -> State | int:
        levels = [state.x_level, state.y_level]
        fails = [state.x_fails, state.y_fails]
        declarer = state.declarer
        tries = declarer is not None and levels[declarer] == self.top
        if tries and winner == declarer and steps >= self.pass_steps:
            return winner
        if winner != declarer or not tries:
            levels[winner] = min(self.top, levels[winner] + steps)
        if tries and declarer is not None:
            fails[declarer] += 1
            if self.fails_to_reset == 0:
                fails[declarer] = 0  # without a limit the count changes nothing: keep the chain small
            elif fails[declarer] == self.fails_to_reset:
                levels[declarer], fails[declarer] = self.start, 0
        return State(levels[0], levels[1], winner, fails[0], fails[1])

    def solve(self) -> LevelSolution | NotEstimable:
        """Solve the chain from the start; NotEstimable if a match need not end."""
        first = State(self.start, self.start, None, 0, 0)
        index = {first: 0}
        queue = [first]
        moves: list[tuple[int, float, State | int]] = []
        for state in queue:  # grows while it is read: every state reachable from the start
            for chance, after in self.outcomes(state):
                moves.append((index[state], chance, after))
                if isinstance(after, State) and after not in index:
                    index[after] = len(queue)
                    queue.append(after)
        size = len(queue)
        within, wins, ends = np.zeros((size, size)), np.zeros(size), np.zeros(size, bool)
        for row, chance, after in moves:
            if isinstance(after, State):
                within[row, index[after]] += chance
            else:
                wins[row] += chance * (after == 0)
                ends[row] = True
        for _ in range(size):
            reach = ends | (within @ ends > 0)
            if (reach == ends).all():
                break
            ends = reach
        if not ends.all():
            return NotEstimable("no_end")
        system = np.eye(size) - within
        win = np.linalg.solve(system, wins)
        length = np.linalg.solve(system, np.ones(size))
        squared = np.linalg.solve(system, 1 + 2 * within @ length)
        sd = sqrt(max(0.0, squared[0] - length[0] ** 2))
        return LevelSolution(float(win[0]), float(length[0]), sd, dict(zip(queue, win.tolist(), strict=True)))


@dataclass(frozen=True, slots=True)
class LevelSolution:
    """Hold the exact answers: probability that x wins the match, mean and sd of its number of deals, and by state."""

    win: float
    mean_deals: float
    sd_deals: float
    by_state: Mapping[State, float] = field(repr=False)
