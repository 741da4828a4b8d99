"""Single rule points that a match decides: promotion, passing A, drops, formats, tribute switched or read otherwise.

The national values are covered by the rule cases and by the rows of many deals; here each other value that Rules takes
is played, by a table of finishing orders where one order decides and by whole matches where only play does.
"""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engine import _core
from engine.bulk import (
    A_ATTEMPTS,
    FINISH_ORDERS,
    MATCH_ENDS,
    SEAT_SETS,
    TRIBUTES,
    Coin,
    Tables,
    play_coin_pairs,
    play_pairs,
)
from engine.cards import CARDS, RANKS, level_rank
from engine.rules import NATIONAL, SAFETY_CAP, Rules
from engine.ruleset import load_rules
from engine.tribute import pair_tribute, return_options
from strategies.registry import load
from tests.slow import brute

GREEDY, RANDOM = load("greedy"), load("random")
SEED = 70

# rules, levels, declarer, fails, order -> levels, fails, winner; letters are levels, sides are 0 and 1.
Row = tuple[dict[str, Any], str, int, tuple[int, int], str, str, tuple[int, int], int | None]
LIMIT_3: dict[str, Any] = {"a_fail_limit": 3}
ONLY_1_2: dict[str, Any] = {"pass_a_partner": "second", "a_fail_limit": 2}
REACHING: dict[str, Any] = {"win_on_reaching_a": True}
PROMOTIONS: list[Row] = [
    # a limit of failed tries: counted at one's own A only, cleared by the drop, the other side untouched
    (LIMIT_3, "A9", 0, (0, 0), "0132", "A9", (1, 0), None),
    (LIMIT_3, "A9", 0, (1, 0), "1032", "AJ", (2, 0), None),
    (LIMIT_3, "AK", 0, (2, 0), "1032", "2A", (0, 0), None),
    (LIMIT_3, "AA", 0, (2, 1), "1032", "2A", (0, 1), None),
    (LIMIT_3, "AA", 1, (2, 2), "0123", "A2", (2, 0), None),
    (LIMIT_3, "A9", 0, (2, 1), "0132", "29", (0, 1), None),  # back to 2 and no promotion on top
    (LIMIT_3, "A9", 1, (1, 0), "1302", "AQ", (1, 0), None),  # not one's own A
    (LIMIT_3, "A9", 1, (1, 0), "0213", "A9", (1, 0), None),
    (LIMIT_3, "A9", 0, (2, 0), "0213", "A9", (2, 0), 0),
    # only first and second pass A
    (ONLY_1_2, "A9", 0, (0, 0), "0123", "A9", (1, 0), None),
    (ONLY_1_2, "A9", 0, (1, 0), "0132", "29", (0, 0), None),
    (ONLY_1_2, "A9", 0, (1, 0), "0213", "A9", (1, 0), 0),
    # the match is won on reaching A
    (REACHING, "Q5", 0, (0, 0), "0213", "A5", (0, 0), 0),
    (REACHING, "J5", 1, (0, 0), "2013", "A5", (0, 0), 0),
    (REACHING, "5J", 0, (0, 0), "1032", "5K", (0, 0), None),
    # national: neither counter nor drop
    ({}, "A9", 0, (0, 0), "0132", "A9", (0, 0), None),
    ({}, "A9", 0, (0, 0), "0123", "A9", (0, 0), 0),
    ({}, "A9", 1, (0, 0), "0213", "A9", (0, 0), None),
    ({}, "AA", 1, (0, 0), "0213", "AA", (0, 0), None),  # at the other side's A nobody passes
]


@pytest.mark.parametrize("row", PROMOTIONS, ids=lambda row: f"{row[0]} {row[1]} {row[4]}")
def test_promotion_and_passing_a(row: Row) -> None:
    changes, levels, declarer, fails, order, levels_after, fails_after, match_winner = row
    before = (level_rank(levels[0]), level_rank(levels[1]))
    seats = bytes(map(int, order))
    after, side, counted, end, winner, steps, _ = _core.promote(
        replace(NATIONAL, **changes).core(), before, declarer, fails, 20, seats
    )
    assert "".join(RANKS[rank] for rank in after) == levels_after
    assert counted == fails_after
    assert side == seats[0] % 2
    assert steps == 4 - seats.index(seats[0] ^ 2)
    assert (winner if end >= 0 else None) == match_winner


def last_rows(tables: Tables) -> dict[str, Any]:
    """Take the last deal of each match."""
    last = np.append(np.diff(tables.deals["deal"]) < 0, True)
    return {name: column[last] for name, column in tables.deals.items()}


def test_a_limit_of_deals_gives_the_match_to_the_higher_level_and_a_draw_to_equal_ones() -> None:
    tables = play_pairs(RANDOM, RANDOM, replace(NATIONAL, limit_deals=4), SEED, range(300))
    matches = tables.matches
    assert (matches["deals"] == 4).all()
    assert (matches["end_reason"] == MATCH_ENDS.index("deal_limit")).all()
    assert np.array_equal(matches["x_half_points"], 1 + np.sign(matches["x_level"] - matches["y_level"]))
    assert set(matches["x_half_points"].tolist()) == {0, 1, 2}
    assert (tables.pairs["capped"] == 0).all()


def test_passing_a_ends_a_match_before_its_limit_of_deals() -> None:
    rules = replace(NATIONAL, limit_deals=8)
    tables = play_pairs(GREEDY, RANDOM, rules, SEED, range(300))
    passed = last_rows(tables)["a_attempt"] == A_ATTEMPTS.index("passed")
    assert passed.sum() > 300
    assert np.array_equal(passed, tables.matches["end_reason"] == MATCH_ENDS.index("passed_a"))
    assert (tables.matches["deals"] <= 8).all()


