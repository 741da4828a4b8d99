"""Rates of many deals and matches against exact values and published figures, each within three standard errors.

Deals of both legs are the same cards, so the pair is the unit of every standard error here.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engine.bulk import FINISH_ORDERS, Coin, Detail, Tables, play_coin_pairs, play_pairs
from engine.cards import RANKS
from engine.rules import NATIONAL, Rules
from strategies.registry import load
from tests.support.cases import extra_cases

pytestmark = pytest.mark.heavy

GREEDY, RANDOM = load("greedy"), load("random")
Column = np.ndarray[tuple[int], np.dtype[np.float64]]


def ratio(part: Any, whole: Any) -> tuple[float, float]:
    """Estimate sum(part) / sum(whole) over independent units and its standard error (linearised)."""
    part, whole = np.asarray(part, dtype=float), np.asarray(whole, dtype=float)
    value = part.sum() / whole.sum()
    return value, float(np.sqrt(((part - value * whole) ** 2).sum()) / whole.sum())


def in_parts(pairs: int, size: int = 2500) -> Iterator[range]:
    for first in range(0, pairs, size):
        yield range(first, min(first + size, pairs))


# ---- refused tribute ------------------------------------------------------------------------------------------------

SINGLE_REFUSED = 27 * 26 / (108 * 107)
"""Chance that both big jokers lie in one given hand: 702 / 11556."""

DOUBLE_REFUSED = 54 * 53 / (108 * 107)
"""Chance that they lie in two given hands: 2862 / 11556."""


def check_refusals(matches: int) -> None:
    def play(pairs: range) -> Tables:
        return play_pairs(GREEDY, RANDOM, NATIONAL, 80, pairs, detail="pairs")

    with ThreadPoolExecutor(2) as pool:
        parts = [tables.pairs for tables in pool.map(play, in_parts(matches // 2))]
    for kind, exact in (("single", SINGLE_REFUSED), ("double", DOUBLE_REFUSED)):
        refused, due = (np.concatenate([part[f"{kind}_{what}"] for part in parts]) for what in ("refused", "due"))
        rate, error = ratio(refused, due)
        assert abs(rate - exact) < 3 * error, f"{kind}: {rate:.5f} +- {error:.5f}, exact {exact:.5f}"
        assert error < 0.004


def test_tribute_is_refused_as_often_as_two_big_jokers_fall_to_the_payers() -> None:
    check_refusals(100_000)


@pytest.mark.soak
def test_tribute_is_refused_as_often_as_it_must_be_in_a_million_matches() -> None:
    check_refusals(1_000_000)


# ---- random play ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def single_deals() -> dict[str, Column]:
    """Play 200,000 first deals, each level in turn: no tribute, a uniform leader. A row a pair: means of both legs."""
    pairs_a_level = 100_000 // 13 + 1
    columns: dict[str, list[Column]] = {}
    for i, level in enumerate(RANKS):
        rules = replace(NATIONAL, start_levels=(level, level), limit_deals=1)
        deals = play_pairs(RANDOM, RANDOM, rules, 81, range(i * pairs_a_level, (i + 1) * pairs_a_level)).deals
        assert (deals["deal"] == 1).all()
        assert (deals["tribute"] == 0).all()
        assert (deals["level"] == i + 2).all()
        first = np.array([int(label[0]) for label in FINISH_ORDERS])[deals["finish_order"]]
        figures = {
            **{f"finish 1-{5 - steps}": deals["steps"] == steps for steps in (1, 2, 3)},
            "requests": deals["plays"] + deals["passes"],
            "leader's team first out": (first - deals["lead_seat"]) % 2 == 0,
            **{name: deals[name] for name in ("plays", "passes", "tricks", "cards_left")},
            **{name: deals[name] for name in ("bombs_4", "bombs_5", "bombs_6_up", "straight_flushes", "joker_bombs")},
        }
        for name, values in figures.items():
            columns.setdefault(name, []).append(values.reshape(-1, 2).mean(axis=1))
    return {name: np.concatenate(parts) for name, parts in columns.items()}


# Uniform over distinct (kind, key, cards) without plain straights of one suit; 26,000 deals of another program.
PUBLISHED = {
    "finish 1-2": (0.4376, 0.0031),
    "finish 1-3": (0.1806, 0.0024),
    "finish 1-4": (0.3818, 0.0030),
    "plays": (56.958, 0.036),
    "passes": (77.24, 0.06),
    "requests": (134.20, 0.09),
    "tricks": (23.133, 0.018),
    "cards_left": (3.236, 0.015),
    "leader's team first out": (0.501, 0.003),
}
PUBLISHED_SHARES = {"bombs_4": (0.0405, 0.0002), "bombs_5": (0.0054, 0.0001), "straight_flushes": (0.0155, 0.0001)}


def differences(single_deals: dict[str, Column]) -> Iterator[tuple[str, float, float]]:
    """Yield each figure with its difference to the published one in standard errors, both errors counted."""
    one = np.ones_like(single_deals["plays"])
    for name, (value, published_error) in PUBLISHED.items():
        mean, error = ratio(single_deals[name], one)
        yield name, mean, (mean - value) / np.hypot(error, published_error)
    for name, (value, published_error) in PUBLISHED_SHARES.items():
        share, error = ratio(single_deals[name], single_deals["plays"])
        yield name, share, (share - value) / np.hypot(error, published_error)


def test_random_play_has_the_published_figures_of_its_definition(single_deals: dict[str, Column]) -> None:
    assert 2 * len(single_deals["plays"]) >= 200_000
    for name, value, distance in differences(single_deals):
        assert abs(distance) < 3, f"{name}: {value:.4f} is {distance:+.1f} standard errors off"


def test_the_figures_tell_the_definition_from_a_choice_by_shape(single_deals: dict[str, Column]) -> None:
    """A choice uniform over (kind, key, size) has two plays more: the check above would notice."""
    mean, error = ratio(single_deals["plays"], np.ones_like(single_deals["plays"]))
    assert (59.139 - mean) / np.hypot(error, 0.053) > 20


def test_rare_bombs_are_as_rare_as_published(single_deals: dict[str, Column]) -> None:
    plays = single_deals["plays"].sum()
    assert single_deals["bombs_6_up"].sum() / plays == pytest.approx(0.0009 + 0.00003, abs=0.0001)
    assert single_deals["joker_bombs"].sum() / plays == pytest.approx(0.0002, abs=0.0001)


# ---- deals by coins -------------------------------------------------------------------------------------------------


def coin_matches(coin: Coin, rules: Rules, matches: int, detail: Detail = "matches") -> list[Tables]:
    with ThreadPoolExecutor(2) as pool:
        parts = list(in_parts(matches // 2, 50_000))
        return list(pool.map(lambda part: play_coin_pairs(coin, rules, 82, part, detail=detail), parts))


def coin_cases() -> list[dict[str, Any]]:
    return [case for case in extra_cases("stats", "*.jsonl") if case["kind"] == "toy_match_model"]


def rules_of(model: dict[str, Any]) -> Rules:
    """Translate the model's parameters; a case that changes what this engine does not vary is skipped."""
    for name, value in (("top_level", 14), ("levels_cap_at_top", True), ("fail_counter_cleared_on_reset", True)):
        if model[name] != value:
            pytest.skip(f"{name} is {model[name]}, the engine plays {value}")
    start = RANKS[model["start_level"] - 2]
    return replace(
        NATIONAL,
        a_fail_limit=model["fails_to_reset"],
        pass_a_partner={2: "third", 3: "second"}[model["pass_needs_step_ge"]],
        start_levels=(start, start),
    )


