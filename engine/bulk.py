"""Many matches in one call: pairs between two sides, as columns of small integers.

A pair is two matches (legs) on the same deals, the sides exchanged in the second. The rows of a pair depend on (seed,
pair, rules, strategies) alone. Codes are explained by the tuples of labels below; -1 is «none». sim.schema says what
each column means.
"""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

import numpy as np

from engine import _core
from engine.batch import MAX_TABLES, TABLES, batch_players, play_lockstep
from engine.context import Context
from engine.rules import Rules
from engine.strategy_faults import REASONS, Decision, KnownFault, StrategyFaultError, pack
from engine.style import Style
from engine.tribute import TRIBUTES as TRIBUTES

Detail = Literal["pairs", "matches", "deals"]
OnFault = Literal["judge", "stop"]

SIDES = ("x", "y")
A_ATTEMPTS = ("none", "passed", "deal_lost", "partner_last")
DEAL_ENDS = ("double_down", "three_out", "first_out", "judged", "judged_last")
MATCH_ENDS = ("passed_a", "deal_limit", "safety_cap", "time_limit", "tie_break", "board", "forfeit")
CELLS = ("LL", "LD", "MID", "WD", "WW")
SEAT_SETS = ("0", "1", "2", "3", "02", "13", "20", "31")


def _finish_orders() -> tuple[str, ...]:
    """Labels of gd_bulk.c, finish_order_code: "02(13)" when 1 and 3 are double-down (tied), else all four seats."""
    orders = [f"{first}{first ^ 2}({(first + 1) % 2}{(first + 1) % 2 + 2})" for first in range(4)]
    for first in range(4):
        for second in ((first + 1) & 3, (first + 3) & 3):
            partner, other = first ^ 2, second ^ 2
            orders += [f"{first}{second}{partner}{other}", f"{first}{second}{other}{partner}"]
    return tuple(orders)


FINISH_ORDERS = _finish_orders()

MAX_PAIR = 2**40
MAX_SEED = 2**64
_DEAL_ROOM = 1 << 16
"""Rows of the deal buffer that one call of the core fills before they are set aside, and more for pairs under way."""


class Strategy(Protocol):
    """What the loop needs of a strategy: strategies.registry makes them, and strategies.api of one's own."""

    @property
    def name(self) -> str:
        """Name under which it is stored."""

    @property
    def capsule(self) -> Any:
        """Capsule that holds its gd_strategy, or the _core.Player of one written in Python."""

    @property
    def deterministic(self) -> bool:
        """It draws no random number."""

    @property
    def hash(self) -> str:
        """Digest of its code."""


@dataclass(frozen=True)
class Team:
    """Two strategies on one side: `a` on the lower of its two seats (0, or 1), `b` on the partner's (2, or 3)."""

    a: Strategy
    b: Strategy

    @property
    def name(self) -> str:
        """Name under which the side is stored."""
        return f"{self.a.name}+{self.b.name}"

    @property
    def deterministic(self) -> bool:
        """Neither draws a random number."""
        return self.a.deterministic and self.b.deterministic

    @property
    def hash(self) -> str:
        """Digest of the code of both, in this order."""
        return hashlib.sha256(f"{self.a.hash}+{self.b.hash}".encode()).hexdigest()[:16]


Side = Strategy | Team
"""Who plays a side."""


def side_core(side: Side) -> Any:
    """Give a side as the core takes it: what holds its strategy, or a tuple of two."""
    return (side.a.capsule, side.b.capsule) if isinstance(side, Team) else side.capsule


@dataclass(frozen=True)
class Coin:
    """Deals decided by coins instead of cards, to drive the match with known odds.

    x_wins: chance that x wins a deal. memory: added to it after a deal that x won, taken off after one it lost. steps:
    chances of one, two, three steps, summing to one.
    """

    x_wins: float
    steps: tuple[float, float, float]
    memory: float = 0.0


@dataclass
class Tables:
    """Rows by table, an array a column, ascending by pair, leg, deal. done: pairs that are in them and in `style`.

    faults: columns of _core.FAULT_COLUMNS, a row a judged fault.
    """

    pairs: dict[str, np.ndarray[Any, Any]]
    matches: dict[str, np.ndarray[Any, Any]] = field(default_factory=dict)
    deals: dict[str, np.ndarray[Any, Any]] = field(default_factory=dict)
    done: int = 0
    style: Style | None = None
    faults: dict[str, np.ndarray[Any, Any]] = field(default_factory=dict)


def _columns(spec: Iterable[tuple[str, str]], rows: int) -> dict[str, np.ndarray[Any, Any]]:
    return {name: np.empty(rows, dtype=code) for name, code in spec}


def same_strategy(x: Side, y: Side) -> bool:
    """Are both the same deterministic strategy? Then both legs of a pair are one match and only leg 1 is played."""
    return x.deterministic and y.deterministic and x.hash == y.hash


