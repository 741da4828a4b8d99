"""Sequential test of two hypotheses about a match-up (GSPRT), judged on the looks in their order.

The pairs of a test come in looks, numbered blocks of pairs. Only a contiguous run of looks from 0 on counts: the order
in which blocks arrive depends on how long their matches took, and that on who won, so a test that stopped on arrivals
would pass too often or too seldom. The verdict falls at the first look after which the log-likelihood ratio has crossed
a bound; later looks are surplus.
Sources: A. Wald 1945, Sequential Tests of Statistical Hypotheses; X. Li, J. Liu and Z. Ying 2014 (generalised ratio);
M. Van den Bergh, Comments on normalized Elo; the fishtest project (overshoot correction, characteristics).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, expm1, log, sqrt
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim.stats.likelihood import (
    CELL_SCORES,
    ELO_PER_T,
    PAIR_LEGS,
    Floats,
    Model,
    expected_score,
    llr,
    possible_cells,
)
from sim.stats.results import Interval, NotEstimable

MIN_TEST_PAIRS: Final = 16
"""Fewest pairs for which a test gives a verdict."""

VerdictState = Literal["accepted", "rejected", "undecided", "inconclusive"]
"""H1 accepted; H1 rejected; no bound crossed yet; the cap was reached without crossing one."""

Looks = Mapping[int, Sequence[int]] | Sequence[Sequence[int]]
"""Cells of the pairs of each look alone, low to high: a list from look 0 on, or by number in any order of arrival."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Say how a test stands after look number `look`: the log-likelihood ratio there, and the pairs that count.

    `look` is None while look 0 is missing. Pairs of looks after `look` are surplus.
    """

    state: VerdictState
    look: int | None
    llr: float
    pairs: int


@dataclass(frozen=True, slots=True)
class Characteristics:
    """Say what a test does at one true strength: how likely it accepts H1, and how many pairs it takes on average."""

    accept: float
    pairs: float


@dataclass(frozen=True, slots=True)
class SequentialTest:
    """Describe a test of H0: strength = elo0 against H1: strength = elo1, with error rates alpha and beta.

    `elo0` and `elo1` are in the unit of `model`: normalized Elo (the default: the length of a test then depends on them
    alone) or logistic Elo. `cap` is the number of pairs after which the test ends inconclusive. `scores` are the values
    of the cells of a unit and `even` the score of equal strength, so that boards of signed steps can be tested with
    scores -3, -2.5, ..., 3 and even 0; `legs` is the number of matches or deals of a unit. `corrected` brings the
    bounds nearer by the mean overshoot of the looks, as fishtest does.

    Raises ValueError for elo0 >= elo1, error rates outside (0, 1) or together 1 and more, a cap below 16 pairs, and
    cells that logistic Elo cannot have.

    >>> SequentialTest(0, 10).verdict([[118, 0, 254, 0, 128]] * 10).state
    'undecided'
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: Model = "normalized"
    cap: int | None = None
    scores: tuple[float, ...] = CELL_SCORES
    even: float = 0.5
    legs: int = PAIR_LEGS
    corrected: bool = False

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise ValueError(f"elo0 must be below elo1, got {self.elo0} and {self.elo1}")
        sprt_bounds(self.alpha, self.beta)
        if self.cap is not None and self.cap < MIN_TEST_PAIRS:
            raise ValueError(f"a cap below {MIN_TEST_PAIRS} pairs leaves nothing to judge, got {self.cap}")
        if self.model not in ("normalized", "logistic"):
            raise ValueError(f"a test has the model normalized or logistic, got {self.model}")
        if self.model == "logistic" and not (min(self.scores) >= 0 and max(self.scores) <= 1):
            raise ValueError(f"logistic Elo needs scores between 0 and 1, got {self.scores}")

    @property
    def bounds(self) -> Interval:
        """Give the two bounds of the log-likelihood ratio."""
        return sprt_bounds(self.alpha, self.beta)

    def llrs(self, counts: ArrayLike) -> Floats:
        """Give the log-likelihood ratio of each row of `counts` [..., cells], pairs by cell; 0 for an empty row."""
        table = np.asarray(counts)
        if table.shape[-1] != len(self.scores):
            raise ValueError(f"this test has {len(self.scores)} cells, got counts of shape {table.shape}")
        possible: NDArray[np.bool_] | bool = possible_cells(table) if self.scores == CELL_SCORES else True
        return llr(
            table, self.elo0, self.elo1, self.model, self.scores, even=self.even, legs=self.legs, possible=possible
        )

    def llr(self, counts: Sequence[int]) -> float | NotEstimable:
        """Give the log-likelihood ratio of `counts` [cells]; NotEstimable for fewer than two pairs.

        Where all pairs have one score the ratio exists all the same, while no Elo can be given.
        """
        pairs = sum(counts)
        if pairs < 2:
            return NotEstimable("one_unit" if pairs else "no_data", pairs, pairs)
        return float(self.llrs(counts))

    def decide(self, llrs: Floats, pairs: ArrayLike) -> tuple[NDArray[np.int8], NDArray[np.int64]]:
        """Find the first look that ends each of many tests.

        llrs: [..., looks], the ratio after each look; pairs: the same shape or [looks], the pairs until then. Returns
        (outcome, look), both [...]: outcome 1 accepted, -1 rejected, 0 the cap ended it, 2 still undecided, whose look
        is the last one.
        """
        counted = np.broadcast_to(np.asarray(pairs), llrs.shape)
        lower, upper = self.bounds.lo, self.bounds.hi
        over, under = (_mean_overshoot(llrs), _mean_overshoot(-llrs)) if self.corrected else (np.zeros(1), np.zeros(1))
        enough = counted >= MIN_TEST_PAIRS
        accepted, rejected = enough & (llrs >= upper - over), enough & (llrs <= lower + under)
        full = counted >= (np.inf if self.cap is None else self.cap)
        ended = accepted | rejected | full
        look = np.where(ended.any(-1), ended.argmax(-1), llrs.shape[-1] - 1)
        at = look[..., None]
        codes = np.select([accepted, rejected, full], [1, -1, 0], 2).astype(np.int8)
        return np.take_along_axis(codes, at, -1)[..., 0], look

    def trace(self, cells_by_look: Looks) -> tuple[Floats, NDArray[np.int64]]:
        """Give (ratio, pairs) after each look of the contiguous run from look 0, both [looks]."""
        looks = _prefix(cells_by_look)
        wrong = [len(cells) for cells in looks if len(cells) != len(self.scores)]
        if wrong:
            raise ValueError(f"this test has {len(self.scores)} cells, got a look of {wrong[0]}")
        counts = np.array(looks, np.int64).reshape(-1, len(self.scores))
        if (counts < 0).any():
            raise ValueError("counts of pairs are not negative")
        sums = counts.cumsum(0)
        return self.llrs(sums), sums.sum(-1)

    def verdict(self, cells_by_look: Looks) -> Verdict:
        """Judge the looks; the answer depends on their numbers, never on the order in which they arrived.

        cells_by_look: the pairs of each look alone, [looks, cells] or by look number; looks after a missing one wait.
        No verdict falls below 16 pairs. A bound crossed at the look that reaches the cap still counts. A look may be
        empty. Raises ValueError for a wrong number of cells, a negative count or look number.
        """
        ratios, pairs = self.trace(cells_by_look)
        if not len(ratios):
            return Verdict("undecided", None, 0.0, 0)
        outcome, look = (int(x) for x in self.decide(ratios, pairs))
        states: dict[int, VerdictState] = {1: "accepted", -1: "rejected", 0: "inconclusive", 2: "undecided"}
        return Verdict(states[outcome], look, float(ratios[look]), int(pairs[look]))

    def characteristics(self, elo: float, variance: float | None = None) -> Characteristics:
        """Give acceptance probability and mean length at the true strength `elo`, in the unit of the model.

        variance: of the score of a pair, needed for logistic Elo only. The ratio is taken for a Brownian motion, the
        bounds for hit exactly. Raises ValueError where the variance is needed and missing. Source: Wald 1945; the
        planning page of fishtest.
        """
        if self.model == "normalized":
            low, true, high = (x * sqrt(self.legs) / ELO_PER_T for x in (self.elo0, elo, self.elo1))
            spread = 1.0
        else:
            if variance is None or not variance > 0:
                raise ValueError(f"logistic Elo needs the variance of a pair, got {variance}")
            low, true, high = (float(expected_score(x)) for x in (self.elo0, elo, self.elo1))
            spread = variance
        h = (2 * true - low - high) / (high - low)
        a, b = self.bounds.lo, self.bounds.hi
        signal = (high - low) ** 2 / spread
        if abs(h) < 1e-9:
            return Characteristics(-a / (b - a), -a * b / signal)
        # Two forms of one formula, each without overflow on its side.
        accept = expm1(h * a) / expm1(-h * (b - a)) if h > 0 else exp(h * b) * expm1(-h * a) / expm1(h * (b - a))
        return Characteristics(accept, 2 / h * (b * accept + a * (1 - accept)) / signal)


