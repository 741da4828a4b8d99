"""Compare match-ups that were played on the same pair ids: differences pair by pair, drawn as one family.

The deals of equal pair ids are equal, whatever the strategies and the rules, so part of the luck falls out of a
difference; how much is estimated, never assumed. Compared is what has a strategy in common: two against the same
opponent, or one pair of strategies under two rule sets.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim import glossary, report_words, run_file, sheets
from sim.errors import Language, SimError
from sim.figures import Figure
from sim.measures import MEASURES, Counted
from sim.places import place
from sim.reading import open_tables, snapshot
from sim.report_words import word
from sim.run_file import Run
from sim.sheets import Entry, Form, Sheet
from sim.stats import (
    ClusterSums,
    Estimate,
    NotEstimable,
    PerPair,
    cluster_rate,
    cluster_ratio,
    duplicate,
    enough,
    mean_student,
    ratio_per_pair,
    simultaneous_level,
)

USUAL = ("score", "deal_win", "signed_steps", "deals_per_match")
OF_X = ("score", "deal_win", "signed_steps", "seat")
"""Measures that are of side x; all others are of both sides together."""


def places(words: Sequence[str]) -> list[Run]:
    """Find the match-ups that words name: FOLDER, FOLDER:NUMBER, or a number alone, which is of the folder before it.

    A folder that is followed by numbers stands for them; else it stands for its only match-up. Raises `SimError` for a
    folder that is no run, a number that it has not, and a run of several match-ups without a number.
    """
    found: list[Run] = []
    run: Run | None = None
    waiting = False
    for text in words:
        folder, colon, number = text.rpartition(":")
        if text.isdecimal() and run is not None and not Path(text).is_dir():
            found.append(run.at(int(text)))
            waiting = False
            continue
        if waiting and run is not None:
            found.append(_only(run))
        if colon and number.isdecimal() and not Path(text).exists():
            run = run_file.load(place(folder))
            found.append(run.at(int(number)))
            waiting = False
        else:
            run = run_file.load(place(text))
            waiting = True
    if waiting and run is not None:
        found.append(_only(run))
    return found


def _only(run: Run) -> Run:
    if len(run.requests) > 1:
        raise SimError("compare_which", folder=run.folder, last=len(run.requests) - 1, example=f"{run.folder}:0")
    return run


class Side:
    """Hold a match-up that is compared, its measures turned so that they speak of one strategy."""

    def __init__(self, run: Run, counted: Counted, *, turned: bool = False) -> None:
        self.run, self.counted, self.turned = run, counted, turned

    @property
    def label(self) -> str:
        """Name the match-up, the strategy that is spoken of first."""
        x, y = self.run.request.names
        return f"{y if self.turned else x} v {x if self.turned else y} · {self.run.request.rules}"

    def arrays(self, name: str, ids: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]] | NotEstimable:
        """Give n and y of a measure along some of the pairs."""
        found = self.counted.measure(name)
        if isinstance(found, NotEstimable):
            return found
        at = np.searchsorted(self.counted.ids, ids)
        n, y = found[0][at], found[1][at]
        if self.turned and name in OF_X:
            y = MEASURES[name].scale * n - y if name in ("score", "deal_win") else -y
        return n, y


@dataclass(frozen=True, slots=True)
class Difference:
    """Hold one measure of two match-ups: both values on the common pairs, and first minus second, simultaneous."""

    measure: str
    first: Figure
    second: Figure
    difference: Figure


@dataclass(frozen=True, slots=True)
class Comparison:
    """Hold the differences of two match-ups over their common pairs."""

    first: str
    second: str
    pairs: int
    differences: tuple[Difference, ...]


@contextmanager
def opened(runs: Sequence[Run]) -> Iterator[list[Counted]]:
    """Open the tables of several match-ups."""
    with ExitStack() as stack:
        yield [
            Counted(
                stack.enter_context(open_tables(snapshot(run.folder, run.match_up))),
                boards=run.request.boards is not None,
            )
            for run in runs
        ]


def compare(runs: Sequence[Run], names: Sequence[str]) -> list[Comparison]:
    """Compare the first match-up with each of the others; the intervals of all differences hold together.

    Raises `SimError` for fewer than two match-ups, other deals, and match-ups without a strategy or a pair in common.
    """
    if len(runs) < 2:
        raise SimError("compare_two")
    with opened(runs) as counted:
        couples = []
        for other, own in zip(runs[1:], counted[1:], strict=True):
            turns = turned(runs[0], other)
            couples.append((Side(runs[0], counted[0], turned=turns[0]), Side(other, own, turned=turns[1])))
        level = simultaneous_level(len(names) * len(couples))
        return [between(one, two, names, level) for one, two in couples]


def turned(one: Run, two: Run) -> tuple[bool, bool]:
    """Say for each of two match-ups whether y is spoken of instead of x; `SimError` where they cannot be compared."""
    first, second = one.request, two.request
    shown = {"first": f"{one.folder}:{one.match_up}", "second": f"{two.folder}:{two.match_up}"}
    if (one.folder, one.match_up) == (two.folder, two.match_up):
        raise SimError("compare_itself", **shown)
    if first.seed != second.seed or first.boards != second.boards:
        raise SimError("compare_deals", **shown)
    if first.names == second.names:
        return False, False
    if first.names == second.names[::-1]:
        return False, True
    common = [name for name in first.names if name in second.names]
    if not common:
        raise SimError("compare_strategies", **shown)
    return first.names[0] == common[0], second.names[0] == common[0]


def between(one: Side, two: Side, names: Sequence[str], level: float) -> Comparison:
    """Compare two match-ups on their common pairs; `SimError` where there are none."""
    ids = np.intersect1d(one.counted.ids, two.counted.ids)
    if not len(ids):
        shown = [f"{side.run.folder}:{side.run.match_up}" for side in (one, two)]
        raise SimError("compare_pairs", first=shown[0], second=shown[1])
    return Comparison(one.label, two.label, len(ids), tuple(_difference(one, two, name, ids, level) for name in names))


def _difference(one: Side, two: Side, name: str, ids: NDArray[Any], level: float) -> Difference:
    first, second = one.arrays(name, ids), two.arrays(name, ids)
    if isinstance(first, NotEstimable) or isinstance(second, NotEstimable):
        missing = first if isinstance(first, NotEstimable) else second
        assert isinstance(missing, NotEstimable)
        values = [each if isinstance(each, NotEstimable) else of_arrays(name, *each) for each in (first, second)]
        return Difference(name, values[0], values[1], missing)
    scale = MEASURES[name].scale
    a, b = ratio_per_pair(*first, scale=scale), ratio_per_pair(*second, scale=scale)
    gap: Figure = NotEstimable("no_data")
    if isinstance(a, PerPair) and isinstance(b, PerPair):
        gap = enough(replace(a - b, events=a.events + b.events).estimate(level))
        if isinstance(gap, Estimate) and gap.se == 0:
            gap = NotEstimable("no_variation", gap.units, gap.events)
    return Difference(name, of_arrays(name, *first), of_arrays(name, *second), gap)


def of_arrays(name: str, n: NDArray[Any], y: NDArray[Any], level: float = 0.95) -> Figure:
    """Give a measure with its own interval, the same as where it is shown alone: of pairs, Student's."""
    n, y = n.astype(np.int64), y.astype(np.int64)
    if name == "score":
        sums, number = np.unique(y, return_counts=True)
        results = {(min(int(both), 2), max(int(both) - 2, 0)): int(k) for both, k in zip(sums, number, strict=True)}
        return enough(duplicate(results, level).score)
    if name == "seat":
        seat = mean_student(len(y), int(y.sum()), int((y * y).sum()), level, scale=4)
        alike = isinstance(seat, Estimate) and seat.se == 0
        return NotEstimable("no_variation", len(y), len(y)) if alike else enough(seat)
    rated = MEASURES[name].form == "rate"
    return enough((cluster_rate if rated else cluster_ratio)(ClusterSums.of(n, y), level, scale=MEASURES[name].scale))


