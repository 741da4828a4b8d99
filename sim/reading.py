"""Read the tables of one run with SQL: whole, unchanged and from committed blocks only.

Everything that shows numbers reads through here, so that a page, a report and the command line see the same rows.
What is damaged is said in one line that names the file, before any number is shown.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sim import schema, store
from sim.errors import SimError
from sim.request import TABLES

if TYPE_CHECKING:
    import duckdb

FAIR_DEALS: Final = """
create view fair_deals as select * from deals where end_reason not in ('judged', 'judged_last')
"""
"""The deals whose order was played and not judged."""

_GLOB_CHARACTERS: Final = "[*?"


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Name the data files of the blocks that were committed at one moment; equal snapshots mean equal numbers.

    A table that the run does not keep has no files.
    """

    folder: Path
    pairs: tuple[str, ...]
    matches: tuple[str, ...]
    deals: tuple[str, ...]
    style: tuple[str, ...]
    faults: tuple[str, ...]
    cubes: tuple[str, ...]

    @property
    def blocks(self) -> int:
        """Count the committed blocks."""
        return len(self.pairs)

    def files(self, table: str) -> tuple[str, ...]:
        """Give the paths of one table in block order."""
        kept = (self.pairs, self.matches, self.deals, self.style, self.faults, self.cubes)
        return dict(zip(TABLES, kept, strict=True))[table]

    def has(self, table: str) -> bool:
        """Tell whether the run keeps this table (an empty run keeps none)."""
        return bool(self.files(table))


def snapshot(folder: Path, match_up: int | None = None) -> Snapshot:
    """Take the committed blocks of a run, or of one of its match-ups, and compare every file with its commit record.

    Raises `SimError` if a record is damaged, or a file is missing or is not byte for byte what was committed: the
    query engine itself does not check the pages it reads. A file is read for that once a process, as long as it does
    not change.
    """
    stems = store.committed_stems(folder, match_up)  # before the files: what is committed from here on does not count
    run = store.load(folder) if stems else None
    found: dict[str, list[str]] = {table: [] for table in TABLES}
    for stem in stems:
        files = store.read_record(folder, stem, run).files
        for table in TABLES:
            file = files.get(f"{table}/{stem}.parquet")
            if file is not None:
                path = folder / table / f"{stem}.parquet"
                _check(path, file.sha256, record=folder / store.BLOCKS / f"{stem}.json")
                found[table].append(str(path))
    return Snapshot(folder, *(tuple(found[table]) for table in TABLES))


def _check(path: Path, committed: str, *, record: Path) -> None:
    try:
        state = path.stat()
        digest = _digest(str(path), state.st_size, state.st_mtime_ns)
    except FileNotFoundError as error:
        reason = f"{path.parent.name}/{path.name}: {error.strerror}"
        raise SimError("block_damaged", path=record, reason=reason) from None
    except OSError as error:
        raise SimError("file_unreadable", path=path, reason=error.strerror) from None
    if digest != committed:
        raise SimError("block_damaged", path=path, reason=f"sha256 {digest[:8]} != {committed[:8]}")


@lru_cache(maxsize=100_000)
def _digest(path: str, size: int, changed: int) -> str:
    """Hash a file; size and time of change belong to the key of the cache."""
    with open(path, "rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()


class Tables:
    """Answer SQL over the tables of a snapshot, each a view of its name; a missing table is an empty one.

    `fair_deals` are the deals whose order was played and not judged.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection, taken: Snapshot) -> None:
        self._connection = connection
        self.snapshot = taken

    def rows(self, sql: str, values: Mapping[str, object] | None = None) -> list[tuple[Any, ...]]:
        """Run one statement; `$name` in it stands for `values["name"]`. Raises `SimError` if a file cannot be read."""
        import duckdb

        try:
            return self._connection.execute(sql, dict(values or {})).fetchall()
        except (duckdb.IOException, duckdb.InvalidInputException) as error:
            raise SimError("file_unreadable", path=self.snapshot.folder, reason=error) from None


@contextmanager
def open_tables(taken: Snapshot) -> Iterator[Tables]:
    """Open the tables of a snapshot for reading; nothing is loaded before it is asked for."""
    import duckdb  # imported here: commands that show no figures do without it

    connection = duckdb.connect(config={"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"})
    try:
        for table in TABLES:
            files = taken.files(table)
            if files:
                _view(connection, table, files, taken.folder)
            else:
                connection.register(table, schema.arrow_schema(table).empty_table())
        connection.execute(FAIR_DEALS)
        yield Tables(connection, taken)
    finally:
        connection.close()


def _view(connection: duckdb.DuckDBPyConnection, table: str, files: Sequence[str], folder: Path) -> None:
    import duckdb

    try:
        connection.read_parquet([_literal(path) for path in files]).create_view(table)
    except duckdb.Error as error:
        raise SimError("file_unreadable", path=folder, reason=error) from None


def _literal(path: str) -> str:
    """Keep the query engine from reading a path with brackets or stars as a pattern."""
    return "".join(f"[{c}]" if c in _GLOB_CHARACTERS else c for c in path)
