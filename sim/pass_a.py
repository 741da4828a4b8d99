"""Answer how A is passed (过A): tries one after another, why they fail, what they and the rules of A cost.

Rates come from `cubes/` and `pairs/`, which every run keeps; the chance to win the match before and after a try needs
`deals/`. Chances after something that play brought about are associations: a side that fails twice is a weaker one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engine.rules import Rules
from sim import glossary
from sim.counts import RANK_OF_CARD
from sim.cube_sums import CubeSums
from sim.errors import Language
from sim.figures import SIDES, TRY_RESULTS, Figure, Headline
from sim.measures import Counted
from sim.report_words import word
from sim.sheets import Entry, Form, Sheet, mean_of, rate_of, shown
from sim.stats import NotEstimable, PerPair, ratio_per_pair

NUMBERS: Final = ("1", "2", "3", "4+")
FAILURES: Final = TRY_RESULTS[1:]

_TRIES: Final = """
select pair, side, number, a_attempt, fell, count(*), sum(if(side = 'x', points, 2 - points))
from (select pair, declarer as side, a_attempt, if(leg = 1, x_half_points_1, x_half_points_2) as points,
             if(declarer = 'x', x_level_after < x_level_before, y_level_after < y_level_before) as fell,
             row_number() over (partition by pair, leg, declarer order by deal) as number
      from fair_deals join (select pair, x_half_points_1, x_half_points_2 from pairs) using (pair)
      where a_attempt <> 'none')
group by all
"""
"""Tries of a side at its own A by number, result and whether it fell back: how many, its half points in the matches."""

_BEYOND_A: Final = """
select pair, 1, count(*) from (
    select pair, leg, last(a_attempt order by deal) as tried, last(winner order by deal) as side
    from deals group by pair, leg)
join (select pair, leg, end_reason from matches) using (pair, leg)
where tried = 'none' and end_reason = 'passed_a' and side = '{side}' group by pair
"""
"""Matches that a side won by levels beyond A, without a try at A."""

_TIES: Final = f"""
select pair, count(*) as due, count(*) filter (winner = declarer) as won,
       count(*) filter ({RANK_OF_CARD.replace("card", "given_1")} = {RANK_OF_CARD.replace("card", "given_2")}) as ties,
       count(*) filter (winner = declarer and
           {RANK_OF_CARD.replace("card", "given_1")} = {RANK_OF_CARD.replace("card", "given_2")}) as ties_won
