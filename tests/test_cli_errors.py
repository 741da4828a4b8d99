"""The command line: every mistake is one line that names the value, in both languages, with exit code 2."""

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from cluster import texts
from cluster.cli import main
from cluster.texts import CATALOG, system_language

RUN = ["run", "greedy", "random", "--on", "local"]
SHOW = ["show", "{done}", "--pair", "0", "--leg", "1", "--deal", "1"]

# words of the command line ({tmp}: an empty folder, {done}: a finished run), and what the line must name
MISTAKES: list[tuple[list[str], list[str]]] = [
    (["rn"], ["rn", "run"]),
    (["xyzzy"], ["xyzzy", "demo"]),
    (["--verbose"], ["--verbose"]),
    (["run"], ["STRATEGY...", "--out DIR"]),
    (["run", "greedy", "--out", "{tmp}"], ["--pairs"]),
    (["run", "greedy", "--pairs", "5", "--out", "{tmp}"], ["1", "duel"]),
    ([*RUN, "--out", "{tmp}"], ["--pairs"]),
    ([*RUN, "solid", "--form", "duel", "--pairs", "5", "--out", "{tmp}"], ["3", "duel"]),
    ([*RUN, "--form", "leage", "--pairs", "5", "--out", "{tmp}"], ["leage", "league"]),
    ([*RUN, "random", "--pairs", "5", "--out", "{tmp}"], ["greedy", "random", "national"]),
    ([*RUN, "--rules", "national", "--rules", "national", "--pairs", "5", "--out", "{tmp}"], ["national"]),
    (["run", "none.toml", "--out", "{tmp}"], ["none.toml"]),
    (["run", "{used}/wrong.toml", "--out", "{tmp}"], ["wrong.toml", "pears", "pairs"]),
    (["resume", "{tmp}/none"], ["none"]),
    (["resume", "{tmp}"], ["run.json"]),
    (["extend", "{done}"], ["--pairs", "--rules"]),
    (["extend", "{done}", "--pairs", "3"], ["5", "3"]),
    (["extend", "{done}", "greedi"], ["greedi", "greedy"]),
    (["stop", "{tmp}/none"], ["none"]),
    (["status", "{tmp}"], ["run.json"]),
    (["plan", "greedy", "random"], ["--pairs"]),
    ([*SHOW, "--match-up", "7"], ["7", "0"]),
    ([*RUN, "--pairs", "5"], ["--out"]),
    ([*RUN, "--pairs"], ["--pairs N"]),
    ([*RUN, "--pairs", "5", "--out", ""], ["--out"]),
    ([*RUN, "--pairs", "5", "--out", "{tmp}", "third"], ["third"]),
    ([*RUN, "--pair", "5", "--out", "{tmp}"], ["--pair", "--pairs"]),
    ([*RUN, "--pairs", "0", "--out", "{tmp}"], ["0", "--pairs", "10000000000"]),
    ([*RUN, "--pairs", "-3", "--out", "{tmp}"], ["-3", "--pairs"]),
    ([*RUN, "--pairs", "1e4", "--out", "{tmp}"], ["1e4", "--pairs"]),
    ([*RUN, "--pairs", "nan", "--out", "{tmp}"], ["nan", "--pairs"]),
    ([*RUN, "--pairs", "9" * 30, "--out", "{tmp}"], ["9" * 30, "--pairs"]),
    ([*RUN, "--pairs", "9" * 9999, "--out", "{tmp}"], ["999", "--pairs"]),
    ([*RUN, "--pairs", "5\n6", "--out", "{tmp}"], ["5\\n6", "--pairs"]),
    ([*RUN, "--pairs", "٣", "--out", "{tmp}"], ["٣", "--pairs"]),
    ([*RUN, "--pairs", "5", "--out", "{tmp}", "--seed", "-1"], ["-1", "--seed"]),
    ([*RUN, "--pairs", "5", "--out", "{tmp}", "--seed", str(2**64)], [str(2**64), "--seed"]),
    ([*RUN, "--pairs", "5", "--out", "{tmp}", "--on", "moon"], ["moon", "ray local"]),
    ([*RUN, "--pairs", "5", "--out", "{tmp}", "--workers", "0"], ["0", "--workers"]),
    ([*RUN, "--pairs", "5", "--out", "{tmp}", "--address", "auto"], ["--address", "--on local"]),
    ([*RUN, "--pairs", "5", "--out", "{tmp}", "--address", "somewhere"], ["somewhere", "HOST:PORT"]),
    ([*RUN, "--pairs", "5", "--out", "{tmp}", "--address", "ray://host:10001"], ["ray://host", "HOST:PORT"]),
    ([*RUN, "--pairs", "5", "--out", "{tmp}", "--address", "host:70000"], ["70000", "HOST:PORT"]),
    ([*RUN, "--pairs", "5", "--out", "{tmp}", "--detail", "cards"], ["cards", "pairs matches deals"]),
    ([*RUN, "--pairs", "5", "--out", "{tmp}", "--block-pairs", "0"], ["0", "--block-pairs"]),
    ([*RUN, "--pairs", "2000000", "--out", "{tmp}", "--block-pairs", "1"], ["2000000", "1000000"]),
    ([*RUN, "--pairs", "5", "--out", "{tmp}", "--rules", "natonal"], ["natonal", "national"]),
    ([*RUN, "--pairs", "5", "--out", "{tmp}", "--boards", "uniforn"], ["uniforn", "uniform", "A/K 0213 1/0 - tribute"]),
    ([*RUN, "--pairs", "5", "--out", "{tmp}", "--boards", "A/K 0213 1/1 - tribute"], ["1/1", "uniform"]),
    ([*RUN, "--pairs", "5", "--out", "{tmp}", "--boards", "{tmp}"], ["run.json"]),
    (["run", "greedi", "random", "--pairs", "5", "--out", "{tmp}", "--on", "local"], ["greedi", "greedy"]),
    (["run", "greedy", "42", "--pairs", "5", "--out", "{tmp}", "--on", "local"], ["42", "greedy random"]),
    ([*RUN, "--pairs", "5", "--out", "s3://bucket/x"], ["s3:"]),
    ([*RUN, "--pairs", "5", "--out", "/dev/null"], ["/dev/null"]),
    ([*RUN, "--pairs", "5", "--out", "/dev/null/x"], ["/dev/null/x"]),
    ([*RUN, "--pairs", "5", "--out", "/proc/nothing"], ["/proc/nothing"]),
    ([*RUN, "--pairs", "6", "--out", "{done}"], ["pairs", "5", "6"]),
    ([*RUN, "--pairs", "5", "--out", "{used}"], ["used"]),
    (["demo", "--pairs", "6", "--on", "local", "--out", "{done}"], ["--fresh"]),
    (["demo", "--fresh=yes"], ["--fresh"]),
    (["dashboard", "{tmp}/none"], ["none", "guandan demo --out {tmp}/none/demo"]),
    (["dashboard", ""], ["DIR"]),
    (["dashboard", "{tmp}", "--port", "70000"], ["70000", "65535"]),
    (["dashboard", "{tmp}", "{tmp}"], ["DIR"]),
    (["show", "{tmp}/none", *SHOW[2:]], ["none"]),
    (["show", "{tmp}", *SHOW[2:]], ["run.json"]),
    (["show", "", *SHOW[2:]], ["RUN"]),
    (SHOW[:-2], ["--deal"]),
    ([*SHOW, "--pair", "３"], ["３", "--pair"]),
    ([*SHOW, "--leg", "3"], ["3", "--leg"]),
    ([*SHOW, "--pair", "5"], ["5", "4"]),
    ([*SHOW, "--deal", "900"], ["900"]),
    (["rules", "shet"], ["shet", "sheet"]),
    (["rules", "none.toml"], ["none.toml"]),
    (["rules", "national", "sheet", "ogd"], ["ogd"]),
    (["schema", "--jsn"], ["--jsn", "--json"]),
    (["moves", "now"], ["now"]),
    (["schema", "--lang", "fr"], ["fr", "zh", "en"]),
    (["--lang"], ["zh", "en"]),
]


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("done")
    assert main([*RUN, "--pairs", "5", "--out", str(folder)]) == 0
    return folder


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    before = signal.getsignal(signal.SIGTERM)
    yield
    assert signal.getsignal(signal.SIGTERM) is before


