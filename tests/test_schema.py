"""The stored tables: what is in a column, what is refused, how large a row is."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from numpy.typing import NDArray

from cluster.cli import main
from engine.bulk import TRIBUTES, play_pairs
from engine.cards import CARDS
from engine.rules import NATIONAL
from sim import schema, store
from sim.cubes import cubes
from sim.fault_rows import fault_columns
from strategies import registry
from tests.support.failing import failing
from tests.support.runs import make_run

Raw = dict[str, Any]
HALF_WIDTH = re.compile(r"[\u4e00-\u9fff] ?[,;:?!()]|[,;:?!()] ?[\u4e00-\u9fff]")
NAMES = {"run": "r", "rules": "national", "x": "random", "y": "greedy"}


@pytest.fixture(scope="module")
def raw() -> dict[str, Raw]:
    played = play_pairs(registry.load("random"), registry.load("greedy"), NATIONAL, 5, range(20), style=True)
    assert played.style is not None
    faulty = play_pairs(
        failing("view.deal == 2 and view.n_steps > 9"),
        registry.load("greedy"),
        NATIONAL,
        5,
        range(3),
        on_fault="judge",
    )
    return {
        "pairs": played.pairs,
        "matches": played.matches,
        "deals": played.deals,
        "style": played.style.table(),
        "faults": fault_columns(faulty.faults, NATIONAL),
        "cubes": {**cubes(played.pairs, played.matches, played.deals, {})},
    }


@pytest.mark.parametrize("table", schema.TABLES)
def test_every_column_of_the_bulk_loop_is_stored_under_its_own_name(raw: dict[str, Raw], table: str) -> None:
    stored = schema.to_arrow(table, raw[table], **NAMES)
    assert stored.column_names == [column.name for column in schema.columns(table)]
    assert set(stored.column_names) == {*raw[table], *NAMES}
    assert stored.num_rows == len(next(iter(raw[table].values()))) > 0
    stored.validate(full=True)


def test_a_deal_row_has_at_most_forty_columns() -> None:
    assert len(schema.columns("deals")) <= 40


def test_codes_become_readable_strings_and_minus_one_becomes_null(raw: dict[str, Raw]) -> None:
    stored = schema.to_arrow("deals", raw["deals"], **NAMES)
    for name, labels in (("tribute", TRIBUTES), ("given_1", CARDS)):
        expected = [None if code < 0 else labels[code] for code in raw["deals"][name].tolist()]
        assert stored.column(name).to_pylist() == expected
    assert stored.column("declarer")[0].as_py() is None
    assert stored.column("x").unique().to_pylist() == ["random"]


def test_small_integers_keep_their_width(raw: dict[str, Raw]) -> None:
    stored = schema.to_arrow("deals", raw["deals"], **NAMES)
    for column in schema.columns("deals"):
        if column.labels is None and column.name not in NAMES:
            assert stored.schema.field(column.name).type == column.type
            assert stored.column(column.name).to_pylist() == raw["deals"][column.name].tolist()


@pytest.mark.parametrize("table", schema.TABLES)
def test_version_and_meanings_survive_a_file(raw: dict[str, Raw], table: str, tmp_path: Path) -> None:
    stored = schema.to_arrow(table, raw[table], **NAMES)
    pq.write_table(stored, tmp_path / "t.parquet", **schema.write_options(table))
    read = pq.read_table(tmp_path / "t.parquet")
    assert read.equals(stored)
    assert (read.schema.metadata or {})[b"guandan.schema"] == schema.VERSION.encode()
    for column in schema.columns(table):
        metadata = read.schema.field(column.name).metadata or {}
        assert (metadata[b"zh"].decode(), metadata[b"en"].decode()) == (column.zh, column.en)


def _spoiled(values: Raw, name: str, change: Any) -> Raw:
    return {**values, name: change(values[name].astype(np.int64))}


def _first(code: int) -> Any:
    def change(values: NDArray[Any]) -> NDArray[Any]:
        values[0] = code
        return values

    return change


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("tribute", _first(9), "deals.tribute: code 9 has no label"),
        ("tribute", _first(-1), "deals.tribute: -1 is no valid value, and the column has no nulls"),
        ("given_1", _first(-2), "deals.given_1: -2 is no valid value"),
        ("plays", _first(70_000), "deals.plays"),
        ("plays", lambda values: values.astype(float), "deals.plays: expected a one-dimensional integer array"),
        ("plays", lambda values: values[1:], "columns of unequal length"),
    ],
)
def test_a_value_outside_its_column_is_refused_by_name(
    raw: dict[str, Raw], name: str, change: Any, message: str
) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        schema.to_arrow("deals", _spoiled(raw["deals"], name, change), **NAMES)


def test_a_missing_and_an_unknown_column_are_named(raw: dict[str, Raw]) -> None:
    values = {("plaies" if name == "plays" else name): column for name, column in raw["deals"].items()}
    with pytest.raises(ValueError, match=r"missing columns \['plays'\], unknown columns \['plaies'\]"):
        schema.to_arrow("deals", values, **NAMES)


def test_no_rows_make_an_empty_table(raw: dict[str, Raw]) -> None:
    empty = {name: values[:0] for name, values in raw["pairs"].items()}
    assert schema.to_arrow("pairs", empty, **NAMES).num_rows == 0


def test_an_unknown_table_names_the_known_ones() -> None:
    with pytest.raises(KeyError, match="pairs, matches, deals"):
        schema.columns("hands")


def test_the_pair_id_is_stored_as_differences_and_pages_have_checksums(raw: dict[str, Raw], tmp_path: Path) -> None:
    pq.write_table(
        schema.to_arrow("deals", raw["deals"], **NAMES), tmp_path / "t.parquet", **schema.write_options("deals")
    )
    group = pq.ParquetFile(tmp_path / "t.parquet").metadata.row_group(0)
    columns = {group.column(k).path_in_schema: group.column(k) for k in range(group.num_columns)}
    assert "DELTA_BINARY_PACKED" in columns["pair"].encodings
    assert "RLE_DICTIONARY" in columns["tribute"].encodings
    assert all(column.compression == "ZSTD" and column.is_stats_set for column in columns.values())


def test_equal_tables_give_equal_bytes(raw: dict[str, Raw]) -> None:
    table = schema.to_arrow("deals", raw["deals"], **NAMES)
    assert store.parquet_bytes("deals", table) == store.parquet_bytes("deals", table)


def test_a_deal_row_of_a_block_takes_at_most_fourteen_bytes(tmp_path: Path) -> None:
    folder = make_run(tmp_path / "r", "random", "random", 1000, block_pairs=1000)
    (path,) = (folder / "deals").glob("*.parquet")
    rows = pq.ParquetFile(path).metadata.num_rows
    print(f"{path.stat().st_size / rows:.2f} bytes a deal row over {rows} rows")
    assert path.stat().st_size <= 14 * rows


def test_the_printed_schema_explains_every_column_in_both_languages() -> None:
    rows = schema.describe()
    assert [row.table for row in rows] == [name for name, columns in schema.TABLES.items() for _ in columns]
    assert all(row.zh and row.en and row.unit and row.type for row in rows)
    assert len({(row.table, row.column) for row in rows}) == len(rows)


def test_every_enumeration_gives_its_words_or_their_form_in_both_languages() -> None:
    for table in schema.TABLES:
        for column in schema.columns(table):
            if column.labels is None:
                assert column.words == ()
                assert column.form is None
            elif column.form is None:
                assert tuple(word.value for word in column.words) == column.labels, column.name
                assert all(word.zh and word.en for word in column.words)
            else:
                assert all(column.form)


def test_the_printed_schema_tells_what_to_write_in_a_where(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema", "--lang", "en"]) == 0
    text = capsys.readouterr().out
    for column in schema.columns("deals"):
        for word in column.words:
            assert re.search(rf"^  {word.value} +{re.escape(word.en)}$", text, re.MULTILINE), word
    assert "deals.payers deals.receivers\n" in text
    assert main(["schema", "--json"]) == 0
    (tribute,) = [c for c in json.loads(capsys.readouterr().out)["columns"] if c["column"] == "tribute"]
    assert [word["value"] for word in tribute["words"]] == list(TRIBUTES)
    assert all(word["zh"] and word["en"] for word in tribute["words"])


def test_units_and_punctuation_of_the_chinese_schema_are_chinese() -> None:
    for row in schema.describe():
        texts = (row.zh, row.unit_zh, row.form_zh, *(word.zh for word in row.words))
        assert not any(HALF_WIDTH.search(text) for text in texts), row
        assert not re.search("[a-z]", row.unit_zh), row
        assert row.column == "finish_order" or "头游" not in row.zh + row.form_zh


def test_the_english_schema_speaks_of_sides_and_counts_properly() -> None:
    meanings = {(row.table, row.column): row.en for row in schema.describe()}
    assert meanings["pairs", "x_steps_1"] == "deals won by side x that earned 1 level"
    assert meanings["pairs", "y_steps"] == "levels earned by side y, added up"
    assert meanings["matches", "x_a_fails"] == "failed tries of side x at its own A"
    assert not any(re.search(r"(\bof|\bby) [xy]\b", text) for text in meanings.values())


def test_dictionaries_are_the_labels_of_the_engine_in_order() -> None:
    for table in schema.TABLES:
        for column in schema.columns(table):
            if column.labels is not None:
                assert column.stored_type == pa.dictionary(pa.int8(), pa.string())
                assert len(set(column.labels)) == len(column.labels) <= 127
