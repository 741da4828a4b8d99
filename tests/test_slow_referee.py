"""The slow referee lets legal deals through, stops illegal ones, and knows what a deal row must say."""

from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from engine.rules import NATIONAL, Rules
from engine.ruleset import load_rules, preset_names
from tests.slow import rulings
from tests.slow.brute import PACK, readings
from tests.slow.player import deal, play_deal
from tests.slow.referee import Event, MatchState, Referee

SINGLE_TRIBUTE = MatchState(levels=("A", "K"), declarer=0, previous_order=(0, 1, 2, 3), failed_tries=(1, 0))
DOUBLE_TRIBUTE = MatchState(levels=("5", "2"), declarer=0, previous_order=(0, 2, 1, 3))


def cards(text: str) -> list[str]:
    """Write out cards: "S3H3" is two cards, "3*8" all eight threes."""
    if text.endswith("*8"):
        return [suit + text[0] for suit in "SHCD" for _ in range(2)]
    return [text[i : i + 2] for i in range(0, len(text), 2)]


def hands_of_bombs() -> list[list[str]]:
    """Seats 0 and 2 hold three eight-bombs and a triple each, seats 1 and 3 one copy of nearly every other card."""
    zero = [*cards("3*8"), *cards("4*8"), *cards("5*8"), *cards("S6C6H6")]
    two = [*cards("7*8"), *cards("8*8"), *cards("9*8"), *cards("STCTDT")]
    rest = sorted((Counter([*PACK, *PACK]) - Counter(zero + two)).elements())
    return [zero, rest[0::2], two, rest[1::2]]


def swapped(hands: list[list[str]], seat: int, card: str, other: int, other_card: str) -> list[list[str]]:
    """Let two seats exchange a card each."""
    hands[seat].remove(card)
    hands[other].remove(other_card)
    hands[seat].append(other_card)
    hands[other].append(card)
    return hands


def bomb(seat: int, rank: str) -> Event:
    return ("play", seat, "BOMB", rank, cards(rank + "*8"))


def passes(*seats: int) -> list[Event]:
    return [("pass", seat) for seat in seats]


def partner_wins() -> list[Event]:
    """Seat 2 takes the wind of seat 0 and empties its hand."""
    return [
        ("wind", 2),
        *(event for rank in "789" for event in (bomb(2, rank), *passes(3, 1))),
        ("play", 2, "TRIPLE", "T", cards("STCTDT")),
        ("out", 2),
        ("end", [0, 2, 3, 1]),
    ]


FIRST_DEAL: list[Event] = [
    ("lead", 0),
    *(event for rank in "345" for event in (bomb(0, rank), *passes(1, 2, 3))),
    ("play", 0, "TRIPLE", "6", cards("S6C6H6")),
    ("out", 0),
    *passes(1, 2, 3),
    *partner_wins(),
]

PASS_A: list[Event] = [
    ("tribute", 3, "HR"),
    ("return", 0, 3, "H6"),
    ("lead", 3),
    ("play", 3, "SINGLE", "2", ["S2"]),
    *(event for rank in "345" for event in (bomb(0, rank), *passes(1, 2, 3))),
    ("play", 0, "PAIR", "6", cards("S6C6")),
    *passes(1, 2, 3),
    ("play", 0, "SINGLE", "R", ["HR"]),
    *passes(1, 2, 3),
    *partner_wins(),
]


def no_tribute() -> dict[str, object]:
    return dict.fromkeys(("payers", "receivers", "given_1", "given_2", "returned_1", "returned_2"))


def row_of_first_deal() -> dict[str, object]:
    """Worked out by hand for leg 1, where side x sits on seats 0 and 2."""
    return (
        {"run": "r", "rules": "national", "x": "greedy", "y": "random", "pair": 7, "leg": 1, "deal": 1, "level": 2}
        | {"x_level_before": 2, "y_level_before": 2, "x_level_after": 5, "y_level_after": 2, "declarer": None}
        | {"lead_seat": 0, "tribute": "none", **no_tribute(), "x_jokers": 0, "x_wilds": 0}
        | {"finish_order": "02(13)", "winner": "x", "steps": 3, "end_reason": "double_down"}
        | {"a_attempt": "none", "x_a_fails": 0, "y_a_fails": 0}
        | {"plays": 8, "passes": 18, "tricks": 8, "winds": 1, "cards_left": 54}
        | {"bombs_4": 0, "bombs_5": 0, "straight_flushes": 0, "bombs_6_up": 6, "joker_bombs": 0}
    )


