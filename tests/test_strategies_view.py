"""What a strategy in Python is shown: what its seat may know, and not a byte of anything else."""

import ctypes
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any, ClassVar

import numpy as np
import pytest

from engine import _core
from engine.bulk import play_pairs
from engine.cards import card_texts
from engine.match import Match
from engine.rules import NATIONAL
from engine.strategy_faults import StrategyFaultError
from engine.view import DealInfo, Event, MatchInfo, Paid, Returned, Step, View
from strategies.api import wrap
from strategies.registry import load
from tests.support import native
from tests.support.players import First, Uniform

SEED = 70
GREEDY, RANDOM = load("greedy"), load("random")


# ---- the view -------------------------------------------------------------------------------------------------------

FIELDS = [name for name in vars(_core.View) if not name.startswith("_") and not callable(getattr(_core.View, name))]


class Watcher(Uniform):
    """Check each view against what was told, and against lists made from outside."""

    asked: ClassVar[Counter[str]] = Counter()

    def begin_match(self, info: MatchInfo) -> None:
        self.info = info

    def begin_deal(self, info: DealInfo) -> None:
        self.deal, self.events = info, list[Event]()
        assert info.seat == self.info.seat
        assert len(info.hand) == 27

    def observe(self, event: Event) -> None:
        self.events.append(event)

    def common(self, view: View) -> None:
        d = self.deal
        assert (view.seat, view.level, view.deal, view.levels) == (d.seat, d.level, d.deal, d.levels)
        assert (view.declarer, view.a_fails, view.order) == (d.declarer, d.a_fails, d.order)
        assert (view.deals_left, view.seconds_left, view.first_ends) == (0, -1, False)
        assert view.rules is self.info.rules is NATIONAL
        assert view.parameters == {}
        steps = [event for event in self.events if isinstance(event, Step)]
        assert list(view.steps) == steps
        assert view.n_steps == len(steps)
        hand = Counter(d.hand)
        for event in self.events:
            if isinstance(event, Paid | Returned):
                hand.update(gift.card for gift in event.gifts if gift.taker == view.seat)
                hand.subtract(gift.card for gift in event.gifts if gift.giver == view.seat)
            elif isinstance(event, Step) and event.seat == view.seat:
                hand.subtract(event.cards)
        assert bytes(sorted(hand.elements())) == view.hand
        assert card_texts(view.hand) == view.hand_texts()
        assert Counter(view.gone) == Counter(card for step in steps for card in step.cards)
        assert len(view.hand) == view.left[view.seat]
        assert 0 < view.value(0) <= 10**6
        self.asked["play" if view.plays else "card"] += 1

    def play(self, view: View) -> Any:
        self.common(view)
        listed = _core.Plays(view.hand, view.level, view.to_beat, self.listing == "all")
        assert view.plays == listed.codes()
        assert view.n == len(listed) >= 2
        assert [view.entry(i) for i in range(min(view.n, 9))] == list(listed)[:9]
        assert view.legal_plays()[-1] == view.play_at(view.n - 1)
        laid = [step for step in view.steps if step.code]
        assert view.holder == (laid[-1].seat if view.to_beat else -1)
        assert not view.to_beat or view.to_beat == laid[-1].code
        return super().play(view)

    def tribute(self, view: View) -> Any:
        self.common(view)
        assert (len(view.options), view.plays) == (view.n, ())
        assert view.tribute.payers
        return super().tribute(view)

    def return_tribute(self, view: View) -> Any:
        assert max(view.tribute.given) >= 0
        return self.tribute(view)


@pytest.mark.parametrize("listing", ["shapes", "all"])
def test_a_view_shows_what_its_seat_was_told_and_the_legal_answers(listing: str) -> None:
    Watcher.asked.clear()
    kind = type("Watching", (Watcher,), {"listing": listing})
    play_pairs(wrap(kind), RANDOM, NATIONAL, SEED, range(3))
    assert Watcher.asked["play"] > 500
    assert Watcher.asked["card"] > 5


def test_a_view_is_shut_after_the_call_and_what_it_gave_may_be_kept() -> None:
    kept: list[tuple[View, bytes, tuple[int, ...]]] = []

    class Keeper(First):
        def play(self, view: View) -> Any:
            kept.append((view, view.hand, view.plays))
            return 0

    next(Match(NATIONAL, SEED, 0, 1, wrap(Keeper), GREEDY).deals())
    for view, hand, plays in kept:
        assert hand
        assert plays
        for field in FIELDS:
            with pytest.raises(ValueError, match="only while the strategy is asked"):
                getattr(view, field)
        for call in (view.random, view.random_bits, lambda view=view: view.entry(0), lambda view=view: view.value(0)):
            with pytest.raises(ValueError, match="only while the strategy is asked"):
                call()
    assert len(FIELDS) == 24


