"""Read the cubes of a match-up as sums over pairs, whatever rows the run keeps."""

from __future__ import annotations

from sim.cube_words import HISTOGRAMS
from sim.figures import Figure, share
from sim.reading import Tables
from sim.stats import ClusterSums, NotEstimable, cluster_rate, cluster_ratio, enough


class CubeSums:
    """Hold the cubes of a match-up, added up over its blocks; a run from before schema 1.4 has none."""

    def __init__(self, tables: Tables) -> None:
        self.kept = tables.snapshot.has("cubes")
        ((self.pairs, matches),) = tables.rows("select count(*), coalesce(sum(legs), 0) from pairs")
        self.matches = int(matches)
        self._sums: dict[str, dict[str, dict[str, ClusterSums]]] = {}
        self._histograms: dict[tuple[str, str], dict[int, int]] = {}
        columns = ", ".join(f"sum({name})" for name in ("pairs", "n", "k", "nn", "kk", "nk"))
        for cube, part, cell, *sums in tables.rows(f"select cube, part, cell, {columns} from cubes group by all"):
            if cube in HISTOGRAMS:
                self._histograms.setdefault((cube, part), {})[int(cell)] = int(sums[2])
            else:
                cells = self._sums.setdefault(cube, {}).setdefault(part, {})
                cells[cell] = ClusterSums(*(int(value) for value in sums))

    def parts(self, cube: str) -> dict[str, dict[str, ClusterSums]]:
        """Give the sums of a cube by part and cell; parts that never occurred are absent."""
        return self._sums.get(cube, {})

    def rate(self, cube: str, part: str, cell: str) -> Figure:
        """Give the rate of a cell within its part."""
        return share(self.parts(cube), part, cell) if self.kept else NotEstimable("not_kept")

    def score(self, cube: str, part: str) -> Figure:
        """Give a match score from half points."""
        if not self.kept:
            return NotEstimable("not_kept")
        cells = self.parts(cube).get(part)
        return enough(cluster_rate(cells["half_points"], scale=2)) if cells else NotEstimable("no_data")

    def in_matches(self, cube: str, part: str, cell: str | None = None, *, rate: bool = True) -> Figure:
        """Give occasions of a part, or events of a cell, out of all matches; `rate` where a match has one at most.

        Every pair has the same number of matches, so that all sums are those of the cube.
        """
        if not self.kept or not self.pairs:
            return NotEstimable("no_data" if self.kept else "not_kept")
        legs = self.matches // self.pairs
        cells = self.parts(cube).get(part, {})
        found = next(iter(cells.values()), ClusterSums(0, 0, 0, 0, 0, 0)) if cell is None else cells.get(cell)
        k, kk = (0, 0) if found is None else (found.n, found.nn) if cell is None else (found.y, found.yy)
        sums = ClusterSums(self.pairs, self.matches, k, legs * self.matches, kk, legs * k)
        # nothing seen of a mean: Wilson's bound for as many pairs, not an interval of no width
        return enough(cluster_rate(sums) if rate or not k else cluster_ratio(sums))

    def histogram(self, cube: str, part: str = "all") -> dict[int, int]:
        """Give the matches by value, ascending."""
        return dict(sorted(self._histograms.get((cube, part), {}).items()))
