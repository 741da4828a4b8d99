"""random is uniform over what its definition names; greedy is deterministic, spares its partner, and wins."""

from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from scipy import stats

from engine import _core
from engine.bulk import play_pairs
from engine.cards import RANKS, card_texts
from engine.match import DealRecord, Match
from engine.plays import Kind
from engine.rules import NATIONAL
from strategies import registry
from strategies.registry import load
from tests.support.native import ALL, PythonStrategy, View, struct_in

SEED = 100
RANDOM, GREEDY = struct_in(load("random").capsule), struct_in(load("greedy").capsule)


# ---- random ---------------------------------------------------------------------------------------------------------


def is_weak_straight(code: int, cards: Sequence[str], level: str) -> bool:
    """Find a plain straight with a wild and naturals of one suit: the straight flush is stronger and listed too."""
    naturals = [card for card in cards if card != "H" + level]
    return code >> 28 == Kind.STRAIGHT and len(naturals) < 5 and len({card[0] for card in naturals}) == 1


POSITIONS = 8
"""Polled of each occasion."""


class Poll:
    """Ask a C strategy many times at one position and count its answers; then play its last."""

    def __init__(self) -> None:
        self.answers: list[tuple[str, int, set[int], list[int]]] = []  # occasion, entries, weak ones, answers
        self.strategy = PythonStrategy(
            lambda view: self.ask("play", RANDOM.play, view, view.starts[view.n]),
            lambda view: self.ask("tribute", RANDOM.tribute, view, view.n),
            lambda view: self.ask("return", RANDOM.return_tribute, view, view.n),
            listing=ALL,
        )

    def ask(self, occasion: str, answer: Callable[[View], int], view: View, entries: int) -> int:
        weak: set[int] = set()
        if occasion == "play":
            weak = self.weak_entries(view)
            occasion = ("follow" if view.to_beat else "lead") + (" with weak straights" if weak else "")
        if sum(occasion == known for known, *_ in self.answers) >= POSITIONS:
            return answer(view)
        answers = [answer(view) for _ in range(30 * entries)]
        self.answers.append((occasion, entries, weak, answers))
        return answers[-1]

    def weak_entries(self, view: View) -> set[int]:
        hand = _core.Plays(self.hand(view), view.level, view.to_beat)
        level = RANKS[view.level]
        return {i for i, (code, cards) in enumerate(hand) if is_weak_straight(code, card_texts(cards), level)}

    @staticmethod
    def hand(view: View) -> bytes:
        hand = view.hand.contents
        cards = [4 * view.level + 1] * (hand.counts >> 60)
        for lanes in (hand.one, hand.two):
            for bit in range(64):
                suit, rank = divmod(bit, 16)
                cards += [4 * rank + suit if rank < 13 else rank + 39] * (lanes >> bit & 1)
        return bytes(sorted(cards))


def test_random_is_uniform_at_a_position_over_plays_without_weak_straights_and_over_cards_of_tribute() -> None:
    poll = Poll()
    play_pairs(poll.strategy, load("random"), NATIONAL, SEED, range(12))
    poll.strategy.raise_errors()
    for occasion, entries, weak, answers in poll.answers:
        counts = np.bincount(answers, minlength=entries)
        assert len(counts) == entries
        assert counts[sorted(weak)].sum() == 0, f"{occasion}: a weak straight was chosen"
        allowed = np.delete(counts, sorted(weak))
        assert stats.chisquare(allowed).pvalue > 1e-4, f"{occasion}: {allowed}"
    occasions = ("lead", "lead with weak straights", "follow", "follow with weak straights", "tribute", "return")
    assert Counter(occasion for occasion, *_ in poll.answers) == dict.fromkeys(occasions, POSITIONS)


def straights_with_wilds(records: Sequence[DealRecord]) -> list[tuple[str, list[str]]]:
    return [
        (record.level, event[4])
        for record in records
        for event in record.events
        if event[:1] == ("play",) and event[2] == "STRAIGHT" and "H" + record.level in event[4]
    ]


@pytest.mark.heavy
def test_random_never_plays_a_straight_of_one_suit_with_a_wild() -> None:
    records = [d for pair in range(60) for d in Match(NATIONAL, SEED, pair, 1, load("random"), load("random")).deals()]
    straights = straights_with_wilds(records)
    assert len(straights) > 200
    for level, cards in straights:
        assert not is_weak_straight(Kind.STRAIGHT << 28, cards, level)


# ---- greedy ---------------------------------------------------------------------------------------------------------


@pytest.mark.heavy
def test_greedy_beats_random_in_more_than_97_of_100_matches() -> None:
    points = play_pairs(load("greedy"), load("random"), NATIONAL, SEED, range(500), detail="matches").matches
    assert points["x_half_points"].mean() / 2 > 0.97


def test_greedy_plays_a_match_twice_alike_whichever_side_it_is_called() -> None:
    for pair in range(5):
        one, again, other = (
            [(d.hands, d.events) for d in Match(NATIONAL, SEED, pair, leg, load("greedy"), load("greedy")).deals()]
            for leg in (1, 1, 2)
        )
        assert one == again == other


def test_greedy_lets_its_partners_card_stand_unless_it_goes_out() -> None:
    answered = 0
    for pair in range(10):
        for record in Match(NATIONAL, SEED, pair, 1, load("greedy"), load("greedy")).deals():
            holder: int | None = None
            for event, after in zip(record.events, [*record.events[1:], ("",)], strict=True):
                if event[0] in ("lead", "wind"):
                    holder = None
                if event[0] != "play":
                    continue
                if holder == (event[1] + 2) % 4:
                    assert after[0] == "out", f"{event} over the partner's play in {record}"
                    answered += 1
                holder = event[1]
    assert answered > 0


# ---- the registry ---------------------------------------------------------------------------------------------------


def test_strategies_are_loaded_by_name_and_described_in_two_languages() -> None:
    assert {"greedy", "random"} <= set(registry.names())
    for name in registry.names():
        strategy = load(name)
        assert strategy.name == name
        assert strategy.zh
        assert strategy.en
        assert len(strategy.hash) == 16
        assert int(strategy.hash, 16) >= 0
    assert load("greedy").hash != load("random").hash
    assert load("greedy") == load("greedy")
    assert (load("greedy").deterministic, load("random").deterministic) == (True, False)


def test_capsules_say_name_whether_deterministic_and_which_list() -> None:
    for name, deterministic, chooses_from_all in (("greedy", True, False), ("random", False, True)):
        info = _core.strategy_info(load(name).capsule)
        assert (info["name"], info["deterministic"], info["all"]) == (name, deterministic, chooses_from_all)


@pytest.mark.parametrize(("wrong", "near"), [("gredy", "greedy"), ("Random", "random"), ("", "greedy random")])
def test_an_unknown_strategy_is_refused_with_the_nearest_name(wrong: str, near: str) -> None:
    with pytest.raises(ValueError, match=near):
        load(wrong)


@pytest.mark.parametrize("setting", ["pass=40", "bomb=120", "near=5"])
def test_every_parameter_of_greedy_changes_its_play(setting: str) -> None:
    plain, varied = (
        play_pairs(load(name), load("random"), NATIONAL, SEED, range(40)).deals["plays"]
        for name in ("greedy", f"greedy?{setting}")
    )
    assert len(plain) != len(varied) or (plain != varied).any()
