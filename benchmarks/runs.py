"""Whole runs by the `guandan run` command: what reaches the disk, on local threads and on Ray."""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.table import Table

PAIRS = 20_000


def _run(folder: Path, how: str, x: str, y: str) -> str:
    command = [str(Path(sys.executable).with_name("guandan")), "run", x, y, "--pairs", str(PAIRS), "--seed", "1"]
    command += ["--out", str(folder), "--on", how, "--lang", "en"]
    text = subprocess.run(command, check=True, capture_output=True, text=True)
    found = re.search(r"([\d,]+) matches/s", text.stdout + text.stderr)
    return found[0] if found else "?"


def measure_runs() -> Table:
    """Run pairs with every deal row by each executor; the rate is the command's own, from the first block on."""
    out = Table(f"{PAIRS:,} pairs, every deal row, {os.cpu_count()} cores", "local", "ray")
    for x, y in (("greedy", "random"), ("random", "random")):
        with tempfile.TemporaryDirectory() as folder:
            rates = [_run(Path(folder) / how, how, x, y) for how in ("local", "ray")]
        out.add_row(f"{x} v {y}", *rates)
    return out
