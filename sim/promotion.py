"""Answer how levels move (升级): steps by level, the map of levels, snowball, comeback, who leads, how long it takes.

What lies in `cubes/` is there for every run; the rest needs `matches/` or `deals/`, and is left out without them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import isclose
from typing import Final

import numpy as np

from sim import counts, glossary
from sim.cube_sums import CubeSums
from sim.cubes import BEHIND
from sim.errors import Language
from sim.figures import SIDES, STEPS, Figure, Headline
from sim.measures import MEASURES, Counted
from sim.report_words import word
from sim.sheets import Entry, Form, Reading, Sheet, mean_of, rate_of, shown
from sim.stats import LevelSolution, NotEstimable, PerPair, State, quantile, ratio_per_pair

LEVELS: Final = tuple(range(2, 15))
QUANTILES: Final = (Fraction(1, 20), Fraction(1, 4), Fraction(1, 2), Fraction(3, 4), Fraction(19, 20))
DECIDED: Final = 0.9
"""Chance to win from which on a match counts as decided."""

_NEXT: Final = """
select pair, declarer, tribute, count(*), count(*) filter (winner = 'x')
from fair_deals where declarer is not null group by all
"""
_FIRST_DEAL: Final = """
select pair, count(*), count(*) filter (winner = if((lead_seat + leg) % 2 = 1, 'x', 'y'))
from fair_deals where deal = 1 group by pair
"""
_VALUED: Final = """
with valued as (
    select pair, leg, deal, if(points = 2, v, 1 - v) as own, v, points
    from (select pair, leg, deal, x_level_before as x, y_level_before as y, coalesce(declarer, 'nobody') as declarer,
                 if(leg = 1, x_half_points_1, x_half_points_2) as points
          from deals join (select pair, x_half_points_1, x_half_points_2 from pairs) using (pair))
         join (select * from (values {values}) as model(x, y, declarer, v)) using (x, y, declarer)),
ended as (
    select pair, leg, count(*) as deals, sum(abs(v - 0.5)) as away,
           max(deal) - coalesce(max(deal) filter (own < {decided}), 0) as after, any_value(points) as points
    from valued group by pair, leg)
