"""Promises of the project as a whole: the lock, the wheel, the machine check, the case files."""

import gzip
import importlib.metadata
import os
import re
import runpy
import shutil
import subprocess
import sys
import sysconfig
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.support.cases import EXTRA_VARIABLE, case_files, extra_cases

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
LOCK = (ROOT / "requirements.txt").read_text(encoding="utf-8")
PACKAGES = ("cluster", "dashboard", "engine", "sim", "strategies")
CHECK = ROOT / ".ci" / "check_machine.sh"


def locked_requirements() -> list[Requirement]:
    """Read the pins: a line that does not begin with a blank or `#`, less the trailing backslash."""
    lines = re.findall(r"^([A-Za-z0-9].*?)\s*\\$", LOCK, flags=re.MULTILINE)
    return [Requirement(line) for line in lines]


# --- versions ---


def test_changelog_begins_with_the_version_of_the_project() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## \[?(\d+\.\d+\.\d+)\]?", text, re.MULTILINE)
    assert headings[:1] == [PROJECT["version"]]


def test_installed_version_is_that_of_the_project() -> None:
    assert importlib.metadata.version("guandan-sim") == PROJECT["version"]


def test_command_guandan_is_installed_and_loads() -> None:
    entries = [e for e in importlib.metadata.distribution("guandan-sim").entry_points if e.group == "console_scripts"]
    assert [entry.name for entry in entries] == ["guandan"]
    assert callable(entries[0].load())


# --- the lock ---


def test_lock_names_no_address() -> None:
    assert len(locked_requirements()) > 50
    assert "://" not in LOCK
    assert not re.search(r"^\s*(-i|-f|--index|--extra-index|--find-links|--trusted-host)", LOCK, re.MULTILINE)


def test_every_pin_of_the_lock_has_a_hash() -> None:
    blocks = re.split(r"\n(?=[A-Za-z0-9])", LOCK)
    assert len(blocks) == len(locked_requirements())
    assert [block.splitlines()[0] for block in blocks if "--hash=sha256:" not in block] == []
    assert all(re.fullmatch(r"==[\w.]+", str(pin.specifier)) for pin in locked_requirements())


def test_lock_pins_every_declared_dependency_within_its_range() -> None:
    extras = PROJECT["optional-dependencies"]
    declared = [Requirement(text) for text in [*PROJECT["dependencies"], *extras["test"], *extras["dev"]]]
    pins: dict[str, list[str]] = {}
    for pin in locked_requirements():
        pins.setdefault(pin.name, []).append(str(pin.specifier).removeprefix("=="))
    for need in declared:
        if need.name != "guandan-sim":
            assert need.name in pins, f"{need.name} is not in requirements.txt: make lock"
            assert all(need.specifier.contains(version) for version in pins[need.name]), f"{need}: {pins[need.name]}"


def test_environment_is_the_lock() -> None:
    wanted = [pin for pin in locked_requirements() if pin.marker is None or pin.marker.evaluate()]
    assert len(wanted) > 50
    others = [str(pin) for pin in wanted if not pin.specifier.contains(importlib.metadata.version(pin.name))]
    assert others == [], "installed versions differ: make build"


# --- the wheel (built, installed and used by `make wheel`; here only what would go in beside the extensions) ---


def test_wheel_holds_all_modules_the_header_and_the_stub_and_nothing_else(tmp_path: Path) -> None:
    command = [sys.executable, "setup.py", "--quiet", "build_py", "--build-lib", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    packed = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()}
    modules = {
        path.relative_to(ROOT).as_posix()
        for package in PACKAGES
        for path in (ROOT / package).rglob("*.py")
        if (path.parent / "__init__.py").exists()
    }
    assert {f"{package}/__init__.py" for package in PACKAGES} <= modules
    assert modules <= packed
    rule_sets = {path.relative_to(ROOT).as_posix() for path in (ROOT / "engine" / "rulesets").glob("*.toml")}
    assert {"engine/csrc/guandan_strategy.h", "engine/_core.pyi", "engine/py.typed"} <= packed
    assert {"engine/rulesets/national.toml"} <= rule_sets <= packed
    assert {"strategies/examples/lowest.c", "strategies/examples/network.onnx"} <= packed
    assert {Path(name).suffix for name in packed - modules} <= {".h", ".pyi", ".typed", ".toml", ".c", ".onnx"}
    assert [name for name in packed if name.endswith(".c")] == ["strategies/examples/lowest.c"]
    assert [name for name in packed if name.endswith(".h")] == ["engine/csrc/guandan_strategy.h"]


@pytest.mark.parametrize("name", ["engine/_core", "strategies/_native"])
def test_extensions_are_built_for_the_stable_abi(name: str) -> None:
    assert (ROOT / f"{name}.abi3.so").is_file()


# --- the machine check ---


