"""Find what a text names outside this package, in modules, files and shared libraries, and digest its code."""

import ctypes
import difflib
import hashlib
import importlib
import importlib.util
import os
import sys
import sysconfig
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from pathlib import Path
from types import ModuleType
from typing import Any

from engine import _core
from strategies.naming import StrategyError, Written

FILES_VARIABLE = "GUANDAN_FILES"
"""Names a folder in which the files of strategies are looked for first, as `shipped_path` lays them out: a worker on
another machine has them there."""


@dataclass(frozen=True)
class Found:
    """What was found: a capsule, a class or a strategy that was wrapped. code: a digest of the files it is made of."""

    thing: Any
    code: str


def is_capsule(thing: object) -> bool:
    """Tell a capsule from anything else."""
    return type(thing).__name__ == "PyCapsule"


def find(written: Written) -> Found:
    """Find the strategy in a module, a file or a library. StrategyError says what is missing.

    What the author's own code raises passes: see `failed`.
    """
    written = written.moved(_shipped)
    if written.kind == "library":
        return _in_library(written)
    module = _module_of_file(written) if written.kind == "file" else _module(written)
    thing = getattr(module, written.attribute, None)
    if thing is None:
        known = [name for name, value in vars(module).items() if _may_be_strategy(name, value)]
        near = difflib.get_close_matches(written.attribute, known, 1) or known
        en, zh = (f": write {' or '.join(near)}", f"：可写 {'、'.join(near)}") if near else ("", "")
        raise StrategyError(
            f"there is no {written.attribute} in {written.place}{en}",
            f"{written.place} 里没有 {written.attribute}{zh}",
        )
    code = _digest(_files_of(module, thing)) + _versions(written, thing)
    return Found(thing, code)


def shipped_path(root: str, path: str) -> str:
    """Say where in the folder `root` a file lies that lies at `path` on the machine where it was written."""
    folder, name = os.path.split(os.path.abspath(path))
    return os.path.join(root, hashlib.sha256(os.fsencode(folder)).hexdigest()[:12], name)


def _shipped(path: str) -> str:
    root = os.environ.get(FILES_VARIABLE)
    there = shipped_path(root, path) if root else path
    return there if os.path.isfile(there) else path


def author_files(written: Written) -> dict[str, Path]:
    """Give the files that a strategy of a file or a library is made of, by the path where it would look for them.

    They are those in its hash: a file that it opens and does not name in `files` is not among them.
    """
    place = os.path.abspath(written.place)
    if written.kind == "library":
        return {place: Path(place)}
    module = _module_of_file(written)
    start = Path(str(module.__file__)).resolve()
    files = _files_of(module, getattr(module, written.attribute, None))
    folder = os.path.dirname(place)
    return {place if path == start else os.path.join(folder, path.relative_to(start.parent)): path for path in files}


def author_package(written: Written) -> Path | None:
    """Give the folder, or the file, of the package that a strategy of a module belongs to; None if it is installed."""
    root = importlib.import_module(_module(written).__name__.partition(".")[0])
    places = [Path(place).resolve() for place in getattr(root, "__path__", [])] or [Path(str(root.__file__)).resolve()]
    if any(places[0].is_relative_to(folder) for folder in _INSTALLED):
        return None
    return places[0]


def _may_be_strategy(name: str, value: object) -> bool:
    return not name.startswith("_") and (is_capsule(value) or (isinstance(value, type) and hasattr(value, "play")))


# ---- shared libraries


def _in_library(written: Written) -> Found:
    path, symbol = written.place, written.attribute
    _check_file(path)
    code = _digest([Path(path)])
    try:
        library = ctypes.CDLL(os.path.abspath(path))  # ctypes never closes it
    except OSError as error:
        raise StrategyError(f"cannot load {path}: {error}", f"不能装入 {path}：{error}") from None
    try:
        abi = ctypes.c_uint32.in_dll(library, symbol)
    except ValueError:
        raise StrategyError(
            f"{path} has no visible symbol {symbol}: define `const gd_strategy {symbol}` in it, not static or hidden",
            f"{path} 没有可见的符号 {symbol}：请在其中定义 const gd_strategy {symbol}，不要 static 或 hidden",
        ) from None
    if abi.value != _core.STRATEGY_ABI:
        raise StrategyError(
            f"{symbol} in {path} speaks interface {abi.value}, this engine {_core.STRATEGY_ABI}: compile it against "
            "the guandan_strategy.h of this version (or it is no gd_strategy)",
            f"{path} 的 {symbol} 用接口 {abi.value}，本引擎用 {_core.STRATEGY_ABI}："
            "请用本版的 guandan_strategy.h 重新编译（或它不是 gd_strategy）",
        )
    try:
        capsule = _capsule_of(ctypes.addressof(abi))
        _core.strategy_info(capsule)
        return Found(capsule, code)
    except ValueError as error:
        raise StrategyError(f"{symbol} in {path}: {error}", f"{path} 的 {symbol}：{error}") from None


_CAPSULE = b"guandan.strategy"  # GD_STRATEGY_CAPSULE; capsules point at it


