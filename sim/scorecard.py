"""Judge rule sets against a reference: of every metric both values, the paired difference, the band set beforehand.

All rule sets of a run were played on the same pair ids by the same strategies. The family is all lines of one variant:
the intervals of its differences and of its own values hold together. A band was stored in the run before the first
block, and the interval of the variant lies inside it, outside, or straddles its edge.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from sim import comparing, sheets
from sim.comparing import Side
from sim.errors import Language, SimError
from sim.figures import Figure
from sim.measures import MEASURES
from sim.report_words import word
from sim.run_file import Run
from sim.sheets import Entry
from sim.stats import Estimate, NotEstimable, simultaneous_level
from sim.targets import Target

METRICS: Final = tuple(MEASURES)

Place = Literal["inside", "outside", "straddles", "open"]
"""Where the interval lies to the band; open where there is no interval."""


@dataclass(frozen=True, slots=True)
class Line:
    """Hold one metric; `band` and `place` are None without a target."""

    metric: str
    reference: Figure
    variant: Figure
    difference: Figure
    band: Target | None
    place: Place | None


@dataclass(frozen=True, slots=True)
class Card:
    """Hold the lines of one match-up under one variant. equal: both sides are one strategy, so that skill is out."""

    x: str
    y: str
    reference: str
    variant: str
    numbers: tuple[int, int]
    pairs: int
    equal: bool
    lines: tuple[Line, ...]


def cards(run: Run, reference: str | None = None) -> list[Card]:
    """Make the cards of a run: every match-up of the reference under every other rule set; equal strategies first.

    `SimError` for a run of one rule set, or a reference that it does not have.
    """
    rule_sets = list(dict.fromkeys(request.rules for request in run.requests))
    base = rule_sets[0] if reference is None else reference
    if base not in rule_sets:
        raise SimError("scorecard_reference", value=base, known=" ".join(rule_sets))
    if len(rule_sets) < 2:
        raise SimError("scorecard_one", folder=run.folder, rules=base)
    bands = {target.metric: target for target in run.aims.targets}
    found = []
    for variant in rule_sets:
        couples = [] if variant == base else _couples(run, base, variant)
        if not couples:
            continue
        level = simultaneous_level(2 * len(METRICS) * len(couples))
        found += [_card(run, one, two, level, bands) for one, two in couples]
    return found


def _couples(run: Run, base: str, variant: str) -> list[tuple[int, int]]:
    numbers = {(each.rules, each.names): number for number, each in enumerate(run.requests)}
    found = [
        (number, numbers[variant, names])
        for (rules, names), number in numbers.items()
        if rules == base and (variant, names) in numbers
    ]
    return sorted(found, key=lambda couple: run.requests[couple[0]].x != run.requests[couple[0]].y)


def _card(run: Run, one: int, two: int, level: float, bands: dict[str, Target]) -> Card:
    first, second = run.at(one), run.at(two)
    with comparing.opened((first, second)) as (counted_first, counted_second):
        sides = Side(second, counted_second), Side(first, counted_first)  # variant minus reference
        compared = comparing.between(*sides, METRICS, level)
        ids = np.intersect1d(counted_first.ids, counted_second.ids)
        lines = []
        for line in compared.differences:
            arrays = sides[0].arrays(line.measure, ids)
            value = arrays if isinstance(arrays, NotEstimable) else comparing.of_arrays(line.measure, *arrays, level)
            band = bands.get(line.measure)
            place = None if band is None else place_of(value, band)
            lines.append(Line(line.measure, line.second, value, line.difference, band, place))
    x, y = first.request.names
    equal = first.request.x == first.request.y
    return Card(x, y, first.request.rules, second.request.rules, (one, two), compared.pairs, equal, tuple(lines))


def place_of(value: Figure, band: Target) -> Place:
    """Say where the interval of a figure lies to its band."""
    if not isinstance(value, Estimate):
        return "open"
    if band.low <= value.lo and value.hi <= band.high:
        return "inside"
    return "outside" if value.hi < band.low or value.lo > band.high else "straddles"


def heads(language: Language) -> tuple[str, ...]:
    """Write the heads of the columns of `rows`."""
    return ("", *(word(name, language) for name in ("reference", "variant", "difference", "band", "place")), "n")


def rows(card: Card, language: Language) -> list[tuple[str, ...]]:
    """Write the lines of a card as cells; a metric that neither rule set shows is left out."""
    return [
        _cells(line, language)
        for line in card.lines
        if not all(isinstance(each, NotEstimable) for each in (line.reference, line.variant))
    ]


def _cells(line: Line, language: Language) -> tuple[str, ...]:
    measure = MEASURES[line.metric]
    form = comparing.form_of(line.metric)
    gap: sheets.Form = "gap" if measure.form == "rate" else "mean_gap"
    values = [
        Entry("", "", figure, written, measure.unit, "exogenous")
        for figure, written in ((line.reference, form), (line.variant, form), (line.difference, gap))
    ]
    shown = [f"{sheets.value(entry, language)} {sheets.interval(entry)}".rstrip() for entry in values]
    band = "" if line.band is None else band_text(line.band, measure.form == "rate")
    place = "" if line.place is None else word(f"band_{line.place}", language)
    label = comparing.measure_word(line.metric, language)
    return (label, *shown, band, place, sheets.sample(values[1], language))


def band_text(band: Target, share: bool) -> str:
    """Write a band as it was set."""
    if share:
        return f"{100 * band.low:g}–{100 * band.high:g}%"
    return f"{band.low:g}–{band.high:g}"


def title(card: Card, language: Language) -> str:
    """Name a card."""
    key = "card_equal" if card.equal else "card_title"
    return word(key, language, x=card.x, y=card.y, reference=card.reference, variant=card.variant, pairs=card.pairs)


def as_values(found: Sequence[Card]) -> list[dict[str, object]]:
    """Give cards as JSON values, numbers unrounded."""
    return [
        {
            "x": card.x,
            "y": card.y,
            "reference": card.reference,
            "variant": card.variant,
            "match_ups": list(card.numbers),
            "pairs": card.pairs,
            "equal_strategies": card.equal,
            "lines": [
                {
                    "metric": line.metric,
                    **{
                        name: figure_values(figure)
                        for name, figure in (
                            ("reference", line.reference),
                            ("variant", line.variant),
                            ("difference", line.difference),
                        )
                    },
                    "band": None if line.band is None else [line.band.low, line.band.high],
                    "place": line.place,
                }
                for line in card.lines
            ],
        }
        for card in found
    ]


def figure_values(figure: Figure) -> dict[str, object]:
    """Give a figure as JSON values."""
    if isinstance(figure, NotEstimable):
        return {"missing": figure.reason, "n": figure.events, "pairs": figure.units}
    return {"value": figure.value, "low": figure.lo, "high": figure.hi, "n": figure.events, "pairs": figure.units}
