"""Strategies written in Python: the decisions and records of native ones, what they see, are told, and get wrong."""

import ctypes
from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, ClassVar

import numpy as np
import pytest

from engine import _core
from engine.bulk import Side, Tables, Team, play_pairs
from engine.cards import CARDS, RANKS, card_bytes, card_texts
from engine.match import DealRecord, Match
from engine.plays import Kind, Play, code_key
from engine.rules import NATIONAL
from engine.strategy_faults import REASONS, StrategyFaultError
from engine.view import DealEnd, DealInfo, Event, MatchInfo, Paid, Refused, Returned, Step, View
from strategies.api import Strategy, of_functions, wrap
from strategies.registry import load
from tests.support import native
from tests.support.greedy import PythonGreedy

SEED = 70
GREEDY, RANDOM = load("greedy"), load("random")


def assert_same(one: Tables, other: Tables) -> None:
    for table in ("pairs", "matches", "deals", "faults"):
        a, b = getattr(one, table), getattr(other, table)
        assert a.keys() == b.keys()
        for column in a:
            assert np.array_equal(a[column], b[column]), (table, column)
    if one.style is not None and other.style is not None:
        assert np.array_equal(one.style.sums, other.style.sums)


class First(Strategy):
    """The first of every list."""

    deterministic = True

    def play(self, view: View) -> Any:
        return 0


class Uniform(Strategy):
    """Uniform over its list."""

    def play(self, view: View) -> Any:
        return view.random_below(view.n)

    def tribute(self, view: View) -> Any:
        return view.random_below(view.n)

    return_tribute = tribute


# ---- one meaning ----------------------------------------------------------------------------------------------------


@pytest.mark.heavy
def test_greedy_in_python_leaves_the_records_of_greedy_in_c() -> None:
    native_rows = play_pairs(GREEDY, RANDOM, NATIONAL, SEED, range(200), style=True)
    assert_same(native_rows, play_pairs(wrap(PythonGreedy), RANDOM, NATIONAL, SEED, range(200), style=True))


def seatings(greedy: Any, other: Any) -> list[tuple[Side, Side]]:
    return [
        (Team(greedy, other), Team(greedy, other)),
        (Team(greedy, other), Team(other, greedy)),
        (Team(other, greedy), other),
        (other, Team(greedy, other)),
    ]


@pytest.mark.parametrize("seating", range(4))
def test_seats_mix_freely_two_strategies_in_one_team_included(seating: int) -> None:
    x, y = seatings(GREEDY, RANDOM)[seating]
    as_native = play_pairs(x, y, NATIONAL, SEED, range(20))
    x, y = seatings(wrap(PythonGreedy), RANDOM)[seating]
    assert_same(as_native, play_pairs(x, y, NATIONAL, SEED, range(20)))


def test_a_team_seats_its_first_on_the_lower_seat_of_the_side_and_its_second_on_the_partners() -> None:
    asked: list[tuple[str, int]] = []

    def noting(name: str) -> Any:
        class Noting(First):
            def play(self, view: View) -> Any:
                asked.append((name, view.seat))
                return 0

        return wrap(Noting, name=name)

    team = Team(noting("a"), noting("b"))
    assert team.name == "a+b"
    for leg, expected in ((1, {("a", 0), ("b", 2)}), (2, {("a", 1), ("b", 3)})):
        asked.clear()
        next(Match(NATIONAL, SEED, 0, leg, team, GREEDY).deals())
        assert set(asked) == expected


def test_a_side_is_told_from_another_by_both_of_its_strategies_in_their_order() -> None:
    a, b = wrap(First), wrap(PythonGreedy)
    teams = [Team(a, b), Team(b, a), Team(a, a), Team(b, b)]
    assert len({team.hash for team in teams}) == 4
    assert all(team.deterministic for team in teams)
    assert not Team(a, RANDOM).deterministic


