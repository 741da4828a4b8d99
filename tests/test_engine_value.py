"""What the end of a deal is worth: view->api->value against the level-state model solved here by other means.

The chain of states is walked through _core.promote, and (I - Q) V = r solved by numpy (statistics of Markov chains with
absorbing states, Kemeny and Snell 1960).
"""

from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest

from engine import _core
from engine.bulk import play_pairs
from engine.cards import LEVELS
from engine.context import uniform_contexts
from engine.rules import NATIONAL, Rules, change_rules
from engine.ruleset import load_rules, preset_names
from engine.value import result_values
from strategies.registry import load
from tests.support.native import PythonStrategy, View, answers_of, struct_in

GREEDY_ANSWERS = answers_of(struct_in(load("greedy").capsule))
PLACES = (0.3145, 0.2275, 0.458)
"""Chances of the partner's place behind the first: second, third, last."""

State = tuple[tuple[int, int], int, tuple[int, int]]
"""Levels, declarer, failed tries."""


def order_of(first: int, place: int) -> bytes:
    """Finishing order with seat `first` first and its partner at `place` 1..3."""
    others = [(first + 1) % 4, (first + 3) % 4]
    order = [first, *others]
    order.insert(place, first ^ 2)
    return bytes(order)


ORDERS = [order_of(first, place) for first in (0, 1) for place in (1, 2, 3)]


def after(rules: Rules, state: State, order: bytes) -> State | int:
    """Next state, or the side that has won."""
    levels, declarer, fails = state
    free = change_rules(rules, {"limit_deals": 0, "limit_minutes": 0, "tie_break": False})
    new, declarer, fails, end, winner, *_ = _core.promote(free.core(), levels, declarer, fails, 1, order)
    return int(winner) if end == 0 else (tuple(new), declarer, tuple(fails))  # type: ignore[return-value]  # the core says tuples of two


@cache
def solved(rules: Rules) -> dict[State, float]:
    """Chance of side 0 from every state that can be reached from any levels, without a limit of deals."""
    found: set[State] = set()
    todo: list[State] = [((x, y), side, (0, 0)) for x in range(13) for y in range(13) for side in (0, 1)]
    while todo:
        state = todo.pop()
        if state in found:
            continue
        found.add(state)
        todo += [s for s in (after(rules, state, order) for order in ORDERS) if not isinstance(s, int)]
    at = {state: k for k, state in enumerate(found)}
    matrix, right = np.eye(len(found)), np.zeros(len(found))
    for state, k in at.items():
        for order, chance in zip(ORDERS, [p / 2 for p in PLACES] * 2, strict=True):
            s = after(rules, state, order)
            if isinstance(s, int):
                right[k] += chance * (s == 0)
            else:
                matrix[k, at[s]] -= chance
    return dict(zip(found, np.linalg.solve(matrix, right).tolist(), strict=True))


def finite(rules: Rules, deals: int) -> dict[State, float]:
    """Chance of side 0 with so many deals left, by levels at the end."""
    states = solved(rules)
    now = {s: 0.5 + 0.5 * np.sign(s[0][0] - s[0][1]) for s in states}
    for _ in range(deals):
        last = now
        now = dict.fromkeys(states, 0.0)
        for state in states:
            for order, chance in zip(ORDERS, [p / 2 for p in PLACES] * 2, strict=True):
                s = after(rules, state, order)
                now[state] += chance * ((s == 0) if isinstance(s, int) else last[s])
    return now


Seen = dict[tuple[State, int, int], list[int]]
"""By state, side of the seat that asks and deals left: the six values."""


def values_seen(rules: Rules, pairs: int = 8, **options: Any) -> Seen:
    """Let a strategy ask for all values wherever it decides."""
    seen: Seen = {}

    def play(view: View) -> int:
        state = ((view.levels[0], view.levels[1]), view.declarer, (view.a_fails[0], view.a_fails[1]))
        key = (state, view.seat & 1, view.deals_left)
        if key not in seen:
            seen[key] = [view.api.contents.value(view, result) for result in range(6)]
        return GREEDY_ANSWERS[0](view)

    strategy = PythonStrategy(play, *GREEDY_ANSWERS[1:])
    play_pairs(strategy, load("greedy"), rules, 17, range(pairs), detail="pairs", **options)
    strategy.raise_errors()
    return seen


