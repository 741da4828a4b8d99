"""Fit the weights of expert to what becomes of deals.

    python -m strategies.fitting rows FOLDER --seed 1 --matches 500
    python -m strategies.fitting fit FOLDER/*.rows

`rows` plays expert against itself, tries several plays at one decision in a few and plays the deal out after each
(strategies/csrc/fit/outcomes.c). `fit` explains how the six results of a deal differ between the plays of a decision by
how their features differ, and writes strategies/csrc/expert_table.h: one linear model a result and context, those of
the contexts drawn towards the one of all. Build again, play old against new on boards, and repeat: the rows of a better
player make a better table until nothing is gained any more.

Plays whose score lies below the best of their decision count less, since only those near it are ever chosen.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

Floats = np.ndarray[Any, np.dtype[np.float64]]

ROOT: Final = Path(__file__).resolve().parent.parent
CSRC: Final = ROOT / "strategies" / "csrc"
TABLE: Final = CSRC / "expert_table.h"

LEVELS: Final = np.array([3.0, 2.0, 1.0, -3.0, -2.0, -1.0])
"""What the results of gd_result bring, in levels."""

UNIT: Final = 10_000
"""A weight of one in the table: certainty."""

_HEAD: Final = 4
_ONE: Final = 64

PRIOR_ALL: Final = 0.5
"""Spread, as a chance, within which the weights of all contexts together are expected about zero."""
PRIOR_CONTEXT: Final = 0.02
"""And those of a context about the weights of all."""
NEAR: Final = 0.2
"""Levels below the best score of a decision at which a play counts half."""


def names(macro: str, header: str = "expert_features.h") -> list[str]:
    """List the names of an X-macro list in a header: X features, C contexts."""
    return re.findall(rf"^ +{macro}\((\w+),", (CSRC / header).read_text(), re.MULTILINE)


def read_table(path: Path = TABLE) -> Floats:
    """Read the table: [contexts, features, 6], chances."""
    found = re.findall(r"\] = \{(-?\d+(?:, -?\d+){5})\}", path.read_text())
    values = np.array([[int(n) for n in row.split(", ")] for row in found], dtype=float)
    return values.reshape(len(names("C")), len(names("X")), 6) / UNIT


def write_table(table: Floats, path: Path = TABLE) -> None:
    """Write a table as the header that expert includes."""
    whole = np.clip(np.round(table * UNIT), -32768, 32767).astype(int)
    lines = [
        "/* Written by strategies/fitting.py: what a feature adds to the chance of each result, in ten-thousandths. */",
        "#ifndef EXPERT_TABLE_H",
        "#define EXPERT_TABLE_H",
        "",
        '#include "expert.h"',
        "",
        "/* clang-format off */",
        "static const int16_t expert_table[EXPERT_CONTEXTS][EXPERT_FEATURES][EXPERT_RESULTS] = {",
    ]
    for context, rows in zip(names("C"), whole, strict=True):
        lines.append(f"    [EXPERT_IN_{context}] = {{")
        for feature, row in zip(names("X"), rows, strict=True):
            lines.append(f"        [EXPERT_{feature}] = {{{', '.join(map(str, row))}}},")
        lines.append("    },")
    lines += ["};", "/* clang-format on */", "", "#endif", ""]
    path.write_text("\n".join(lines))


@dataclass(frozen=True)
class Rows:
    """Plays tried: features [n, features], result 0..5, context, and where each decision starts in them."""

    features: Floats
    results: np.ndarray[Any, np.dtype[np.int64]]
    contexts: np.ndarray[Any, np.dtype[np.int64]]
    starts: np.ndarray[Any, np.dtype[np.int64]]


def read_rows(path: Path) -> Rows:
    """Read a file of outcomes.c."""
    raw = np.fromfile(path, dtype=np.int16).reshape(-1, _HEAD + len(names("X")))
    position = raw[:, 0].astype(np.int64) + (raw[:, 1].astype(np.int64) << 15)
    starts = np.flatnonzero(np.r_[True, position[1:] != position[:-1]])
    return Rows(raw[:, _HEAD:] / _ONE, raw[:, 2].astype(np.int64), raw[:, 3].astype(np.int64), starts)


def _within(rows: Rows, table: Floats) -> tuple[Floats, Floats]:
    """Features and results less their mean in the decision, each row times the root of its weight."""
    sizes = np.diff(np.r_[rows.starts, len(rows.results)])
    decision = np.repeat(np.arange(len(sizes)), sizes)
    score = np.einsum("nf,nf->n", rows.features, (table @ LEVELS)[rows.contexts])
    gap = np.maximum.reduceat(score, rows.starts)[decision] - score
    weight = (1 / (1 + gap / NEAR))[:, None]

    def centred(values: Floats) -> Floats:
        total, mass = np.add.reduceat(values * weight, rows.starts), np.add.reduceat(weight, rows.starts)
        out: Floats = (values - (total / mass)[decision]) * np.sqrt(weight)
        return out

    return centred(rows.features), centred(np.eye(6)[rows.results])


def fit(files: Sequence[Path], table: Floats) -> Floats:
    """Fit a table to the rows of the files; `table` is the one they were played with, by which rows are weighted.

    Ridge regression, a model a result: the weights of all contexts are drawn to zero, those of one context to them.
    """
    contexts, features, _ = table.shape
    xx, xy = np.zeros((contexts, features, features)), np.zeros((contexts, features, 6))
    yy, n = np.zeros((contexts, 6)), np.zeros(contexts)
    for path in files:
        rows = read_rows(path)
        x, y = _within(rows, table)
        for k in range(contexts):
            here = rows.contexts == k
            xx[k] += x[here].T @ x[here]
            xy[k] += x[here].T @ y[here]
            yy[k] += (y[here] ** 2).sum(axis=0)
            n[k] += here.sum()
    out = np.zeros_like(table)
    for result in range(6):
        noise = (yy[:, result].sum() / n.sum() + 1e-9) / PRIOR_ALL**2
        common = np.linalg.solve(xx.sum(axis=0) + np.eye(features) * noise, xy[:, :, result].sum(axis=0))
        for k in range(contexts):
            noise = (yy[k, result] / max(n[k], 1) + 1e-9) / PRIOR_CONTEXT**2
            out[k, :, result] = np.linalg.solve(xx[k] + np.eye(features) * noise, xy[k, :, result] + common * noise)
    return out


def build(folder: Path) -> Path:
    """Compile outcomes.c with the engine and the strategies as they stand."""
    program = folder / "outcomes"
    sources = [CSRC / "fit" / "outcomes.c", *sorted((ROOT / "engine" / "csrc").glob("gd_*.c"))]
    sources += [path for path in sorted(CSRC.glob("*.c")) if path.name != "binding.c"]
    compiler = os.environ.get("CC") or (sysconfig.get_config_var("CC") or "cc").split()[0]
    flags = ["-std=c11", "-O3", "-DNDEBUG", "-ffp-contract=off", f"-I{ROOT / 'engine' / 'csrc'}", f"-I{CSRC}"]
    subprocess.run([compiler, *flags, *map(str, sources), "-o", str(program)], check=True)
    return program


def play_rows(program: Path, seed: int, first: int, matches: int, share: int, path: Path) -> None:
    """Play matches `first` and on of a seed and write their rows to `path`."""
    subprocess.run([str(program), *map(str, (seed, first, matches, share)), str(path)], check=True)


def main(arguments: Sequence[str] | None = None) -> None:
    """Play rows or fit them."""
    parser = argparse.ArgumentParser(prog="python -m strategies.fitting", description="Fit the weights of expert.")
    commands = parser.add_subparsers(dest="command", required=True)
    rows = commands.add_parser("rows", help="play rows into a folder")
    rows.add_argument("folder", type=Path)
    rows.add_argument("--seed", type=int, default=1)
    rows.add_argument("--matches", type=int, default=500)
    rows.add_argument("--share", type=int, default=4, help="one decision in so many is tried out")
    fitted = commands.add_parser("fit", help="fit rows and write the table")
    fitted.add_argument("files", type=Path, nargs="+")
    chosen = parser.parse_args(arguments)
    if chosen.command == "rows":
        chosen.folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as folder:
            path = chosen.folder / f"{chosen.seed}.rows"
            play_rows(build(Path(folder)), chosen.seed, 0, chosen.matches, chosen.share, path)
        return
    table = fit(chosen.files, read_table())
    write_table(table)
    for feature, row in zip(names("X"), np.transpose(table @ LEVELS * 1000), strict=True):
        sys.stdout.write(f"{feature:16}" + "".join(f"{value:8.0f}" for value in row) + "\n")


if __name__ == "__main__":
    main()
