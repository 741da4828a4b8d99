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

from engine import _core, bulk, cards, context, deal, layout, match, plays, ruleset, tribute
from engine.bulk import Coin, play_coin_pairs, play_pairs
from engine.cards import card_bytes
from engine.plays import PASS, Kind, Play
from engine.rules import NATIONAL
from strategies.registry import load

RULES = NATIONAL.core()
GREEDY, RANDOM = load("greedy"), load("random")
DEALT = _core.deal_cards(1, 2, 3)[0]
ORDER = bytes([0, 1, 2, 3])
HAND = "S5 S5 H5 H5 D5 S3 D3 H7 S9"

REFUSALS = (ValueError, TypeError)


class Lazy:
    """A sequence that makes its items when asked, so that nobody else holds them."""

    def __init__(self, length: int, item: Callable[[int], Any]) -> None:
        self._length, self._item = length, item

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, i: int) -> Any:
        if i >= self._length:
            raise IndexError(i)
        return self._item(i)


class Trap:
    """Raises wherever it is looked at."""

    def __index__(self) -> int:
        raise ValueError("trap")

    def __float__(self) -> float:
        raise ValueError("trap")

    def __len__(self) -> int:
        raise ValueError("trap")

    def __iter__(self) -> Any:
        raise ValueError("trap")

    def __hash__(self) -> int:
        raise ValueError("trap")

    def __eq__(self, other: object) -> bool:
        raise ValueError("trap")


def junk() -> list[Any]:
    """Values that may be handed over by mistake or by malice."""
    read_only = np.arange(5, dtype=np.uint8)
    read_only.setflags(write=False)
    return [
        *(None, True, -1, 0, 1, 12, 13, 27, 255, 256, 2**31, 2**32, 2**32 + 1, 2**40, 2**63, 2**64, -(2**63), 2**200),
        *(0.5, math.nan, math.inf, 1j, "", "S5", "5", "A", "S5 S5 S5", "\0", "級牌", "x" * 5000),
        *(b"", b"\0", b"\0\0\0", bytes(range(54)), bytes([54]), bytes([255]) * 4, b"\1" * 10**5, bytearray(b"\3")),
        *((), (1,), [], [[]], ("S5",), ["S5", None], {"S5": 1}, {1, 2}, (b"", b"", b"", b""), ("",) * 4, (HAND,) * 4),
        *(
            array("H", [1, 2]),
            np.zeros(0),
            np.arange(4),
            np.zeros((4, 27), dtype=np.uint8),
            read_only,
            memoryview(b"\1\2"),
        ),
        *(np.uint8(3), np.int64(-3), np.float64("nan"), Lazy(4, lambda i: bytes([i])), Lazy(2, str), Trap(), object()),
        *(int, len, NATIONAL, RULES, PASS, Play(Kind.BOMB, "5", ("S5",)), GREEDY, GREEDY.capsule, range(3), slice(2)),
    ]


# Calls that are right, by name of the function. Each argument in turn, then several, are exchanged for junk.
CORE: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "Plays": (_core.Plays, (card_bytes(HAND), 5, 0, True)),
    "Plays.index_of": (lambda *a: _core.Plays(card_bytes(HAND), 5).index_of(*a), (0, b"\1")),
    "Plays[]": (lambda i: _core.Plays(card_bytes(HAND), 5)[i], (3,)),
    "Deal": (_core.Deal, (DEALT, 5, 0, b"")),
    "Deal.play": (lambda *a: _core.Deal(DEALT, 5, 0).play(*a), (0, b"")),
    "Table": (_core.Table, (RULES, 1, 2, 1, context.Context().core())),
    "Table.decide": (lambda s: table_in_play().decide(s), (GREEDY.capsule,)),
    "readings": (_core.readings, (card_bytes("S5 D5"), 5)),
    "beats": (_core.beats, (_core.readings(b"\0", 5)[0], _core.readings(b"\5", 5)[0])),
    "deal_cards": (_core.deal_cards, (1, 2, 3)),
    "stream": (_core.stream, (1, 2, 3, 1, 1, 1, 4)),
    "promote": (_core.promote, (RULES, (0, 1), 0, (0, 0), 3, ORDER)),
    "tribute_due": (_core.tribute_due, (RULES, ORDER, DEALT)),
    "tribute_pair": (_core.tribute_pair, (RULES, bytes([0, 2, 1, 3]), 5, (3, 4))),
    "tribute_options": (_core.tribute_options, (DEALT[0], 5)),
    "return_options": (_core.return_options, (RULES, DEALT[0], 5)),
    "strategy_info": (_core.strategy_info, (GREEDY.capsule,)),
}
FACES: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "parse_cards": (cards.parse_cards, (HAND,)),
    "card_bytes": (cards.card_bytes, (HAND,)),
    "level_rank": (cards.level_rank, ("5",)),
    "readings": (plays.readings, (HAND, "5")),
    "beats": (plays.beats, (Play(Kind.SINGLE, "5", ("S5",)), Play(Kind.SINGLE, "3", ("S3",)), "5")),
    "code_of": (plays.code_of, (Play(Kind.SINGLE, "5", ("S5",)), "5")),
    "LegalPlays": (plays.LegalPlays, (HAND, "7", Play(Kind.SINGLE, "3", ("S3",)), "all")),
    "Deal": (deal.Deal, (["S5", "S6", "S7", "S8"], "9", 0, [])),
    "Deal.play": (
        lambda play: deal.Deal(["S5", "S6", "S7", "S8"], "9", 0).play(play),
        (Play(Kind.SINGLE, "5", ("S5",)),),
    ),
    "tribute_due": (tribute.tribute_due, ([0, 1, 2, 3], [HAND] + [""] * 3, NATIONAL)),
    "pair_tribute": (tribute.pair_tribute, ([0, 2, 1, 3], "5", {1: "DA", 3: "SA"}, NATIONAL)),
    "tribute_options": (tribute.tribute_options, (HAND, "5")),
    "return_options": (tribute.return_options, (HAND, "5", NATIONAL)),
    "Context": (context.Context, (("A", "K"), (0, 2, 1, 3), (1, 0), 3, True)),
    "Context.parse": (context.Context.parse, ("A/K 0213 1/0 - tribute",)),
    "uniform_contexts": (lambda seed: context.uniform_contexts(2, seed), (1,)),
    "load_rules": (ruleset.load_rules, ("national",)),
    "Match": (match.Match, (NATIONAL, 1, 2, 1, GREEDY, RANDOM)),
    "play_pairs": (bulk.play_pairs, (GREEDY, RANDOM, NATIONAL, 1, range(1))),
    "play_coin_pairs": (bulk.play_coin_pairs, (Coin(0.5, (0.3, 0.3, 0.4)), NATIONAL, 1, range(1))),
}


