"""Do all workers see the same game? Residuals of the results by worker.

Source: S. J. Haberman 1973, The Analysis of Residuals in Cross-Classified Tables; the fishtest project, get_chi2, shows
the same colours.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from sim.stats.results import NotEstimable


@dataclass(frozen=True, slots=True)
class WorkerResiduals:
    """Hold the chi-square test that all workers have one distribution, and how far each is off.

    `residual` is for each worker the chi-square of its row against all others as a normal deviate, so that a large one
    is suspicious and one about 0 or below is ordinary. `z95` and `z99` are the limits, for so many workers together
    (Bonferroni), above which it is coloured.
    """

    chi2: float
    df: int
    p: float
    residual: Mapping[str, float]
    z95: float
    z99: float


def worker_residuals(cells: Mapping[str, Sequence[int]]) -> WorkerResiduals | NotEstimable:
    """Compare the pairs of several workers, each as counts of the cells LL, LD, MID, WD, WW merged to lost, even, won.

    Outcomes that nobody had are left out. NotEstimable for fewer than two workers with pairs, or a single outcome.
    Raises ValueError for a negative count or a wrong number of cells.
    """
    for name, counts in cells.items():
        if len(counts) != 5 or min(counts) < 0:
            raise ValueError(f"a worker has five counts that are not negative, got {list(counts)} of {name}")
    names = [name for name, counts in cells.items() if sum(counts)]
    if len(names) < 2:
        return NotEstimable("one_unit" if names else "no_data", len(names), sum(sum(c) for c in cells.values()))
    five = np.array([cells[name] for name in names], float)
    seen = np.stack([five[:, :2].sum(1), five[:, 2], five[:, 3:].sum(1)], axis=1)
    seen = seen[:, seen.sum(0) > 0]
    total = seen.sum()
    if seen.shape[1] < 2:
        return NotEstimable("no_variation", len(names), int(total))
    row, column = seen.sum(1, keepdims=True), seen.sum(0, keepdims=True)
    expected = row * column / total
    off = seen - expected
    own = (off**2 / expected).sum(1) / (1 - row[:, 0] / total)
    from scipy.special import chdtrc, log_ndtr, ndtri_exp  # imported here: it takes a third of a second

    # In logarithms: a worker that is far off has a p below the smallest float.
    log_p = -own / 2 if seen.shape[1] == 3 else np.log(2) + log_ndtr(-np.sqrt(own))
    chi2, df = float((off**2 / expected).sum()), (seen.shape[0] - 1) * (seen.shape[1] - 1)
    limits = [NormalDist().inv_cdf(1 - alpha / len(names)) for alpha in (0.05, 0.01)]
    return WorkerResiduals(
        chi2,
        df,
        float(chdtrc(df, chi2)),
        {name: float(value) for name, value in zip(names, -ndtri_exp(log_p), strict=True)},
        limits[0],
        limits[1],
    )


def outlying_workers(cells: Mapping[str, Sequence[int]]) -> list[str]:
    """Name the workers beyond the 99 % limit, one at a time: the worst is taken out, then the rest are tested again.

    Otherwise one bad worker would shift what is expected of the good ones. Errors as in `worker_residuals`.
    """
    left = dict(cells)
    out: list[str] = []
    while True:
        found = worker_residuals(left)
        if isinstance(found, NotEstimable):
            return out
        worst = max(found.residual, key=lambda name: found.residual[name])
        if found.residual[worst] <= found.z99:
            return out
        out.append(worst)
        del left[worst]
