"""Strategies are found by name, module, file, library and entry point, alone or as a team; what is wrong is told."""

import importlib
import os
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

from engine.bulk import play_pairs
from engine.errors import ToldError
from engine.rules import NATIONAL
from strategies import loading, naming, registry
from strategies.naming import StrategyError
from strategies.registry import load
from tests.support.compiling import compile_library

FIRST = """
#include "guandan_strategy.h"
static uint32_t first(const gd_view *view) { (void)view; return 0; }
static uint32_t chosen(const gd_view *view) { return (uint32_t)view->parameters[0] % view->n; }
static const gd_parameter settings[] = {{"place", 0, 9, "第几个", "which one"}};
static const int32_t defaults[] = {0};
#define PLAYER(ABI, FUNCTION) {ABI, GD_LIST_SHAPES, 1, 0, "first", "总出第一个", "always the first", \\
    1, 0, settings, defaults, FUNCTION, first, first, NULL}
const gd_strategy player = PLAYER(GD_STRATEGY_ABI, chosen);
const gd_strategy old = PLAYER(1, chosen);
const gd_strategy hollow = PLAYER(GD_STRATEGY_ABI, NULL);
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A shared library of three strategies, compiled against the public header alone."""
    folder = tmp_path_factory.mktemp("library")
    (folder / "first.c").write_text(FIRST, encoding="utf-8")
    return compile_library(folder / "first.c", folder / "first.so")


def refused(text: str) -> StrategyError:
    with pytest.raises(StrategyError) as caught:
        load(text)
    assert isinstance(caught.value, ToldError)
    assert "\n" not in caught.value.en + caught.value.zh
    assert caught.value.zh != caught.value.en
    return caught.value


# ---- how it is written


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("greedy", [("name", "greedy", "", ())]),
        ("greedy?a=1&b=-2", [("name", "greedy", "", (("a", "1"), ("b", "-2")))]),
        ("pack.mod:Me?a=x:y", [("module", "pack.mod", "Me", (("a", "x:y"),))]),
        ("some/me.py:Me", [("file", "some/me.py", "Me", ())]),
        ("/a:b/c/me.so:sym", [("library", "/a:b/c/me.so", "sym", ())]),
        ("a%2Bb/w%3Fy/9%2541/m.py:Me", [("file", "a+b/w?y/9%41/m.py", "Me", ())]),
        ("50% off/m.py:Me", [("file", "50% off/m.py", "Me", ())]),
        ("greedy+m.py:Me?a=1", [("name", "greedy", "", ()), ("file", "m.py", "Me", (("a", "1"),))]),
    ],
)
def test_what_is_written_is_read_and_written_back(text: str, parts: list[tuple[object, ...]]) -> None:
    read = naming.read(text)
    assert [(p.kind, p.place, p.attribute, p.settings) for p in read] == parts
    assert "+".join(map(str, read)) == text


def test_a_path_from_the_root_means_the_same_everywhere_and_its_last_part_is_shown() -> None:
    here = os.getcwd().replace("+", "%2B").replace("?", "%3F")
    assert naming.absolute("greedy+x/a%2Bb.py:Me?k=1") == f"greedy+{here}/x/a%2Bb.py:Me?k=1"
    assert naming.short("greedy+x/a%2Bb.py:Me?k=1") == "greedy+a%2Bb.py:Me?k=1"
    assert naming.absolute("pack.mod:Me") == naming.short("pack.mod:Me") == "pack.mod:Me"


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("a+b+c", "%2B"),
        ("greedy?loud", "PARAMETER=VALUE"),
        ("greedy?=1", "PARAMETER=VALUE"),
        ("me.py", "me.py:NAME"),
        ("me.so?x=1", "me.so:NAME"),
        ("some/me:Me", "path/file.py:NAME"),
        ("me.py:two words", "path/file.py:NAME"),
        (":Me", "path/file.py:NAME"),
        ("", "greedy"),
        ("+", "greedy"),
        ("gredy", "did you mean greedy"),
        ("Random", "did you mean random"),
        ("random?x=1", "it has none"),
    ],
)
def test_what_is_no_strategy_is_refused_with_the_way_out(text: str, named: str) -> None:
    assert named in refused(text).en


# ---- shared libraries


def test_a_library_gives_its_strategy_with_parameters_and_a_hash_of_its_file(library: str, tmp_path: Path) -> None:
    plain, third = load(f"{library}:player"), load(f"{library}:player?place=3")
    assert (plain.name, third.name) == ("first.so:player", "first.so:player?place=3")
    assert (plain.en, plain.deterministic, plain.native) == ("always the first", True, True)
    assert [(p.name, p.default, p.least, p.most) for p in plain.parameters] == [("place", 0, 0, 9)]
    assert load(f"{library}:player?place=0") == plain
    assert third.hash != plain.hash
    (tmp_path / "same.so").write_bytes(Path(library).read_bytes())
    (tmp_path / "other.so").write_bytes(Path(library).read_bytes() + b"\0")
    assert load(f"{tmp_path}/same.so:player").hash == load(f"{library}:player").hash
    assert load(f"{tmp_path}/other.so:player").hash != plain.hash
    rows = play_pairs(plain, load("random"), NATIONAL, 1, range(3)).pairs
    assert rows["deals"].sum() > 3


def test_each_defect_of_a_library_is_one_line(library: str, tmp_path: Path) -> None:
    (tmp_path / "text.so").write_text("no library")
    for text, named in (
        (f"{library}:old", "interface 1, this engine 2: compile it"),
        (f"{library}:hollow", "lacks a name, play, tribute or return_tribute"),
        (f"{library}:absent", "no visible symbol absent"),
        (f"{library}:player?plac=1", "write place"),
        (f"{library}:player?place=10", "write a whole number from 0 to 9"),
        (f"{library}:player?place=x", "write a whole number from 0 to 9"),
        (f"{tmp_path}/none.so:player", "no file"),
        (f"{tmp_path}/text.so:player", "cannot load"),
    ):
        assert named in refused(text).en, text


