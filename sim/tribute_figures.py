"""Figures of tribute from ordinary runs and from a study: refusals, cards, what comes after, what it is worth.

Each line says what kind of number it is. *Exogenous*: decided by the deal alone, whoever plays, so that an exact
expectation stands beside it. *Endogenous*: seen as play brought it about; the hands that pay, or return a card, differ
from others, and so does what follows. *Counterfactual*: the same deal played with and without (docs/tribute.md).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from engine.bulk import TRIBUTES
from engine.cards import LEVELS
from engine.rules import Rules
from sim import counts, glossary
from sim.errors import Language
from sim.figures import Figure, expected_refusal, ratio, share
from sim.reading import Tables
from sim.stats import MIN_UNITS, ClusterSums, CrossSums, NotEstimable, cluster_difference, paid_probabilities
from sim.tribute_value import RANKS, TributeValue

Effect = Literal["exogenous", "endogenous", "counterfactual"]
Unit = Literal["rate", "levels", "match"]


@dataclass(frozen=True, slots=True)
class Line:
    """One figure of tribute. unit: a share of one, levels a deal, or a chance to win the match; exact: by counting.

    The glossary has a word for each kind: `effect_exogenous` and so on.
    """

    label: str
    figure: Figure
    unit: Unit
    kind: Effect
    exact: float | None = None


def run_lines(tables: Tables, rules: Rules | None, language: Language) -> list[Line]:
    """Give the lines of a run: refusals, kinds, cards given, cards returned, then the deal opened and the one after.

    rules: of the run, None where they are not known; then nothing is expected. Without rows of deals/ only the
    refusals have numbers.
    """
    return [
        *refusal_lines(tables, rules, language),
        *kind_lines(tables, language),
        *card_lines(tables, rules, language),
        *effect_lines(tables, language),
    ]


def refusal_lines(tables: Tables, rules: Rules | None, language: Language) -> list[Line]:
    """Give the share of single and of double tributes refused, beside what counting the deck says."""
    found, exact = counts.shares(tables, counts.PAIR_REFUSALS), expected_refusal(rules)
    return [
        Line(glossary.word(f"refusal_{kind}", language), share(found, kind, "refused"), "rate", "exogenous", at)
        for kind, at in (("single", exact.get("single")), ("double", exact.get("double")))
    ]


def kind_lines(tables: Tables, language: Language) -> list[Line]:
    """Give the share of each kind of tribute in the deals after the first: who pays follows from the deal before."""
    found = counts.shares(tables, counts.tribute_kinds(counts.EVERYTHING))
    title = glossary.word("tribute", language)
    return [
        Line(f"{title} · {glossary.word(kind, language)}", share(found, "all", kind), "rate", "endogenous")
        for kind in TRIBUTES
    ]


_CARDS: Final = """
select pair, tribute as part, {name} as cell, count(*) as y
from (select pair, tribute, level, unnest([{column}_1, {column}_2]) as card from fair_deals where given_1 is not null)
where card is not null group by all
"""

_PAID_AT: Final = """
select tribute, level, count(*) from fair_deals where given_1 is not null group by all order by all
"""


def card_lines(tables: Tables, rules: Rules | None, language: Language) -> list[Line]:
    """Give the ranks of the cards given, beside what counting says at the levels played, and of those returned.

    Cards of single and of double tribute apart: the jokers of two payers count together against refusal. What is given
    is decided by the deal but for its suit; what is returned is a choice.
    """
    lines = []
    expected = _expected_cards(tables, rules)
    for column, effect in _COLUMNS:
        found = counts.shares(tables, _CARDS.format(name=counts.RANK_OF_CARD, column=column))
        for kind in ("single", "double"):
            exact = expected.get(kind, {}) if column == "given" else {}
            title = f"{glossary.word(column, language)} · {glossary.word(kind, language)}"
            for rank in reversed(RANKS):
                if rank not in found.get(kind, {}) and exact.get(rank, 0.0) < _SELDOM:
                    continue
                figure = share(found, kind, rank)
                lines.append(Line(f"{title} · {_rank(rank, language)}", figure, "rate", effect, exact.get(rank)))
    return lines


_COLUMNS: Final[tuple[tuple[str, Effect], ...]] = (("given", "exogenous"), ("returned", "endogenous"))

_SELDOM: Final = 0.001
"""Ranks expected less often than this have a line only where they occurred."""


def _expected_cards(tables: Tables, rules: Rules | None) -> dict[str, dict[str, float]]:
    """Weigh the exact shares by the levels at which tribute was paid; empty where the rules are not known."""
    if rules is None:
        return {}
    expected: dict[str, dict[str, float]] = {}
    totals: dict[str, int] = {}
    for kind, level, paid in tables.rows(_PAID_AT):
        at = paid_probabilities(1 + (kind == "double"), LEVELS[level - 2], small=rules.refuse_with_small_jokers)
        totals[kind] = totals.get(kind, 0) + paid
        weights = expected.setdefault(kind, {})
        for rank, chance in at.items():
            weights[rank] = weights.get(rank, 0.0) + float(chance) * paid
    return {kind: {rank: weight / totals[kind] for rank, weight in expected[kind].items()} for kind in expected}


def _rank(rank: str, language: Language) -> str:
    return glossary.word(f"rank_{rank}", language) if rank in ("level", "SB", "HR") else rank.replace("T", "10")


_OPENED: Final = """
opened as (
    select pair, winner = declarer as won, if(won, steps, -steps) as levels,
           later_winner = declarer as later_won, if(later_won, later_steps, -later_steps) as later_levels,
           later_end is not null and later_end not in ('judged', 'judged_last') as goes_on,
           unnest(case when tribute <> 'single' then [tribute]
                       when (payers::int + receivers::int) % 2 = 0 then [tribute, 'single_partner']
                       else [tribute, 'single_opponent'] end) as kind
    from (select *, lead(winner) over later as later_winner, lead(steps) over later as later_steps,
                 lead(end_reason) over later as later_end
          from deals window later as (partition by pair, leg order by deal))
    where tribute <> 'none' and end_reason not in ('judged', 'judged_last'))