@pytest.mark.heavy
def test_a_deal_is_replayed_with_the_plays_that_the_bulk_loop_counted() -> None:
    team = Team(wrap(Uniform), GREEDY)
    rows = play_pairs(team, wrap(PythonGreedy), NATIONAL, SEED, range(3)).deals
    at = 0
    for pair in range(3):
        for leg in (1, 2):
            for record in Match(NATIONAL, SEED, pair, leg, team, wrap(PythonGreedy)).deals():
                assert {name: int(column[at]) for name, column in rows.items()} == record.row
                at += 1
    assert at == len(rows["pair"])


# ---- answers --------------------------------------------------------------------------------------------------------


def answers_as(how: Callable[[View, int], Any], listing: str) -> Any:
    """Choose as Uniform does, and say it so."""

    class Saying(Uniform):
        def play(self, view: View) -> Any:
            return how(view, view.random_below(view.n))

    Saying.listing = listing  # type: ignore[assignment]
    return wrap(Saying)


WAYS: dict[str, Callable[[View, int], Any]] = {
    "number of numpy": lambda view, index: np.uint16(index) if index < 2**16 else index,
    "code and cards": lambda view, index: view.entry(index),
    "play": lambda view, index: view.play_at(index),
}


@pytest.mark.parametrize("listing", ["shapes", "all"])
@pytest.mark.parametrize("way", WAYS)
def test_an_answer_is_an_index_or_a_play_however_it_is_said(way: str, listing: str) -> None:
    by_index = play_pairs(answers_as(lambda view, index: index, listing), RANDOM, NATIONAL, SEED, range(4))
    assert_same(by_index, play_pairs(answers_as(WAYS[way], listing), RANDOM, NATIONAL, SEED, range(4)))


def test_an_answer_that_is_a_code_is_the_shape_with_the_suits_that_the_engine_takes() -> None:
    by_index = play_pairs(answers_as(lambda view, index: index, "shapes"), RANDOM, NATIONAL, SEED, range(4))
    by_code = answers_as(lambda view, index: view.plays[index], "shapes")
    assert_same(by_index, play_pairs(by_code, RANDOM, NATIONAL, SEED, range(4)))


@pytest.mark.parametrize("listing", ["shapes", "all"])
def test_of_a_play_that_is_answered_just_the_cards_named_are_laid(listing: str) -> None:
    wanted: list[tuple[int, tuple[int, bytes]]] = []

    class Picky(First):
        def play(self, view: View) -> Any:
            listed = _core.Plays(view.hand, view.level, view.to_beat)
            choice = listed[len(listed) - 1 - view.n_steps % len(listed)]
            wanted.append((view.seat, choice))
            return choice

    Picky.listing = listing  # type: ignore[assignment]
    record = next(Match(NATIONAL, SEED, 1, 1, wrap(Picky), GREEDY).deals())
    laid = [(e[1], (e[2], card_bytes(e[4]))) for e in record.events if e[0] == "play"]
    for seat, (code, cards) in wanted:
        if code:
            assert (seat, (Kind(code >> 28).name, cards)) in laid
    assert len(wanted) > 5


class Texts(First):
    """Cards of tribute by their text."""

    def tribute(self, view: View) -> Any:
        return CARDS[view.options[-1]]

    return_tribute = tribute


class Places(First):
    def tribute(self, view: View) -> Any:
        return view.n - 1

    return_tribute = tribute


def test_a_card_of_tribute_may_be_answered_by_its_text() -> None:
    by_place = play_pairs(wrap(Places), GREEDY, NATIONAL, SEED, range(5))
    assert_same(by_place, play_pairs(wrap(Texts), GREEDY, NATIONAL, SEED, range(5)))


# ---- what goes wrong ------------------------------------------------------------------------------------------------


def no_memory() -> int:
    """Fail as an allocation does; a real one of that size would end a build under sanitizers."""
    raise MemoryError


OTHER_PLAY = Play(Kind.JOKER_BOMB, "JOKER", ("SB", "SB", "HR", "HR"))


