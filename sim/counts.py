"""Count events per pair in plain SQL: the definitions of every figure.

Each statement gives integers per pair. `shares` turns rows (pair, part, cell, y) into the six cluster sums of «y out
of all y of the same part», `ratios` does it for rows (pair, cell, n, y). The same shares exist over `pairs` (always
written, no filters) and over `deals`; where both exist they agree row by row.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from sim.reading import Tables
from sim.stats import ClusterSums

Side = Literal["x", "y"]


@dataclass(frozen=True, slots=True)
class Filter:
    """Restrict deals: to one level played (2-14), to one side; None means all.

    Which side is meant is said with each statement: the receiver of tribute, the side at A, the winner, the declarer.
    """

    level: int | None = None
    side: Side | None = None

    def where(self, side_column: str, *, level_column: str = "level") -> str:
        """Give the condition in SQL; nothing of it is text from outside."""
        parts = ["true"]
        if self.level is not None:
            parts.append(f"{level_column} = {int(self.level)}")
        if self.side is not None:
            parts.append(f"{side_column} = '{'x' if self.side == 'x' else 'y'}'")
        return " and ".join(parts)


EVERYTHING: Final = Filter()

_SHARES: Final = """
with counts as materialized ({counts}),
totals as (select pair, part, sum(y) as n from counts group by pair, part having sum(y) > 0),
parts as (select part, count(*) as c, sum(n) as sn, sum(n * n) as snn from totals group by part)
select part, cell, any_value(c), any_value(sn), sum(y), any_value(snn), sum(y * y), sum(n * y)
from counts join totals using (pair, part) join parts using (part)
group by part, cell order by part, cell
"""

_RATIOS: Final = """
with counts as ({counts})
select cell, count(*), sum(n), sum(y), sum(n * n), sum(y * y), sum(n * y)
from counts where n > 0 group by cell order by cell
"""


def shares(tables: Tables, counts: str) -> dict[str, dict[str, ClusterSums]]:
    """Give by part and cell the sums of y out of the part's total; a cell that never occurred in a part is absent."""
    found: dict[str, dict[str, ClusterSums]] = {}
    for part, cell, *sums in tables.rows(_SHARES.format(counts=counts)):
        found.setdefault(str(part), {})[str(cell)] = ClusterSums(*(int(value) for value in sums))
    return found


def ratios(tables: Tables, counts: str) -> dict[str, ClusterSums]:
    """Give by cell the sums of y out of n."""
    return {
        str(cell): ClusterSums(*(int(value) for value in sums))
        for cell, *sums in tables.rows(_RATIOS.format(counts=counts))
    }


def _unpivot(source: str, cells: Mapping[tuple[str, str], str]) -> str:
    """Write the statement that turns columns of `pairs` into rows (pair, part, cell, y)."""
    parts = ", ".join(f"'{part}'" for part, _ in cells)
    names = ", ".join(f"'{cell}'" for _, cell in cells)
    values = ", ".join(f"({value})::bigint" for value in cells.values())
    return f"select pair, unnest([{parts}]) as part, unnest([{names}]) as cell, unnest([{values}]) as y from {source}"


# Over pairs/: no filters.

PAIR_RESULTS: Final = """
select x_half_points_1, x_half_points_2, count(*) from pairs where legs = 2 group by 1, 2 order by 1, 2
"""
"""Result of leg 1, result of leg 2 for x in half points; number of pairs."""

BOARD_RESULTS: Final = """
select first, second, count(*)
from (select max(x_steps - y_steps) filter (leg = 1) as first, max(x_steps - y_steps) filter (leg = 2) as second
      from matches group by pair)
where second is not null group by all order by all
"""
"""Of boards: signed steps of leg 1, of leg 2, positive for x; number of pairs."""

BOARD_TOTALS: Final = """
select x_steps - y_steps as both, count(*) from pairs where legs = 2 group by all order by all
"""
"""Of boards: signed steps of both legs together, all that `pairs` tells; number of pairs."""

PAIR_TOTALS: Final = """
select count(*), coalesce(sum(legs), 0), coalesce(sum(deals), 0), coalesce(sum(capped), 0), coalesce(max(legs), 0)
from pairs
"""
"""Pairs, matches, deals, matches ended by the safety cap, 1 where only one leg a pair was played."""

