"""A right call of every public name of `engine`, and arguments that are nearly right, or absurd."""

import inspect
import math
import pkgutil
from array import array
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from enum import Enum
from importlib import import_module
from typing import Any

import numpy as np
from hypothesis import strategies as st

import engine
from engine import (
    _core,
    batch,
    bulk,
    cards,
    context,
    deal,
    drawing,
    faults,
    layout,
    match,
    notation,
    plays,
    probe,
    report,
    rules,
    ruleset,
    strategy_faults,
    style,
    tribute,
    unseen,
    value,
    view,
)
from engine.cards import CARDS, RANKS, card_bytes
from engine.plays import PASS, Kind, Play
from engine.rules import NATIONAL, Rules
from strategies.api import wrap
from strategies.registry import load
from tests.support.greedy import BatchGreedy, PythonGreedy

RULES = NATIONAL.core()
GREEDY, RANDOM = load("greedy"), load("random")
DEALT = _core.deal_cards(1, 2, 3)[0]
ORDER = bytes([0, 1, 2, 3])
HAND = "S5 S5 H5 H5 D5 S3 D3 H7 S9"
STATE = "7 S3D3H7/S9/C4C5/HR - 1 0:PAIR:2:S2D2:0"


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


# ---- right calls ----------------------------------------------------------------------------------------------------

Call = tuple[Callable[..., Any], tuple[Any, ...]]


def table_in_play() -> _core.Table:
    """A table that waits for the first play."""
    table = _core.Table(RULES, 1, 2, 1)
    table.deal()
    return table


def table_over() -> _core.Table:
    """A table whose deal is over."""
    table = table_in_play()
    table.judge(0)
    return table


def small_deal() -> deal.Deal:
    """A deal in which seat 0 leads one of two cards."""
    return deal.Deal(["S5 S6", "S7", "S8", "S9"], "9", 0)


SMALL_CORE = _core.Deal((b"\4\10", b"\14", b"\20", b"\24"), 0, 0)
"""Seat 0 leads the S3 or the S4."""

LEAD_CORE = _core.readings(b"\4", 0)[0], b"\4"
"""A play that it may make."""


def table_with_small_deal() -> _core.Table:
    """A table on which that deal was put."""
    table = table_in_play()
    table.place(SMALL_CORE)
    return table


def small_position() -> probe.Position:
    """A position in which seat 1 answers a pair of twos."""
    return probe.Position.of(notation.read_record(STATE), context.Context(("7", "7")), GREEDY.capsule)


UNSEEN = f"7 {''.join(CARDS[:27])}/?27/?27/?27 - 0 - S3 HR"
"""A deal as seat 0 knows it, and two plays."""


def columns(spec: tuple[tuple[str, str], ...], rows: int) -> tuple[Any, ...]:
    """Buffers for the loop of the core."""
    return tuple(np.zeros(rows, dtype=code) for _, code in spec)


COINS = (0.5, 0.1, (0.3, 0.3, 0.4))
BOARD = context.Context(("A", "K"), (0, 2, 1, 3), (1, 0), 3, True)
BUFFERS = (columns(_core.PAIR_COLUMNS, 1), columns(_core.MATCH_COLUMNS, 2), columns(_core.DEAL_COLUMNS, 400))
SINGLE_5, SINGLE_3 = Play(Kind.SINGLE, "5", ("S5",)), Play(Kind.SINGLE, "3", ("S3",))
TUBE = Play(Kind.TUBE, "2", ("S2", "H2", "S3", "H3", "S4", "H4"))
MOVES = ((3, 0, "SA"), (1, 2, "DK"))


def in_view(ask: Callable[..., Any]) -> Callable[..., Any]:
    """A function of the view of the first play of a deal and of more."""

    def call(*arguments: Any) -> None:
        class Asked(PythonGreedy):
            def play(self, shown: view.View) -> int:
                ask(shown, *arguments)
                return 0

        player = _core.Player(Asked, "asked")
        table = _core.Table(RULES, 1, 2, 1, None, (player, player))
        table.deal()
        try:
            table.decide()
        except ValueError as error:
            raise error.__cause__ or error from None

    return call


