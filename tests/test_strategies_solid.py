"""solid: legal under every rule set, a function of what it sees, and each promise of its head comment as a position."""

import ctypes as c
from collections import Counter

import numpy as np
import pytest

from engine.bulk import play_pairs
from engine.context import Context
from engine.rules import NATIONAL
from engine.ruleset import load_rules, preset_names
from strategies.registry import load
from tests.support.native import Api, Cards, Hand, PythonStrategy, Step, Tribute, View, struct_in
from tests.support.seat import Position

SEED = 710
SOLID = load("solid")
VALUE = Api._fields_[3][1]
RANK = c.CFUNCTYPE(None, c.POINTER(View), c.POINTER(c.c_int32))

POSITIONS = {
    # what is promised: the position, and what may be laid
    "the partner's high card stands": (
        Position("S3 S4 D8 C8 HK SA D5 H6 H9 CJ", to_beat="CA", holder="partner"),
        {"-"},
    ),
    "the partner's bomb stands": (
        Position("S3 S4 D8 C8 H8 S8 SA D5 H6 H9 CJ", to_beat="C5 D5 S5 H5", holder="partner"),
        {"-"},
    ),
    "a small single goes along over the partner's smaller": (
        Position("S3 D8 C8 H9 HK SA CJ CQ CQ", to_beat="C5", holder="partner"),
        {"H9", "CJ"},
    ),
    "an opponent who holds one card behind its single is stopped by a high one": (
        Position("S4 C4 D9 HK SB H7 H7 S8 C5 D6", left=(10, 10, 1), to_beat="C5", holder="last"),
        {"HK", "SB"},
    ),
    "an opponent with one card is led no single": (
        Position("S4 D9 D9 HK SB H7 H7 S8", left=(1, 10, 10)),
        {"H7 H7", "D9 D9"},
    ),
    "an opponent with two cards is led no low pair": (
        Position("S4 D3 D3 HK SB H7 C7 S7 S8", left=(2, 10, 10), seed=1),
        {"S4", "S8", "S7 H7 C7", "D3 D3 S7 H7 C7", "S7 H7 C7 D3 D3"},
    ),
    "a partner with one card is led the smallest single": (
        Position("S4 D9 D9 HK SB H7 H7 S8 CT CT", left=(10, 1, 10)),
        {"S4"},
    ),
    "a partner with two cards is led the smallest pair": (
        Position("S4 C4 D9 HK SB H7 CQ CQ CT CT", left=(10, 2, 10)),
        {"S4 C4"},
    ),
    "a bomb is kept from a single while all hold many cards": (
        Position("S4 S5 D5 D7 H7 H9 SJ C9 CQ DQ S8 C8 D8 H8 HT", to_beat="CA", holder="last"),
        {"-"},
    ),
    "a bomb takes the lead when one turn is then left": (
        Position("S5 S8 H8 C8 D8", to_beat="CA DA", holder="last"),
        {"S8 H8 C8 D8"},
    ),
    "what goes out goes out, over the partner too": (
        Position("SA", left=(5, 5, 5), to_beat="CK", holder="partner"),
        {"SA"},
    ),
    "a wild is not spent on a single": (
        Position("H2 S3 C4 D6 D6 H8 H8 DT CJ CJ DJ SQ", to_beat="CT", holder="last"),
        {"-", "SQ"},
    ),
    "a straight flush is kept whole": (
        Position("S3 S4 S5 S6 S7 D9 D9 CJ CJ HK HK CA", to_beat="C6", holder="last"),
        {"-", "CA"},
    ),
    "low groups are led before high ones while the way home is long": (
        Position("S3 C4 D6 C6 H8 C8 CT CJ SJ SQ HK CK SA SB HR D9 S9 C9"),
        {"S3", "C4", "D6 C6", "H8 C8", "S9 C9 D9 C6 D6", "C6 D6 S9 C9 D9"},
    ),
}


@pytest.mark.parametrize("promise", POSITIONS)
def test_solid_keeps_what_it_promises(promise: str) -> None:
    position, expected = POSITIONS[promise]
    laid = {"-"} if position.answer(SOLID) == "-" else {" ".join(sorted(position.answer(SOLID).split()))}
    assert laid <= {" ".join(sorted(answer.split())) for answer in expected}


@pytest.mark.parametrize("promise", POSITIONS)
def test_no_answer_is_ranked_above_the_one_that_is_given(promise: str) -> None:
    position, _ = POSITIONS[promise]
    scores = position.scores(SOLID)
    answers = [" ".join(position.texts(i)) or "-" for i in range(len(scores))]
    assert answers[int(np.argmax(scores))] == position.answer(SOLID)
    assert scores.count(max(scores)) == 1


