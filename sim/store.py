"""Keep a run so that a block is there whole or not at all, however the process ends.

A run is a place: a local folder, or a prefix of an object store (`sim.places`):

    run.json                        the request, hashes, versions, host: written once, before any block
    blocks/000-000012.json          the commit record of block 12 of match-up 0, written last
    pairs/000-000012.parquet        its rows; matches/, deals/, style/ and faults/ likewise, as asked for
    cubes/000-000012.parquet        its sums; in an observed run with a mark of the attempt: 000-000012-1f3a9c02.parquet
    excluded/, surplus/             blocks that do not count, with folders as above
    exclusions/000001.json          the log of what was taken out and put back (sim.exclusions)

Every file is published whole; so a reader by glob (`deals/*.parquet`) sees whole files only. A block counts when its
commit record is there. The Parquet files are a function of the request alone: times, host and attempts are in the
records and in run.json.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import re
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, TypeVar

import pyarrow as pa
import pyarrow.parquet as pq

from sim import schema
from sim.checked_json import (
    WrongFieldError,
    check_fields,
    exactly,
    is_count,
    is_seconds,
    is_text,
    json_bytes,
    read_object,
    wrong_field,
)
from sim.errors import SimError
from sim.places import LOCK, Place, Where, as_place, is_temporary
from sim.request import DETAILS, TABLES
from sim.run_file import FORMAT, RUN_FILE, Block, Run, block_of, load, run_bytes

STOP_FILE = ".stop"
BLOCKS = "blocks"
SURPLUS = "surplus"
EXCLUDED = "excluded"
EXCLUSIONS = "exclusions"
APART = (SURPLUS, EXCLUDED)
"""Folders inside a run for blocks that do not count: played after a verdict, or taken out by hand."""

_INNER = (BLOCKS, *TABLES)
_STEM = re.compile(r"[0-9]{3}-[0-9]{6}")
_DATA = re.compile(rf"{_STEM.pattern}(-[0-9a-f]{{8}})?\.parquet")
_ENTRY = re.compile(r"[0-9]{6}\.json")
_HEX = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class StoredFile:
    """Say what one data file must be."""

    rows: int
    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class BlockRecord:
    """Commit one block. `files` is keyed by path inside the run; `seconds` is wall time and proves nothing.

    looks: pairs by cell of each look of a sequential test (sim.looks); empty where none is asked for.
    run: name of the run, "" in records of a format before 4
    """

    block: Block
    matches: int
    deals: int
    files: Mapping[str, StoredFile]
    seconds: float
    writer: str
    looks: tuple[tuple[int, ...], ...] = ()
    run: str = ""

    def name_of(self, table: str) -> str | None:
        """Give the path inside the run of the file with the rows of a table; None where it is not kept."""
        return next((name for name in self.files if name.startswith(f"{table}/")), None)


def create(run: Run) -> None:
    """Write run.json and the folders of a new run; the folder must be empty but for what an earlier try left."""
    _refuse_others(run.folder)
    write_run(run)


def write_run(run: Run) -> None:
    """Write run.json in the place of what is there, and make the folders."""
    here = as_place(run.folder)
    for name in (BLOCKS, *run.tables):
        here.make_inner(name)
    here.publish(RUN_FILE, run_bytes(run))


def _refuse_others(folder: Where) -> None:
    if committed_stems(folder):
        raise SimError("run_file_missing", folder=folder)
    try:
        used = strangers(folder)
    except FileNotFoundError as error:
        raise SimError("file_unreadable", path=folder, reason=error.strerror) from None
    if used:
        raise SimError("folder_used", folder=folder)


def strangers(folder: Where) -> list[str]:
    """List what lies in the place of a run, not deeper, and is no part of one."""
    own = {RUN_FILE, STOP_FILE, LOCK, EXCLUSIONS, *_INNER, *APART}
    return [name for name in as_place(folder).entries() if name not in own]


def make_folder(folder: Where) -> None:
    """Make the place of a run ready, a folder with its parents; refuse one with other files."""
    here = as_place(folder)
    here.make()
    if not here.exists(RUN_FILE):  # before a lock is left in a folder that is not ours
        _refuse_others(folder)


def has_run(folder: Where) -> bool:
    """Tell whether a run lies here."""
    return as_place(folder).exists(RUN_FILE)


@contextlib.contextmanager
def writing(folder: Where) -> Iterator[Callable[[], None]]:
    """Keep a second process from writing the same run, and clear away what a killed one left half-written.

    Gives what `Place.writing` does: a function that raises `SimError` if the lock was lost meanwhile.
    """
    with as_place(folder).writing() as check:
        sweep(folder)
        yield check


def writer_of(folder: Where) -> str | None:
    """Name the process that writes a run at this moment; None if none does, or where that cannot be told."""
    return as_place(folder).writer()


def sweep(folder: Where) -> None:
    """Remove half-written files of a run. Only for the process that holds the lock."""
    as_place(folder).sweep((*_INNER, EXCLUSIONS))


def clear_half_written(folder: Where) -> None:
    """Remove what ended workers left half-written, unless a process writes the run: it did so when it began."""
    with contextlib.suppress(SimError), writing(folder):
        pass


def half_written(folder: Where) -> list[str]:
    """Name the half-written files of a run by their paths inside it."""
    return as_place(folder).half_written((*_INNER, EXCLUSIONS))


def remove(folder: Where) -> list[str]:
    """Delete the run in a place and return what else lies in its folders, which stays. Call it while `writing`.

    Nothing is deleted before it is known that all of it can be: a folder that is a link, or may not be written to,
    raises `SimError`. The commit records go first and run.json last, so that a removal cut short leaves a run whose
    missing blocks are played again.
    """
    here = as_place(folder)
    return _remove_objects(here) if here.local_path is None else _remove_files(here.local_path)


def _remove_objects(here: Place) -> list[str]:
    others = []
    for inner in _folders():
        apart, _, last = inner.rpartition("/")
        place = here / apart if apart else here
        for name in place.names(last):
            if is_ours(inner, name):
                place.remove(f"{last}/{name}")
            else:
                others.append(f"{inner}/{name}")
    here.remove(RUN_FILE)
    return others


def _folders() -> list[str]:
    """List the folders of a run in the order of their removal."""
    return [*_INNER, *(f"{apart}/{name}" for apart in APART for name in _INNER), EXCLUSIONS]


def is_stem(name: str) -> bool:
    """Tell whether a name is that of a block."""
    return _STEM.fullmatch(name) is not None


def is_ours(inner: str, name: str) -> bool:
    """Tell whether a file of this name belongs into an inner folder of a run."""
    if inner == EXCLUSIONS:
        return _ENTRY.fullmatch(name) is not None
    if inner.rpartition("/")[2] == BLOCKS:
        return name.endswith(".json") and is_stem(name.removesuffix(".json"))
    return _DATA.fullmatch(name) is not None


def _remove_files(folder: Path) -> list[str]:
    own, others = [], []
    for name in _folders():
        place = folder / name
        if place.is_symlink():
            raise SimError("remove_link", path=place)
        try:
            entries = sorted(os.scandir(place), key=lambda entry: entry.name)
        except FileNotFoundError:
            continue
        except OSError as error:
            raise SimError("remove_refused", path=place, reason=error.strerror) from None
        for entry in entries:
            ours = is_ours(name, entry.name) or is_temporary(entry.name)
            if ours and entry.is_file(follow_symlinks=False):
                own.append(place / entry.name)
            else:
                others.append(f"{name}/{entry.name}")
    own.append(folder / RUN_FILE)
    for place in {path.parent for path in own}:
        if not os.access(place, os.W_OK | os.X_OK):
            raise SimError("remove_refused", path=place, reason=os.strerror(errno.EACCES))
    for path in own:
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise SimError("remove_failed", path=path, reason=error.strerror, folder=folder) from None
    for name in (*_folders(), *APART):
        with contextlib.suppress(OSError):  # not empty
            (folder / name).rmdir()
    return others


def write_block(
    folder: Where,
    block: Block,
    tables: Mapping[str, pa.Table],
    *,
    matches: int,
    deals: int,
    seconds: float,
    looks: tuple[tuple[int, ...], ...] = (),
    run: str = "",
    keep_first: bool = False,
) -> BlockRecord:
    """Write the data files of a block, then commit it. Writing it again puts the same bytes in the same place.

    keep_first: of an observed run, whose bytes may differ: the first commit stands, and its record is returned. Each
    attempt writes files of its own, so that a record names what is there, however many play the block at once.

    Raises `SimError` when the disk is full or the folder read-only; then nothing of the block counts.
    """
    here = as_place(folder)
    if keep_first and here.exists(record_name(block.stem)):
        return read_record(folder, block.stem)
    attempt = f"-{secrets.token_hex(4)}" if keep_first else ""
    files = {}
    here.make_inner(BLOCKS)
    for name, table in tables.items():
        data = parquet_bytes(name, table)
        path = f"{name}/{block.stem}{attempt}.parquet"
        here.publish(path, data)
        files[path] = StoredFile(table.num_rows, len(data), hashlib.sha256(data).hexdigest())
    record = BlockRecord(block, matches, deals, files, round(seconds, 3), f"pyarrow {pa.__version__}", looks, run)
    content = json_bytes({"format": FORMAT, **asdict(record)})
    if not keep_first:
        here.publish(record_name(block.stem), content)
    elif not here.publish_first(record_name(block.stem), content):
        committed = read_record(folder, block.stem)
        if committed.files.keys() != files.keys():  # else it is ours, and the answer of the store was lost
            for path in files:
                here.remove(path)
        return committed
    return record


def clear_attempts(run: Run) -> None:
    """Of an observed run, remove what attempts left that were not the first, and records of blocks that are not whole.

    Only for the process that holds the lock. An attempt in work loses nothing that it still needs: where a record
    stands it comes too late, and where none stands its files are let be.
    """
    if not run.observed:
        return
    here, found = as_place(run.folder), records(run.folder)
    known = sizes(here, run.tables)  # after the records, whose files are all older than they
    named: dict[str, Mapping[str, StoredFile]] = {}
    for record in found:
        if is_whole(here, record, known):
            named[record.block.stem] = record.files
        else:
            here.remove(record_name(record.block.stem))
    for name in known:
        inner, _, last = name.partition("/")
        if is_ours(inner, last) and name not in named.get(stem_of(last), {name}):
            here.remove(name)


def stem_of(name: str) -> str:
    """Give the block that a data file is of, from its name without the folder."""
    return name[:10]


def parquet_bytes(name: str, table: pa.Table) -> memoryview:
    """Encode the rows of one table; equal rows give equal bytes under one version of pyarrow."""
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, **schema.write_options(name))
    return memoryview(sink.getvalue())


def record_name(stem: str) -> str:
    """Give the path inside the run of the commit record of a block."""
    return f"{BLOCKS}/{stem}.json"


def committed_stems(folder: Where, match_up: int | None = None) -> list[str]:
    """List the committed blocks in order, by the name of their record; files with other names do not count.

    match_up: only the blocks of this one.
    """
    start = "" if match_up is None else f"{match_up:03d}-"
    names = as_place(folder).names(BLOCKS)
    return [name.removesuffix(".json") for name in names if is_ours(BLOCKS, name) and name.startswith(start)]


def commit_times(folder: Where) -> dict[str, float]:
    """Give when each block was committed, in seconds since 1970, keyed by stem."""
    return {name.removesuffix(".json"): stat.modified for name, stat in as_place(folder).stats(BLOCKS).items()}


def read_record(folder: Where, stem: str, run: Run | None = None) -> BlockRecord:
    """Read one commit record; `SimError` if it is damaged, newer, or not of a block of `run`."""
    (record,) = read_records(folder, [stem], run)
    return record


def read_records(folder: Where, stems: Sequence[str], run: Run | None, *, again: bool = False) -> list[BlockRecord]:
    """Read commit records as `read_record` does. again: they are kept for the next time, where reading takes long."""
    here = as_place(folder)
    names = [record_name(stem) for stem in stems]
    try:
        kept = (path.read_bytes() for path in here.local_files(names)) if again else None
        read = here.read_all(names) if kept is None else kept
        return [_record(data, here.at(record_name(stem)), stem, run) for data, stem in zip(read, stems, strict=True)]
    except OSError as error:
        raise SimError("file_unreadable", path=error.filename, reason=error.strerror) from None


def _record(data: bytes, path: str, stem: str, run: Run | None) -> BlockRecord:
    try:
        found = {"looks": [], "run": "", **read_object(data, path, FORMAT, "block_newer")}
        exactly(found, {field.name for field in fields(BlockRecord)})
        check_fields(found, _RECORD_FIELDS)
        found["looks"] = tuple(map(tuple, found["looks"]))
        block = _block(found.pop("block"), stem, run)
        if run is not None:
            if found["run"] not in ("", run.id):  # copied from another run
                raise wrong_field("run", found["run"])
            _check_counts(found, block, run)
        return BlockRecord(block=block, files=_files(found.pop("files"), stem, run), **found)
    except WrongFieldError as wrong:
        raise SimError("block_damaged", path=path, reason=wrong) from None


def _check_counts(found: Mapping[str, Any], block: Block, run: Run) -> None:
    """Refuse matches that are not those of the block's pairs, and looks that are not of all its pairs."""
    request = run.requests[block.match_up]
    if found["matches"] != block.pairs * run.legs[block.match_up]:
        raise wrong_field("matches", found["matches"])
    if request.test is None:
        right = not found["looks"]
    else:
        size = request.test.look_pairs
        pairs = [min(size, block.pairs - first) for first in range(0, block.pairs, size)]
        right = [sum(look) for look in found["looks"]] == pairs
        cells = 5 if request.boards is None else 13  # as sim.looks counts them
        right = right and all(len(look) == cells for look in found["looks"])
    if not right:
        raise WrongFieldError(f"looks: {json.dumps(found['looks'])[:60]}")


