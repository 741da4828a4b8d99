"""Laws of pairs, matches, faults and style: what `sim.laws` tries."""

from __future__ import annotations

from typing import Final

from engine.bulk import CELLS
from engine.rules import SAFETY_CAP
from engine.style import RATES, ROLES
from sim.law import Law, differences, sums, text

_OF_MATCHES: Final = (
    ("deals", "deals"),
    ("x_deals_won", "x_deals_won"),
    ("x_steps", "x_steps"),
    ("y_steps", "y_steps"),
    ("x_a_attempts", "x_a_attempts"),
    ("y_a_attempts", "y_a_attempts"),
    ("x_fails", "x_a_fails"),
    ("y_fails", "y_a_fails"),
    ("plays", "plays"),
    ("capped", "(end_reason = 'safety_cap')::int"),
)
_PAIR_SIDE: Final = {
    "x_fails": "p.x_a_deal_lost + p.x_a_partner_last",
    "y_fails": "p.y_a_deal_lost + p.y_a_partner_last",
}


def _pair_sums_of_matches() -> str:
    where, shown = differences([(_PAIR_SIDE.get(name, f"p.{name}"), f"m.{name}") for name, _ in _OF_MATCHES])
    return f"""
    with m as (select pair, {sums(_OF_MATCHES)} from matches group by pair)
    select p.pair, 0, 0, {shown} from pairs p join m using (pair) where {where}
    """