# ---- Python modules and files


def test_a_capsule_in_a_module_is_a_strategy() -> None:
    found = load("strategies._native:greedy")
    assert found.en == load("greedy").en
    assert "write greedy" in refused("strategies._native:gredy").en


def test_a_file_gives_its_capsule_and_the_hash_is_of_it_and_of_what_it_imports_beside_it(tmp_path: Path) -> None:
    def write(folder: str, text: str, beside: str) -> str:
        (tmp_path / folder).mkdir()
        (tmp_path / folder / f"beside_{folder}.py").write_text(beside)
        path = tmp_path / folder / "mine.py"
        path.write_text(f"from beside_{folder} import value\nfrom strategies._native import greedy as me\n{text}")
        return load(f"{path}:me").hash

    one = write("one", "", "value = 1\n")
    assert load(f"{tmp_path}/one/mine.py:me").hash == one
    assert write("two", "# more\n", "value = 1\n") != one
    assert write("six", "", "value = 2\n") != one  # as long as the first, but for what lies beside it


def test_the_hash_of_a_file_in_a_clone_is_not_of_the_program_that_lies_there_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which modules of the program are loaded differs between processes: a run of mine.py could not be resumed."""

    def write(folder: str, inner: str) -> str:
        root = tmp_path / folder
        (root / "strategies").mkdir(parents=True)
        (root / "strategies" / f"inner_{folder}.py").write_text(inner)
        monkeypatch.syspath_prepend(root / "strategies")
        monkeypatch.setattr(loading, "_OWN", root)
        (root / "mine.py").write_text("import importlib\nfrom strategies._native import greedy as me\n")
        module = importlib.import_module(f"inner_{folder}")
        monkeypatch.setattr(importlib, "seen_by_mine", module, raising=False)  # what mine.py reaches by its own import
        return load(f"{root}/mine.py:me").hash

    assert write("red", "value = 1\n") == write("blue", "value = 2\n")


@pytest.mark.parametrize(
    ("code", "trace", "line"),
    [
        ("def f():\n    return 1 / 0\nf()\n", "return 1 / 0", "ZeroDivisionError"),
        ("def f(:\n", "def f(:", "SyntaxError"),
        ("import surely_not_there\n", "import surely_not_there", "No module named 'surely_not_there'"),
    ],
)
def test_an_error_while_importing_shows_the_traceback_of_the_author_from_its_own_code_on(
    tmp_path: Path, code: str, trace: str, line: str
) -> None:
    (tmp_path / "bad.py").write_text(code)
    error = refused(f"{tmp_path}/bad.py:Me")
    assert line in error.en
    assert trace in error.trace
    assert "importlib" not in error.trace
    assert "loading.py" not in error.trace


def test_a_module_is_looked_for_in_the_working_folder_too(tmp_path: Path) -> None:
    (tmp_path / "mymod.py").write_text("from strategies._native import greedy as me\n")
    code = "from strategies.registry import load; print(load('mymod:me').en)"
    shown = subprocess.run([sys.executable, "-P", "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == load("greedy").en
    assert refused("surely_not_there.mod:Me").trace == ""


def test_entry_points_are_names(monkeypatch: pytest.MonkeyPatch) -> None:
    entries = [
        metadata.EntryPoint("mine", "strategies._native:greedy", registry.ENTRY_POINTS),
        metadata.EntryPoint("random", "strategies._native:greedy", registry.ENTRY_POINTS),
    ]
    monkeypatch.setattr(metadata, "entry_points", lambda group: entries if group == registry.ENTRY_POINTS else [])
    registry._registered.cache_clear()
    try:
        assert {"greedy", "mine", "random"} <= set(registry.names())
        assert (load("mine").name, load("mine").en) == ("mine", load("greedy").en)
        assert load("random").en != load("greedy").en  # what ships keeps its name
    finally:
        registry._registered.cache_clear()


# ---- teams


def test_a_team_is_written_with_a_plus_sign_and_has_a_hash_of_both_in_their_order() -> None:
    team = load("greedy+random")
    assert (team.name, team.deterministic, team.native) == ("greedy+random", False, True)
    assert load("greedy+greedy").deterministic
    assert len({team.hash, load("random+greedy").hash, load("greedy+greedy").hash, load("greedy").hash}) == 4


def test_a_team_of_one_and_the_same_plays_like_it_alone() -> None:
    def rows(name: str) -> list[int]:
        return list(play_pairs(load(name), load("random"), NATIONAL, 5, range(8)).pairs["plays"])

    assert rows("greedy+greedy") == rows("greedy")
    assert rows("greedy+random") != rows("random+greedy")


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("import sys\nsys.exit(0)", "SystemExit: 0"),
        ("1 / 0", "ZeroDivisionError"),
        ("class Mine(Strategy):\n    files = 5", "TypeError"),
        ("class Mine(Strategy):\n    requires = [3]", "TypeError"),
        (
            "class Odd(type):\n    files = property(lambda cls: 1 / 0)\nclass Mine(Strategy, metaclass=Odd):\n    pass",
            "Zero",
        ),
    ],
)
def test_whatever_an_authors_module_or_class_raises_is_told(tmp_path: Path, source: str, said: str) -> None:
    path = tmp_path / "mine.py"
    path.write_text(f"from strategies.api import Strategy\n{source}\n")
    with pytest.raises(StrategyError, match=said) as caught:
        registry.load(f"{path}:Mine")
    assert "mine.py" in str(caught.value)
    assert said in caught.value.trace
