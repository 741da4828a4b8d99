"""Pure functions of statistics; each names its source.

The unit of sampling is the pair everywhere. Degenerate input gives a typed `NotEstimable`, never an exception or a nan.
"""

from sim.stats.clusters import ClusterSums, CrossSums, cluster_difference, cluster_rate, cluster_ratio
from sim.stats.duplicate import Duplicate, DuplicateSteps, duplicate, duplicate_steps
from sim.stats.integers import Moments, mean_student, moments, quantile
from sim.stats.levels import LevelModel, LevelSolution, State
from sim.stats.proportions import clopper_pearson, jeffreys, wilson
from sim.stats.refusal import refusal_probability
from sim.stats.results import MIN_UNITS, Estimate, Interval, NotEstimable, Reason, enough

__all__ = [
    "MIN_UNITS",
    "ClusterSums",
    "CrossSums",
    "Duplicate",
    "DuplicateSteps",
    "Estimate",
    "Interval",
    "LevelModel",
    "LevelSolution",
    "Moments",
    "NotEstimable",
    "Reason",
    "State",
    "clopper_pearson",
    "cluster_difference",
    "cluster_rate",
    "cluster_ratio",
    "duplicate",
    "duplicate_steps",
    "enough",
    "jeffreys",
    "mean_student",
    "moments",
    "quantile",
    "refusal_probability",
    "wilson",
]
