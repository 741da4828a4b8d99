"""Strategies by name."""

import difflib
import hashlib
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from engine import _core
from strategies import _native
from strategies.styles import STYLES, Style


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
    """A strategy that plays inside the C loop.

    name: as it is written, with the parameters that differ from their defaults. capsule: holds the `gd_strategy` of
    guandan_strategy.h. deterministic: it draws no random number. observed: its answers may depend on more than what it
    sees. ranks: it can score its choices. hash: digest of the compiled code that holds it and of its parameters, 16 hex
    digits. zh, en: one line of description. built_in: it is part of this project and needs no watching.
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
    built_in: bool = True


def names() -> list[str]:
    """Names of the strategies there are, styles among them."""
    return sorted([*(name for name in vars(_native) if not name.startswith("_")), *STYLES])


def load(text: str) -> NativeStrategy:
    """Load a strategy written NAME or NAME?PARAMETER=VALUE&PARAMETER=VALUE.

    ValueError names what is not known and the nearest, or all there are.
    """
    name, _, settings = text.partition("?")
    if name not in names():
        near = difflib.get_close_matches(name, names(), 1) or names()
        raise ValueError(f"there is no strategy called {name!r}: write {' or '.join(near)}")
    style = STYLES.get(name)
    capsule = getattr(_native, style.base if style else name)
    parameters = tuple(Parameter(*item) for item in _core.strategy_info(capsule)["parameters"])
    if style:
        parameters = tuple(replace(p, default=style.settings.get(p.name, p.default)) for p in parameters)
    values = _values(name, parameters, settings)
    changed = {p.name: values[p.name] for p in parameters if values[p.name] != p.default}
    if changed or style:
        capsule = _core.strategy_with(capsule, tuple(values[p.name] for p in parameters))
    info = _core.strategy_info(capsule)
    full_name = name + ("?" + "&".join(f"{key}={value}" for key, value in changed.items()) if changed else "")
    return NativeStrategy(
        full_name,
        capsule,
        info["deterministic"],
        info["observed"],
        info["ranks"],
        _content_hash(full_name),
        *(_words(style) if style else (info["zh"] or "", info["en"] or "")),
        parameters,
    )


def _words(style: Style) -> tuple[str, str]:
    return f"{style.zh_name}：{style.zh}", style.en


def _values(name: str, parameters: tuple[Parameter, ...], settings: str) -> dict[str, int]:
    """Give a value to each parameter."""
    known = {p.name: p for p in parameters}
    values = {p.name: p.default for p in parameters}
    for setting in settings.split("&") if settings else ():
        key, _, value = setting.partition("=")
        if key not in known:
            near = difflib.get_close_matches(key, known, 1) or list(known)
            hint = f"write {' or '.join(near)}" if near else "it has none"
            raise ValueError(f"{name} has no parameter {key!r}: {hint}")
        p = known[key]
        try:
            values[key] = int(value)
        except ValueError:
            raise ValueError(f"{key} of {name} is {value!r}: write a whole number") from None
        if not p.least <= values[key] <= p.most:
            raise ValueError(f"{key} of {name} is {value}: write {p.least} to {p.most}")
    return values


def _content_hash(name: str) -> str:
    """Digest of the extension file and the full name."""
    code = Path(_native.__file__).read_bytes()
    return hashlib.sha256(name.encode() + b"\0" + code).hexdigest()[:16]
