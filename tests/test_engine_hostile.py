"""Nothing that a caller can hand over crashes the engine or is quietly made to fit: it is refused or taken as it is.

Every public function of the faces (engine.cards ... engine.bulk) and of the core is called with values of wrong types,
sizes, ranges and origins. The sanitizer run plays the same tests.
"""

import gc
import math
import os
import sys
import tracemalloc
from array import array
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from engine import _core, cards, context, layout, match, plays, tribute
from engine.bulk import Coin, play_coin_pairs, play_pairs
from engine.cards import card_bytes
from engine.plays import Kind, Play
from engine.rules import NATIONAL
from tests.support.calls import (
    CORE,
    DEALT,
    FACES,
    GREEDY,
    HAND,
    ORDER,
    RANDOM,
    RECORDS,
    RULES,
    Lazy,
    Trap,
    arguments,
    junk,
    public_faces,
    public_names,
    table_in_play,
    takes_ours,
)

REFUSALS = (ValueError, TypeError)


def call(function: Callable[..., Any], arguments: tuple[Any, ...]) -> bool:
    """Call; tell whether it was refused. Any other error than a refusal, or an index out of range, comes through."""
    try:
        function(*arguments)
    except (*REFUSALS, IndexError, BufferError):
        return True
    return False


def test_there_is_a_right_call_for_every_public_name() -> None:
    assert public_faces() == set(FACES) | RECORDS
    assert public_names(_core) | {"Plays[]"} == set(CORE)


@pytest.mark.parametrize("name", CORE)
def test_the_core_takes_or_refuses_whatever_it_is_given(name: str) -> None:
    function, right = CORE[name]
    assert not call(function, right)
    values, rng = junk(), Random(name)
    refused = 0
    for place in range(len(right)):
        for value in values:
            refused += call(function, (*right[:place], value, *right[place + 1 :]))
    for _ in range(400):
        call(function, tuple(rng.choice(values) if rng.random() < 0.6 else argument for argument in right))
    for count in {0, 1, len(right) + 1, 20} - {len(right)}:
        call(function, tuple(rng.choice(values) for _ in range(count)))
    assert refused >= len(right)


@pytest.mark.parametrize("name", FACES)
def test_the_faces_refuse_what_makes_no_sense_with_value_or_type_errors(name: str) -> None:
    function, right = FACES[name]
    function(*right)
    refused = 0
    for place in range(len(right)):
        for value in junk():
            if not isinstance(value, (Lazy, Trap)):
                refused += is_refused(function, (*right[:place], value, *right[place + 1 :]), right)
    assert refused >= len(right)


def is_refused(function: Callable[..., Any], values: tuple[Any, ...], right: tuple[Any, ...]) -> bool:
    """Call a face; tell whether it was refused. An AttributeError is a refusal where objects of ours are expected."""
    try:
        function(*values)
    except REFUSALS:
        return True
    except AttributeError:
        assert takes_ours(right), f"{values!r} is taken for something else"
        return True
    return False


@pytest.mark.parametrize("name", CORE)
def test_the_core_takes_or_refuses_what_is_nearly_right(name: str) -> None:
    function, right = CORE[name]

    @given(arguments(right))
    @settings(max_examples=100)
    def search(values: tuple[Any, ...]) -> None:
        call(function, values)

    search()


@pytest.mark.parametrize("name", FACES)
def test_the_faces_take_or_refuse_what_is_nearly_right(name: str) -> None:
    function, right = FACES[name]

    @given(arguments(right))
    @settings(max_examples=60)
    def search(values: tuple[Any, ...]) -> None:
        is_refused(function, values, right)

    search()


@pytest.mark.soak
@pytest.mark.parametrize("name", CORE | FACES)
def test_a_long_search_finds_nothing_that_is_neither_taken_nor_refused(name: str) -> None:
    function, right = (CORE | FACES)[name]

    @given(arguments(right))
    @settings(max_examples=3000, suppress_health_check=list(HealthCheck))
    def search(values: tuple[Any, ...]) -> None:
        if name in CORE:
            call(function, values)
        else:
            is_refused(function, values, right)

    search()


# ---- numbers and cards --------------------------------------------------------------------------------------


@pytest.mark.parametrize("wrong", [-1, 2**64, 2**200])
def test_a_seed_out_of_range_is_refused_and_never_wrapped(wrong: int) -> None:
    for take in (
        lambda: _core.deal_cards(wrong, 0, 1),
        lambda: _core.stream(wrong, 1, 0, 0, 1, 0, 1),
        lambda: _core.Table(RULES, wrong, 0, 1),
        lambda: match.Match(NATIONAL, wrong, 0, 1, GREEDY, RANDOM),
        lambda: play_pairs(GREEDY, RANDOM, NATIONAL, wrong, range(1)),
        lambda: play_coin_pairs(Coin(0.5, (0.3, 0.3, 0.4)), NATIONAL, wrong, range(1)),
    ):
        with pytest.raises(ValueError):  # noqa: PT011 - the same for all of them is that they refuse
            take()


