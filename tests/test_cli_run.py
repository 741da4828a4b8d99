"""The commands that play, replay and describe: what they print, and that a run stopped by a signal goes on."""

import errno
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cluster.cli import main
from cluster.invocation import command
from cluster.texts import Texts
from sim import run, schema, store
from sim.run import LocalExecutor
from tests.support.small_run import ARGUMENTS, REQUEST, data_of, heed_ctrl_c, quiet

GUANDAN = str(Path(sys.executable).with_name("guandan"))
# Long enough that a signal arrives in the middle: about four seconds on one processor.
LONG = ("greedy", "random", "--pairs", "20000", "--seed", "3", "--block-pairs", "500", "--detail", "pairs")


def environment(home: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("RAY_AUTH")}
    return kept | {"HOME": str(home), "LC_ALL": "C.UTF-8"}


def called() -> str:
    """Give the program as a message must name it."""
    return "guandan" if shutil.which("guandan") == GUANDAN else GUANDAN


def stop_in_the_middle(folder: Path, on: str, number: signal.Signals) -> tuple[int, str, float]:
    """Start a run, signal its process group once two blocks are done; give exit code, stderr and seconds to end."""
    command = [GUANDAN, "run", *LONG, "--out", str(folder), "--on", on, "--workers", "1"]
    process = subprocess.Popen(
        command,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=heed_ctrl_c,
        env=environment(folder.parent),
    )
    end = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < end and len(store.committed_stems(folder)) < 2:
        time.sleep(0.05)
    assert process.poll() is None, process.communicate()
    sent = time.monotonic()
    if number == signal.SIGINT:
        os.killpg(process.pid, number)  # as a terminal does it
    else:
        process.send_signal(number)
    _, err = process.communicate(timeout=60)
    return process.returncode, err, time.monotonic() - sent


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole")
    assert main(["run", *LONG, "--out", str(folder), "--on", "local"]) == 0
    return folder


@pytest.mark.parametrize(
    ("on", "number", "code"),
    [("local", signal.SIGINT, 130), ("local", signal.SIGTERM, 143), ("ray", signal.SIGINT, 130)],
)
def test_run_stopped_by_a_signal_goes_on_with_the_same_command(
    tmp_path: Path,
    uninterrupted: Path,
    capsys: pytest.CaptureFixture[str],
    on: str,
    number: signal.Signals,
    code: int,
) -> None:
    folder = tmp_path / "run"
    returned, err, seconds = stop_in_the_middle(folder, on, number)
    assert returned == code, err
    assert seconds < (20 if on == "ray" else 5)  # quiet machine: 2 and 0.1
    kept = len(store.committed_stems(folder))
    assert 2 <= kept < 40
    again = f"stopped: {kept} of 40 blocks are kept. The same command goes on: {called()} run greedy random"
    assert again in err
    assert "Traceback" not in err
    assert not (tmp_path / ".ray").exists()  # no token is left behind
    assert main(["run", *LONG, "--out", str(folder), "--on", "local"]) == 0
    assert f"{kept} of 40 blocks are done" in capsys.readouterr().err
    assert data_of(folder) == data_of(uninterrupted)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_stop_while_ray_starts_says_how_to_go_on(tmp_path: Path, number: signal.Signals, code: int) -> None:
    command = [GUANDAN, "run", *LONG, "--out", str(tmp_path / "run")]
    process = subprocess.Popen(
        command,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=heed_ctrl_c,
        env=environment(tmp_path),
    )
    place = Path(os.environ["RAY_TMPDIR"])
    end = time.monotonic() + 60
    while time.monotonic() < end and not list(place.glob(f"gd-ray-{process.pid}-*/session_*/sockets/*")):
        time.sleep(0.02)
    process.send_signal(number)
    _, err = process.communicate(timeout=60)
    assert process.returncode == code, err
    assert f"The same command goes on: {called()} run" in err
    assert "Traceback" not in err
    assert not list(place.glob(f"gd-ray-{process.pid}-*"))


