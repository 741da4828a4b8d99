"""A million matches on Ray with every deal a row: how long, how near the engine's own rate, and whether it stays flat.

`python -m benchmarks.million` plays 500,000 pairs of greedy against a variant of it by the `guandan run` command, and
beside it, before and after, the same pairs by the engine alone in as many threads, with deal rows in memory and nothing
written.
"""

import argparse
import re
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from engine.bulk import play_pairs
from engine.rules import NATIONAL
from sim import store
from sim.provenance import usable_cpus
from strategies.registry import load

X, Y, SEED = "greedy", "greedy?pass=60", 1
WINDOW = 100_000


def engine_rate(workers: int, pairs: int) -> float:
    """Play pairs in threads, rows in memory; matches a second of all threads together."""
    x, y = load(X), load(Y)
    ranges = [range(k * pairs, (k + 1) * pairs) for k in range(workers)]
    with ThreadPoolExecutor(workers) as pool:
        began = time.perf_counter()
        legs = sum(
            int(tables.pairs["legs"].sum())
            for tables in pool.map(lambda part: play_pairs(x, y, NATIONAL, SEED, part, detail="deals"), ranges)
        )
        return legs / (time.perf_counter() - began)


def by_window(folder: Path) -> list[float]:
    """Give the rate of each hundred thousand matches after the first.

    A block is longer than a window may be off by, so its matches are spread evenly over the time it was played.
    """
    when = store.commit_times(folder)
    records = list(store.records(folder))
    ends = np.array([when[each.block.stem] for each in records])
    begins = ends - [each.seconds for each in records]
    matches = np.array([each.matches for each in records])
    times = np.unique(np.concatenate([begins, ends]))
    done = (matches * np.clip((times[:, None] - begins) / (ends - begins), 0, 1)).sum(axis=1)
    marks = np.interp(np.arange(WINDOW, matches.sum() + 1, WINDOW), done, times)
    return [float(rate) for rate in WINDOW / np.diff(marks)]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.million", description=__doc__)
    parser.add_argument("--pairs", type=int, default=500_000)
    parser.add_argument("--on", choices=("ray", "local"), default="ray")
    asked = parser.parse_args()
    workers = usable_cpus()
    before = engine_rate(workers, 10_000)
    with tempfile.TemporaryDirectory() as folder:
        command = [str(Path(sys.executable).with_name("guandan")), "run", X, Y, "--pairs", str(asked.pairs), "--out"]
        command += [f"{folder}/run", "--seed", str(SEED), "--on", asked.on, "--workers", str(workers), "--lang", "en"]
        text = subprocess.run(command, check=True, capture_output=True, text=True).stderr
        found = re.search(r"([\d,]+) matches in ([\d.,]+) s, ([\d,]+) matches/s", text)
        assert found is not None, text
        windows = by_window(Path(folder) / "run")
        size = sum(path.stat().st_size for path in (Path(folder) / "run/deals").iterdir())
        rows = sum(store.rows_of(each, "deals") for each in store.records(Path(folder) / "run"))
    after = engine_rate(workers, 10_000)
    rate, own = float(found[3].replace(",", "")), (before + after) / 2
    print(f"{found[0]} after start, {workers} workers on {asked.on}, {rows:,} deal rows of {size / rows:.1f} bytes")
    print(
        f"the engine alone, rows in memory: {before:,.0f} before, {after:,.0f} after; the run reaches {rate / own:.0%}"
    )
    if windows:
        rates = " ".join(f"{rate:,.0f}" for rate in windows)
        print(f"rate of each {WINDOW:,} matches after the first: {rates} (in the last, workers have no block left)")


if __name__ == "__main__":
    main()