def row_of_a_table(player: _core.Player | None = None) -> tuple[_core.Table, batch.Batch]:
    """A table that waits for a play, and a batch that holds its question."""
    player = player or wrap(BatchGreedy).capsule
    table, rows = _core.Table(RULES, 1, 2, 1, None, (player, player)), batch.Batch(1, False, True)
    table.deal()
    table.gather(rows.core)
    return table, rows


def lockstep() -> tuple[_core.Lockstep, _core.Batch]:
    """A loop that waits for the answer of one table, and the batch that holds its question."""
    player, rows = wrap(BatchGreedy).capsule, new_batch()
    loop = _core.Lockstep(call_of(player), 1, ((player, rows, new_batch(), new_batch()),))
    loop.run()
    return loop, rows


def call_of(player: Any) -> tuple[Any, ...]:
    """Arguments of play_pairs for a pair of a player against itself."""
    return (player, player, None, RULES, 1, 0, 1, 2, *BUFFERS, 400, None, None, None)


def new_batch() -> _core.Batch:
    """A batch of one row."""
    return _core.Batch(1, tuple(np.zeros((2, width), code) for _, code, width in _core.BATCH_COLUMNS))


def ask_of_batch(name: str) -> Callable[..., Any]:
    """A method of the core's batch that holds one row."""
    return lambda *arguments: getattr(row_of_a_table()[1].core, name)(*arguments)


BATCHED = wrap(BatchGreedy).capsule
LIST, NUMBERS = np.zeros(5000, np.uint32), np.ones(1, np.uint64)
NO_STEPS = (np.zeros(1, np.uint8), np.zeros(1, np.uint32), np.zeros(2, np.uint64))

