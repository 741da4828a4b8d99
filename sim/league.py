"""Put the match-ups of a run beside each other: claims adjusted as one family, and ratings where there is a league.

A family is all match-ups of a run that were to be decided by a fixed number of pairs; how its p values are adjusted was
stored before the first block (sim.targets). Ratings come from pairs, one scale for each rule set.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim import glossary
from sim.errors import Language
from sim.figures import Headline
from sim.report_words import word
from sim.sheets import Entry, Form, Sheet
from sim.stats import (
    Estimate,
    NotEstimable,
    Ratings,
    benjamini_hochberg,
    bradley_terry_pairs,
    holm,
    longest_cycle,
    rank_intervals,
    two_sided_p,
    win_components,
    win_probabilities,
)
from sim.stats.cycles import MOST_IN_CYCLE
from sim.targets import Family
from sim.verdict import ALPHA, Finding, p_value


def adjust(p: Sequence[float], family: Family) -> list[float]:
    """Adjust the p values of one family as it was stored."""
    return [float(value) for value in (holm if family == "holm" else benjamini_hochberg)(p)]


def in_family(found: Sequence[Finding], heads: Sequence[Headline], family: Family) -> list[Finding]:
    """Give each finding its adjusted p; one that stands by itself but not in the family is no claim.

    Match-ups with a test of their own, unfinished ones, and those of one strategy are no part of the family; one with
    too few pairs counts with p = 1, since it was to be decided as well.
    """
    members = [k for k, each in enumerate(found) if each.state in ("ahead", "behind", "open", "few")]
    p = []
    for k in members:
        score = found[k].score
        even = 0.5 if heads[k].score.boards is None else 0.0
        p.append(two_sided_p(score, even) if isinstance(score, Estimate) else 1.0)
    results = list(found)
    for k, adjusted in zip(members, adjust(p, family), strict=True):
        state = found[k].state
        results[k] = replace(
            found[k], p=adjusted, state="family" if state in ("ahead", "behind") and adjusted >= ALPHA else state
        )
    return results


@dataclass(frozen=True, slots=True)
class Standing:
    """Hold one line of a rating list: Elo relative to the mean, whether it is a bound (1 above, -1 below), ranks."""

    name: str
    elo: float
    bound: int
    first: int
    last: int

    def cells(self) -> tuple[str, str, str]:
        """Write name, Elo and ranks."""
        mark = {1: "> ", -1: "< ", 0: ""}[self.bound]
        ranks = str(self.first) if self.first == self.last else f"{self.first}–{self.last}"
        return self.name, f"{mark}{self.elo:+.1f}", ranks


@dataclass(frozen=True, slots=True)
class League:
    """Hold the ratings under one rule set, best first; groups instead of them where wins do not join the strategies."""

    rules: str
    standings: tuple[Standing, ...]
    differences: Sheet
    fit: str
    groups: tuple[tuple[str, ...], ...]


def leagues(heads: Sequence[Headline], family: Family, language: Language) -> list[League]:
    """Rate the strategies of every rule set under which three or more met in matches."""
    found = []
    for rules in dict.fromkeys(head.rules for head in heads):
        own = [head for head in heads if head.rules == rules and head.score.boards is None and head.x != head.y]
        own = [head for head in own if sum(head.score.duplicate.cells.values())]
        names = list(dict.fromkeys(name for head in own for name in (head.x, head.y)))
        if len(names) >= 3:
            found.append(_league(rules, names, own, family, language))
    return found


def _league(rules: str, names: Sequence[str], heads: Sequence[Headline], family: Family, language: Language) -> League:
    cells = np.zeros((len(names), len(names), 5))
    points = np.zeros((len(names), len(names)))
    for head in heads:
        i, j = names.index(head.x), names.index(head.y)
        row = np.array(list(head.score.duplicate.cells.values()))
        cells[i, j] += row
        points[i, j] += float(row @ np.arange(5)) / 2
        points[j, i] += float(row @ np.arange(5)[::-1]) / 2
    rated = bradley_terry_pairs(cells)
    title = word("differences", language, rules=rules, family=word(family, language))
    if isinstance(rated, NotEstimable):
        numbers = win_components(points)
        groups = tuple(
            tuple(name for name, own in zip(names, numbers, strict=True) if own == number)
            for number in dict.fromkeys(numbers.tolist())
        )
        said = word("not_joined", language, groups=" | ".join(" ".join(group) for group in groups))
        return League(rules, (), Sheet(f"differences {rules}", title, ()), said, groups)
    ranks = rank_intervals(rated)
    order = sorted(range(len(names)), key=lambda k: -float(rated.elo[k]))
    standings = tuple(Standing(names[k], float(rated.elo[k]), int(rated.bound[k]), *ranks[k]) for k in order)
    differences = Sheet(
        f"differences {rules}", title, _differences(rated, names, order, int(cells.sum()), family, language)
    )
    return League(rules, standings, differences, _fit(rated, language) + _cycle(cells, names, language), ())


def _differences(
    rated: Ratings, names: Sequence[str], order: Sequence[int], pairs: int, family: Family, language: Language
) -> tuple[Entry, ...]:
    couples = list(combinations(order, 2))
    found = [replace(rated.difference(i, j), units=pairs) for i, j in couples]
    p = adjust([two_sided_p(each) if isinstance(each, Estimate) else 1.0 for each in found], family)
    return tuple(
        Entry(
            f"elo {names[i]} {names[j]}",
            f"{names[i]} − {names[j]}",
            figure,
            "elo",
            "match",
            "exogenous",
            "" if isinstance(figure, NotEstimable) else f"{word('adjusted', language)} {p_value(adjusted)}",
            adjusted >= ALPHA,
        )
        for (i, j), figure, adjusted in zip(couples, found, p, strict=True)
    )


def _fit(rated: Ratings, language: Language) -> str:
    values = {"deviance": f"{rated.deviance:.1f}", "df": rated.df, "p": p_value(rated.p)}
    if rated.df <= 0:
        return word("fit_none", language)
    said = word("fit_rejected" if rated.p < ALPHA else "fit_holds", language, **values)
    return f"{said} {word('bounded', language)}" if rated.bound.any() else said


def _cycle(cells: NDArray[Any], names: Sequence[str], language: Language) -> str:
    """Name a longest cycle of certain wins, if there is one among few enough strategies to search them all."""
    if len(names) > MOST_IN_CYCLE:
        return ""
    found = longest_cycle(win_probabilities(cells), ALPHA)
    if found is None:
        return ""
    chain = " > ".join(names[k] for k in (*found.members, found.members[0]))
    return " " + word("cycle", language, chain=chain, p=p_value(found.p))


def claims_sheet(found: Sequence[Finding], heads: Sequence[Headline], family: Family, language: Language) -> Sheet:
    """Write the score of every match-up with its adjusted p."""
    entries = []
    for number, (finding, head) in enumerate(zip(found, heads, strict=True)):
        names = glossary.side_names(head.x, head.y)
        versus = glossary.word("versus", language)
        label = f"{number} · {names['x']} {versus} {names['y']} · {head.rules}"
        note = "" if finding.p is None else f"{word('adjusted', language)} {p_value(finding.p)}"
        form: Form = "rate" if head.score.boards is None else "mean"
        pale = finding.state in ("family", "open", "few")
        entries.append(Entry(f"claim {number}", label, finding.score, form, "pair", "exogenous", note, pale))
    return Sheet(
        "claims", word("claims", language), tuple(entries), word("family", language, family=word(family, language))
    )
