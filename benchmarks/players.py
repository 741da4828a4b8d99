"""Players and the ways in: deals and decisions a second of one core, both sides the same player."""

import time

from rich.table import Table

from engine.bulk import play_pairs
from engine.rules import NATIONAL
from strategies.registry import load

NATIVE = {"greedy": 400, "solid": 200, "expert": 40, "search": 1}
"""Pairs that take about a second each."""


def _rates(name: str, pairs: int) -> tuple[float, float]:
    """Deals and decisions (forced passes too) a second, the better of three turns."""
    strategy, best = load(name), (0.0, 0.0)
    for turn in range(3 if pairs > 1 else 1):
        began = time.process_time()
        played = play_pairs(strategy, strategy, NATIONAL, 5, range(turn * pairs, (turn + 1) * pairs), detail="pairs")
        took = time.process_time() - began
        deals = played.pairs["deals"].sum()
        decisions = played.pairs["plays"].sum() + played.pairs["passes"].sum()
        best = max(best, (deals / took, decisions / took))
    return best


def measure_players() -> Table:
    """Play every native player against itself."""
    out = Table("player against itself, one core", "deals/s", "decisions/s")
    for name, pairs in NATIVE.items():
        deals, decisions = _rates(name, pairs)
        out.add_row(name, f"{deals:,.0f}", f"{decisions:,.0f}")
    return out