def play_pairs(
    x: Side,
    y: Side,
    rules: Rules,
    seed: int,
    pairs: range,
    *,
    detail: Detail = "deals",
    style: bool = False,
    stop: bytearray | None = None,
    contexts: Sequence[Context] | None = None,
    on_fault: OnFault = "stop",
    known_faults: Sequence[KnownFault] = (),
    watch: Any = None,
    tables: int = TABLES,
) -> Tables:
    """Play the pairs of a range; the GIL is released meanwhile, but where strategies written in Python are asked.

    pairs: ascending by one. detail: which tables are filled (`pairs` always is). style: count how it is played
    (engine.style). stop: one byte, polled before each pair; set it from another thread to end early with the pairs done
    so far. contexts: play boards instead of matches, one deal each: pair p starts from contexts[p % len(contexts)].
    on_fault: "judge" a faulty deal and go on, or "stop". known_faults: decisions that are judged without asking.
    watch: a writable buffer of seven int64 in which the loop says where it stands before a seat is asked
        or told (gd_watch).
    tables: where a strategy answers in batches, so many are played in lockstep; the rows do not depend on it.
    Raises ValueError for arguments out of range; StrategyFaultError when told to stop, with what a strategy written in
    Python raised as its cause.
    """
    legs = 1 if same_strategy(x, y) else 2
    return _play(
        side_core(x),
        side_core(y),
        None,
        legs,
        rules,
        seed,
        pairs,
        detail,
        Style() if style else None,
        stop,
        contexts,
        on_fault,
        known_faults,
        watch,
        tables,
    )


def play_coin_pairs(coin: Coin, rules: Rules, seed: int, pairs: range, *, detail: Detail = "pairs") -> Tables:
    """Play pairs whose deals are decided by coins, through the same match code. Legs draw independently."""
    if not (abs(sum(coin.steps) - 1) <= 1e-9 and min(coin.steps) >= 0):  # so put that NaN is refused
        raise ValueError(f"chances of 1, 2, 3 steps are {coin.steps}: they must be >= 0 and sum to 1")
    if not (abs(coin.memory) <= coin.x_wins <= 1 - abs(coin.memory)):
        raise ValueError(f"x wins with chance {coin.x_wins} +- {coin.memory}: write numbers that stay within 0 and 1")
    return _play(None, None, (coin.x_wins, coin.memory, coin.steps), 2, rules, seed, pairs, detail, None, None, None)


def _play(
    x: Any,
    y: Any,
    coin: tuple[float, float, tuple[float, float, float]] | None,
    legs: int,
    rules: Rules,
    seed: int,
    pairs: range,
    detail: Detail,
    style: Style | None,
    stop: bytearray | None,
    contexts: Sequence[Context] | None,
    on_fault: OnFault = "stop",
    known_faults: Sequence[KnownFault] = (),
    watch: Any = None,
    tables: int = 1,
) -> Tables:
    if not 1 <= tables <= MAX_TABLES:
        raise ValueError(f"tables {tables}: write a number from 1 to {MAX_TABLES}")
    if detail not in ("pairs", "matches", "deals"):
        raise ValueError(f"detail {detail!r}: write pairs, matches or deals")
    if not 0 <= seed < MAX_SEED:
        raise ValueError(f"seed {seed}: write a number from 0 to 2**64 - 1")
    if pairs.step != 1 or pairs.start < 0 or pairs.stop > MAX_PAIR:
        raise ValueError(f"pairs {pairs}: give an ascending range within 0..2**40")
    if on_fault not in ("judge", "stop"):
        raise ValueError(f"on_fault {on_fault!r}: write judge or stop")
    records = None if contexts is None else b"".join(context.core() for context in contexts)
    n = len(pairs)
    with_matches, with_deals = detail != "pairs", detail == "deals"
    pair_rows = _columns(_core.PAIR_COLUMNS, n)
    match_rows = _columns(_core.MATCH_COLUMNS, n * legs) if with_matches else {}
    # Deals are not known in advance: a buffer is filled, set aside, filled again.
    batched = batch_players(x, y)
    tables = max(1, min(tables, n)) if batched else 1
    room = _DEAL_ROOM + 2 * _core.SAFETY_CAP * tables
    fault_room = _FAULT_ROOM + _core.FAULTS_A_PAIR * tables
    deal_rows = _columns(_core.DEAL_COLUMNS, room) if with_deals else {}
    fault_rows = _columns(_core.FAULT_COLUMNS, fault_room) if on_fault == "judge" else {}
    kept: list[dict[str, np.ndarray[Any, Any]]] = []
    kept_faults: list[dict[str, np.ndarray[Any, Any]]] = []
    done, end = 0, _FULL
    while end == _FULL:
        call = (
            x,
            y,
            coin,
            rules,
            seed,
            pairs.start + done,
            n - done,
            legs,
            tuple(c[done:] for c in pair_rows.values()),
            tuple(c[done * legs :] for c in match_rows.values()) if with_matches else None,
            tuple(deal_rows.values()) if with_deals else None,
            room if with_deals else 0,
            None if style is None else style.sums,
            stop,
            records,
            tuple(fault_rows.values()) if fault_rows else None,
            fault_room if fault_rows else 0,
            pack(known_faults),
            watch,
        )
        played_on = play_lockstep(call, batched, tables) if batched else _core.play_pairs(*call)
        end, played, _, deals, faults, fault = played_on
        if fault is not None:
            *at, seat, reason, raised = fault
            raise StrategyFaultError(Decision(*at), seat, REASONS[reason], raised) from raised
        done += played
        if faults or not kept_faults:
            kept_faults.append({name: column[:faults].copy() for name, column in fault_rows.items()})
        if with_deals:
            kept.append({name: column[:deals].copy() for name, column in deal_rows.items()})
    return Tables(
        pairs={name: c[:done] for name, c in pair_rows.items()},
        matches={name: c[: done * legs] for name, c in match_rows.items()},
        deals={name: np.concatenate([k[name] for k in kept]) for name in deal_rows},
        faults={name: np.concatenate([k[name] for k in kept_faults]) for name in fault_rows},
        style=style,
        done=done,
    )


_FAULT_ROOM = 1 << 12
"""Rows of the fault buffer of one call, beside those that the pairs under way may need."""

_FULL = 2
"""gd_bulk.h: the deal or fault buffer may not hold the next pair."""
