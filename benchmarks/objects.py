"""Commits to an object store, and what going on with a long run costs: `python -m benchmarks.objects [N]`.

N blocks (100,000) without rows are committed by `publish_first` from many threads to an S3 server in another process;
then the run is looked through as one does who goes on with it: a listing, and which blocks are missing. The server is
the one of the tests, in Python, so the seconds are mostly its own; memory and objects are ours.
"""

from __future__ import annotations

import json
import logging
import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import islice

from rich.console import Console
from rich.table import Table

from sim.places import Place, place

BLOCKS = 100_000
THREADS = 16
_KEYS = {"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_REGION": "us-east-1"}


def _stem(number: int) -> str:
    return f"000-{number:06d}"


def _record(number: int) -> bytes:
    """Write what the record of a block with three tables holds."""
    file = {"rows": 20, "bytes": 12_345, "sha256": f"{number:064x}"}
    content = {
        "format": 3,
        "block": {"match_up": 0, "number": number, "first": number * 20, "pairs": 20},
        "matches": 40,
        "deals": 400,
        "files": {f"{table}/{_stem(number)}.parquet": file for table in ("pairs", "matches", "deals")},
        "seconds": 0.123,
        "writer": "pyarrow 26.0.1",
    }
    return (json.dumps(content, indent=1) + "\n").encode()


def serve() -> None:
    """Be the server: print host and port, then answer until stdin ends."""
    from moto.server import ThreadedMotoServer

    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    print("{}:{}".format(*server.get_host_and_port()), flush=True)
    sys.stdin.read()
    server.stop()


@contextmanager
def _server() -> Iterator[str]:
    command = [sys.executable, "-c", "from benchmarks.objects import serve; serve()"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        process.communicate()


def _commit_all(here: Place, blocks: int) -> None:
    numbers = iter(range(blocks))

    def commit(number: int) -> bool:
        return here.publish_first(f"blocks/{_stem(number)}.json", _record(number))

    with ThreadPoolExecutor(THREADS) as pool:
        while some := list(islice(numbers, 1000)):
            assert all(pool.map(commit, some))


def _megabytes() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def measure_objects(blocks: int) -> Table:
    """Commit so many blocks, then look the run through."""
    from tests.support.stores import BUCKET, make_bucket

    os.environ.update(_KEYS)
    out = Table(f"{blocks:,} commits, {THREADS} threads", "")
    with _server() as host:
        make_bucket(host)
        here = place(f"s3://{BUCKET}/run?endpoint_override={host}&scheme=http")
        before = _megabytes()
        began = time.perf_counter()
        _commit_all(here, blocks)
        seconds = time.perf_counter() - began
        out.add_row("commits/s", f"{blocks / seconds:,.0f}")
        out.add_row("memory of the driver, MB", f"{_megabytes()} (before: {before})")
        began = time.perf_counter()
        names = here.names("blocks")
        done = {int(name.removesuffix(".json")[4:]) for name in names}
        missing = [number for number in range(blocks) if number not in done]
        out.add_row("resume: listing, seconds", f"{time.perf_counter() - began:.2f}")
        out.add_row("memory then, MB", f"{_megabytes()}")
        began = time.perf_counter()
        matches = sum(json.loads(data)["matches"] for data in here.read_all(f"blocks/{name}" for name in names))
        out.add_row("resume: reading every record, seconds", f"{time.perf_counter() - began:.2f}")
        out.add_row("objects", f"{len(names):,} (missing: {len(missing)}, matches: {matches:,})")
    return out


if __name__ == "__main__":
    Console().print(measure_objects(int(sys.argv[1]) if len(sys.argv) > 1 else BLOCKS))
