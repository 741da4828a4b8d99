"""`python -m benchmarks.ladder`: how strong the players are, each against the next below, by duplicate pairs.

Every rung is an ordinary run (two matches a pair on the same deals, sides exchanged); what is printed is the Markdown
table of docs/ladder.md. The same seed gives the same table.
"""

import argparse
import tempfile
from dataclasses import dataclass
from pathlib import Path

from sim import figures, run
from sim.provenance import usable_cpus
from sim.reading import open_tables, snapshot
from sim.request import new_request
from sim.stats import ClusterSums, CrossSums, Estimate, NotEstimable, cluster_difference


@dataclass(frozen=True)
class Rung:
    """Two players and the number of pairs that settles which is stronger."""

    x: str
    y: str
    pairs: int


RUNGS = (
    Rung("greedy", "random", 1_000),
    Rung("solid", "greedy", 4_000),
    Rung("expert", "greedy", 1_000),
    Rung("expert", "solid", 4_000),
    Rung("search", "expert", 400),
    Rung("solid", "solid?match=0", 20_000),
)


HEADS = (
    *("match-up", "pairs", "matches won, %", "deals won, %", "levels a deal"),
    "A passed a try: x / y; x - y, %",
)


def percent(figure: Estimate | NotEstimable) -> str:
    """Write a rate with its interval."""
    if isinstance(figure, NotEstimable):
        return "-"
    return f"{100 * figure.value:.1f} ({100 * figure.lo:.1f}-{100 * figure.hi:.1f})"


def number(figure: Estimate | NotEstimable) -> str:
    """Write a mean with its interval."""
    if isinstance(figure, NotEstimable):
        return "-"
    return f"{figure.value:+.3f} ({figure.lo:+.3f} to {figure.hi:+.3f})"


def points(figure: Estimate | NotEstimable) -> str:
    """Write a difference of rates in points of a hundred, with its interval."""
    if isinstance(figure, NotEstimable):
        return "-"
    return f"{100 * figure.value:+.1f} ({100 * figure.lo:+.1f} to {100 * figure.hi:+.1f})"


def difference_at_a(folder: Path) -> Estimate | NotEstimable:
    """Compare how often the sides pass A a try, on the same pairs."""
    with open_tables(snapshot(folder)) as tables:
        rows = tables.rows("select x_a_attempts, x_a_passed, y_a_attempts, y_a_passed from pairs order by pair")
    n_x, y_x, n_y, y_y = (list(column) for column in zip(*rows, strict=True))
    cross = CrossSums.of((n_x, y_x), (n_y, y_y))
    return cluster_difference(ClusterSums.of(n_x, y_x), ClusterSums.of(n_y, y_y), cross, len(rows))


def measure(rung: Rung, seed: int, workers: int, folder: Path) -> str:
    """Play a rung and give its line of the table."""
    request = new_request(
        rung.x, rung.y, pairs=rung.pairs, seed=seed, detail="pairs", block_pairs=max(1, rung.pairs // 20)
    )
    run.play(run.start(request, folder), run.LocalExecutor(workers), lambda _: None)
    found = figures.headline(folder)
    passed = " / ".join(percent(found.pass_a[side].results["passed"]) for side in ("x", "y"))
    passed += f"; {points(difference_at_a(folder))}"
    cells = (
        f"`{rung.x}` v `{rung.y}`",
        f"{found.pairs:,}",
        percent(found.score.match),
        percent(found.score.deal_win),
        number(found.score.signed_steps),
        passed,
    )
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Play the rungs asked for and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ladder", description=__doc__)
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--scale", type=float, default=1.0, help="pairs of every rung, times this")
    parser.add_argument("--workers", type=int, default=usable_cpus())
    parser.add_argument("--only", default="", metavar="X", help="only rungs with this player on the left")
    asked = parser.parse_args()
    print(f"| {' | '.join(HEADS)} |\n|{' --- |' * len(HEADS)}")
    for rung in RUNGS:
        if asked.only in ("", rung.x):
            scaled = Rung(rung.x, rung.y, max(30, round(rung.pairs * asked.scale)))
            with tempfile.TemporaryDirectory() as folder:
                print(measure(scaled, asked.seed, asked.workers, Path(folder) / "run"), flush=True)


if __name__ == "__main__":
    main()