def table_in_play() -> _core.Table:
    table = _core.Table(RULES, 1, 2, 1)
    table.deal()
    return table


def call(function: Callable[..., Any], arguments: tuple[Any, ...]) -> bool:
    """Call; tell whether it was refused. Any other error than a refusal, or an index out of range, comes through."""
    try:
        function(*arguments)
    except (*REFUSALS, IndexError, BufferError):
        return True
    return False


@pytest.mark.parametrize("name", CORE)
def test_the_core_takes_or_refuses_whatever_it_is_given(name: str) -> None:
    function, right = CORE[name]
    if name not in ("Deal.play", "Plays.index_of"):
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
    assert refused > len(right)


@pytest.mark.parametrize("name", FACES)
def test_the_faces_refuse_what_makes_no_sense_with_value_or_type_errors(name: str) -> None:
    function, right = FACES[name]
    function(*right)
    refused = 0
    for place in range(len(right)):
        for value in junk():
            if isinstance(value, (Lazy, Trap)) or (name == "LegalPlays.index" and place > 0):
                continue
            try:
                function(*right[:place], value, *right[place + 1 :])
            except REFUSALS:
                refused += 1
            except AttributeError:
                assert name in DUCK_TYPED, f"{name} takes {value!r} for something else"
    assert refused > len(right)


DUCK_TYPED = {"beats", "code_of", "LegalPlays", "Deal.play", "tribute_due", "pair_tribute", "return_options"} | {
    *("Match", "play_pairs", "play_coin_pairs")
}
"""Faces whose arguments are objects of ours: another object lacks their attributes, which says it well enough."""


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
    before = [sys.getrefcount(thing) for thing in held]
    assert grown(100) < 20_000
    assert [sys.getrefcount(thing) for thing in held] == before


def resident() -> int:
    """Memory of this process that lies in RAM, in bytes (Linux)."""
    pages = Path("/proc/self/statm").read_text().split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


CHEAP = (
    *("Plays", "Plays.index_of", "Plays[]", "Deal", "Deal.play", "Table", "readings", "beats", "deal_cards"),
    *("stream", "promote", "tribute_due", "tribute_pair", "tribute_options", "return_options"),
)
"""Functions of the core that take no more than some microseconds."""


def call_cheap_ones(rounds: int) -> None:
    """Call each rightly and wrongly, so often."""
    calls = [(function, right, (*right[:-1], None)) for function, right in (CORE[name] for name in CHEAP)]
    for _ in range(rounds):
        for function, right, wrong in calls:
            call(function, right)
            call(function, wrong)


@pytest.mark.soak
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="resident memory is read from /proc")
def test_ten_million_calls_of_the_core_leave_the_resident_memory_flat() -> None:
    rounds = 10_000_000 // (2 * len(CHEAP))
    call_cheap_ones(rounds // 100)
    gc.collect()
    before = resident()
    call_cheap_ones(rounds)
    gc.collect()
    assert resident() - before < 2_000_000  # one object of 32 bytes lost at every call of one function would show


@pytest.mark.soak
def test_a_hundred_thousand_calls_of_the_core_keep_no_memory() -> None:
    # First as many that do not count: every thousand rounds or so the interpreter renews its table of names, of 2 MB.
    rounds = 100_000 // (3 * len(CORE))
    assert grown(rounds, first=rounds) < 20_000