def expected(rules: Rules, chances: dict[State, float], state: State, side: int) -> list[float]:
    """Values of the six results for a seat of `side`."""
    out = []
    for they, place in product((0, 1), (1, 2, 3)):
        s = after(rules, state, order_of(side ^ they, place))
        x = float(s == 0) if isinstance(s, int) else chances[s]
        out.append(x if side == 0 else 1 - x)
    return out


@pytest.mark.parametrize(
    "name", ["national", "sheet", "zhuozhou-digest", "zhuozhou-general", "zhuozhou-event", "njupt", "ogd"]
)
def test_values_are_those_of_the_level_state_model_under_every_rule_set(name: str) -> None:
    rules = change_rules(load_rules(name).rules, {"limit_deals": 0, "limit_minutes": 0, "tie_break": False})
    seen = values_seen(rules)
    assert len(seen) > 20
    for (state, side, left), got in seen.items():
        assert left == 0
        assert got == pytest.approx([1e6 * v for v in expected(rules, solved(rules), state, side)], abs=2), state


@pytest.mark.parametrize("limit", [1, 3, 4])
def test_failed_tries_change_what_a_deal_is_worth_where_they_drop_a_side(limit: int) -> None:
    rules = change_rules(NATIONAL, {"a_fail_limit": limit})
    contexts = [c for c in uniform_contexts(4000, 5) if max(c.fails) > 0][:40]
    seen = values_seen(rules, 40, contexts=contexts)
    assert any(max(state[2]) > 0 for state, *_ in seen) == (limit > 1)
    for (state, side, _), got in seen.items():
        assert got == pytest.approx([1e6 * v for v in expected(rules, solved(rules), state, side)], abs=2), state


def test_with_a_limit_of_deals_values_count_the_deals_that_are_left() -> None:
    rules = change_rules(NATIONAL, {"limit_deals": 6})
    seen = values_seen(rules)
    lefts = {left for _, _, left in seen}
    assert lefts == {1, 2, 3, 4, 5, 6}
    chances = {left: finite(rules, left - 1) for left in lefts}
    for (state, side, left), got in seen.items():
        assert got == pytest.approx([1e6 * v for v in expected(rules, chances[left], state, side)], abs=2), (
            state,
            left,
        )


def test_a_tie_break_deal_is_worth_the_match() -> None:
    rules = change_rules(NATIONAL, {"limit_deals": 1, "start_levels": ["2", "5"], "tie_break": True})
    got: list[list[int]] = []

    def play(view: View) -> int:
        if view.first_ends:
            got.append([view.api.contents.value(view, result) for result in range(6)])
        return GREEDY_ANSWERS[0](view)

    strategy = PythonStrategy(play, *GREEDY_ANSWERS[1:])
    play_pairs(strategy, load("greedy"), rules, 17, range(60), detail="pairs")
    strategy.raise_errors()
    assert got
    assert all(values == [1000000] * 3 + [0] * 3 for values in got)


@pytest.mark.parametrize("name", preset_names())
def test_values_of_a_list_of_contexts_are_those_of_the_level_state_model(name: str) -> None:
    rules = load_rules(name).rules  # a limit of deals does not count: a board is thought to go on
    most = max(rules.a_fail_limit - 1, 0)
    boards = uniform_contexts(300, 8)
    found = result_values(boards, rules)
    for context, values in zip(boards, found.tolist(), strict=True):
        x, y = (LEVELS.index(level) for level in context.levels)
        fails = tuple(min(most, n) for n in context.fails)
        state: State = ((x, y), context.declarer or 0, (fails[0], fails[1]))
        assert values == pytest.approx([1e6 * v for v in expected(rules, solved(rules), state, 0)], abs=2), context
    assert result_values([], rules).shape == (0, 6)


def test_values_of_contexts_are_those_that_a_strategy_sees_on_boards() -> None:
    boards = uniform_contexts(30, 4)
    seen = values_seen(NATIONAL, 30, contexts=boards)
    whole = {state: values for (state, side, _), values in seen.items() if side == 0}
    found = result_values(boards, NATIONAL).tolist()
    told = 0
    for context, values in zip(boards, found, strict=True):
        x, y = (LEVELS.index(level) for level in context.levels)
        seen_there = whole.get(((x, y), context.declarer or 0, (0, 0)))
        told += seen_there == values
        assert seen_there in (None, values), context
    assert told > 10
