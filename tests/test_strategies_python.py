"""Strategies written in Python: the decisions and records of native ones, what they see, are told, and get wrong."""

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
import pytest

from engine import _core
from engine.bulk import Side, Tables, Team, play_pairs
from engine.cards import CARDS, card_bytes
from engine.match import Match
from engine.plays import Kind, Play
from engine.rules import NATIONAL
from engine.strategy_faults import REASONS, StrategyFaultError
from engine.view import DealEnd, DealInfo, Event, MatchInfo, View
from strategies.api import of_functions, wrap
from strategies.registry import load
from tests.support import native
from tests.support.greedy import PythonGreedy
from tests.support.players import First, Uniform

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
