"""Keep a run on disk so that a block is there whole or not at all, however the process ends.

A run is a folder:

    run.json                        the request, hashes, versions, host: written once, before any block
    blocks/000-000012.json          the commit record of block 12 of match-up 0, written last
    pairs/000-000012.parquet        its rows; matches/ and deals/ likewise, by detail

Every file is written under a hidden name ending in .tmp, synced, and moved into place; so a reader by glob
(`deals/*.parquet`) sees whole files only. A block counts when its commit record is there. The Parquet files are a
function of the request alone: times, host and attempts are in the records and in run.json.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import secrets
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from sim import schema
from sim.errors import SimError, write_error
from sim.request import DETAILS, RunRequest

FORMAT = 1
"""Version of run.json and of the commit records; a higher one is refused, a lower one must stay readable."""

RUN_FILE = "run.json"
BLOCKS = "blocks"
_LOCK = ".lock"
_TEMPORARY = ".tmp"


@dataclass(frozen=True, slots=True)
class Block:
    """Name the unit of work, of commit and of re-execution: the pairs `first .. first + pairs - 1`."""

    match_up: int
    number: int
    first: int
    pairs: int

    @property
    def stem(self) -> str:
        """Give the file name without its ending."""
        return f"{self.match_up:03d}-{self.number:06d}"


def block_of(request: RunRequest, number: int) -> Block:
    """Give block `number`, 0 .. `request.blocks` - 1."""
    first = number * request.block_pairs
    return Block(0, number, first, min(request.block_pairs, request.pairs - first))


@dataclass(frozen=True, slots=True)
class StoredFile:
    """Say what one data file must be."""

    rows: int
    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class BlockRecord:
    """Commit one block. `files` is keyed by path inside the run; `seconds` is wall time and proves nothing."""

    block: Block
    matches: int
    deals: int
    files: Mapping[str, StoredFile]
    seconds: float
    writer: str


@dataclass(frozen=True, slots=True)
class Run:
    """Hold run.json. `hashes` and `versions` are keyed by what they are of; `matches` is how many the request makes."""

    folder: Path
    id: str
    request: RunRequest
    matches: int
    hashes: Mapping[str, str]
    versions: Mapping[str, str]
    host: Mapping[str, object]
    created: str
    commit: str | None


def load(folder: Path) -> Run:
    """Read run.json; `SimError` if there is none, if it is damaged, or if it is newer than this version."""
    path = folder / RUN_FILE
    if not folder.is_dir():
        raise SimError("folder_is_file" if folder.exists() else "folder_missing", folder=folder)
    try:
        text = path.read_bytes()
    except FileNotFoundError:
        raise SimError("run_missing", folder=folder) from None
    except OSError as error:
        raise SimError("file_unreadable", path=path, reason=error.strerror) from None
    try:
        fields = json.loads(text)
        found = fields.pop("format")
        if not isinstance(found, int) or found < 1:
            raise ValueError("format")
        if found > FORMAT:
            raise SimError("run_newer", path=path, found=found, known=FORMAT)
        request = RunRequest.from_dict(fields.pop("request"))
        run = Run(folder=folder, request=request, **fields)
        if (type(run.id), type(run.matches), type(run.hashes)) != (str, int, dict):
            raise TypeError("id")
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        reason = f"{type(error).__name__}: {error}"
        raise SimError("run_damaged", path=path, reason=reason) from None
    except SimError as error:
        if error.code == "run_newer":
            raise
        raise SimError("run_damaged", path=path, reason=error) from None
    return run


def create(run: Run) -> None:
    """Write run.json and the folders of a new run; the folder must be empty but for what an earlier try left."""
    folder = run.folder
    try:
        strangers = {p.name for p in folder.iterdir()} - {_LOCK, BLOCKS, *DETAILS}
        if any(not name.endswith(_TEMPORARY) for name in strangers) or any(committed_stems(folder)):
            raise SimError("folder_used", folder=folder)
        for name in (BLOCKS, *run.request.tables):
            (folder / name).mkdir(exist_ok=True)
    except OSError as error:
        raise write_error(error, folder) from None
    fields = {
        "format": FORMAT,
        "id": run.id,
        "request": run.request.as_dict(),
        "matches": run.matches,
        "hashes": dict(run.hashes),
        "versions": dict(run.versions),
        "host": dict(run.host),
        "created": run.created,
        "commit": run.commit,
    }
    publish(folder / RUN_FILE, _json_bytes(fields))


def make_folder(folder: Path) -> None:
    """Make the folder of a run with its parents; refuse an address of another machine."""
    if folder.parts and folder.parts[0].endswith(":"):  # Path makes "s3:/x" of "s3://x"
        raise SimError("folder_remote", folder=folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        raise SimError("folder_is_file", folder=folder) from None
    except OSError as error:
        raise SimError("folder_failed", folder=folder, reason=error.strerror) from None


@contextlib.contextmanager
def writing(folder: Path) -> Iterator[None]:
    """Keep a second process from writing the same run, and clear away what a killed one left half-written.

    The lock ends with its process, so a crash leaves none behind. Where the file system has no locks the run goes on
    without: two writers are harmless, since both write the same bytes.
    """
    try:
        handle = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise write_error(error, folder) from None
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            owner = os.pread(handle, 20, 0).decode("ascii", "replace") or "?"
            raise SimError("run_busy", folder=folder, owner=owner) from None
        except OSError:
            pass
        with contextlib.suppress(OSError):  # the number is for the message above only
            os.truncate(handle, 0)
            os.pwrite(handle, str(os.getpid()).encode(), 0)
        sweep(folder)
        yield
    finally:
        os.close(handle)


def sweep(folder: Path) -> None:
    """Remove half-written files. Only for the process that holds the lock."""
    for place in (folder, *(folder / name for name in (BLOCKS, *DETAILS))):
        for path in place.glob(f".*{_TEMPORARY}") if place.is_dir() else ():
            with contextlib.suppress(OSError):
                path.unlink()


def remove(folder: Path) -> None:
    """Delete the run in a folder: its own files only; the folder stays. Call it while `writing`."""
    try:
        with contextlib.suppress(FileNotFoundError):
            (folder / RUN_FILE).unlink()  # first, so that a run cut short here is no run any more
        for name in (BLOCKS, *DETAILS):
            if (folder / name).is_dir():
                shutil.rmtree(folder / name)
    except OSError as error:
        raise write_error(error, folder) from None


def write_block(
    folder: Path, block: Block, tables: Mapping[str, pa.Table], *, matches: int, deals: int, seconds: float
) -> BlockRecord:
    """Write the data files of a block, then commit it. Writing it again puts the same bytes in the same place.

    Raises `SimError` when the disk is full or the folder read-only; then nothing of the block counts.
    """
    files = {}
    for name, table in tables.items():
        data = parquet_bytes(name, table)
        path = f"{name}/{block.stem}.parquet"
        publish(folder / path, data)
        files[path] = StoredFile(table.num_rows, len(data), hashlib.sha256(data).hexdigest())
    record = BlockRecord(block, matches, deals, files, round(seconds, 3), f"pyarrow {pa.__version__}")
    publish(_record_path(folder, block), _json_bytes({"format": FORMAT, **asdict(record)}))
    return record


def parquet_bytes(name: str, table: pa.Table) -> memoryview:
    """Encode the rows of one table; equal rows give equal bytes under one version of pyarrow."""
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, **schema.write_options(name))
    return memoryview(sink.getvalue())


def publish(path: Path, data: bytes | memoryview) -> None:
    """Put a file in place whole: hidden name, sync, move, sync the folder. `SimError` if that fails."""
    temporary = path.with_name(f".{path.stem}.{os.getpid()}-{secrets.token_hex(4)}{_TEMPORARY}")
    try:
        try:
            with open(temporary, "wb") as handle:
                handle.write(data)
                handle.flush()
                os.fsync(handle.fileno())
            os.replace(temporary, path)
        except BaseException:
            with contextlib.suppress(OSError):
                temporary.unlink()
            raise
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    except OSError as error:
        raise write_error(error, path) from None


def _json_bytes(fields: Mapping[str, object]) -> bytes:
    return (json.dumps(fields, ensure_ascii=False, indent=1) + "\n").encode()


def _record_path(folder: Path, block: Block) -> Path:
    return folder / BLOCKS / f"{block.stem}.json"


def committed_stems(folder: Path) -> list[str]:
    """List the committed blocks in order, by the name of their record."""
    try:
        names = os.listdir(folder / BLOCKS)
    except FileNotFoundError:
        return []
    except OSError as error:
        raise SimError("file_unreadable", path=folder / BLOCKS, reason=error.strerror) from None
    return sorted(name.removesuffix(".json") for name in names if name.endswith(".json"))


def read_record(folder: Path, stem: str) -> BlockRecord:
    """Read one commit record; `SimError` if it is damaged."""
    path = folder / BLOCKS / f"{stem}.json"
    try:
        fields = json.loads(path.read_bytes())
        if fields.pop("format") > FORMAT:
            raise ValueError("format")
        block = Block(**fields.pop("block"))
        files = {name: StoredFile(**file) for name, file in fields.pop("files").items()}
        record = BlockRecord(block=block, files=files, **fields)
        if block.stem != stem or not isinstance(record.matches, int):
            raise ValueError("block")
    except OSError as error:
        raise SimError("file_unreadable", path=path, reason=error.strerror) from None
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise SimError("block_damaged", path=path, reason=f"{type(error).__name__}: {error}") from None
    return record


def records(folder: Path) -> list[BlockRecord]:
    """Read all commit records, in block order."""
    return [read_record(folder, stem) for stem in committed_stems(folder)]


def is_whole(folder: Path, record: BlockRecord) -> bool:
    """Tell whether the files of a committed block are there with their sizes. The content is not read."""
    try:
        return all((folder / name).stat().st_size == file.bytes for name, file in record.files.items())
    except OSError:
        return False


def committed_files(folder: Path, table: str) -> list[Path]:
    """List the data files of the committed blocks of a run, in block order.

    Empty if the run does not keep that table. A file that a record names and that is gone raises `SimError`.
    """
    if table not in DETAILS:
        raise ValueError(f"no table {table!r}; the tables are {', '.join(DETAILS)}")
    if not (folder / table).is_dir():
        return []
    paths = [folder / table / f"{stem}.parquet" for stem in committed_stems(folder)]
    present = set(os.listdir(folder / table))
    for path in paths:
        if path.name not in present:
            record = folder / BLOCKS / f"{path.stem}.json"
            raise SimError("block_damaged", path=record, reason=f"{table}/{path.name}: {os.strerror(2)}")
    return paths


def find_runs(folder: Path) -> list[Path]:
    """List the run folders at `folder` or directly below it, by name."""
    if (folder / RUN_FILE).is_file():
        return [folder]
    try:
        return sorted(path.parent for path in folder.glob(f"*/{RUN_FILE}"))
    except OSError as error:
        raise SimError("file_unreadable", path=folder, reason=error.strerror) from None
