"""`guandan strategies | check | advise`, and strategies of one's own in `guandan run`: what they print and return."""

import json
import os
from importlib import metadata
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from cluster.cli import main
from engine.ruleset import preset_names
from sim import run, store
from strategies import loading, registry
from tests.support.compiling import compile_library

# Each breaks one promise, but for the last. The table in which the view lies is found as only a cheat would.
PLAYERS = """
#include <stddef.h>
#include "gd_table.h"
static uint32_t first(const gd_view *view) { (void)view; return 0; }
static uint32_t beyond(const gd_view *view) { return view->n_steps > 20 ? view->n : 0; }
static uint32_t counting(const gd_view *view) { static uint32_t calls; return calls++ % view->n; }
static uint32_t drawing(const gd_view *view) { return gd_random_below(view->random, view->n); }
static uint32_t peeping(const gd_view *view)
{
    const gd_table *t = (const gd_table *)((const char *)view - offsetof(gd_table, view));
    return (uint32_t)(t->deal.hand[view->seat ^ 2].counts % view->n);
}
static uint32_t second(const gd_view *view) { return view->parameters[0] ? 1 : view->n - 1; }
static void rank(const gd_view *view, int32_t *scores)
{
    for (uint32_t i = 0; i < view->n; i++) scores[i] = (int32_t)(i == second(view) ? 1000 : i);
}
#define PLAYER(NAME, DETERMINISTIC, OBSERVED) const gd_strategy NAME##_player = \\
    {GD_STRATEGY_ABI, GD_LIST_SHAPES, DETERMINISTIC, OBSERVED, #NAME, "说明", "about", 0, 0, NULL, NULL, NAME, first, \\
     first, NULL};
PLAYER(beyond, 1, 0)
PLAYER(counting, 1, 0)
PLAYER(drawing, 1, 0)
PLAYER(peeping, 1, 0)
static const gd_strategy observed_player;
const gd_strategy clock_player = {GD_STRATEGY_ABI, GD_LIST_SHAPES, 1, 1, "clock", "钟", "clock", 0, 0, NULL, NULL,
    counting, first, first, NULL};
static const gd_parameter settings[] = {{"early", 0, 1, "早", "early"}};
static const int32_t defaults[] = {1};
const gd_strategy fair_player = {GD_STRATEGY_ABI, GD_LIST_SHAPES, 1, 0, "fair", "守约", "keeps its promises", 1, 0,
    settings, defaults, second, first, first, rank};
"""
STATE = "7 S3D3H7/S9/C4C5/HR - 0 -"
EXAMPLES = Path(__file__).resolve().parent.parent / "strategies" / "examples"


