"""`python -m benchmarks.styles`: each style of play against its base on the same pairs, and the anchors of real play.

What is printed are the Markdown tables of docs/styles.md: the rate in which a style differs, with the difference of the
two sides on common pairs and its interval, and what the style costs in levels and matches. The same seed gives the same
tables.
"""

import argparse
import tempfile
from collections.abc import Mapping
from pathlib import Path

from benchmarks.ladder import number, percent, points
from sim import figures, run
from sim.provenance import usable_cpus
from sim.reading import open_tables, snapshot
from sim.request import new_request
from sim.stats import ClusterSums, CrossSums, Estimate, NotEstimable, cluster_difference, cluster_ratio
from strategies.styles import STYLES

SUMS = ("pairs", "n", "y", "nn", "yy", "ny")
BOMBS = ("bombs_of_4", "bombs_of_5", "straight_flushes", "bombs_of_6_up", "joker_bombs")
PLAYERS = ("greedy", "solid", "expert")
"""Whose rates stand beside the anchors."""


def play(x: str, y: str, pairs: int, seed: int, workers: int, folder: Path) -> figures.Headline:
    """Play a run that counts style."""
    block_pairs = max(1, pairs // 20)
    request = new_request(x, y, pairs=pairs, seed=seed, detail="pairs", block_pairs=block_pairs, style=True)
    run.play(run.start(request, folder), run.LocalExecutor(workers), lambda _: None)
    return figures.headline(folder)


def rates(folder: Path) -> dict[str, dict[str, int]]:
    """Read the sums of every rate over all hands."""
    with open_tables(snapshot(folder)) as tables:
        names = [f"{side}_{name}" for side in ("x", "y") for name in SUMS] + ["nn", "ny", "yn", "yy"]
        columns = ", ".join(f"sum({name})::bigint" for name in names)
        rows = tables.rows(f"select rate, {columns} from style where role = 'all' group by rate")
    return {rate: dict(zip(names, sums, strict=True)) for rate, *sums in rows}


def sums_of(row: Mapping[str, int], side: str) -> ClusterSums:
    """Give one side's cluster sums of a rate."""
    return ClusterSums(*(row[f"{side}_{name}"] for name in SUMS))


def difference(row: Mapping[str, int], pairs: int) -> Estimate | NotEstimable:
    """Give x's rate minus y's on the same pairs."""
    cross = CrossSums(row["nn"], row["ny"], row["yn"], row["yy"])
    return cluster_difference(sums_of(row, "x"), sums_of(row, "y"), cross, pairs)


def print_styles(pairs: int, seed: int, workers: int) -> None:
    """Print the table of styles."""
    heads = ("style", "中文", "rate", "style, %", "base, %", "difference", "levels a deal", "matches won, %")
    print(f"| {' | '.join(heads)} |\n|{' --- |' * len(heads)}")
    for name, style in STYLES.items():
        with tempfile.TemporaryDirectory() as folder:
            found = play(name, style.base, pairs, seed, workers, Path(folder) / "run")
            row = rates(Path(folder) / "run")[style.rate]
        x, y = (cluster_ratio(sums_of(row, side)) for side in ("x", "y"))
        cells = (
            f"`{name}`",
            style.zh_name,
            f"`{style.rate}`",
            percent(x),
            percent(y),
            points(difference(row, found.pairs)),
            number(found.score.signed_steps),
            percent(found.score.match),
        )
        print(f"| {' | '.join(cells)} |", flush=True)


def print_anchors(pairs: int, seed: int, workers: int) -> None:
    """Print how the players stand to what is known of strong programs and people."""
    print("| player (against itself) | bombs a hand | of four, % | of five, % | straight flushes, % |", end="")
    print(" passed on partner, % | decisions a deal |\n|" + " --- |" * 7)
    for name in PLAYERS:
        with tempfile.TemporaryDirectory() as folder:
            found = play(name, name, pairs, seed, workers, Path(folder) / "run")
            rows = rates(Path(folder) / "run")
            with open_tables(snapshot(Path(folder) / "run")) as tables:
                ((decisions,),) = tables.rows("select sum(plays + passes) / sum(deals) from pairs")
        bombs = {kind: sums_of(rows[kind], "x") + sums_of(rows[kind], "y") for kind in BOMBS}
        every = sum(sums.y for sums in bombs.values())
        hands = bombs["bombs_of_4"].n
        passed = cluster_ratio(sums_of(rows["passed_on_partner"], "x"))
        shares = (100 * bombs[kind].y / every for kind in ("bombs_of_4", "bombs_of_5", "straight_flushes"))
        cells = (
            f"`{name}`, {found.pairs:,} pairs",
            f"{every / hands:.2f}",
            *(f"{share:.0f}" for share in shares),
            percent(passed),
            f"{decisions:.1f}",
        )
        print(f"| {' | '.join(cells)} |", flush=True)


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.styles", description=__doc__)
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--pairs", type=int, default=2_000)
    parser.add_argument("--workers", type=int, default=usable_cpus())
    asked = parser.parse_args()
    print_styles(asked.pairs, asked.seed, asked.workers)
    print()
    print_anchors(max(30, asked.pairs // 10), asked.seed, asked.workers)


if __name__ == "__main__":
    main()