def _is_looks(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(look, list) and all(map(is_count, look)) for look in value)


_RECORD_FIELDS: Mapping[str, Callable[[Any], bool]] = {
    "matches": is_count,
    "deals": is_count,
    "seconds": is_seconds,
    "writer": is_text,
    "looks": _is_looks,
    "run": is_text,
}
_FILE_FIELDS: Mapping[str, Callable[[Any], bool]] = {
    "rows": is_count,
    "bytes": is_count,
    "sha256": lambda value: isinstance(value, str) and _HEX.fullmatch(value) is not None,
}


def _block(found: object, stem: str, run: Run | None) -> Block:
    names = tuple(field.name for field in fields(Block))
    given = exactly(found, set(names), "block")
    check_fields(given, dict.fromkeys(names, is_count), "block.")
    block = Block(**given)
    if block.stem != stem or (run is not None and not _is_of(run, block)):
        raise wrong_field("block", given)
    return block


def _is_of(run: Run, block: Block) -> bool:
    if block.match_up >= len(run.requests):
        return False
    request = run.requests[block.match_up]
    return block.number < request.blocks and block == block_of(request, block.number, block.match_up)


def _files(found: object, stem: str, run: Run | None) -> dict[str, StoredFile]:
    names = found if isinstance(found, dict) else {}
    mark = None
    if run is None or run.observed:
        mark = next((m for name in names if (m := re.fullmatch(rf"pairs/{stem}(-[0-9a-f]{{8}})\.parquet", name))), None)
    stem += mark[1] if mark else ""
    if run is not None:
        old = f"cubes/{stem}.parquet" not in names  # a block made before there were cubes
        tables = tuple(table for table in run.tables if not (old and table == "cubes"))
    else:
        known = tuple(table for table in TABLES if f"{table}/{stem}.parquet" in names)
        tables = known or DETAILS
    given = exactly(found, {f"{table}/{stem}.parquet" for table in tables}, "files")
    files = {}
    for table in tables:  # the order of the run, whatever that of the file
        name = f"{table}/{stem}.parquet"
        file = exactly(given[name], set(_FILE_FIELDS), f"files.{name}")
        check_fields(file, _FILE_FIELDS, f"files.{name}.")
        files[name] = StoredFile(**file)
    return files