@pytest.fixture(scope="module")
def players(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("players")
    text = PLAYERS.replace("static const gd_strategy observed_player;\n", "")
    (folder / "players.c").write_text(text, encoding="utf-8")
    return compile_library(folder / "players.c", folder / "players.so")


def shown(capsys: pytest.CaptureFixture[str], code: int, *words: str) -> str:
    capsys.readouterr()
    assert main(["--lang", "en", *words]) == code
    return capsys.readouterr().out


# ---- strategies


def test_the_list_has_a_line_each_in_both_languages(capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(capsys, 0, "strategies")
    for name in registry.names():
        (line,) = [line for line in text.splitlines() if line.split()[:1] == [name]]
        assert registry.load(name).en in line
        assert "native" in line
    assert main(["--lang", "zh", "strategies"]) == 0
    assert registry.load("greedy").zh in capsys.readouterr().out


def test_one_is_shown_with_its_parameters_and_as_json(capsys: pytest.CaptureFixture[str], players: str) -> None:
    text = shown(capsys, 0, "strategies", f"{players}:fair_player")
    assert "keeps its promises" in text
    assert "early" in text
    assert "0..1" in text
    fields = json.loads(shown(capsys, 0, "strategies", f"{players}:fair_player?early=0", "--json"))
    assert (fields["name"], fields["ranks"]) == ("players.so:fair_player?early=0", True)
    assert fields["parameters"] == [{"name": "early", "default": 1, "least": 0, "most": 1, "about": "early"}]
    listed = json.loads(shown(capsys, 0, "strategies", "--json"))
    assert [each["name"] for each in listed] == registry.names()


def test_one_that_cannot_be_loaded_has_its_line_and_the_others_are_listed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = metadata.EntryPoint("gone", "surely_not_there.players:Me", registry.ENTRY_POINTS)
    monkeypatch.setattr(metadata, "entry_points", lambda group: [entry])
    registry._registered.cache_clear()
    try:
        text = shown(capsys, 0, "strategies")
        listed = {each["name"]: each for each in json.loads(shown(capsys, 0, "strategies", "--json"))}
    finally:
        registry._registered.cache_clear()
    assert "there is no module surely_not_there" in text
    assert listed["gone"]["error"].startswith("there is no module surely_not_there")
    assert listed["greedy"]["native"]


# ---- check


def test_a_strategy_that_keeps_its_promises_passes_under_every_rule_set(
    capsys: pytest.CaptureFixture[str], players: str
) -> None:
    text = shown(capsys, 0, "check", f"{players}:fair_player", "--positions", "300")
    assert text.count(" 300 ") == len(preset_names())
    assert text.endswith("passed\n")
    assert "decisions/s" in text
    fields = json.loads(shown(capsys, 0, "check", f"{players}:fair_player", "--positions", "400", "--json"))
    assert fields["forms"] == {"steps": True, "threads": True}
    asked = fields["rules"][0]["positions"]
    assert asked["play"] > 300
    assert asked["return"] > 10


@pytest.mark.parametrize("name", ["random", "greedy", "greedy+random"])
def test_what_ships_passes(capsys: pytest.CaptureFixture[str], name: str) -> None:
    shown(capsys, 0, "check", name, "--positions", "500")


@pytest.mark.parametrize(
    ("name", "broken"),
    [
        ("beyond", {"legal"}),
        ("counting", {"repeatable"}),
        ("drawing", {"deterministic"}),
        ("peeping", {"hidden"}),
        ("clock", set()),
    ],
)
def test_a_broken_promise_is_found_and_shown_with_the_position_and_the_command_that_asks_again(
    capsys: pytest.CaptureFixture[str], players: str, name: str, broken: set[str]
) -> None:
    words = ["check", f"{players}:{name}_player", "--positions", "500", "--rules", "national"]
    code = int(bool(broken))
    (result,) = json.loads(shown(capsys, code, *words, "--json"))["rules"]
    assert {check for check, count in result["broken"].items() if count} == broken
    text = shown(capsys, code, *words)
    if not broken:
        assert "observed" in text
        return
    first = result["faults"][0]
    assert f"position: {first['position']}" in text
    (again,) = [line for line in text.splitlines() if line.strip().startswith("again:")][:1]
    assert again.split("check ", 1)[1] == f"{players}:{name}_player --rules national --position {first['number']}"
    assert first["position"] in shown(capsys, 1, *again.split("guandan ", 1)[1].split())


def test_a_position_is_one_of_a_rule_set(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--lang", "en", "check", "greedy", "--position", "3"]) == 2
    assert "--rules NAME" in capsys.readouterr().err


# ---- advise


def test_advice_is_the_play_at_the_position(capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(capsys, 0, "advise", STATE, "--strategy", "greedy")
    assert "greedy plays: triple 3" in text
    assert "♠9" not in text  # the others' cards are not shown, as they are not to be known
    fields = json.loads(shown(capsys, 0, "advise", STATE, "--strategy", "greedy", "--json"))
    assert fields["play"] == {"kind": "TRIPLE", "key": "3", "cards": ["S3", "D3", "H7"]}
    assert (fields["seat"], fields["state"], fields["context"]) == (0, STATE, "7/7 - 0/0 - tribute")


def test_advice_to_a_player_who_sees_one_hand(capsys: pytest.CaptureFixture[str]) -> None:
    hand = "S2H2C2D2S3H3C3D3S4H4C4D4S5H5C5D5S6H6C6D6S7H7C7D7S8H8C8"
    text = f"2 ?27/{hand}/?27/?27 - 0 - SK"
    fields = json.loads(shown(capsys, 0, "advise", text, "--strategy", "greedy", "--json"))
    assert fields["seat"] == 1
    assert fields["play"]["kind"] in ("PASS", "SINGLE")
    assert main(["--lang", "en", "advise", f"2 ?26/{hand}/?27/?27 - 0 - SK", "--strategy", "greedy"]) == 2
    assert "have 107 cards, not 108" in capsys.readouterr().err


def test_no_advice_to_a_seat_whose_hand_is_not_written(capsys: pytest.CaptureFixture[str]) -> None:
    hand = "S2H2C2D2S3H3C3D3S4H4C4D4S5H5C5D5S6H6C6D6S7H7C7D7S8H8C8"
    record = f"2 ?27/{hand}/?27/?27 - 0 - SK -"
    words = ["advise", record, "--strategy", "greedy"]
    assert main(["--lang", "en", *words]) == 2
    assert "STATE: seat 2 is to act, whose hand is not written" in capsys.readouterr().err
    assert "seat 1 is to beat" in shown(capsys, 0, *words, "--at", "1")
    # a hand that the three others tell is no guess
    deck = [suit + rank for rank in "23456789TJQKA" for suit in "SHCD"] * 2 + ["SB", "HR"] * 2
    hands = ["".join(deck[first::4]) for first in range(3)]
    assert "seat 3 leads" in shown(capsys, 0, "advise", f"2 {'/'.join(hands)}/?27 - 3 -", "--strategy", "greedy")


def test_a_ranking_is_shown_best_first(capsys: pytest.CaptureFixture[str], players: str) -> None:
    words = ["advise", STATE, "--strategy", f"{players}:fair_player"]
    fields = json.loads(shown(capsys, 0, *words, "--json"))
    assert [entry["score"] for entry in fields["ranking"]] == [1000, 4, 3, 2, 0]
    assert {k: v for k, v in fields["ranking"][0].items() if k != "score"} == fields["play"]
    assert "Ranking (of 5" in shown(capsys, 0, *words)


def test_advice_after_plays_and_in_a_context(capsys: pytest.CaptureFixture[str]) -> None:
    record = f"{STATE} S3 - - -"
    text = shown(capsys, 0, "advise", record, "--strategy", "greedy", "--context", "7/K 0213 0/0 - tribute")
    assert "context: 7/K 0213 0/0 - tribute" in text
    assert "seat 0 leads" in text
    assert "seat 1 is to beat" in shown(capsys, 0, "advise", record, "--strategy", "greedy", "--at", "1")


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ((STATE, "--strategy", "gredy"), "did you mean greedy"),
        ((STATE, "--strategy", "greedy+random"), "is a team"),
        ((STATE, "--strategy", "greedy", "--context", "8/K 0213 0/0 - tribute"), "plays level 8, STATE level 7"),
        ((STATE, "--strategy", "greedy", "--context", "8/K"), "--context: context 8/K"),
        (("7 S3", "--strategy", "greedy"), "cannot read STATE"),
        ((f"{STATE} S3D3H7 - - - C4 - - C5", "--strategy", "greedy"), "--at goes back"),
        ((STATE,), "--strategy"),
    ],
)
def test_what_cannot_be_asked_is_one_line(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], named: str
) -> None:
    assert main(["--lang", "en", "advise", *words]) == 2
    err = capsys.readouterr().err
    assert named in err
    assert err.count("\n") == 1


# ---- runs


@pytest.mark.parametrize("on", ["local", pytest.param("ray", marks=pytest.mark.heavy)])
def test_a_run_of_a_path_goes_on_from_any_folder_and_only_with_the_same_code(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, players: str, on: str
) -> None:
    (tmp_path / "a+b").mkdir()
    # a library in threads, a Python file on Ray: both are to be found by the processes that play them
    name, source = (
        ("mine.so:fair_player", Path(players)) if on == "local" else ("mine.py:Lowest", EXAMPLES / "lowest.py")
    )
    library = tmp_path / "a+b" / name.partition(":")[0]
    library.write_bytes(source.read_bytes())
    monkeypatch.chdir(tmp_path / "a+b")
    rest = ["--pairs", "6", "--out", str(tmp_path / on), "--on", on, "--workers", "2", "--block-pairs", "3"]
    assert main(["--lang", "en", "run", f"{name}+random", "greedy", *rest]) == 0
    stored = json.loads((tmp_path / on / "run.json").read_text())
    place = str(tmp_path / "a+b").replace("+", "%2B")
    assert stored["match_ups"][0]["x"] == f"{place}/{name}+random"
    assert set(pq.read_table(tmp_path / on / "pairs").column("x").to_pylist()) == {f"{name}+random", f"random+{name}"}
    monkeypatch.chdir(tmp_path)
    words = ["--lang", "en", "run", f"a%2Bb/{name}+random", "greedy", *rest]
    assert main(words) == 0
    assert "nothing to play" in capsys.readouterr().err
    (tmp_path / "new").write_bytes(library.read_bytes() + b"\n")
    os.replace(tmp_path / "new", library)
    run._strategy.cache_clear()  # as in a new process
    loading._digest_of.cache_clear()
    assert main(words) == 2
    assert f"{name}+random is not what this run was started with" in capsys.readouterr().err


@pytest.fixture
def raising(tmp_path: Path) -> str:
    path = tmp_path / "bad.py"
    path.write_text(
        "class Bad:\n"
        "    def play(self, view):\n"
        "        if view.deal == 1 and view.n > 20: raise LookupError('not here')\n"
        "        return 0\n"
        "    tribute = return_tribute = lambda self, view: 0\n"
    )
    return f"{path}:Bad"


def test_what_the_author_raised_is_one_line_in_both_languages_and_one_traceback(
    capsys: pytest.CaptureFixture[str], raising: str
) -> None:
    assert main(["--lang", "en", "check", raising, "--positions", "60"]) == 1
    out, err = capsys.readouterr()
    raised = [line for line in out.splitlines() if ": raised" in line]
    assert len(raised) > 1
    assert all(line.endswith(": raised LookupError: not here") for line in raised)
    assert err.count("Traceback") == 1
    again = next(line for line in out.splitlines() if line.strip().startswith("position:"))
    for language, line in (
        ("en", "guandan: strategy bad.py:Bad failed: LookupError: not here"),
        ("zh", "guandan：策略 bad.py:Bad 出错：LookupError: not here"),
    ):
        words = ["advise", again.partition(": ")[2], "--strategy", raising]
        assert main(["--lang", language, *words]) == 1
        assert capsys.readouterr().err.splitlines()[-1] == line


def test_a_run_ends_with_what_failed_how_often_and_where(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, raising: str
) -> None:
    folder = tmp_path / "run"
    words = ["run", raising, "greedy", "--pairs", "3", "--out", str(folder), "--on", "local", "--block-pairs", "1"]
    for _ in range(2):  # the second time the run is complete, and says so again
        assert main(["--lang", "en", *words]) == 0
        (line,) = [line for line in capsys.readouterr().err.splitlines() if "judged deals" in line]
        rows = [row for file in store.committed_files(folder, "faults") for row in pq.read_table(file).to_pylist()]
        reason = "it raised an exception"
        assert line.startswith(f"bad.py:Bad failed ({reason}): judged deals {len(rows)}, forfeited matches ")
        shown(capsys, 0, *line.partition("the first: ")[2].split("guandan ", 1)[1].split())
    assert main(["--lang", "en", "run", "greedy", "random", *words[3:6], str(tmp_path / "clean"), *words[7:]]) == 0
    assert "judged deals" not in capsys.readouterr().err


def test_a_run_that_stops_at_a_fault_shows_the_traceback_of_the_author_before_the_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, raising: str
) -> None:
    words = ["run", raising, "greedy", "--pairs", "3", "--out", str(tmp_path / "run"), "--on", "local"]
    assert main(["--lang", "en", *words, "--on-fault", "stop"]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert "LookupError: not here" in lines
    assert lines[-1].startswith("guandan: strategy bad.py:Bad failed (raised)")


def test_where_the_code_of_the_author_fails_its_traceback_comes_before_the_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "bad.py").write_text("def helper():\n    raise LookupError('not here')\n\nhelper()\n")
    words = ["run", f"{tmp_path}/bad.py:Me", "greedy", "--pairs", "5", "--out", str(tmp_path / "out"), "--on", "local"]
    assert main(["--lang", "en", *words]) == 2
    err = capsys.readouterr().err.splitlines()
    assert err[0].startswith("Traceback")
    assert "    raise LookupError('not here')" in err
    assert err[-1].startswith("guandan: ")
    assert "LookupError: not here" in err[-1]
    assert not (tmp_path / "out").exists()