PAIR_REFUSALS: Final = _unpivot(
    "pairs",
    {
        ("single", "refused"): "single_refused",
        ("single", "paid"): "single_due - single_refused",
        ("double", "refused"): "double_refused",
        ("double", "paid"): "double_due - double_refused",
    },
)
PAIR_NEXT_WIN: Final = _unpivot(
    "pairs",
    {
        ("single", "won"): "single_paid_won",
        ("single", "lost"): "single_due - single_refused - single_paid_won",
        ("double", "won"): "double_paid_won",
        ("double", "lost"): "double_due - double_refused - double_paid_won",
        ("refused", "won"): "refused_won",
        ("refused", "lost"): "single_refused + double_refused - refused_won",
    },
)
PAIR_TRIES: Final = _unpivot(
    "pairs",
    {(side, result): f"{side}_a_{result}" for side in ("x", "y") for result in ("passed", "deal_lost", "partner_last")},
)
PAIR_STEPS: Final = _unpivot(
    "pairs", {(side, str(steps)): f"{side}_steps_{steps}" for side in ("x", "y") for steps in (1, 2, 3)}
)
PAIR_DEALS_WON: Final = _unpivot("pairs", {("all", "x"): "x_deals_won", ("all", "y"): "deals - x_deals_won"})
PAIR_MEANS: Final = """
select pair, unnest(['deals a match', 'signed steps', 'x tries', 'y tries']) as cell,
       unnest([legs, deals, legs, legs]::bigint[]) as n,
       unnest([deals, x_steps - y_steps, x_a_attempts, y_a_attempts]::bigint[]) as y
from pairs
"""
"""Deals a match; mean step of a deal, positive for x; deals a match that each side plays at its own A."""


# Over deals/: the filter's side is named at each.


def refusals(chosen: Filter) -> str:
    """Single and double tributes due, refused or paid; side: who receives."""
    return f"""
    select pair, if(tribute in ('single', 'single_refused'), 'single', 'double') as part,
           if(tribute in ('single_refused', 'double_refused'), 'refused', 'paid') as cell, count(*) as y
    from fair_deals where tribute <> 'none' and {chosen.where("declarer")} group by all
    """


def tribute_kinds(chosen: Filter) -> str:
    """Kind of tribute of every deal after the first; side: who receives."""
    return f"""
    select pair, 'all' as part, tribute as cell, count(*) as y
    from fair_deals where declarer is not null and {chosen.where("declarer")} group by all
    """


def next_wins(chosen: Filter) -> str:
    """Does the side that receives, or would have, win the deal that the tribute opens? Side: who receives."""
    return f"""
    select pair, tribute as part, if(winner = declarer, 'won', 'lost') as cell, count(*) as y
    from fair_deals where tribute <> 'none' and {chosen.where("declarer")} group by all
    """


RANK_OF_CARD: Final = """
case when card in ('SB', 'HR') then card when instr('23456789TJQKA', substr(card, 2)) + 1 = level then 'level'
     else substr(card, 2) end
"""
"""Rank of `card` at `level` in SQL, level cards apart."""


def _moved(chosen: Filter) -> str:
    """One row for each tribute card that changed hands, with the card that came back for it."""
    given, returned = (RANK_OF_CARD.replace("card", name) for name in ("given", "returned"))
    return f"""
    select pair, winner = declarer as won, {given} as given, {returned} as returned
    from (select pair, level, winner, declarer, unnest([given_1, given_2]) as given,
                 unnest([returned_1, returned_2]) as returned
          from fair_deals where given_1 is not null and {chosen.where("declarer")})
    where given is not null
    """


def cards_given(chosen: Filter) -> str:
    """Rank of the cards paid as tribute, level cards apart; side: who receives."""
    return f"select pair, 'all' as part, given as cell, count(*) as y from ({_moved(chosen)}) group by all"


def cards_returned(chosen: Filter) -> str:
    """Rank of the cards returned, level cards apart; side: who receives the tribute and returns."""
    return f"select pair, 'all' as part, returned as cell, count(*) as y from ({_moved(chosen)}) group by all"


def exchanges(chosen: Filter) -> str:
    """By rank given and rank returned: does the side that received win the deal? Side: who receives."""
    return f"""
    select pair, given || ' ' || returned as part, if(won, 'won', 'lost') as cell, count(*) as y
    from ({_moved(chosen)}) group by all
    """


def tries(chosen: Filter) -> str:
    """Results of deals that the declarer plays at its own A; side: who is at A. The level is A always."""
    side = Filter(side=chosen.side)
    return f"""
    select pair, declarer as part, a_attempt as cell, count(*) as y
    from fair_deals where a_attempt <> 'none' and {side.where("declarer")} group by all
    """


