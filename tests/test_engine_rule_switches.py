"""Every switch of the rules acts: for each there is a position that it decides, one way and the other."""

from collections.abc import Callable
from dataclasses import fields
from typing import Any

import pytest

from engine import _core
from engine.bulk import MATCH_ENDS, SEAT_SETS, Tables, play_pairs
from engine.cards import level_rank
from engine.deal import Deal
from engine.match import Match
from engine.plays import PASS, Kind, LegalPlays, Play, readings
from engine.report import must_report
from engine.rules import NATIONAL, SAFETY_CAP, Rules
from engine.tribute import TRIBUTES, pair_tribute, return_options, tribute_due, tribute_leader
from strategies.registry import load

SEED = 20261130


def single(card: str) -> Play:
    return Play(Kind.SINGLE, card[1], (card,))


def promote(rules: Rules, levels: str, declarer: int, order: bytes, **more: Any) -> Any:
    ranks = (level_rank(levels[0]), level_rank(levels[1]))
    fails, deals, aces = more.get("fails", (0, 0)), more.get("deals", 5), more.get("aces", 0)
    return _core.promote(rules.core(), ranks, declarer, fails, deals, order, aces)


def leads(hand: str, level: str) -> Callable[[Rules], Any]:
    return lambda rules: [(p.kind.name, p.key) for p in LegalPlays(hand, level, rules=rules)]


def bomb_sizes(rules: Rules) -> set[int]:
    plays = LegalPlays("S9 S9 H9 H9 C9 C9 D9 D9 H7 H7", "7", rules=rules)
    return {len(p.cards) for p in plays if p.kind == Kind.BOMB}


def after_the_first_is_out(rules: Rules) -> int | None:
    """Seat 0 goes out, nobody answers; its partner holds one wild of level 5."""
    deal = Deal(["SA", "S3 D3", "H5", "S4 D4"], "5", 0, rules=rules)
    for play in (single("SA"), PASS, PASS, PASS):
        deal.play(play)
    return deal.turn


def wind(rules: Rules) -> int | None:
    deal = Deal(["SA", "S3 D3", "S6 D7", "S4 D4"], "5", 0, rules=rules)
    for play in (single("SA"), PASS, PASS, PASS):
        deal.play(play)
    return deal.turn


def first_leaders(rules: Rules) -> list[int]:
    greedy = load("greedy")
    return [next(Match(rules, SEED, pair, 1, greedy, greedy).deals()).row["lead_seat"] for pair in range(40)]


def bulk(rules: Rules) -> Tables:
    return play_pairs(load("random"), load("random"), rules, SEED, range(30), detail="matches")


def match_ends(rules: Rules) -> Any:
    return bulk(rules).matches["end_reason"].tolist()


def match_seconds(rules: Rules) -> Any:
    return bulk(rules).matches["seconds"].tolist()


def leaders_after_refusal(rules: Rules) -> list[int]:
    """Who leads the deals in which tribute is refused, by the place of the seat in the deal before."""
    found = []
    for pair in range(60):
        before = None
        for deal in Match(rules, SEED, pair, 1, load("random"), load("random")).deals():
            if before is not None and deal.row["tribute"] >= TRIBUTES.index("single_refused"):
                found.append(before.index(deal.row["lead_seat"]))
            before = deal.events[-1][1]
    assert found
    return found


def payers_when_the_partner_is_last(rules: Rules) -> tuple[int, ...]:
    hands = ["S3", "S4", "S5", "S6"]
    return tribute_due((0, 1, 3, 2), hands, rules).payers


def tribute_chooser(rules: Rules) -> set[int]:
    """Seats that are asked for the tribute card, over many deals."""
    greedy, random = load("greedy"), load("random")
    cards = []
    for pair in range(12):
        for deal in Match(rules, SEED, pair, 1, greedy, random).deals():
            cards += [event[1:] for event in deal.events if event[0] == "tribute"]
    return set(cards)  # type: ignore[arg-type]


def equal_pair(rules: Rules) -> Any:
    order, paid = (0, 2, 1, 3), {1: "DA", 3: "SA"}
    moves = pair_tribute(order, "5", paid, rules)
    return moves, tribute_leader(order, "5", moves, {1: "S6", 3: "D3"}, rules)


