"""Laws of deals, and of what follows from them for matches and pairs: what `sim.laws` tries.

They read `played`: deals with the deal before beside them. digits: seats in finishing order; place: of the partner of
the first, 1 to 3; breaks_tie: the deal that breaks a tie.
"""

from __future__ import annotations

from typing import Final

from sim.law import Law, differences, sums, text

PLAYED: Final = """
create or replace temp table played as
with a as (
    select d.*, translate(d.finish_order, '()', '') as digits, d.end_reason in ('judged', 'judged_last') as judged,
           m.end_reason = 'tie_break' and d.deal = m.deals as breaks_tie
    from deals d left join (select pair, leg, deals, end_reason from matches) m using (pair, leg)),
b as (
    select *, digits[1]::int as first, strpos(digits, ((digits[1]::int + 2) % 4)::varchar) - 1 as place,
           count(*) over (partition by pair, leg) as dealt from a)
select *, lag(digits) over w as digits_before, lag(place) over w as place_before, lag(judged) over w as judged_before,
       lag(winner) over w as winner_before, lag(x_level_after) over w as x_level_carried,
       lag(y_level_after) over w as y_level_carried,
       digits_before is null as is_first, lead(deal) over w is null as is_last
from b window w as (partition by pair, leg order by deal)
"""

_TRIBUTE_DUE: Final = """
case when is_first or judged_before or breaks_tie or not rule.has_tribute then 'none'
     when place_before = 1 then 'double'
     when place_before = 3 and rule.last_is_partner = 'nobody_pays' then 'none' else 'single' end
"""


def _of_deals() -> tuple[tuple[str, str], ...]:
    """List the columns of pairs/ that matches/ do not have, as sums over deals; judged deals tell only of play."""
    kinds = ("single", "double")
    steps = [
        (f"{s}_steps_{k}", f"(not judged and winner = '{s}' and 4 - place = {k})::int")
        for s in ("x", "y")
        for k in (1, 2, 3)
    ]
    due = [(f"{k}_due", f"(not judged and tribute in ('{k}', '{k}_refused'))::int") for k in kinds]
    refused = [(f"{k}_refused", f"(not judged and tribute = '{k}_refused')::int") for k in kinds]
    won = [(f"{k}_paid_won", f"(not judged and tribute = '{k}' and winner = declarer)::int") for k in kinds]
    tries = [
        (f"{s}_a_{result}", f"(not judged and declarer = '{s}' and a_attempt = '{result}')::int")
        for s in ("x", "y")
        for result in ("passed", "deal_lost", "partner_last")
    ]
    refused_won = "(not judged and tribute like '%refused' and winner = declarer)::int"
    bombs = "bombs_4 + bombs_5 + straight_flushes + bombs_6_up + joker_bombs"
    play = [("passes", "passes"), ("tricks", "tricks"), ("bombs", bombs)]
    return (*steps, *due, *refused, *won, ("refused_won", refused_won), *tries, *play)


def _pair_sums_of_deals() -> str:
    columns = _of_deals()
    where, shown = differences([(f"p.{name}", f"d.{name}") for name, _ in columns])
    return f"""
    with d as (select pair, {sums(columns)} from played group by pair)
    select p.pair, 0, 0, {shown} from pairs p join d using (pair) where {where}
    """


def _match_sums_of_deals() -> str:
    tried = "not judged and a_attempt <> 'none'"
    added = (
        ("x_deals_won", "(winner = 'x')::int"),
        *((f"{s}_steps", f"if(winner = '{s}', steps, 0)") for s in ("x", "y")),
        *((f"{s}_a_attempts", f"({tried} and declarer = '{s}')::int") for s in ("x", "y")),
        *((f"{s}_a_fails", f"({tried} and declarer = '{s}' and a_attempt <> 'passed')::int") for s in ("x", "y")),
        ("plays", "plays"),
    )
    ends = ("x_level", "y_level", "first_lead_seat", "first_at_a", "lead_changes")
    where, shown = differences([(f"m.{name}", f"d.{name}") for name in (*(name for name, _ in added), *ends)])
    return f"""
    with ahead as (
        select pair, leg, deal, sign(x_level_after - y_level_after) as now
        from played where x_level_after <> y_level_after),
    turns as (
        select pair, leg, (now <> lag(now) over (partition by pair, leg order by deal))::int as turned from ahead),
    changes as (select pair, leg, coalesce(sum(turned), 0) as lead_changes from turns group by all),
    first_a as (
        select pair, leg, min(deal) filter (x_level_after = 14) as fx, min(deal) filter (y_level_after = 14) as fy
        from played group by all),
    d as (
        select pair, leg, {sums(added)}, arg_max(x_level_after, deal) as x_level,
               arg_max(y_level_after, deal) as y_level,
               arg_min(lead_seat, deal) as first_lead_seat, coalesce(any_value(lead_changes), 0) as lead_changes,
               any_value(case when fy <= fx or (fx is null and fy is not null) then 'y'
                              when fx is not null then 'x' end) as first_at_a
        from played left join changes using (pair, leg) left join first_a using (pair, leg) group by all)
    select m.pair, m.leg, 0, {shown} from matches m join d using (pair, leg) where {where}
    """