def _capsule_of(address: int) -> Any:
    """Wrap a struct that stays in memory to the end of the process."""
    new = ctypes.pythonapi.PyCapsule_New
    new.restype, new.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
    return new(address, _CAPSULE, None)


def _check_file(path: str) -> None:
    if not os.path.isfile(path):
        raise StrategyError(
            f"there is no file {path}: write its path from here or from the root",
            f"没有文件 {path}：请写相对当前目录的路径或绝对路径",
        )


# ---- Python


def _module(written: Written) -> ModuleType:
    """Import a module; the working folder is looked in last, as a command started there may expect."""
    name = written.place
    root = name.partition(".")[0]
    here = os.getcwd()
    if root not in sys.modules and importlib.util.find_spec(root) is None and here not in sys.path:
        sys.path.append(here)
        importlib.invalidate_caches()
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and (name + ".").startswith(error.name + "."):
            raise StrategyError(
                f"there is no module {error.name}: install it, or start from the folder that holds it",
                f"没有模块 {error.name}：请安装它，或在它所在的目录里运行",
            ) from None
        raise


def _module_of_file(written: Written) -> ModuleType:
    """Run a Python file as a module, once a process; modules beside it can be imported."""
    _check_file(written.place)
    path = os.path.abspath(written.place)
    name = f"guandan_strategy_{hashlib.sha256(path.encode()).hexdigest()[:12]}"
    if name in sys.modules:
        return sys.modules[name]
    folder = os.path.dirname(path)
    if folder not in sys.path:
        sys.path.append(folder)  # last, so that it hides nothing
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def failed(written: Written, error: BaseException) -> StrategyError:
    """Tell that the author's own code failed, with the traceback from where it begins."""
    trace = error.__traceback__
    while trace is not None and _is_ours(trace.tb_frame.f_code.co_filename):
        trace = trace.tb_next
    text = "".join(traceback.format_exception(type(error), error, trace)).rstrip()
    what = f"{type(error).__name__}: {error}"
    return StrategyError(f"{written.place} cannot be loaded: {what}", f"{written.place} 不能装入：{what}", trace=text)


def _is_ours(file: str) -> bool:
    return (
        os.path.dirname(file) == os.path.dirname(__file__)
        or file.startswith("<frozen importlib")
        or os.sep + "importlib" + os.sep in file
    )


# ---- digests


def _files_of(module: ModuleType, thing: object) -> list[Path]:
    """List the files that a strategy is made of.

    All Python files of its package; for a file alone, itself and what it imports from its folder. Extensions count,
    and so do the `files` that the class names, which are taken from the folder of its module.
    """
    start = Path(str(module.__file__)).resolve()
    found = {start}
    package = sys.modules.get(module.__package__ or "")
    if package is not None and getattr(package, "__path__", None):
        found |= {path.resolve() for path in start.parent.rglob("*.py")}
    else:
        found |= {Path(str(each.__file__)).resolve() for each in _beside(module, start.parent, set())}
    for name in getattr(thing, "files", ()):
        path = start.parent / name
        _check_file(str(path))
        found.add(path)
    return sorted(found)


def _beside(module: ModuleType, folder: Path, seen: set[str]) -> Iterator[ModuleType]:
    """Give the author's modules of a folder that a module uses, whoever imported them first.

    What is installed, and this program itself, may lie below that folder too (a clone with its environment): it is not
    the author's, and which of it is loaded differs from one process to the next.
    """
    for value in list(vars(module).values()):
        used = value if isinstance(value, ModuleType) else sys.modules.get(getattr(value, "__module__", None) or "")
        if used is None or used is module or used.__name__ in seen:
            continue
        seen.add(used.__name__)
        file = getattr(used, "__file__", None)
        if file and _is_authors(Path(file).resolve(), folder):
            yield used
            yield from _beside(used, folder, seen)


def _is_authors(file: Path, folder: Path) -> bool:
    others = (*_INSTALLED, *(_OWN / name for name in ("cluster", "dashboard", "engine", "sim", "strategies")))
    inside = [other for other in others if other.is_relative_to(folder) and other != folder]
    return file.is_relative_to(folder) and not any(file.is_relative_to(other) for other in inside)


_OWN = Path(__file__).resolve().parent.parent
_PLACES = ("stdlib", "platstdlib", "purelib", "platlib")
_INSTALLED = tuple({Path(sysconfig.get_path(name)).resolve() for name in _PLACES})


def _digest(files: list[Path]) -> str:
    names = [path.name if len(files) > 1 else "" for path in files]  # of a file alone the name says nothing
    content = [f"{name}\0{_digest_of(path)}\0" for name, path in zip(names, files, strict=True)]
    return hashlib.sha256("".join(content).encode()).hexdigest()


def _versions(written: Written, thing: object) -> str:
    """Give the versions of the distributions that a class `requires`."""
    found = []
    for name in getattr(thing, "requires", ()):
        try:
            found.append(f" {name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            raise StrategyError(
                f"{written} needs {name}: pip install {name}", f"{written} 需要 {name}：pip install {name}"
            ) from None
    return "".join(found)


@cache  # the code that is loaded stays that of its first look, whatever becomes of the file
def _digest_of(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
