"""Answer SQL that a user wrote about one run, and nothing else: it can neither write a file nor read another one.

The query engine gets the tables from Arrow and no file at all, so that its own access to files can be shut off whole.
Views and columns carry their meanings as comments (duckdb_views(), duckdb_columns()).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from sim import schema
from sim.errors import Language, SimError, one_line
from sim.reading import FAIR_DEALS, Snapshot
from sim.request import TABLES

if TYPE_CHECKING:
    import duckdb

VIEWS: Final = ("pairs", "matches", "deals", "fair_deals", "style", "faults", "cubes")

_ABOUT: Final = {
    "pairs": ("每对一行：同一组牌打两轮，换位", "a row a pair: two matches on the same deals, teams exchanged"),
    "matches": ("每轮一行", "a row a match"),
    "deals": ("每副一行", "a row a deal"),
    "fair_deals": (
        "打完的副：不含因犯规判定名次的",
        "the deals that were played out, without those judged for a fault",
    ),
    "style": ("行牌风格的计数，每块每类每率一行", "counts of how it is played, a row a block, role and rate"),
    "faults": ("策略出错的决定，每次一行", "a row a decision in which a strategy failed"),
    "cubes": ("各项统计的计数，每块每项一行", "the counts behind the figures, a row a block and count"),
}

_LOCK: Final = (
    "set temp_directory = ''",  # the folder would count as allowed
    "set enable_external_access = false",
    "set python_enable_replacements = false",
    "set lock_configuration = true",
)


@dataclass(frozen=True, slots=True)
class Answer:
    """Hold the rows of one statement; a statement without an answer has no columns."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]


class Asked:
    """Hold the tables of a run, open for questions."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection

    def ask(self, sql: str) -> Answer:
        """Run the statements of a text and give the answer of the last; `SimError` tells in one line what is wrong."""
        import duckdb

        try:
            found: duckdb.DuckDBPyConnection | None = self._connection.execute(sql)
            if found is None:  # a text without a statement: a semicolon, a comment
                return Answer((), ())
            columns = tuple(entry[0] for entry in found.description or ())
            return Answer(columns, tuple(found.fetchall()) if columns else ())
        except (duckdb.Error, RuntimeError, ValueError, OverflowError) as error:
            refused = isinstance(error, duckdb.PermissionException) or "has been locked" in str(error)
            raise SimError("sql_refused" if refused else "sql_wrong", reason=_short(error)) from None


def _short(error: Exception) -> str:
    """Give what the query engine says of a mistake without its drawing of the place."""
    return one_line(" ".join(str(error).split("\n\nLINE ")[0].split()))


@contextmanager
def asking(taken: Snapshot, language: Language) -> Iterator[Asked]:
    """Open the committed blocks of a run for questions; `SimError` if a file cannot be read."""
    import duckdb  # imported here: commands that ask nothing do without them
    import pyarrow as pa
    from pyarrow import dataset

    connection = duckdb.connect(config={"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"})
    try:
        for table in TABLES:
            files = taken.files(table)
            try:
                rows = (
                    dataset.dataset(list(files), format="parquet")
                    if files
                    else schema.arrow_schema(table).empty_table()
                )
            except (OSError, pa.ArrowException) as error:
                raise SimError("file_unreadable", path=taken.folder, reason=error) from None
            connection.register(table, rows)
        connection.execute(FAIR_DEALS)
        _explain(connection, language)
        for setting in _LOCK:
            connection.execute(setting)
        yield Asked(connection)
    finally:
        connection.close()


def _explain(connection: duckdb.DuckDBPyConnection, language: Language) -> None:
    zh, comments = language == "zh", []
    for view in VIEWS:
        comments.append(f"comment on view {view} is {_quoted(_ABOUT[view][0 if zh else 1])}")
        table = "deals" if view == "fair_deals" else view
        kept = {name for (name,) in connection.execute(f"select column_name from (describe {view})").fetchall()}
        for column in schema.columns(table):
            if column.name in kept:
                text = column.zh if zh else column.en
                comments.append(f"comment on column {view}.{column.name} is {_quoted(text)}")
    connection.execute("; ".join(comments))


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
