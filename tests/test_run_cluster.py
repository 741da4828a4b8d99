"""A run on a cluster that was there before: code goes along, nodes may die, refusals are one line."""

import os
import platform
import shutil
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from ray._private.utils import check_version_info

from cluster import ray_cluster, shipping
from cluster.ray_cluster import ClusterExecutor
from sim import run, run_file, store
from sim.errors import SimError
from sim.request import RunRequest
from sim.run import BlockTask, LocalExecutor
from tests.support.clusters import Cluster, cluster
from tests.support.compiling import ROOT, compile_library
from tests.support.small_run import ARGUMENTS, REQUEST, data_of, quiet

AUTHOR = """
from shared_part import Base

class Lowest(Base):
    zh, en = "最小", "lowest"
"""


@pytest.fixture(scope="module")
def two_nodes() -> Iterator[Cluster]:
    folder = Path(tempfile.mkdtemp(prefix="gd-c-", dir="/tmp"))
    try:
        with cluster(folder, 2) as started:
            yield started
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def same_bytes(far: Path, near: Path) -> bool:
    """Play the match-ups of a run again in threads, and compare."""
    run.play(run.start(run_file.load(far).requests, near), LocalExecutor(2), quiet)
    return data_of(far) == data_of(near)


@pytest.fixture
def authored(two_nodes: Cluster, tmp_path: Path) -> tuple[str, str]:
    """A file with what it imports from beside it, teamed with a package of the working folder; and a library."""
    shutil.copy(ROOT / "strategies/examples/lowest.py", tmp_path / "shared_part.py")
    text = (tmp_path / "shared_part.py").read_text().replace("class Lowest", "class Base")
    (tmp_path / "shared_part.py").write_text(text)
    (tmp_path / "mine.py").write_text(AUTHOR)
    package = two_nodes.folder / "my_package"
    package.mkdir(exist_ok=True)
    (package / "__init__.py").write_text("")
    (package / "inner.py").write_text(text)
    library = compile_library(ROOT / "strategies/examples/lowest.c", tmp_path / "lowest.so")
    return f"{tmp_path}/mine.py:Lowest?near=7+my_package.inner:Base", f"{library}:lowest"