CORE: dict[str, Call] = {
    "Plays": (_core.Plays, (card_bytes(HAND), 5, 0, True, 9)),
    "Plays.index_of": (lambda *a: _core.Plays(card_bytes(HAND), 5).index_of(*a), (0, b"\1")),
    "Plays.codes": (lambda: _core.Plays(card_bytes(HAND), 5).codes(), ()),
    "Plays[]": (lambda i: _core.Plays(card_bytes(HAND), 5)[i], (3,)),
    "Deal": (_core.Deal, (DEALT, 5, 1, b"", RULES, (0, _core.readings(b"\0", 5)[0], 0))),
    "Deal.play": (lambda *a: _core.Deal(DEALT, 5, 0).play(*a), _core.Plays(DEALT[0], 5)[0]),
    "Table": (_core.Table, (RULES, 1, 2, 1, context.Context().core())),
    "Table.ask": (lambda *a: table_in_play().ask(*a), (GREEDY.capsule, 1)),
    "Table.copy": (lambda *a: table_in_play().copy(*a), (1,)),
    "Table.lay": (lambda *a: table_with_small_deal().lay(*a), LEAD_CORE),
    "Table.place": (lambda *a: table_in_play().place(*a), (SMALL_CORE,)),
    "Table.rank": (lambda s: table_in_play().rank(s), (GREEDY.capsule,)),
    "Table.redeal": (lambda *a: table_in_play().redeal(*a), (table_in_play().copy(1).hands,)),
    "Table.deal": (lambda: _core.Table(RULES, 1, 2, 1).deal(), ()),
    "Table.decide": (lambda s: table_in_play().decide(s), (GREEDY.capsule,)),
    "Table.enter": (lambda i: row_of_a_table()[0].enter(i), (0,)),
    "Table.gather": (lambda b: row_of_a_table()[0].gather(b), (new_batch(),)),
    "Table.judge": (lambda *a: table_in_play().judge(*a), (2, "last")),
    "Table.score": (lambda: table_over().score(), ()),
    "Batch": (_core.Batch, (1, tuple(np.zeros((2, width), code) for _, code, width in _core.BATCH_COLUMNS), True)),
    "Batch.alone": (lambda row, to: row_of_a_table()[1].core.alone(row, to), (0, new_batch())),
    "Batch.rewind": (ask_of_batch("rewind"), ()),
    "Batch.clear": (ask_of_batch("clear"), ()),
    "Batch.entry": (ask_of_batch("entry"), (0, 3)),
    "Batch.fill": (ask_of_batch("fill"), ()),
    "Batch.lists": (ask_of_batch("lists"), (LIST,)),
    "Batch.random": (lambda out: row_of_a_table(wrap(BatchGreedy).capsule)[1].core.random(out), (NUMBERS,)),
    "Batch.random_below": (ask_of_batch("random_below"), (np.ones(1, np.uint32),)),
    "Batch.steps": (ask_of_batch("steps"), NO_STEPS),
    "Batch.values": (ask_of_batch("values"), (3, np.zeros(1, np.int32))),
    "Lockstep": (_core.Lockstep, (call_of(BATCHED), 1, ((BATCHED, *(new_batch() for _ in range(3))),))),
    "Lockstep.note": (lambda b: (pair := lockstep())[0].note(b or pair[1]), (None,)),
    "Lockstep.answer": (lambda b, a: (pair := lockstep())[0].answer(b or pair[1], a), (None, np.zeros(1, np.int64))),
    "Lockstep.run": (lambda: lockstep()[0].run(), ()),
    "Player": (_core.Player, (PythonGreedy, "own", "", "", True, True, True, False, {"a": 1})),
    "View": (_core.View, ()),
    "View.entry": (in_view(lambda shown, i: shown.entry(i)), (2,)),
    "View.random": (in_view(lambda shown: shown.random()), ()),
    "View.random_below": (in_view(lambda shown, n: shown.random_below(n)), (9,)),
    "View.random_bits": (in_view(lambda shown: shown.random_bits()), ()),
    "View.value": (in_view(lambda shown, result: shown.value(result)), (5,)),
    "readings": (_core.readings, (card_bytes("S5 D5"), 5, 9)),
    "beats": (_core.beats, (_core.readings(b"\0", 5)[0], _core.readings(b"\5", 5)[0])),
    "deal_cards": (_core.deal_cards, (1, 2, 3)),
    "stream": (_core.stream, (1, 2, 3, 1, 1, 1, 4)),
    "promote": (_core.promote, (RULES, (0, 1), 0, (0, 0), 3, ORDER, 0)),
    "tribute_due": (_core.tribute_due, (RULES, ORDER, DEALT)),
    "tribute_pair": (_core.tribute_pair, (RULES, bytes([0, 2, 1, 3]), 5, (3, 4))),
    "tribute_leader": (_core.tribute_leader, (RULES, bytes([0, 2, 1, 3]), 5, ((3, 4, 5), (1, 6, 7)))),
    "tribute_options": (_core.tribute_options, (DEALT[0], 5)),
    "return_options": (_core.return_options, (RULES, DEALT[0], 5)),
    "result_values": (_core.result_values, (RULES, context.Context().core())),
    "play_pairs": (_core.play_pairs, (None, None, COINS, RULES, 1, 0, 1, 2, *BUFFERS, 400, None, None, None)),
    "strategy_info": (_core.strategy_info, (GREEDY.capsule,)),
    "strategy_of_functions": (_core.strategy_of_functions, ("own", 8, 8, 8, "", "", True, True, False, None)),
    "strategy_with": (_core.strategy_with, (GREEDY.capsule, (70, 60, 10))),
}
"""By name in engine._core. `Plays[]` is no name of its own and more than a method."""

KNOWN_FAULT = strategy_faults.KnownFault(strategy_faults.Decision(0, 1, 1, 0), "raised")
FAULT_ROW = {name: 0 for name, _ in _core.FAULT_COLUMNS} | {f"hand_{k}_one": 1 << k for k in range(4)} | {"holder": -1}

