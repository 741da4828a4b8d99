"""Strategies by name."""

import difflib
import hashlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engine import _core
from strategies import _native


@dataclass(frozen=True)
class NativeStrategy:
    """A strategy that plays inside the C loop.

    capsule: holds the `gd_strategy` of guandan_strategy.h. deterministic: it draws no random number. hash: digest of
    the compiled code that holds it, 16 hex digits. zh, en: one line of description.
    """

    name: str
    capsule: Any = field(repr=False, compare=False)
    deterministic: bool
    hash: str
    zh: str
    en: str


_DESCRIPTIONS = {
    "random": ("在全部合法出牌中等概率选择", "every legal play is equally likely"),
    "greedy": ("低代价多出牌，留炸弹与逢人配备用", "sheds many cards at low cost, keeps bombs and wilds in reserve"),
}


def _content_hash(name: str) -> str:
    """Digest of the extension file and the name."""
    code = Path(_native.__file__).read_bytes()
    return hashlib.sha256(name.encode() + b"\0" + code).hexdigest()[:16]


def names() -> list[str]:
    """Names of the strategies there are."""
    return sorted(_DESCRIPTIONS)


def load(name: str) -> NativeStrategy:
    """Load a strategy. ValueError names the nearest, or all there are."""
    if name not in _DESCRIPTIONS:
        near = difflib.get_close_matches(name, _DESCRIPTIONS, 1) or names()
        raise ValueError(f"there is no strategy called {name!r}: write {' or '.join(near)}")
    capsule = getattr(_native, name)
    own_name, deterministic, _ = _core.strategy_info(capsule)
    zh, en = _DESCRIPTIONS[name]
    return NativeStrategy(own_name, capsule, deterministic, _content_hash(name), zh, en)
