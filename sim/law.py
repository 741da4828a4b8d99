"""What a law of the rows is, and how its SQL says which columns differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Law:
    """Name a law; `sql` gives a row (pair, leg, deal, shown) for each breach, 0 where a leg or deal makes no sense.

    needs: tables without which it says nothing; zh, en: what holds, a phrase.
    """

    name: str
    needs: tuple[str, ...]
    zh: str
    en: str
    sql: str


def text(*columns: str) -> str:
    """Give SQL that shows some values: `name=value name=value`."""
    parts = ", ".join(f"'{name}=' || coalesce({name}::varchar, '-')" for name in columns)
    return f"concat_ws(' ', {parts})"


def differences(found: Sequence[tuple[str, str]]) -> tuple[str, str]:
    """Give SQL for «one of these pairs of columns differs» and for the text that shows which."""
    where = " or ".join(f"{a} is distinct from {b}" for a, b in found)
    shown = ", ".join(
        f"if({a} is distinct from {b}, '{a}: ' || coalesce(({a})::varchar, '-') || ' / ' || "
        f"coalesce(({b})::varchar, '-'), null)"
        for a, b in found
    )
    return where, f"concat_ws(', ', {shown})"


def sums(columns: Sequence[tuple[str, str]]) -> str:
    """Give SQL that adds up expressions, each under its name; 0 where there is no row."""
    return ", ".join(f"coalesce(sum({expression}), 0) as {name}" for name, expression in columns)