def unequal_pair(rules: Rules) -> Any:
    order, paid = (0, 2, 1, 3), {1: "SB", 3: "HR"}
    moves = pair_tribute(order, "5", paid, rules)
    return moves, tribute_leader(order, "5", moves, {1: "S6", 3: "D3"}, rules)


ONE_THREE, ONE_TWO, ONE_FOUR, LOST = b"\0\1\2\3", b"\0\2\1\3", b"\0\1\3\2", b"\1\0\3\2"

# switch -> (other rules, what is looked at)
DECIDED_BY: dict[str, tuple[Rules, Callable[[Rules], Any]]] = {
    "wild_single": (Rules(wild_single=False, wild_single_takes_wind=False), leads("H5 S3", "5")),
    "wild_pair_any": (Rules(wild_pair_any=True), leads("H5 H5", "5")),
    "suited_straight_is_plain": (Rules(suited_straight_is_plain=True), leads("S3 S4 S5 S6 S7", "9")),
    "copies_beyond_deck": (Rules(copies_beyond_deck=False), bomb_sizes),
    "wild_single_takes_wind": (Rules(wild_single_takes_wind=False), after_the_first_is_out),
    "wind_to": (Rules(wind_to="next"), wind),
    "report": (Rules(report="ten_seven_four_one"), lambda r: must_report(10, 9, r)),
    "steps": (Rules(steps=(4, 2, 1)), lambda r: promote(r, "22", -1, ONE_TWO)),
    "a_plus": (Rules(a_plus=True), lambda r: promote(r, "K3", 0, ONE_THREE)),
    "win_on_reaching_a": (Rules(win_on_reaching_a=True), lambda r: promote(r, "Q3", 0, ONE_TWO)),
    "pass_a_partner": (Rules(pass_a_partner="second"), lambda r: promote(r, "A3", 0, ONE_THREE)),
    "a_fail_limit": (Rules(a_fail_limit=1), lambda r: promote(r, "A3", 0, LOST)),
    "a_drop_level": (Rules(a_fail_limit=1, a_drop_level="5"), lambda r: promote(r, "A3", 0, LOST)),
    "ace_last_play": (Rules(ace_last_play=True), lambda r: promote(r, "A3", 0, ONE_THREE, aces=1)),
    "tribute": (Rules(tribute=False), lambda r: tribute_due((0, 1, 2, 3), ["S3", "S4", "S5", "S6"], r)),
    "last_is_partner": (Rules(last_is_partner="third_pays"), payers_when_the_partner_is_last),
    "tribute_choice": (Rules(tribute_choice="receiver"), tribute_chooser),
    "double_tribute": (Rules(double_tribute="by_seat"), unequal_pair),
    "equal_tribute": (Rules(equal_tribute="upstream"), equal_pair),
    "return_level_card": (Rules(return_level_card=True), lambda r: return_options("S5 S3 SJ", "5", r)),
    "refuse_with_small_jokers": (
        Rules(refuse_with_small_jokers=True),
        lambda r: tribute_due((0, 1, 2, 3), ["S3", "S4", "S5", "SB SB"], r),
    ),
    "lead_after_refusal": (Rules(lead_after_refusal="payer"), leaders_after_refusal),
    "first_lead": (Rules(first_lead="turned_card"), first_leaders),
    "start_levels": (Rules(start_levels=("4", "2")), lambda r: promote(r, "".join(r.start_levels), -1, ONE_FOUR)),
    "limit_minutes": (Rules(limit_minutes=1), match_ends),
    "seconds": (Rules(seconds=(1, 1, 1, 1)), match_seconds),
    "tie_break": (Rules(limit_deals=1, tie_break=True), match_ends),
    "limit_deals": (Rules(limit_deals=6), lambda r: promote(r, "53", 0, ONE_FOUR, deals=5)),
}


def test_every_switch_is_in_the_table_below() -> None:
    assert set(DECIDED_BY) | {"a_fail_counts", "lead_after_tribute"} == {f.name for f in fields(Rules)}


