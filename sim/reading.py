"""Read the tables of one run with SQL: whole, unchanged and from committed blocks only.

Everything that shows numbers reads through here, so that a page, a report and the command line see the same rows.
What is damaged is said in one line that names the file, before any number is shown.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sim import run_file, schema, store
from sim.errors import SimError
from sim.places import Where, as_place
from sim.request import TABLES

if TYPE_CHECKING:
    import duckdb

FAIR_DEALS: Final = """
create view fair_deals as select * from deals where end_reason not in ('judged', 'judged_last')
"""
"""The deals whose order was played and not judged."""

_BLOCK: Final = r"([0-9]{3}-[0-9]{6})(-[0-9a-f]{8})?\.parquet$"
"""Finds the name of a block in that of a data file, or of a local copy of one, which has more before it."""

_GLOB_CHARACTERS: Final = "[*?"


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Name the data files of the blocks that were committed at one moment; equal snapshots mean equal numbers.

    A table that the run does not keep has no files.
    """

    folder: Where
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


def snapshot(folder: Where, match_up: int | None = None, only: Collection[str] | None = None) -> Snapshot:
    """Take the committed blocks of a run, or of one of its match-ups, and compare every file with its commit record.

    only: names of the blocks to take, of those that are committed; all where it is None.

    Raises `SimError` if a record is damaged, or a file is missing or is not byte for byte what was committed: the
    query engine itself does not check the pages it reads. A file is read for that once a process, as long as it does
    not change.
    """
    here = as_place(folder)
    stems = store.committed_stems(here, match_up)  # before the files: what is committed from here on does not count
    if only is not None:
        chosen = set(only)
        stems = [stem for stem in stems if stem in chosen]
    run = run_file.load(here) if stems else None
    records = store.read_records(here, stems, run, again=True)
    names = [name for record in records for name in record.files]
    try:
        paths = dict(zip(names, here.local_files(names), strict=True))
    except FileNotFoundError as error:
        name = next(name for name in names if here.at(name) == error.filename)
        stem = next(record.block.stem for record in records if name in record.files)
        record_path = here.at(store.record_name(stem))
        raise SimError("block_damaged", path=record_path, reason=f"{name}: {error.strerror}") from None
    for record in records:
        for name, file in record.files.items():
            _check(paths[name], file.sha256, here.at(name))
    found = ([str(paths[name]) for name in names if name.startswith(f"{table}/")] for table in TABLES)
    return Snapshot(folder, *map(tuple, found))


def _check(path: Path, committed: str, shown: str) -> None:
    """Compare a file with its hash in the commit record. shown: what messages call it."""
    try:
        digest = digest_of(path)
    except OSError as error:
        raise SimError("file_unreadable", path=shown, reason=error.strerror) from None
    if digest != committed:
        raise SimError("block_damaged", path=shown, reason=f"sha256 {digest[:8]} != {committed[:8]}")


def digest_of(path: Path) -> str:
    """Hash a local file, once a process as long as it does not change. Raises OSError."""
    state = path.stat()
    return _digest(str(path), state.st_size, state.st_mtime_ns)


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

    def number(self, table: str) -> None:
        """Give a table that is kept two more columns: `block`, the name of its block, and `row`, from 0."""
        names = ", ".join("'" + _literal(path).replace("'", "''") + "'" for path in self.snapshot.files(table))
        block = f"regexp_extract(filename, '{_BLOCK}', 1)"
        self.rows(
            f"create or replace temp table {table} as select *, {block} as block, file_row_number as row "
            f"from read_parquet([{names}], filename = true, file_row_number = true)"
        )

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


def _view(connection: duckdb.DuckDBPyConnection, table: str, files: Sequence[str], folder: Where) -> None:
    import duckdb

    try:
        connection.read_parquet([_literal(path) for path in files]).create_view(table)
    except duckdb.Error as error:
        raise SimError("file_unreadable", path=folder, reason=error) from None


def _literal(path: str) -> str:
    """Keep the query engine from reading a path with brackets or stars as a pattern."""
    return "".join(f"[{c}]" if c in _GLOB_CHARACTERS else c for c in path)
