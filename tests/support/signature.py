"""The functional signature: what a fixed workload plays and counts, in a few numbers.

A change of code that must not change play leaves it alone; one that does says so, with the new signature in its commit.
`python -m tests.support.signature` writes tests/data/signature.json.
"""

import hashlib
import json
from pathlib import Path
from random import Random

from engine import _core
from engine.bulk import play_pairs
from engine.cards import LEVELS
from engine.ruleset import load_rules, preset_names
from strategies.registry import load

FILE = Path(__file__).parent.parent / "data" / "signature.json"


def play_counts() -> dict[str, list[int]]:
    """Count by wilds held, over fixed hands: hands, shapes and plays to lead, answers to the cheapest of them."""
    rng = Random(20261130)
    counts = {str(wilds): [0, 0, 0, 0] for wilds in range(3)}
    for pair in range(300):
        hands, _ = _core.deal_cards(1, pair, 1)
        level = pair % len(LEVELS)
        for hand in hands:
            kept = bytes(rng.sample(hand, rng.randint(1, len(hand))))
            row = counts[str(kept.count(4 * level + 1))]
            shapes = _core.Plays(kept, level, 0, False)
            answers = _core.Plays(kept, level, shapes.codes()[0])
            for k, number in enumerate((1, len(shapes), len(_core.Plays(kept, level)), len(answers))):
                row[k] += number
    return counts


def rows_digest(rules: str) -> str:
    """Digest every column of 40 pairs of each strategy against itself and the other under these rules."""
    digest = hashlib.sha256()
    for x, y in (("random", "random"), ("greedy", "greedy"), ("random", "greedy")):
        tables = play_pairs(load(x), load(y), load_rules(rules).rules, 20261130, range(40))
        for rows in (tables.pairs, tables.matches, tables.deals):
            for name, column in sorted(rows.items()):
                digest.update(name.encode() + column.tobytes())
    return digest.hexdigest()[:16]


def signature() -> dict[str, object]:
    """Compute the signature as it is stored."""
    return {"plays": play_counts(), "rows": {name: rows_digest(name) for name in preset_names()}}


if __name__ == "__main__":
    FILE.write_text(json.dumps(signature(), indent=1) + "\n")