@pytest.mark.parametrize("switch", DECIDED_BY)
def test_the_switch_decides_a_position(switch: str) -> None:
    other, look = DECIDED_BY[switch]
    assert getattr(other, switch) != getattr(NATIONAL, switch)
    assert look(other) != look(NATIONAL)


def test_a_fail_counts_own_last_leaves_a_lost_deal_uncounted() -> None:
    every, own = Rules(a_fail_limit=2), Rules(a_fail_limit=2, a_fail_counts="own_last")
    assert promote(every, "A3", 0, LOST)[2] == (1, 0)
    assert promote(own, "A3", 0, LOST)[2] == (0, 0)
    assert promote(own, "A3", 0, ONE_FOUR)[2] == (1, 0)


def test_the_larger_payer_leads_although_the_smaller_card_went_to_the_first() -> None:
    by_seat = Rules(double_tribute="by_seat")
    larger = Rules(double_tribute="by_seat", lead_after_tribute="larger_payer")
    assert unequal_pair(by_seat)[1] == 1
    assert unequal_pair(larger)[1] == 3


def test_a_wild_that_may_not_be_led_is_passed_over_for_the_next_seat() -> None:
    """The partner is stuck with the wild; the seat after it leads, and the wild never goes out alone."""
    sheet = Rules(wild_single=False, wild_single_takes_wind=False)
    deal = Deal(["SA", "S3 D3", "H5", "S4 D4"], "5", 0, rules=sheet)
    for play in (single("SA"), PASS, PASS, PASS):
        deal.play(play)
    assert deal.turn == 3
    deal.play(readings("S4 D4", "5")[0])  # seat 3 is out; 1 and 2 are left, seat 1 must answer or pass
    for _ in range(2):
        deal.play(PASS)
    assert deal.turn == 1
    assert not readings("H5", "5", sheet)


def test_the_deal_ends_where_nobody_has_anything_to_lead() -> None:
    """Two seats hold one wild each and the others are out: they are placed in seat order from the last holder."""
    sheet = Rules(wild_single=False, wild_single_takes_wind=False)
    deal = Deal(["S3", "H5", "H5", "S4"], "5", 0, rules=sheet)
    for play in (single("S3"), PASS, PASS, single("S4"), PASS, PASS):
        deal.play(play)
    assert deal.over
    assert deal.order == (0, 3, 1, 2)


def test_the_wind_for_the_next_seat_goes_past_one_that_is_out() -> None:
    """Seat 1 is out, seat 0 follows it out, nobody answers: seat 2 takes the wind, unless it is left with one wild."""
    for hand, takes, leader in (("S6 D7", True, 2), ("S6 D7", False, 2), ("H5", True, 2), ("H5", False, 3)):
        rules = Rules(wind_to="next", wild_single_takes_wind=takes)
        deal = Deal(["SA", "", hand, "S4 D4"], "5", 0, out=[1], rules=rules)
        for play in (single("SA"), PASS, PASS):
            deal.play(play)
        assert deal.turn == leader


def test_the_tribute_event_names_the_payer_whoever_chooses_the_card() -> None:
    greedy = load("greedy")
    for deal in Match(Rules(tribute_choice="receiver"), SEED, 0, 1, greedy, greedy).deals():
        told = {str(event[1]) for event in deal.events if event[0] == "tribute"}
        payers = SEAT_SETS[deal.row["payers"]] if deal.row["given_1"] >= 0 else ""
        assert told == set(payers)


def test_the_turned_card_lies_in_the_hand_of_the_first_leader_a_little_more_often_than_not() -> None:
    """102 cards can be turned; a seat leads in proportion to how many of them it holds."""
    rules = Rules(first_lead="turned_card")
    assert set(first_leaders(rules)) == {0, 1, 2, 3}
    assert first_leaders(rules) == first_leaders(rules)


