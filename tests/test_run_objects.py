"""A run on an object store: the same bytes, figures and messages as in a local folder, from the command on."""

import os
import secrets
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sim import figures, reading, run_file, store
from sim import run as runs
from sim.boards import find_boards
from sim.errors import SimError
from sim.places import Place, place
from sim.request import new_request
from sim.run import LocalExecutor
from tests.support import stores

GUANDAN = str(Path(sys.executable).with_name("guandan"))
REQUEST = new_request("greedy", "random", pairs=60, seed=3, block_pairs=10, style=True)


@pytest.fixture(params=["s3", "gs"])
def there(request: pytest.FixtureRequest) -> Place:
    host = request.getfixturevalue(request.param)
    return place(f"{request.param}://{stores.BUCKET}/{secrets.token_hex(6)}?endpoint_override={host}&scheme=http")


def play(where: Path | Place) -> None:
    runs.play(runs.start(REQUEST, where), LocalExecutor(2), lambda _: None)


def guandan(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([GUANDAN, *words, "--lang", "en"], capture_output=True, text=True)


def test_a_run_has_the_same_bytes_and_figures_as_in_a_folder(there: Place, tmp_path: Path) -> None:
    play(there)
    play(tmp_path)
    for table in REQUEST.tables:
        ours, theirs = store.committed_files(there, table), store.committed_files(tmp_path, table)
        assert [path.read_bytes() for path in ours] == [path.read_bytes() for path in theirs]
    assert figures.headline(there) == figures.headline(tmp_path)
    assert store.find_runs(there) == [there]
    assert find_boards(there.text, 5, 1) == find_boards(str(tmp_path), 5, 1)


def test_only_what_is_missing_or_damaged_is_played_again(there: Place) -> None:
    play(there)
    there.remove("blocks/000-000002.json")
    there.publish("deals/000-000004.parquet", b"short")
    session = runs.start(REQUEST, there)
    assert [block.number for block in session.missing] == [2, 4]
    assert session.damaged == ("000-000004",)
    runs.play(session, LocalExecutor(1), lambda _: None)
    assert runs.resume(there).complete


def test_damage_is_told_with_the_address(there: Place) -> None:
    play(there)
    whole = there.read("pairs/000-000001.parquet")
    there.publish("pairs/000-000001.parquet", whole[:-1] + b"!")
    with pytest.raises(SimError) as told:
        reading.snapshot(there)
    assert (told.value.code, told.value.values["path"]) == ("block_damaged", there.at("pairs/000-000001.parquet"))
    there.remove("pairs/000-000001.parquet")
    with pytest.raises(SimError) as told:
        reading.snapshot(there)
    assert told.value.values["path"] == there.at("blocks/000-000001.json")


def test_a_second_driver_is_refused_and_a_prefix_with_other_objects_too(there: Place) -> None:
    play(there)
    there.remove("blocks/000-000000.json")
    with store.writing(there):
        assert store.writer_of(there) is not None
        with pytest.raises(SimError) as told:
            play(there)
        assert told.value.code == "run_busy"
    assert store.writer_of(there) is None
    (there / "other").publish("diary.txt", b"1")
    with pytest.raises(SimError) as told:
        play(there / "other")
    assert told.value.code == "folder_used"


def test_a_block_is_set_apart_and_brought_back(there: Place) -> None:
    play(there)
    record = store.records(there)[1]
    store.set_apart(there, record, store.SURPLUS)
    assert len(store.committed_stems(there)) == REQUEST.blocks - 1
    assert not store.is_whole(there, record)
    assert there.entries() == sorted([".lock", "run.json", "blocks", "surplus", *run_file.load(there).tables])
    store.bring_back(there, record, store.SURPLUS)
    assert store.is_whole(there, record)
    assert runs.resume(there).complete


def test_a_prefix_without_a_run_is_told(there: Place) -> None:
    with pytest.raises(SimError) as told:
        run_file.load(there)
    assert told.value.code == "run_missing"
    assert there.at() in str(told.value)


def test_a_removed_run_leaves_what_is_not_its_own(there: Place) -> None:
    play(there)
    there.publish("deals/notes.txt", b"1")
    with store.writing(there):
        assert store.remove(there) == ["deals/notes.txt"]
    assert not store.has_run(there)
    assert there.names("blocks") == []


def test_commands_play_show_and_tell_a_run(s3: str) -> None:
    address = f"s3://{stores.BUCKET}/{secrets.token_hex(6)}/a?endpoint_override={s3}&scheme=http"
    done = guandan("run", "greedy", "random", "--pairs", "40", "--block-pairs", "10", "--on", "local", "--out", address)
    assert done.returncode == 0, done.stderr
    assert address in done.stdout
    assert "Traceback" not in done.stderr
    again = guandan("resume", address, "--on", "local")
    assert (again.returncode, again.stdout) == (0, done.stdout)
    assert "nothing to play" in again.stderr
    assert guandan("status", address).returncode == 0
    shown = guandan("show", address, "--pair", "3", "--leg", "2", "--deal", "1")
    assert shown.returncode == 0, shown.stderr
    asked = guandan("sql", address, "select count(*) as pairs from pairs", "--csv")
    assert (asked.returncode, asked.stdout) == (0, "pairs\n40\n"), asked.stderr
    wider = guandan("extend", address, "--pairs", "60", "--on", "local")
    assert wider.returncode == 0, wider.stderr
    assert figures.headline(place(address)).pairs == 60


def test_a_run_is_stopped_by_a_note_and_goes_on(s3: str) -> None:
    address = f"s3://{stores.BUCKET}/{secrets.token_hex(6)}?endpoint_override={s3}&scheme=http"
    words = [GUANDAN, "run", "greedy", "random", "--pairs", "1000000", "--block-pairs", "500", "--on", "local"]
    with subprocess.Popen([*words, "--out", address], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        end = time.monotonic() + 60
        while not place(address).names("blocks") and time.monotonic() < end:
            time.sleep(0.1)
        stopped = guandan("stop", address)
        assert stopped.returncode == 0, stopped.stderr
        process.communicate(timeout=30)
    assert process.returncode == 130
    assert runs.resume(place(address)).missing


def test_a_killed_driver_leaves_a_run_that_goes_on(s3: str) -> None:
    address = f"s3://{stores.BUCKET}/{secrets.token_hex(6)}?endpoint_override={s3}&scheme=http"
    words = [GUANDAN, "run", "greedy", "random", "--pairs", "2000", "--block-pairs", "500", "--on", "local"]
    with subprocess.Popen([*words, "--out", address], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        end = time.monotonic() + 60
        while not store.has_run(place(address)) and time.monotonic() < end:
            time.sleep(0.02)
        os.kill(process.pid, signal.SIGKILL)
    done = guandan(*words[1:], "--out", address)
    assert done.returncode == 0, done.stderr
    assert runs.resume(place(address)).complete


def test_an_address_that_is_none_ends_a_command_with_one_line(s3: str) -> None:
    for address, part in (
        ("ftp://host/run", "scheme ftp"),
        (f"s3://nowhere/a?endpoint_override={s3}&scheme=http", "nowhere"),
    ):
        done = guandan("run", "greedy", "random", "--pairs", "1", "--on", "local", "--out", address)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.count("\n") == 1
        assert part in done.stderr