# ---- strategies in Python


@pytest.mark.parametrize(
    ("body", "trace"),
    [
        ("def play(self, view): return 1 // (view.n_steps < 20)", "ZeroDivisionError"),
        ("def play(self, view): return 'nothing'", "neither an index"),
        ("def play(self, view): return view.random_below(view.n)", "must not be called deterministic"),
        ("def play(self, view): return 0\n    def observe(self, event): raise KeyError('seen')", "KeyError: 'seen'"),
        ("def __init__(self): raise OSError('no weights')", "no weights"),
    ],
)
def test_where_python_code_fails_check_shows_its_traceback(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, body: str, trace: str
) -> None:
    (tmp_path / "bad.py").write_text(
        f"from strategies.api import Strategy\nclass Bad(Strategy):\n    deterministic = True\n    {body}\n"
    )
    capsys.readouterr()
    words = ["check", f"{tmp_path}/bad.py:Bad", "--positions", "300", "--rules", "national"]
    assert main(["--lang", "en", *words]) == 1
    out, err = capsys.readouterr()
    assert "failed" in out
    assert "again: " in out
    assert trace in err
    if trace != "ZeroDivisionError":  # which it raises late in a deal
        assert main(["--lang", "en", "advise", f"{STATE} S3", "--strategy", f"{tmp_path}/bad.py:Bad"]) == 1
        err = capsys.readouterr().err
        assert trace in err
        assert err.splitlines()[-1].startswith("guandan: strategy bad.py:Bad failed: ")


