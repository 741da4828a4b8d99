"""strategies/csrc/greedy.c once more: a decision at a time in Python, and for many tables at once with NumPy."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from engine.batch import Batch, TributeBatch
from engine.plays import Kind
from engine.view import View
from strategies.api import BatchStrategy, Strategy

POWER, PAIR_POWER, CARD, WILD, PASS, BOMB, FEED, MATE, NEAR = 4, 2, 7, 30, 70, 60, 40, 15, 10
MUCH = 1 << 20
TEAR = [[0] * 4 for _ in range(9)]
TEAR[2] = [0, 9, 0, 0]
TEAR[3] = [0, 12, 12, 0]
TEAR[4:] = [[0, 45, 45, 45] for _ in range(5)]
LENGTHS = {Kind.TUBE: (3, 2), Kind.PLATE: (2, 3), Kind.STRAIGHT: (5, 1)}
"""Ranks of a sequence, and cards of each."""


def strength(code: int) -> int:
    """gd_bomb_strength."""
    kind = code >> 28
    grade = 31 if kind == Kind.JOKER_BOMB else 11 if kind == Kind.STRAIGHT_FLUSH else 2 * (code >> 24 & 15)
    return grade << 4 | code >> 20 & 15


def is_bomb(code: int) -> bool:
    return code >> 28 >= Kind.STRAIGHT_FLUSH


def price_of(counts: int, code: int) -> int:
    """What a play costs."""
    kind, size, power, wilds, detail = code >> 28, code >> 24 & 15, code >> 20 & 15, code >> 18 & 3, code >> 10 & 255
    if is_bomb(code):
        return BOMB + strength(code) // 4 + WILD * wilds

    def tear(rank: int, take: int) -> int:
        return TEAR[counts >> 4 * rank & 15][take]

    price = POWER * power + WILD * wilds
    if kind == Kind.FULL_HOUSE:
        in_pair = detail >> 4
        price += PAIR_POWER * (detail & 15) + tear(code >> 6 & 15, 3 - (wilds - in_pair))
        return price + tear(code >> 2 & 15, 2 - in_pair)
    if kind <= Kind.TRIPLE:
        return price + tear(code >> 6 & 15, size - wilds)
    length, each = LENGTHS[Kind(kind)]
    for i in range(length):
        used = detail >> i & 1 if each == 1 else detail >> 2 * i & 3
        price += tear(power + i - 1 if power + i else 12, each - used)
    return price


def nearest_opponent(seat: int, left: Sequence[int]) -> int:
    a, b = left[(seat + 1) & 3], left[(seat + 3) & 3]
    return b if not a else a if not b else min(a, b)


def lead(counts: int, codes: Sequence[int], seat: int, left: Sequence[int]) -> int:
    mine, near, mate = left[seat], nearest_opponent(seat, left), left[seat ^ 2]
    best, best_price, bonus = 0, MUCH, MATE if mate <= 10 else 0
    for i, code in enumerate(codes):
        size, power = code >> 24 & 15, code >> 20 & 15
        if size == mine:
            return i
        if POWER * power + WILD * (code >> 18 & 3) - CARD * size - bonus >= best_price:
            continue
        price = price_of(counts, code) - CARD * size
        if size == near and not is_bomb(code):
            price += FEED - 3 * power
        if size == mate:
            price -= MATE
        if price < best_price:
            best, best_price = i, price
    return best


def follow(counts: int, codes: Sequence[int], seat: int, left: Sequence[int], holder: int) -> int:
    near, mine = nearest_opponent(seat, left), left[seat]
    if mine <= 10:
        for i, code in enumerate(codes):
            if i and code >> 24 & 15 == mine:
                return i
    if holder == seat ^ 2:
        return 0
    danger = near <= NEAR
    may_bomb = danger and (near <= NEAR // 2 or left[holder] <= NEAR)
    best, best_price = 0, MUCH if danger else PASS
    for i, code in enumerate(codes):
        if i and (may_bomb or not is_bomb(code)):
            price = price_of(counts, code)
            if price < best_price:
                best, best_price = i, price
    return best


class PythonGreedy(Strategy):
    """Greedy, a decision at a time."""

    name, deterministic = "python-greedy", True

    def play(self, view: View) -> int:
        counts = view.planes[0]
        if view.to_beat:
            return follow(counts, view.plays, view.seat, view.left, view.holder)
        return lead(counts, view.plays, view.seat, view.left)

    def return_tribute(self, view: View) -> int:
        counts = view.planes[0]
        prices = [1 << 10 if c > 51 else c // 4 + TEAR[counts >> 4 * (c // 4) & 15][1] for c in view.options]
        return prices.index(min(prices))


class BatchGreedy(BatchStrategy):
    """Greedy for many tables at once: every price of every table in one go."""

    name, deterministic = "batch-greedy", True

    def play(self, batch: Batch) -> npt.NDArray[np.int64]:
        rows, codes = np.repeat(np.arange(batch.size), np.diff(batch.offsets)), batch.codes.astype(np.int64)
        seat, left = batch.seat.astype(np.int64), batch.left.astype(np.int64)
        every = np.arange(batch.size)
        a, b = left[every, (seat + 1) & 3], left[every, (seat + 3) & 3]
        near = np.where(a == 0, b, np.where(b == 0, a, np.minimum(a, b)))
        mine, mate = left[every, seat], left[every, seat ^ 2]
        leads, holder = batch.to_beat == 0, batch.holder.astype(np.int64)
        size, power, bomb = codes >> 24 & 15, codes >> 20 & 15, codes >> 28 >= Kind.STRAIGHT_FLUSH
        price = prices(batch.hand[:, 0], rows, codes)
        on_lead = leads[rows]
        floor = POWER * power + WILD * (codes >> 18 & 3) - CARD * size - np.where(mate <= 10, MATE, 0)[rows]
        price -= np.where(on_lead, CARD * size, 0)
        price += np.where(on_lead & (size == near[rows]) & ~bomb, FEED - 3 * power, 0)
        price -= np.where(on_lead & (size == mate[rows]), MATE, 0)
        # Following: bombs only in danger, nothing over the partner, and going out before all else.
        danger = near <= NEAR
        may_bomb = danger & ((near <= NEAR // 2) | (left[every, holder] <= NEAR))
        stands = ~leads & (holder == (seat ^ 2))
        price[~on_lead & (bomb & ~may_bomb[rows] | stands[rows])] = MUCH + 1
        first = np.zeros(len(codes), bool)
        first[batch.offsets[:-1]] = True
        price[~on_lead & first] = np.where(danger, MUCH, PASS)[rows[~on_lead & first]]
        goes_out = (size == mine[rows]) & np.where(on_lead, True, (mine <= 10)[rows] & ~first)
        price[goes_out] = -MUCH
        place = np.arange(len(codes)) - batch.offsets[:-1][rows]
        best = np.minimum.reduceat(price * 4096 + place, batch.offsets[:-1]) % 4096
        # greedy.c passes over what seems dearer than it is: those few it decides one by one.
        for row in np.unique(rows[on_lead & (price < floor) & ~goes_out]):
            part = codes[batch.offsets[row] : batch.offsets[row + 1]].tolist()
            best[row] = lead(int(batch.hand[row, 0]), part, int(seat[row]), left[row].tolist())
        return best

    def return_tribute(self, batch: TributeBatch) -> npt.NDArray[np.int64]:
        rows, options = np.repeat(np.arange(batch.size), np.diff(batch.offsets)), batch.options.astype(np.int64)
        held = counts_of(batch.hand[:, 0])[rows, options // 4]
        price = np.where(options > 51, 1 << 10, options // 4 + np.array(TEAR)[held, 1])
        place = np.arange(len(options)) - batch.offsets[:-1][rows]
        best: npt.NDArray[np.int64] = np.minimum.reduceat(price * 4096 + place, batch.offsets[:-1]) % 4096
        return best


def counts_of(nibbles: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
    """[n, 16] counts by rank."""
    return (nibbles[:, None] >> np.arange(0, 64, 4, dtype=np.uint64) & np.uint64(15)).astype(np.int64)


def prices(nibbles: npt.NDArray[np.uint64], rows: Any, codes: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """price_of of every code."""
    counts, tear = counts_of(nibbles), np.array(TEAR)
    kind, size, power, wilds = codes >> 28, codes >> 24 & 15, codes >> 20 & 15, codes >> 18 & 3
    detail, rank, pair = codes >> 10 & 255, codes >> 6 & 15, codes >> 2 & 15
    price = POWER * power + WILD * wilds
    low, full, bomb = kind <= Kind.TRIPLE, kind == Kind.FULL_HOUSE, kind >= Kind.STRAIGHT_FLUSH
    price[low] += tear[counts[rows[low], rank[low]], (size - wilds)[low]]
    in_pair = detail >> 4
    price[full] += PAIR_POWER * (detail & 15)[full] + tear[counts[rows[full], pair[full]], 2 - in_pair[full]]
    price[full] += tear[counts[rows[full], rank[full]], (3 - wilds + in_pair)[full]]
    for of, (length, each) in LENGTHS.items():
        some = np.flatnonzero(kind == of)
        for i in range(length):
            used = detail[some] >> i & 1 if each == 1 else detail[some] >> 2 * i & 3
            at = np.where(power[some] + i > 0, power[some] + i - 1, 12)
            price[some] += tear[counts[rows[some], at], each - used]
    grade = np.where(kind == Kind.JOKER_BOMB, 31, np.where(kind == Kind.STRAIGHT_FLUSH, 11, 2 * size))
    price[bomb] = (BOMB + (grade << 4 | power) // 4 + WILD * wilds)[bomb]
    return price