LAWS: Final[tuple[Law, ...]] = (
    Law(
        "pair_ids",
        ("pairs",),
        "每块恰含其对号，各一次，依次排列",
        "a block holds exactly the pair ids of its range, each once, in order",
        """
        select p.pair, 0, 0, 'row ' || p.row from pairs p join blocks b using (block) where p.pair <> b.first + p.row
        union all
        select b.first, 0, 0, count(p.pair) || ' rows' from blocks b left join pairs p using (block)
        group by b.block, b.first, b.pairs having count(p.pair) <> b.pairs
        """,
    ),
    Law(
        "records",
        ("pairs",),
        "块记录的轮数、副数等于各对之和",
        "the matches and deals of a commit record are those of its pairs",
        """
        select b.first, 0, 0, 'matches ' || b.matches || ' / ' || sum(p.legs)
               || ', deals ' || b.deals || ' / ' || sum(p.deals)
        from blocks b join pairs p using (block) group by b.block, b.first, b.matches, b.deals
        having b.matches <> sum(p.legs) or b.deals <> sum(p.deals)
        """,
    ),
    Law(
        "row_order",
        ("matches",),
        "各行按对、轮、副升序",
        "rows ascend by pair, leg and deal",
        """
        select pair, leg, 0, 'matches row ' || row from matches
        qualify lag((pair, leg)) over (partition by block order by row) >= (pair, leg)
        """,
    ),
    Law(
        "deal_order",
        ("deals",),
        "副的各行按对、轮、副升序",
        "rows of deals ascend by pair, leg and deal",
        """
        select pair, leg, deal, 'row ' || row from deals
        qualify lag((pair, leg, deal)) over (partition by block order by row) >= (pair, leg, deal)
        """,
    ),
    Law(
        "legs",
        ("pairs",),
        "每对的轮数是本次对阵的轮数，第二轮没打则得分为空",
        "a pair has the legs of its match-up, and no result of a leg that was not played",
        f"""
        select pair, 0, 0, {text("legs", "x_half_points_2")} from pairs, rule
        where legs <> rule.match_legs or (x_half_points_2 is null) <> (legs = 1)
        """,
    ),
    Law(
        "cells",
        ("pairs",),
        "每对的结果与两轮得分一致",
        "the cell of a pair is the sum of its half points",
        f"""
        select pair, 0, 0, {text("cell", "x_half_points_1", "x_half_points_2")} from pairs
        where x_half_points_1 not between 0 and 2 or coalesce(x_half_points_2, 0) not between 0 and 2
           or cell is distinct from
              if(legs = 1, null, {list(CELLS)}[least(x_half_points_1 + coalesce(x_half_points_2, 0), 4) + 1])
        """,
    ),
    Law(
        "pair_counts",
        ("pairs",),
        "每对的各计数相容：部分不大于整体",
        "the counts of a pair fit: no part is more than its whole",
        f"""
        select pair, 0, 0, {text("deals", "single_due", "double_due", "x_a_attempts", "y_a_attempts")} from pairs
        where x_deals_won not between 0 and deals or deals < legs or capped > legs
           or single_refused > single_due or double_refused > double_due or single_due + double_due > deals
           or single_paid_won > single_due - single_refused or double_paid_won > double_due - double_refused
           or refused_won > single_refused + double_refused
           or x_a_attempts <> x_a_passed + x_a_deal_lost + x_a_partner_last
           or y_a_attempts <> y_a_passed + y_a_deal_lost + y_a_partner_last
           or x_a_passed + y_a_passed > legs or tricks > plays or bombs > plays
           or x_steps_1 + x_steps_2 + x_steps_3 > x_deals_won or y_steps_1 + y_steps_2 + y_steps_3 > deals - x_deals_won
        """,
    ),
    Law(
        "steps_bound",
        ("pairs",),
        "升级数之和在胜副数允许的范围内",
        "the levels earned lie within what the deals won allow",
        f"""
        select pair, 0, 0, {text("deals", "x_deals_won", "x_steps", "y_steps")} from pairs, rule
        where x_steps not between (x_deals_won - if(rule.tie_break, legs, 0)) * rule.step_3
                              and x_deals_won * rule.step_1
           or y_steps not between (deals - x_deals_won - if(rule.tie_break, legs, 0)) * rule.step_3
                              and (deals - x_deals_won) * rule.step_1
        """,
    ),
    Law(
        "match_rows",
        ("matches",),
        "每对的轮恰为其各轮",
        "the matches of a pair are its legs, each once",
        """
        with m as (select pair, count(*) as n, min(leg) as low, max(leg) as high from matches group by pair)
        select coalesce(p.pair, m.pair), 0, 0, 'legs ' || coalesce(p.legs, 0) || ', matches ' || coalesce(m.n, 0)
        from pairs p full join m using (pair)
        where m.n is distinct from p.legs or m.low <> 1 or m.high <> p.legs
        """,
    ),
    Law(
        "pair_sums_of_matches",
        ("matches",),
        "每对的数等于其各轮之和",
        "the numbers of a pair are the sums over its matches",
        _pair_sums_of_matches(),
    ),
    Law(
        "results_of_legs",
        ("matches",),
        "每对各轮的得分就是该轮的得分",
        "the results of a pair are those of its matches",
        """
        select m.pair, m.leg, 0, m.x_half_points || ' / '
               || coalesce(if(m.leg = 1, x_half_points_1, x_half_points_2)::varchar, '-')
        from matches m join pairs p using (pair)
        where m.x_half_points is distinct from if(m.leg = 1, p.x_half_points_1, p.x_half_points_2)
        """,
    ),
    Law(
        "match_results",
        ("matches",),
        "轮的得分与终局级数、结束原因一致",
        "the result of a match agrees with its levels and how it ended",
        f"""
        select pair, leg, 0, {text("end_reason", "x_half_points", "x_level", "y_level", "x_level_points")} from matches
        where x_half_points not between 0 and 2
           or x_level_points <> 13 + x_level - y_level + if(end_reason = 'passed_a', x_half_points - 1, 0)
           or case when end_reason = 'passed_a' then x_half_points = 1 or if(x_half_points = 2, x_level, y_level) <> 14
                   when end_reason in ('deal_limit', 'time_limit') then x_half_points <> 1 + sign(x_level - y_level)
                   when end_reason = 'safety_cap' then x_half_points <> 1
                   else x_half_points = 1 end
        """,
    ),
    Law(
        "match_length",
        ("matches",),
        "副数在规则与安全上限之内",
        "a match has no more deals than its rules and the safety cap allow",
        f"""
        select pair, leg, 0, {text("deals", "end_reason")} from matches, rule
        where deals not between 1 and {SAFETY_CAP} or (rule.boards and deals <> 1)
           or (end_reason = 'safety_cap' and deals <> {SAFETY_CAP})
           or (rule.limit_deals > 0 and not rule.boards and deals > rule.limit_deals + rule.tie_break::int)
           or (end_reason = 'deal_limit' and deals < rule.limit_deals)
        """,
    ),
    Law(
        "faults_are_judged",
        ("deals", "faults"),
        "每个出错都在判罚的副里，每个判罚的副都有出错",
        "a fault belongs to a judged deal, and a judged deal has its fault",
        """
        with f as (
            select pair, leg, deal, bool_and(asked = 'told') as told, any_value(reason) as reason
            from faults group by all)
        select coalesce(d.pair, f.pair), coalesce(d.leg, f.leg), coalesce(d.deal, f.deal),
               coalesce(d.end_reason, '-') || ', ' || coalesce(f.reason, 'no fault')
        from (select pair, leg, deal, end_reason, judged from played) d full join f using (pair, leg, deal)
        where (coalesce(d.judged, false) and f.reason is null)
           or (not coalesce(d.judged, false) and f.reason is not null and not f.told)
        """,
    ),
    Law(
        "faults_of_side",
        ("faults",),
        "出错的一方是出错座位的一方",
        "the side of a fault is that of its seat",
        f"""
        select pair, leg, deal, {text("seat", "side")} from faults
        where seat not between 0 and 3 or side <> if((seat + leg - 1) % 2 = 0, 'x', 'y')
        """,
    ),
    Law(
        "forfeits",
        ("matches", "faults"),
        "判负的轮恰由一次记为判负的出错而来，归对方",
        "a match ends by forfeit exactly where a fault forfeits it, to the other side",
        """
        with f as (select pair, leg, count(*) as n, any_value(side) as side from faults where forfeits = 1 group by all)
        select coalesce(m.pair, f.pair), coalesce(m.leg, f.leg), 0,
               coalesce(m.end_reason, '-') || ', ' || coalesce(f.n, 0) || ' forfeits'
        from (select pair, leg, end_reason, x_half_points from matches) m full join f using (pair, leg)
        where (m.end_reason = 'forfeit' and (f.n is distinct from 1 or m.x_half_points <> if(f.side = 'x', 0, 2)))
           or (f.n is not null and m.pair is null) or f.n > 1
        """,
    ),
    Law(
        "style_rows",
        ("style",),
        "每块的每种手牌、每个比率恰一行",
        "a block has one row for each role and rate of style",
        f"""
        select b.first, 0, 0, count(s.role) || ' rows' from blocks b left join style s using (block)
        group by b.block, b.first
        having count(s.role) <> {len(ROLES) * len(RATES)} or count(distinct (s.role, s.rate)) <> count(s.role)
        """,
    ),
    Law(
        "style_sums",
        ("style",),
        "风格的平方和不小于和的平方除以对数",
        "sums of squares of style are no less than their sums allow",
        """
        select b.first, 0, 0, s.role || ' ' || s.rate from style s join blocks b using (block)
        where greatest(x_pairs, y_pairs) > b.pairs or least(x_pairs, y_pairs) < 0
           or x_n < x_pairs or y_n < y_pairs
           or x_n::hugeint * x_n > x_nn::hugeint * x_pairs or y_n::hugeint * y_n > y_nn::hugeint * y_pairs
           or s.x_y::hugeint * s.x_y > x_yy::hugeint * x_pairs or s.y_y::hugeint * s.y_y > y_yy::hugeint * y_pairs
        """,
    ),
)
