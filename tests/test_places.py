"""A place keeps files whole, whoever writes at the same time: the same promises on a folder and on an object store."""

import errno
import os
import pickle
import secrets
import subprocess
import sys
import tempfile
import textwrap
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from sim import lease, objects
from sim.errors import SimError
from sim.places import LocalPlace, Place, place
from tests.support import stores


@pytest.fixture(params=["local", "s3", "gs"])
def here(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """An empty place that is ready, of each kind."""
    if request.param == "local":
        made = place(tmp_path / "run")
    else:
        host = request.getfixturevalue(request.param)
        made = place(
            f"{request.param}://{stores.BUCKET}/运行/{secrets.token_hex(6)}?endpoint_override={host}&scheme=http"
        )
    made.make()
    return made


def remote(host: str, prefix: str = "", bucket: str = stores.BUCKET) -> Place:
    return place(f"s3://{bucket}/{prefix or secrets.token_hex(6)}?endpoint_override={host}&scheme=http")


def in_threads(count: int, work: Callable[[int], object]) -> None:
    start = threading.Barrier(count)

    def go(number: int) -> None:
        start.wait()
        work(number)

    threads = [threading.Thread(target=go, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


# --- files ---


def test_a_published_file_reads_back_whole(here: Place) -> None:
    here.publish("run.json", b"{}")
    here.publish("pairs/000-000001.parquet", memoryview(b"\0" * 100_000))
    assert here.read("run.json") == b"{}"
    assert here.stat("pairs/000-000001.parquet").size == 100_000
    assert here.entries() == ["pairs", "run.json"]


def test_an_empty_file_is_a_file(here: Place) -> None:
    here.publish("blocks/empty.json", b"")
    assert here.read("blocks/empty.json") == b""
    assert here.names("blocks") == ["empty.json"]


def test_publishing_again_replaces_the_content_and_its_key_of_change(here: Place) -> None:
    here.publish("run.json", b"one")
    before = here.stat("run.json")
    here.publish("run.json", b"two")
    assert here.read("run.json") == b"two"
    assert here.stat("run.json").change != before.change


def test_what_is_not_there_is_told_as_missing(here: Place) -> None:
    for ask in (here.read, here.stat):
        with pytest.raises(FileNotFoundError):
            ask("blocks/none.json")
    with pytest.raises(FileNotFoundError):
        here.move("blocks/none.json", "blocks/some.json")
    with pytest.raises(FileNotFoundError):
        here.local_files(["pairs/none.parquet"])
    assert not here.exists("run.json")
    assert here.names("blocks") == []
    assert here.stats("blocks") == {}
    assert here.entries() == []
    here.remove("blocks/none.json")


def test_names_are_of_one_inner_folder_only(here: Place) -> None:
    for name in ("run.json", "blocks/b.json", "blocks/a.json", "pairs/a.parquet"):
        here.publish(name, b"1")
    (here / "blocks").publish("deeper/c.json", b"1")
    assert [name for name in here.names("blocks") if name != "deeper"] == ["a.json", "b.json"]
    assert (here / "blocks").names("deeper") == ["c.json"]


def test_a_listing_has_more_than_a_thousand_names(here: Place) -> None:
    names = [f"blocks/000-{number:06d}.json" for number in range(1_203)]
    in_threads(8, lambda n: [here.publish(name, name.encode()) for name in names[n::8]])
    assert [f"blocks/{name}" for name in here.names("blocks")] == names
    assert {stat.size for stat in here.stats("blocks").values()} == {len(names[0])}
    assert list(here.read_all(names[::-30])) == [name.encode() for name in names[::-30]]


def test_a_file_moves_and_goes(here: Place) -> None:
    here.publish("pairs/a.parquet", b"1")
    here.move("pairs/a.parquet", "damaged/a.parquet")
    assert (here.names("pairs"), here.names("damaged")) == ([], ["a.parquet"])
    here.remove("damaged/a.parquet")
    assert here.names("damaged") == []


def test_a_reader_sees_a_file_whole_or_not_at_all(here: Place) -> None:
    sizes, seen = [3_000_000, 1_000_000], set()
    over = threading.Event()

    def write(n: int) -> None:
        if n:
            for number in range(12):
                here.publish("pairs/a.parquet", b"x" * sizes[number % 2])
            over.set()
        else:
            while not over.is_set():
                for name in here.names("pairs"):
                    assert name == "a.parquet"
                    seen.add(len(here.read(f"pairs/{name}")))

    in_threads(2, write)
    seen.add(here.stat("pairs/a.parquet").size)
    assert seen <= set(sizes)


# --- the first writer wins ---


def test_one_of_eight_writers_is_the_first_and_its_bytes_stand(here: Place) -> None:
    for turn in range(6):
        name = f"blocks/{turn}.json"
        won: list[int] = []

        def write(n: int, name: str = name, won: list[int] = won) -> None:
            if here.publish_first(name, bytes([n]) * 2_000):
                won.append(n)

        in_threads(8, write)
        assert len(won) == 1
        assert here.read(name) == bytes(won) * 2_000
        assert not here.publish_first(name, b"late")
    assert len(here.names("blocks")) == 6


@pytest.mark.parametrize("locks", [True, False])
def test_the_first_writer_wins_where_a_file_system_has_no_links(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, locks: bool
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.EPERM, "no links")

    monkeypatch.setattr("sim.places.os.link", refuse)
    if not locks:
        monkeypatch.setattr("sim.places.fcntl.flock", refuse)
    here = LocalPlace(tmp_path)
    won: list[int] = []
    in_threads(8 if locks else 1, lambda n: won.append(n) if here.publish_first("blocks/a", bytes([n])) else None)
    assert len(won) == 1
    assert here.read("blocks/a") == bytes(won)
    assert not here.publish_first("blocks/a", b"late")
    assert os.listdir(tmp_path / "blocks") == ["a"]


# --- the lock ---


def test_a_second_writer_is_told_who_writes(here: Place) -> None:
    with here.writing() as check:
        check()
        with pytest.raises(SimError) as told, here.writing():
            pass
        assert told.value.code == "run_busy"
        assert str(os.getpid()) in str(told.value)
        assert here.at() in str(told.value)
    with here.writing():
        pass


def test_of_eight_writers_one_gets_the_lock(here: Place) -> None:
    got, told = [], []
    asked = threading.Barrier(8)

    def write(n: int) -> None:
        try:
            with here.writing():
                got.append(n)
                asked.wait()
        except SimError as error:
            told.append(error.code)
            asked.wait()

    in_threads(8, write)
    assert (len(got), told) == (1, ["run_busy"] * 7)


@pytest.mark.parametrize("kind", ["s3", "gs"])
def test_a_lease_that_is_not_renewed_is_taken_over_and_its_owner_told(
    kind: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = request.getfixturevalue(kind)
    here = place(f"{kind}://{stores.BUCKET}/{secrets.token_hex(6)}?endpoint_override={host}&scheme=http")
    monkeypatch.setattr(lease, "RENEWAL", 0.3)
    with here.writing() as check:
        monkeypatch.setattr(lease, "TERM", -60.0)  # the stores give whole seconds
        with here.writing() as other:
            for _ in range(100):
                try:
                    check()
                except SimError as error:
                    assert error.code == "run_busy"  # noqa: PT017
                    break
                threading.Event().wait(0.05)
            else:
                pytest.fail("not told")
            other()
        monkeypatch.setattr(lease, "TERM", 60.0)
    with here.writing():  # what was lost is not released over the new owner, who did release it
        pass


def test_a_lease_is_kept_by_renewal(s3: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lease, "RENEWAL", 0.05)
    here = remote(s3)
    with here.writing() as check:
        first = here.stat(".lock")
        threading.Event().wait(0.3)
        check()
        assert here.stat(".lock").size == first.size


def test_a_lease_of_a_process_of_this_machine_that_died_is_taken_at_once(s3: str) -> None:
    here = remote(s3)
    code = f"""
        import os
        from sim.places import place
        held = place({here.text!r}).writing()
        held.__enter__()
        os._exit(0)
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(code)], check=True)
    assert b'"ended": false' in here.read(".lock")
    with here.writing():
        pass


# --- addresses ---


def test_a_place_can_be_sent_to_another_process(here: Place) -> None:
    here.publish("run.json", b"{}")
    for again in (pickle.loads(pickle.dumps(here)), place(here.text)):
        assert again == here
        assert again.read("run.json") == b"{}"
    code = f"from sim.places import place; assert place({here.text!r}).read('run.json') == b'{{}}'"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_file_uri_is_a_local_folder() -> None:
    assert place("file:///runs/a%20b") == LocalPlace(Path("/runs/a b"))
    assert place("runs/a").local_path == Path("runs/a")


def test_the_endpoint_may_come_from_the_environment(s3: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://{s3}")
    here = place(f"s3://{stores.BUCKET}/{secrets.token_hex(6)}")
    here.publish("run.json", b"{}")
    assert here.entries() == ["run.json"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("ftp://host/run", "place_unknown"),
        ("http://user:hidden@host/run", "place_unknown"),
        ("S3://bucket1/run", "place_unknown"),
        ("s3:/bucket1/run", "place_wrong"),
        ("s3:///run", "place_wrong"),
        ("s3://b/run", "place_wrong"),
        ("s3://key:hidden@bucket1/run", "place_wrong"),
        ("s3://bucket1/a//b", "place_wrong"),
        ("s3://bucket1/a/../b", "place_wrong"),
        ("s3://bucket1/run?secret_key=hidden", "place_wrong"),
        ("s3://bucket1/run?scheme=ftp", "place_wrong"),
        ("gs://", "place_wrong"),
        ("file://host/run", "place_wrong"),
    ],
)
def test_an_address_that_is_none_is_told_in_one_line(text: str, code: str) -> None:
    with pytest.raises(SimError) as told:
        place(text)
    assert told.value.code == code
    for language in ("en", "zh"):
        line = told.value.text(language)
        assert "\n" not in line
        assert "user:hidden" not in line
        assert "key:hidden" not in line


# --- what goes wrong ---


def one_line(error: SimError, *parts: str) -> None:
    for language in ("en", "zh"):
        line = error.text(language)
        assert "\n" not in line
        for part in parts:
            assert part in line


def test_a_missing_bucket_is_named(s3: str) -> None:
    here = remote(s3, bucket="nowhere")
    asks = (
        here.make,
        lambda: here.read("run.json"),
        lambda: here.names("blocks"),
        lambda: here.publish("run.json", b"{}"),
        lambda: here.publish_first("run.json", b"{}"),
        lambda: here.writing().__enter__(),
    )
    for ask in asks:
        with pytest.raises(SimError) as told:
            ask()
        assert told.value.code == "bucket_missing"
        one_line(told.value, "nowhere")


@pytest.mark.parametrize(
    ("status", "answer", "code"),
    [
        (403, "AccessDenied", "place_forbidden"),
        (403, "SignatureDoesNotMatch", "place_forbidden"),
        (401, "Unauthorized", "place_forbidden"),
        (503, "SlowDown", "place_unreachable"),
        (500, "InternalError", "place_unreachable"),
        (400, "InvalidRequest", "place_failed"),
        (501, "NotImplemented", "place_failed"),
        (507, "XMinioStorageFull", "place_unreachable"),
    ],
)
def test_a_store_that_refuses_is_told_by_its_reason(
    store_environment: None, monkeypatch: pytest.MonkeyPatch, status: int, answer: str, code: str
) -> None:
    monkeypatch.setattr(objects, "RETRIES", 1)
    server = stores.Answers(stores.always(status, answer))
    here = remote(server.host)
    for ask in (lambda: here.read("run.json"), lambda: here.publish("run.json", b"{}"), lambda: here.names("blocks")):
        with pytest.raises(SimError) as told:
            ask()
        assert told.value.code == code
        one_line(told.value, here.at(), answer)
    server.close()


def test_a_server_that_is_gone_is_tried_again_and_then_told(
    store_environment: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(objects, "RETRIES", 2)
    server = stores.Answers(stores.GoogleStore)
    here = remote(server.host)
    server.close()
    with pytest.raises(SimError) as told:
        here.publish("run.json", b"{}")
    assert told.value.code == "place_unreachable"
    one_line(told.value, here.at("run.json"))


def test_without_the_library_the_way_to_get_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "obstore", None)
    objects._obstore.cache_clear()
    with pytest.raises(SimError) as told:
        place("s3://bucket1/run").read("run.json")
    objects._obstore.cache_clear()
    assert told.value.code == "objects_missing"


def test_a_read_only_folder_is_told() -> None:
    code = """
        import os, sys
        from sim.errors import SimError
        from sim.places import place
        if os.geteuid() == 0:  # who may write everywhere
            os.setuid(65534)
        for put in (place(sys.argv[1]).publish, place(sys.argv[1]).publish_first):
            try:
                put("run.json", b"{}")
            except SimError as error:
                print(error.code, str(error).count(chr(10)))
    """
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o555)
        command = [sys.executable, "-c", textwrap.dedent(code), folder]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert done.stdout == "read_only 0\n" * 2


@pytest.mark.parametrize("call", ["publish", "publish_first"])
@pytest.mark.parametrize(
    ("number", "code"), [(errno.EROFS, "read_only"), (errno.ENOSPC, "disk_full"), (errno.EIO, "file_failed")]
)
def test_a_failed_write_is_told_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, number: int, code: str
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    here = LocalPlace(tmp_path)
    monkeypatch.setattr("sim.places.os.fsync", refuse)
    with pytest.raises(SimError) as told:
        getattr(here, call)("blocks/a.json", b"{}")
    assert told.value.code == code
    one_line(told.value, "a.json")
    assert os.listdir(tmp_path / "blocks") == []


def test_a_full_disk_leaves_what_was_there(tmp_path: Path) -> None:
    code = f"""
        import resource
        from sim.errors import SimError
        from sim.places import place
        here = place({str(tmp_path)!r})
        here.publish("pairs/a.parquet", b"1" * 1000)
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
        for put in (here.publish, here.publish_first):
            try:
                put("pairs/" + put.__name__, b"2" * 10_000)
            except SimError as error:
                print(error.code, str(error).count(chr(10)))
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], check=True, capture_output=True, text=True)
    assert done.stdout == "disk_full 0\n" * 2
    assert os.listdir(tmp_path / "pairs") == ["a.parquet"]


def test_a_folder_that_disappears_while_it_is_written_is_told(tmp_path: Path) -> None:
    here = LocalPlace(tmp_path / "gone")
    with pytest.raises(SimError) as told:
        here.publish("blocks/a.json", b"{}")
    assert told.value.code == "run_gone"


def test_half_written_files_are_hidden_until_they_are_swept(tmp_path: Path) -> None:
    here = LocalPlace(tmp_path)
    here.publish("pairs/a.parquet", b"1")
    left = tmp_path / "pairs" / ".000-000001.123-0123abcd.tmp"
    left.write_bytes(b"half")
    assert here.names("pairs") == ["a.parquet"]
    here.sweep(["pairs", "blocks"])
    assert os.listdir(tmp_path / "pairs") == ["a.parquet"]


# --- for a query engine ---


def test_a_query_engine_reads_local_paths_with_the_content(here: Place) -> None:
    names = ["pairs/b.parquet", "pairs/a.parquet", "deals/a.parquet"]
    for name in names:
        here.publish(name, name.encode())
    paths = here.local_files(names)
    assert [path.read_text() for path in paths] == names
    assert here.local_files(names) == paths
    here.publish("pairs/a.parquet", b"another")
    assert here.local_files(names)[1].read_bytes() == b"another"


def test_copies_of_an_object_store_go_with_the_process(s3: str) -> None:
    here = remote(s3)
    here.publish("pairs/a.parquet", b"1")
    code = f"from sim.places import place; print(*place({here.text!r}).local_files(['pairs/a.parquet']))"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip().endswith("a.parquet")
    assert not Path(done.stdout.strip()).parent.exists()
