"""Strategies by what is written: names, modules, files, libraries, teams (strategies.naming has the forms)."""

import difflib
import hashlib
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import metadata
from os.path import basename
from pathlib import Path
from typing import Any

from engine import _core
from strategies import _native, naming
from strategies.api import WrappedStrategy, wrap
from strategies.loading import Found, failed, find, is_capsule
from strategies.naming import StrategyError, Written
from strategies.styles import STYLES, Style

ENTRY_POINTS = "guandan.strategies"
"""Group under which an installed package registers strategies: name = "package.module:Name"."""


@dataclass(frozen=True)
class Parameter:
    """A setting of a strategy, written NAME=VALUE behind its name: a whole number from `least` to `most`."""

    name: str
    default: int
    least: int
    most: int
    zh: str
    en: str


@dataclass(frozen=True)
class NativeStrategy:
    """A strategy as it was loaded.

    name: as it is written, a path by its last part, with the parameters that differ from their defaults. capsule: holds
    the `gd_strategy` of guandan_strategy.h; of one written in Python its _core.Player, of a team a tuple of two.
    deterministic: it draws no random number. observed: its answers may depend
    on more than what it sees. ranks: it can score its choices. hash: digest of the code that holds it and of its
    parameters, 16 hex digits. zh, en: one line of description. native: no Python takes part in its decisions. built_in:
    it is part of this project and needs no watching.
    """

    name: str
    capsule: Any = field(repr=False, compare=False)
    deterministic: bool
    observed: bool
    ranks: bool
    hash: str
    zh: str
    en: str
    parameters: tuple[Parameter, ...]
    native: bool = True
    built_in: bool = False


def names() -> list[str]:
    """Names of the strategies there are: those that ship, styles too, and those that installed packages register."""
    return sorted({*_built_in(), *_registered()})


def _built_in() -> list[str]:
    return [*(name for name in vars(_native) if not name.startswith("_")), *STYLES]


@cache
def _registered() -> dict[str, str]:
    """Give what the entry points say, by name; a name that ships is not given away."""
    found = {entry.name: entry.value for entry in metadata.entry_points(group=ENTRY_POINTS)}
    return {name: value for name, value in found.items() if name not in _built_in()}


def load(text: str) -> NativeStrategy:
    """Load what is written (strategies.naming).

    StrategyError, a ValueError, names what is not known and the nearest, or where the code of the author failed.
    """
    parts = naming.read(text)
    one, *others = [_load_safely(part) for part in parts]
    return _team(one, others[0]) if others else one


def _load_safely(written: Written) -> NativeStrategy:
    """Load one; whatever the author's code raises, as it is imported or says what it is, is told with its traceback."""
    try:
        return _load_one(written)
    except StrategyError:
        raise
    except (Exception, SystemExit) as error:  # sys.exit() in a module must not end the command as if all were well
        raise failed(written, error) from None


def _load_one(written: Written) -> NativeStrategy:
    if written.kind != "name":
        return _made(written, find(written))
    if written.place in _built_in():
        style = STYLES.get(written.place)
        capsule = getattr(_native, style.base if style else written.place)
        return _made(written, Found(capsule, _native_code()), style)
    if written.place in _registered():
        (target,) = naming.read(_registered()[written.place].partition(" ")[0])
        return _made(written, find(target))
    known = names()
    near = difflib.get_close_matches(written.place, known, 3, 0.5)
    if near:
        raise StrategyError(
            f"there is no strategy {written.place}; did you mean {' '.join(near)}? guandan strategies lists all",
            f"没有名为 {written.place} 的策略；是不是 {' '.join(near)}？guandan strategies 列出全部",
        )
    raise StrategyError(
        f"there is no strategy {written.place}; write one of: {' '.join(known)}; or path/file.py:NAME",
        f"没有名为 {written.place} 的策略；可写：{' '.join(known)}；或 path/file.py:NAME",
    )


@cache
def _native_code() -> str:
    return hashlib.sha256(Path(_native.__file__).read_bytes()).hexdigest()


