"""Where a board starts: one deal from given levels, previous order, failed tries, lead, exchange on or off.

A board is a deal that is no part of a running match: the unit of screening. The same boards can be played by any
strategies under any rules. Two places are those of teams: seats 0 and 2, then seats 1 and 3; they stay with the seats
when the strategies are exchanged.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations
from operator import index
from typing import Final

from engine import _core
from engine.cards import LEVELS
from engine.errors import ToldError

MAX_FAILS: Final = _core.SAFETY_CAP - 2
"""Most failed tries at A that any rules can hold: one less than the largest limit."""

ORDERS: Final = tuple(o for o in permutations(range(4)) if o[1] != o[0] ^ 2 or o[2] < o[3])
"""The finishing orders there are: 20, since the losers of a double-down (双下) are tied and written ascending."""

_EXCHANGE: Final = {"tribute": True, "none": False}
_STREAM: Final = 4  # gd_rng.h, GD_DOMAIN_BOARD


class ContextError(ToldError):
    """A context that cannot be: the line names field, value and way out."""


@dataclass(frozen=True, slots=True)
class Context:
    """Where one deal starts, by teams and seats; `str()` and `parse` are one line of text both ways.

    Fields:
        levels: letters of seats 0, 2 and of seats 1, 3; the declarer's is played, in a first deal the higher
        order: seats in the finishing order of the deal before, tied losers ascending; None for a first deal
        fails: failed tries at A that count under the rules; only at level A. Rules that drop a side sooner take the
            most they can hold, rules that never drop one take 0
        lead: seat that leads; None: as the rules decide
        exchange: False: no tribute, whatever the rules; then the first of the order leads unless `lead` says otherwise

    Raises `ContextError`, a ValueError, for what no match can reach.

    >>> context = Context.parse("A/K 0213 1/0 - tribute")
    >>> context.levels, context.order, context.declarer
    (('A', 'K'), (0, 2, 1, 3), 0)
    >>> str(context)
    'A/K 0213 1/0 - tribute'
    >>> Context.parse("A/K 0231 1/0 - tribute")
    Traceback (most recent call last):
    engine.context.ContextError: order 0231: the losers of a double-down are tied, write them ascending: 0213
    """

    levels: tuple[str, str] = ("2", "2")
    order: tuple[int, ...] | None = None
    fails: tuple[int, int] = (0, 0)
    lead: int | None = None
    exchange: bool = True

    def __post_init__(self) -> None:
        if not _is_pair(self.levels, str) or any(len(level) != 1 or level not in LEVELS for level in self.levels):
            raise _wrong("levels", self.levels, f"write two of {' '.join(LEVELS)}", f"请写 {' '.join(LEVELS)} 中的两个")
        if self.order is not None:
            _check_order(self.order)
        if not _is_pair(self.fails, int) or not all(0 <= n <= MAX_FAILS for n in self.fails):
            raise _wrong(
                "fails", self.fails, f"write two numbers from 0 to {MAX_FAILS}", f"请写两个 0 到 {MAX_FAILS} 的数"
            )
        for level, fails in zip(self.levels, self.fails, strict=True):
            if fails and level != "A":
                raise _wrong(
                    "fails", self.fails, f"a side at {level} has none, write 0", f"级数为 {level} 的一方没有，请写 0"
                )
        if any(self.fails) and self.order is None:
            raise _wrong(
                "fails",
                self.fails,
                "before a first deal nobody has tried, write 0 or an order",
                "第一副之前没有打过 A，请写 0 或写出名次",
            )
        if not (self.lead is None or (type(self.lead) is int and 0 <= self.lead <= 3)):
            raise _wrong("lead", self.lead, "write a seat 0 to 3, or None", "请写座位 0 到 3，或不写")
        if type(self.exchange) is not bool:
            raise _wrong("exchange", self.exchange, "write True or False", "请写 True 或 False")

    @property
    def declarer(self) -> int | None:
        """Team (0 or 1) whose level is played: that of the first of the deal before; None for a first deal."""
        return None if self.order is None else self.order[0] % 2

    @staticmethod
    def parse(line: str) -> Context:
        """Read `LEVEL/LEVEL ORDER FAILS/FAILS LEAD EXCHANGE`.

        ORDER is four seats or - for a first deal, LEAD a seat or -, EXCHANGE the word tribute or none.
        """
        words = str(line).split()
        if len(words) != 5:
            raise _wrong(
                "context",
                line,
                f"write five words such as {_EXAMPLE}, not {len(words)}",
                f"请写五项，如 {_EXAMPLE}，而不是 {len(words)} 项",
            )
        levels, order, fails, lead, exchange = words
        if exchange not in _EXCHANGE:
            raise _wrong("exchange", exchange, "write tribute or none", "请写 tribute 或 none")
        if lead not in ("-", "0", "1", "2", "3"):
            raise _wrong(
                "lead", lead, "write a seat 0 to 3, or - for the rules to decide", "请写座位 0 到 3，或 - 由规则决定"
            )
        seats = None if order == "-" else tuple(int(c) if c in "0123" else -1 for c in order)
        if seats is not None and set(seats) != {0, 1, 2, 3}:
            raise _wrong("order", order, _ORDER_EN, _ORDER_ZH)
        counts = tuple(int(n) if n.isascii() and n.isdigit() and len(n) < 4 else -1 for n in fails.split("/"))
        if len(counts) != 2 or min(counts) < 0:
            raise _wrong("fails", fails, "write two numbers such as 1/0", "请写两个数，如 1/0")
        sides = tuple(levels.split("/"))
        if len(sides) != 2:
            raise _wrong("levels", levels, "write two levels such as A/K", "请写两个级数，如 A/K")
        return Context(
            (sides[0], sides[1]),
            seats,
            (counts[0], counts[1]),
            None if lead == "-" else int(lead),
            _EXCHANGE[exchange],
        )

    def __str__(self) -> str:
        order = "-" if self.order is None else "".join(map(str, self.order))
        lead = "-" if self.lead is None else self.lead
        exchange = "tribute" if self.exchange else "none"
        return f"{'/'.join(self.levels)} {order} {self.fails[0]}/{self.fails[1]} {lead} {exchange}"

    def core(self) -> bytes:
        """Give the record that the C core reads (gd_match.h, gd_context): eleven bytes."""
        return bytes(
            (
                LEVELS.index(self.levels[0]),
                LEVELS.index(self.levels[1]),
                self.order is None,
                *(self.order or (0, 0, 0, 0)),
                *self.fails,
                255 if self.lead is None else self.lead,
                self.exchange,
            )
        )


_EXAMPLE: Final = "A/K 0213 1/0 - tribute"
_ORDER_EN: Final = "write each seat 0 to 3 once, or - for a first deal"
_ORDER_ZH: Final = "请把座位 0 到 3 各写一次，第一副写 -"


def _is_pair(value: object, kind: type) -> bool:
    return type(value) is tuple and [type(v) for v in value] == [kind, kind]


def _wrong(field: str, value: object, en: str, zh: str) -> ContextError:
    shown = "/".join(map(str, value)) if isinstance(value, tuple) else value
    return ContextError(f"{field} {shown}: {en}", f"{_FIELDS_ZH[field]} {shown}：{zh}")


_FIELDS_ZH: Final = {
    "context": "定局",
    "levels": "级数",
    "order": "名次",
    "fails": "打A未过次数",
    "lead": "领出",
    "exchange": "进贡",
}


def _check_order(order: object) -> None:
    known = type(order) is tuple and [type(seat) for seat in order] == [int] * 4
    if known and order in ORDERS:
        return
    shown = "".join(map(str, order)) if isinstance(order, tuple) else order
    if known and isinstance(order, tuple) and set(order) == {0, 1, 2, 3}:
        right = "".join(map(str, (*order[:2], *sorted(order[2:]))))
        raise _wrong(
            "order",
            shown,
            f"the losers of a double-down are tied, write them ascending: {right}",
            f"双下的两家不分先后，请从小到大写：{right}",
        )
    raise _wrong("order", shown, _ORDER_EN, _ORDER_ZH)


def draw_below(limits: tuple[int, ...], seed: int, board: int) -> Iterator[int]:
    """Draw whole numbers for one board, each uniform below its limit, from a stream keyed by (seed, board) alone.

    A number of 64 bits is scaled, so a value is off its share by less than limit / 2**64. Raises ValueError for a limit
    below 1.
    """
    whole = [index(limit) for limit in limits]
    if min(whole, default=1) < 1:
        raise ValueError(f"limits {limits}: write whole numbers from 1 on")
    numbers = _core.stream(seed, _STREAM, board, 0, 0, 0, len(whole))
    return (number * limit >> 64 for number, limit in zip(numbers, whole, strict=True))


def uniform_contexts(n: int, seed: int) -> tuple[Context, ...]:
    """Draw `n` contexts, board i from a stream keyed by (seed, i).

    Levels are uniform and independent, the order uniform among the 20 there are, failed tries uniform among 0, 1, 2
    for a side at A. The rules decide who leads, the exchange is on. No distribution of running matches: for that
    sample a recorded run. Raises ValueError for a negative n or a seed out of range.
    """
    if n < 0:
        raise ValueError(f"{n} contexts: write 0 or more")
    return tuple(_uniform(seed, board) for board in range(n))


def _uniform(seed: int, board: int) -> Context:
    x, y, order, *tries = draw_below((13, 13, len(ORDERS), 3, 3), seed, board)
    levels = LEVELS[x], LEVELS[y]
    fails = [count if level == "A" else 0 for level, count in zip(levels, tries, strict=True)]
    return Context(levels, ORDERS[order], (fails[0], fails[1]))
