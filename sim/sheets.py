"""Lay figures out as sheets: lines with a key, a label, the figure and how it may be read.

Text, HTML, JSON and the page all write the lines of the same sheets with the same functions, so that they agree digit
by digit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from sim import glossary, report_words
from sim.errors import Language
from sim.figures import Figure
from sim.stats import ClusterSums, NotEstimable, PerPair, cluster_rate, cluster_ratio, enough

Form = Literal["rate", "mean", "gap", "mean_gap", "elo"]
"""How a figure is written: a share of one in per cent; a mean; a difference of shares, of means; Elo."""

Reading = Literal["exogenous", "endogenous", "counterfactual"]
READINGS: Final[tuple[Reading, ...]] = ("exogenous", "endogenous", "counterfactual")
"""Split by what is fixed before play, so that it may be read as a cause; by what play brought about, so that it is an
association; or the same position played again with one thing changed."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Hold one line: `key` is stable and without language; `pale` is no claim in its family."""

    key: str
    label: str
    figure: Figure
    form: Form
    unit: str
    reading: Reading
    note: str = ""
    pale: bool = False


@dataclass(frozen=True, slots=True)
class Sheet:
    """Hold lines under a title; `name` is stable. `remark` says what holds for all of them."""

    name: str
    title: str
    entries: tuple[Entry, ...]
    remark: str = ""


def rate_of(n: NDArray[Any], y: NDArray[Any], scale: int = 1) -> Figure:
    """Give a rate of y in n, whole numbers [pairs], with its interval, if there are enough pairs to show it."""
    return enough(cluster_rate(_sums(n, y), scale=scale))


def mean_of(n: NDArray[Any], y: NDArray[Any], scale: int = 1) -> Figure:
    """Give a mean of y over n, whole numbers [pairs], with its interval, if there are enough pairs to show it."""
    sums = _sums(n, y)
    return enough(cluster_ratio(sums, scale=scale) if sums.y else cluster_rate(sums, scale=scale))


def _sums(n: NDArray[Any], y: NDArray[Any]) -> ClusterSums:
    return ClusterSums.of(n.astype(np.int64), y.astype(np.int64))


def shown(figure: PerPair | NotEstimable) -> Figure:
    """Give a figure per pair with its interval, if there are enough pairs to show it."""
    return figure if isinstance(figure, NotEstimable) else enough(figure.estimate())


def value(entry: Entry, language: Language) -> str:
    """Write the value of a line, or why there is none."""
    if isinstance(entry.figure, NotEstimable):
        return glossary.reason(entry.figure, language)
    if entry.form == "rate":
        return glossary.rate(entry.figure, language)
    if entry.form == "mean":
        return glossary.mean(entry.figure, language)
    return glossary.gap(entry.figure, 1 if entry.form == "elo" else 2, language if entry.form == "gap" else None)


def interval(entry: Entry) -> str:
    """Write the interval of a line; nothing where there is no estimate."""
    if isinstance(entry.figure, NotEstimable):
        return ""
    if entry.form == "rate":
        return glossary.rate_interval(entry.figure)
    if entry.form == "mean":
        return glossary.mean_interval(entry.figure)
    return glossary.gap_interval(entry.figure, 1 if entry.form == "elo" else 2, share=entry.form == "gap")


def sample(entry: Entry, language: Language) -> str:
    """Write the size of the denominator with its unit."""
    return f"{glossary.whole(entry.figure.events)} {glossary.word(entry.unit, language)}"


HEADS: Final = ("", "value", "interval", "n", "pair", "reading", "")


def heads(language: Language) -> tuple[str, ...]:
    """Write the heads of the columns of `row`."""
    words = {"value": glossary.word, "interval": glossary.word, "pair": glossary.word, "reading": report_words.word}
    return tuple(words[head](head, language) if head in words else head for head in HEADS)


def row(entry: Entry, language: Language) -> tuple[str, ...]:
    """Write a line as cells: label, value, interval, n, pairs, reading, note."""
    return (
        entry.label,
        value(entry, language),
        interval(entry),
        sample(entry, language),
        glossary.whole(entry.figure.units),
        report_words.word(entry.reading, language),
        entry.note,
    )


def as_values(sheet: Sheet) -> dict[str, Any]:
    """Give a sheet as JSON values, numbers unrounded."""
    return {
        "name": sheet.name,
        "title": sheet.title,
        "remark": sheet.remark,
        "entries": [_entry_values(entry) for entry in sheet.entries],
    }


def _entry_values(entry: Entry) -> dict[str, Any]:
    figure = entry.figure
    return {
        "key": entry.key,
        "label": entry.label,
        "form": entry.form,
        "value": None if isinstance(figure, NotEstimable) else figure.value,
        "low": None if isinstance(figure, NotEstimable) else figure.lo,
        "high": None if isinstance(figure, NotEstimable) else figure.hi,
        "missing": figure.reason if isinstance(figure, NotEstimable) else None,
        "n": figure.events,
        "unit": entry.unit,
        "pairs": figure.units,
        "reading": entry.reading,
        "note": entry.note,
    }


def by_key(sheets: Sequence[Sheet]) -> Mapping[str, Entry]:
    """Find lines by their key."""
    return {entry.key: entry for sheet in sheets for entry in sheet.entries}