def run_check(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the check as `make` does, with the environment changed."""
    command = ["sh", str(CHECK), *arguments]
    return subprocess.run(command, env=os.environ | environment, capture_output=True, text=True, check=False)


def make_python(folder: Path, name: str, version: str) -> None:
    """Put a program on the way that answers as that version of Python does when it is asked for its version."""
    fits = (3, 11) <= tuple(int(part) for part in version.split(".")) <= (3, 14)
    program = folder / name
    program.write_text(f'#!/bin/sh\n[ "$1" = -c ] && echo {version} && exit {int(not fits)}\nexit 0\n')
    program.chmod(0o755)


@pytest.fixture
def bare_path(tmp_path: Path) -> Path:
    """Make a folder that serves as a PATH on which there is nothing but what the check itself needs."""
    for tool in ("sh", "dirname"):
        found = shutil.which(tool)
        assert found is not None
        (tmp_path / tool).symlink_to(found)
    return tmp_path


def assert_one_line(result: subprocess.CompletedProcess[str], *parts: str) -> None:
    """Expect exit 2, nothing on stdout, and one line on stderr that holds all parts."""
    assert result.returncode == 2
    assert result.stdout == ""
    assert len(result.stderr.splitlines()) == 1
    assert [part for part in parts if part not in result.stderr] == []


def test_machine_check_names_the_python_that_runs_here() -> None:
    result = run_check(sys.executable)
    assert (result.returncode, result.stdout.strip(), result.stderr) == (0, sys.executable, "")


def test_no_python_at_all_is_one_line(bare_path: Path) -> None:
    assert_one_line(run_check(PATH=str(bare_path)), "no working python3", "apt-get install")


def test_too_old_python_is_one_line(bare_path: Path) -> None:
    make_python(bare_path, "python3", "3.8")
    assert_one_line(run_check(PATH=str(bare_path)), "3.11 to 3.14 is needed, python3 is 3.8", "make PYTHON=")


def test_too_new_python_is_one_line(bare_path: Path) -> None:
    make_python(bare_path, "python3", "3.15")
    assert_one_line(run_check(PATH=str(bare_path)), "3.11 to 3.14 is needed, python3 is 3.15")


def test_newest_fitting_python_is_taken_where_python3_does_not_fit(bare_path: Path) -> None:
    for name, version in (("python3", "3.9"), ("python3.11", "3.11"), ("python3.13", "3.13")):
        make_python(bare_path, name, version)
    assert run_check(PATH=str(bare_path)).stdout.strip() == "python3.13"


def test_shim_that_starts_nothing_counts_as_absent(bare_path: Path) -> None:
    make_python(bare_path, "python3.11", "3.11")
    (bare_path / "python3").write_text("#!/bin/sh\nexit 127\n")
    (bare_path / "python3").chmod(0o755)
    assert run_check(PATH=str(bare_path)).stdout.strip() == "python3.11"


def test_missing_compiler_is_one_line_of_make(tmp_path: Path) -> None:
    for name in ("Makefile", "requirements.txt", "pyproject.toml", "setup.py"):
        shutil.copy(ROOT / name, tmp_path)
    shutil.copytree(ROOT / ".ci", tmp_path / ".ci")
    command = ["make", "demo", f"PYTHON={sys.executable}", "CC=no-such-compiler"]
    # Under `make test` this make would else report as a part of that one.
    environment = {
        name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")
    }
    result = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert_one_line(result, "no C compiler (no-such-compiler)", "apt-get install gcc")
    assert not (tmp_path / ".venv").exists()


@pytest.fixture
def lacking() -> Callable[[str], str]:
    """Load the function behind the check, to be asked with parts of this Python hidden."""
    function: Callable[[str], str] = runpy.run_path(str(ROOT / ".ci" / "check_machine.py"))["lacking"]
    return function


def test_missing_headers_are_one_line(lacking: Callable[[str], str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sysconfig, "get_path", lambda name: "/nowhere")
    line = lacking("python3")
    assert line.startswith("Python.h of python3 is missing (/nowhere)")
    assert "\n" not in line


def test_missing_venv_is_one_line(lacking: Callable[[str], str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ensurepip", None)
    line = lacking("python3")
    assert line.startswith("python3 has no venv module")
    assert "\n" not in line


def test_compiler_that_cannot_compile_is_one_line(
    lacking: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CC", "false")
    line = lacking("python3")
    assert line.startswith("false cannot compile with Python.h")
    assert "\n" not in line


# --- the case files ---


@pytest.mark.parametrize(
    ("subfolder", "pattern", "least"),
    [("rules", "*.jsonl", 188), ("moves", "*.jsonl.gz", 400), ("stats", "*.jsonl", 157)],
)
def test_cases_of_the_repository_are_read(subfolder: str, pattern: str, least: int) -> None:
    assert sum(1 for _ in extra_cases(subfolder, pattern)) >= least


def test_cases_of_an_extra_folder_are_added(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "moves").mkdir()
    with gzip.open(tmp_path / "moves" / "more.jsonl.gz", "wt", encoding="utf-8") as file:
        file.write('{"id": "extra-1"}\n\n{"id": "extra-2"}\n')
    monkeypatch.setenv(EXTRA_VARIABLE, str(tmp_path))
    assert [case["id"] for case in extra_cases("moves", "*.jsonl.gz")][-2:] == ["extra-1", "extra-2"]
    assert case_files("rules", "*.jsonl"), "an extra folder without rules/ leaves the repository's own"


def test_extra_folder_that_is_not_there_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(EXTRA_VARIABLE, "/nowhere")
    with pytest.raises(FileNotFoundError, match="GUANDAN_EXTRA_CASES=/nowhere"):
        case_files("rules", "*.jsonl")


def test_pattern_that_fits_nothing_is_an_error() -> None:
    with pytest.raises(FileNotFoundError, match=r"no \*\.csv"):
        case_files("rules", "*.csv")


@pytest.mark.parametrize(("line", "message"), [("{", "not JSON"), ("[1]", "a case is a JSON object, not list")])
def test_bad_line_is_named_with_file_and_number(
    line: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "stats").mkdir()
    (tmp_path / "stats" / "more.jsonl").write_text(f'{{"id": 1}}\n{line}\n')
    monkeypatch.setenv(EXTRA_VARIABLE, str(tmp_path))
    with pytest.raises(ValueError, match=rf"more\.jsonl:2: {message}"):
        list(extra_cases("stats", "*.jsonl"))