FACES: dict[str, Call] = {
    "batch.Asker": (batch.Asker, (BATCHED, 3)),
    "batch.Asker.answers": (lambda: list(batch.Asker(BATCHED, 3).answers()), ()),
    "batch.Asker.waiting": (lambda kind: batch.Asker(BATCHED, 3).waiting(kind), (2,)),
    "batch.Batch": (batch.Batch, (3, True, False)),
    "batch.Batch.index_of": (lambda codes: row_of_a_table()[1].index_of(codes), ([row_of_a_table()[1].codes[1]],)),
    "batch.Batch.play_at": (lambda row, i: row_of_a_table()[1].play_at(row, i), (0, 1)),
    "batch.Batch.steps": (lambda: row_of_a_table()[1].steps(), ()),
    "batch.TributeBatch": (batch.TributeBatch, (3, False, True)),
    "batch.batch_players": (batch.batch_players, (BATCHED, (GREEDY.capsule, BATCHED))),
    "batch.play_lockstep": (batch.play_lockstep, (call_of(BATCHED), [BATCHED], 1)),
    "bulk.Team": (lambda a, b: bulk.Team(a, b).hash, (GREEDY, RANDOM)),
    "bulk.side_core": (bulk.side_core, (bulk.Team(GREEDY, RANDOM),)),
    "bulk.play_pairs": (bulk.play_pairs, (GREEDY, RANDOM, NATIONAL, 1, range(1))),
    "bulk.play_coin_pairs": (bulk.play_coin_pairs, (bulk.Coin(0.5, (0.3, 0.3, 0.4)), NATIONAL, 1, range(1))),
    "bulk.same_strategy": (bulk.same_strategy, (GREEDY, GREEDY)),
    "cards.parse_cards": (cards.parse_cards, (HAND,)),
    "cards.card_bytes": (cards.card_bytes, (HAND,)),
    "cards.card_texts": (cards.card_texts, (card_bytes(HAND),)),
    "cards.level_rank": (cards.level_rank, ("5",)),
    "context.Context": (context.Context, (("A", "K"), (0, 2, 1, 3), (1, 0), 3, True)),
    "context.Context.core": (lambda: BOARD.core(), ()),
    "context.Context.parse": (context.Context.parse, ("A/K 0213 1/0 - tribute",)),
    "context.draw_below": (lambda *a: tuple(context.draw_below(*a)), ((3, 4), 1, 2)),
    "context.uniform_contexts": (lambda seed: context.uniform_contexts(2, seed), (1,)),
    "deal.Deal": (
        deal.Deal,
        (["S5", "S6", "S7", ""], "9", 0, [3], NATIONAL, deal.Trick(2, SINGLE_3, 0)),
    ),
    "deal.Deal.can_play": (lambda play: small_deal().can_play(play), (SINGLE_5,)),
    "deal.Deal.copy": (lambda: small_deal().copy(), ()),
    "deal.Deal.legal_plays": (lambda listing: small_deal().legal_plays(listing), ("all",)),
    "deal.Deal.play": (lambda play: small_deal().play(play), (SINGLE_5,)),
    "deal.Deal.verify_play": (lambda play: small_deal().verify_play(play), (SINGLE_5,)),
    "drawing.drawing_after_fault": (drawing.drawing_after_fault, (2,)),
    "drawing.first_drawer": (drawing.first_drawer, ("SQ",)),
    "drawing.later_drawing": (drawing.later_drawing, ([0, 1, 2, 3],)),
    "faults.start_levels_when_late": (faults.start_levels_when_late, (4.0, 1)),
    "faults.verdict_on_fouls": (faults.verdict_on_fouls, (3,)),
    "faults.verdict_on_silence": (faults.verdict_on_silence, ([0, 1], 1)),
    "layout.ranks_of": (layout.ranks_of, (TUBE,)),
    "layout.read_laid": (layout.read_laid, ("S4 D4 HK SA DA", "K", (Kind.FULL_HOUSE, "4"), NATIONAL)),
    "match.Match": (match.Match, (NATIONAL, 1, 2, 1, GREEDY, RANDOM, BOARD)),
    "match.Match.deals": (lambda x, y: list(match.Match(NATIONAL, 1, 2, 1, x, y, BOARD).deals()), (GREEDY, RANDOM)),
    "notation.card_list": (notation.card_list, ("S3D3",)),
    "notation.read_play": (notation.read_play, (small_deal(), "S5", 1)),
    "notation.words_of": (notation.words_of, (f"{STATE} - -  # comment",)),
    "notation.Record.at": (lambda n: notation.read_record(f"{STATE} - -").at(n), (1,)),
    "notation.read_record": (notation.read_record, (f"{STATE} - - - S3D3", NATIONAL)),
    "notation.read_state": (notation.read_state, (STATE, NATIONAL)),
    "notation.write_record": (notation.write_record, (notation.read_record(f"{STATE} - -"),)),
    "notation.write_state": (notation.write_state, (small_deal(),)),
    "plays.LegalPlays": (plays.LegalPlays, (HAND, "7", SINGLE_3, "all", NATIONAL)),
    "plays.LegalPlays.index": (lambda play: plays.LegalPlays(HAND, "7").index(play), (SINGLE_5,)),
    "plays.beats": (plays.beats, (SINGLE_5, SINGLE_3, "5", NATIONAL)),
    "plays.code_key": (plays.code_key, (_core.readings(b"\0", 5)[0],)),
    "plays.code_of": (plays.code_of, (SINGLE_5, "5", NATIONAL)),
    "plays.play_of": (plays.play_of, (_core.readings(b"\0", 5)[0], b"\0")),
    "plays.readings": (plays.readings, (HAND, "5", NATIONAL)),
    "probe.Position.of": (probe.Position.of, (notation.read_record(STATE), context.Context(("7", "7")))),
    "probe.Position.ask": (lambda *a: small_position().ask(*a), (1, GREEDY.capsule)),
    "probe.Position.cards": (lambda: small_position().cards(), ()),
    "probe.Position.codes": (lambda: small_position().codes(), ()),
    "probe.Position.scores": (lambda: small_position().scores(), ()),
    "probe.Position.plays": (lambda listing: small_position().plays(listing), ("all",)),
    "report.must_report": (report.must_report, (12, 10, NATIONAL)),
    "rules.Rules": (lambda **switches: Rules(**switches), ()),
    "rules.Rules.core": (lambda: NATIONAL.core(), ()),
    "rules.Rules.hash": (lambda: NATIONAL.hash(), ()),
    "rules.Rules.play_bits": (lambda: NATIONAL.play_bits(), ()),
    "rules.change_rules": (rules.change_rules, (NATIONAL, {"wind_to": "next", "steps": [3, 2, 1]})),
    "rules.check_switch": (rules.check_switch, ("tribute", {"tribute"})),
    "ruleset.load_rules": (ruleset.load_rules, ("national",)),
    "ruleset.preset_names": (ruleset.preset_names, ()),
    "ruleset.switches_of": (ruleset.switches_of, (NATIONAL,)),
    "strategy_faults.KnownFault.core": (lambda: KNOWN_FAULT.core(), ()),
    "strategy_faults.pack": (strategy_faults.pack, ([KNOWN_FAULT],)),
    "strategy_faults.state_of": (strategy_faults.state_of, (FAULT_ROW, NATIONAL)),
    "style.Style.table": (lambda: style.Style().table(), ()),
    "value.result_values": (value.result_values, ([context.Context()], NATIONAL)),
    "unseen.fill_unseen": (unseen.fill_unseen, (UNSEEN, NATIONAL)),
    "unseen.hidden_seats": (unseen.hidden_seats, (UNSEEN,)),
    "tribute.pair_tribute": (tribute.pair_tribute, ([0, 2, 1, 3], "5", {1: "DA", 3: "SA"}, NATIONAL)),
    "tribute.return_options": (tribute.return_options, (HAND, "5", NATIONAL)),
    "tribute.tribute_due": (tribute.tribute_due, ([0, 1, 2, 3], [HAND, "", "", ""], NATIONAL)),
    "tribute.tribute_leader": (tribute.tribute_leader, ([0, 2, 1, 3], "5", MOVES, {1: "S6", 3: "D3"}, NATIONAL)),
    "tribute.tribute_options": (tribute.tribute_options, (HAND, "5")),
    "view.View": (view.View, ()),
    "view.View.hand_texts": (in_view(lambda shown: shown.hand_texts()), ()),
    "view.View.legal_plays": (in_view(lambda shown: shown.legal_plays()), ()),
    "view.View.play_at": (in_view(lambda shown, i: shown.play_at(i)), (1,)),
    "view.answer_of": (in_view(view.answer_of), (PASS,)),
}
"""By module and name, of the faces of the core."""