@pytest.mark.parametrize(
    ("answer", "reason", "words"),
    [
        (lambda view: view.n, "answer", "not in 0"),
        (lambda view: -1, "answer", "not in 0"),
        (lambda view: 2**70, "answer", "not in 0"),
        (lambda view: 2**31, "answer", "not legal here"),
        (lambda view: None, "answer", "neither an index"),
        (lambda view: 0.0, "answer", "neither an index"),
        (lambda view: True, "answer", "neither an index"),
        (lambda view: "S5", "answer", "no answer in play"),
        (lambda view: (1, 2), "answer", "bytes"),
        (lambda view: (2**28, b"\xff"), "answer", "card id 255"),
        (lambda view: (view.plays[-1], b""), "answer", "not legal here"),
        (lambda view: OTHER_PLAY, "answer", "not legal here"),
        (lambda view: {}[view], "raised", "KeyError"),
        (lambda view: no_memory(), "memory", "MemoryError"),
    ],
)
def test_an_answer_that_is_none_is_a_fault_of_its_seat_and_says_why(
    answer: Callable[[View], Any], reason: str, words: str
) -> None:
    class Wrong(First):
        def play(self, view: View) -> Any:
            return answer(view)

    with pytest.raises(StrategyFaultError, match=rf"(?s){words}.*pair 7, leg 1, deal 1, decision \d+, seat [02]") as e:
        play_pairs(wrap(Wrong), RANDOM, NATIONAL, SEED, range(7, 20))
    assert isinstance(e.value.__cause__, Exception)
    assert e.value.reason == reason
    with pytest.raises(StrategyFaultError, match=words):
        list(Match(NATIONAL, SEED, 7, 1, wrap(Wrong), RANDOM).deals())
    judged = play_pairs(wrap(Wrong), RANDOM, NATIONAL, SEED, range(7, 9), on_fault="judge")
    assert len(judged.faults["pair"]) == 12  # three of x in each of two legs
    assert set(judged.faults["side"]) == {0}
    assert {REASONS[code] for code in judged.faults["reason"]} == {reason}


class Told(First):
    """Fails where it says."""

    where = ""

    def __init__(self) -> None:
        self._at("init")

    def _at(self, where: str) -> None:
        if where == self.where:
            raise RuntimeError(f"at {where}")

    def begin_match(self, info: MatchInfo) -> None:
        self._at("begin_match")

    def begin_deal(self, info: DealInfo) -> None:
        self._at("begin_deal")

    def observe(self, event: Event) -> None:
        self._at("observe")

    def end_deal(self, info: DealEnd) -> None:
        self._at("end_deal")


@pytest.mark.parametrize("where", ["init", "begin_match", "begin_deal", "observe", "end_deal"])
def test_what_is_raised_where_a_strategy_is_made_or_told_is_a_fault_of_its_seat(where: str) -> None:
    failing = wrap(type("Failing", (Told,), {"where": where}))
    with pytest.raises(StrategyFaultError, match=f"RuntimeError: at {where}.: pair 0, leg 1"):
        play_pairs(RANDOM, failing, NATIONAL, SEED, range(2))
    judged = play_pairs(RANDOM, failing, NATIONAL, SEED, range(2), on_fault="judge")
    assert set(judged.faults["side"]) == {1}
    assert set(judged.faults["reason"]) == {REASONS.index("raised")}
    assert list(judged.pairs["x_half_points_1"]) == [2, 2]


def test_ctrl_c_and_exit_come_through_as_they_are() -> None:
    for error in (KeyboardInterrupt, SystemExit):

        class Leaving(First):
            def play(self, view: View) -> Any:
                raise error  # noqa: B023 - called before the loop goes on

        for on_fault in ("stop", "judge"):
            with pytest.raises(error):
                play_pairs(wrap(Leaving), RANDOM, NATIONAL, SEED, range(2), on_fault=on_fault)


def test_a_strategy_is_made_anew_for_every_seat_of_every_match() -> None:
    made: list[int] = []

    class Counted(First):
        def __init__(self) -> None:
            made.append(0)

    play_pairs(wrap(Counted), RANDOM, NATIONAL, SEED, range(3))
    assert len(made) == 3 * 2 * 2
    play_pairs(wrap(Counted()), RANDOM, NATIONAL, SEED, range(3))
    assert len(made) == 13  # an object that is there already serves everywhere


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


