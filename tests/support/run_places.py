"""A played run in a place of either kind, and what lies in it."""

import secrets
from pathlib import Path

import pytest

from sim import store
from sim.places import LOCK, Place, place
from sim.request import TABLES
from tests.support import stores

KINDS = ("local", "s3")


def empty_place(request: pytest.FixtureRequest, kind: str, folder: Path) -> Place:
    """Give a place that is empty and ready: the folder, or a new prefix of the S3 server of the tests."""
    if kind == "local":
        made = place(folder)
    else:
        host = request.getfixturevalue(kind)
        made = place(f"{kind}://{stores.BUCKET}/{secrets.token_hex(6)}?endpoint_override={host}&scheme=http")
    made.make()
    return made


def copied(source: Path, there: Place) -> Place:
    """Copy a run from a folder into an empty place."""
    for path in sorted(source.rglob("*")):
        if path.is_file() and path.name != LOCK:
            there.publish(str(path.relative_to(source)), path.read_bytes())
    return there


def contents(there: Place) -> dict[str, bytes]:
    """Read everything in a place but its lock, keyed by path."""
    inner = (store.BLOCKS, *TABLES)
    folders = [*inner, store.EXCLUSIONS, *(f"{apart}/{name}" for apart in store.APART for name in inner)]
    names = [f"{folder}/{name}" for folder in folders for name in there.names(folder)]
    top = set(there.entries()) - {name.partition("/")[0] for name in folders} - {LOCK}
    return {name: there.read(name) for name in (*sorted(top), *names)}


def data_of(there: Place) -> dict[str, bytes]:
    """Read the data files of all blocks that count, keyed by path."""
    return {name: there.read(name) for record in store.records(there) for name in record.files}
