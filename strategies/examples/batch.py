"""A strategy in NumPy that is asked for many tables at once: shed as many cards as possible, the weaker of equals."""

from typing import Any

import numpy as np
import numpy.typing as npt

from engine.batch import Batch
from strategies.api import BatchStrategy


class Shedding(BatchStrategy):
    """Most cards first; bombs only where nothing else is left."""

    zh, en = "一次出牌最多的打法，不得已才出炸弹", "sheds the most cards at once, bombs only when nothing else is left"
    deterministic = True

    def play(self, batch: Batch) -> npt.NDArray[np.int64]:
        """Score every play of every table, then take the best of each table."""
        codes = batch.codes
        kind, size, power = codes >> 28, codes >> 24 & 15, codes >> 20 & 15
        scores = 100 * size.astype(np.int64) - power - 1000 * (kind >= 8)
        partner = batch.holder == (batch.seat ^ 2)
        scores[batch.offsets[:-1][partner & (batch.to_beat > 0)]] = 10_000  # a pass: the partner's play stands
        return first_of_best(scores, batch.offsets)


def first_of_best(scores: npt.NDArray[np.int64], offsets: npt.NDArray[np.integer[Any]]) -> npt.NDArray[np.int64]:
    """Give for each row of the ragged `scores`, [offsets[-1]], the index of its first greatest score."""
    rows = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    best = np.maximum.reduceat(scores, offsets[:-1])
    places = np.flatnonzero(scores == best[rows])
    _, first = np.unique(rows[places], return_index=True)
    return (places[first] - offsets[:-1]).astype(np.int64)