def form_of(name: str) -> Form:
    """Say how a measure is written."""
    return "gap" if name == "seat" else MEASURES[name].form


def as_sheets(found: Sequence[Comparison], language: Language) -> list[Sheet]:
    """Write comparisons as sheets: of each measure the difference, the two values in the note."""
    written = []
    for number, each in enumerate(found):
        entries = []
        for line in each.differences:
            form = form_of(line.measure)
            values = [
                Entry("", "", value, form, MEASURES[line.measure].unit, "exogenous")
                for value in (line.first, line.second)
            ]
            note = " ; ".join(f"{sheets.value(value, language)} {sheets.interval(value)}".rstrip() for value in values)
            entries.append(
                Entry(
                    f"compare {number} {line.measure}",
                    measure_word(line.measure, language),
                    line.difference,
                    "gap" if MEASURES[line.measure].form == "rate" else "mean_gap",
                    MEASURES[line.measure].unit,
                    "exogenous",
                    note,
                )
            )
        title = word("compare_title", language, first=each.first, second=each.second)
        written.append(
            Sheet(f"compare {number}", title, tuple(entries), word("compare_remark", language, pairs=each.pairs))
        )
    return written


def measure_word(name: str, language: Language) -> str:
    """Name a measure."""
    if name in report_words.WORDS:
        return word(name, language)
    if name.startswith("next_win_"):
        return f"{glossary.word('next_win', language)} · {glossary.word(name.removeprefix('next_win_'), language)}"
    of_a = f"{glossary.word('pass_a', language)} · " if name.startswith("a_") and name != "a_tries" else ""
    return of_a + glossary.word(name, language)