def row_of_pass_a() -> dict[str, object]:
    """The same hands, but seat 0 must get the lead from seat 3 and has a big joker for a six."""
    return (
        row_of_first_deal()
        | {"deal": 9, "level": 14, "x_level_before": 14, "y_level_before": 13, "x_level_after": 14, "y_level_after": 13}
        | {"declarer": "x", "lead_seat": 3, "tribute": "single", "payers": "3", "receivers": "0"}
        | {"given_1": "HR", "returned_1": "H6", "a_attempt": "passed", "x_a_fails": 1}
        | {"plays": 10, "passes": 21, "tricks": 9, "cards_left": 53}
    )


def test_a_first_deal_gives_the_row_worked_out_by_hand() -> None:
    referee = Referee(hands_of_bombs(), MatchState())
    referee.replay(FIRST_DEAL)
    assert referee.differences(row_of_first_deal()) == []
    after = MatchState(levels=("5", "2"), declarer=0, previous_order=(0, 2, 3, 1), deals=1, seconds=194)
    assert referee.next_state() == after  # 60 s the deal, 10 s each of 8 leads, 3 s each of 18 passes


def test_in_leg_2_side_x_sits_on_seats_1_and_3() -> None:
    referee = Referee(hands_of_bombs(), MatchState(), leg=2)
    referee.replay(FIRST_DEAL)
    exchanged = {"leg": 2, "x_level_after": 2, "y_level_after": 5, "winner": "y", "x_jokers": 4, "x_wilds": 2}
    assert referee.differences(row_of_first_deal() | exchanged) == []


def test_a_deal_that_passes_a_gives_the_row_worked_out_by_hand() -> None:
    referee = Referee(hands_of_bombs(), SINGLE_TRIBUTE)
    referee.replay(PASS_A)
    assert referee.differences(row_of_pass_a()) == []
    assert referee.next_state().winner == 0


def test_every_wrong_column_is_found() -> None:
    referee = Referee(hands_of_bombs(), SINGLE_TRIBUTE)
    referee.replay(PASS_A)
    row = row_of_pass_a()
    for column in sorted(set(row) - {"run", "rules", "x", "y", "pair", "deal"}):
        assert len(referee.differences(row | {column: 77})) == 1, column
        assert referee.differences({name: value for name, value in row.items() if name != column}) != [], column
    assert referee.differences(row | {"deal": 1}) != []
    assert referee.differences(row | {"speed": 1}) == ["speed is a column the referee does not know"]


def tributes(state: MatchState, hands: list[list[str]], *events: Event) -> Referee:
    referee = Referee(hands, state)
    for event in events:
        referee.step(event)
    return referee


def test_of_a_double_tribute_the_first_gets_the_larger_card_and_its_payer_leads() -> None:
    hands = swapped(hands_of_bombs(), 0, "S6", 1, "HR")  # seat 1 is left with a small joker, seat 3 has a big one
    paid: list[Event] = [("tribute", 1, "SB"), ("tribute", 3, "HR"), ("return", 0, 3, "S3"), ("return", 2, 1, "S7")]
    referee = tributes(DOUBLE_TRIBUTE, hands, *paid)
    assert referee.transfers() == {("3", "0", "HR", "S3"), ("1", "2", "SB", "S7")}
    with pytest.raises(AssertionError, match="it is for seat 3"):
        referee.step(("lead", 1))


def test_of_equal_tribute_cards_the_first_gets_that_of_the_next_seat_which_leads() -> None:
    hands = swapped(swapped(hands_of_bombs(), 0, "S6", 1, "HR"), 2, "ST", 3, "HR")
    paid: list[Event] = [("tribute", 3, "SB"), ("tribute", 1, "SB"), ("return", 2, 3, "S7"), ("return", 0, 1, "S3")]
    referee = tributes(DOUBLE_TRIBUTE, hands, *paid, ("lead", 1))
    assert referee.transfers() == {("1", "0", "SB", "S3"), ("3", "2", "SB", "S7")}