def records(folder: Where) -> list[BlockRecord]:
    """Read all commit records of a run, in block order."""
    stems = committed_stems(folder)
    return read_records(folder, stems, load(folder) if stems else None)


def set_apart(folder: Where, record: BlockRecord, where: str) -> None:
    """Move a committed block to a folder where it does not count (`APART`); its record goes first.

    Cut short, it leaves data files without a record, which only a glob would read; `run.finish` or `tidy` ends it.
    """
    here = as_place(folder)
    for name in (record_name(record.block.stem), *record.files):
        with contextlib.suppress(FileNotFoundError):
            here.move(name, f"{where}/{name}")


def bring_back(folder: Where, record: BlockRecord, where: str) -> None:
    """Undo `set_apart`: the record comes last."""
    here = as_place(folder)
    for name in (*record.files, record_name(record.block.stem)):
        with contextlib.suppress(FileNotFoundError):
            here.move(f"{where}/{name}", name)


def data_name(run: Run, block: Block, table: str) -> str | None:
    """Give the path inside the run of a block's rows of one table; None if they are not kept or not yet played."""
    if table not in run.tables or not as_place(run.folder).exists(record_name(block.stem)):
        return None
    return read_record(run.folder, block.stem, run).name_of(table)


def rows_of(record: BlockRecord, table: str) -> int:
    """Count the rows of one table in a block; 0 where it is not kept."""
    name = record.name_of(table)
    return record.files[name].rows if name is not None else 0