"""
"""A row a deal with tribute due and kind that it counts for: what became of it, and of the deal after, for those who
receive, or would have."""

_MEANS: Final = f"""
with {_OPENED}
select pair, kind as cell, count(*) as n, sum({{value}})::bigint as y from opened where {{condition}} group by all
"""

_PAID_AND_REFUSED: Final = f"""
with {_OPENED}
select count(*) filter (kind = $paid), coalesce(sum({{value}}) filter (kind = $paid), 0)::bigint,
       count(*) filter (kind = $refused), coalesce(sum({{value}}) filter (kind = $refused), 0)::bigint
from opened where {{condition}} and kind in ($paid, $refused) group by pair order by pair
"""

_VALUES: Final[tuple[tuple[str, str, str, Unit], ...]] = (
    ("next_win", "won::int", "true", "rate"),
    ("next_levels", "levels", "true", "levels"),
    ("after_win", "later_won::int", "goes_on", "rate"),
    ("after_levels", "later_levels", "goes_on", "levels"),
)

EFFECT_KINDS: Final = ("single", "single_opponent", "single_partner", "double", "single_refused", "double_refused")


def effect_lines(tables: Tables, language: Language) -> list[Line]:
    """Give what becomes of the deal that tribute opens, and of the deal after: wins and levels of those who receive.

    The last lines of each are paid minus refused, on the same pairs. They are no effect of the tribute alone: who
    refuses holds both big jokers.
    """
    lines = []
    for label, value, condition, unit in _VALUES:
        found = counts.ratios(tables, _MEANS.format(value=value, condition=condition))
        for kind in EFFECT_KINDS:
            title = f"{glossary.word(label, language)} · {glossary.word(kind, language)}"
            if unit == "rate":
                figure = share({kind: {"won": found[kind]}}, kind, "won") if kind in found else NotEstimable("no_data")
            else:
                figure = ratio(found, kind)
            lines.append(Line(title, figure, unit, "endogenous"))
        for kind in ("single", "double"):
            title = f"{glossary.word(label, language)} · {glossary.word(f'{kind}_paid_refused', language)}"
            asked = {"paid": kind, "refused": f"{kind}_refused"}
            rows = tables.rows(_PAID_AND_REFUSED.format(value=value, condition=condition), asked)
            lines.append(Line(title, _paid_minus_refused(rows), unit, "endogenous"))
    return lines


def _paid_minus_refused(rows: list[tuple[int, int, int, int]]) -> Figure:
    if not rows:
        return NotEstimable("no_data")
    n_paid, y_paid, n_refused, y_refused = map(list, zip(*rows, strict=True))
    paid, refused = (n_paid, y_paid), (n_refused, y_refused)
    sums = ClusterSums.of(*paid), ClusterSums.of(*refused)
    found = cluster_difference(*sums, CrossSums.of(paid, refused), len(rows))
    least = min(each.clusters for each in sums)  # pairs with an occasion on each side
    enough_pairs = isinstance(found, NotEstimable) or least >= MIN_UNITS
    return found if enough_pairs else NotEstimable("too_few", least, sums[0].n)


def study_lines(found: TributeValue, language: Language) -> list[Line]:
    """Give the lines of a study: value of the cards, of the lead and of both, in levels and in matches, by kind."""
    return list(_study_lines(found, language))


def _study_lines(found: TributeValue, language: Language) -> Iterator[Line]:
    units: tuple[Unit, Unit] = ("levels", "match")
    for group in found.groups:
        if group.by != "kind" or group.name == "all":
            continue
        for unit, worth in zip(units, (group.levels, group.match), strict=True):
            for name, figure in (("card", worth.card), ("lead", worth.lead), ("both", worth.both)):
                label = f"{glossary.word(f'worth_{name}', language)} · {glossary.word(group.name, language)}"
                yield Line(label, figure, unit, "counterfactual")