@pytest.mark.heavy
@pytest.mark.parametrize("name", preset_names())
@pytest.mark.parametrize("opponent", ["solid", "greedy", "random"])
def test_solid_plays_legally_under_every_rule_set(name: str, opponent: str) -> None:
    rows = play_pairs(SOLID, load(opponent), load_rules(name).rules, SEED, range(12), detail="pairs")
    assert rows.done == 12


class Copies:
    """Ask solid a second time with a copy of what it sees, elsewhere in memory, and nothing behind the lists.

    Its scores are held against the answer: one alone is the highest.
    """

    def __init__(self) -> None:
        self.solid = struct_in(SOLID.capsule)
        self.asked: Counter[str] = Counter()
        self.strategy = PythonStrategy(
            lambda view: self.ask("play", view),
            lambda view: self.ask("tribute", view),
            lambda view: self.ask("return_tribute", view),
            deterministic=True,
        )

    def ask(self, what: str, view: View) -> int:
        view.parameters = self.solid.values
        answer = getattr(self.solid, what)
        first = answer(c.byref(view))
        self.asked[what] += 1
        in_play = what == "play"
        scores = (c.c_int32 * view.n)()
        RANK(self.solid.rank)(c.byref(view), scores)
        assert max(scores) == scores[first] > max([*scores[:first], *scores[first + 1 :]])
        worth = [view.api.contents.value(view, result) for result in range(6)] if in_play else [0] * 6
        copies = (
            Api(value=VALUE(lambda _, result: worth[result])),
            Hand.from_buffer_copy(view.hand.contents),
            Cards.from_buffer_copy(view.gone.contents),
            Tribute.from_buffer_copy(view.shown.contents),
        )
        kept = (
            (c.c_uint32 * view.n)(*(view.plays[: view.n] if in_play else ())),
            (c.c_uint8 * view.n)(*(view.options[: view.n] if not in_play else ())),
            (c.c_uint8 * 4)(*view.left[:4]),
            (Step * max(1, view.n_steps))(*view.steps[: view.n_steps]),
            (c.c_uint8 * 64)(*c.string_at(view.rules, 48)),
        )
        again = View.from_buffer_copy(view)
        again.api, again.hand, again.gone, again.shown = (c.pointer(copy) for copy in copies)
        again.plays, again.options, again.left, again.steps = kept[:4]
        again.rules, again.random, again.starts = c.addressof(kept[4]), None, None
        assert answer(c.byref(again)) == first
        return int(first)


def test_solid_answers_from_what_it_sees_and_nothing_else() -> None:
    copies = Copies()
    context = [Context.parse("K/9 0213 0/0 - tribute"), Context.parse("A/A 3012 1/0 - tribute")]
    mine = play_pairs(copies.strategy, load("greedy"), NATIONAL, SEED, range(30), contexts=context)
    copies.strategy.raise_errors()
    theirs = play_pairs(SOLID, load("greedy"), NATIONAL, SEED, range(30), contexts=context)
    assert min(copies.asked[what] for what in ("play", "tribute", "return_tribute")) > 0
    assert copies.asked["play"] > 1000
    for column in theirs.pairs:
        assert np.array_equal(mine.pairs[column], theirs.pairs[column]), column


@pytest.mark.heavy
def test_solid_beats_greedy_in_more_than_95_of_100_matches() -> None:
    points = play_pairs(SOLID, load("greedy"), NATIONAL, SEED, range(200), detail="matches").matches["x_half_points"]
    by_pair = points.reshape(-1, 2).mean(axis=1) / 2
    assert by_pair.mean() - 2 * by_pair.std() / len(by_pair) ** 0.5 > 0.93
    assert by_pair.mean() > 0.95


@pytest.mark.heavy
def test_playing_for_the_match_passes_a_more_often_than_playing_for_levels() -> None:
    own_a = [
        Context.parse(f"A/{level} {order} 0/0 - tribute") for level in "9TJQK" for order in ("0213", "0123", "2103")
    ]
    pairs = play_pairs(SOLID, load("solid?match=0"), NATIONAL, SEED, range(1500), detail="pairs", contexts=own_a).pairs
    more = pairs["x_a_passed"].astype(float) / pairs["x_a_attempts"] - pairs["y_a_passed"] / pairs["y_a_attempts"]
    assert more.mean() - 2 * more.std() / len(more) ** 0.5 > 0


def test_away_from_a_levels_and_match_mostly_agree() -> None:
    context = [Context.parse("5/6 0123 0/0 - tribute")]
    pairs = play_pairs(SOLID, load("solid?match=0"), NATIONAL, SEED, range(200), detail="pairs", contexts=context).pairs
    assert (pairs["x_steps_1"] == pairs["y_steps_1"]).mean() > 0.8