def sprt_bounds(alpha: float, beta: float) -> Interval:
    """Give Wald's bounds ln(beta/(1 - alpha)) and ln((1 - beta)/alpha).

    Raises ValueError unless both are above 0 and together below 1. Source: Wald 1945, section 3.

    >>> sprt_bounds(0.05, 0.05)
    Interval(lo=-2.944438..., hi=2.944438...)
    """
    if not (alpha > 0 and beta > 0 and alpha + beta < 1):
        raise ValueError(f"error rates are above 0 and together below 1, got alpha {alpha} and beta {beta}")
    return Interval(log(beta / (1 - alpha)), log((1 - beta) / alpha))


def _mean_overshoot(llrs: Floats) -> Floats:
    """Estimate by how much the ratio oversteps an upper bound, from the sizes of its upward records so far.

    sum of squares / (2 sum) of the record increments, the mean residual of a renewal process. Source: fishtest,
    stat_util.py.
    """
    record = np.maximum.accumulate(np.maximum(llrs, 0.0), axis=-1)
    squares = (np.diff(record, axis=-1, prepend=0.0) ** 2).cumsum(-1)
    return np.asarray(np.where(record > 0, squares / (2 * np.where(record > 0, record, 1.0)), 0.0))


def _prefix(cells_by_look: Looks) -> list[Any]:
    if not isinstance(cells_by_look, Mapping):
        return list(cells_by_look)
    if min(cells_by_look, default=0) < 0:
        raise ValueError(f"looks are numbered from 0, got {min(cells_by_look)}")
    run: list[Any] = []
    while len(run) in cells_by_look:
        run.append(cells_by_look[len(run)])
    return run
