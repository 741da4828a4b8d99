"""Make network.onnx: let a small network learn which play greedy takes. It needs `pip install onnx` and half a minute.

    python -m strategies.examples.make_network

Two layers, trained with numbers of 32 bits and then rounded to whole ones.
"""

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from engine.rules import NATIONAL
from strategies.conformance import positions
from strategies.examples.network import N_FEATURES, features, nearest
from strategies.registry import load

POSITIONS, HIDDEN, STEPS, RATE, SEED = 3_000, 32, 300, 0.02, 1

Floats = npt.NDArray[np.float32]


def lesson() -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Collect features of all plays, [m, N_FEATURES], where each position begins, [n], and what greedy took, [n]."""
    greedy = load("greedy").capsule
    seen, taken = [], []
    for _, position in zip(range(POSITIONS), positions(NATIONAL, SEED), strict=False):
        if position.question != "play":
            continue
        seat, _, _, holder, to_beat, *_ = position.table.question
        codes = np.array(position.codes(), np.uint32)
        left = np.array([[len(hand) for hand in position.table.hands]])
        many = np.ones(len(codes), np.int64)
        near = nearest(left, np.array([seat]))[0]
        seen.append(features(codes, to_beat * many, (holder == seat ^ 2) * many, left[0, seat] * many, near * many))
        taken.append(position.ask(native=greedy).index)
    begins = np.cumsum([0, *(len(each) for each in seen[:-1])])
    return np.concatenate(seen), begins, np.array(taken)


def train(seen: npt.NDArray[np.uint8], begins: npt.NDArray[np.int64], taken: npt.NDArray[np.int64]) -> list[Floats]:
    """Raise the share of greedy's choices by gradient steps (Kingma and Ba 2015): both layers and the first bias."""
    rng = np.random.default_rng(SEED)
    x = seen.astype(np.float32) / 255
    weights: list[Floats] = [
        rng.normal(0, 0.3, (N_FEATURES, HIDDEN)).astype(np.float32),
        np.zeros(HIDDEN, np.float32),
        rng.normal(0, 0.3, (HIDDEN, 1)).astype(np.float32),
    ]
    first, second = [np.zeros_like(w) for w in weights], [np.zeros_like(w) for w in weights]
    rows = np.repeat(np.arange(len(begins)), np.diff([*begins, len(x)]))
    wanted = np.zeros(len(x), np.float32)
    wanted[begins + taken] = 1
    for step in range(1, STEPS + 1):
        hidden = np.clip(x @ weights[0] + weights[1], 0, 1)
        scores = 8 * (hidden @ weights[2])[:, 0]
        chance = np.exp(scores - np.maximum.reduceat(scores, begins)[rows])
        chance /= np.add.reduceat(chance, begins)[rows]
        error = 8 * (chance - wanted)[:, None] / len(begins)
        back = (error @ weights[2].T) * ((hidden > 0) & (hidden < 1))
        for k, gradient in enumerate((x.T @ back, back.sum(0), hidden.T @ error)):
            first[k] = 0.9 * first[k] + 0.1 * gradient
            second[k] = 0.999 * second[k] + 0.001 * gradient**2
            scaled = first[k] / (1 - 0.9**step) / (np.sqrt(second[k] / (1 - 0.999**step)) + 1e-8)
            weights[k] = np.clip(weights[k] - RATE * scaled, -1.9, 1.9).astype(np.float32)
    return weights


def write(weights: list[Floats], path: Path) -> None:
    """Write the network with whole numbers: uint8 in, int8 weights, int32 sums."""
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    # A first sum of 1.0 becomes 255 * 64; divided by 64 it fills the uint8 that goes on.
    one = np.round(weights[0] * 64).astype(np.int8)
    bias = np.round(weights[1] * 64 * 255).astype(np.int32)
    two = np.round(weights[2] * 64).astype(np.int8)
    constants: dict[str, npt.NDArray[Any]] = {
        "one": one,
        "bias": bias,
        "none": np.array(0, np.int32),
        "most": np.array(255 * 64, np.int32),
        "scale": np.array(64, np.int32),
        "two": two,
    }
    nodes = [
        helper.make_node("MatMulInteger", ["plays", "one"], ["sums"]),
        helper.make_node("Add", ["sums", "bias"], ["shifted"]),
        helper.make_node("Clip", ["shifted", "none", "most"], ["cut"]),
        helper.make_node("Div", ["cut", "scale"], ["scaled"]),
        helper.make_node("Cast", ["scaled"], ["hidden"], to=TensorProto.UINT8),
        helper.make_node("MatMulInteger", ["hidden", "two"], ["scores"]),
    ]
    graph = helper.make_graph(
        nodes,
        "imitator",
        [helper.make_tensor_value_info("plays", TensorProto.UINT8, ["n", N_FEATURES])],
        [helper.make_tensor_value_info("scores", TensorProto.INT32, ["n", 1])],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    onnx.checker.check_model(model)
    onnx.save(model, str(path))


if __name__ == "__main__":
    seen, begins, taken = lesson()
    weights = train(seen, begins, taken)
    write(weights, Path(__file__).with_name("network.onnx"))
    scores = (np.clip(seen / 255 @ weights[0] + weights[1], 0, 1) @ weights[2])[:, 0]
    best = np.maximum.reduceat(scores, begins)
    print(f"{len(begins):,} positions, greedy's own play in {np.mean(scores[begins + taken] >= best):.1%}")
