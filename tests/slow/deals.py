"""Build and run the C program that plays random deals and judges them as it goes (deals.c beside this file)."""

import subprocess
from dataclasses import dataclass
from pathlib import Path

from engine.rules import Rules
from tests.slow.brute_native import compiler

SOURCE = Path(__file__).with_name("deals.c")
ROOT = SOURCE.parents[2]
SANITIZE = ("-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer")


@dataclass(frozen=True)
class Count:
    """What was played: pairs and matches are whole; judged: plays that were judged slowly."""

    pairs: int
    matches: int
    deals: int
    plays: int
    passes: int
    judged: int


class DealFault(AssertionError):  # noqa: N818 - it is one, and pytest shows it as such
    """The program ended at a fault: an assertion of the engine, a report of a sanitizer, or an illegal play."""


def build(folder: Path, *, sanitize: bool = False, csrc: Path = ROOT / "engine" / "csrc") -> Path:
    """Compile the engine of `csrc` with `assert` on and this program; CalledProcessError when that fails."""
    program = folder / "deals"
    strategies = ROOT / "strategies" / "csrc"
    sources = [SOURCE, *sorted(csrc.glob("gd_*.c")), strategies / "random.c"]
    flags = SANITIZE if sanitize else ("-O2",)
    warnings = ("-Wall", "-Wextra", "-Werror", "-UNDEBUG", "-ffp-contract=off")
    command = [*compiler(), "-std=c11", *flags, *warnings, "-I", csrc, "-I", strategies, "-o", program, *sources]
    subprocess.run(command, check=True)
    return program


def play(program: Path, rules: Rules, deals: int, *, listing: str, every: int, seed: int, first_pair: int = 0) -> Count:
    """Play at least so many random deals over "all" or "shapes"; of each `every`-th (0: none) all plays are judged.

    DealFault with what the program said where something is wrong.
    """
    numbers = [seed, first_pair, deals, listing, every, *rules.core()]
    done = subprocess.run([program, *map(str, numbers)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise DealFault(f"status {done.returncode}: {done.stderr.strip()}")
    return Count(*map(int, done.stdout.split()))