def test_command_that_is_printed_can_be_pasted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = tmp_path / "my env/guandan"
    program.parent.mkdir()
    program.touch(0o755)
    monkeypatch.setattr(sys, "argv", [str(program)])
    shown = Texts("en")("page_open", command=command("dashboard", "x" * 300, "a b"))
    assert shown == f"open the page: '{program}' dashboard {'x' * 300} 'a b'"
    monkeypatch.setenv("PATH", str(program.parent))
    assert command("dashboard") == "guandan dashboard"


def test_run_that_was_killed_goes_on(tmp_path: Path, uninterrupted: Path) -> None:
    folder = tmp_path / "run"
    assert stop_in_the_middle(folder, "local", signal.SIGKILL)[0] == -9
    assert main(["run", *LONG, "--out", str(folder), "--on", "local"]) == 0
    assert data_of(folder) == data_of(uninterrupted)
    assert not list(folder.rglob("*.tmp"))


def test_run_into_a_full_disk_is_one_line(tmp_path: Path) -> None:
    program = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))
from cluster.cli import main
sys.exit(main(sys.argv[1:]))
"""
    command = [sys.executable, "-c", program, "run", *ARGUMENTS, "--out", str(tmp_path / "run"), "--on", "local"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment(tmp_path))
    assert done.returncode == 2
    *before, last = done.stderr.splitlines()
    assert last.startswith("guandan: cannot write")
    assert "free some space" in last
    assert len(before) == 1
    assert store.committed_stems(tmp_path / "run") == []


def test_demo_prints_figures_and_runs_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["demo", "--pairs", "200", "--out", str(tmp_path / "demo"), "--on", "local", "--lang", "en"]
    assert main(words) == 0
    first = capsys.readouterr()
    for text in ("Tribute", "Own A", "Promotion", "deals/*.parquet", f"guandan dashboard {tmp_path}/demo"):
        assert text.lower() in first.out.lower() or text == "Own A"
    assert main(words) == 0
    again = capsys.readouterr()
    assert again.out == first.out
    assert "nothing to play" in again.err
    assert main([*words, "--fresh"]) == 0
    fresh = capsys.readouterr()
    assert fresh.out == first.out
    assert "nothing to play" not in fresh.err


def test_fresh_demo_deletes_nothing_that_is_no_run(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years")
    assert main(["demo", "--pairs", "5", "--out", str(tmp_path), "--on", "local", "--fresh"]) == 2
    assert (tmp_path / "thesis.txt").read_text() == "years"


def test_fresh_demo_says_what_it_leaves(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["demo", "--pairs", "5", "--out", str(tmp_path), "--on", "local", "--lang", "en", "--fresh"]
    assert main(words) == 0
    (tmp_path / "deals/notes.txt").write_text("mine")
    assert main(words) == 0
    assert "were left: deals/notes.txt" in capsys.readouterr().err
    (tmp_path / "thesis.txt").write_text("years")
    before = data_of(tmp_path)
    assert main(words) == 2
    assert "thesis.txt" in capsys.readouterr().err
    assert data_of(tmp_path) == before
    assert (tmp_path / "deals/notes.txt").read_text() == "mine"


@pytest.mark.parametrize("name", [store.BLOCKS, "deals"])
def test_run_whose_folder_was_deleted_is_mended_by_the_same_command(tmp_path: Path, name: str) -> None:
    words = ["run", *ARGUMENTS, "--out", str(tmp_path), "--on", "local"]
    assert main(words) == 0
    before = data_of(tmp_path)
    shutil.rmtree(tmp_path / name)
    assert main(words) == 0
    assert data_of(tmp_path) == before


def test_schema_names_every_column_with_its_meaning(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema", "--lang", "zh"]) == 0
    text = capsys.readouterr().out
    assert main(["schema", "--json"]) == 0
    described = json.loads(capsys.readouterr().out)
    assert described["version"] == schema.VERSION
    assert [(c["table"], c["column"]) for c in described["columns"]] == [row[:2] for row in schema.describe()]
    assert all(row.zh in text for row in schema.describe())


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("small")
    run.play(run.start(REQUEST, folder), LocalExecutor(1), quiet)
    return folder


def test_show_prints_a_deal_and_compares_it_with_its_row(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["show", str(small), "--pair", "12", "--leg", "2", "--deal", "2"]
    (row,) = [
        row
        for row in pq.read_table(small / "deals/000-000001.parquet").to_pylist()
        if (row["pair"], row["leg"], row["deal"]) == (12, 2, 2)
    ]
    assert main([*words, "--lang", "en"]) == 0
    text = capsys.readouterr().out
    assert text.count("\nTrick ") == row["tricks"]
    assert text.count(" pass\n") == row["passes"]
    assert text.count("takes the wind") == row["winds"]
    assert f"Finishing order: {row['finish_order']}" in text
    assert "equal to the stored row" in text
    assert "\x1b" not in text  # colours are for terminals
    assert re.findall(r"(\d+) left  announces (\d+)\n", text) == [
        (left, left) for left in re.findall(r"(\d+) left", text) if 0 < int(left) <= 10
    ]
    assert main([*words, "--lang", "zh"]) == 0
    chinese = capsys.readouterr().out
    assert "与存储的行一致" in chinese
    assert chinese.count("报牌 ") == text.count("announces ") > 0
    assert main([*words, "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["row"] == shown["stored"] == row
    assert sorted(card for hand in shown["hands"] for card in hand).count("HR") == 2


def test_show_tells_a_row_that_differs(tmp_path: Path, small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run.play(run.start(REQUEST, tmp_path), LocalExecutor(1), quiet)
    path = tmp_path / "deals/000-000000.parquet"
    table = pq.read_table(path)
    place = table.column_names.index("plays")
    ones = pa.array([1] * table.num_rows, table.field(place).type)
    pq.write_table(table.set_column(place, table.field(place), ones), path)
    assert main(["show", str(tmp_path), "--pair", "0", "--leg", "1", "--deal", "1", "--lang", "en"]) == 1
    assert "differs from the stored row in: plays" in capsys.readouterr().out


def test_output_cut_off_by_its_reader_is_no_error(tmp_path: Path) -> None:
    command = f"{GUANDAN} schema | head -n 1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, env=environment(tmp_path))
    assert done.stderr == ""
    assert done.stdout.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("schema >/dev/full", "cannot write to standard output: No space left"),
        ("--help >/dev/full", "cannot write to standard output: No space left"),
        ("moves >/dev/full", "cannot write to standard output: No space left"),
        ("schema >&-", "standard output is closed"),
        ("moves <&-", "standard input is closed"),
    ],
)
def test_stream_that_fails_is_one_line(tmp_path: Path, words: str, said: str) -> None:
    line = f"{GUANDAN} {words}"
    done = subprocess.run(line, shell=True, input="{}\n", capture_output=True, text=True, env=environment(tmp_path))
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert said in done.stderr


def test_any_refusal_of_the_system_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], small: Path
) -> None:
    def refuse(*args: object, **more: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", "/locked")

    monkeypatch.setattr("sim.replay.Match", refuse)
    assert main(["show", str(small), "--pair", "1", "--leg", "1", "--deal", "1", "--lang", "en"]) == 2
    assert capsys.readouterr().err == "guandan: cannot read or write /locked: Permission denied\n"


def test_working_folder_that_was_deleted_is_one_line(tmp_path: Path) -> None:
    line = f"mkdir gone && cd gone && rmdir ../gone && {GUANDAN} run {' '.join(ARGUMENTS)} --out"
    for out, code in (("x", 2), (str(tmp_path / "run"), 0)):
        done = subprocess.run(
            f"{line} {out}", shell=True, cwd=tmp_path, capture_output=True, text=True, env=environment(tmp_path)
        )
        assert done.returncode == code, done.stderr
        assert "Traceback" not in done.stderr