"""
_MODEL_SIDES: Final = ((0, "x"), (1, "y"), (None, "nobody"))


def level_word(level: int) -> str:
    """Write a level as players do."""
    return {11: "J", 12: "Q", 13: "K", 14: "A"}.get(level, str(level))


def steps_sheet(cubes: CubeSums, head: Headline, language: Language) -> Sheet:
    """Give the levels earned by won deals, of each side, over all deals and by the level played."""
    names, entries = glossary.side_names(head.x, head.y), []
    for side in SIDES:
        for level in ("all", *map(str, LEVELS)):
            played = (
                word("all_levels", language) if level == "all" else word("at", language, level=level_word(int(level)))
            )
            for step in STEPS:
                figure = head.steps[side][step] if level == "all" else cubes.rate("steps", f"{side} {level}", step)
                label = f"{names[side]} · {played} · {glossary.word(f'steps_{step}', language)}"
                if figure.events or level == "all":
                    entries.append(Entry(f"steps {side} {level} {step}", label, figure, "rate", "deal", "endogenous"))
    return Sheet("steps", glossary.word("promotion", language), tuple(entries))


@dataclass(frozen=True, slots=True)
class LevelCell:
    """Hold the chance of x to win the match from a pair of levels, beside that of the model; None where it has none."""

    x: int
    y: int
    figure: Figure
    model: float | None


def level_map(counted: Counted, cubes: CubeSums, model: LevelSolution | NotEstimable) -> list[LevelCell]:
    """Give the match score of x by levels before a deal, for those that occurred."""
    declared = {}
    if counted.has("repeat"):
        declared = {(x, y): numbers for x, y, *numbers in counted.tables.rows(counts.declarers(counts.EVERYTHING))}
    found = []
    for part in cubes.parts("level_map"):
        x, y = (int(level) for level in part.split())
        value = model_value(model, x, y, declared.get((x, y)))
        found.append(LevelCell(x, y, cubes.score("level_map", part), value))
    return sorted(found, key=lambda cell: (cell.x, cell.y))


def model_value(model: LevelSolution | NotEstimable, x: int, y: int, declared: Sequence[int] | None) -> float | None:
    """Average the model over who declares (x, y, nobody), as often as each did; None for what it cannot say.

    Without knowing who declared there is a value where it makes no difference.
    """
    if isinstance(model, NotEstimable):
        return None
    values = [model.by_state.get(State(x, y, side, 0, 0)) for side in (0, 1, None)]
    if declared is None:
        known = [value for value in values if value is not None]
        return known[0] if known and all(isclose(value, known[0]) for value in known) else None
    weighed = [(count, value) for count, value in zip(declared, values, strict=True) if count > 0]
    if not weighed or any(value is None for _, value in weighed):
        return None
    return sum(count * value for count, value in weighed if value is not None) / sum(count for count, _ in weighed)


def map_sheet(cells: Sequence[LevelCell], head: Headline, language: Language) -> Sheet:
    """Write the level map as lines, the model in the note."""
    names, entries = glossary.side_names(head.x, head.y), []
    for cell in cells:
        label = f"{names['x']} {level_word(cell.x)} · {names['y']} {level_word(cell.y)}"
        note = "" if cell.model is None else f"{word('model', language)} {glossary.percent(cell.model)}"
        entries.append(Entry(f"level_map {cell.x} {cell.y}", label, cell.figure, "rate", "deal", "endogenous", note))
    title = word("level_map", language, x=names["x"])
    return Sheet("level_map", title, tuple(entries))


def flow_sheet(
    counted: Counted, cubes: CubeSums, head: Headline, model: LevelSolution | NotEstimable, language: Language
) -> Sheet:
    """Give snowball, comeback, first leader, first to A, lead changes and decisiveness."""
    entries: list[Entry] = []
    names = glossary.side_names(head.x, head.y)

    def add(
        key: str, label: str, figure: Figure, form: Form, unit: str = "match", reading: Reading = "endogenous"
    ) -> None:
        if figure.events:
            entries.append(Entry(key, label, figure, form, unit, reading))

    def measured(name: str, reading: Reading = "endogenous") -> None:
        found = counted.measure(name)
        if not isinstance(found, NotEstimable):
            measure = MEASURES[name]
            figure = (rate_of if measure.form == "rate" else mean_of)(*found, measure.scale)
            add(name, word(name, language), figure, measure.form, measure.unit, reading)

    for side in SIDES:
        again = cubes.rate("next_win", f"all {side}", "won")
        add(f"again {side}", f"{names[side]} · {word('again', language)}", again, "rate", "deal")
    if counted.has("repeat"):
        for kind, figure in snowball(counted).items():
            label = word("snowball", language)
            if kind != "all":
                label += f" · {glossary.word(kind, language)}"
            add(f"snowball {kind}", label, shown(figure), "gap", "deal")
    for side in SIDES:
        for least in BEHIND:
            label = f"{names[side]} · {word('comeback', language, levels=least)}"
            add(f"comeback {side} {least}", label, cubes.score("comeback", f"{side} {least}"), "rate")
    if counted.has("repeat"):
        label = word("first_leader_deal", language)
        add("first_leader_deal", label, rate_of(*counted.arrays(_FIRST_DEAL)), "rate", "deal", "exogenous")
    measured("first_leader", "exogenous")
    for side in SIDES:
        label = f"{names[side]} · {word('first_to_a', language)}"
        add(f"first_to_a {side}", label, cubes.score("first_at_a", side), "rate")
    measured("both_at_a")
    measured("lead_changes")
    if counted.has("repeat") and isinstance(model, LevelSolution):
        away, after = decisiveness(counted, model)
        add("decisiveness", word("decisiveness", language), shown(away), "rate", "deal")
        add("dead_time", word("dead_time", language), shown(after), "rate", "deal")
    return Sheet(
        "flow", word("flow", language), tuple(entries), "" if counted.has("repeat") else word("no_deals", language)
    )


def snowball(counted: Counted) -> dict[str, PerPair | NotEstimable]:
    """Give P(x wins a deal | x won the last) - P(x wins it | y won the last), for all deals and by kind of tribute.

    It is the same number for side y. Between unequal sides it holds the same meaning: the strengths fall out.
    """
    rows = counted.tables.rows(_NEXT)
    kinds: dict[str, tuple[str, ...]] = {
        "all": ("none", "single", "double", "single_refused", "double_refused"),
        "single": ("single",),
        "double": ("double",),
        "refused": ("single_refused", "double_refused"),
    }
    found: dict[str, PerPair | NotEstimable] = {}
    for kind, tributes in kinds.items():
        sides = []
        for side in SIDES:
            own = [row for row in rows if row[1] == side and row[2] in tributes]
            at = np.searchsorted(counted.ids, np.array([row[0] for row in own], np.int64))
            n, y = (np.bincount(at, [row[k] for row in own], len(counted.ids)) for k in (3, 4))
            sides.append(ratio_per_pair(n, y))
        x, y_side = sides
        if isinstance(x, NotEstimable) or isinstance(y_side, NotEstimable):
            found[kind] = NotEstimable("no_data")
        else:
            found[kind] = replace(x - y_side, events=x.events + y_side.events)
    return found


def decisiveness(counted: Counted, model: LevelSolution) -> tuple[PerPair | NotEstimable, PerPair | NotEstimable]:
    """Give the mean distance of the model's chance from one half, and the share of deals played after the decision.

    A match is decided at the first deal from which on the winner's chance, before a deal, stays at 0.9 or above.
    """
    names = dict(_MODEL_SIDES)
    values = ", ".join(
        f"({state.x_level}, {state.y_level}, '{names[state.declarer]}', {chance!r}::double)"
        for state, chance in model.by_state.items()
        if state.x_fails == state.y_fails == 0
    )
    valued = _VALUED.format(values=values, decided=DECIDED)
    away = counted.ratio(f"{valued} select pair, sum(deals), sum(away) from ended group by pair")
    after = counted.ratio(f"{valued} select pair, sum(deals), sum(after) from ended where points <> 1 group by pair")
    return away, after


def length_sheet(counted: Counted, cubes: CubeSums, head: Headline, language: Language) -> Sheet:
    """Give deals a match, long matches, and in the remark the quantiles of the histogram."""
    deals = Entry(
        "deals_per_match",
        glossary.word("deals_per_match", language),
        head.length.deals,
        "mean",
        "match",
        "exogenous",
        f"{glossary.word('capped', language)} {glossary.whole(head.length.capped)}",
    )
    entries = [deals]
    found = counted.measure("long")
    if not isinstance(found, NotEstimable) and found[0].sum():
        figure = rate_of(*found)
        entries.append(Entry("long", word("long", language), figure, "rate", "match", "exogenous"))
    return Sheet(
        "length", glossary.word("length", language), tuple(entries), quantiles(cubes.histogram("length"), language)
    )


def quantiles(histogram: dict[int, int], language: Language) -> str:
    """Write quantiles of deals a match; empty where there is no match."""
    if not histogram:
        return ""
    found = [f"{glossary.percent(float(q), 0)} {quantile(histogram, q)}" for q in QUANTILES]
    return f"{word('quantiles', language)} " + " · ".join(found)