RECORDS = {
    *("bulk.Coin", "bulk.Strategy", "bulk.Tables", "deal.Trick", "drawing.Drawing", "match.DealRecord"),
    *(f"view.{name}" for name in ("DealEnd", "DealInfo", "Gift", "MatchInfo", "Paid", "Refused", "Returned", "Step")),
    *("view.Tribute", "notation.Record", "plays.Kind", "plays.Play", "ruleset.RuleSet", "style.Style", "tribute.Due"),
    *("probe.Answer", "probe.Position", "strategy_faults.Decision", "strategy_faults.KnownFault"),
}
"""Classes that hold what they are given: who reads them looks at it."""


def public_names(module: Any) -> set[str]:
    """Functions, classes and methods that a module offers, errors left out."""
    found = set()
    for name, thing in vars(module).items():
        own = getattr(thing, "__module__", None) == module.__name__
        if name.startswith("_") or not own or not (inspect.isroutine(thing) or inspect.isclass(thing)):
            continue
        if inspect.isclass(thing) and issubclass(thing, BaseException):
            continue
        found.add(name)
        if inspect.isclass(thing) and not issubclass(thing, Enum):
            routines = (k for k, v in vars(thing).items() if inspect.isroutine(v) or isinstance(v, staticmethod))
            found |= {f"{name}.{k}" for k in routines if not k.startswith("_")}
    return found