def tries_by_number(chosen: Filter) -> str:
    """Results of the first, second, third and later tries at A of a side in one match; side: who is at A."""
    side = Filter(side=chosen.side)
    return f"""
    select pair, if(number < 4, number::varchar, '4+') as part, a_attempt as cell, count(*) as y
    from (select pair, declarer, a_attempt, row_number() over (partition by pair, leg, declarer order by deal) as number
          from fair_deals where a_attempt <> 'none' and {side.where("declarer")})
    group by all
    """


def steps(chosen: Filter) -> str:
    """Steps of won deals by winner; side: who won."""
    return f"""
    select pair, winner as part, steps::varchar as cell, count(*) as y
    from fair_deals where {chosen.where("winner")} group by all
    """


def level_map(chosen: Filter) -> str:
    """By levels before the deal: half points of x in the match, out of two a deal; side: the declarer.

    A match counts once for every deal that starts at these levels.
    """
    side = Filter(side=chosen.side)
    return f"""
    select pair, x_level_before || ' ' || y_level_before as cell, count(*) as n,
           sum(if(leg = 1, x_half_points_1, x_half_points_2)) as y
    from deals join (select pair, x_half_points_1, x_half_points_2 from pairs) using (pair)
    where {side.where("declarer")} group by all
    """


def declarers(chosen: Filter) -> str:
    """By levels before the deal: deals declared by x, by y, by nobody (the first)."""
    side = Filter(side=chosen.side)
    return f"""
    select x_level_before, y_level_before, count(*) filter (declarer = 'x'), count(*) filter (declarer = 'y'),
           count(*) filter (declarer is null)
    from deals where {side.where("declarer")} group by all order by all
    """


def lengths(table: str) -> str:
    """Deals a match, number of matches; from `matches` or `deals`."""
    each = (
        "select deals from matches" if table == "matches" else "select max(deal) as deals from deals group by pair, leg"
    )
    return f"select deals, count(*) from ({each}) group by all order by all"


# Match flow: over deals/ and matches/, judged deals included, since they too move the levels.


def resets(chosen: Filter) -> str:
    """Failed tries at the own A: does the side fall back from A? Side: who is at A."""
    side = Filter(side=chosen.side)
    return f"""
    select pair, declarer as part, count(*) as y, if(fell, 'reset', 'kept') as cell
    from (select *, if(declarer = 'x', x_level_after < x_level_before, y_level_after < y_level_before) as fell
          from fair_deals)
    where a_attempt not in ('none', 'passed') and {side.where("declarer")} group by all
    """


def comebacks(least: int) -> str:
    """Matches in which a side was `least` levels behind, or more, before some deal: its half points in them."""
    return f"""
    select pair, side as cell, count(*) as n, sum(if(side = 'x', x_half_points, 2 - x_half_points)) as y
    from (select pair, leg, max(y_level_before - x_level_before) as x, max(x_level_before - y_level_before) as y
          from deals group by all)
         unpivot (deficit for side in (x, y))
         join (select pair, leg, x_half_points from matches) using (pair, leg)
    where deficit >= {int(least)} group by all
    """


FIRST_AT_A: Final = """
select pair, first_at_a as cell, count(*) as n, sum(if(first_at_a = 'x', x_half_points, 2 - x_half_points)) as y
from matches where first_at_a is not null group by all
"""
"""Matches in which a side reached A first: its half points in them."""

MATCH_ENDS: Final = "select pair, 'all' as part, end_reason as cell, count(*) as y from matches group by all"
"""How matches ended."""

FORFEITS: Final = """
select pair, side as cell, count(*) as n,
       count(*) filter (end_reason = 'forfeit' and x_half_points = if(side = 'x', 0, 2)) as y
from matches, unnest(['x', 'y']) as sides(side) group by all
"""
"""Matches that each side forfeited."""

FAULTS: Final = """
select pairs.pair, cells.side || ' ' || cells.reason as cell, any_value(pairs.deals) as n, count(faults.pair) as y
from pairs cross join (select distinct side, reason from faults) as cells
     left join faults on faults.pair = pairs.pair and faults.side = cells.side and faults.reason = cells.reason
group by all
"""
"""Faults of each side by reason, those that occurred, out of all deals."""


def values(column: str) -> str:
    """Values of a column of `matches`, number of matches; `column` is never text from outside."""
    return f"select {column}, count(*) from matches group by all order by all"