def test_the_safety_cap_ends_a_match_that_nobody_wins_as_a_draw() -> None:
    never_passed = Coin(x_wins=0.9, steps=(1.0, 0.0, 0.0))  # the partner is always last
    tables = play_coin_pairs(never_passed, NATIONAL, SEED, range(20), detail="matches")
    assert (tables.matches["deals"] == SAFETY_CAP).all()
    assert (tables.matches["x_half_points"] == 1).all()
    assert (tables.matches["end_reason"] == MATCH_ENDS.index("safety_cap")).all()
    assert (tables.pairs["capped"] == 2).all()
    assert (tables.pairs["cell"] == 2).all()


def test_without_tribute_nothing_is_due_and_the_first_leads() -> None:
    deals = play_pairs(GREEDY, RANDOM, replace(NATIONAL, tribute=False), SEED, range(100)).deals
    assert (deals["tribute"] == TRIBUTES.index("none")).all()
    assert (deals["payers"] == -1).all()
    assert (deals["given_1"] == -1).all()
    then = deals["deal"][1:] > 1
    first = np.array([int(label[0]) for label in FINISH_ORDERS])[deals["finish_order"][:-1]]
    assert np.array_equal(deals["lead_seat"][1:][then], first[then])
    assert then.sum() > 500


def test_a_match_may_start_at_another_level() -> None:
    deals = play_pairs(GREEDY, RANDOM, replace(NATIONAL, start_levels=("A", "A")), SEED, range(50)).deals
    first = deals["deal"] == 1
    assert (deals["level"][first] == 14).all()
    assert (deals["x_level_before"] == 14).all()
    assert (deals["a_attempt"][first] == A_ATTEMPTS.index("none")).all()  # nobody declares the first deal
    assert (deals["a_attempt"][~first] != A_ATTEMPTS.index("none")).all()


def test_a_drop_begins_the_next_deal_at_2() -> None:
    rules = replace(NATIONAL, start_levels=("A", "A"), a_fail_limit=1)
    deals = play_pairs(RANDOM, RANDOM, rules, SEED, range(100)).deals
    failed = np.isin(deals["a_attempt"], [A_ATTEMPTS.index(name) for name in ("deal_lost", "partner_last")])
    after = np.where(deals["declarer"] == 0, deals["x_level_after"], deals["y_level_after"])
    assert failed.sum() > 200
    assert (after[failed] == 2).all()


def double_tributes(rules: Rules) -> dict[str, Any]:
    deals = play_pairs(GREEDY, RANDOM, rules, SEED, range(400)).deals
    double = deals["tribute"] == TRIBUTES.index("double")
    return {name: column[double] for name, column in deals.items()}


@pytest.mark.parametrize(("reading", "neighbour"), [("clockwise", 1), ("upstream", 3)])
def test_of_equal_tributes_that_of_the_neighbour_goes_to_the_first_as_the_rules_read(
    reading: str, neighbour: int
) -> None:
    rules = replace(NATIONAL, equal_tribute=reading)
    rows = double_tributes(rules)
    power = np.array([[brute.power(card, level) for card in CARDS] for level in RANKS])
    equal = power[rows["level"] - 2, rows["given_1"]] == power[rows["level"] - 2, rows["given_2"]]
    seats = np.array([[int(label[0]), int(label[-1])] for label in SEAT_SETS])
    first, payer = seats[rows["receivers"], 0], seats[rows["payers"], 0]
    assert equal.sum() > 100
    assert np.array_equal(payer[equal], (first[equal] + neighbour) % 4)
    assert pair_tribute([0, 2, 1, 3], "5", {1: "DA", 3: "SA"}, rules)[0][0] == neighbour


def test_level_cards_up_to_ten_may_be_returned_where_the_rules_say_so() -> None:
    hand = "S5 H5 S3 DT SJ"
    assert return_options(hand, "5") == ("S3", "DT")
    assert set(return_options(hand, "5", replace(NATIONAL, return_level_card=True))) == {"S3", "DT", "S5", "H5"}
    rows = double_tributes(replace(NATIONAL, return_level_card=True))
    assert (rows["returned_1"] // 4 <= 8).all()


def test_rules_are_known_by_name_and_a_near_name_is_offered() -> None:
    assert load_rules("national").rules == NATIONAL
    with pytest.raises(ValueError, match="write national"):
        load_rules("nationl")


def test_equal_rules_have_equal_hashes_and_every_change_another() -> None:
    assert Rules().hash() == NATIONAL.hash()
    changes: list[dict[str, Any]] = [
        {"tribute": False},
        {"a_fail_limit": 3},
        {"limit_deals": 8},
        {"equal_tribute": "upstream"},
        {"return_level_card": True},
        {"pass_a_partner": "second"},
        {"win_on_reaching_a": True},
        {"start_levels": ("3", "3")},
    ]
    hashes = {replace(NATIONAL, **change).hash() for change in changes} | {NATIONAL.hash()}
    assert len(hashes) == len(changes) + 1


@pytest.mark.parametrize(
    "change",
    [
        {"wild_single": False},
        {"a_plus": 1},
        {"steps": (2, 3, 1)},
        {"start_levels": ("2", "1")},
        {"start_levels": ("1", "1")},
        {"a_fail_limit": -1},
        {"a_fail_limit": SAFETY_CAP + 1},
        {"limit_deals": SAFETY_CAP},
        {"limit_deals": True},
        {"tribute": 1},
        {"equal_tribute": "somehow"},
    ],
    ids=str,
)
def test_a_value_that_cannot_be_played_is_refused_by_name(change: dict[str, Any]) -> None:
    (name,) = change
    with pytest.raises(ValueError, match="level" if name == "start_levels" else name):
        replace(NATIONAL, **change)
