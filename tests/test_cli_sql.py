"""`guandan sql`: a run answers SQL, and nothing but the run can be read or anything be written."""

import builtins
import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from cluster.cli import main
from cluster.sql_page import statements
from sim import reading, schema
from sim.asking import VIEWS, asking
from tests.support.runs import make_run


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_run(tmp_path_factory.mktemp("sql") / "run", "greedy", "random", 60, block_pairs=25)


def test_every_view_holds_the_rows_that_figures_are_computed_from(folder: Path) -> None:
    taken = reading.snapshot(folder)
    with asking(taken, "en") as asked, reading.open_tables(taken) as tables:
        for view in VIEWS:
            query = f"select count(*), sum(hash(t)) from {view} t"
            assert asked.ask(query).rows == tuple(tables.rows(query))
        assert asked.ask("select count(*) from deals").rows[0][0] > 500


def test_views_and_columns_tell_what_they_mean_in_the_language(folder: Path) -> None:
    for language in ("zh", "en"):
        with asking(reading.snapshot(folder), language) as asked:
            told = asked.ask("select table_name, column_name, comment from duckdb_columns() where not internal").rows
            expected = {
                (view, column.name, column.zh if language == "zh" else column.en)
                for view in VIEWS
                for column in schema.columns("deals" if view == "fair_deals" else view)
            }
            assert set(told) == expected
            assert all(row[0] for row in asked.ask("select comment from duckdb_views() where not internal").rows)


@pytest.mark.parametrize(
    "sql",
    [
        "copy deals to '{out}'",
        "copy (select 1) to '{own}' (use_tmp_file false)",
        "explain analyze copy (select 1) to '{out}'",
        "export database '{out}'",
        "attach '{out}'",
        "select * from read_text('{own}')",
        "select * from read_text('/etc/passwd')",
        "select * from glob('/*')",
        "install httpfs",
        "load httpfs",
        "set enable_external_access = true",
        "set memory_limit = '1GB'",
        "set temp_directory = '{out}'",
        "create persistent secret s (type http)",
    ],
)
def test_sql_can_neither_write_nor_read_another_file(
    sql: str, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = folder / "pairs" / "000-000000.parquet"
    before = own.read_bytes()
    assert main(["sql", str(folder), sql.format(out=tmp_path / "out", own=own), "--lang", "en"]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.count("\n") == 1
    assert "no other file" in shown.err
    assert list(tmp_path.iterdir()) == []
    assert own.read_bytes() == before


def test_python_variables_are_no_tables(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sql", str(folder), "select * from rows"]) == 2
    assert "rows" in capsys.readouterr().err


@pytest.mark.parametrize(("language", "word"), [("zh", "SQL 有误"), ("en", "the SQL is wrong")])
@pytest.mark.parametrize("sql", ["selec 1", "select nothing from deals", "select * from nowhere", "select 1 / 'a'"])
def test_a_mistake_in_sql_is_one_line(
    sql: str, language: str, word: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["sql", str(folder), sql, "--lang", language]) == 2
    shown = capsys.readouterr()
    assert (shown.out, shown.err.count("\n")) == ("", 1)
    assert word in shown.err


def test_an_answer_is_a_table_json_or_csv(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    query = "select 7 as n, 'a,b' as word, null as nothing, 0.5::double as half, 'nan'::double as odd"
    assert main(["sql", str(folder), query]) == 0
    assert capsys.readouterr().out.splitlines() == ["n  word  nothing  half  odd", "7  a,b      null   0.5  nan"]
    assert main(["sql", str(folder), query, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "columns": ["n", "word", "nothing", "half", "odd"],
        "rows": [[7, "a,b", None, 0.5, None]],
    }
    assert main(["sql", str(folder), query, "--csv"]) == 0
    assert capsys.readouterr().out == 'n,word,nothing,half,odd\n7,"a,b",,0.5,nan\n'
    assert main(["sql", str(folder), query, "--csv", "--json", "--lang", "en"]) == 2
    assert "not both" in capsys.readouterr().err


def test_statements_come_from_standard_input(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for words in (["-"], []):
        monkeypatch.setattr(sys, "stdin", io.StringIO("create temp table a as\nselect 5 as v;\nselect v\nfrom a"))
        assert main(["sql", str(folder), *words, "--csv"]) == 0
        assert capsys.readouterr().out.splitlines()[-2:] == ["v", "5"]


def test_a_statement_ends_with_a_line_that_ends_in_a_semicolon() -> None:
    assert list(statements(iter(["select ';'\n", ", 1;\n", "\n", "select 2"]))) == [
        "select ';'\n, 1;\n",
        "\nselect 2",
    ]
    assert list(statements(iter(["\n", " \n"]))) == []


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_the_prompt_answers_until_ctrl_d_and_survives_mistakes(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed = iter(["", "select 1 +", "  1 as two;", "selec;", ".columns faults", ".nonsense", "from range(300);"])
    prompts = []

    def answer(prompt: str) -> str:
        prompts.append(prompt)
        try:
            return next(typed)
        except StopIteration:
            raise EOFError from None

    def lines(text: str) -> Iterator[str]:
        return iter(text.splitlines())

    monkeypatch.setattr(sys, "stdin", Terminal())
    monkeypatch.setattr(builtins, "input", answer)
    assert main(["sql", str(folder), "--lang", "en"]) == 0
    shown = capsys.readouterr()
    out, err = list(lines(shown.out)), list(lines(shown.err))
    assert out[:2] == ["two", "  2"]
    assert any(line.startswith("reason") and "what went wrong" in line for line in out)
    assert [sum(word in line for line in err) for word in ("tables: pairs", "SQL is wrong", "write .columns")] == [
        1
    ] * 3
    assert "the first 200 of 300 rows" in err[-1]
    assert len(set(prompts)) == 2


def test_a_folder_without_a_run_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sql", str(tmp_path), "select 1", "--lang", "en"]) == 2
    assert str(tmp_path) in capsys.readouterr().err


@pytest.mark.parametrize("text", [";", "/* nothing */"])
def test_a_text_without_a_statement_has_no_answer(folder: Path, capsys: pytest.CaptureFixture[str], text: str) -> None:
    assert main(["sql", str(folder), text]) == 0
    assert capsys.readouterr() == ("", "")