@pytest.mark.parametrize("language", texts.LANGUAGES)
@pytest.mark.parametrize(("words", "named"), MISTAKES, ids=[" ".join(words)[:60] for words, _ in MISTAKES])
def test_mistake_is_one_line_that_names_the_value(
    words: list[str],
    named: list[str],
    language: str,
    tmp_path: Path,
    done: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "used").mkdir()
    (tmp_path / "used/other.txt").touch()
    (tmp_path / "used/wrong.toml").write_text('strategies = ["greedy", "random"]\npears = 5\n')
    places = {"{tmp}": str(tmp_path), "{done}": str(done), "{used}": str(tmp_path / "used")}
    for place, path in places.items():
        words = [word.replace(place, path) for word in words]
    capsys.readouterr()
    assert main(["--lang", language, *words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.endswith("\n")
    assert err.count("\n") == 1
    assert len(err) < 700
    assert err.startswith("guandan：" if language == "zh" and "fr" not in words and words != ["--lang"] else "guandan:")
    for text in named:
        assert text.replace("{tmp}", str(tmp_path)) in err


@pytest.mark.parametrize("words", [[], ["--help"], ["-h"], ["run", "--help"], ["show", "-h"], ["moves", "--help"]])
def test_help_goes_to_stdout_in_the_language_asked_for(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    for language, word in (("zh", "用法"), ("en", "Usage")):
        assert main([*words, "--lang", language]) == 0
        out, err = capsys.readouterr()
        assert out.startswith(word)
        assert err == ""


def test_language_may_stand_before_or_after_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    shown = []
    for words in (["--lang", "zh", "schema"], ["schema", "--lang", "zh"], ["schema", "--lang=zh"]):
        assert main(words) == 0
        shown.append(capsys.readouterr().out)
    assert shown[0] == shown[1] == shown[2]
    assert "含义" in shown[0]


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": "en_US.UTF-8"}, "en"),
        ({"LANG": "en_US.UTF-8", "LC_MESSAGES": "zh_TW.UTF-8"}, "zh"),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": ""}, "zh"),
        ({"LANG": "C.UTF-8"}, "en"),
    ],
)
def test_language_comes_from_the_locale(environment: dict[str, str], language: str) -> None:
    assert system_language(environment) == language


def test_every_text_has_the_same_values_in_both_languages() -> None:
    for key, (zh, en) in CATALOG.items():
        assert {part.split("}")[0] for part in zh.split("{")[1:]} == {
            part.split("}")[0] for part in en.split("{")[1:]
        }, key


def test_version_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("guandan-sim 0.")