def test_what_fails_in_its_own_deals_only_is_found_too(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "late.py").write_text(
        "from strategies.api import Strategy\n"
        "class Late(Strategy):\n"
        "    def play(self, view):\n"
        "        if view.n_steps > 150: raise RuntimeError('late')\n"
        "        return 0\n"
    )
    capsys.readouterr()
    words = ["check", f"{tmp_path}/late.py:Late", "--positions", "50", "--rules", "national"]
    assert main(["--lang", "en", *words]) == 1
    out, err = capsys.readouterr()
    assert "stopped in play: a strategy failed (raised, RuntimeError: late)" in out
    assert "RuntimeError('late')" in err


def test_what_a_python_class_lacks_is_told_when_it_is_loaded(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "odd.py").write_text(
        "class Mute:\n    pass\n"
        "class Odd:\n    listing = 'some'\n    def play(self, view): return 0\n    tribute = return_tribute = play\n"
        "class Many(Odd):\n    listing, parameters = 'all', {'near': 5}\n"
        "number = 5\n"
    )
    for name, named in (
        ("Mute", "has no play"),
        ("Odd", "write shapes or all"),
        ("Many", "near"),
        ("number", "neither"),
    ):
        assert main(["--lang", "en", "strategies", f"{tmp_path}/odd.py:{name}"]) == 2
        err = capsys.readouterr().err
        assert named in err, name
        assert err.count("\n") == 1


