"""The slow referee lets legal deals through, stops illegal ones, and knows what a deal row must say."""

from collections import Counter
from random import Random
from typing import Any

import pytest

from tests.slow.brute import PACK
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
    assert referee.next_state() == MatchState(("5", "2"), 0, (0, 2, 3, 1), (0, 0), None)


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
