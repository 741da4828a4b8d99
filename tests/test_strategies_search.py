"""search draws hands that agree with all that was seen, plays them out by the rules, and looks at nothing else."""

import ctypes
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from scipy import stats

from engine.bulk import play_pairs
from engine.cards import card_texts
from engine.context import Context, uniform_contexts
from engine.rules import NATIONAL
from engine.ruleset import load_rules, preset_names
from engine.tribute import TRIBUTES, tribute_due, tribute_options
from strategies.registry import load
from tests.slow import rollouts
from tests.slow.rollouts import Decision
from tests.support.native import Api, PythonStrategy, View, struct_in

SEED = 90
PACK = Counter(dict.fromkeys(range(54), 2))


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return rollouts.build(tmp_path_factory.mktemp("rollouts"))


def dealt(decision: Decision, hands: list[list[int]]) -> list[Counter[int]]:
    """Hands before tribute that lead to these: what was laid and given comes back, what was taken goes."""
    before = [Counter(hand) + Counter(laid) for hand, laid in zip(hands, decision.laid, strict=True)]
    for payer, receiver, given, returned in decision.moves:
        before[receiver].subtract([given])
        before[payer].subtract([returned])
        before[receiver].update([returned])
        before[payer].update([given])
    return before


@pytest.mark.parametrize("name", preset_names())
def test_drawn_hands_agree_with_all_that_was_seen_and_are_played_out_by_the_rules(program: Path, name: str) -> None:
    rules = load_rules(name).rules
    seen = rollouts.decisions(program, rules, deals=60, every=20, draws=20, rollouts=12, seed=SEED)
    kinds = Counter(TRIBUTES[decision.kind] for decision in seen)
    if set(kinds) != {"none"}:  # there are rules without tribute
        assert kinds["single"] > 20
        assert kinds["double"] > 20
        assert kinds["single_refused"] + kinds["double_refused"] > 20
    for decision in seen:
        for hands in decision.drawn:
            assert [len(hand) for hand in hands] == decision.left
            assert hands[decision.seat] == decision.hand
            before = dealt(decision, hands)
            assert sum(before, Counter()) == PACK
            assert [hand.total() for hand in before] == [27] * 4
            assert all(min(hand.values()) >= 0 for hand in before), "a card that was shown has gone elsewhere"
            texts = [card_texts(bytes(sorted(hand.elements()))) for hand in before]
            assert tribute_due(decision.order, texts, rules).kind == TRIBUTES[decision.kind]
            for payer, _, given, _ in decision.moves:
                level = "23456789TJQKA"[decision.level]
                assert card_texts(bytes([given]))[0] in tribute_options(texts[payer], level)


def test_an_unseen_card_lies_with_each_seat_as_often_as_places_are_left(program: Path) -> None:
    """Where nothing was refused or paid each place is as likely; tested for every card of some positions."""
    rules = replace(NATIONAL, tribute=False)
    seen = rollouts.decisions(program, rules, deals=3, every=60, draws=3000, rollouts=0, seed=SEED)
    assert len(seen) >= 3
    for decision in seen:
        others = [seat for seat in range(4) if seat != decision.seat and decision.left[seat]]
        for card in set(decision.drawn[0][others[0]]):
            found = [sum(hands[seat].count(card) for hands in decision.drawn) for seat in others]
            places = sum(decision.left[seat] for seat in others)
            expected = [sum(found) * decision.left[seat] / places for seat in others]
            assert stats.chisquare(found, expected).pvalue > 1e-7


@pytest.mark.parametrize("limit", [0, 7, 50, 200])
def test_no_more_roll_outs_are_made_than_the_parameter_says(program: Path, limit: int) -> None:
    seen = rollouts.decisions(program, NATIONAL, deals=6, every=11, draws=0, rollouts=limit, seed=SEED)
    made = Counter(decision.rollouts for decision in seen)
    assert max(made) <= limit
    assert limit < 50 or max(made) > 0.8 * limit