def sizes(folder: Where, tables: Sequence[str]) -> dict[str, int]:
    """Give the bytes of all files of these tables, keyed by path inside the run."""
    here = as_place(folder)
    return {f"{table}/{name}": stat.size for table in tables for name, stat in here.stats(table).items()}


def is_whole(folder: Where, record: BlockRecord, known: Mapping[str, int] | None = None) -> bool:
    """Tell whether the files of a committed block are there with their sizes. The content is not read.

    known: the `sizes` of the run, so that many blocks need no look each.
    """
    if known is not None:
        return all(known.get(name) == file.bytes for name, file in record.files.items())
    here = as_place(folder)
    try:
        return all(here.stat(name).size == file.bytes for name, file in record.files.items())
    except FileNotFoundError:
        return False


def committed_files(folder: Where, table: str) -> list[Path]:
    """List the data files of the committed blocks of a run, in block order, match-up after match-up.

    Of an object store they are local copies. Empty if the run does not keep that table. A file that a record names and
    that is gone raises `SimError`.
    """
    if table not in TABLES:
        raise ValueError(f"no table {table!r}; the tables are {', '.join(TABLES)}")
    here = as_place(folder)
    start = f"{table}/"
    names = [name for record in records(folder) for name in record.files if name.startswith(start)]
    present = set(here.names(table)) if names else set()
    for name in names:
        stem = stem_of(name.removeprefix(start))
        if name.removeprefix(start) not in present:
            reason = f"{name}: {os.strerror(errno.ENOENT)}"
            raise SimError("block_damaged", path=here.at(record_name(stem)), reason=reason)
    return here.local_files(names)


Found = TypeVar("Found", Path, Place)


def find_runs(folder: Found) -> list[Found]:
    """List the runs at `folder` or directly below it, by name; those below that cannot be read are left out."""
    here = as_place(folder)
    try:
        if here.exists(RUN_FILE):
            return [folder]
        below = [folder / name for name in here.entries()]
    except FileNotFoundError as error:
        raise SimError("file_unreadable", path=folder, reason=error.strerror) from None
    return [each for each in below if _is_run(each)]


def _is_run(folder: Where) -> bool:
    try:
        return has_run(folder)
    except SimError:
        return False