def _made(written: Written, found: Found, style: Style | None = None) -> NativeStrategy:
    """Make a strategy of what was found, with the values that were written; those of a style are its defaults."""
    thing = found.thing.capsule if isinstance(found.thing, WrappedStrategy) else found.thing
    try:
        if is_capsule(thing):
            parameters = tuple(Parameter(*item) for item in _core.strategy_info(thing)["parameters"])
            if style:
                parameters = tuple(replace(p, default=style.settings.get(p.name, p.default)) for p in parameters)
        elif isinstance(thing, type):
            parameters = _declared(written, thing)
        else:
            raise TypeError("it is neither a class nor the capsule of a strategy")
        values = _values(written, parameters)
        changed = {p.name: values[p.name] for p in parameters if values[p.name] != p.default}
        settings = tuple((key, str(value)) for key, value in changed.items())
        name = str(replace(written, settings=settings).moved(basename))
        if isinstance(thing, type):
            thing = wrap(thing, name=str(replace(written, settings=()).moved(basename)), **changed).capsule
        elif changed or style:
            thing = _core.strategy_with(thing, tuple(values[p.name] for p in parameters))
        info = _core.strategy_info(thing)
    except StrategyError:
        raise
    except (TypeError, ValueError) as error:
        raise StrategyError(f"{written}: {error}", f"{written}：{error}") from None
    key = f"{written.attribute or written.place}\0{values}\0{found.code}"  # values: those of a style may change
    return NativeStrategy(
        name,
        thing,
        info["deterministic"],
        info["observed"],
        info["ranks"],
        hashlib.sha256(key.encode()).hexdigest()[:16],
        f"{style.zh_name}：{style.zh}" if style else info["zh"] or "",
        style.en if style else info["en"] or "",
        parameters,
        is_capsule(thing),
        written.kind == "name" and written.place in _built_in(),
    )


def _declared(written: Written, made: type) -> tuple[Parameter, ...]:
    """Read what a class declares in `parameters`."""
    found = []
    for key, setting in dict(getattr(made, "parameters", None) or {}).items():
        kinds = [type(part) for part in setting] if isinstance(setting, tuple) else []
        if kinds != [int, int, int, str, str] or not setting[1] <= setting[0] <= setting[2]:
            raise StrategyError(
                f"{written}: its parameter {key} is {setting!r}; write (default, least, most, zh, en)",
                f"{written}：参数 {key} 为 {setting!r}；请写 (default, least, most, zh, en)",
            )
        found.append(Parameter(str(key), *setting))
    return tuple(found)


def _values(written: Written, parameters: tuple[Parameter, ...]) -> dict[str, int]:
    """Give a value to each parameter."""
    known = {p.name: p for p in parameters}
    values = {p.name: p.default for p in parameters}
    name = str(replace(written, settings=()).moved(basename))
    for key, text in written.settings:
        if key not in known:
            near = difflib.get_close_matches(key, known, 1) or list(known)
            en, zh = (
                (f"write {' or '.join(near)}", f"可写 {'、'.join(near)}") if near else ("it has none", "它没有参数")
            )
            raise StrategyError(f"{name} has no parameter {key!r}: {en}", f"{name} 没有参数 {key!r}：{zh}")
        p = known[key]
        try:
            values[key] = int(text)
        except ValueError:
            values[key] = p.least - 1
        if not p.least <= values[key] <= p.most:
            raise StrategyError(
                f"{key} of {name} is {text}: write a whole number from {p.least} to {p.most}",
                f"{name} 的 {key} 为 {text}：请写 {p.least} 到 {p.most} 的整数",
            )
    return values


def _team(one: NativeStrategy, other: NativeStrategy) -> NativeStrategy:
    return NativeStrategy(
        f"{one.name}+{other.name}",
        (one.capsule, other.capsule),
        one.deterministic and other.deterministic,
        one.observed or other.observed,
        one.ranks and other.ranks,
        hashlib.sha256(f"{one.hash}+{other.hash}".encode()).hexdigest()[:16],
        f"{one.name} 与 {other.name} 一队",
        f"{one.name} and {other.name} as partners",
        (),
        one.native and other.native,
        one.built_in and other.built_in,
    )
