"""How a strategy is written: where it is, and the values of its parameters.

    greedy                        a name: one that ships, or one that an installed package registers
    greedy?bombs=2&near=8         with parameters
    package.module:Name           a class or a capsule of a Python module
    path/file.py:Name             of a Python file
    path/library.so:symbol        a `const gd_strategy` in a shared library
    one+other                     a team: one on a seat of the side, the other on its partner's

The last `:` before the first `?` ends the place. In a place, `%` and two hexadecimal digits stand for the character of
that code: `%2B` for a plus sign, `%3F` for a question mark, `%25` for a percent sign.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from os.path import abspath, basename
from typing import Literal

from engine.errors import ToldError

Kind = Literal["name", "module", "file", "library"]

_LIBRARIES = (".so", ".dylib")


class StrategyError(ToldError):
    """A strategy that cannot be had: the line names what was written and the way out.

    trace: where its own code failed, as Python shows it; "" where that is not the reason.
    """

    def __init__(self, en: str, zh: str, trace: str = "") -> None:
        super().__init__(en, zh)
        self.trace = trace


@dataclass(frozen=True)
class Written:
    """One strategy as it was written. place: name, module or path; attribute: what is meant there, "" for a name."""

    kind: Kind
    place: str
    attribute: str
    settings: tuple[tuple[str, str], ...]

    def moved(self, path: Callable[[str], str]) -> "Written":
        """Give the same with another path, where it has one."""
        return replace(self, place=path(self.place)) if self.kind in ("file", "library") else self

    def __str__(self) -> str:
        place = re.sub(r"[+?]|%(?=[0-9A-Fa-f]{2})", lambda found: f"%{ord(found[0]):02X}", self.place)
        where = f"{place}:{self.attribute}" if self.attribute else place
        return where + ("?" + "&".join(f"{key}={value}" for key, value in self.settings) if self.settings else "")


def read(text: str) -> tuple[Written, ...]:
    """Read what was written: one strategy, or the two of a team. StrategyError where it is none of the forms."""
    parts = text.split("+")
    if len(parts) > 2:
        raise StrategyError(
            f"{text} joins {len(parts)} strategies: a team is two, ONE+OTHER; write %2B for a plus sign in a path",
            f"{text} 连了 {len(parts)} 个策略：一队是两个，写作 甲+乙；路径里的加号请写 %2B",
        )
    return tuple(_one(part) for part in parts)


def absolute(text: str) -> str:
    """Write the same with paths from the root, so that it means the same in every folder."""
    return "+".join(str(part.moved(abspath)) for part in read(text))


def short(text: str) -> str:
    """Write the same with the last part of each path, to be shown."""
    return "+".join(str(part.moved(basename)) for part in read(text))


def _one(text: str) -> Written:
    where, _, tail = text.partition("?")
    place, colon, attribute = where.rpartition(":")
    if not colon:
        place, attribute = attribute, ""
    place = re.sub(r"%([0-9A-Fa-f]{2})", lambda found: chr(int(found[1], 16)), place)
    settings = []
    for setting in tail.split("&") if tail else ():
        key, equals, value = setting.partition("=")
        if not key or not equals:
            raise StrategyError(
                f"{text}: {setting!r} sets nothing; write NAME?PARAMETER=VALUE&PARAMETER=VALUE",
                f"{text}：{setting!r} 没有设定什么；请写 NAME?PARAMETER=VALUE&PARAMETER=VALUE",
            )
        settings.append((key, value))
    return Written(_kind(text, place, attribute), place, attribute, tuple(settings))


def _kind(text: str, place: str, attribute: str) -> Kind:
    kind: Kind = "file" if place.endswith(".py") else "library" if place.endswith(_LIBRARIES) else "module"
    if not attribute:
        if kind == "module":
            return "name"
        raise StrategyError(
            f"{text} is a file: write what is meant in it, as in {place}:NAME",
            f"{text} 是文件：请写明其中哪一个，如 {place}:NAME",
        )
    if not attribute.isidentifier() or (kind == "module" and not all(part.isidentifier() for part in place.split("."))):
        raise StrategyError(
            f"{text} is no strategy: write NAME, package.module:NAME, path/file.py:NAME or path/library.so:SYMBOL",
            f"{text} 不是策略：请写 NAME、package.module:NAME、path/file.py:NAME 或 path/library.so:SYMBOL",
        )
    return kind
