"""Rows of more than 100,000 deals obey the rules of tribute, promotion and passing A, and the three tables agree.

Everything is recomputed here from the rule text and from the cards that the key of a deal gives; nothing of the
engine's own arithmetic is used. Sides are 0 for x and 1 for y, as in the raw rows.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest

from engine import _core
from engine.bulk import A_ATTEMPTS, FINISH_ORDERS, MATCH_ENDS, SEAT_SETS, TRIBUTES, Tables, play_pairs
from engine.cards import CARDS, RANKS, parse_cards
from engine.rules import NATIONAL
from strategies.registry import load
from tests.slow import brute

pytestmark = pytest.mark.heavy

SEED = 60
HR, SB = parse_cards("HR SB")
NONE, SINGLE, DOUBLE, SINGLE_REFUSED, DOUBLE_REFUSED = range(len(TRIBUTES))
NO_ATTEMPT, PASSED, DEAL_LOST, PARTNER_LAST = range(len(A_ATTEMPTS))
A = 14

Column = np.ndarray[tuple[int], np.dtype[np.int64]]
Column2 = np.ndarray[tuple[int, int], np.dtype[np.int64]]
Cards = np.ndarray[tuple[int, int, int], np.dtype[np.int8]]
Rows = dict[str, Column]

ORDER = np.array([[int(seat) for seat in label if seat.isdigit()] for label in FINISH_ORDERS])
"""Seats in finishing order by code; the tied losers of a double-down ascend."""

SEATS = np.array([[int(label[0]), int(label[-1])] for label in SEAT_SETS])
"""Seats by code; a single seat is named twice."""


@pytest.fixture(scope="module")
def tables() -> Tables:
    """Play three match-ups, each on pair ids of its own, and put their rows one below the other."""
    parts = []
    for x, y, pairs in (
        ("greedy", "random", range(7000)),
        ("random", "random", range(10_000, 11_200)),
        ("greedy", "greedy", range(20_000, 20_800)),
    ):
        parts.append(play_pairs(load(x), load(y), NATIONAL, SEED, pairs))

    def join(name: str) -> Rows:
        columns = getattr(parts[0], name)
        return {
            column: np.concatenate([getattr(part, name)[column] for part in parts]).astype(np.int64)
            for column in columns
        }

    return Tables(
        pairs=join("pairs"), matches=join("matches"), deals=join("deals"), done=sum(part.done for part in parts)
    )


@pytest.fixture(scope="module")
def deals(tables: Tables) -> Rows:
    return tables.deals


def later(rows: Rows) -> "np.ndarray[tuple[int], np.dtype[np.bool]]":
    """Mark the rows that have a deal of the same match before them, which is then the row above."""
    return rows["deal"] > 1


def above(rows: Rows, column: str) -> Column:
    """Give the value in the row above for all rows that `later` marks."""
    return rows[column][:-1][later(rows)[1:]]


def for_sides(rows: Rows, name: str) -> Column2:
    """Stack x's and y's column: [side, row]."""
    return np.stack([rows[name.format("x")], rows[name.format("y")]])


@pytest.fixture(scope="module")
def dealt(deals: Rows) -> Cards:
    """Copies of each card as dealt, [row, seat, card], from the keys of the rows."""
    keys = list(zip(deals["pair"].tolist(), deals["deal"].tolist(), strict=True))
    copies = np.empty((len(keys), 4, 54), dtype=np.int8)
    for i in range(0, len(keys), 2000):  # in parts, for the sake of memory
        hands = b"".join(b"".join(_core.deal_cards(SEED, *key)[0]) for key in keys[i : i + 2000])
        cards = np.frombuffer(hands, dtype=np.uint8).reshape(-1, 4, 27, 1)
        copies[i : i + 2000] = (cards == np.arange(54, dtype=np.uint8)).sum(axis=2)
    return copies


# ---- promotion and passing A ----------------------------------------------------------------------------------------


def test_more_than_100_000_deals_are_checked(tables: Tables, deals: Rows) -> None:
    assert len(deals["pair"]) >= 100_000
    assert tables.done == len(tables.pairs["pair"]) == 9000


def test_rows_ascend_by_pair_leg_and_deal_without_a_gap(deals: Rows) -> None:
    key = (deals["pair"] * 4 + deals["leg"]) * 256 + deals["deal"]
    assert (np.diff(key) > 0).all()
    assert deals["deal"][0] == 1
    assert (above(deals, "deal") + 1 == deals["deal"][later(deals)]).all()
    for column in ("pair", "leg"):
        assert (above(deals, column) == deals[column][later(deals)]).all()


def test_a_deal_begins_where_the_one_before_ended(deals: Rows) -> None:
    first, then = ~later(deals), later(deals)
    for side in ("x", "y"):
        assert (deals[f"{side}_level_before"][first] == 2).all()
        assert (deals[f"{side}_level_before"][then] == above(deals, f"{side}_level_after")).all()
    assert (deals["declarer"][first] == -1).all()
    assert (deals["declarer"][then] == above(deals, "winner")).all()


def test_the_level_played_is_the_declarers(deals: Rows) -> None:
    before = for_sides(deals, "{}_level_before")
    assert (deals["level"] == np.where(deals["declarer"] == 1, before[1], before[0])).all()


def test_the_winner_is_the_side_of_the_first_and_rises_by_the_partners_place(deals: Rows) -> None:
    order = ORDER[deals["finish_order"]]
    assert (deals["winner"] == (order[:, 0] + deals["leg"] + 1) % 2).all()
    partner_place = (order == (order[:, :1] + 2) % 4).argmax(axis=1)  # 1, 2, 3: second, third, last
    assert (deals["steps"] == 4 - partner_place).all()
    before, after = for_sides(deals, "{}_level_before"), for_sides(deals, "{}_level_after")
    won = np.arange(2)[:, None] == deals["winner"]
    assert (after == np.where(won, np.minimum(before + deals["steps"], A), before)).all()
    assert set(deals["steps"].tolist()) == {1, 2, 3}


def test_a_try_at_a_is_the_declarers_at_its_own_a_and_fails_if_lost_or_the_partner_is_last(deals: Rows) -> None:
    before, declarer = for_sides(deals, "{}_level_before"), deals["declarer"]
    tries = (declarer >= 0) & (np.where(declarer == 1, before[1], before[0]) == A)
    lost, last = deals["winner"] != declarer, deals["steps"] == 1
    outcome = np.where(lost, DEAL_LOST, np.where(last, PARTNER_LAST, PASSED))
    assert (deals["a_attempt"] == np.where(tries, outcome, NO_ATTEMPT)).all()
    assert set(deals["a_attempt"].tolist()) == {NO_ATTEMPT, PASSED, DEAL_LOST, PARTNER_LAST}


def test_failed_tries_are_counted_by_side_through_the_match(deals: Rows) -> None:
    failed = np.isin(deals["a_attempt"], (DEAL_LOST, PARTNER_LAST))
    for side, name in enumerate(("x_a_fails", "y_a_fails")):
        before = np.zeros_like(deals[name])
        before[later(deals)] = above(deals, name)
        assert (deals[name] == before + (failed & (deals["declarer"] == side))).all()


def test_a_match_ends_with_the_first_passed_a_and_never_otherwise(deals: Rows) -> None:
    last = np.append(deals["deal"][1:] == 1, True)
    assert (last == (deals["a_attempt"] == PASSED)).all()


# ---- tribute --------------------------------------------------------------------------------------------------------


def previous_order(deals: Rows) -> Column2:
    return ORDER[above(deals, "finish_order")]


def test_tribute_is_due_from_the_last_or_both_losers_to_the_first_or_both_winners(deals: Rows) -> None:
    assert ((deals["tribute"] == NONE) == (deals["deal"] == 1)).all()
    order, then = previous_order(deals), later(deals)
    tribute, payers, receivers = (deals[name][then] for name in ("tribute", "payers", "receivers"))
    double = order[:, 1] == (order[:, 0] + 2) % 4
    assert (np.isin(tribute, (DOUBLE, DOUBLE_REFUSED)) == double).all()
    assert np.array_equal(SEATS[payers[~double]], order[~double][:, [3, 3]])
    assert np.array_equal(SEATS[receivers[~double]], order[~double][:, [0, 0]])
    assert np.array_equal(np.sort(SEATS[payers[double]]), order[double][:, 2:])
    assert np.array_equal(SEATS[receivers[double]], order[double][:, :2])
    for name in ("payers", "receivers"):
        assert (deals[name][deals["tribute"] == NONE] == -1).all()


def test_tribute_is_refused_exactly_when_the_payers_hold_both_big_jokers(deals: Rows, dealt: Cards) -> None:
    then = later(deals)
    payers = np.zeros((len(deals["deal"]), 4), dtype=bool)
    np.put_along_axis(payers, SEATS[deals["payers"]], True, axis=1)
    held = (dealt[:, :, HR] * payers).sum(axis=1)
    refused = np.isin(deals["tribute"], (SINGLE_REFUSED, DOUBLE_REFUSED))
    assert (refused == ((held == 2) & then)).all()
    assert (deals["tribute"] == SINGLE_REFUSED).sum() > 100
    assert (deals["tribute"] == DOUBLE_REFUSED).sum() > 1000


def test_nothing_moves_when_tribute_is_refused_or_not_due_and_one_card_each_way_when_single(deals: Rows) -> None:
    moved = {name: deals[name] >= 0 for name in ("given_1", "returned_1", "given_2", "returned_2")}
    for name in ("given_1", "returned_1"):
        assert (moved[name] == np.isin(deals["tribute"], (SINGLE, DOUBLE))).all()
    for name in ("given_2", "returned_2"):
        assert (moved[name] == (deals["tribute"] == DOUBLE)).all()


def test_the_key_then_the_payer_to_the_first_leads_or_the_first_when_tribute_is_refused(deals: Rows) -> None:
    first = ~later(deals)
    keyed = [_core.deal_cards(SEED, pair, 1)[1] for pair in deals["pair"][first].tolist()]
    assert deals["lead_seat"][first].tolist() == keyed
    refused = np.isin(deals["tribute"], (SINGLE_REFUSED, DOUBLE_REFUSED))
    payer = SEATS[deals["payers"][later(deals)], 0]
    due = np.where(refused[later(deals)], previous_order(deals)[:, 0], payer)
    assert (deals["lead_seat"][later(deals)] == due).all()


def power_by_level() -> Column2:
    """Power of each card at the levels 2..A, [level - 2, card]; by the rule text."""
    return np.array([[brute.power(card, level) for card in CARDS] for level in RANKS])


class Paid(NamedTuple):
    """Tributes paid, one a row: all those to the first, or those of double tributes to the second."""

    level: Column  # 0..12
    payer_held: Column2  # copies of each card, as dealt
    given: Column
    receiver_held: Column2  # with the card given
    returned: Column


def paid(deals: Rows, dealt: Cards) -> Iterator[Paid]:
    """Give the tributes to the first, then those to the second."""
    for place, rows in ((0, np.isin(deals["tribute"], (SINGLE, DOUBLE))), (1, deals["tribute"] == DOUBLE)):
        at = np.flatnonzero(rows)
        given = deals[f"given_{place + 1}"][at]
        receiver_held = dealt[at, SEATS[deals["receivers"][at], place]].astype(np.int64)
        receiver_held[np.arange(len(at)), given] += 1
        yield Paid(
            level=deals["level"][at] - 2,
            payer_held=dealt[at, SEATS[deals["payers"][at], place]].astype(np.int64),
            given=given,
            receiver_held=receiver_held,
            returned=deals[f"returned_{place + 1}"][at],
        )


def test_the_greatest_card_is_paid_never_the_wild(deals: Rows, dealt: Cards) -> None:
    for tributes in paid(deals, dealt):
        rows, power = np.arange(len(tributes.level)), power_by_level()[tributes.level]
        held = tributes.payer_held
        held[rows, 4 * tributes.level + 1] = 0  # the wild
        assert (held[rows, tributes.given] > 0).all()
        assert (power[rows, tributes.given] == np.where(held > 0, power, -1).max(axis=1)).all()


def test_a_card_up_to_ten_but_of_the_level_is_returned_the_weakest_without_one(deals: Rows, dealt: Cards) -> None:
    small_at = np.array([[card[1] in "23456789T" and card[1] != level for card in CARDS] for level in RANKS])
    for tributes in paid(deals, dealt):
        rows, power, small = np.arange(len(tributes.level)), power_by_level()[tributes.level], small_at[tributes.level]
        held, returned = tributes.receiver_held, tributes.returned
        assert (held[rows, returned] > 0).all()
        weakest = power[rows, returned] == np.where(held > 0, power, 99).min(axis=1)
        has_small = ((held > 0) & small).any(axis=1)
        assert np.where(has_small, small[rows, returned], weakest).all()


def test_of_two_tributes_the_first_takes_the_greater_and_of_equal_ones_that_of_the_next_seat(deals: Rows) -> None:
    double = deals["tribute"] == DOUBLE
    level = deals["level"][double] - 2
    power = [power_by_level()[level, deals[name][double]] for name in ("given_1", "given_2")]
    assert (power[0] >= power[1]).all()
    equal = power[0] == power[1]
    first = SEATS[deals["receivers"][double], 0]
    assert (SEATS[deals["payers"][double], 0][equal] == (first[equal] + 1) % 4).all()
    assert equal.sum() > 1000
    assert (~equal & (SEATS[deals["payers"][double], 0] == (first + 3) % 4)).any()


# ---- other columns --------------------------------------------------------------------------------------------------


def test_jokers_and_wilds_are_counted_as_dealt_to_x(deals: Rows, dealt: Cards) -> None:
    rows = np.arange(len(deals["deal"]))
    side = (deals["leg"] - 1)[:, None] + np.array([0, 2])  # seats of x
    of_x = dealt[rows[:, None], side].sum(axis=1)
    assert (deals["x_jokers"] == of_x[:, HR] + of_x[:, SB]).all()
    assert (deals["x_wilds"] == of_x[rows, 4 * (deals["level"] - 2) + 1]).all()


def test_a_deal_ends_double_down_or_with_three_out(deals: Rows) -> None:
    double_down = deals["finish_order"] < 4
    assert (double_down == (deals["end_reason"] == 0)).all()
    assert (
        (deals["cards_left"] >= np.where(double_down, 2, 1)) & (deals["cards_left"] <= np.where(double_down, 54, 27))
    ).all()
    assert (deals["tricks"] <= deals["plays"]).all()
    assert (deals["plays"] >= 6).all()  # 54 cards are gone, at most ten at once
    assert ((deals["winds"] >= 0) & (deals["winds"] <= 2)).all()  # one after each of two finishers


# ---- the three tables -----------------------------------------------------------------------------------------------


def sum_by(index: Column, values: Any) -> Column:
    return np.bincount(index, weights=np.asarray(values, dtype=float)).astype(np.int64)


def count_lead_changes(index: Column, ahead: Column) -> Column:
    """Count by match how often the side that is ahead in levels differs from the one that was ahead before."""
    leading = np.flatnonzero(ahead)
    changed = (np.diff(ahead[leading]) != 0) & (np.diff(index[leading]) == 0)
    return sum_by(np.append(index[leading[1:]], index.max()), np.append(changed, False))


def test_the_match_table_is_the_sum_of_its_deals(tables: Tables, deals: Rows) -> None:
    first = np.flatnonzero(deals["deal"] == 1)
    last = np.append(first[1:], len(deals["deal"])) - 1
    index = np.cumsum(deals["deal"] == 1) - 1
    x_won, tried = deals["winner"] == 0, deals["a_attempt"] != NO_ATTEMPT
    at_a = np.flatnonzero((deals["x_level_after"] == A) | (deals["y_level_after"] == A))
    matches, first_there = np.unique(index[at_a], return_index=True)
    assert len(matches) == len(first)
    wanted = {
        "pair": deals["pair"][first],
        "leg": deals["leg"][first],
        "x_half_points": 2 * x_won[last],
        "deals": sum_by(index, np.ones_like(index)),
        "x_deals_won": sum_by(index, x_won),
        "x_level": deals["x_level_after"][last],
        "y_level": deals["y_level_after"][last],
        "end_reason": np.full(len(first), MATCH_ENDS.index("passed_a")),
        "x_level_points": 13 + (deals["x_level_after"] - deals["y_level_after"])[last] + np.where(x_won, 1, -1)[last],
        "seconds": sum_by(
            index, 60 + 10 * deals["tricks"] + 5 * (deals["plays"] - deals["tricks"]) + 3 * deals["passes"]
        ),
        "first_lead_seat": deals["lead_seat"][first],
        "first_at_a": deals["winner"][at_a[first_there]],
        "x_a_attempts": sum_by(index, tried & (deals["declarer"] == 0)),
        "y_a_attempts": sum_by(index, tried & (deals["declarer"] == 1)),
        "x_a_fails": deals["x_a_fails"][last],
        "y_a_fails": deals["y_a_fails"][last],
        "lead_changes": count_lead_changes(index, np.sign(deals["x_level_after"] - deals["y_level_after"])),
        "plays": sum_by(index, deals["plays"]),
        "x_steps": sum_by(index, deals["steps"] * x_won),
        "y_steps": sum_by(index, deals["steps"] * ~x_won),
    }
    assert list(tables.matches) == list(wanted)
    for name, column in wanted.items():
        assert np.array_equal(tables.matches[name], column), name


def test_the_pair_table_is_the_sum_of_its_legs(tables: Tables, deals: Rows) -> None:
    matches = tables.matches
    begins = np.flatnonzero(matches["leg"] == 1)
    two = matches["leg"][np.minimum(begins + 1, len(matches["leg"]) - 1)] == 2
    points = matches["x_half_points"]
    second = np.where(two, points[np.minimum(begins + 1, len(points) - 1)], -1)
    index = np.cumsum((deals["deal"] == 1) & (deals["leg"] == 1)) - 1
    x_won, tribute, attempt = deals["winner"] == 0, deals["tribute"], deals["a_attempt"]
    again = deals["winner"] == deals["declarer"]

    def count(rows: Any) -> Column:
        return sum_by(index, rows)

    wanted = {
        "pair": matches["pair"][begins],
        "legs": 1 + two,
        "x_half_points_1": points[begins],
        "x_half_points_2": second,
        "cell": np.where(two, points[begins] + second, -1),
        "deals": count(np.ones_like(index)),
        "x_deals_won": count(x_won),
        "x_steps": count(deals["steps"] * x_won),
        "y_steps": count(deals["steps"] * ~x_won),
        **{f"x_steps_{steps}": count(x_won & (deals["steps"] == steps)) for steps in (1, 2, 3)},
        **{f"y_steps_{steps}": count(~x_won & (deals["steps"] == steps)) for steps in (1, 2, 3)},
        "single_due": count(np.isin(tribute, (SINGLE, SINGLE_REFUSED))),
        "single_refused": count(tribute == SINGLE_REFUSED),
        "double_due": count(np.isin(tribute, (DOUBLE, DOUBLE_REFUSED))),
        "double_refused": count(tribute == DOUBLE_REFUSED),
        "single_paid_won": count((tribute == SINGLE) & again),
        "double_paid_won": count((tribute == DOUBLE) & again),
        "refused_won": count(np.isin(tribute, (SINGLE_REFUSED, DOUBLE_REFUSED)) & again),
    }
    for side, name in enumerate("xy"):
        own = deals["declarer"] == side
        wanted[f"{name}_a_attempts"] = count(own & (attempt != NO_ATTEMPT))
        for code in (PASSED, DEAL_LOST, PARTNER_LAST):
            wanted[f"{name}_a_{A_ATTEMPTS[code]}"] = count(own & (attempt == code))
    bombs = ("bombs_4", "bombs_5", "straight_flushes", "bombs_6_up", "joker_bombs")
    wanted["capped"] = np.zeros(len(begins), dtype=np.int64)
    wanted |= {name: count(deals[name]) for name in ("plays", "passes", "tricks")}
    wanted["bombs"] = count(sum(deals[name] for name in bombs))
    assert list(tables.pairs) == list(wanted)
    for name, column in wanted.items():
        assert np.array_equal(tables.pairs[name], column), name