def test_advice_of_players_in_python_who_watch_the_deal(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "watch.py").write_text(
        "from strategies.api import WatchingStrategy\n"
        "class Watch(WatchingStrategy):\n"
        "    def begin_deal(self, info): self.seen = 0\n"
        "    def observe(self, event): self.seen += 1\n"
        "    def play(self, view):\n"
        "        assert self.seen == 2, self.seen\n"
        "        return view.n - 1\n"
    )
    words = ["advise", f"{STATE} S3 -", "--strategy", f"{tmp_path}/watch.py:Watch"]
    fields = json.loads(shown(capsys, 0, *words, "--json"))
    assert fields["seat"] == 2
    assert fields["play"]["cards"] == ["C5"]


def test_advice_of_a_batch_player(capsys: pytest.CaptureFixture[str]) -> None:
    fields = json.loads(shown(capsys, 0, "advise", STATE, "--strategy", f"{EXAMPLES}/batch.py:Shedding", "--json"))
    assert fields["play"] == {"kind": "TRIPLE", "key": "3", "cards": ["S3", "D3", "H7"]}


def test_one_that_leaves_with_exit_code_0_has_not_passed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    lines = ["import sys", "from strategies.api import Strategy", "class Leaves(Strategy):"]
    lines += ["    def play(self, view):", "        sys.exit(0)"]
    (tmp_path / "leaves.py").write_text("\n".join(lines))
    assert main(["check", "leaves.py:Leaves", "--rules", "national", "--positions", "30"]) == 1
    assert "SystemExit" in capsys.readouterr().out
    assert main(["advise", "4 S3D3H7/S9/C4C5/HR - 0 -", "--strategy", "leaves.py:Leaves"]) != 0
