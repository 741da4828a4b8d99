"""Take the code of a run along to the workers of a cluster: this package as it is here, and the authors' strategies.

Ray unpacks each folder on every node and puts it first on the path there, so a worker has the very files that this
process has, and so their hashes. A wheel would not do: Ray installs one by pip with all it depends on, on every node.
Ray also leaves out what a .gitignore names, which for this project are the compiled files; the copies have none.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import shutil
from collections.abc import Iterable
from pathlib import Path

from strategies import naming
from strategies.loading import FILES_VARIABLE, author_files, author_package, shipped_path
from strategies.naming import Written

PACKAGES = ("cluster", "engine", "sim", "strategies")
"""What a worker imports. The page stays here."""

_FILES = "guandan_files"
_LEFT = shutil.ignore_patterns("__pycache__", ".git*", ".rayignore", ".venv", "venv")


def stage(folder: Path, strategies: Iterable[str]) -> list[str]:
    """Copy into `folder` what a worker needs to play strategies as they are written; give what Ray is to ship.

    Strategies that are installed, by entry point or module, are not copied: they have to be installed on the nodes,
    like the libraries that a strategy uses. StrategyError if one cannot be had here.
    """
    for name in PACKAGES:
        module = importlib.import_module(name)
        shutil.copytree(module.__path__[0], folder / name, ignore=_LEFT)
    for text in strategies:
        for written in naming.read(text):
            _stage_strategy(folder, written)
    return sorted(str(path) for path in folder.iterdir())


def _stage_strategy(folder: Path, written: Written) -> None:
    if written.kind in ("file", "library"):
        files = folder / _FILES
        files.mkdir(exist_ok=True)
        (files / "__init__.py").touch()
        for place, path in author_files(written).items():
            copy = Path(shipped_path(str(files), written.place)).parent / os.path.relpath(
                place, os.path.dirname(os.path.abspath(written.place))
            )
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)
    elif written.kind == "module" and written.place.partition(".")[0] not in PACKAGES:
        package = author_package(written)
        if package is None or (folder / package.name).exists():
            return
        if package.is_dir():
            shutil.copytree(package, folder / package.name, ignore=_LEFT)
        else:
            shutil.copyfile(package, folder / package.name)


def find_shipped() -> None:
    """Have the strategies of files found, in a worker and in the processes that it starts."""
    spec = importlib.util.find_spec(_FILES)
    if spec is not None and spec.origin is not None:
        os.environ[FILES_VARIABLE] = os.path.dirname(spec.origin)
