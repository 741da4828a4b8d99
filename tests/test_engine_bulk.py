"""Rows of the bulk loop depend on seed, pair, rules and strategies alone, not on threads, ranges or calls."""

import threading
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from engine import _core
from engine.bulk import Detail, Tables, play_pairs
from engine.cards import card_texts
from engine.match import Match
from engine.rules import NATIONAL, Rules
from strategies.registry import load
from tests.support.native import PythonStrategy, View

pytestmark = pytest.mark.heavy

RANDOM, GREEDY = load("random"), load("greedy")
SEED = 2**63 + 12345


def assert_same(one: Tables, other: Tables) -> None:
    for name in ("pairs", "matches", "deals"):
        mine, theirs = getattr(one, name), getattr(other, name)
        assert list(mine) == list(theirs)
        for column in mine:
            assert mine[column].dtype == theirs[column].dtype
            assert np.array_equal(mine[column], theirs[column]), f"{name}.{column} differs"


def join(parts: Iterable[Tables]) -> Tables:
    parts = list(parts)
    joined = {
        name: {c: np.concatenate([getattr(p, name)[c] for p in parts]) for c in getattr(parts[0], name)}
        for name in ("pairs", "matches", "deals")
    }
    return Tables(joined["pairs"], joined["matches"], joined["deals"], sum(part.done for part in parts))


@pytest.fixture(scope="module")
def whole() -> Tables:
    return play_pairs(GREEDY, RANDOM, NATIONAL, SEED, range(1000, 1120))


def test_the_same_call_twice_gives_the_same_rows(whole: Tables) -> None:
    assert_same(whole, play_pairs(GREEDY, RANDOM, NATIONAL, SEED, range(1000, 1120)))


def test_another_seed_gives_other_rows(whole: Tables) -> None:
    other = play_pairs(GREEDY, RANDOM, NATIONAL, SEED + 1, range(1000, 1120))
    assert not np.array_equal(whole.pairs["plays"], other.pairs["plays"])


@pytest.mark.parametrize("sizes", [(120,), (60, 60), (1, 119), (40, 1, 0, 79), (1,) * 120])
def test_any_split_of_the_range_gives_the_same_rows(whole: Tables, sizes: tuple[int, ...]) -> None:
    first, parts = 1000, []
    for size in sizes:
        parts.append(play_pairs(GREEDY, RANDOM, NATIONAL, SEED, range(first, first + size)))
        first += size
    assert_same(whole, join(parts))


def test_two_threads_give_the_same_rows_as_one(whole: Tables) -> None:
    ranges = [range(1000 + i, 1000 + i + 15) for i in range(0, 120, 15)]
    with ThreadPoolExecutor(2) as pool:
        parts = list(pool.map(lambda pairs: play_pairs(GREEDY, RANDOM, NATIONAL, SEED, pairs), ranges))
    assert_same(whole, join(parts))


@pytest.mark.parametrize("detail", ["pairs", "matches"])
def test_less_detail_leaves_tables_out_and_changes_nothing(whole: Tables, detail: Detail) -> None:
    less = play_pairs(GREEDY, RANDOM, NATIONAL, SEED, range(1000, 1120), detail=detail)
    assert less.deals == {}
    assert (less.matches == {}) == (detail == "pairs")
    assert_same(
        Tables(whole.pairs, whole.matches if detail == "matches" else {}, {}, whole.done),
        less,
    )


def test_no_pairs_give_empty_tables() -> None:
    tables = play_pairs(GREEDY, RANDOM, NATIONAL, SEED, range(5, 5))
    assert tables.done == 0
    assert all(
        len(column) == 0 for column in (*tables.pairs.values(), *tables.matches.values(), *tables.deals.values())
    )


def test_a_set_stop_flag_ends_before_the_first_pair() -> None:
    tables = play_pairs(GREEDY, RANDOM, NATIONAL, SEED, range(100), stop=bytearray(b"\1"))
    assert tables.done == 0
    assert len(tables.pairs["pair"]) == 0


def test_a_stop_flag_set_by_another_thread_ends_the_call_with_the_pairs_done_so_far() -> None:
    stop = bytearray(1)
    timer = threading.Timer(0.05, lambda: stop.__setitem__(0, 1))  # runs only while the loop holds no GIL
    timer.start()
    stopped = play_pairs(RANDOM, RANDOM, NATIONAL, SEED, range(10**5), stop=stop)
    timer.join()
    assert stopped.done < 10**5
    assert_same(stopped, play_pairs(RANDOM, RANDOM, NATIONAL, SEED, range(stopped.done)))


