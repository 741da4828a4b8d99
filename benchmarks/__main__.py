"""`make bench`: measure the core, the Parquet writer and a whole run on this machine, and print a table."""

import os
import platform
import shutil
import subprocess
import sysconfig
import tempfile
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks.authors import measure_authors
from benchmarks.parquet import measure_parquet
from benchmarks.players import measure_players
from benchmarks.runs import measure_runs

ROOT = Path(__file__).parent.parent
LISTS = {
    "lead_27": "lead list, fresh 27 cards",
    "lead_in_play": "lead list, hands met in random play",
    "follow_in_play": "follow list, positions met in random play",
}
MATCHES = {
    "random": "random (uniform over all plays)",
    "random_shapes": "random over shapes",
    "greedy": "greedy v greedy?pass=60",
    "greedy_random": "greedy v random",
    "greedy_rows": "greedy v greedy?pass=60, deal rows written",
    "greedy_counted": "greedy v greedy?pass=60, style counted",
    "solid": "solid v solid",
}


def compile_core(folder: Path) -> Path:
    """Compile core.c with the engine and the built-in strategies, with the flags of setup.py."""
    program = folder / "core"
    sources = [ROOT / "benchmarks/core.c", *sorted((ROOT / "engine/csrc").glob("gd_*.c"))]
    strategies = ("random.c", "greedy.c", "arrange.c", "solid.c", "solid_look.c", "solid_gift.c")
    sources += [ROOT / "strategies/csrc" / name for name in strategies]
    flags = ["-std=c11", "-O3", "-DNDEBUG", "-ffp-contract=off"]
    if platform.machine() == "x86_64":
        flags.append("-march=x86-64-v2")
    includes = [f"-I{ROOT / 'engine/csrc'}", f"-I{ROOT / 'strategies/csrc'}"]
    compiler = os.environ.get("CC") or (sysconfig.get_config_var("CC") or "cc").split()[0]
    subprocess.run([compiler, *flags, *includes, *map(str, sources), "-o", str(program)], check=True)
    return program


def measure_core(program: Path) -> dict[str, tuple[float, float, float]]:
    """Run all workloads: name -> (seconds, items, matches)."""
    lines = subprocess.run([program], check=True, capture_output=True, text=True).stdout.splitlines()
    return {name: (float(s), float(items), float(m)) for name, s, items, m in (line.split() for line in lines)}


def instructions(program: Path, workload: str) -> int | None:
    """Count instructions of a workload by callgrind, start-up included; None where valgrind is missing."""
    if not shutil.which("valgrind"):
        return None
    with tempfile.TemporaryDirectory() as folder:
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out", str(program), workload]
        text = subprocess.run(command, check=True, capture_output=True, text=True).stderr
    return int(next(line for line in text.splitlines() if "refs:" in line).split()[-1].replace(",", ""))


def main() -> None:
    """Measure and print."""
    console = Console()
    processor = next(
        (line.split(":")[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines() if "model name" in line),
        platform.processor(),
    )
    load = os.getloadavg()[0]
    console.print(f"{processor}, {os.cpu_count()} cores, load {load:.1f}, Python {platform.python_version()}")
    with tempfile.TemporaryDirectory() as folder:
        program = compile_core(Path(folder))
        core = measure_core(program)
        base = instructions(program, "none")
        counts = (
            {name: instructions(program, name) for name in ("lead_27", "random", "greedy", "greedy_counted")}
            if base
            else {}
        )
    table = Table("per core", "measured", "in yardstick steps", "instructions")
    step = core["yardstick"][0] / core["yardstick"][1]
    table.add_row("yardstick, one xorshift step", f"{step * 1e9:.3f} ns", "1", "")
    for name, text in (LISTS | MATCHES).items():
        took, items, matches = core[name]
        each = took / items
        measured = (
            f"{items / took:,.0f} deals/s, {matches / took:,.0f} matches/s" if matches else f"{each * 1e9:.1f} ns"
        )
        count = counts.get(name)
        used = f"{(count - base) / items:,.0f} each" if count and base else ""
        table.add_row(text, measured, f"{each / step:,.0f}", used)
    console.print(table)
    for measure in (measure_players, measure_authors, measure_parquet, measure_runs):
        began = time.perf_counter()
        console.print(measure())
        console.print(f"({time.perf_counter() - began:.0f} s)")


if __name__ == "__main__":
    main()