def test_losers_of_a_double_down_with_a_big_joker_each_refuse_and_the_first_leads() -> None:
    with pytest.raises(AssertionError, match="although"):
        tributes(DOUBLE_TRIBUTE, hands_of_bombs(), ("tribute", 1, "HR"))
    with pytest.raises(AssertionError, match="before tribute was refused"):
        tributes(DOUBLE_TRIBUTE, hands_of_bombs(), ("lead", 0))
    with pytest.raises(AssertionError, match="it is for seat 0"):
        tributes(DOUBLE_TRIBUTE, hands_of_bombs(), ("refused", (1, 3)), ("lead", 1))
    referee = Referee(hands_of_bombs(), DOUBLE_TRIBUTE)
    referee.replay([("refused", (1, 3)), *FIRST_DEAL])
    refused = row_of_first_deal() | {"tribute": "double_refused", "payers": "13", "receivers": "02", "deal": 2}
    refused |= {"declarer": "x", "level": 5, "x_level_before": 5, "x_level_after": 8, "x_wilds": 2}
    assert referee.differences(refused) == []
    assert len(referee.differences(refused | {"given_1": "HR"})) == 1
    assert len(referee.differences(refused | {"receivers": "20"})) == 0
    assert len(referee.differences(refused | {"receivers": "13"})) == 1


ILLEGAL: list[tuple[int, Event, str]] = [
    # position in PASS_A, what happens there instead, what the referee says
    (0, ("refused", (3,)), "do not hold both big jokers"),
    (0, ("tribute", 1, "HR"), "owes no tribute"),
    (0, ("tribute", 3, "SB"), "greatest are"),
    (0, ("lead", 3), "before tribute was paid"),
    (1, ("tribute", 3, "HR"), "pays twice"),
    (1, ("return", 2, 3, "S7"), "nothing to return"),
    (1, ("return", 0, 3, "HR"), "allowed are"),
    (1, ("return", 0, 3, "H7"), "allowed are"),
    (2, ("return", 0, 3, "S6"), "returns twice"),
    (2, ("lead", 0), "it is for seat 3"),
    (2, ("play", 3, "SINGLE", "2", ["S2"]), "before the first lead"),
    (3, ("pass", 3), "passes on lead"),
    (3, ("play", 0, "BOMB", "3", cards("3*8")), "out of turn"),
    (3, ("play", 3, "SINGLE", "3", ["S3"]), "without holding"),
    (3, ("play", 3, "PAIR", "2", ["S2", "S2"]), "without holding"),
    (3, ("play", 3, "SINGLE", "3", ["S2"]), "are no SINGLE 3"),
    (3, ("play", 3, "PAIR", "K", ["SK", "SQ"]), "are no PAIR K"),
    (3, ("play", 3, "SINGLE", "2", []), "are no SINGLE 2"),
    (3, ("lead", 3), "second first lead"),
    (3, ("jump", 3), "unknown event"),
    (4, ("play", 0, "PAIR", "3", ["S3", "H3"]), "does not beat"),
    (4, ("pass", 1), "out of turn"),
    (4, ("wind", 1), "without there being one"),
    (5, ("play", 1, "SINGLE", "R", ["HR"]), "does not beat"),
    (5, ("out", 0), "is said to be out"),
    (8, ("pass", 0), "passes on lead"),
    (8, ("play", 1, "SINGLE", "R", ["HR"]), "out of turn"),
    (8, ("end", [0, 2, 1, 3]), "the deal ends with only"),
    (PASS_A.index(("wind", 2)), ("wind", 1), "it is for seat 2"),
    (PASS_A.index(("wind", 2)), ("play", 1, "SINGLE", "R", ["HR"]), "out of turn"),
    (len(PASS_A) - 1, ("pass", 3), "after the end of the deal"),
    (len(PASS_A) - 1, ("end", [2, 0, 1, 3]), "finishing order"),
    (len(PASS_A), ("pass", 3), "after the end of the deal"),
]