@pytest.mark.parametrize("case", coin_cases(), ids=lambda case: case.get("id"))
def test_a_million_matches_by_coins_end_as_the_exact_chain_says(case: dict[str, Any]) -> None:
    model, exact = case["input"], case["expected"]
    coin = Coin(model["p_hand"], tuple(model["step_probs_1_2_3"]), model["tau_after_win"])
    parts = coin_matches(coin, rules_of(model), 1_000_000)
    deals = np.concatenate([part.matches["deals"] for part in parts]).astype(float)
    points = np.concatenate([part.matches["x_half_points"] for part in parts]) / 2
    n, mean, sd = len(deals), deals.mean(), deals.std()
    fourth = ((deals - mean) ** 4).mean()
    found = {
        "p_match": (points.mean(), points.std() / np.sqrt(n)),
        "mean_hands": (mean, sd / np.sqrt(n)),
        "sd_hands": (sd, np.sqrt((fourth - sd**4) / n) / (2 * sd)),
    }
    assert n == 1_000_000
    for name, (value, error) in found.items():
        assert abs(value - exact[name]) < 3 * error, f"{name}: {value:.5f} +- {error:.5f}, exact {exact[name]:.5f}"


def test_memory_favours_the_side_that_won_the_deal_before() -> None:
    (tables,) = coin_matches(Coin(0.5, (0.35, 0.35, 0.3), 0.1), NATIONAL, 20_000, "deals")
    deals = tables.deals
    later = deals["deal"] > 1
    won, declarer = deals["winner"][later] == 0, deals["declarer"][later]
    for side, chance in ((0, 0.6), (1, 0.4)):
        rows = won[declarer == side]
        assert abs(rows.mean() - chance) < 3 * np.sqrt(chance * (1 - chance) / len(rows))


def test_coins_of_the_two_legs_and_of_neighbouring_pairs_are_independent() -> None:
    (tables,) = coin_matches(Coin(0.5, (0.35, 0.35, 0.3)), NATIONAL, 100_000, "pairs")
    one, two = (tables.pairs[f"x_half_points_{leg}"] for leg in (1, 2))
    for mine, theirs in ((one, two), (one[:-1], one[1:]), (one[:-1], two[1:])):
        assert abs(np.corrcoef(mine, theirs)[0, 1]) < 3 / np.sqrt(len(mine))


def test_coins_give_every_finishing_order_its_share() -> None:
    steps = (0.2, 0.3, 0.5)
    (tables,) = coin_matches(Coin(0.5, steps), NATIONAL, 20_000, "deals")
    deals = tables.deals
    for number, chance in enumerate(steps, start=1):
        assert abs((deals["steps"] == number).mean() - chance) < 3 * np.sqrt(
            chance * (1 - chance) / len(deals["steps"])
        )
    assert set(deals["finish_order"].tolist()) == set(range(len(FINISH_ORDERS)))