# ---- ways in --------------------------------------------------------------------------------------------------------


def test_addresses_of_functions_make_a_native_strategy_and_are_kept_alive() -> None:
    def functions() -> list[Any]:
        return [native.Decide(lambda view: min(1, view.contents.n - 1)) for _ in range(3)]

    mine = of_functions("second", *functions(), zh="第二", en="second", deterministic=True)
    assert (mine.name, mine.zh, mine.en, mine.deterministic, mine.observed) == ("second", "第二", "second", True, False)

    def second(view: native.View) -> int:
        return min(1, int(view.n) - 1)

    theirs = native.PythonStrategy(second, second, second, deterministic=True)
    assert_same(
        play_pairs(mine, RANDOM, NATIONAL, SEED, range(3)), play_pairs(theirs, RANDOM, NATIONAL, SEED, range(3))
    )
    with pytest.raises(ValueError, match="0 is no address"):
        of_functions("none", 0, 0, 0)


def test_a_capsule_comes_in_as_it_is() -> None:
    mine = wrap(GREEDY.capsule)
    assert (mine.name, mine.deterministic, mine.ranks) == ("greedy", True, GREEDY.ranks)
    assert_same(play_pairs(mine, RANDOM, NATIONAL, 1, range(3)), play_pairs(GREEDY, RANDOM, NATIONAL, 1, range(3)))


class Tuned(First):
    """Plays the entry it is told."""

    name, zh, en = "tuned", "可调", "tuned"
    parameters: ClassVar[dict[str, Any]] = {"entry": (0, 0, 9, "序号", "entry")}

    def __init__(self, entry: int = 0) -> None:
        self.entry = entry

    def play(self, view: View) -> Any:
        assert view.parameters == {"entry": self.entry}
        return min(self.entry, view.n - 1)


def test_parameters_reach_the_object_the_view_and_the_name() -> None:
    assert wrap(Tuned).name == "tuned"
    assert wrap(Tuned, entry=3).name == "tuned?entry=3"
    assert wrap(Tuned, entry=3).hash != wrap(Tuned, entry=2).hash
    assert wrap(Tuned, entry=3).hash == wrap(Tuned, entry=3).hash
    play_pairs(wrap(Tuned, entry=3), wrap(Tuned), NATIONAL, SEED, range(1))
    with pytest.raises(ValueError, match="entry of Tuned is 10: write 0 to 9"):
        wrap(Tuned, entry=10)
    with pytest.raises(ValueError, match="no parameter 'enrty': write entry"):
        wrap(Tuned, enrty=1)


@pytest.mark.parametrize("thing", [object(), 5, dict, None])
def test_what_has_no_methods_is_no_strategy(thing: Any) -> None:
    with pytest.raises(TypeError, match="is no strategy: it has no play"):
        wrap(thing)


# ---- the messages of another protocol -------------------------------------------------------------------------------


def action(code: int, cards: Any) -> list[Any]:
    """A play as the offline protocol of NJUPT writes it."""
    return [Kind(code >> 28).name, code_key(code), sorted(cards)] if code else ["PASS", "PASS", "PASS"]


class Messenger(PythonGreedy):
    """Builds every notification of the protocol from what it is told."""

    sent: ClassVar[dict[int, list[dict[str, Any]]]] = {}

    def begin_match(self, info: MatchInfo) -> None:
        self.seat = info.seat
        self.out = self.sent[info.seat] = []

    def begin_deal(self, info: DealInfo) -> None:
        mine = info.levels[info.seat & 1]
        self.greater: tuple[int, list[Any]] = (-1, [])
        self.levels = {"selfRank": mine + 2, "oppoRank": info.levels[1 - (info.seat & 1)] + 2}
        self.say("beginning", handCards=card_texts(info.hand), myPos=info.seat, curRank=info.level + 2, **self.levels)

    def observe(self, event: Event) -> None:
        match event:
            case Refused(payers):
                self.say("anti-tribute", antiNums=len(payers), antiPos=sorted(payers))
            case Paid(gifts):
                self.say("tribute", result=[[g.giver, g.taker, CARDS[g.card]] for g in gifts])
            case Returned(gifts):
                self.say("back", result=[[g.giver, g.taker, CARDS[g.card]] for g in gifts])
            case Step(seat, code, cards):
                made = action(code, card_texts(cards))
                if code:
                    self.greater = (seat, made)
                self.say("play", curPos=seat, curAction=made, greaterPos=self.greater[0], greaterAction=self.greater[1])

    def end_deal(self, info: DealEnd) -> None:
        rest = [[seat, list(card_texts(cards))] for seat, cards in info.rest]
        self.say("episodeOver", order=list(info.order), curRank=RANKS[info.level], restCards=rest)
        if info.match_over:
            self.say("gameOver", winner=info.match_winner)

    def say(self, stage: str, **fields: Any) -> None:
        self.out.append({"stage": stage, **fields})


