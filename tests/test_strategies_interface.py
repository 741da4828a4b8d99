"""What the engine promises to a native strategy in guandan_strategy.h, seen by strategies written against it.

Positions are whatever whole matches bring about; each call of a strategy is compared with what is known from outside.
"""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from engine import _core
from engine.bulk import play_pairs
from engine.cards import RANKS, card_texts
from engine.match import Match
from engine.rules import NATIONAL
from strategies.registry import load
from tests.slow import brute, rulings
from tests.support.native import ALL, SHAPES, PythonStrategy, View, answers_of, struct_in

SEED = 90
GREEDY = struct_in(load("greedy").capsule)
GREEDY_ANSWERS = answers_of(GREEDY)


def hand_of(view: View) -> bytes:
    """Read the hand from its planes and from its counts, which must tell the same."""
    hand = view.hand.contents
    wilds = hand.counts >> 60
    cards = []
    for suit in range(4):
        for rank in range(15):
            bit = 16 * suit + rank
            copies = (hand.one >> bit & 1) + (hand.two >> bit & 1)
            cards += [4 * rank + suit if rank < 13 else rank + 39] * copies
    counts = Counter(card // 4 if card < 52 else card - 39 for card in cards)
    assert all(hand.counts >> 4 * rank & 15 == counts[rank] for rank in range(15))
    return bytes(sorted(cards + [4 * view.level + 1] * wilds))


def test_the_structs_of_these_tests_are_those_of_the_interface_that_the_engine_speaks() -> None:
    assert _core.STRATEGY_ABI == 2
    assert (GREEDY.abi, GREEDY.name) == (2, b"greedy")


class Watcher:
    """Check the view of every decision; answer with an entry that changes from call to call."""

    def __init__(self, listing: int) -> None:
        self.calls: Counter[str] = Counter()
        self.listing = listing
        self.strategy = PythonStrategy(self.play, self.tribute, self.give_back, listing)

    def common(self, view: View) -> bytes:
        hand = hand_of(view)
        assert len(hand) == view.left[view.seat]
        gone = view.gone.contents.ids()
        assert max(Counter(hand + gone).values()) <= 2
        assert view.level == (view.levels[view.declarer] if view.declarer >= 0 else 0)
        assert (view.declarer < 0) == (view.deal == 1)
        assert list(view.a_fails) == [0, 0]
        return hand

    def play(self, view: View) -> int:
        hand = self.common(view)
        self.calls["follow" if view.to_beat else "lead"] += 1
        assert sum(view.left[seat] for seat in range(4)) + len(view.gone.contents.ids()) == 108
        assert (view.holder < 0) == (view.to_beat == 0)
        assert view.holder != view.seat
        listed = _core.Plays(hand, view.level, view.to_beat)
        assert view.plays[: view.n] == list(listed.codes())
        entries = view.starts[view.n] if self.listing == ALL else view.n
        assert entries >= 2, "asked where there is no choice"
        if self.listing == ALL:
            assert entries == len(listed)
            self.check_api(view, listed)
        return self.calls.total() % int(min(entries, 5))

    def check_api(self, view: View, listed: _core.Plays) -> None:
        """Look at some entries of *all* through the functions of the view."""
        api = view.api.contents
        for index in range(0, len(listed), max(1, len(listed) // 7)):
            code, cards = listed[index]
            shape = api.shape_at(view, index)
            assert view.plays[shape] == code
            choice = index - view.starts[shape]
            assert 0 <= choice < api.suit_choices(view, code)
            assert api.cards(view, code, choice).ids() == cards

    def options(self, view: View) -> tuple[list[str], str]:
        options, level = list(card_texts(view.options[: view.n])), RANKS[view.level]
        assert view.n >= 2, "asked where there is no choice"
        assert all(brute.power(a, level) <= brute.power(b, level) for a, b in pairwise(options))
        assert len(set(options)) == len(options)
        return options, level

    def tribute(self, view: View) -> int:
        hand = self.common(view)
        options, level = self.options(view)
        assert set(options) == rulings.tribute_cards(card_texts(hand), level)
        self.calls["tribute"] += 1
        return self.calls.total() % int(view.n)

    def give_back(self, view: View) -> int:
        hand = self.common(view)
        options, level = self.options(view)
        assert set(options) == rulings.return_cards(list(card_texts(hand)), level)
        self.calls["return"] += 1
        return self.calls.total() % int(view.n)


@pytest.mark.heavy
@pytest.mark.parametrize("listing", [SHAPES, ALL])
def test_a_strategy_sees_its_own_cards_the_legal_plays_and_the_state_of_the_match(listing: int) -> None:
    watcher = Watcher(listing)
    play_pairs(watcher.strategy, load("random"), NATIONAL, SEED, range(6))
    watcher.strategy.raise_errors()
    assert set(watcher.calls) == {"lead", "follow", "tribute", "return"}
    assert watcher.calls["lead"] > 100


def test_a_choice_of_shapes_is_laid_with_the_suits_that_the_list_of_shapes_shows() -> None:
    wanted: list[tuple[int, bytes]] = []

    def play(view: View) -> int:
        listed = _core.Plays(hand_of(view), view.level, view.to_beat, False)
        index = int(view.n) // 2
        wanted.append(listed[index])
        return index

    strategy = PythonStrategy(play)
    table = _core.Table(NATIONAL.core(), SEED, 0, 1)
    table.deal()
    laid = []
    while table.state[0] == 3:  # a play is asked for
        known = len(wanted)
        decided = table.decide(strategy.capsule)
        laid += [decided] * (len(wanted) - known)
    strategy.raise_errors()
    assert len(laid) > 20
    assert laid == wanted


def test_numbers_of_a_seat_come_from_its_own_stream_and_a_deterministic_one_has_none() -> None:
    seen: dict[tuple[int, int], tuple[int, int]] = {}

    def play(view: View) -> int:
        state = view.random.contents.s
        seen.setdefault((view.deal, view.seat), (state[0], state[1]))
        return 0

    for deterministic in (False, True):
        seen.clear()
        strategy = PythonStrategy(play, deterministic=deterministic)
        records = Match(NATIONAL, SEED, 3, 2, strategy, load("greedy")).deals()
        next(records), next(records)
        strategy.raise_errors()
        assert {seat for _, seat in seen} == {1, 3}  # x in leg 2
        if deterministic:
            assert set(seen.values()) == {(0, 0)}
            continue
        for (deal, seat), (s0, s1) in seen.items():
            total = (s0 + s1) % 2**64
            first_number = ((total << 17 | total >> 47) + s0) % 2**64
            if deal == 1:  # later, tribute may have drawn before
                assert _core.stream(SEED, 2, 3, 2, deal, seat, 1) == [first_number]


@pytest.mark.parametrize(
    ("where", "strategy"),
    [
        ("deal 1", PythonStrategy(play=lambda view: view.n)),
        ("deal 1", PythonStrategy(play=lambda view: 2**32 - 1)),
        ("deal 1", PythonStrategy(play=lambda view: view.starts[view.n], listing=ALL)),
        ("deal [2-9]", PythonStrategy(tribute=lambda view: view.n)),
        ("deal [2-9]", PythonStrategy(play=GREEDY_ANSWERS[0], return_tribute=lambda view: 2**31)),
    ],
)
def test_an_answer_out_of_range_is_an_error_that_names_pair_leg_deal_and_seat(
    where: str, strategy: PythonStrategy
) -> None:
    with pytest.raises(ValueError, match=rf"pair 7, leg 1, {where}, decision [0-9]+, seat [02]"):
        play_pairs(strategy, load("random"), NATIONAL, SEED, range(7, 20))


def test_an_answer_out_of_range_leaves_the_table_where_it_was() -> None:
    table = _core.Table(NATIONAL.core(), SEED, 0, 1)
    table.deal()
    before = table.state, table.hands
    with pytest.raises(ValueError, match="strategy beyond answered out of range"):
        table.decide(PythonStrategy(play=lambda view: view.n, name="beyond").capsule)
    assert (table.state, table.hands) == before
    table.decide(load("greedy").capsule)
    assert table.hands != before[1]


def test_a_strategy_written_in_python_plays_the_same_as_the_native_one_it_asks() -> None:
    """A proxy that hands each view on to greedy gives greedy's rows."""
    proxy = PythonStrategy(*GREEDY_ANSWERS, deterministic=True)
    mine = play_pairs(proxy, load("random"), NATIONAL, SEED, range(5))
    theirs = play_pairs(load("greedy"), load("random"), NATIONAL, SEED, range(5))
    proxy.raise_errors()
    for column in theirs.deals:
        assert np.array_equal(mine.deals[column], theirs.deals[column]), column