from fair_deals where tribute = 'double' and given_1 is not null and given_2 is not null group by pair
"""
"""Double tributes paid; those of two equal cards; deals that the receivers won."""


@dataclass(frozen=True, slots=True)
class _Tries:
    """Hold the tries of a match-up: side, number, result, whether the side fell, pair by its place, tries, points."""

    side: NDArray[Any]
    number: NDArray[Any]
    result: NDArray[Any]
    fell: NDArray[Any]
    at: NDArray[Any]
    tries: NDArray[Any]
    points: NDArray[Any]
    pairs: int

    def counts(self, chosen: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        """Give tries and half points [pairs] of the chosen rows."""
        n, y = (np.bincount(self.at[chosen], v[chosen], self.pairs) for v in (self.tries, self.points))
        return n, y

    def score(self, chosen: NDArray[Any]) -> PerPair | NotEstimable:
        """Give the match score of the side at A over the chosen rows."""
        return ratio_per_pair(*self.counts(chosen), scale=2)

    def figure(self, chosen: NDArray[Any]) -> Figure:
        """Give that score with its interval."""
        return rate_of(*self.counts(chosen), scale=2)

    def per_match(self, chosen: NDArray[Any], matches: NDArray[Any]) -> PerPair | NotEstimable:
        """Give how many of the chosen there are in a match."""
        return ratio_per_pair(matches, np.bincount(self.at[chosen], self.tries[chosen], self.pairs))


def _read_tries(counted: Counted) -> _Tries:
    rows = counted.tables.rows(_TRIES)
    pair, side, number, result, fell, tries, points = zip(*rows, strict=True) if rows else ((),) * 7
    return _Tries(
        np.array(side, object),
        np.array(number, np.int64),
        np.array(result, object),
        np.array(fell, bool),
        np.searchsorted(counted.ids, np.array(pair, np.int64)),
        np.array(tries, float),
        np.array(points, float),
        len(counted.ids),
    )


def sheet(counted: Counted, cubes: CubeSums, head: Headline, language: Language) -> Sheet:
    """Give the whole of pass-A for one match-up: both sides, then what is rare."""
    entries: list[Entry] = []
    names = glossary.side_names(head.x, head.y)

    def add(key: str, label: str, figure: Figure, form: Form = "rate", unit: str = "match", note: str = "") -> None:
        if figure.events:
            entries.append(Entry(key, label, figure, form, unit, "endogenous", note))

    deals = counted.has("reset")
    tries = _read_tries(counted) if deals else None
    legs, _ = counted.arrays("select pair, legs, 0 from pairs")
    for side in SIDES:
        _funnel(add, cubes, head, side, names[side], language)
        of_failed = f"{side}_a_deal_lost + {side}_a_partner_last"
        for cause in FAILURES:
            found = counted.arrays(f"select pair, {of_failed}, {side}_a_{cause} from pairs where {of_failed} > 0")
            label = f"{names[side]} · {word('a_failed', language)} · {glossary.word(f'a_{cause}', language)}"
            add(f"a_cause {side} {cause}", label, rate_of(*found), unit="deal")
        at_a = counted.arrays(f"select pair, deals, {side}_a_attempts from pairs")
        add(f"a_share {side}", f"{names[side]} · {word('a_share', language)}", rate_of(*at_a), unit="deal")
        if drops(head.played):
            label = f"{names[side]} · {word('a_reset', language)}"
            add(f"a_reset {side}", label, cubes.rate("reset", side, "reset"), unit="deal")
            label = f"{names[side]} · {word('a_resets', language)}"
            add(f"a_resets {side}", label, cubes.in_matches("reset", side, "reset", rate=False), "mean")
        if tries is not None:
            _chances(add, tries, head.played, side, names[side], legs, language)
        if tries is not None and head.played is not None and head.played.a_plus:
            _beyond(add, counted, tries, side, names[side], legs, language)
    if deals:
        _ties(add, counted, legs, language)
    return Sheet(
        "pass_a", glossary.word("pass_a", language), tuple(entries), "" if deals else word("no_deals", language)
    )


def drops(rules: Rules | None) -> bool:
    """Tell whether a failed try can cost levels under these rules; not known for rules that are not known."""
    return rules is not None and (rules.a_fail_limit > 0 or rules.ace_last_play)


def _funnel(
    add: Callable[..., None], cubes: CubeSums, head: Headline, side: str, name: str, language: Language
) -> None:
    for number in NUMBERS[:-1]:
        label = f"{name} · {word('a_reached', language, number=number)}"
        add(f"a_reached {side} {number}", label, cubes.in_matches("try_number", f"{number} {side}"))
    for number in NUMBERS:
        for result in TRY_RESULTS:
            label = f"{name} · {word('a_try', language, number=number)} · {glossary.word(f'a_{result}', language)}"
            figure = cubes.rate("try_number", f"{number} {side}", result)
            add(f"a_try {side} {number} {result}", label, figure, unit="deal")
    if head.score.boards is None:
        figure = head.pass_a["x" if side == "x" else "y"].tries_per_match
        add(f"a_tries {side}", f"{name} · {glossary.word('a_tries', language)}", figure, "mean")


def _chances(
    add: Callable[..., None],
    tries: _Tries,
    rules: Rules | None,
    side: str,
    name: str,
    legs: NDArray[Any],
    language: Language,
) -> None:
    own = tries.side == side
    for number in (1, 2, 3):
        chosen = own & (tries.number == number)
        label = f"{name} · {word('a_before', language, number=number)}"
        add(f"a_before {side} {number}", label, tries.figure(chosen), unit="deal")
        for cause in FAILURES:
            said = glossary.word(f"a_{cause}", language)
            label = f"{name} · {word('a_after', language, number=number)} · {said}"
            figure = tries.figure(chosen & (tries.result == cause))
            add(f"a_after {side} {number} {cause}", label, figure, unit="deal")
    if rules is None or not drops(rules):
        return
    # where every failure counts, only the last before the limit can drop a side; a side that fell counts anew
    may_drop = own & (tries.number % rules.a_fail_limit == 0) if _counts_all(rules) else own
    before, after = tries.score(may_drop), tries.score(own & tries.fell)
    add(
        f"a_after_reset {side}",
        f"{name} · {word('a_after_reset', language)}",
        tries.figure(own & tries.fell),
        unit="deal",
    )
    often = tries.per_match(own & tries.fell, legs)
    if isinstance(before, NotEstimable) or isinstance(after, NotEstimable) or isinstance(often, NotEstimable):
        return
    change = after - before
    add(f"a_reset_change {side}", f"{name} · {word('a_reset_change', language)}", shown(change), "gap", "deal")
    label = f"{name} · {word('a_reset_cost', language)}"
    add(f"a_reset_cost {side}", label, shown(often * change), "gap")


def _counts_all(rules: Rules) -> bool:
    return rules.a_fail_limit > 0 and rules.a_fail_counts == "every" and not rules.ace_last_play


def _beyond(
    add: Callable[..., None],
    counted: Counted,
    tries: _Tries,
    side: str,
    name: str,
    legs: NDArray[Any],
    language: Language,
) -> None:
    """Say how often levels beyond A won the match, and what that is worth beside standing at A for a first try."""
    _, won = counted.arrays(_BEYOND_A.format(side=side))
    often = ratio_per_pair(legs, won)
    add(f"a_plus {side}", f"{name} · {word('a_plus', language)}", rate_of(legs, won))
    short = f"winner = '{side}' and {side}_level_before = 13 and {side}_level_after = 13"
    _, stayed = counted.arrays(f"select pair, 1, count(*) from fair_deals where {short} group by pair")
    add(f"a_short {side}", f"{name} · {word('a_short', language)}", mean_of(legs, stayed), "mean")
    first = tries.score((tries.side == side) & (tries.number == 1))
    if isinstance(often, PerPair) and isinstance(first, PerPair):
        label = f"{name} · {word('a_plus_gain', language)}"
        add(f"a_plus_gain {side}", label, shown(often * first.times(-1, 1)), "gap")


def _ties(add: Callable[..., None], counted: Counted, legs: NDArray[Any], language: Language) -> None:
    """Say how often both cards of a double tribute are equal, and how the receivers then fare."""
    due, won = counted.arrays(f"select pair, due, won from ({_TIES})")
    ties, ties_won = counted.arrays(f"select pair, ties, ties_won from ({_TIES})")
    add("tie_share", word("tie_share", language), rate_of(due, ties), unit="deal")
    often, equal = ratio_per_pair(legs, ties), ratio_per_pair(ties, ties_won)
    other = ratio_per_pair(due - ties, won - ties_won)
    add("tie_often", word("tie_often", language), mean_of(legs, ties), "mean")
    if isinstance(often, PerPair) and isinstance(equal, PerPair) and isinstance(other, PerPair):
        add("tie_change", word("tie_change", language), shown(equal - other), "gap", "deal")
        add("tie_worth", word("tie_worth", language), shown(often * (equal - other)), "mean_gap")