def messages_of(records: list[DealRecord], leg: int, seat: int, winner: int) -> list[dict[str, Any]]:
    """The same from the records of the match, which were made in another way."""
    out: list[dict[str, Any]] = []
    for record in records:
        x = (leg - 1) & 1
        levels = [record.levels_before[side ^ x] for side in range(2)]
        ranks = [RANKS.index(level) + 2 for level in levels]
        hands = [Counter(hand) for hand in record.hands]
        out.append(
            {
                "stage": "beginning",
                "handCards": record.hands[seat],
                "myPos": seat,
                "curRank": RANKS.index(record.level) + 2,
                "selfRank": ranks[seat & 1],
                "oppoRank": ranks[1 - (seat & 1)],
            }
        )
        greater: tuple[int, list[Any]] = (-1, [])
        back = [[e[1], e[2], e[3]] for e in record.events if e[0] == "return"]
        paid = [e for e in record.events if e[0] == "tribute"]
        if paid:
            taker = {giver: receiver for receiver, giver, _ in back}
            gifts = [[giver, taker[giver], card] for _, giver, card in paid]
            out.append({"stage": "tribute", "result": sorted(gifts)})
            out.append({"stage": "back", "result": sorted(back)})
            for giver, receiver, card in gifts + back:
                hands[giver][card] -= 1
                hands[receiver][card] += 1
        for event in record.events:
            if event[0] == "refused":
                out.append({"stage": "anti-tribute", "antiNums": len(event[1]), "antiPos": sorted(event[1])})
            if event[0] not in ("play", "pass"):
                continue
            made: list[Any] = ["PASS", "PASS", "PASS"]
            if event[0] == "play":
                made = [event[2], event[3], sorted(event[4])]
                greater = (event[1], made)
                hands[event[1]].subtract(event[4])
            out.append(
                {
                    "stage": "play",
                    "curPos": event[1],
                    "curAction": made,
                    "greaterPos": greater[0],
                    "greaterAction": greater[1],
                }
            )
        rest = [[s, sorted(hands[s].elements(), key=CARDS.index)] for s in range(4) if +hands[s]]
        order = list(record.events[-1][1])
        out.append({"stage": "episodeOver", "order": order, "curRank": record.level, "restCards": rest})
    out.append({"stage": "gameOver", "winner": winner})
    return out


def test_events_suffice_for_every_message_of_the_offline_protocol_rest_cards_included() -> None:
    stages: Counter[str] = Counter()
    for pair in range(6):
        for leg in (1, 2):
            records = list(Match(NATIONAL, SEED, pair, leg, GREEDY, GREEDY).deals())
            assert list(Match(NATIONAL, SEED, pair, leg, wrap(Messenger), wrap(Messenger)).deals()) == records
            winner = records[-1].row["winner"] ^ (leg - 1)
            for seat, sent in Messenger.sent.items():
                for message in sent:
                    if message["stage"] in ("tribute", "back"):
                        message["result"].sort()
                assert sent == messages_of(records, leg, seat, winner)
                stages.update(message["stage"] for message in sent)
    assert set(stages) == {"beginning", "anti-tribute", "tribute", "back", "play", "episodeOver", "gameOver"}
    assert min(stages.values()) >= 40
