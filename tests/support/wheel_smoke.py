"""Try an installed wheel from outside the source tree; `make wheel` runs this with a fresh environment's Python.

It imports only what the wheel and its declared dependencies bring, so a dependency that is not declared shows here.
"""

import importlib
import importlib.metadata
import importlib.resources
import importlib.util
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PACKAGES = ("cluster", "dashboard", "engine", "sim", "strategies")
PAIRS = 20


def check_origin() -> None:
    """Fail unless all packages come from this environment and none from a source tree."""
    for name in PACKAGES:
        origin = importlib.import_module(name).__file__
        assert origin is not None, f"{name} has no file"
        assert Path(origin).is_relative_to(sys.prefix), f"{name} comes from {origin}, not from {sys.prefix}"
    for tool in ("pytest", "mypy", "tests"):
        assert importlib.util.find_spec(tool) is None, f"{tool} is here: this environment proves nothing"


def check_header() -> None:
    """Compile a file that includes the public header from where the wheel put it."""
    header = importlib.resources.files("engine") / "csrc" / "guandan_strategy.h"
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    assert header.is_file(), f"{header} is not in the wheel"
    assert compiler is not None, "no C compiler to try the header with"
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "author.c")
        source.write_text('#include "guandan_strategy.h"\nint author(void);\nint author(void) { return 0; }\n')
        include = str(Path(str(header)).parent)
        command = [compiler, "-std=c11", "-Wall", "-Wextra", "-Werror", "-I", include, "-c", str(source)]
        subprocess.run(command, cwd=folder, check=True)


def check_command() -> None:
    """Play a small run with the installed command and count its rows."""
    from pyarrow import dataset

    command = Path(sys.prefix, "bin", "guandan")
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "run")
        match = ["run", "greedy", "random", "--pairs", str(PAIRS), "--seed", "1"]
        subprocess.run([command, *match, "--on", "local", "--out", out], check=True, stdout=subprocess.DEVNULL)
        assert json.loads((out / "run.json").read_text()), "run.json is empty"
        rows = dataset.dataset(out / "pairs", format="parquet").count_rows()
        assert rows == PAIRS, f"{rows} rows in pairs/, {PAIRS} pairs were asked for"
        for arguments in (["schema"], ["rules"], ["rules", "national"]):
            subprocess.run([command, *arguments], check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    check_origin()
    check_header()
    check_command()
    print(f"wheel {importlib.metadata.version('guandan-sim')} works outside the source tree")
