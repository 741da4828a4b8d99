"""Laws of cubes: their sums agree with one another and, block by block, with the rows: what `sim.laws` tries.

A statement of counts gives rows (block, pair, cube, part, cell, n, y): y events of a cell out of n occasions of its
part in that pair. `_compared` adds them up over the pairs of a block and holds them against the cubes of that block.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sim.counts import RANK_OF_CARD
from sim.cube_words import HISTOGRAMS
from sim.cubes import SHAPES
from sim.law import Law

_SHARED: Final = (
    "refusal",
    "tribute",
    "next_win",
    "given",
    "returned",
    "exchange",
    "try",
    "try_number",
    "reset",
    "steps",
    "match_end",
)
"""Cubes of which every occasion is in one cell."""

_MARGINS: Final = (
    ("refusal", 2),
    ("refusal", 3),
    ("tribute", 1),
    ("next_win", 1),
    ("next_win", 2),
    ("given", 1),
    ("returned", 1),
    ("try_number", 2),
    ("steps", 1),
    ("steps", 2),
)
"""Words of a part, from 1, at which `all` stands for the others together; `refused` of next_win is a sum itself."""


def _shown(*columns: str) -> str:
    return f"concat_ws(' ', cube, part, cell, {', '.join(columns)})"


def _share(rows: str) -> str:
    """Make statements (block, pair, cube, part, cell, y) shares: n is the sum of y over the cells of a part."""
    return f"""
    select block, pair, cube, part, cell, sum(y) over (partition by block, pair, cube, part) as n, y
    from (select block, pair, cube, part, cell, count(*) as y from ({rows}) group by all)
    """


def _compared(counts: str, which: str) -> str:
    """Write the statement that finds cubes which differ from counts. which: the condition on the cubes compared."""
    return f"""
    with counts as materialized ({counts}),
    totals as (select distinct block, pair, cube, part, n from counts where n > 0),
    parts as (
        select block, cube, part, count(*) as pairs, sum(n) as n, sum(n * n) as nn from totals group by all),
    cells as (
        select block, cube, part, cell, sum(y) as k, sum(y * y) as kk, sum(n * y) as nk
        from counts where n > 0 group by all),
    found as (select block, cube::varchar as cube, part, cell, pairs, n, k, nn, kk, nk from cubes where {which})
    select b.first, 0, 0,
           {_shown("f.n", "f.k", "f.nn", "f.kk", "f.nk", "'/'", "p.n", "e.k", "p.nn", "e.kk", "e.nk")}
    from found f full join cells e using (block, cube, part, cell) left join parts p using (block, cube, part)
         join blocks b using (block)
    where (f.pairs, f.n, f.k, f.nn, f.kk, f.nk) is distinct from
          (p.pairs, p.n, coalesce(e.k, 0), p.nn, coalesce(e.kk, 0), coalesce(e.nk, 0))
    """


def _among(cubes: Sequence[str]) -> str:
    return f"cube in ({', '.join(repr(name) for name in cubes)})"


# Counts over pairs/: those parts of which its columns tell.

_OF_PAIRS: Final[dict[tuple[str, str], dict[str, str]]] = {
    ("refusal", "single all all"): {"refused": "single_refused", "paid": "single_due - single_refused"},
    ("refusal", "double all all"): {"refused": "double_refused", "paid": "double_due - double_refused"},
    ("next_win", "single all"): {
        "won": "single_paid_won",
        "lost": "single_due - single_refused - single_paid_won",
    },
    ("next_win", "double all"): {
        "won": "double_paid_won",
        "lost": "double_due - double_refused - double_paid_won",
    },
    ("next_win", "refused all"): {
        "won": "refused_won",
        "lost": "single_refused + double_refused - refused_won",
    },
    **{
        ("try", side): {result: f"{side}_a_{result}" for result in ("passed", "deal_lost", "partner_last")}
        for side in ("x", "y")
    },
}


def _of_pairs() -> str:
    rows = " union all ".join(
        f"select block, pair, '{cube}' as cube, '{part}' as part, '{cell}' as cell, "
        f"({' + '.join(f'({value})' for value in cells.values())}) as n, ({count}) as y from pairs"
        for (cube, part), cells in _OF_PAIRS.items()
        for cell, count in cells.items()
    )
    listed = ", ".join(f"('{cube}', '{part}')" for cube, part in _OF_PAIRS)
    return _compared(rows, f"(cube::varchar, part) in ({listed})")


# Counts over matches/.

_OF_MATCHES: Final = f"""
{_share("select block, pair, 'match_end' as cube, 'all' as part, end_reason as cell from matches")}
union all
select block, pair, 'forfeit', 'all', side, count(*),
       count(*) filter (end_reason = 'forfeit' and x_half_points = if(side = 'x', 0, 2))
