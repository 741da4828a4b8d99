"""Play random deals under the sanitizers, part by part, towards 10^8: `python -m tests.support.soak`, in `make soak`.

Each call plays for SOAK_MINUTES (5 unless set) and goes on where the last one stopped: build/soak.json counts the
deals. The count belongs to the sources as they are; where these have changed it begins anew. A fault ends the call
with status 1 and leaves the part uncounted, so that the next call meets it again.
"""

import hashlib
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

from engine.ruleset import load_rules, preset_names
from tests.slow import deals

GOAL = 100_000_000
PART = 200_000
SEED = 20261130
JUDGED = 20  # of so many deals one is judged slowly, too
FOLDER = deals.ROOT / "build"
STATE = FOLDER / "soak.json"
LISTINGS = ("all", "shapes")


def sources_digest() -> str:
    """Digest what is compiled, and the rule sets."""
    digest = hashlib.sha256()
    for pattern in ("engine/csrc/*.[ch]", "strategies/csrc/*.[ch]", "tests/slow/*.[ch]", "engine/rulesets/*.toml"):
        for path in sorted(deals.ROOT.glob(pattern)):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def read_state() -> dict[str, Any]:
    """Read how far the deals have come, or begin."""
    state: dict[str, Any] = json.loads(STATE.read_text()) if STATE.exists() else {}
    digest = sources_digest()
    if state.get("sources") == digest:
        return state
    if state:
        print(f"soak: the sources have changed since {state['deals']:,} deals: counting anew")
    return {"sources": digest, "parts": 0, "deals": 0, "plays": 0, "judged": 0}


def play_part(program: Path, state: dict[str, Any]) -> None:
    """Play the next part, each with a seed of its own, rule sets and lists in turn, and count it."""
    part, names = state["parts"], preset_names()
    name, listing = names[part % len(names)], LISTINGS[part // len(names) % len(LISTINGS)]
    rules = load_rules(name).rules
    try:
        count = deals.play(program, rules, PART, listing=listing, every=JUDGED, seed=SEED + part)
    except deals.DealFault as fault:
        sys.exit(f"soak: part {part} ({name}, {listing}, seed {SEED + part}): {fault}")
    state["parts"] += 1
    for key in ("deals", "plays", "judged"):
        state[key] += getattr(count, key)
    STATE.write_text(json.dumps(state, indent=1) + "\n")


def main() -> None:
    """Play parts until the time is up or the goal is reached."""
    minutes = os.environ.get("SOAK_MINUTES", "5")
    try:
        end = time.monotonic() + 60 * float(minutes)
    except ValueError:
        sys.exit(f"soak: SOAK_MINUTES is {minutes!r}: write a number of minutes, e.g. SOAK_MINUTES=5 make soak")
    folder = FOLDER / "soak"
    folder.mkdir(parents=True, exist_ok=True)
    program = deals.build(folder, sanitize=True)
    state = read_state()
    while state["deals"] < GOAL and time.monotonic() < end:
        play_part(program, state)
    print(f"soak: {state['deals']:,} deals so far of {GOAL:,}, {state['judged']:,} plays judged")


if __name__ == "__main__":
    main()