@pytest.mark.parametrize(("position", "event", "complaint"), ILLEGAL)
def test_an_illegal_event_is_refused(position: int, event: Event, complaint: str) -> None:
    referee = Referee(hands_of_bombs(), SINGLE_TRIBUTE)
    for legal in PASS_A[:position]:
        referee.step(legal)
    with pytest.raises(AssertionError, match=complaint):
        referee.step(event)


# switches, state, hands, legal events, what happens then, what the referee says. National rules let it through.
SWITCHED: list[tuple[dict[str, Any], MatchState, list[list[str]], list[Event], Event, str]] = [
    ({"tribute": False}, SINGLE_TRIBUTE, hands_of_bombs(), [], ("tribute", 3, "HR"), "owes no tribute"),
    (
        {"last_is_partner": "nobody_pays"},
        MatchState(("5", "2"), 0, (0, 1, 3, 2)),
        hands_of_bombs(),
        [],
        ("tribute", 2, "ST"),
        "owes no tribute",
    ),
    (
        {"last_is_partner": "third_pays"},
        MatchState(("5", "2"), 0, (0, 1, 3, 2)),
        hands_of_bombs(),
        [],
        ("tribute", 2, "ST"),
        "owes no tribute",
    ),
    (
        {"refuse_with_small_jokers": True},
        SINGLE_TRIBUTE,
        swapped(hands_of_bombs(), 3, "H2", 1, "SB"),
        [],
        ("tribute", 3, "HR"),
        "although",
    ),
    (
        {"lead_after_refusal": "payer"},
        DOUBLE_TRIBUTE,
        hands_of_bombs(),
        [("refused", (1, 3))],
        ("lead", 0),
        "it is for seat 1",
    ),
    (
        {"first_lead": "rotation", "tribute": False},
        MatchState(),
        hands_of_bombs(),
        [],
        ("lead", 1),
        "it is for seat 0",
    ),
    (
        {"wild_single": False, "wild_single_takes_wind": False},
        MatchState(("K", "2"), 0, (0, 1, 2, 3)),
        hands_of_bombs(),
        PASS_A[:3],
        ("play", 3, "SINGLE", "K", ["HK"]),
        "are no SINGLE K",
    ),
    (
        {"wind_to": "next"},
        MatchState(),
        hands_of_bombs(),
        FIRST_DEAL[: FIRST_DEAL.index(("wind", 2))],
        ("wind", 2),
        "it is for seat 1",
    ),
]


@pytest.mark.parametrize(
    ("switches", "state", "hands", "before", "event", "complaint"), SWITCHED, ids=[str(row[0]) for row in SWITCHED]
)
def test_an_event_is_refused_under_a_switch_and_legal_without_it(
    switches: dict[str, Any],
    state: MatchState,
    hands: list[list[str]],
    before: list[Event],
    event: Event,
    complaint: str,
) -> None:
    for rules in (NATIONAL, replace(NATIONAL, **switches)):
        referee = Referee(hands, state, 1, rules)
        for legal in before:
            referee.step(legal)
        if rules == NATIONAL:
            referee.step(event)
            continue
        with pytest.raises(AssertionError, match=complaint):
            referee.step(event)


def shared(switches: dict[str, Any], one: str, three: str, back_one: str, back_three: str) -> tuple[int, int]:
    """Say who pays the first (seat 0) and who leads; seats 1 and 3 pay at level 5 and get these cards back."""
    rules, order = replace(NATIONAL, **switches), (0, 2, 1, 3)
    moves = rulings.share_tribute(order, {1: one, 3: three}, "5", rules)
    leader = rulings.leader_after_tribute(order, moves, {1: back_one, 3: back_three}, "5", rules)
    return moves[0][0], leader