@pytest.mark.parametrize(
    "take",
    [
        lambda: _core.deal_cards(1, -5, 1),
        lambda: _core.deal_cards(1, 2**64 + 1, 1),
        lambda: _core.deal_cards(1, 1, 2**32 + 1),
        lambda: _core.Table(RULES, 1, 2**41, 1),
        lambda: _core.Table(RULES, 1, 1, 3),
        lambda: _core.Table(RULES, 1, 1, 2**32 + 1),
        lambda: _core.Plays(b"\0", 2**32),
        lambda: _core.Plays(b"\0", 13),
        lambda: _core.Plays(b"\0", 0, 2**32),
        lambda: _core.Plays(b"\0", 0, 1),
        lambda: _core.Plays(b"\0", 0, 1 << 24),
        lambda: _core.Plays(bytes([54]), 0),
        lambda: _core.Plays(b"\0\0\0", 0),
        lambda: _core.Plays(bytes(range(29)), 0),
        lambda: _core.Deal((b"\0", b"\1", b"\2", b"\3"), 0, 2**32),
        lambda: _core.Deal((b"\0", b"\1", b"\2"), 0, 0),
        lambda: _core.stream(1, 9, 0, 0, 1, 0, 1),
        lambda: _core.stream(1, 1, 0, 0, 1, 0, 2**32 - 1),
        lambda: _core.beats(1 << 24, 2 << 24),
        lambda: _core.beats(0, 0),
        lambda: _core.promote(RULES, (13, 0), 0, (0, 0), 3, ORDER),
        lambda: _core.promote(RULES, (0, 0), 2, (0, 0), 3, ORDER),
        lambda: _core.promote(RULES, (0, 0), 0, (201, 0), 3, ORDER),
        lambda: _core.promote(RULES, (0, 0), 0, (0, 0), 200, ORDER),
        lambda: _core.promote(RULES, (0, 0), 0, (0, 0), 3, b"\0\1\2\2"),
        lambda: _core.promote((*RULES[:-1], 2**16), (0, 0), 0, (0, 0), 3, ORDER),
        lambda: _core.promote(RULES, (0, 0), 0, (0, 0), 3, ORDER, 16),
        lambda: _core.promote(RULES, (0, 0), 0, (0, 0), 3, ORDER, 256),
        lambda: _core.tribute_pair(RULES, ORDER, 5, (54, 0)),
        lambda: _core.tribute_leader(RULES, ORDER, 5, ((3, 4, 5),) * 257),
        lambda: _core.tribute_leader(RULES, ORDER, 5, ((3, 4, 5), (3, 6, 7))),
        lambda: _core.tribute_leader(RULES, ORDER, 5, (3,)),  # type: ignore[arg-type]
        lambda: _core.Plays(b"\0", 0, 0, True, 16),
        lambda: _core.readings(b"\0", 0, 2**32 - 1),
        lambda: play_pairs(GREEDY, RANDOM, NATIONAL, 1, range(3, 0, -1)),
        lambda: play_pairs(GREEDY, RANDOM, NATIONAL, 1, range(0, 9, 2)),
        lambda: play_pairs(GREEDY, RANDOM, NATIONAL, 1, range(-1, 3)),
        lambda: play_pairs(GREEDY, RANDOM, NATIONAL, 1, range(2**40, 2**40 + 1)),
        lambda: play_pairs(GREEDY, RANDOM, NATIONAL, 1, range(1), detail="everything"),  # type: ignore[arg-type]
    ],
)
def test_a_number_out_of_range_is_refused_and_never_wrapped(take: Callable[[], Any]) -> None:
    with pytest.raises(REFUSALS):
        take()


@pytest.mark.parametrize(
    "coin",
    [
        Coin(math.nan, (0.3, 0.3, 0.4)),
        Coin(0.5, (math.nan, 0.5, 0.5)),
        Coin(0.5, (0.5, 0.5, 0.5)),
        Coin(0.5, (-0.5, 0.5, 1.0)),
        Coin(0.5, (0.3, 0.3, 0.4), math.nan),
        Coin(0.5, (0.3, 0.3, 0.4), 0.6),
        Coin(1.1, (0.3, 0.3, 0.4)),
        Coin(math.inf, (0.3, 0.3, 0.4)),
    ],
    ids=str,
)
def test_coins_without_a_chance_are_refused(coin: Coin) -> None:
    with pytest.raises(ValueError, match="chance"):
        play_coin_pairs(coin, NATIONAL, 1, range(1))


