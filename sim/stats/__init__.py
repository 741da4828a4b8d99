"""Pure functions of statistics; each names its source.

The unit of sampling is the pair everywhere. Degenerate input gives a typed `NotEstimable`, never an exception or a nan.
"""

from sim.stats.bootstrap import bootstrap_sums, percentile_interval, poisson_weights
from sim.stats.clusters import ClusterSums, CrossSums, cluster_difference, cluster_rate, cluster_ratio
from sim.stats.comparisons import McNemar, benjamini_hochberg, holm, mcnemar, paired_difference
from sim.stats.consistency import StepConsistency, effective_number, entropy, step_consistency
from sim.stats.cycles import Cycle, borda, copeland, longest_cycle, maximal_lottery, win_probabilities
from sim.stats.duplicate import Duplicate, DuplicateSteps, duplicate, duplicate_steps
from sim.stats.elo import FixedLength, fixed_length
from sim.stats.forfeits import FaultyPair, Soundness, ThreeScores, soundness, three_scores
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
from sim.stats.perpair import PerPair, gathered, ratio_per_pair, simultaneous_level, two_sided_p
from sim.stats.planning import (
    confidence_sequence,
    confidence_sequence_half,
    confidence_sequence_rate,
    pairs_for_half_width,
    pairs_needed,
    peeking_probability,
)
from sim.stats.proportions import Difference, clopper_pearson, jeffreys, newcombe, wilson
from sim.stats.ratings import Ratings, bradley_terry, bradley_terry_pairs, rank_intervals, win_components
from sim.stats.refusal import paid_probabilities, refusal_probability
from sim.stats.results import MIN_UNITS, Estimate, Interval, NotEstimable, Reason, enough
from sim.stats.sequential import MIN_TEST_PAIRS, Characteristics, SequentialTest, Verdict, sprt_bounds
from sim.stats.stopped import AfterStop, estimate_after_stop
from sim.stats.timings import FloatMoments, LogHistogram
from sim.stats.variance import (
    VarianceComponents,
    own_randomness,
    pairing_gain,
    skill_share,
    strategy_variance,
    variance_components,
)
from sim.stats.workers import WorkerResiduals, outlying_workers, worker_residuals

__all__ = [
    "CELL_SCORES",
    "ELO_PER_T",
    "MIN_TEST_PAIRS",
    "MIN_UNITS",
    "AfterStop",
    "Characteristics",
    "ClusterSums",
    "CrossSums",
    "Cycle",
    "Difference",
    "Duplicate",
    "DuplicateSteps",
    "Estimate",
    "FaultyPair",
    "FixedLength",
    "FloatMoments",
    "Interval",
    "LevelModel",
    "LevelSolution",
    "LogHistogram",
    "McNemar",
    "Moments",
    "NotEstimable",
    "PerPair",
    "Ratings",
    "Reason",
    "SequentialTest",
    "Soundness",
    "State",
    "StepConsistency",
    "ThreeScores",
    "VarianceComponents",
    "Verdict",
    "WorkerResiduals",
    "benjamini_hochberg",
    "bootstrap_sums",
    "borda",
    "bradley_terry",
    "bradley_terry_pairs",
    "clopper_pearson",
    "cluster_difference",
    "cluster_rate",
    "cluster_ratio",
    "confidence_sequence",
    "confidence_sequence_half",
    "confidence_sequence_rate",
    "copeland",
    "duplicate",
    "duplicate_steps",
    "effective_number",
    "elo_of_score",
    "enough",
    "entropy",
    "estimate_after_stop",
    "expected_score",
    "fixed_length",
    "gathered",
    "holm",
    "jeffreys",
    "llr",
    "llr_closed_form",
    "llr_mean",
    "llr_t",
    "longest_cycle",
    "maximal_lottery",
    "mcnemar",
    "mean_student",
    "moments",
    "newcombe",
    "outlying_workers",
    "own_randomness",
    "paid_probabilities",
    "paired_difference",
    "pairing_gain",
    "pairs_for_half_width",
    "pairs_needed",
    "peeking_probability",
    "percentile_interval",
    "poisson_weights",
    "possible_cells",
    "quantile",
    "rank_intervals",
    "ratio_per_pair",
    "refusal_probability",
    "simultaneous_level",
    "skill_share",
    "soundness",
    "sprt_bounds",
    "step_consistency",
    "strategy_variance",
    "three_scores",
    "two_sided_p",
    "variance_components",
    "wilson",
    "win_components",
    "win_probabilities",
    "worker_residuals",
]
