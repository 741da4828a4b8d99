"""A Ray cluster on this machine, a head without processors and nodes with one each, until stdin ends.

Run as `python two_nodes.py NODES`. Its first line on stdout is the address. A line on stdin is answered by `done`:
`kill` waits until the last node is at work and ends it as if its machine lost its power, the raylet and all it has
started, by SIGKILL; `add` adds a node.

It imports nothing of ours: guandan-sim need not be installed where the nodes run.
"""

import contextlib
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

SOON = {  # a dead node is noticed after one second, not fourteen
    "health_check_initial_delay_ms": 0,
    "health_check_period_ms": 500,
    "health_check_timeout_ms": 1000,
    "health_check_failure_threshold": 2,
}


def children(process: int) -> list[int]:
    """List what a process has started, and what that has started."""
    parents: dict[int, list[int]] = {}
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            text = (entry / "stat").read_text()
        except OSError:  # it has ended meanwhile
            continue
        parents.setdefault(int(text.rpartition(")")[2].split()[1]), []).append(int(entry.name))
    found = parents.get(process, [])
    return found + [each for child in found for each in children(child)]


def is_busy(process: int) -> bool:
    """Tell whether a process is a worker of Ray with a task: it shows that as its name."""
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes().startswith(b"ray::work")
    except OSError:
        return False


def kill(node: Any) -> None:
    (raylet,) = (each.process.pid for each in node.all_processes["raylet"])
    until = time.monotonic() + 60
    while not any(is_busy(each) for each in children(raylet)) and time.monotonic() < until:
        time.sleep(0.002)
    for process in [raylet, *children(raylet)]:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)


def main(nodes: int) -> None:
    from ray.cluster_utils import Cluster

    store = 80 * 1024 * 1024
    head = {"num_cpus": 0, "object_store_memory": store, "include_dashboard": False, "_system_config": SOON}
    cluster = Cluster(initialize_head=True, head_node_args=head)

    def add() -> Any:
        return cluster.add_node(num_cpus=1, object_store_memory=store)

    workers = [add() for _ in range(nodes)]
    print(cluster.address, flush=True)
    for line in sys.stdin:
        if line.strip() == "kill":
            kill(workers.pop())
        else:
            workers.append(add())
        print("done", flush=True)
    cluster.shutdown()  # type: ignore[no-untyped-call]


if __name__ == "__main__":
    main(int(sys.argv[1]))
