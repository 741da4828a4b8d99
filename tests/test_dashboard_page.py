"""The page renders every kind of run, says what is wrong in one line, and shows the numbers of the command line."""

from __future__ import annotations

import re
import secrets
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from cluster.cli import main
from dashboard import launch, texts
from sim import figures, glossary, run_file
from sim.errors import Language
from sim.exclusions import exclude
from sim.fault_rows import count_faults
from sim.places import place
from sim.request import new_request
from sim.run import LocalExecutor, play, start
from sim.stats import Estimate
from tests.support import stores
from tests.support.runs import make_run

APP = str(Path(launch.__file__).with_name("app.py"))


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a normal run, one pair, all won, one strategy on both sides, pairs alone."""
    folder = tmp_path_factory.mktemp("runs")
    make_run(folder / "even", "random", "random", 120)
    make_run(folder / "one", "greedy", "random", 1)
    make_run(folder / "won", "greedy", "random", 60)
    make_run(folder / "same", "greedy", "greedy", 60)
    make_run(folder / "small", "greedy", "random", 60, detail="pairs")
    return folder


def opened(
    monkeypatch: pytest.MonkeyPatch, folder: Path | str, language: Language | None = "en", **query: str
) -> AppTest:
    monkeypatch.setenv(launch.DIRECTORY_VARIABLE, str(folder))
    if language is None:
        monkeypatch.delenv(launch.LANGUAGE_VARIABLE, raising=False)
    else:
        monkeypatch.setenv(launch.LANGUAGE_VARIABLE, language)
    page = AppTest.from_file(APP, default_timeout=60)
    for name, value in query.items():
        page.query_params[name] = value
    return page.run()


def test_a_league_shows_all_its_match_ups_and_the_figures_of_the_one_picked(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    words = ["run", "greedy", "random", "solid", "--pairs", "60", "--out", str(tmp_path / "league"), "--on", "local"]
    assert main(words) == 0
    page = opened(monkeypatch, tmp_path)
    assert not page.exception
    assert "greedy against random" in everything(page)
    assert "in brackets: 95% intervals" in page.code[0].value
    labels = page.sidebar.selectbox(key="match_up").options
    assert labels == [
        "0 · greedy v random · national",
        "1 · greedy v solid · national",
        "2 · random v solid · national",
    ]
    page.sidebar.selectbox(key="match_up").set_value(labels[1]).run()
    assert not page.exception
    assert page.code[-1].value.rstrip() == figures.as_text(figures.headline(tmp_path / "league", 1), "en").rstrip()
    assert "Ignored match_up=9" in everything(opened(monkeypatch, tmp_path, match_up="9"))


def everything(page: AppTest) -> str:
    parts = [*page.markdown, *page.caption, *page.header, *page.subheader, *page.info, *page.warning, *page.error]
    return "\n".join([*(str(part.value) for part in parts), *(str(code.value) for code in page.code)])


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("name", ["even", "one", "won", "same", "small"])
def test_every_kind_of_run_renders_with_the_numbers_of_the_command_line(
    monkeypatch: pytest.MonkeyPatch, runs: Path, name: str, language: Language
) -> None:
    page = opened(monkeypatch, runs, language, run=name)
    assert not page.exception
    assert not page.error
    headline = figures.headline(runs / name)
    assert page.code[-1].value.rstrip() == figures.as_text(headline, language).rstrip()
    text = everything(page)
    assert glossary.whole(headline.deals) in text
    assert f"**{glossary.mean(headline.length.deals, language)}**" in text
    for at_a in headline.pass_a.values():
        assert f"**{glossary.mean(at_a.tries_per_match, language)}**" in text


def test_tables_of_the_page_hold_the_headline_digit_by_digit(monkeypatch: pytest.MonkeyPatch, runs: Path) -> None:
    page = opened(monkeypatch, runs, "en", run="even")
    headline = figures.headline(runs / "even")
    shown = {
        row["category"]: (row["value"], row["interval low"], row["interval high"], row["n"], row["pairs"])
        for table in page.dataframe
        if "category" in table.value
        for _, row in table.value.iterrows()
    }
    expected = {
        "Score of random (X)": headline.score.match,
        "Deals won by random (X)": headline.score.deal_win,
        "Single tribute refused": headline.tribute.refusal["single"],
        "Double tribute refused": headline.tribute.refusal["double"],
        "random (X) · passed": headline.pass_a["x"].results["passed"],
        "random (Y) · deal lost": headline.pass_a["y"].results["deal_lost"],
        "random (X) · 3 levels: 1st + 2nd": headline.steps["x"]["3"],
        "random (Y) · 1 level: 1st + last": headline.steps["y"]["1"],
    }
    for label, figure in expected.items():
        assert isinstance(figure, Estimate)
        assert shown[label] == (figure.value, figure.lo, figure.hi, figure.events, figure.units), label


def test_one_pair_is_too_few_for_any_rate(monkeypatch: pytest.MonkeyPatch, runs: Path) -> None:
    page = opened(monkeypatch, runs, "en", run="one")
    text = everything(page)
    assert "too few" in text
    assert not re.search(r"\*\*[\d.]+\*\* \[", text)


def test_the_level_filter_restricts_the_figures_and_stands_in_their_titles(
    monkeypatch: pytest.MonkeyPatch, runs: Path
) -> None:
    page = opened(monkeypatch, runs, "en", run="even")
    before = [table.value for table in page.dataframe]
    page.selectbox(key="level").select("9").run()
    assert not page.exception
    after = [table.value for table in page.dataframe]
    assert "(level 9)" in everything(page)
    assert any(not one.equals(other) for one, other in zip(before, after, strict=True))
    assert before[0].equals(after[0])  # the score is that of the whole run


def test_the_address_restores_language_run_and_filters(monkeypatch: pytest.MonkeyPatch, runs: Path) -> None:
    page = opened(monkeypatch, runs, "zh", lang="en", run="won", level="9", side="greedy")
    assert not page.exception
    assert page.selectbox(key="run").value == "won"
    assert page.selectbox(key="level").value == "9"
    assert "(level 9, greedy)" in everything(page)


def test_an_address_that_asks_for_what_is_not_there_is_answered_visibly(
    monkeypatch: pytest.MonkeyPatch, runs: Path
) -> None:
    page = opened(monkeypatch, runs, "en", run="gone", level="99")
    assert not page.exception
    assert [warning.value for warning in page.warning] == [
        "Ignored run=gone in the address: not valid here.",
        "Ignored level=99 in the address: not valid here.",
    ]


def test_without_a_language_and_a_locale_the_page_is_chinese(monkeypatch: pytest.MonkeyPatch, runs: Path) -> None:
    assert "进贡" in everything(opened(monkeypatch, runs, None, run="won"))


@pytest.mark.parametrize(("language", "words"), [("zh", "还没有运行"), ("en", "There is no run in")])
def test_an_empty_folder_says_how_to_make_a_run(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, language: Language, words: str
) -> None:
    page = opened(monkeypatch, tmp_path, language)
    assert not page.exception
    (message,) = page.info
    assert words in message.value
    assert "guandan run greedy random" in message.value


def test_a_missing_folder_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    page = opened(monkeypatch, tmp_path / "nowhere")
    assert [message.value for message in page.info] == [f"There is no folder {tmp_path / 'nowhere'}."]


def test_the_folder_may_be_a_run_itself(monkeypatch: pytest.MonkeyPatch, runs: Path) -> None:
    page = opened(monkeypatch, runs / "even")
    assert not page.exception
    assert page.selectbox(key="run").options == ["even"]


def test_a_damaged_run_json_is_one_line_that_names_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder = make_run(tmp_path / "bad", "greedy", "random", 2)
    (folder / "run.json").write_text("{")
    page = opened(monkeypatch, tmp_path)
    assert not page.exception
    (error,) = page.error
    assert str(folder / "run.json") in error.value
    assert "\n" not in error.value


@pytest.mark.parametrize("table", ["pairs", "deals"])
def test_a_damaged_data_file_is_one_line_that_names_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, table: str
) -> None:
    folder = make_run(tmp_path / "bad", "greedy", "random", 2)
    path = folder / table / "000-000000.parquet"
    path.write_bytes(path.read_bytes()[:-40])
    page = opened(monkeypatch, tmp_path)
    assert not page.exception
    (error,) = page.error
    assert str(path) in error.value
    assert "\n" not in error.value


def test_a_run_that_is_still_going_on_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder = make_run(tmp_path / "half", "greedy", "random", 80, block_pairs=40)
    (folder / "blocks" / "000-000001.json").unlink()
    page = opened(monkeypatch, tmp_path)
    assert not page.exception
    assert "40 of 80 pairs" in page.warning[0].value
    (folder / "blocks" / "000-000000.json").unlink()
    page = opened(monkeypatch, tmp_path)
    assert not page.exception
    assert "No block" in page.info[0].value


def test_a_run_with_excluded_blocks_says_so_and_is_not_unfinished(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    request = new_request("greedy", "random", pairs=40, seed=1, block_pairs=10, detail="pairs")
    play(start(request, tmp_path), LocalExecutor(1), lambda state: None)
    exclude(tmp_path, ["3"], "odd")
    page = opened(monkeypatch, tmp_path)
    assert "1 blocks excluded (10 pairs)" in everything(page)
    assert "not finished" not in everything(page)


def test_the_command_serves_this_machine_only_and_sends_nothing(tmp_path: Path) -> None:
    line, environment = launch.command(tmp_path, 8600, "en")
    assert line[1:4] == ["-m", "streamlit", "run"]
    assert Path(line[4]) == Path(APP)
    assert {"--server.address=127.0.0.1", "--server.port=8600", "--browser.gatherUsageStats=false"} <= set(line)
    assert "--logger.level=warning" in line
    assert environment == {launch.DIRECTORY_VARIABLE: str(tmp_path), launch.LANGUAGE_VARIABLE: "en"}
    assert launch.LANGUAGE_VARIABLE not in launch.command(tmp_path, 8600)[1]


def test_badges_are_words_of_players_and_the_tooltip_has_those_of_statistics() -> None:
    for language, fixed, result in (("zh", "事先确定", "打出来的"), ("en", "fixed before play", "result of play")):
        assert texts.text("exogenous", texts.as_language(language)) == fixed
        assert texts.text("endogenous", texts.as_language(language)) == result
    assert "外生" in texts.text("exogenous_help", "zh")
    assert "endogenous" in texts.text("endogenous_help", "en").lower()


def test_the_definitions_give_the_spoken_names_of_the_places_once(monkeypatch: pytest.MonkeyPatch, runs: Path) -> None:
    shown = everything(opened(monkeypatch, runs, "zh", run="won"))
    assert shown.count("头游") == shown.count("末游") == 1
    assert "上游（头游）" in shown


@pytest.mark.parametrize(
    ("language", "said"), [("zh", "出错（程序抛出异常）"), ("en", "failed (it raised an exception)")]
)
def test_a_run_with_faults_says_whose_and_how_many(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, language: Language, said: str
) -> None:
    bad = tmp_path / "bad.py"
    bad.write_text(
        "class Bad:\n"
        "    def play(self, view):\n"
        "        return 0 if view.n < 20 else {}['no']\n"
        "    tribute = return_tribute = lambda self, view: 0\n"
    )
    make_run(tmp_path / "run", f"{bad}:Bad", "greedy", 4)
    page = opened(monkeypatch, tmp_path / "run", language)
    (faults,) = count_faults(tmp_path / "run")
    assert faults.deals > 0
    (warning,) = [part.value for part in page.warning if said in part.value]
    assert warning.startswith("bad.py:Bad ")
    assert f" {faults.deals} " in warning or f" {faults.deals}," in warning


def test_the_command_on_the_page_makes_the_same_run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    words = "greedy random --pairs 4 --seed 3 --on local --style --on-fault stop --memory-mb 999 --block-pairs 2"
    assert main(["run", *words.split(), "--out", str(tmp_path / "one")]) == 0
    page = opened(monkeypatch, tmp_path / "one")
    (again,) = [part.value.split("`")[1] for part in page.caption if "guandan run" in part.value]
    words = again.removeprefix("guandan ").replace("DIR", str(tmp_path / "two"))
    assert main([*words.split(), "--on", "local"]) == 0
    assert run_file.load(tmp_path / "two").request == run_file.load(tmp_path / "one").request
    assert run_file.load(tmp_path / "two").id == run_file.load(tmp_path / "one").id


def test_page_shows_a_run_on_an_object_store(monkeypatch: pytest.MonkeyPatch, s3: str) -> None:
    address = f"s3://{stores.BUCKET}/{secrets.token_hex(6)}?endpoint_override={s3}&scheme=http"
    request = new_request("greedy", "random", pairs=40, seed=1, block_pairs=20)
    play(start(request, place(address) / "first"), LocalExecutor(1), lambda _: None)
    page = opened(monkeypatch, address)
    assert not page.exception
    assert not page.error
    headline = figures.headline(place(address) / "first")
    assert page.code[-1].value.rstrip() == figures.as_text(headline, "en").rstrip()