@pytest.mark.parametrize(
    "take",
    [
        lambda: cards.card_texts([-1]),
        lambda: cards.card_texts(bytes([54])),
        lambda: plays.code_key(-1),
        lambda: plays.code_key(1 << 28 | 15 << 6),
        lambda: plays.code_key(1 << 40),
        lambda: plays.play_of(1 << 28 | 15 << 6, b"\0"),
        lambda: context.draw_below((2, 0), 1, 1),
        lambda: layout.ranks_of(Play(Kind.PAIR, "5", ("S5", "D5"))),
        lambda: layout.ranks_of(Play(Kind.STRAIGHT, "45", ())),
        lambda: layout.read_laid("S5 D5", "9", ()),  # type: ignore[arg-type]
        lambda: tribute.tribute_leader([0, 1, 2, 3], "5", [(3, 0, "SA")], {}),
        lambda: tribute.tribute_leader([0, 1, 2, 3], "5", [(3, 0, "SA")], {3: "S4", 1: "S4"}),
    ],
)
def test_a_face_names_what_it_cannot_take(take: Callable[[], Any]) -> None:
    with pytest.raises(ValueError, match=r"\S"):
        take()


def test_whole_numbers_of_numpy_are_taken_as_they_are() -> None:
    limits: Any = (np.uint8(3), np.int64(200))
    assert list(context.draw_below(limits, 1, 2)) == list(context.draw_below((3, 200), 1, 2))
    assert _core.deal_cards(np.uint8(1), np.int64(2), np.int32(3)) == _core.deal_cards(1, 2, 3)  # type: ignore[arg-type]


@pytest.mark.parametrize("wide", [array("H", [1, 2]), np.arange(2), np.arange(2, dtype=np.int32)], ids=repr)
def test_cards_in_items_wider_than_a_byte_are_refused(wide: Any) -> None:
    with pytest.raises(REFUSALS):
        _core.Plays(wide, 5)


# ---- memory ---------------------------------------------------------------------------------------------------------


def exercise() -> None:
    """Call every function of the core once rightly and some wrongly."""
    for function, right in CORE.values():
        call(function, right)
        call(function, (*right[:-1], None))
        call(function, ())
    listed = _core.Plays(card_bytes(HAND), 5)
    assert len(list(listed)) == len(listed) > 0
    table = table_in_play()
    while table.state[0] != 4:
        table.decide(RANDOM.capsule)
    assert table.score()["deal"] == 1
    assert (len(table.dealt), len(table.hands), len(table.tribute)) == (4, 4, 0)
    play_pairs(GREEDY, RANDOM, NATIONAL, 1, range(1))
    call(_core.play_pairs, ())


def grown(rounds: int, first: int = 1) -> int:
    """Bytes that stay allocated after so many rounds of calls, as Python's own allocators count them.

    first: rounds before that, watched but not counted.
    """
    for _ in range(3):
        exercise()
    tracemalloc.start()
    try:
        for _ in range(first):
            exercise()
        before = tracemalloc.get_traced_memory()[0]
        for _ in range(rounds):
            exercise()
        gc.collect()  # exceptions and their frames hold each other
        return tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()


def test_calls_of_the_core_keep_no_memory() -> None:
    held = [GREEDY.capsule, RULES, DEALT, DEALT[0], ORDER]
    call_all(1)  # a batch keeps the last table that was put into it
    gc.collect()  # what the tests before left
    before = [sys.getrefcount(thing) for thing in held]
    # At times the interpreter renews its table of names, of 2 MB. What is lost at a call is lost every time.
    assert min(grown(50) for _ in range(3)) < 20_000
    assert [sys.getrefcount(thing) for thing in held] == before


def resident() -> int:
    """Memory of this process that lies in RAM, in bytes (Linux)."""
    pages = Path("/proc/self/statm").read_text().split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def call_all(rounds: int) -> None:
    """Call every function and method of the core rightly and wrongly, so often."""
    calls = [(function, right, (*right[:-1], None)) for function, right in CORE.values()]
    for _ in range(rounds):
        for function, right, wrong in calls:
            call(function, right)
            call(function, wrong)


@pytest.mark.soak
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="resident memory is read from /proc")
def test_ten_million_calls_of_the_core_leave_the_memory_flat() -> None:
    # Pages come and go by 2 MB: of ten looks the least of the later five is held against that of the first five.
    rounds, looks = 10_000_000 // (2 * len(CORE)), []
    call_all(rounds // 100)
    gc.collect()
    blocks = sys.getallocatedblocks()
    for _ in range(10):
        call_all(rounds // 10)
        gc.collect()
        looks.append(resident())
    lost = 32 * rounds  # one object of 32 bytes at every call of one function; half of it lies between the fives
    assert min(looks[5:]) - min(looks[:5]) < lost // 2
    assert sys.getallocatedblocks() - blocks < 1000


@pytest.mark.soak
def test_a_hundred_thousand_calls_of_the_core_keep_no_memory() -> None:
    # First as many that do not count: every thousand rounds or so the interpreter renews its table of names, of 2 MB.
    rounds = 100_000 // (3 * len(CORE))
    assert grown(rounds, first=rounds) < 20_000
