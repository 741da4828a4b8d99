"""Ask a run in SQL: one query, statements from standard input, or a prompt."""

from __future__ import annotations

import csv
import json
import math
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from decimal import Decimal
from typing import Any, Final, Literal

from rich.cells import cell_len

from cluster.parsing import CommandLineError
from cluster.progress import tell
from cluster.texts import Pasted, Texts
from sim import reading, run_file
from sim.asking import VIEWS, Answer, Asked, asking
from sim.errors import SimError
from sim.places import Where

Form = Literal["table", "json", "csv"]

_PROMPT, _GOES_ON = "guandan> ", "    ...> "
_SHOWN_ROWS: Final = 200
"""Rows that the prompt shows of an answer; a query on the command line shows all."""


def run(t: Texts, folder: Where, query: str | None, form: Form) -> int:
    """Answer a query, or `-`, what is on standard input; without one keep a prompt until the input ends."""
    run_file.load(folder)
    with asking(reading.snapshot(folder), t.language) as asked:
        if query is None and sys.stdin.isatty():
            _keep_prompt(t, asked, form)
        elif query in (None, "-"):
            for statement in statements(iter(sys.stdin.readline, "")):
                write(t, asked.ask(statement), form)
        else:
            write(t, asked.ask(str(query)), form)
    return 0


def statements(lines: Iterator[str]) -> Iterator[str]:
    """Cut lines into statements: one ends with the line that ends in a semicolon, the last with the input."""
    kept: list[str] = []
    for line in lines:
        kept.append(line)
        if line.rstrip().endswith(";"):
            yield "".join(kept)
            kept = []
    if "".join(kept).strip():
        yield "".join(kept)


def _keep_prompt(t: Texts, asked: Asked, form: Form) -> None:
    with suppress(ImportError):  # a Python built without it: lines cannot be edited
        import readline  # noqa: F401 - input() edits lines once it is imported
    tell(t("sql_banner", views=" ".join(VIEWS)))
    kept: list[str] = []
    while True:
        try:
            line = input(_GOES_ON if kept else _PROMPT)
        except EOFError:
            print()
            return
        if not kept and line.strip().startswith("."):
            _command(t, asked, line.split())
            continue
        if line.strip() or kept:
            kept.append(line + "\n")
        if line.rstrip().endswith(";"):
            _try(t, asked, "".join(kept), form)
            kept = []


def _command(t: Texts, asked: Asked, words: Sequence[str]) -> None:
    """Do what a line with a dot says: `.columns VIEW` lists the columns with their meanings."""
    if len(words) != 2 or words[0] != ".columns" or words[1] not in VIEWS:
        _complain(t, t("sql_dot", views="|".join(VIEWS)))
        return
    columns = "select column_name, data_type, comment from duckdb_columns() where table_name = "
    _try(t, asked, f"{columns}'{words[1]}' order by column_index", "table")


def _try(t: Texts, asked: Asked, sql: str, form: Form) -> None:
    try:
        write(t, asked.ask(sql), form, most=_SHOWN_ROWS)
    except SimError as error:
        _complain(t, t.error(error))


def _complain(t: Texts, line: str) -> None:
    tell(t("error", text=Pasted(line)))


def write(t: Texts, answer: Answer, form: Form, *, most: int | None = None) -> None:
    """Print an answer; nothing for a statement without one."""
    if not answer.columns:
        return
    if form == "json":
        rows = [[_plain(value) for value in row] for row in answer.rows]
        print(json.dumps({"columns": answer.columns, "rows": rows}, ensure_ascii=False, default=str))
    elif form == "csv":
        out = csv.writer(sys.stdout, lineterminator="\n")
        out.writerow(answer.columns)
        out.writerows(answer.rows)
    else:
        print(_table(answer, most))
        if most is not None and len(answer.rows) > most:
            tell(t("sql_more", shown=most, rows=len(answer.rows)))


def _plain(value: Any) -> Any:
    """Give a value that JSON has: it has no decimals, no infinity and nothing that is no number."""
    value = float(value) if isinstance(value, Decimal) else value
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _table(answer: Answer, most: int | None) -> str:
    shown = answer.rows[:most]
    lines = [answer.columns, *(tuple(_text(value) for value in row) for row in shown)]
    numbers = [
        all(
            isinstance(row[k], int | float | Decimal) and not isinstance(row[k], bool)
            for row in shown
            if row[k] is not None
        )
        for k in range(len(answer.columns))
    ]
    widths = [max(cell_len(line[k]) for line in lines) for k in range(len(answer.columns))]
    return "\n".join(
        "  ".join(
            " " * (width - cell_len(text)) + text if right else text + " " * (width - cell_len(text))
            for text, width, right in zip(line, widths, numbers, strict=True)
        ).rstrip()
        for line in lines
    )


def _text(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    text = f"{value:.6g}" if isinstance(value, float | Decimal) else str(value)
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def form_of(t: Texts, as_json: bool, as_csv: bool) -> Form:
    """Choose the form of an answer."""
    if as_json and as_csv:
        raise CommandLineError(t("sql_forms"))
    return "json" if as_json else "csv" if as_csv else "table"
