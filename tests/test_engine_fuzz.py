"""The C harness (tests/fuzz) under sanitizers: the functions of the engine keep their promises on inputs of bytes.

What they promise is written down in the targets as checks that end the process. `make fuzz` runs the harness longer.
"""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
INPUTS = sorted((ROOT / "tests/data/fuzz").iterdir())
CC = os.environ.get("CC") or "cc"

# `make asan` loads its sanitizers into every child; the harness has its own, and compilers want none.
QUIET = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"} | {
    "CC": CC,
    "ASAN_OPTIONS": "detect_leaks=0",
    "UBSAN_OPTIONS": "print_stacktrace=1",
}


def run(*command: str | Path, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*map(str, command)], cwd=cwd, env=QUIET, capture_output=True, text=True, check=False)


def build(root: Path, folder: Path) -> Path:
    """Build the harness of a tree; its path."""
    done = run("sh", "tests/fuzz/build.sh", folder, cwd=root)
    assert done.returncode == 0, done.stderr[-4000:]
    return folder / "fuzz"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder for what is built, where the compiler has its sanitizers at hand."""
    place = tmp_path_factory.mktemp("fuzz")
    (place / "empty.c").write_text("int main(void) { return 0; }\n")
    if run(CC, "-fsanitize=address,undefined", "-o", place / "empty", place / "empty.c").returncode:
        pytest.skip(f"{CC} has no sanitizers here. Debian: apt-get install gcc; Fedora: dnf install libasan libubsan")
    return place


@pytest.fixture(scope="module")
def harness(folder: Path) -> Path:
    return build(ROOT, folder)


def make_inputs(harness: Path, seed: int, inputs: int, seconds: int = 0) -> subprocess.CompletedProcess[str]:
    return run(harness, str(seed), str(inputs), str(seconds), harness.parent / "fault", *INPUTS)


def test_the_harness_draws_every_rule_in_the_range_that_the_binding_takes() -> None:
    files = (ROOT / "engine/csrc/py_convert.c", ROOT / "tests/fuzz/fuzz.c")
    binding, drawn = (re.findall(r"^ +RULE\((.+), (.+)\),$", file.read_text(), re.MULTILINE) for file in files)
    assert binding == drawn
    assert len(binding) > 20


def test_kept_inputs_run_through(harness: Path) -> None:
    assert len(INPUTS) >= 4
    done = run(harness, *INPUTS)
    assert done.returncode == 0, done.stderr[-4000:]


@pytest.mark.heavy
@pytest.mark.parametrize("seed", [1, 2])
def test_made_inputs_run_through(harness: Path, seed: int) -> None:
    done = make_inputs(harness, seed, 10_000)
    assert done.returncode == 0, done.stderr[-4000:]
    assert done.stdout.startswith("10000 inputs")


@pytest.mark.soak
def test_inputs_made_for_minutes_run_through(harness: Path) -> None:
    done = make_inputs(harness, 3, 0, seconds=300)
    assert done.returncode == 0, done.stderr[-4000:]


# One fault a line: file, what stands there, what is put in its place.
FAULTS = [
    ("gd_deal.c", "d->n_out == 3 ||", "d->n_out == 4 ||"),
    ("gd_deal.c", "while (d->out >> d->turn & 1u);", "while (0);"),
    ("gd_gen.c", "unsigned above = gd_power(to_beat) + 1;", "unsigned above = gd_power(to_beat);"),
    ("gd_suits.c", "index -= below;", ""),
    ("gd_match.c", "after < GD_LEVEL_A ? after : GD_LEVEL_A", "after"),
    ("gd_match.c", "m->deals >= GD_SAFETY_CAP) finish", "m->deals > GD_SAFETY_CAP) finish"),
    ("gd_match.c", "t->payer[0] != neighbour : a < b;", "t->payer[0] != neighbour : a > b;"),
    ("gd_table.c", "if (index >= view->starts[n]) return refused(index);", ""),
    ("gd_table.c", "t->deal.left[b->receiver[i]]++;", ""),
]


@pytest.mark.soak
@pytest.mark.parametrize(("name", "right", "wrong"), FAULTS, ids=str)
def test_a_fault_in_the_engine_ends_the_harness(
    folder: Path, tmp_path: Path, name: str, right: str, wrong: str
) -> None:
    for part in ("engine/csrc", "tests/fuzz"):
        shutil.copytree(ROOT / part, tmp_path / part)
    file = tmp_path / "engine/csrc" / name
    text = file.read_text()
    assert right in text
    file.write_text(text.replace(right, wrong))
    done = make_inputs(build(tmp_path, tmp_path / "built"), 1, 200_000)
    assert done.returncode != 0
    again = run(tmp_path / "built/fuzz", tmp_path / "built/fault")
    assert again.returncode != 0, "the input that was kept does not show the fault"