LAWS: Final[tuple[Law, ...]] = (
    Law(
        "deals_numbered",
        ("deals",),
        "每轮的副从 1 起连续编号，共其副数",
        "the deals of a match are numbered from 1 on, as many as it says",
        """
        with d as (select pair, leg, count(*) as n, min(deal) as low, max(deal) as high from deals group by all)
        select coalesce(m.pair, d.pair), coalesce(m.leg, d.leg), 0,
               'deals ' || coalesce(m.deals, 0) || ', rows ' || coalesce(d.n, 0) || ' to ' || coalesce(d.high, 0)
        from matches m full join d using (pair, leg)
        where d.n is distinct from m.deals or d.low <> 1 or d.high <> m.deals
        """,
    ),
    Law(
        "match_sums_of_deals",
        ("deals",),
        "轮的数等于其各副之和",
        "the numbers of a match follow from its deals",
        _match_sums_of_deals(),
    ),
    Law(
        "pair_sums_of_deals",
        ("deals",),
        "每对的进贡、过A、升级等数等于其各副之和",
        "tributes, tries at A, steps and play of a pair are the sums over its deals",
        _pair_sums_of_deals(),
    ),
    Law(
        "time_model",
        ("deals",),
        "轮的用时按规则的用时模型由各副得出",
        "the seconds of a match follow from its deals by the time model",
        """
        with d as (
            select pair, leg, sum(rule.second_deal + rule.second_lead * tricks + rule.second_answer * (plays - tricks)
                                  + rule.second_pass * passes) as seconds from deals, rule group by all)
        select m.pair, m.leg, 0, m.seconds || ' / ' || d.seconds from matches m join d using (pair, leg)
        where m.seconds <> d.seconds
        """,
    ),
    Law(
        "levels_in_range",
        ("deals",),
        "级数在 2 到 14 之内",
        "levels lie within 2 to 14",
        f"""
        select pair, leg, deal, {text("level", "x_level_before", "y_level_before", "x_level_after", "y_level_after")}
        from deals where least(level, x_level_before, y_level_before, x_level_after, y_level_after) < 2
                      or greatest(level, x_level_before, y_level_before, x_level_after, y_level_after) > 14
        """,
    ),
    Law(
        "level_played",
        ("deals",),
        "所打的级是上一副胜方的级；首副为较高的级",
        "the level played is that of the side which won the deal before; at first the higher one",
        f"""
        select pair, leg, deal, {text("level", "declarer", "x_level_before", "y_level_before")} from played
        where level <> case when breaks_tie then 2 when declarer = 'x' then x_level_before
                            when declarer = 'y' then y_level_before else greatest(x_level_before, y_level_before) end
        """,
    ),
    Law(
        "levels_carry",
        ("deals",),
        "本副前的级数是上一副后的级数；首副为起打级数",
        "the levels before a deal are those after the one before; at first those of the start",
        f"""
        select pair, leg, deal, {text("x_level_before", "x_level_carried", "y_level_before", "y_level_carried")}
        from played, rule
        where case when is_first then not rule.boards
                        and (x_level_before <> if(leg = 1, rule.start_1, rule.start_2)
                             or y_level_before <> if(leg = 1, rule.start_2, rule.start_1))
                   else x_level_before <> x_level_carried or y_level_before <> y_level_carried end
        """,
    ),
    Law(
        "levels_follow",
        ("deals",),
        "本副后的级数由本副前的级数与升级数得出",
        "the levels after a deal follow from those before it and the steps",
        f"""
        with side as (
            select pair, leg, deal, winner, declarer, steps, a_attempt, breaks_tie, x_level_before as before,
                   x_level_after as after, 'x' as side from played
            union all
            select pair, leg, deal, winner, declarer, steps, a_attempt, breaks_tie, y_level_before, y_level_after, 'y'
            from played)
        select pair, leg, deal, {text("side", "before", "steps", "after")} from side, rule
        where not (rule.drops and declarer = side and before = 14 and a_attempt in ('deal_lost', 'partner_last')
                   and after = rule.drop_level)
          and after <> case when winner <> side or breaks_tie then before
                            when rule.a_plus and before = 13 and steps = 1 then 13
                            else greatest(before, least(14, before + steps)) end
        """,
    ),
    Law(
        "winner_finishes_first",
        ("deals",),
        "胜方是上游的一方",
        "the winner is the side of whoever finished first",
        f"""
        select pair, leg, deal, {text("finish_order", "winner")} from played
        where winner <> if((first + leg - 1) % 2 = 0, 'x', 'y')
        """,
    ),
    Law(
        "steps_of_order",
        ("deals",),
        "升级数由名次得出",
        "the steps follow from the finishing order",
        f"""
        select pair, leg, deal, {text("finish_order", "steps")} from played, rule
        where steps <> if(breaks_tie, 0, [rule.step_1, rule.step_2, rule.step_3][place])
        """,
    ),
    Law(
        "declarer_won_before",
        ("deals",),
        "本副打级的一方是上一副的胜方；首副没有",
        "the declarer is the winner of the deal before; at first there is none",
        f"""
        select pair, leg, deal, {text("declarer", "winner_before")} from played, rule
        where declarer is distinct from winner_before and not (is_first and rule.boards)
        """,
    ),
    Law(
        "tribute_of_order",
        ("deals",),
        "进贡的种类由上一副的名次得出",
        "the kind of tribute follows from the finishing order of the deal before",
        f"""
        select pair, leg, deal, {text("tribute", "digits_before")} from played, rule
        where not judged and not rule.boards and replace(tribute, '_refused', '') <> {_TRIBUTE_DUE}
        """,
    ),
    Law(
        "payers_of_order",
        ("deals",),
        "进贡与受贡的座位由上一副的名次得出",
        "who pays and who receives follows from the finishing order of the deal before",
        f"""
        select pair, leg, deal, {text("tribute", "payers", "receivers", "digits_before")} from played, rule
        where (payers is null) <> (tribute = 'none') or (receivers is null) <> (tribute = 'none')
           or (not judged and not rule.boards and not is_first and tribute in ('single', 'single_refused')
               and (payers <> digits_before[if(place_before = 3 and rule.last_is_partner = 'third_pays', 3, 4)]
                    or receivers <> digits_before[1]))
           or (not judged and not rule.boards and not is_first and tribute in ('double', 'double_refused')
               and (payers not in (digits_before[3:4], digits_before[4] || digits_before[3])
                    or receivers <> digits_before[1:2]))
        """,
    ),
    Law(
        "cards_of_tribute",
        ("deals",),
        "有进贡才有所进、所还的牌",
        "cards are given and returned exactly where tribute is paid",
        f"""
        select pair, leg, deal, {text("tribute", "given_1", "given_2", "returned_1", "returned_2")} from played
        where (given_1 is not null and tribute not in ('single', 'double'))
           or (given_2 is not null and tribute <> 'double')
           or (returned_1 is not null and given_1 is null) or (returned_2 is not null and given_2 is null)
           or (not judged and ((given_1 is null) = (tribute in ('single', 'double'))
                               or (given_2 is null) = (tribute = 'double')
                               or (returned_1 is null) <> (given_1 is null)
                               or (returned_2 is null) <> (given_2 is null)))
        """,
    ),
    Law(
        "leader",
        ("deals",),
        "单贡后由进贡者首出，抗贡后按规则",
        "a single payer leads; after a refusal whoever the rules say",
        f"""
        select pair, leg, deal, {text("lead_seat", "tribute", "payers", "digits_before")} from played, rule
        where lead_seat not between 0 and 3
           or (not judged and not rule.boards and not is_first
               and ((tribute = 'single' and lead_seat <> payers::int)
                    or (tribute = 'double' and not contains(payers, lead_seat::varchar))
                    or (tribute like '%refused' and rule.refused_first and lead_seat <> digits_before[1]::int)))
        """,
    ),
    Law(
        "tries_at_a",
        ("deals",),
        "打自己 A 的结果由名次得出",
        "what became of a try at A follows from the finishing order",
        f"""
        with due as (
            select played.*, case when declarer is null or breaks_tie
                             or if(declarer = 'x', x_level_before, y_level_before) <> 14 then 'none'
                           when winner <> declarer then 'deal_lost'
                           when place <= rule.pass_place then 'passed' else 'partner_last' end as expected,
                   rule.ace_last_play from played, rule)
        select pair, leg, deal, {text("a_attempt", "expected", "finish_order")} from due
        where a_attempt <> expected and not (ace_last_play and expected = 'passed' and a_attempt = 'partner_last')
        """,
    ),
    Law(
        "fails_counted",
        ("deals",),
        "打 A 未过的次数逐副累计",
        "failed tries at A are counted on from deal to deal",
        f"""
        with run as (
            select pair, leg, deal, x_a_fails, y_a_fails,
                   sum((declarer = 'x' and a_attempt in ('deal_lost', 'partner_last'))::int) over w as x_failed,
                   sum((declarer = 'y' and a_attempt in ('deal_lost', 'partner_last'))::int) over w as y_failed
            from played window w as (partition by pair, leg order by deal))
        select pair, leg, deal, {text("x_a_fails", "x_failed", "y_a_fails", "y_failed")} from run
        where x_a_fails <> coalesce(x_failed, 0) or y_a_fails <> coalesce(y_failed, 0)
        """,
    ),
    Law(
        "jokers_and_wilds",
        ("deals",),
        "一方至多 4 张王、2 张逢人配",
        "a side is dealt at most 4 jokers and 2 wilds",
        f"""
        select pair, leg, deal, {text("x_jokers", "x_wilds")} from deals
        where x_jokers not between 0 and 4 or x_wilds not between 0 and 2
        """,
    ),
    Law(
        "jokers_of_refusal",
        ("deals",),
        "抗贡的一方至少有两张王",
        "a side that refuses tribute was dealt two jokers",
        f"""
        select pair, leg, deal, {text("tribute", "payers", "x_jokers")} from deals
        where tribute like '%refused' and if((payers[1]::int + leg - 1) % 2 = 0, x_jokers, 4 - x_jokers) < 2
        """,
    ),
    Law(
        "end_of_deal",
        ("deals",),
        "本副的结束方式与名次、剩余的牌一致",
        "how a deal ended agrees with the finishing order and the cards left",
        f"""
        select pair, leg, deal, {text("end_reason", "finish_order", "cards_left")} from played
        where (end_reason in ('double_down', 'judged') and place <> 1) or (end_reason = 'three_out' and place = 1)
           or (end_reason = 'double_down' and cards_left not between 2 and 107)
           or (end_reason = 'three_out' and cards_left not between 1 and 106)
           or (end_reason = 'first_out') <> (breaks_tie and not judged)
        """,
    ),
    Law(
        "plays_counted",
        ("deals",),
        "圈、出牌、炸弹、接风的次数相容",
        "tricks, plays, bombs and winds of a deal fit",
        f"""
        select pair, leg, deal, {text("plays", "tricks", "winds", "joker_bombs", "cards_left")} from played
        where tricks > plays or winds > tricks or joker_bombs > 1 or least(plays, passes, tricks, winds, cards_left) < 0
           or bombs_4 + bombs_5 + straight_flushes + bombs_6_up + joker_bombs > plays
           or 4 * bombs_4 + 5 * (bombs_5 + straight_flushes) + 6 * bombs_6_up + 4 * joker_bombs > 108
           or (not judged and (plays < 1 or plays + cards_left > 108))
        """,
    ),
    Law(
        "last_deal_wins",
        ("deals",),
        "过A者赢下一轮，也只在最后一副",
        "whoever passes A wins the match, and only with its last deal",
        f"""
        select d.pair, d.leg, d.deal, {text("d.a_attempt", "d.winner", "m.end_reason", "m.x_half_points")}
        from played d join (select pair, leg, end_reason, x_half_points from matches) m using (pair, leg), rule
        where (d.a_attempt = 'passed' and (not d.is_last or m.end_reason <> 'passed_a'))
           or (d.is_last and m.end_reason in ('passed_a', 'tie_break', 'board')
               and m.x_half_points <> if(d.winner = 'x', 2, 0))
           or (d.is_last and m.end_reason = 'passed_a' and d.a_attempt <> 'passed'
               and not rule.a_plus and not rule.win_on_reaching_a)
        """,
    ),
)