def test_the_same_seed_gives_the_same_play_and_another_does_not() -> None:
    search, greedy, contexts = load("search?rollouts=20"), load("greedy"), uniform_contexts(20, SEED)
    once, again, other = (
        play_pairs(search, greedy, NATIONAL, seed, range(4), contexts=contexts).pairs for seed in (1, 1, 2)
    )
    assert all(once[name].tobytes() == again[name].tobytes() for name in once)
    assert once["plays"].tolist() != other["plays"].tolist()


class Copied:
    """Ask search twice: with the engine's view, and with a copy of what it shows and an api of Python functions."""

    def __init__(self) -> None:
        self.loaded = load("search?rollouts=30")  # the struct lives as long as its capsule
        self.c = struct_in(self.loaded.capsule)
        self.asked = 0
        self.strategy = PythonStrategy(
            self.play, self.with_parameters(self.c.tribute), self.with_parameters(self.c.return_tribute)
        )

    def with_parameters(self, answer: Callable[[View], int]) -> Callable[[View], int]:
        def call(view: View) -> int:
            view.parameters = self.c.values
            return answer(view)

        return call

    def play(self, view: View) -> int:
        stream = bytes(view.random.contents)
        values = [view.api.contents.value(view, result) for result in range(6)]
        value = type(Api().value)(lambda _, result: values[result])
        api, copy = Api(), View.from_buffer_copy(view)
        api.value = value
        copy.api = ctypes.pointer(api)
        copy.parameters = self.c.values
        own = int(self.c.play(copy))
        ctypes.memmove(view.random, stream, len(stream))
        assert self.with_parameters(self.c.play)(view) == own
        self.asked += 1
        return own


def test_an_answer_depends_on_nothing_but_what_the_view_shows() -> None:
    copied = Copied()
    play_pairs(copied.strategy, load("greedy"), NATIONAL, SEED, range(3), contexts=uniform_contexts(3, SEED))
    copied.strategy.raise_errors()
    assert copied.asked > 50


def test_search_beats_the_player_that_it_plays_out_with() -> None:
    contexts = uniform_contexts(64, SEED)
    strong = load("search?rollouts=60&base=0&near=0&far=0&fit=0")
    rows = play_pairs(strong, load("greedy"), NATIONAL, SEED, range(40), contexts=contexts).pairs
    net = rows["x_steps"] - rows["y_steps"]
    assert net.mean() > 2 * net.std(ddof=1) / len(net) ** 0.5


@pytest.mark.parametrize("lines", ["A/A 0213 1/0 - tribute", "A/K 0123 2/0 - none", "K/A 1302 0/0 2 tribute"])
def test_search_plays_boards_at_a_and_exchanges_by_its_base(lines: str) -> None:
    board = (Context.parse(lines),)
    rows = play_pairs(load("search?rollouts=20"), load("greedy"), NATIONAL, SEED, range(4), contexts=board)
    assert rows.pairs["deals"].tolist() == [2] * 4


def test_a_rank_is_highest_for_the_play_that_search_makes() -> None:
    """Play and rank draw from the same stream, so that the same stream must give the same choice."""
    loaded = load("search?rollouts=20")
    struct = struct_in(loaded.capsule)
    rank = ctypes.CFUNCTYPE(None, ctypes.POINTER(View), ctypes.POINTER(ctypes.c_int32))(struct.rank)
    looked = []

    def play(view: View) -> int:
        view.parameters = struct.values
        stream = bytes(view.random.contents)
        scores = (ctypes.c_int32 * view.n)()
        rank(view, scores)
        ctypes.memmove(view.random, stream, len(stream))
        answer = int(struct.play(view))
        looked.append(max(range(view.n), key=lambda i: scores[i]) == answer)
        return answer

    strategy = PythonStrategy(play)
    play_pairs(strategy, load("greedy"), NATIONAL, SEED, range(2), contexts=uniform_contexts(2, SEED))
    strategy.raise_errors()
    assert len(looked) > 20
    assert all(looked)
