"""Strategies in C, compiled for tests against the public header alone."""

import subprocess
import sysconfig
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def compile_library(source: Path, target: Path) -> str:
    """Compile one C file into a shared library, whose path is returned."""
    compiler = (sysconfig.get_config_var("CC") or "cc").split()[0]
    command = [compiler, "-std=c11", "-Wall", "-Wextra", "-Werror", "-O2", "-shared", "-fPIC"]
    subprocess.run([*command, f"-I{ROOT / 'engine/csrc'}", str(source), "-o", str(target)], check=True)
    return str(target)
