"""Faults of strategies are data: the deal is judged, the match goes on, the third faulty deal costs a side the leg."""

from typing import Any

import numpy as np
import pytest

from engine.bulk import DEAL_ENDS, MATCH_ENDS, SIDES, Tables, play_pairs
from engine.cards import LEVELS
from engine.notation import read_state
from engine.plays import code_of
from engine.rules import NATIONAL
from engine.strategy_faults import ALLOWED, ASKED, REASONS, Decision, KnownFault, StrategyFaultError, state_of
from engine.style import RATES, ROLES
from strategies.registry import load
from tests.support.failing import NO_ANSWER, NO_MEMORY, failing
from tests.support.native import PythonStrategy, View, answers_of, struct_in

SEED, PAIRS = 71, range(6)
GREEDY = load("greedy")
PLAY, TRIBUTE, RETURN = answers_of(struct_in(GREEDY.capsule))


def judged(strategy: PythonStrategy, **options: object) -> Tables:
    played = play_pairs(strategy, GREEDY, NATIONAL, SEED, PAIRS, on_fault="judge", **options)  # type: ignore[arg-type]
    strategy.raise_errors()
    return played


def in_match(table: dict[str, np.ndarray[Any, Any]], pair: int, leg: int) -> dict[str, np.ndarray[Any, Any]]:
    rows = (table["pair"] == pair) & (table["leg"] == leg)
    return {name: column[rows] for name, column in table.items()}


SECOND_DEAL = "view.deal == 2 and view.n_steps > 20"


def test_a_faulty_deal_is_judged_a_double_down_and_the_next_has_no_tribute() -> None:
    played = judged(failing(SECOND_DEAL))
    assert len(played.faults["pair"]) > 0
    for pair, leg, side in zip(*(played.faults[name] for name in ("pair", "leg", "side")), strict=True):
        deals = in_match(played.deals, pair, leg)
        assert DEAL_ENDS[deals["end_reason"][1]] == "judged"
        assert (SIDES[side], deals["winner"][1], deals["steps"][1]) == ("x", 1, 3)
        if len(deals["deal"]) > 2:
            assert deals["tribute"][2] == 0
            assert deals["end_reason"][2] < DEAL_ENDS.index("judged")


def test_judged_deals_stay_out_of_tribute_promotion_and_a() -> None:
    played = judged(failing("view.deal % 3 == 2 and view.n_steps > 20"))
    fair = played.deals["end_reason"] < DEAL_ENDS.index("judged")
    assert 0 < fair.sum() < len(fair)

    def count(rows: np.ndarray[Any, Any]) -> int:
        return int((rows & fair).sum())

    deals, pairs, matches = played.deals, played.pairs, played.matches
    x_won = deals["winner"] == 0
    assert sum(int(pairs[f"x_steps_{k}"].sum()) for k in (1, 2, 3)) == count(x_won)
    assert sum(int(pairs[f"y_steps_{k}"].sum()) for k in (1, 2, 3)) == count(~x_won)
    assert pairs["single_due"].sum() == count(np.isin(deals["tribute"], (1, 3)))
    assert pairs["double_due"].sum() == count(np.isin(deals["tribute"], (2, 4)))
    attempt = deals["a_attempt"] > 0
    assert pairs["x_a_attempts"].sum() == matches["x_a_attempts"].sum() == count(attempt & (deals["declarer"] == 0))
    assert pairs["y_a_attempts"].sum() == matches["y_a_attempts"].sum() == count(attempt & (deals["declarer"] == 1))
    assert matches["y_a_fails"].sum() == count((deals["a_attempt"] > 1) & (deals["declarer"] == 1))
    assert pairs["deals"].sum() == len(fair), "they are counted as deals all the same"
    assert pairs["x_deals_won"].sum() == x_won.sum()


def test_the_third_faulty_deal_of_a_side_in_a_leg_forfeits_it() -> None:
    played = judged(failing("view.n_steps > 12"))
    for leg in (1, 2):
        for pair in PAIRS:
            faults = in_match(played.faults, pair, leg)
            deals, match = in_match(played.deals, pair, leg), in_match(played.matches, pair, leg)
            assert faults["forfeits"].tolist() == [0] * (ALLOWED - 1) + [1]
            assert faults["deal"][-1] == len(deals["deal"])
            assert (MATCH_ENDS[match["end_reason"][0]], match["x_half_points"][0]) == ("forfeit", 0)


def test_both_sides_can_be_at_fault() -> None:
    always = failing("view.deal == 1 and view.n_steps > 3")
    played = play_pairs(always, always, NATIONAL, SEED, PAIRS, on_fault="judge")
    assert set(played.faults["side"].tolist()) == {0, 1}