def test_a_plus_is_won_only_beyond_a() -> None:
    """Q + 3, K + 2 and K + 3 win; J + 3 reaches A and plays it; K + 1 stays at K."""
    won = {
        (level, steps): promote(Rules(a_plus=True), f"{level}5", 0, {3: ONE_TWO, 2: ONE_THREE, 1: ONE_FOUR}[steps])
        for level in "JQK"
        for steps in (1, 2, 3)
    }
    assert {key for key, after in won.items() if after[4] == 0} == {("Q", 3), ("K", 2), ("K", 3)}
    assert won["J", 3][0][0] == level_rank("A")
    assert won["K", 1][0][0] == level_rank("K")


def test_a_limit_is_decided_by_level_and_equal_levels_are_a_draw() -> None:
    rules = Rules(limit_deals=3)
    matches = bulk(rules).matches
    assert set(matches["deals"].tolist()) == {3}
    for x, y, points, end in zip(
        matches["x_level"], matches["y_level"], matches["x_half_points"], matches["end_reason"], strict=True
    ):
        assert MATCH_ENDS[end] == "deal_limit"
        assert points == (2 if x > y else 1 if x == y else 0)
    assert 1 in matches["x_half_points"]


def test_passing_a_ends_a_limited_match_early() -> None:
    matches = bulk(Rules(limit_deals=30)).matches
    early = matches["end_reason"] == MATCH_ENDS.index("passed_a")
    assert early.any()
    assert (matches["deals"][early] < 30).any()
    assert (matches["deals"] <= 30).all()


def test_a_deal_begun_in_time_is_finished_and_none_is_begun_after_it() -> None:
    """One minute: the first deal takes longer than that, so exactly one is played."""
    matches = bulk(Rules(limit_minutes=1)).matches
    assert set(matches["deals"].tolist()) == {1}
    longer = bulk(Rules(limit_minutes=60)).matches
    timed = longer["end_reason"] == MATCH_ENDS.index("time_limit")
    assert timed.any()
    assert (longer["seconds"][timed] >= 3600).all()


def test_a_tie_is_broken_by_one_deal_at_two_without_tribute_until_the_first_is_out() -> None:
    """Two deals that each side won once by the same steps leave equal levels."""
    rules = Rules(limit_deals=2, tie_break=True)
    greedy = load("greedy")
    seen = 0
    for pair in range(200):
        deals = list(Match(rules, SEED, pair, 1, greedy, greedy).deals())
        if len(deals) == 2:
            continue
        last = deals[-1]
        seen += 1
        assert len(deals) == 3
        assert last.level == "2"
        assert last.row["tribute"] == 0
        assert [event[0] for event in last.events].count("out") == 1
        assert last.row["steps"] == 0
        assert last.levels_before == last.levels_after
    assert seen > 5


def test_no_tie_is_broken_beyond_the_safety_cap() -> None:
    """The bulk loop leaves room for so many deals of a match and no more: at the cap equal levels are a draw."""
    rules = Rules(limit_deals=SAFETY_CAP - 1, tie_break=True)
    *_, end, winner, _, _ = promote(rules, "25", -1, ONE_TWO, deals=SAFETY_CAP - 1)
    assert (MATCH_ENDS[end], winner) == ("deal_limit", -1)
    *_, end, _, _, _ = promote(rules, "25", -1, ONE_TWO, deals=SAFETY_CAP - 2)
    assert end < 0  # one deal earlier the tie is played off


def test_level_points_are_thirteen_and_the_difference_of_levels() -> None:
    """A side that passed A stands one above it. 8 against 5 is 16 : 10."""
    matches = bulk(NATIONAL).matches
    for x, y, points, level_points in zip(
        matches["x_level"], matches["y_level"], matches["x_half_points"], matches["x_level_points"], strict=True
    ):
        assert level_points == 13 + (x + (points == 2)) - (y + (points == 0))


def test_after_a_judged_double_down_nothing_is_paid_and_the_seat_before_the_offender_leads() -> None:
    """National art. 10, 11: the side loses the deal as a double-down, the next is played without tribute."""
    greedy = load("greedy")
    table = _core.Table(NATIONAL.core(), SEED, 0, 1)
    table.deal()
    table.decide(greedy.capsule)
    table.judge(2)
    row = table.score()
    assert (row["winner"], row["steps"], row["end_reason"]) == (1, 3, 3)
    table.deal()
    assert not table.tribute
    assert table.state[2] == 1