def test_tribute_is_shared_and_the_lead_given_as_the_switches_say() -> None:
    by_seat: dict[str, Any] = {"double_tribute": "by_seat"}
    assert shared({}, "DA", "SA", "S6", "D3") == (1, 1)
    assert shared({"equal_tribute": "upstream"}, "DA", "SA", "S6", "D3") == (3, 3)
    assert shared({"equal_tribute": "smaller_return_leads"}, "DA", "SA", "S6", "D3") == (1, 3)  # case T08
    assert shared({"equal_tribute": "smaller_return_leads"}, "DA", "SA", "S6", "D6") == (1, 1)  # case T09
    assert shared({}, "SB", "HR", "S6", "D3") == (3, 3)
    assert shared(by_seat, "SB", "HR", "S6", "D3") == (1, 1)
    assert shared(by_seat | {"lead_after_tribute": "larger_payer"}, "SB", "HR", "S6", "D3") == (1, 3)  # case T18


def test_a_level_card_may_be_returned_only_where_the_rules_say_so() -> None:
    assert rulings.return_cards(["S5", "H5", "S3", "SJ"], "5") == {"S3"}
    assert rulings.return_cards(["S5", "H5", "S3", "SJ"], "5", Rules(return_level_card=True)) == {"S3", "S5", "H5"}


READ: list[tuple[dict[str, Any], str, str, set[str], set[str]]] = [
    # switches, level, cards, kind and key without them, with them
    ({"wild_single": False, "wild_single_takes_wind": False}, "7", "H7", {"SINGLE 7"}, set()),
    ({"wild_pair_any": True}, "7", "H7H7", {"PAIR 7"}, {f"PAIR {rank}" for rank in "23456789TJQKA"}),
    ({"suited_straight_is_plain": True}, "7", "S2S3S4S5S6", {"STRAIGHT_FLUSH 2"}, {"STRAIGHT_FLUSH 2", "STRAIGHT 2"}),
    ({"copies_beyond_deck": False}, "7", "S2S2H2H2C2C2D2D2H7", {"BOMB 2"}, set()),
    ({"copies_beyond_deck": False}, "7", "S7S7H7H7C7C7D7D7", {"BOMB 7"}, {"BOMB 7"}),
]


@pytest.mark.parametrize(("switches", "level", "text", "national", "other"), READ, ids=[str(row[0]) for row in READ])
def test_cards_are_read_as_the_switches_say(
    switches: dict[str, Any], level: str, text: str, national: set[str], other: set[str]
) -> None:
    for rules, want in ((NATIONAL, national), (replace(NATIONAL, **switches), other)):
        assert {f"{kind} {key}" for kind, key in readings(cards(text), level, rules)} == want


# rule set or switches, levels, declarer, tries that count, order -> levels, tries that count, winner of the match
PROMOTED: list[tuple[str, dict[str, Any], str, int, tuple[int, int], str, str, tuple[int, int], int | None]] = [
    ("P18", {"a_fail_limit": 3}, "A9", 0, (0, 0), "0132", "A9", (1, 0), None),
    ("P19", {"a_fail_limit": 3}, "A9", 0, (2, 0), "0132", "29", (0, 0), None),
    ("P20", {"a_fail_limit": 3}, "AK", 0, (2, 0), "1032", "2A", (0, 0), None),
    ("P21", {"a_fail_limit": 3}, "AA", 0, (2, 1), "1032", "2A", (0, 1), None),
    ("P22", {"a_fail_limit": 3}, "A9", 1, (1, 0), "1302", "AQ", (1, 0), None),
    ("P24", {"a_plus": True}, "K5", 0, (0, 0), "0132", "K5", (0, 0), None),
    ("P25", {"a_plus": True}, "K5", 0, (0, 0), "0123", "A5", (0, 0), 0),
    ("P40", {"a_plus": True}, "J5", 0, (0, 0), "0213", "A5", (0, 0), None),
    ("P27", {"pass_a_partner": "second", "a_fail_limit": 2}, "A9", 0, (0, 0), "0123", "A9", (1, 0), None),
    ("P28", {"pass_a_partner": "second", "a_fail_limit": 2}, "A9", 0, (1, 0), "0132", "29", (0, 0), None),
    ("P29", {"a_fail_limit": 4, "a_fail_counts": "own_last"}, "A9", 0, (2, 0), "1032", "AJ", (2, 0), None),
    ("P30", {"a_fail_limit": 4, "a_fail_counts": "own_last"}, "A9", 0, (2, 0), "0132", "A9", (3, 0), None),
    ("P31", {"win_on_reaching_a": True}, "Q5", 0, (0, 0), "0213", "A5", (0, 0), 0),
    ("steps", {"steps": (4, 2, 1)}, "95", 0, (0, 0), "0213", "K5", (0, 0), None),
]


