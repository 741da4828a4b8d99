"""Record which code and which machine made a run. Nothing here decides a result; it lets one be explained."""

from __future__ import annotations

import os
import platform
import subprocess
from importlib import metadata
from pathlib import Path

_DISTRIBUTIONS = ("guandan-sim", "ray", "numpy", "pyarrow")


def versions() -> dict[str, str]:
    """Give the versions of Python and of the libraries that touch the data; those not installed are left out."""
    found = {"python": platform.python_version()}
    for name in _DISTRIBUTIONS:
        try:
            version = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
        if version:  # None where an installation is broken, whatever its type says
            found[name] = version
    return found


def host() -> dict[str, object]:
    """Describe the machine that started the run."""
    return {
        "name": platform.node(),
        "system": platform.platform(),
        "machine": platform.machine(),
        "cpus": usable_cpus(),
    }


def usable_cpus() -> int:
    """Count the processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def commit() -> str | None:
    """Give the git commit of the source tree this package runs from, with "+" if it was changed; None if installed."""
    here = Path(__file__).resolve()

    def git(*words: str) -> str:
        command = ["git", "-C", str(here.parent), *words]
        return subprocess.run(command, capture_output=True, check=True, timeout=10, text=True).stdout.strip()

    try:
        git("ls-files", "--error-unmatch", here.name)  # a venv inside another repository is not that repository
        changed = git("status", "--porcelain", "--untracked-files=no")
        return git("rev-parse", "HEAD") + ("+" if changed else "")
    except (OSError, subprocess.SubprocessError):
        return None