def test_other_matches_are_unchanged() -> None:
    clean = play_pairs(GREEDY, GREEDY, NATIONAL, SEED, PAIRS)  # leg 1 only: both legs are one match
    played = judged(failing("view.deal == 2 and view.n_steps > 60"))
    faulty = {(int(p), int(leg)) for p, leg in zip(played.faults["pair"], played.faults["leg"], strict=True)}
    whole = {(pair, 1) for pair in PAIRS} - faulty
    assert whole
    assert faulty
    for pair, leg in whole:
        for name, column in in_match(clean.deals, pair, leg).items():
            assert np.array_equal(column, in_match(played.deals, pair, leg)[name]), name


@pytest.mark.parametrize(
    ("answer", "reason"), [(5000, "answer"), (NO_ANSWER, "raised"), (NO_MEMORY, "memory"), (NO_MEMORY - 1, "answer")]
)
def test_no_answer_is_told_from_a_wrong_one(answer: int, reason: str) -> None:
    played = judged(failing(SECOND_DEAL, answer))
    assert {REASONS[code] for code in played.faults["reason"]} == {reason}


@pytest.mark.parametrize("asked", ["tribute", "return", "play"])
def test_a_fault_says_what_was_asked_and_where_it_stood(asked: str) -> None:
    seen: list[tuple[int, int, list[int], int, int]] = []

    def fail(view: View) -> int:
        seen.append((view.seat, view.level, view.left[:4], view.to_beat, view.n_steps))
        return NO_ANSWER

    answers = {"play": PLAY, "tribute": TRIBUTE, "return": RETURN, asked: fail}
    played = judged(PythonStrategy(answers["play"], answers["tribute"], answers["return"], deterministic=True))
    rows = [{name: int(column[k]) for name, column in played.faults.items()} for k in range(len(seen))]
    assert len(played.faults["pair"]) == len(seen) > 0
    for row, (seat, level, left, to_beat, steps) in zip(rows, seen, strict=True):
        state = read_state(state_of(row, NATIONAL))
        assert (ASKED[row["asked"]], row["seat"], state.turn) == (asked, seat, seat)
        assert (LEVELS[level], left) == (state.level, [len(hand) for hand in state.hands])
        assert (state.trick is None) == (to_beat == 0)
        if state.trick is not None:
            assert code_of(state.trick.play, state.level, NATIONAL) == to_beat
        assert row["decision"] >= steps


def test_a_known_fault_is_judged_without_asking_and_makes_the_same_records() -> None:
    seen = judged(failing(SECOND_DEAL))
    names = ("pair", "leg", "deal", "decision", "reason")
    known = [
        KnownFault(Decision(*at), REASONS[reason])
        for *at, reason in zip(*(seen.faults[name].tolist() for name in names), strict=True)
    ]
    again = judged(PythonStrategy(PLAY, TRIBUTE, RETURN, deterministic=True), known_faults=known)
    for table in ("pairs", "matches", "deals", "faults"):
        for name, column in getattr(seen, table).items():
            assert np.array_equal(column, getattr(again, table)[name]), (table, name)


def test_a_call_that_stops_at_faults_names_the_decision_and_the_reason() -> None:
    with pytest.raises(StrategyFaultError) as caught:
        play_pairs(failing(SECOND_DEAL, NO_ANSWER), GREEDY, NATIONAL, SEED, PAIRS)
    assert (caught.value.at.pair, caught.value.at.deal, caught.value.reason) == (0, 2, "raised")
    assert caught.value.at.decision > 20


def test_style_counts_the_end_of_no_judged_deal() -> None:
    played = judged(failing(SECOND_DEAL), style=True)
    assert played.style is not None
    table = played.style.table()
    row = (table["role"] == 0) & (table["rate"] == list(RATES).index("not_last_behind_partner"))
    ends = int(table["x_n"][row].sum() + table["y_n"][row].sum())
    assert ends == (played.deals["end_reason"] < DEAL_ENDS.index("judged")).sum() < len(played.deals["deal"])


def test_style_counts_the_choices_of_judged_deals_in_every_role() -> None:
    played = judged(failing("view.n_steps > 20"), style=True)
    assert played.style is not None
    table = played.style.table()
    for column in ("x_n", "x_y", "y_n", "y_y"):
        of = dict(zip(ROLES, table[column].reshape(len(ROLES), len(RATES)), strict=True))
        assert of["all"].sum() > 0
        assert (of["no_tribute"] + of["payer"] + of["receiver"] == of["all"]).all(), column
        assert (of["behind"] + of["even"] + of["ahead"] + of["own_a"] == of["all"]).all(), column