def public_faces() -> set[str]:
    """Public names of every module of `engine` but the core, with the name of the module in front."""
    modules = {info.name for info in pkgutil.iter_modules(engine.__path__)} - {"_core"}
    return {f"{name}.{public}" for name in modules for public in public_names(import_module(f"engine.{name}"))}


def takes_ours(value: Any) -> bool:
    """Is it an object of ours, or does it hold one? Another in its place may lack attributes, and that is said then."""
    if isinstance(value, (tuple, list)):
        return any(map(takes_ours, value))
    return type(value).__module__.split(".")[0] in ("engine", "strategies")


# ---- nearly right arguments -----------------------------------------------------------------------------------------

EDGES = (-1, 12, 13, 27, 28, 29, 53, 54, 108, 199, 200, 201, 2**16, 2**31, 2**32, 2**40, 2**63, 2**64, -(2**63))
LETTERS = "SHCDBR23456789TJQKA -/:0#"


def near(value: Any) -> st.SearchStrategy[Any]:
    """Values of the same type and form, changed in a part or two: most of them are as right as it is."""
    if isinstance(value, Enum):
        return st.sampled_from(type(value))
    if isinstance(value, bool):
        return st.booleans()
    if isinstance(value, int):
        return st.integers(0, 3) | st.integers(value - 1, value + 1) | st.sampled_from(EDGES) | st.integers(0, 2**32)
    if isinstance(value, float):
        return st.floats(0, 1) | st.floats()
    if isinstance(value, bytes):
        return edited(value, st.integers(0, 55)).map(bytes)
    if isinstance(value, str):
        tokens = st.sampled_from((*LETTERS, *CARDS, *RANKS, *(f"{card} " for card in CARDS)))
        return edited(value, tokens).map("".join) | st.text(max_size=8)
    if isinstance(value, dict):
        return st.dictionaries(
            st.sampled_from(list(value)) | st.text() | st.integers(), st.sampled_from(list(value.values())) | absurd()
        )
    if isinstance(value, (tuple, list)) and not hasattr(value, "_fields"):
        changed = st.tuples(*(st.just(item) | near(item) for item in value)).map(type(value))
        return changed | edited(value, absurd()).map(type(value))
    if isinstance(value, range):
        return st.builds(range, st.integers(-1, 2), st.integers(-1, 3), st.sampled_from((1, 1, 2, -1)))
    if isinstance(value, Rules):
        return st.sampled_from([ruleset.load_rules(name).rules for name in ruleset.preset_names()])
    if any(value is strategy for strategy in (GREEDY, RANDOM)):
        return st.sampled_from((GREEDY, RANDOM))
    if is_dataclass(value) and not isinstance(value, (type, context.Context)):
        parts = {f.name: getattr(value, f.name) for f in fields(value)}
        return st.builds(type(value), **{name: st.just(part) | near(part) for name, part in parts.items()})
    return st.just(value)


def edited(value: Any, items: st.SearchStrategy[Any]) -> st.SearchStrategy[list[Any]]:
    """Lists of the items of `value` after a cut, with others put in their place."""

    def cut(start: int, width: int, put: list[Any]) -> list[Any]:
        return [*value[:start], *put, *value[start + width :]]

    return st.builds(cut, st.integers(0, len(value)), st.integers(0, 3), st.lists(items, max_size=3))


def absurd() -> st.SearchStrategy[Any]:
    """One of the values that may be handed over by mistake or by malice, but for those that raise by themselves."""
    values = [value for value in junk() if not isinstance(value, (Lazy, Trap))]
    return st.integers(0, len(values) - 1).map(lambda i: values[i])


def arguments(right: tuple[Any, ...]) -> st.SearchStrategy[tuple[Any, ...]]:
    """Arguments of which most are right, some nearly right, a few absurd."""
    return st.tuples(*(st.just(value) | near(value) | st.just(value) | near(value) | absurd() for value in right))
