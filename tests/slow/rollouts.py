"""Build and run the C program that looks into search while deals are played (rollouts.c beside this file)."""

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path

from engine.rules import Rules
from tests.slow.brute_native import compiler
from tests.slow.deals import ROOT

SOURCE = Path(__file__).with_name("rollouts.c")
Hands = list[list[int]]


@dataclass(frozen=True)
class Decision:
    """What a seat saw at a decision, and hands drawn from its evidence; cards are ids, copies beside each other.

    kind: of tribute, as in engine.tribute.TRIBUTES. moves: payer, receiver, card given, card returned. laid: by seat.
    drawn: four hands each. rollouts: how many search made.
    """

    seat: int
    level: int
    rollouts: int
    left: list[int]
    kind: int
    order: list[int]
    moves: list[list[int]]
    hand: list[int]
    laid: Hands
    drawn: list[Hands]


def build(folder: Path) -> Path:
    """Compile the program with the engine and the strategies; CalledProcessError when that fails."""
    program = folder / "rollouts"
    strategies, engine = ROOT / "strategies" / "csrc", ROOT / "engine" / "csrc"
    kept = [file for file in sorted(strategies.glob("*.c")) if file.name not in ("binding.c", "search.c")]
    flags = ("-std=c11", "-O2", "-UNDEBUG", "-ffp-contract=off")
    sources = [SOURCE, *sorted(engine.glob("gd_*.c")), *kept]
    subprocess.run([*compiler(), *flags, "-I", engine, "-I", strategies, "-o", program, *sources], check=True)
    return program


def decisions(
    program: Path, rules: Rules, *, deals: int, every: int, draws: int, rollouts: int, seed: int
) -> list[Decision]:
    """Look at every `every`-th decision of so many deals; AssertionError with what the program found wrong."""
    numbers = (seed, 0, deals, every, draws, rollouts, *rules.core())
    done = subprocess.run([program, *map(str, numbers)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"status {done.returncode}: {done.stderr.strip()}"
    return [Decision(**json.loads(line)) for line in done.stdout.splitlines()]
