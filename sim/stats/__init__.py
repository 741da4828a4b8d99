"""Pure functions of statistics; each names its source.

The unit of sampling is the pair everywhere. Degenerate input gives a typed `NotEstimable`, never an exception or a nan.
"""

from sim.stats.clusters import ClusterSums, CrossSums, cluster_difference, cluster_rate, cluster_ratio
from sim.stats.duplicate import Duplicate, DuplicateSteps, duplicate, duplicate_steps
from sim.stats.elo import FixedLength, fixed_length
from sim.stats.integers import Moments, mean_student, moments, quantile
from sim.stats.levels import LevelModel, LevelSolution, State
from sim.stats.likelihood import (
    CELL_SCORES,
    ELO_PER_T,
    elo_of_score,
    expected_score,
    llr,
    llr_closed_form,
    llr_mean,
    llr_t,
    possible_cells,
)
from sim.stats.proportions import clopper_pearson, jeffreys, wilson
from sim.stats.refusal import refusal_probability
from sim.stats.results import MIN_UNITS, Estimate, Interval, NotEstimable, Reason, enough
from sim.stats.sequential import MIN_TEST_PAIRS, Characteristics, SequentialTest, Verdict, sprt_bounds
from sim.stats.stopped import AfterStop, estimate_after_stop

__all__ = [
    "CELL_SCORES",
    "ELO_PER_T",
    "MIN_TEST_PAIRS",
    "MIN_UNITS",
    "AfterStop",
    "Characteristics",
    "ClusterSums",
    "CrossSums",
    "Duplicate",
    "DuplicateSteps",
    "Estimate",
    "FixedLength",
    "Interval",
    "LevelModel",
    "LevelSolution",
    "Moments",
    "NotEstimable",
    "Reason",
    "SequentialTest",
    "State",
    "Verdict",
    "clopper_pearson",
    "cluster_difference",
    "cluster_rate",
    "cluster_ratio",
    "duplicate",
    "duplicate_steps",
    "elo_of_score",
    "enough",
    "estimate_after_stop",
    "expected_score",
    "fixed_length",
    "jeffreys",
    "llr",
    "llr_closed_form",
    "llr_mean",
    "llr_t",
    "mean_student",
    "moments",
    "possible_cells",
    "quantile",
    "refusal_probability",
    "sprt_bounds",
    "wilson",
]
