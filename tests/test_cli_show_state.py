"""`guandan show --state`: a deal given by hand is replayed, reviewed, and gives back what a recorded deal wrote."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from cluster.cli import main
from engine.notation import read_record, read_state
from sim import run
from sim.run import LocalExecutor
from tests.support.small_run import REQUEST, quiet

STATE = "7 S3D3H7/S9D9/C4C5/HR - 1 0:PAIR:2:S2D2:0"
RECORD = f"{STATE} S9D9 - - - HR"
Capture = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("small")
    run.play(run.start(REQUEST, folder), LocalExecutor(1), quiet)
    return folder


def shown(capsys: Capture, *words: str) -> str:
    capsys.readouterr()
    assert main(["show", *words, "--lang", "en"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def test_a_state_is_shown_with_its_plays_and_what_stands_now(capsys: Capture) -> None:
    text = shown(capsys, "--state", f"{STATE} S9D9 -")
    assert "level 7" in text
    assert "Trick 1\n  0  pair 2           ♠2 ♦2                     3 left  announces 3\n  1  pair 9" in text
    assert "  1  first out\n  2  pass\n" in text
    assert "seat 3 is to beat seat 1: pair 9" in text
    assert read_state(text.rstrip().splitlines()[-1]).turn == 3
    assert "Legal plays" not in text


def test_every_legal_play_is_listed_on_demand(capsys: Capture) -> None:
    text = shown(capsys, "--state", STATE, "--plays")
    listed = text.partition("Legal plays of seat 1: 2\n")[2]
    assert [line.split()[:3] for line in listed.splitlines()] == [["1", "pass"], ["2", "pair", "9"]]
    answer = json.loads(shown(capsys, "--state", STATE, "--plays", "--json"))
    assert answer["plays"] == [["PASS", "PASS", []], ["PAIR", "9", ["S9", "D9"]]]
    assert "plays" not in json.loads(shown(capsys, "--state", STATE, "--json"))


def test_the_position_after_some_plays_is_chosen(capsys: Capture) -> None:
    full = json.loads(shown(capsys, "--state", RECORD, "--json"))
    for number in range(6):
        part = json.loads(shown(capsys, "--state", RECORD, "--at", str(number), "--json"))
        assert part["now"]["state"] == json.loads(shown(capsys, "--state", part["record"], "--json"))["now"]["state"]
    assert part == full
    assert json.loads(shown(capsys, "--state", RECORD, "--at", "0", "--json"))["now"]["state"] == STATE


def test_a_deal_that_is_over_has_an_order_and_no_state(capsys: Capture) -> None:
    over = "7 S3/S4/S5/S6S8 - 0 - S3 - S5"
    assert "Finishing order: 02(13)" in shown(capsys, "--state", over, "--plays")
    answer = json.loads(shown(capsys, "--state", over, "--plays", "--json"))
    assert answer["plays"] == []
    assert answer["now"]["over"] is True
    assert [answer["now"][name] for name in ("state", "turn", "to_beat")] == [None, None, None]


def test_a_state_comes_from_a_file_or_from_stdin(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = shown(capsys, "--state", RECORD)
    path = tmp_path / "asked.txt"
    path.write_text(f"# asked\n{RECORD}\n", encoding="utf-8-sig")
    assert shown(capsys, "--state", str(path)) == text
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(RECORD.encode())))
    assert shown(capsys, "--state", "-") == text


def test_the_rules_of_a_state_are_named(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "own.toml").write_text(
        'base = "national"\n[rules]\nwild_single = false\nwild_single_takes_wind = false\n'
    )
    line = "5 H5S9/S3/S4/S6 - 0 -"
    assert len(json.loads(shown(capsys, "--state", line, "--plays", "--json"))["plays"]) == 3
    own = json.loads(shown(capsys, "--state", line, "--plays", "--json", "--rules", str(tmp_path / "own.toml")))
    assert len(own["plays"]) == 2


def test_a_lead_that_skips_the_winner_of_a_trick_begins_a_new_one(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "own.toml"
    path.write_text('base = "national"\n[rules]\nwild_single = false\nwild_single_takes_wind = false\n')
    text = shown(capsys, "--state", "7 S9H7/S3S4/C4C5/C3C6 - 0 - S9 - - - S3", "--rules", str(path))
    assert "Trick 2\n  1  single 3" in text
    assert "wind" not in text


def test_a_lead_by_wind_is_shown_before_anything_is_led(capsys: Capture) -> None:
    text = shown(capsys, "--state", "7 S9/S3S4/C4C5/C3C6 - 0 - S9 - - - C4", "--at", "4")
    assert "Trick 2\n  2  takes the wind\n\nAfter play 4\n" in text


@pytest.mark.parametrize(("language", "said"), [("en", "standard input is closed"), ("zh", "标准输入已关闭")])
def test_stdin_that_is_closed_is_said_to_be(language: str, said: str) -> None:
    line = f"{Path(sys.executable).with_name('guandan')} show --state - --lang {language} <&-"
    done = subprocess.run(line, shell=True, capture_output=True, text=True, env=os.environ | {"LC_ALL": "C.UTF-8"})
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert said in done.stderr


@pytest.mark.parametrize(("language", "said"), [("en", "there is no file none.txt"), ("zh", "没有文件 none.txt")])
def test_a_name_without_a_file_is_said_to_have_none(language: str, said: str, capsys: Capture) -> None:
    assert main(["show", "--state", "none.txt", "--lang", language]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(("pair", "leg", "deal"), [(0, 1, 1), (0, 1, 2), (3, 2, 2), (7, 1, 3), (12, 2, 2), (40, 1, 4)])
def test_the_record_of_a_replay_replays_to_the_same_order(
    small: Path, capsys: Capture, pair: int, leg: int, deal: int
) -> None:
    key = [str(small), "--pair", str(pair), "--leg", str(leg), "--deal", str(deal)]
    replayed = json.loads(shown(capsys, *key, "--json"))
    assert replayed["record"] in shown(capsys, *key)
    again = shown(capsys, "--state", replayed["record"])
    assert f"Finishing order: {replayed['row']['finish_order']}\n" in again
    steps = [event for event in replayed["events"] if event[0] in ("play", "pass", "wind", "out")]
    assert json.loads(shown(capsys, "--state", replayed["record"], "--json"))["events"] == steps
    assert read_record(replayed["record"]).at().over


KEY = ["--pair", "0", "--leg", "1", "--deal", "1"]


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(
    ("words", "named"),
    [
        ([], ["RUN", "--state"]),
        (["x"], ["--pair", "--leg", "--deal"]),
        (["x", *KEY[:4]], ["--deal"]),
        (KEY, ["RUN"]),
        (["x", "--state", STATE], ["RUN", "--state"]),
        (["--state", STATE, *KEY], ["--pair --leg --deal"]),
        (["x", *KEY, "--plays"], ["--plays", "--state"]),
        (["--at", "3"], ["--at", "--state"]),
        (["x", *KEY, "--rules", "sheet"], ["--rules", "--state"]),
        (["--state"], ["--state TEXT|FILE|-"]),
        (["--state", ""], ["--state"]),
        (["--state", "\0"], ["--state"]),
        (["--state", "none.txt"], ["none.txt", "LEVEL HANDS OUT TURN TRICK"]),
        (["--state", STATE, "--at", "1"], ["--at", "1", "0"]),
        (["--state", STATE, "--at", "-1"], ["-1", "--at"]),
        (["--state", STATE, "--rules", "shet"], ["shet", "sheet"]),
        (["--state", f"{STATE} S9"], ["1", "S9"]),
        (["--state", "7 S9D9C9H7H7S2/S3/C4/HR - 0 - S9D9C9H7H7"], ["FULL_HOUSE:9:", "BOMB:9:"]),
        (["--state", "S3" * 60_000], ["S3"]),
        (["--state", "{tmp}"], ["{tmp}"]),
        (["--state", "{tmp}/nul"], ["\\x00"]),
        (["--state", "{tmp}/bytes"], ["bytes", "UTF-8", "4"]),
        (["--state", "{tmp}/empty"], ["LEVEL HANDS OUT TURN TRICK"]),
        (["--state", "{tmp}/huge"], ["huge", "1048576"]),
        (["--state", "/dev/zero"], ["/dev/zero", "1048576"]),
    ],
)
def test_a_mistake_is_one_line(
    words: list[str], named: list[str], language: str, tmp_path: Path, capsys: Capture
) -> None:
    for name, raw in (("nul", b"7 S3\0"), ("bytes", b"7 S3\xff"), ("empty", b""), ("huge", b"# \n" * 400_000)):
        (tmp_path / name).write_bytes(raw)
    assert main(["--lang", language, "show", *(word.replace("{tmp}", str(tmp_path)) for word in words)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert len(err) < 700
    for text in named:
        assert text.replace("{tmp}", str(tmp_path)) in err