def test_strategies_of_files_packages_and_libraries_go_along(
    two_nodes: Cluster, tmp_path: Path, authored: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = (*authored, "--pairs", "40", "--seed", "7", "--block-pairs", "10")
    code, said = two_nodes.run(*words, "--out", str(tmp_path / "far"), address="auto", RAY_ADDRESS=two_nodes.address)
    assert code == 0, said
    monkeypatch.chdir(two_nodes.folder)
    assert len(run_file.load(tmp_path / "far").requests) == 2  # the team in both seatings: blocks of the same numbers
    assert same_bytes(tmp_path / "far", tmp_path / "near")


@pytest.mark.soak
def test_library_that_a_node_lacks_is_one_line(two_nodes: Cluster, tmp_path: Path) -> None:
    hidden = two_nodes.packages / "pyarrow.py"
    hidden.write_text("raise ModuleNotFoundError(\"No module named 'pyarrow'\")\n")
    code, said = two_nodes.run(*ARGUMENTS, "--out", str(tmp_path))
    hidden.unlink()
    assert code == 2, said
    assert "a node cannot load" in said.splitlines()[-1]
    assert "No module named 'pyarrow'" in said.splitlines()[-1]
    assert "Traceback" not in said


@pytest.mark.heavy
def test_run_outlives_a_node_that_dies(two_nodes: Cluster, tmp_path: Path) -> None:
    words = ("expert", "greedy", "--pairs", "120", "--seed", "7", "--block-pairs", "5")
    process = two_nodes.start(*words, "--out", str(tmp_path / "far"))
    until = time.monotonic() + 60
    while process.poll() is None and not store.committed_stems(tmp_path / "far"):
        assert time.monotonic() < until
        time.sleep(0.02)
    two_nodes.kill_last_node()
    said = process.communicate(timeout=100)[1]
    two_nodes.add_node()
    assert process.returncode == 0, said
    assert "workers 2" in said
    assert "is queued again" in said
    assert same_bytes(tmp_path / "far", tmp_path / "near")


@pytest.mark.soak
def test_run_outlives_nodes_that_come_and_go(two_nodes: Cluster, tmp_path: Path) -> None:
    words = ("expert", "greedy", "--pairs", "2000", "--seed", "8", "--block-pairs", "20")
    process = two_nodes.start(*words, "--out", str(tmp_path / "far"))
    for _ in range(3):
        two_nodes.kill_last_node()
        two_nodes.add_node()
    said = process.communicate(timeout=600)[1]
    assert process.returncode == 0, said
    assert said.count("is queued again") >= 3
    assert same_bytes(tmp_path / "far", tmp_path / "near")


@pytest.mark.parametrize(
    ("environment", "parts"),
    [
        ({"RAY_AUTH_TOKEN": "6" * 64}, ["lets nobody in", "RAY_AUTH_TOKEN"]),
        pytest.param({"RAY_AUTH_MODE": "disabled"}, ["lets nobody in", "disabled"], marks=pytest.mark.soak),
        ({"RAY_AUTH_TOKEN": "", "HOME": "/nonexistent"}, ["no Ray token", "RAY_AUTH_TOKEN"]),
    ],
)
def test_wrong_token_is_one_line(
    two_nodes: Cluster, tmp_path: Path, environment: dict[str, str], parts: list[str]
) -> None:
    code, said = two_nodes.run(*ARGUMENTS, "--out", str(tmp_path), **environment)
    assert code == 2, said
    last = said.splitlines()[-1]
    assert len(said.splitlines()) == 2, said
    assert all(part in last for part in parts), said


@pytest.mark.parametrize(("address", "part"), [("127.0.0.1:1", "127.0.0.1:1"), ("no-such-host.invalid:6379", "6379")])
def test_nobody_at_the_address_is_told_at_once(tmp_path: Path, address: str, part: str) -> None:
    with pytest.raises(SimError) as error, ClusterExecutor(address, ("greedy",)):
        pass
    assert error.value.code == "cluster_unreachable"
    assert part in str(error.value)


MISMATCH = (
    "Version mismatch: The cluster was started with:\n    Ray: 2.61.0\n    Python: 3.12.1\n"
    "This process on node 1.2.3.4 was started with:\n    Ray: 2.60.0\n    Python: 3.11.7\n"
)
REFUSALS: list[tuple[Exception, str, list[str]]] = [
    (RuntimeError(MISMATCH), "cluster_version", ["2.61.0", "3.12.1", "2.60.0", "3.11.7"]),
    (ConnectionError("Could not find any running Ray instance. Please ..."), "cluster_none", ["--address"]),
    (ConnectionError("Failed to connect to Ray cluster at h:1"), "cluster_refused", ["h:1", "RAY_AUTH_TOKEN"]),
    (ValueError("Failed to merge the Job's runtime env {} with a ray.init's"), "cluster_job", ["py_modules"]),
    (RuntimeError("no raylet here\nmore"), "cluster_failed", ["h:1", "no raylet here"]),
]


@pytest.mark.parametrize(("error", "code", "parts"), REFUSALS)
def test_refusal_of_ray_becomes_one_line(error: Exception, code: str, parts: list[str]) -> None:
    told = ray_cluster._refusal("h:1", error)
    assert told.code == code
    for text in (told.text("en"), told.text("zh")):
        assert "\n" not in text
        assert all(part in text for part in parts)


def test_versions_that_differ_are_refused_by_ray_in_the_words_that_are_read() -> None:
    with pytest.raises(RuntimeError) as error:
        check_version_info({"ray_version": "2.0.0", "python_version": "3.8.1"}, "node here")
    assert ray_cluster._refusal("h:1", error.value).values["ray"] == "2.0.0"


# ---- what a worker finds on its node


def task_of(folder: Path, request: RunRequest = REQUEST) -> BlockTask:
    session = run.start(request, folder)
    block = run_file.block_of(request, 0)
    return BlockTask(folder, session.run.id, request, dict(session.run.hashes), block)


def test_worker_that_does_not_see_the_folder_of_the_run_says_so(tmp_path: Path) -> None:
    task = task_of(tmp_path / "run")
    shutil.rmtree(tmp_path / "run")
    other = task_of(tmp_path / "other", replace(REQUEST, seed=8))
    for folder in (tmp_path / "run", tmp_path / "other"):  # not there; another run there
        told = ray_cluster.work_on_node(replace(task, folder=folder))
        assert isinstance(told, SimError)
        assert told.code == "node_folder"
        assert {platform.node(), str(folder)} <= {str(value) for value in told.values.values()}
    assert not isinstance(ray_cluster.work_on_node(other), SimError)


def test_node_with_other_code_is_named(tmp_path: Path) -> None:
    task = task_of(tmp_path)
    told = ray_cluster.work_on_node(replace(task, hashes={**task.hashes, "engine": "0" * 16}))
    assert isinstance(told, SimError)
    assert told.code == "node_differs"
    assert platform.node() in str(told)
    assert "engine" in str(told)


def test_installed_packages_and_our_own_do_not_go_along_twice(tmp_path: Path) -> None:
    shipped = shipping.stage(tmp_path / "stage", ["strategies.examples.lowest:Lowest", "numpy:ndarray", "greedy"])
    assert [os.path.basename(path) for path in shipped] == sorted(shipping.PACKAGES)
    staged = {path.relative_to(tmp_path / "stage").as_posix() for path in (tmp_path / "stage").rglob("*")}
    assert {"engine/_core.abi3.so", "strategies/_native.abi3.so", "engine/rulesets/national.toml"} <= staged
    assert not any("__pycache__" in name or ".gitignore" in name for name in staged)


def test_files_of_one_name_in_two_folders_keep_apart(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        text = (ROOT / "strategies/examples/lowest.py").read_text() + f"# {folder}\n"
        (tmp_path / folder / "same.py").write_text(text)
    names = [f"{tmp_path}/{folder}/same.py:Lowest" for folder in ("a", "b")]
    shipping.stage(tmp_path / "stage", names)
    files = list((tmp_path / "stage/guandan_files").glob("*/same.py"))
    assert {path.read_text()[-4:] for path in files} == {"# a\n", "# b\n"}
