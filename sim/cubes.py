"""Count the cubes of a block: what every rate of tribute, pass-A, promotion and match flow needs, as exact integers.

A cube is a set of rows (part, cell) with the six sums over pairs of `sim.stats.ClusterSums`: pairs in which the part
occurred, occasions n and events k of the cell, n n, k k, n k (y is the name of a side here). A part that occurred has a
row for each of its cells, so that sums over blocks are right. The same numbers follow from the rows by the statements
of `sim.counts`, which is how the tests know them; here they are counted from the integer columns of the bulk loop, so
that a run keeps them whatever rows it keeps. Judged deals are left out where `sim.counts` reads `fair_deals`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import product
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engine import _core
from engine.bulk import A_ATTEMPTS, DEAL_ENDS, MATCH_ENDS, TRIBUTES
from engine.cards import CARDS, RANKS
from engine.strategy_faults import REASONS
from sim.cube_words import CUBE_WORDS, HISTOGRAMS

Rows = Mapping[str, NDArray[Any]]
Ints = NDArray[Any]

SUMS: Final = ("pairs", "n", "k", "nn", "kk", "nk")
BEHIND: Final = (3, 5, 8)
CARD_RANKS: Final = (*RANKS, "SB", "HR", "level")

_SIDES: Final = ("x", "y")
_SIDES_ALL: Final = (*_SIDES, "all")
_LEVELS: Final = tuple(str(level) for level in range(2, 15))
_LEVELS_ALL: Final = (*_LEVELS, "all")
_NUMBERS: Final = ("1", "2", "3", "4+")
_CHUNK: Final = 1024
_MOST: Final = 4 * _core.SAFETY_CAP  # of anything in one pair: cards, or half points of deals
assert _CHUNK * _MOST**2 < 2**31, "products over the pairs of a chunk must fit in int32"


SHAPES: Final[Mapping[str, tuple[tuple[Sequence[str], ...], Sequence[str]]]] = {
    "refusal": ((("single", "double"), _SIDES_ALL, _LEVELS_ALL), ("refused", "paid")),
    "tribute": ((_SIDES_ALL,), TRIBUTES),
    "next_win": (((*TRIBUTES, "refused", "all"), _SIDES_ALL), ("won", "lost")),
    "given": ((_SIDES_ALL,), CARD_RANKS),
    "returned": ((_SIDES_ALL,), CARD_RANKS),
    "exchange": ((CARD_RANKS, CARD_RANKS), ("won", "lost")),
    "try": ((_SIDES,), A_ATTEMPTS[1:]),
    "try_number": ((_NUMBERS, _SIDES_ALL), A_ATTEMPTS[1:]),
    "reset": ((_SIDES,), ("reset", "kept")),
    "steps": ((_SIDES_ALL, _LEVELS_ALL), ("0", "1", "2", "3")),
    "level_map": ((_LEVELS, _LEVELS), ("half_points",)),
    "first_at_a": ((_SIDES,), ("half_points",)),
    "comeback": ((_SIDES, tuple(map(str, BEHIND))), ("half_points",)),
    "match_end": ((("all",),), MATCH_ENDS),
    "forfeit": ((("all",),), _SIDES),
    "fault": ((_SIDES,), REASONS),
}
"""Part axes and cells of every cube that is no histogram, in stored order."""

_EITHER: Final = ("refusal", "next_win", "exchange", "reset")
"""Cubes of two cells of which each occasion has one: the second follows from the first."""

assert (*SHAPES, *HISTOGRAMS) == tuple(CUBE_WORDS)


def _labels(axes: Sequence[Sequence[str]]) -> NDArray[Any]:
    return np.array([" ".join(words) for words in product(*axes)], dtype=object)


_PARTS: Final = {name: _labels(axes) for name, (axes, _) in SHAPES.items()}
_CELLS: Final = {name: np.array(cells, dtype=object) for name, (_, cells) in SHAPES.items()}

_RANK_OF: Final = np.array([card // 4 for card in range(52)] + [13, 14], np.int32)
_LEVEL_RANK: Final = CARD_RANKS.index("level")
_JUDGED: Final = DEAL_ENDS.index("judged")
_FORFEIT: Final = MATCH_ENDS.index("forfeit")
_NONE, _SINGLE, _DOUBLE, _SINGLE_REFUSED, _DOUBLE_REFUSED = range(len(TRIBUTES))
_PASSED: Final = A_ATTEMPTS.index("passed")
assert len(CARDS) == len(_RANK_OF)


def cubes(pairs: Rows, matches: Rows, deals: Rows, faults: Rows) -> dict[str, Ints | list[str]]:
    """Give the columns of the table `cubes` for the pairs of a block, from the raw columns of the bulk loop.

    pairs, matches, deals: as `engine.bulk.Tables` has them, one row at least, pair ids ascending by one. faults: of
    judged faults, or empty. The same rows in two blocks give the same sums, added up.
    """
    sums = {name: np.zeros((len(_PARTS[name]), len(_CELLS[name]), len(SUMS)), np.int64) for name in SHAPES}
    first, last = int(pairs["pair"][0]), int(pairs["pair"][-1])
    legs = len(matches["pair"]) // len(pairs["pair"])
    fault_pairs = faults.get("pair", np.zeros(0, np.int64))
    for start in range(first, last + 1, _CHUNK):
        end = min(start + _CHUNK, last + 1)
        chunk = _Chunk(
            end - start,
            start,
            sums,
            {name: column[start - first : end - first] for name, column in pairs.items()},
            {name: column[legs * (start - first) : legs * (end - first)] for name, column in matches.items()},
            _between(deals, deals["pair"], start, end),
            _between(faults, fault_pairs, start, end),
        )
        chunk.count()
    return _columns(sums, _histograms(matches))


def _between(rows: Rows, pair: Ints, start: int, end: int) -> Rows:
    low, high = np.searchsorted(pair, (start, end))
    return {name: column[low:high] for name, column in rows.items()}


def _with_all(counts: Ints, axis: int) -> Ints:
    """Put the sum over an axis behind its entries."""
    return np.concatenate([counts, counts.sum(axis=axis, keepdims=True, dtype=counts.dtype)], axis=axis)


class _Chunk:
    """Count the cubes of some pairs and add them to `sums`; arrays have the pairs on their last axis, as int32."""

    def __init__(
        self, size: int, first: int, sums: dict[str, Ints], pairs: Rows, matches: Rows, deals: Rows, faults: Rows
    ) -> None:
        self.size, self.first, self.sums = size, first, sums
        self.pairs, self.matches, self.deals, self.faults = pairs, matches, deals, faults
        self.at = (deals["pair"] - first).astype(np.int32)  # the pair of each deal, from 0

    def count(self) -> None:
        """Count everything."""
        fair = self.deals["end_reason"] < _JUDGED
        after = np.flatnonzero(fair & (self.deals["declarer"] >= 0))
        self._tribute(after)
        self._cards(after[self.deals["given_1"][after] >= 0])
        self._tries(np.flatnonzero((self.deals["a_attempt"] > 0) & fair))
        self._steps(np.flatnonzero(fair))
        self._levels()
        self._matches()
        self._faults()

    def _add(self, name: str, n: Ints, y: Ints) -> None:
        """Add n [parts, pairs] and y [parts, cells, pairs]; parts may be several axes, y of `_EITHER` has one cell."""
        n, y = n.reshape(-1, self.size), y.reshape(n.size // self.size, -1, self.size)
        into = self.sums[name]
        into[:, :, 0] += np.count_nonzero(n, axis=-1)[:, None]
        into[:, :, 1] += n.sum(axis=-1)[:, None]
        into[:, :, 3] += np.einsum("kp,kp->k", n, n)[:, None]
        cells = slice(y.shape[1])
        into[:, cells, 2] += y.sum(axis=-1)
        into[:, cells, 4] += np.einsum("kcp,kcp->kc", y, y)
        into[:, cells, 5] += np.einsum("kp,kcp->kc", n, y)

    def _table(self, at: Ints, *axes: tuple[Ints, int], weights: Ints | None = None) -> Ints:
        """Count rows by codes and pair; each axis is (codes, how many there are)."""
        key = np.zeros(len(at), np.int32)
        for codes, size in axes:
            key *= size
            key += codes
        key *= self.size
        key += at
        sizes = [size for _, size in axes]
        counts = np.bincount(key, weights, minlength=int(np.prod(sizes)) * self.size)
        return counts.astype(np.int32).reshape(*sizes, self.size)

    def _tribute(self, rows: Ints) -> None:
        deals = self.deals
        side, tribute = deals["declarer"][rows], deals["tribute"][rows]
        won = deals["winner"][rows] == side
        kinds = (tribute, len(TRIBUTES)), (side, 2), (deals["level"][rows] - 2, len(_LEVELS))
        by_level = self._table(self.at[rows], *kinds)
        refused = by_level[[_SINGLE_REFUSED, _DOUBLE_REFUSED]]
        due = _with_all(_with_all(by_level[[_SINGLE, _DOUBLE]] + refused, 1), 2)
        self._add("refusal", due, _with_all(_with_all(refused, 1), 2))

        counts = _with_all(by_level.sum(axis=2, dtype=np.int32), 1)
        self._add("tribute", counts.sum(axis=0, dtype=np.int32), counts.swapaxes(0, 1))
        of_won = _with_all(self._table(self.at[rows[won]], (tribute[won], len(TRIBUTES)), (side[won], 2)), 1)
        self._add("next_win", _with_refused(counts), _with_refused(of_won))

    def _cards(self, rows: Ints) -> None:
        two = rows[self.deals["given_2"][rows] >= 0]
        both = np.concatenate([rows, two])
        at, level = self.at[both], self.deals["level"][both]
        given, returned = (
            _ranks(np.concatenate([self.deals[f"{name}_1"][rows], self.deals[f"{name}_2"][two]]), level)
            for name in ("given", "returned")
        )
        side, ranks = self.deals["declarer"][both], len(CARD_RANKS)
        for name, codes in (("given", given), ("returned", returned)):
            counts = _with_all(self._table(at, (side, 2), (codes, ranks)), 0)
            self._add(name, counts.sum(axis=1, dtype=np.int32), counts)

        # 256 parts of which a pair has a few: sorted, not spread out.
        won = self.deals["winner"][both] == side
        key = np.sort((((given * ranks) + returned) * self.size + at) * 2 + won)
        if not len(key):
            return
        place = key >> 1
        starts = np.flatnonzero(np.concatenate([[True], place[1:] != place[:-1]]))
        n, y = np.diff(starts, append=len(key)), np.add.reduceat(key & 1, starts)
        part, into = place[starts] // self.size, self.sums["exchange"]
        for k, values in enumerate((None, n, y, n * n, y * y, n * y)):
            found = np.bincount(part, values, minlength=len(into)).astype(np.int64)
            into[:, 0 if k in (2, 4, 5) else slice(None), k] += found if k in (2, 4, 5) else found[:, None]

    def _tries(self, rows: Ints) -> None:
        deals, at = self.deals, self.at
        side, result = deals["declarer"][rows], deals["a_attempt"][rows] - 1
        results = len(A_ATTEMPTS) - 1
        counts = self._table(at[rows], (side, 2), (result, results))
        self._add("try", counts.sum(axis=1, dtype=np.int32), counts)

        by_match = np.argsort((at[rows] * 2 + deals["leg"][rows] - 1) * 2 + side, kind="stable")
        match = ((at[rows] * 2 + deals["leg"][rows] - 1) * 2 + side)[by_match]
        order = np.arange(len(match))
        begins = np.concatenate([[True], match[1:] != match[:-1]])[: len(match)]
        number = order - np.maximum.accumulate(np.where(begins, order, 0))
        numbers = np.minimum(number, len(_NUMBERS) - 1)
        rows, side, result = rows[by_match], side[by_match], result[by_match]
        counts = _with_all(self._table(at[rows], (numbers, len(_NUMBERS)), (side, 2), (result, results)), 1)
        self._add("try_number", counts.sum(axis=2, dtype=np.int32), counts)

        failed = result + 1 != _PASSED
        rows, side = rows[failed], side[failed]
        before, after = (
            np.where(side == 0, deals[f"x_level_{when}"][rows], deals[f"y_level_{when}"][rows])
            for when in ("before", "after")
        )
        fell = after < before
        self._add("reset", self._table(at[rows], (side, 2)), self._table(at[rows[fell]], (side[fell], 2)))

    def _steps(self, rows: Ints) -> None:
        deals = self.deals
        axes = (deals["winner"][rows], 2), (deals["level"][rows] - 2, len(_LEVELS)), (deals["steps"][rows], 4)
        counts = _with_all(_with_all(self._table(self.at[rows], *axes), 0), 1)
        self._add("steps", counts.sum(axis=2, dtype=np.int32), counts)

    def _levels(self) -> None:
        deals, points = self.deals, self.matches["x_half_points"]
        x, y = deals["x_level_before"], deals["y_level_before"]
        legs = len(points) // self.size
        match = self.at * legs + deals["leg"] - 1
        axes = (x - 2, len(_LEVELS)), (y - 2, len(_LEVELS))
        self._add("level_map", self._table(self.at, *axes), self._table(self.at, *axes, weights=points[match]))

        starts = np.flatnonzero(deals["deal"] == 1)  # every match has a first deal, in the order of `matches`
        at = (self.matches["pair"] - self.first).astype(np.int32)
        lead = x - y
        n, gained = [], []
        for deficit, own in (
            (-np.minimum.reduceat(lead, starts), points),
            (np.maximum.reduceat(lead, starts), 2 - points),
        ):
            for least in BEHIND:
                was = deficit >= least
                n.append(self._table(at[was]))
                gained.append(self._table(at[was], weights=own[was]))
        self._add("comeback", np.stack(n), np.stack(gained))

    def _matches(self) -> None:
        matches, points = self.matches, self.matches["x_half_points"]
        at = (matches["pair"] - self.first).astype(np.int32)
        first = matches["first_at_a"]
        own = (first == 0, points), (first == 1, 2 - points)
        self._add(
            "first_at_a",
            np.stack([self._table(at[was]) for was, _ in own]),
            np.stack([self._table(at[was], weights=gained[was]) for was, gained in own]),
        )
        ends = self._table(at, (matches["end_reason"], len(MATCH_ENDS)))
        self._add("match_end", ends.sum(axis=0, dtype=np.int32), ends)
        forfeited = matches["end_reason"] == _FORFEIT
        lost = self._table(at[forfeited], (points[forfeited] // 2, 2))  # side x if it has no point of two
        self._add("forfeit", ends.sum(axis=0, dtype=np.int32), lost)

    def _faults(self) -> None:
        n = self.pairs["deals"].astype(np.int32)
        y = np.zeros((2, len(REASONS), self.size), np.int32)
        if self.faults and len(self.faults["pair"]):
            at = (self.faults["pair"] - self.first).astype(np.int32)
            y = self._table(at, (self.faults["side"], 2), (self.faults["reason"], len(REASONS)))
        self._add("fault", np.stack([n, n]), y)


def _with_refused(counts: Ints) -> Ints:
    """Put both refusals together, and all kinds, behind the kinds of tribute."""
    refused = counts[_SINGLE_REFUSED] + counts[_DOUBLE_REFUSED]
    return np.concatenate([counts, refused[None], counts.sum(axis=0, keepdims=True, dtype=np.int32)])


def _ranks(cards: Ints, level: Ints) -> Ints:
    ranks = _RANK_OF[cards]
    ranks[ranks == level - 2] = _LEVEL_RANK
    return ranks


def _histograms(matches: Rows) -> list[tuple[int, str, str, int]]:
    """Give (cube, part, cell, matches) of every value that occurred."""
    names = tuple(CUBE_WORDS)
    found = []
    for name, part, column in (
        ("length", "all", "deals"),
        ("lead_changes", "all", "lead_changes"),
        ("a_fails", "x", "x_a_fails"),
        ("a_fails", "y", "y_a_fails"),
    ):
        counts = np.bincount(matches[column])
        found += [(names.index(name), part, str(value), int(counts[value])) for value in np.flatnonzero(counts)]
    return found


def _columns(sums: Mapping[str, Ints], histograms: Sequence[tuple[int, str, str, int]]) -> dict[str, Ints | list[str]]:
    cubes, parts, cells, numbers = [], [], [], []
    for code, (name, counted) in enumerate(sums.items()):
        if name in _EITHER:
            counted[:, 1] = counted[:, 0]
            n, y, nn, yy, ny = counted[:, 0, 1:].T
            counted[:, 1, 2], counted[:, 1, 4], counted[:, 1, 5] = n - y, nn - 2 * ny + yy, nn - ny
        occurred = counted[:, 0, 0] > 0
        width = counted.shape[1]
        cubes.append(np.full(int(occurred.sum()) * width, code, np.int16))
        parts += np.repeat(_PARTS[name][occurred], width).tolist()
        cells += np.tile(_CELLS[name], int(occurred.sum())).tolist()
        numbers.append(counted[occurred].reshape(-1, len(SUMS)))
    cubes.append(np.array([row[0] for row in histograms], np.int16))
    parts += [row[1] for row in histograms]
    cells += [row[2] for row in histograms]
    only = np.full((len(histograms), len(SUMS)), -1, np.int64)
    only[:, SUMS.index("k")] = [row[3] for row in histograms]
    every = np.concatenate([*numbers, only])
    return {
        "cube": np.concatenate(cubes),
        "part": parts,
        "cell": cells,
        **{name: every[:, k].copy() for k, name in enumerate(SUMS)},
    }


def added(parts: Sequence[Mapping[str, Any]]) -> dict[str, Ints | list[str]]:
    """Add the cubes of blocks, as `cubes` gives them: what it gives for the pairs of all of them."""
    total: dict[tuple[int, str, str], Ints] = {}
    for raw in parts:
        keys = zip(np.asarray(raw["cube"]).tolist(), raw["part"], raw["cell"], strict=True)
        for key, row in zip(keys, np.stack([raw[name] for name in SUMS], axis=1).astype(np.int64), strict=True):
            total[key] = total[key] + row if key in total else row
    order = sorted(total, key=_position)
    every = np.maximum(np.stack([total[key] for key in order]), -1)  # what histograms leave out stays left out
    return {
        "cube": np.array([cube for cube, _, _ in order], np.int16),
        "part": [part for _, part, _ in order],
        "cell": [cell for _, _, cell in order],
        **{name: every[:, k].copy() for k, name in enumerate(SUMS)},
    }


def _position(key: tuple[int, str, str]) -> tuple[int, int, int]:
    cube, part, cell = key
    name = tuple(CUBE_WORDS)[cube]
    if name in HISTOGRAMS:
        return cube, ("all", *_SIDES).index(part), int(cell)
    parts, cells = _places(name)
    return cube, parts[part], cells[cell]


@cache
def _places(name: str) -> tuple[dict[str, int], dict[str, int]]:
    parts, cells = _PARTS[name].tolist(), _CELLS[name].tolist()
    return {part: k for k, part in enumerate(parts)}, {cell: k for k, cell in enumerate(cells)}