@pytest.mark.parametrize("row", PROMOTED, ids=[f"{row[0]} {row[1]}" for row in PROMOTED])
def test_sides_rise_pass_a_and_drop_as_the_switches_say(row: Any) -> None:
    _, switches, levels, declarer, tries, order, levels_after, tries_after, winner = row
    seats = tuple(map(int, order))
    after = rulings.promote(tuple(levels), declarer, (0, 0), seats, replace(NATIONAL, **switches), tries)
    assert ("".join(after.levels), after.counted_tries, after.winner) == (levels_after, tries_after, winner)


def test_aces_as_the_last_play_drop_the_declarer_at_its_own_a_only() -> None:
    rules = Rules(ace_last_play=True, a_drop_level="9")
    for seats, levels, winner in (((0,), ("9", "5"), None), ((1,), ("A", "5"), 0), ((), ("A", "5"), 0)):
        after = rulings.promote(("A", "5"), 0, (0, 0), (0, 1, 2, 3), rules, (0, 0), seats)
        assert (after.levels, after.winner) == (levels, winner)


@pytest.mark.parametrize("name", preset_names())
def test_random_legal_matches_pass_under_every_rule_set_and_end(name: str) -> None:
    rng, rules, state = Random(8), load_rules(name).rules, MatchState(levels=("Q", "K"))
    for number in range(60):
        hands = deal(rng)
        judge, events = play_deal(rng, hands, state, 1 + number % 2, rules)
        again = Referee(hands, state, 1 + number % 2, rules)
        again.replay(events)
        assert again.next_state() == judge.next_state()
        state = judge.next_state()
        if state.end is not None:
            return
    raise AssertionError("60 deals from Q and K on, and no end")


def test_events_must_reach_the_end_of_the_deal() -> None:
    with pytest.raises(AssertionError, match="stop before the end"):
        Referee(hands_of_bombs(), SINGLE_TRIBUTE).replay(PASS_A[:-1])


def test_cards_that_appear_from_nowhere_are_found() -> None:
    doubled = hands_of_bombs()
    doubled[0][0] = "S9"
    with pytest.raises(AssertionError, match="S9"):
        Referee(doubled, MatchState())
    referee = Referee(hands_of_bombs(), MatchState())
    referee.step(("lead", 0))
    referee.hands[1]["HR"] += 1
    with pytest.raises(AssertionError, match="'HR': 3"):
        referee.step(bomb(0, "3"))


def test_random_legal_deals_pass_and_their_rows_agree_with_a_second_count() -> None:
    rng = Random(7)
    seen: Counter[object] = Counter()
    state = MatchState(levels=("K", "K"))
    for number in range(30):
        hands = deal(rng)
        leg = 1 + number % 2
        judge, events = play_deal(rng, hands, state, leg)
        again = Referee(hands, state, leg)
        again.replay(event for event in events if event[0] not in ("out", "wind"))
        row: dict[str, Any] = judge.row()
        assert again.row() == row
        names = Counter(event[0] for event in events)
        assert (row["plays"], row["passes"], row["winds"]) == (names["play"], names["pass"], names["wind"])
        played = sum(len(event[4]) for event in events if event[0] == "play")
        assert row["cards_left"] == 108 - played
        seen.update((row["tribute"], row["end_reason"], row["a_attempt"], *(e[2] for e in events if e[0] == "play")))
        state = judge.next_state()
        if state.winner is not None:
            state = MatchState(levels=("K", "K"))
    assert {"none", "single", "double", "double_down", "three_out", "passed"} <= set(seen)
    assert {"STRAIGHT", "STRAIGHT_FLUSH", "FULL_HOUSE", "TUBE", "PLATE", "BOMB"} <= set(seen)
