"""Read and write JSON files whose every field is checked, so that a damaged one is told by the name of the field."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from typing import Any, cast

from sim.errors import SimError

_MOST = 2**63  # what a count in a file must stay below


class WrongFieldError(Exception):
    """Hold what is wrong with a file: the name of a field and what it holds, the same in every language."""


def read_object(data: bytes, path: str, form: int, newer: str) -> dict[str, Any]:
    """Read an object of a format up to `form`, without that number; `WrongFieldError` otherwise.

    newer: code of the `SimError` for a higher format.
    """
    try:
        found = json.loads(data)
    except json.JSONDecodeError as error:
        raise WrongFieldError(f"JSON {error.lineno}:{error.colno}") from None
    except (ValueError, RecursionError):  # bad UTF-8, a number of thousands of digits, endless brackets
        raise WrongFieldError("JSON") from None
    if not isinstance(found, dict):
        raise WrongFieldError("JSON {}")
    written = found.pop("format", None)
    if not is_count(written) or written < 1:
        raise wrong_field("format", written)
    if written > form:
        raise SimError(newer, path=path, found=written, known=form)
    return found


def wrong_field(field: str, value: object) -> WrongFieldError:
    """Make the error that names a field and what it holds."""
    shown = "{}" if isinstance(value, dict) else "[]" if isinstance(value, list) else json.dumps(value)[:60]
    return WrongFieldError(f"{field}: {shown}")


def exactly(found: object, known: set[str], within: str = "") -> dict[str, Any]:
    """Take an object with exactly these fields; `WrongFieldError` names one too many or too few."""
    if not isinstance(found, dict):
        raise wrong_field(within or "{}", found)
    for name in sorted(known ^ found.keys()):
        raise WrongFieldError(f"{within}{'.' if within else ''}{name}: {'?' if name in found else '-'}")
    return cast(dict[str, Any], found)


def check_fields(found: Mapping[str, Any], checks: Mapping[str, Callable[[Any], bool]], within: str = "") -> None:
    """Ask of each field whether what it holds is right; `WrongFieldError` names the first that is not."""
    for name, holds in checks.items():
        if not holds(found[name]):
            raise wrong_field(within + name, found[name])


def is_text(value: object) -> bool:
    """Tell whether a value is text that can be shown, sent and used in a path."""
    return isinstance(value, str) and "\0" not in value and not any("\ud800" <= c <= "\udfff" for c in value)


def is_count(value: object) -> bool:
    """Tell whether a value is a whole number from 0 that fits 63 bits."""
    return type(value) is int and 0 <= value < _MOST


def is_seconds(value: object) -> bool:
    """Tell whether a value is a finite number from 0."""
    return type(value) in (int, float) and 0 <= cast(float, value) < math.inf


def is_texts(value: object) -> bool:
    """Tell whether a value maps texts to texts."""
    return isinstance(value, dict) and all(is_text(each) for pair in value.items() for each in pair)


def json_bytes(content: Mapping[str, object]) -> bytes:
    """Write an object so that a person can read it."""
    return (json.dumps(content, ensure_ascii=False, indent=1) + "\n").encode()
