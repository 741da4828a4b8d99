"""Print the columns of the stored tables, then the words that stand in them."""

from __future__ import annotations

import json
from collections.abc import Sequence

from rich.cells import cell_len

from cluster.texts import Texts
from sim import schema
from sim.schema import ColumnRow


def write(t: Texts, as_json: bool) -> None:
    """Print the schema in one language, or as one JSON object in both."""
    rows = schema.describe()
    if as_json:
        print(json.dumps({"version": schema.VERSION, "columns": [_fields(row) for row in rows]}, ensure_ascii=False))
        return
    zh = t.language == "zh"
    head = tuple(t(f"col_{name}") for name in ("table", "column", "type", "unit", "meaning"))
    columns = [(r.table, r.column, r.type, r.unit_zh if zh else r.unit, r.zh if zh else r.en) for r in rows]
    print(_aligned([head, *columns]))
    print()
    print(t("schema_words"))
    for names, row in _enumerations(rows):
        print(names)
        if row.words:
            print(_aligned([(f"  {word.value}", word.zh if zh else word.en) for word in row.words]))
        else:
            print(f"  {row.form_zh if zh else row.form_en}")
    print()
    print(t("schema_version", version=schema.VERSION))


def _fields(row: ColumnRow) -> dict[str, object]:
    return row._asdict() | {"words": [word._asdict() for word in row.words]}


def _enumerations(rows: Sequence[ColumnRow]) -> list[tuple[str, ColumnRow]]:
    """Join the columns that share their words, in order of first appearance."""
    found: dict[object, list[ColumnRow]] = {}
    for row in rows:
        if row.words or row.form_en:
            found.setdefault((row.words, row.form_en), []).append(row)
    return [(" ".join(f"{row.table}.{row.column}" for row in group), group[0]) for group in found.values()]


def _aligned(lines: Sequence[Sequence[str]]) -> str:
    widths = [max(cell_len(line[k]) for line in lines) for k in range(len(lines[0]) - 1)]
    padded = (
        [*(text + " " * (width - cell_len(text)) for text, width in zip(line, widths, strict=False)), line[-1]]
        for line in lines
    )
    return "\n".join("  ".join(parts) for parts in padded)