def test_the_pair_in_play_when_the_flag_is_set_is_finished() -> None:
    stop = bytearray(1)
    calls = iter(range(10**6))

    def play(view: View) -> int:
        stop[0] = next(calls) >= 1500
        return 0

    stopped = play_pairs(PythonStrategy(play), RANDOM, NATIONAL, SEED, range(1000), stop=stop)
    assert 1 < stopped.done < 100
    assert_same(stopped, play_pairs(PythonStrategy(), RANDOM, NATIONAL, SEED, range(stopped.done)))


def dealt(rules: Rules, pair: int, leg: int, x: str, y: str) -> list[tuple[tuple[str, ...], ...]]:
    return [record.hands for record in Match(rules, SEED, pair, leg, load(x), load(y)).deals()]


def test_cards_depend_on_seed_pair_and_deal_but_not_on_leg_strategies_or_rules() -> None:
    variants = [
        NATIONAL,
        replace(NATIONAL, tribute=False),
        replace(NATIONAL, start_levels=("A", "A")),
        replace(NATIONAL, equal_tribute="upstream", a_fail_limit=1),
    ]
    for pair in range(4):
        for rules in variants:
            for leg, x, y in (
                (1, "random", "random"),
                (2, "random", "random"),
                (1, "greedy", "random"),
                (2, "greedy", "greedy"),
            ):
                for number, hands in enumerate(dealt(rules, pair, leg, x, y), start=1):
                    cards, _ = _core.deal_cards(SEED, pair, number)
                    assert hands == tuple(card_texts(hand) for hand in cards)


def test_both_legs_are_played_on_the_same_deals_with_the_sides_exchanged(whole: Tables) -> None:
    deals = whole.deals
    first = deals["deal"] == 1
    leg = [first & (deals["leg"] == number) for number in (1, 2)]
    for column in ("pair", "lead_seat"):
        assert np.array_equal(deals[column][leg[0]], deals[column][leg[1]])
    # At level 2 in both: x has in leg 2 the jokers and wilds that y had in leg 1.
    jokers, wilds = ([deals[column][rows] for rows in leg] for column in ("x_jokers", "x_wilds"))
    assert np.array_equal(jokers[1], 4 - jokers[0])
    assert np.array_equal(wilds[1], 2 - wilds[0])


def test_a_strategy_with_random_numbers_plays_both_legs_against_itself() -> None:
    tables = play_pairs(RANDOM, RANDOM, NATIONAL, SEED, range(20))
    assert (tables.pairs["legs"] == 2).all()
    assert not np.array_equal(*(tables.matches["plays"][tables.matches["leg"] == leg] for leg in (1, 2)))


def test_the_same_deterministic_strategy_on_both_sides_plays_one_leg() -> None:
    tables = play_pairs(GREEDY, load("greedy"), NATIONAL, SEED, range(40))
    assert (tables.pairs["legs"] == 1).all()
    assert (tables.pairs["x_half_points_2"] == -1).all()
    assert (tables.pairs["cell"] == -1).all()
    assert (tables.matches["leg"] == 1).all()
    assert (tables.deals["leg"] == 1).all()
    assert len(tables.matches["pair"]) == 40


def both_legs_of_greedy(pairs: int) -> dict[str, "np.ndarray[tuple[int], np.dtype[np.int64]]"]:
    """Make the core play the leg that is left out because it is the same match; columns of the match table."""
    pair_columns = tuple(np.empty(pairs, dtype=code) for _, code in _core.PAIR_COLUMNS)
    columns = {name: np.empty(2 * pairs, dtype=code) for name, code in _core.MATCH_COLUMNS}
    capsule, rules = GREEDY.capsule, NATIONAL.core()
    _core.play_pairs(
        capsule, capsule, None, rules, SEED, 0, pairs, 2, pair_columns, tuple(columns.values()), None, 0, None, None
    )
    return columns


def test_the_leg_left_out_would_be_the_same_match_with_the_sides_exchanged() -> None:
    columns = both_legs_of_greedy(40)
    one, two = ({name: column[leg::2] for name, column in columns.items()} for leg in (0, 1))
    assert np.array_equal(one["x_half_points"], 2 - two["x_half_points"])
    for same in ("deals", "plays", "first_lead_seat", "end_reason", "lead_changes"):
        assert np.array_equal(one[same], two[same]), same
    for name in ("level", "steps", "a_attempts", "a_fails"):
        assert np.array_equal(one[f"x_{name}"], two[f"y_{name}"]), name