from matches, (select unnest(['x', 'y']) as side) group by block, pair, side
union all
select block, pair, 'first_at_a', first_at_a, 'half_points', count(*),
       sum(if(first_at_a = 'x', x_half_points, 2 - x_half_points))
from matches where first_at_a is not null group by block, pair, first_at_a
"""


def _histograms() -> str:
    columns = (
        ("length", "all", "deals"),
        ("lead_changes", "all", "lead_changes"),
        ("a_fails", "x", "x_a_fails"),
        ("a_fails", "y", "y_a_fails"),
    )
    rows = " union all ".join(
        f"select block, '{cube}' as cube, '{part}' as part, {column}::varchar as cell, count(*) as k "
        "from matches group by all"
        for cube, part, column in columns
    )
    return f"""
    with counts as ({rows}),
    found as (select block, cube::varchar as cube, part, cell, k from cubes where {_among(HISTOGRAMS)})
    select b.first, 0, 0, {_shown("f.k", "'/'", "e.k")}
    from found f full join counts e using (block, cube, part, cell) join blocks b using (block)
    where f.k is distinct from e.k
    """


# Counts over deals/, by way of `played`; side and level once as they are and once as `all`.

_FAIR: Final = "(select * from played where not judged)"
_AFTER: Final = f"(select *, unnest([declarer::varchar, 'all']) as s from {_FAIR} where declarer is not null)"
_MOVED: Final = f"""
(select *, {RANK_OF_CARD.replace("card", "g")} as given, {RANK_OF_CARD.replace("card", "r")} as returned
 from (select block, pair, level, declarer, winner, unnest([given_1, given_2]) as g,
              unnest([returned_1, returned_2]) as r
       from {_FAIR} where given_1 is not null) where g is not null)
"""
_WON: Final = "if(winner = declarer, 'won', 'lost')"

_SHARES_OF_DEALS: Final = (
    f"""
    select block, pair, 'refusal' as cube,
           concat_ws(' ', if(tribute like 'single%', 'single', 'double'), s, unnest([level::varchar, 'all'])) as part,
           if(tribute like '%refused', 'refused', 'paid') as cell from {_AFTER} where tribute <> 'none'
    """,
    f"select block, pair, 'tribute', s, tribute::varchar from {_AFTER}",
    f"""
    select block, pair, 'next_win',
           unnest(if(tribute like '%refused', [tribute::varchar, 'refused', 'all'], [tribute::varchar, 'all']))
           || ' ' || s, {_WON} from {_AFTER}
    """,
    f"select block, pair, 'given', unnest([declarer::varchar, 'all']), given from {_MOVED}",
    f"select block, pair, 'returned', unnest([declarer::varchar, 'all']), returned from {_MOVED}",
    f"select block, pair, 'exchange', given || ' ' || returned, {_WON} from {_MOVED}",
    f"select block, pair, 'try', declarer::varchar, a_attempt::varchar from {_FAIR} where a_attempt <> 'none'",
    f"""
    select block, pair, 'try_number',
           if(number < 4, number::varchar, '4+') || ' ' || unnest([declarer::varchar, 'all']), a_attempt::varchar
    from (select *, row_number() over (partition by pair, leg, declarer order by deal) as number
          from {_FAIR} where a_attempt <> 'none')
    """,
    f"""
    select block, pair, 'reset', declarer::varchar,
           if(if(declarer = 'x', x_level_after < x_level_before, y_level_after < y_level_before), 'reset', 'kept')
    from {_FAIR} where a_attempt not in ('none', 'passed')
    """,
    f"""
    select block, pair, 'steps', w || ' ' || unnest([level::varchar, 'all']), steps::varchar
    from (select *, unnest([winner::varchar, 'all']) as w from {_FAIR})
    """,
)

_OF_DEALS: Final = f"""
{_share(" union all ".join(_SHARES_OF_DEALS))}
union all
select p.block, pair, 'level_map', p.x_level_before || ' ' || p.y_level_before, 'half_points', count(*),
       sum(m.x_half_points)
from played p join (select pair, leg, x_half_points from matches) m using (pair, leg) group by 1, 2, 4
union all
select block, pair, 'comeback', side || ' ' || least, 'half_points', count(*),
       sum(if(side = 'x', x_half_points, 2 - x_half_points))
from (select block, pair, leg, max(y_level_before - x_level_before) as x, max(x_level_before - y_level_before) as y
      from played group by all)
     unpivot (deficit for side in (x, y))
     join (select pair, leg, x_half_points from matches) using (pair, leg), (select unnest([3, 5, 8]) as least)
where deficit >= least group by block, pair, side, least
"""
_CUBES_OF_DEALS: Final = (*(name for name in _SHARED if name != "match_end"), "level_map", "comeback")

_OF_FAULTS: Final = f"""
select c.block, c.pair, 'fault' as cube, c.side as part, c.reason as cell, c.deals as n, count(f.pair) as y
from (select block, pair, deals, side, unnest({list(SHAPES["fault"][1])}) as reason
      from (select *, unnest(['x', 'y']) as side from pairs)) c
     left join faults f on f.pair = c.pair and f.side = c.side and f.reason = c.reason group by all
