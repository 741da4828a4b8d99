"""What a rule case expects, and what it means that a case is not decided."""

from collections.abc import Callable, Mapping
from typing import Any


class LaterError(Exception):
    """The case is right and this version does not play it; the message says why."""


class Expected:
    """What the case expects, compared key by key with what the engine says."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self.values = values
        self.known: set[str] = set()
        self.wrong: dict[str, str] = {}

    def check(self, key: str, got: Any, read: Callable[[Any], Any] = lambda value: value, where: str = "") -> None:
        """Note the first difference; `read` turns what the case says into the form of `got`."""
        self.known.add(key)
        want = self.values.get(key)
        if want is not None and key not in self.wrong and read(want) != got:
            self.wrong[key] = f"{key} must be {want!r}, is {got!r}{where}"


def level_of(level: str | None) -> str:
    assert level is not None, "the case names no level"
    return level
