"""A strategy that asks a network, for many tables at once. It needs `pip install onnxruntime`.

The network scores each legal play from what `features` says of it; make_network.py made it. All its numbers are whole,
so that it scores a play alike on every machine and whatever else is in the batch.
"""

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from engine.batch import Batch
from strategies.api import BatchStrategy
from strategies.examples.batch import first_of_best

N_FEATURES = 19


class Imitator(BatchStrategy):
    """Play what a small network has learned from the strategy greedy."""

    zh, en = "小神经网络，学自 greedy", "a small network that has learned from greedy"
    deterministic = True
    files = ("network.onnx",)  # part of its hash, as its source is
    requires = ("onnxruntime",)  # likewise the version

    def __init__(self, **settings: int) -> None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1  # the blocks of a run are what is done in parallel
        path = Path(__file__).with_name(self.files[0])
        self._session: Any = onnxruntime.InferenceSession(path.read_bytes(), options, ["CPUExecutionProvider"])

    def play(self, batch: Batch) -> npt.NDArray[np.int64]:
        """Take the play of the highest score at each table."""
        rows = np.repeat(np.arange(batch.size), np.diff(batch.offsets))
        mate = batch.holder == (batch.seat ^ 2)
        own = np.take_along_axis(batch.left, batch.seat[:, None].astype(np.int64), 1)[:, 0]
        seen = features(batch.codes, batch.to_beat[rows], mate[rows], own[rows], nearest(batch.left, batch.seat)[rows])
        (scores,) = self._session.run(None, {"plays": seen})
        return first_of_best(scores[:, 0].astype(np.int64), batch.offsets)


def nearest(left: npt.NDArray[Any], seat: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """Count the cards of the opponent who is closest to going out: [n], from left [n, 4] and seat [n]."""
    opponents = np.where((np.arange(4) ^ seat[:, None]) & 1 & (left > 0), left, 28)
    return np.asarray(opponents.min(1), np.int64)


def features(
    codes: npt.NDArray[Any],
    to_beat: npt.NDArray[Any],
    mate: npt.NDArray[Any],
    own: npt.NDArray[Any],
    near: npt.NDArray[Any],
) -> npt.NDArray[np.uint8]:
    """Describe plays, [n, N_FEATURES] uint8: codes, play to beat, is it the partner's, cards of oneself and nearest."""
    kind = (codes >> 28).astype(np.int64)
    columns = [
        9 * (codes >> 24 & 15),
        17 * (codes >> 20 & 15),
        80 * (codes >> 18 & 3),
        255 * (to_beat == 0),
        255 * mate,
        9 * np.minimum(own, 28),
        9 * near,
        255 * (own == (codes >> 24 & 15)),
        *(255 * (kind == k) for k in range(11)),
    ]
    return np.stack(columns, 1).astype(np.uint8)
