"""Build and ask the C brute-force lister (brute.c beside this file) for batches of positions."""

import os
import subprocess
import sysconfig
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from engine.rules import NATIONAL, Rules
from tests.slow.brute import Play
from tests.slow.positions import Position

SOURCE = Path(__file__).with_name("brute.c")


def compiler() -> list[str]:
    """Name the C compiler command: $CC, else the one Python was built with."""
    return (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()


def build(folder: Path) -> Path:
    """Compile brute.c into the folder and return the program; raises CalledProcessError when that fails."""
    program = folder / "brute"
    subprocess.run([*compiler(), "-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-o", program, SOURCE], check=True)
    return program


def digits(rules: Rules) -> str:
    """Write the four switches of plays as brute.c reads them."""
    on = (rules.wild_single, rules.wild_pair_any, rules.suited_straight_is_plain, rules.copies_beyond_deck)
    return "".join(str(int(switch)) for switch in on)


def list_all(program: Path, positions: Iterable[Position], rules: Rules = NATIONAL) -> Iterator[set[Play]]:
    """Yield the plays of each position in turn, PASS included when following, as `brute.plays` returns them.

    One process serves the whole batch and is read as it writes, so a large batch needs little memory.
    Raises RuntimeError when the program refuses a position or lists a play twice.
    """
    with tempfile.TemporaryFile("w+") as lines:
        for level, hand, greater in positions:
            over = "-" if greater is None else "{}:{}:{}".format(*greater)
            lines.write(f"{level} {','.join(hand)} {over}\n")
        lines.seek(0)
        with subprocess.Popen([program, digits(rules)], stdin=lines, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            listed: set[Play] = set()
            for line in process.stdout:
                if line == "\n":
                    yield listed
                    listed = set()
                    continue
                kind, key, cards = line.split()
                play = (kind, key, () if cards == "-" else tuple(cards.split(",")))
                if play in listed:
                    raise RuntimeError(f"brute.c lists {play} twice")
                listed.add(play)
        if process.returncode != 0:
            raise RuntimeError(f"brute.c ended with status {process.returncode}, see its message")