"""


def _wrong_rows() -> str:
    cells = ", ".join(f"('{name}', {list(cells)})" for name, (_, cells) in SHAPES.items())
    return f"""
    with shapes as (from (values {cells}) t(cube, cells)),
    found as (
        select block, cube::varchar as cube, part, list_sort(list(cell)) as found,
               count(distinct (pairs, n, nn)) as sums
        from cubes where not {_among(HISTOGRAMS)} group by block, cube::varchar, part)
    select b.first, 0, 0, concat_ws(' ', cube, part, found)
    from found join shapes using (cube) join blocks b using (block)
    where found <> list_sort(cells) or sums <> 1
    union all
    select b.first, 0, 0, concat_ws(' ', cube, part, cell, count(*)) from cubes c join blocks b using (block)
    where {_among(HISTOGRAMS)} group by b.first, cube, part, cell
    having count(*) > 1 or bool_or(c.pairs is not null or n is not null or nn is not null or kk is not null)
    """


def _wrong_sums() -> str:
    return f"""
    select b.first, 0, 0, {_shown("c.pairs", "n", "k", "nn", "kk", "nk")} from cubes c join blocks b using (block)
    where not {_among(HISTOGRAMS)}
      and (c.pairs not between 1 and b.pairs or n < c.pairs or k < 0 or kk < k or nk < k
           or nn::hugeint * c.pairs < n::hugeint * n or nk::hugeint * nk > nn::hugeint * kk
           or (cube <> 'fault' and k > if(cell = 'half_points', 2, 1) * n))
    union all
    select b.first, 0, 0, concat_ws(' ', cube, part, sum(k), '/', any_value(n)) from cubes join blocks b using (block)
    where {_among(_SHARED)} group by b.first, cube, part having sum(k) <> any_value(n) or sum(nk) <> any_value(nn)
    """


def _wrong_margins() -> str:
    places = ", ".join(f"('{cube}', {place})" for cube, place in _MARGINS)
    return f"""
    with places as (from (values {places}) t(cube, place)),
    words as (select block, cube::varchar as cube, string_split(part, ' ') as words, cell, k from cubes),
    rows as (
        select *, words[place] as word, list_concat(words[:place - 1], ['*'], words[place + 1:]) as others
        from words join places using (cube)),
    compared as (
        select block, cube, array_to_string(others, ' ') as part, cell,
               coalesce(sum(k) filter (word = 'all'), 0) as every,
               coalesce(sum(k) filter (word not in ('all', 'refused')), 0) as added
        from rows where cube <> 'next_win' or place = 1 or others[1] <> 'refused'
        group by block, cube, others, cell, place)
    select b.first, 0, 0, {_shown("every", "'/'", "added")} from compared join blocks b using (block)
    where every <> added
    """


LAWS: Final[tuple[Law, ...]] = (
    Law(
        "cube_rows",
        ("cubes",),
        "每块每项的各格齐全，各一次，场合相同",
        "a part of a cube has each of its cells once in a block, out of the same occasions",
        _wrong_rows(),
    ),
    Law(
        "cube_sums",
        ("cubes",),
        "各项的和相容：部分不大于整体，平方和不小于和，各格合为整体",
        "the sums of a cube fit: no part is more than its whole, squares are no less, and the cells make up the whole",
        _wrong_sums(),
    ),
    Law(
        "cube_margins",
        ("cubes",),
        "合计（all）等于各项之和",
        "what stands under `all` is the sum of the others",
        _wrong_margins(),
    ),
    Law(
        "cubes_of_pairs",
        ("cubes", "pairs"),
        "各块的抗贡、还击、打 A 计数与各对一致",
        "the cubes of refusals, next wins and tries are the sums of the pairs of the block",
        _of_pairs(),
    ),
    Law(
        "cubes_of_matches",
        ("cubes", "matches"),
        "各块的轮的计数与各轮一致",
        "the cubes of matches are the sums of the matches of the block",
        f"""
        select * from ({_compared(_OF_MATCHES, _among(("match_end", "forfeit", "first_at_a")))})
        union all select * from ({_histograms()})
        """,
    ),
    Law(
        "cubes_of_deals",
        ("cubes", "deals", "matches"),
        "各块的副的计数与各副一致",
        "the cubes of deals are the sums of the deals of the block",
        _compared(_OF_DEALS, _among(_CUBES_OF_DEALS)),
    ),
    Law(
        "cubes_of_faults",
        ("cubes", "faults"),
        "各块的出错计数与各次出错一致",
        "the cube of faults is the sum of the faults of the block",
        _compared(_OF_FAULTS, _among(("fault",))),
    ),
)