def test_numbers_come_from_the_own_stream_of_a_seat_and_a_deterministic_strategy_has_none() -> None:
    drawn: dict[tuple[int, int], list[int]] = {}

    class Drawing(First):
        deterministic = False

        def play(self, view: View) -> Any:
            if view.deal == 1:
                drawn.setdefault((view.deal, view.seat), []).append(view.random_bits())
            assert 0 <= view.random() < 1
            assert view.random_below(7) < 7
            return 0

    next(Match(NATIONAL, SEED, 3, 2, wrap(Drawing), GREEDY).deals())
    assert set(drawn) == {(1, 1), (1, 3)}
    for (deal, seat), numbers in drawn.items():
        assert _core.stream(SEED, 2, 3, 2, deal, seat, 1) == numbers[:1]

    class Lying(Drawing):
        deterministic = True

    with pytest.raises(StrategyFaultError, match="must not be called deterministic"):
        play_pairs(wrap(Lying), GREEDY, NATIONAL, SEED, range(1))


SCALARS = ("n", "n_steps", "to_beat", "holder", "seat", "level", "first_ends", "declarer", "deal", "deals_left")
ARRAYS = ("levels", "a_fails", "order")


def shown_natively(view: native.View, in_play: bool) -> bytes:
    """All bytes that a native strategy may read through its view, pointers aside."""
    parts = [bytes(getattr(view, name).contents) for name in ("hand", "gone", "shown", "random")]
    parts += [bytes(getattr(view, name)) for name in ARRAYS]
    parts += [bytes(view.left[:4]), ctypes.string_at(view.rules, 40), bytes(view.options[: 0 if in_play else view.n])]
    parts += [bytes(view.steps[i]) for i in range(view.n_steps)]
    numbers = [getattr(view, name) for name in (*SCALARS, "seconds_left")]
    return repr((parts, view.plays[: view.n if in_play else 0], numbers)).encode()


class Peek(First):
    """Note every field, then refuse to answer: the table stays as it is."""

    deterministic = False
    noted: ClassVar[list[str]] = []

    def play(self, view: View) -> Any:
        values = [view.value(result) for result in range(6)]
        self.noted.append(repr([(field, getattr(view, field)) for field in FIELDS] + values))
        raise RuntimeError("noted")

    tribute = return_tribute = play


def peek(table: _core.Table) -> tuple[str, bytes]:
    """What the seat that is asked can see, in Python and natively; empty where it has no choice."""
    seen = b""

    def note(view: native.View) -> int:
        nonlocal seen
        seen = shown_natively(view, table.state[0] == 3)
        return 2**31

    strategy = native.PythonStrategy(note, note, note)
    Peek.noted.clear()
    for asked in (strategy.capsule, None):
        with pytest.raises(ValueError, match=r"answered out of range|noted"):
            table.decide(asked)
    strategy.raise_errors()
    return Peek.noted[0], seen


def questions(pair: int) -> Iterator[_core.Table]:
    """A table at every question of a match with a choice, natively played on."""
    player = wrap(Peek).capsule
    table = _core.Table(NATIONAL, SEED, pair, 1, None, (player, player))
    batch = _core.Batch(1, tuple(np.zeros((2, width), code) for _, code, width in _core.BATCH_COLUMNS))
    for _ in range(3):
        table.deal()
        while table.state[0] in (1, 2, 3):
            if table.gather(batch) > 1:
                yield table
            table.decide(RANDOM.capsule)
        table.score()


def redealt(table: _core.Table, rng: Random) -> tuple[bytes, ...]:
    """The hands with the cards that the seat which is asked cannot see dealt anew."""
    hands, asked = table.hands, table.state[1]
    unseen = [card for seat in range(4) if seat != asked for card in hands[seat]]
    rng.shuffle(unseen)
    new = []
    for seat in range(4):
        many = 0 if seat == asked else len(hands[seat])
        new.append(hands[seat] if seat == asked else bytes(sorted(unseen[:many])))
        unseen = unseen[many:]
    return tuple(new)


def test_a_view_is_the_same_to_the_byte_whatever_the_cards_it_does_not_show() -> None:
    rng, changed = Random(5), 0
    for pair in range(2):
        for i, table in enumerate(questions(pair)):
            if i % 5:
                continue
            before = peek(table)
            hands = redealt(table, rng)
            changed += hands != table.hands
            table.redeal(hands)
            assert peek(table) == before
    assert changed > 40


def test_cards_are_dealt_anew_only_to_others_and_only_the_same() -> None:
    table = next(questions(0))
    hands, asked = table.hands, table.state[1]
    for wrong in (
        (*hands[:3], hands[3][:-1]),
        tuple(hands[(seat + 1) % 4] for seat in range(4)),
        tuple(hands[asked] for _ in range(4)),
    ):
        with pytest.raises(ValueError, match=r"not the same cards|more than twice"):
            table.redeal(wrong)
