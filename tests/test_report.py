"""`guandan report`: what a verdict says and when there is none; text, JSON, HTML and page write the same digits."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from streamlit.testing.v1 import AppTest

from cluster.cli import main
from dashboard import launch
from sim import figures, league, report, run, run_file, sheets, store
from sim.boards import find_boards
from sim.errors import Language, SimError
from sim.experiment import Experiment
from sim.reading import open_tables, snapshot
from sim.request import Stopping, new_request
from sim.stats import Estimate, NotEstimable, duplicate, estimate_after_stop
from sim.targets import Family
from sim.verdict import Finding, State
from strategies.registry import load
from tests.support.failing import NO_ANSWER, failing
from tests.support.small_run import quiet

LANGUAGES: tuple[Language, Language] = ("zh", "en")
OLD_RUNS = Path(__file__).parent / "data" / "runs"
FAILING = failing("view.n_steps > 98", NO_ANSWER)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A league of three under two rule sets."""
    at = tmp_path_factory.mktemp("runs") / "league"
    asked = Experiment(strategies=("greedy", "random", "solid"), pairs=60, rules=("national", "sheet"), block_pairs=30)
    run.play(run.start(asked.requests(), at, asked.aims), run.LocalExecutor(2), quiet)
    return at


def finding(state: State, score: figures.Figure, **more: object) -> Finding:
    return replace(Finding(state, score, None, None, {}, None, False, None), **more)  # type: ignore[arg-type]


def head_of(folder: Path) -> figures.Headline:
    return figures.headline(folder)


def estimate(z: float) -> Estimate:
    return Estimate(0.5 + 0.01 * z, 0.5 + 0.01 * (z - 1.96), 0.5 + 0.01 * (z + 1.96), 0.01, 100, 100)


@pytest.mark.parametrize(
    ("family", "expected"),
    [
        ("holm", ["ahead", "family", "behind", "open", "few", "undecided"]),
        ("bh", ["ahead", "ahead", "behind", "open", "few", "undecided"]),
    ],
)
def test_a_claim_must_stand_in_its_family(folder: Path, family: Family, expected: list[str]) -> None:
    """The p values are 1e-6, 0.027, 1e-6, 0.32 and 1 (too few); one with a test of its own is no member."""
    few = NotEstimable("too_few", 9, 9)
    found = [
        finding("ahead", estimate(4.9)),
        finding("ahead", estimate(2.21)),
        finding("behind", estimate(-4.9)),
        finding("open", estimate(1.0)),
        finding("few", few),
        finding("undecided", estimate(3.0)),
    ]
    judged = league.in_family(found, [head_of(folder)] * 6, family)
    assert [each.state for each in judged] == expected
    assert judged[4].p == 1.0
    assert judged[5].p is None


def test_a_league_has_its_claims_and_one_rating_list_a_rule_set(folder: Path) -> None:
    made = report.build(folder, "en")
    assert made.claims is not None
    assert len(made.claims.entries) == 6
    assert [each.rules for each in made.leagues] == ["national", "sheet"]
    for each in made.leagues:
        assert [standing.name for standing in each.standings] == ["solid", "greedy", "random"]
        assert each.standings[-1].bound == -1  # random never won
    assert {(card.reference, card.variant) for card in made.cards} == {("national", "sheet")}
    (alone,) = report.build(folder, "en", 1).match_ups
    assert alone.verdict == made.match_ups[1].verdict


CYCLES: dict[str, tuple[tuple[int, int, int], str]] = {
    "one number": ((640, 760, 640), "One number a strategy is enough"),
    "cycle": ((700, 400, 600), "One number a strategy is not enough"),
    "no path": ((1000, 1000, 1000), "There are too few match-ups"),
}


def test_groups_that_never_met_have_no_ratings(folder: Path) -> None:
    head = head_of(folder)
    score = replace(
        head.score, duplicate=replace(head.score.duplicate, cells={"LL": 9, "LD": 0, "MID": 9, "WD": 0, "WW": 9})
    )
    heads = [replace(head, x=x, y=y, score=score) for x, y in ("ab", "cd")]
    (found,) = league.leagues(heads, "holm", "en")
    assert (found.standings, found.differences.entries) == ((), ())
    assert found.groups == (("a", "b"), ("c", "d"))
    assert "a b | c d" in found.fit


@pytest.mark.parametrize("name", CYCLES)
def test_ratings_say_whether_one_number_a_strategy_is_enough(folder: Path, name: str) -> None:
    """Points of a against b, a against c, b against c, of 1,000 matches each, half of the pairs split."""
    points, said = CYCLES[name]
    head = head_of(folder)
    heads = []
    for (x, y), won in zip((("a", "b"), ("a", "c"), ("b", "c")), points, strict=True):
        split = min(won, 1000 - won) // 2 * 2
        cells = {
            "LL": (1000 - won - split // 2) // 2,
            "LD": 0,
            "MID": split // 2,
            "WD": 0,
            "WW": (won - split // 2) // 2,
        }
        assert sum(cells.values()) in (500, 499)
        score = replace(head.score, duplicate=replace(head.score.duplicate, cells=cells))
        heads.append(replace(head, x=x, y=y, score=score))
    (found,) = league.leagues(heads, "holm", "en")
    assert found.fit.startswith(said)
    assert ("a > b > c > a" in found.fit) == (name == "cycle")
    if name == "one number":
        assert [each.name for each in found.standings] == ["a", "b", "c"]
        assert [(each.first, each.last) for each in found.standings] == [(1, 1), (2, 2), (3, 3)]
        assert [entry.label for entry in found.differences.entries] == ["a − b", "a − c", "b − c"]
        figure = found.differences.entries[0].figure
        assert isinstance(figure, Estimate)
        assert figure.value == pytest.approx(100, abs=2)  # 64 of 100
        assert (figure.units, figure.events) == (1500, 3000)
        assert found.differences.entries[0].note == "adjusted p < 0.001"
        assert not any(entry.pale for entry in found.differences.entries)


# --- tests that stop, and faults ---


def test_after_a_test_the_verdict_has_the_estimate_after_the_stop(tmp_path: Path) -> None:
    test = Stopping(elo0=0, elo1=60, look_pairs=10)
    request = new_request("solid", "greedy", pairs=400, seed=11, block_pairs=40, detail="pairs", test=test)
    run.play(run.start(request, tmp_path / "run"), run.LocalExecutor(1), quiet)
    (made,) = report.build(tmp_path / "run", "en").match_ups
    assert made.finding.state == "accepted"
    tested = made.finding.tested
    assert tested is not None
    assert tested.verdict.pairs < made.head.pairs or made.head.pairs % 40 == 0
    with open_tables(snapshot(tmp_path / "run")) as tables:
        cells = dict(tables.rows(f"select cell, count(*) from pairs where pair < {tested.verdict.pairs} group by cell"))
    counts = [cells.get(name, 0) for name in ("LL", "LD", "MID", "WD", "WW")]
    assert sum(counts) == tested.verdict.pairs
    assert estimate_after_stop(counts, tested.test) == tested.after
    assert made.verdict.startswith("Test passed: solid against greedy (national) crossed the upper bound after")
    assert "median-unbiased" in made.verdict


@pytest.fixture
def known_by_name(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let a run find the failing strategy under its name."""
    strategies: dict[str, object] = {"failing": FAILING, "greedy": load("greedy")}
    monkeypatch.setattr(run, "_strategy", lambda name: strategies[name])
    yield
    FAILING.raise_errors()


@pytest.mark.usefixtures("known_by_name")
def test_where_a_strategy_fails_there_are_three_scores_and_no_verdict(tmp_path: Path) -> None:
    request = new_request("greedy", "failing", pairs=120, seed=3, block_pairs=60)
    run.play(run.start(request, tmp_path / "y"), run.LocalExecutor(1), quiet)
    run.play(run.start(replace(request, x="failing", y="greedy"), tmp_path / "x"), run.LocalExecutor(1), quiet)
    for side in "xy":
        (made,) = report.build(tmp_path / side, "en").match_ups
        lines = sheets.by_key(made.sheets)
        with open_tables(snapshot(tmp_path / side)) as tables:
            faulty = set(tables.rows("select pair, leg from faults group by all"))
            rows = tables.rows("select pair, x_half_points_1, x_half_points_2 from pairs")
        clean: dict[tuple[int, int], int] = {}
        worst: dict[tuple[int, int], int] = {}
        for pair, *legs in rows:
            failed = [(pair, leg) in faulty for leg in (1, 2)]
            if not any(failed):
                clean[tuple(legs)] = clean.get(tuple(legs), 0) + 1
            if side == "x" or not any(failed):
                ends = [0 if side == "x" and lost else points for points, lost in zip(legs, failed, strict=True)]
                worst[ends[0], ends[1]] = worst.get((ends[0], ends[1]), 0) + 1
        assert 0 < sum(clean.values()) < len(rows)
        for name, counts in (("clean", clean), ("worst", worst)):
            expected, figure = duplicate(counts).score, lines[f"score_{name}"].figure
            assert isinstance(expected, Estimate)
            if expected.units < 30:
                assert isinstance(figure, NotEstimable)
            else:
                assert figure == expected
        assert made.finding.state == "invalid"  # 240 legs cannot exclude one forfeit in a hundred
        assert made.verdict.startswith("Invalid: failing may forfeit up to ")
        assert lines[f"forfeits {side}"].note.endswith("faulty deals")


def test_an_unfinished_run_has_an_interval_for_any_time(tmp_path: Path) -> None:
    request = new_request("solid", "solid-early", pairs=120, seed=3, block_pairs=60)
    run.play(run.start(request, tmp_path), run.LocalExecutor(1), quiet)
    plain = head_of(tmp_path).score.match
    assert isinstance(plain, Estimate)
    (tmp_path / store.BLOCKS / f"{run_file.block_of(request, 1).stem}.json").unlink()
    (made,) = report.build(tmp_path, "en").match_ups
    half = head_of(tmp_path).score.match
    assert isinstance(half, Estimate)
    assert made.finding.state == "live"
    score = sheets.by_key(made.sheets)["score"].figure
    assert isinstance(score, Estimate)
    assert score.value == pytest.approx(half.value)
    assert score.hi - score.lo > 1.4 * (half.hi - half.lo)
    assert made.verdict.startswith("Open: solid against solid-early")


# --- every kind of run ---


def odd_runs(folder: Path) -> None:
    """One pair, all won, one strategy, random draws on both sides, pairs alone, boards, nothing played."""
    for name, request in {
        "one": new_request("greedy", "random", pairs=1, seed=1),
        "won": new_request("solid", "random", pairs=40, seed=1),
        "same": new_request("greedy", "greedy", pairs=40, seed=1),
        "equal": new_request("random", "random", pairs=40, seed=1, rules="zhuozhou-general"),
        "pairs": new_request("greedy", "random", pairs=40, seed=1, detail="pairs", rules="sheet"),
        "matches": new_request("greedy", "random", pairs=40, seed=1, detail="matches"),
        "boards": new_request("greedy", "random", pairs=40, seed=1, boards=find_boards("uniform", 40, 1)),
    }.items():
        run.play(run.start(request, folder / name), run.LocalExecutor(1), quiet)
    run.start(new_request("greedy", "random", pairs=40, seed=1), folder / "nothing")
    for path in OLD_RUNS.iterdir():
        if path.is_dir():
            shutil.copytree(path, folder / f"old-{path.name}")


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("odd")
    odd_runs(folder)
    return folder


STATES = {"one": "few", "won": "ahead", "same": "same", "equal": "open", "pairs": "ahead", "matches": "ahead"}
STATES |= {"boards": "alike", "nothing": "no_blocks", **{f"old-1.{minor}": "few" for minor in range(5)}}


class Cells(HTMLParser):
    """Collect the rows of tables with a key, and every address."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: dict[str, list[str]] = {}
        self.addresses: list[str] = []
        self._key: str | None = None
        self._open = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.addresses += [str(found[name]) for name in ("src", "href", "data") if name in found]
        if tag == "tr":
            self._key = found.get("data-key")
            if self._key is not None:
                self.rows[self._key] = []
        self._open = tag == "td"
        if self._open and self._key is not None:
            self.rows[self._key].append("")

    def handle_data(self, data: str) -> None:
        if self._open and self._key is not None:
            self.rows[self._key][-1] += data

    def handle_endtag(self, tag: str) -> None:
        self._open = False


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", STATES)
def test_every_kind_of_run_has_a_report(
    odd: Path, tmp_path: Path, name: str, language: Language, capsys: pytest.CaptureFixture[str]
) -> None:
    (made,) = report.build(odd / name, language).match_ups
    assert made.finding.state == STATES[name]
    assert main(["report", str(odd / name), "--lang", language, "--html", str(tmp_path / "r.html")]) == 0
    assert main(["report", str(odd / name), "--lang", language]) == 0
    printed = capsys.readouterr().out
    assert made.verdict in printed
    assert "nan" not in printed
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert made.verdict.replace("&", "&amp;") in page
    for start in page.split("<svg")[1:]:
        ElementTree.fromstring("<svg" + start.split("</svg>")[0] + "</svg>")


@pytest.mark.parametrize("language", LANGUAGES)
def test_text_json_html_and_page_agree_digit_by_digit(
    folder: Path,
    tmp_path: Path,
    language: Language,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    words = ["report", str(folder), "--match-up", "4", "--lang", language]
    assert main([*words, "--json"]) == 0
    values = json.loads(capsys.readouterr().out)["match_ups"][0]
    assert main(words) == 0
    text = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert main([*words, "--html", str(tmp_path / "r.html")]) == 0
    html = Cells()
    page_text = (tmp_path / "r.html").read_text(encoding="utf-8")
    html.feed(page_text)
    assert all(address.startswith("#") for address in html.addresses)

    (made,) = report.build(folder, language, 4).match_ups
    exact = {entry["key"]: entry for sheet in values["sheets"] for entry in sheet["entries"]}
    lines = sheets.by_key(made.sheets)
    assert len(lines) > 100
    assert lines.keys() == exact.keys() == html.rows.keys()
    for key, entry in lines.items():
        cells = list(sheets.row(entry, language))
        assert html.rows[key] == cells
        in_grid = key.startswith("level_map") or (key.startswith("steps") and " all " not in key)
        assert in_grid or " ".join(" ".join(cells).split()) in text
        if isinstance(entry.figure, Estimate):
            assert (exact[key]["value"], exact[key]["n"]) == (entry.figure.value, entry.figure.events)
        else:
            assert exact[key]["missing"] == entry.figure.reason

    drawn = "".join(part.split("</svg>")[0] for part in page_text.split("<svg")[1:])
    for key in ("score", "deal_win", "a_reached x 1", "a_reached y 2", "a_try y 1 passed"):
        assert f">{sheets.value(lines[key], language)} {sheets.interval(lines[key])}".rstrip() + "</text>" in drawn
    assert f">{sheets.value(lines['deals_per_match'], language)}</text>" in drawn

    monkeypatch.setenv(launch.DIRECTORY_VARIABLE, str(folder.parent))
    monkeypatch.setenv(launch.LANGUAGE_VARIABLE, language)
    page = AppTest.from_file(str(Path(launch.__file__).with_name("app.py")), default_timeout=60)
    page.query_params["match_up"] = "4 · greedy v solid · sheet"
    page.run()
    assert not page.exception
    assert any(made.verdict in part.value for part in page.markdown)
    tables = {
        tuple(str(cell) for cell in row) for table in page.dataframe for row in table.value.itertuples(index=False)
    }
    for name in ("pass_a", "flow"):
        for entry in made.sheet(name).entries:
            assert sheets.row(entry, language) in tables


def test_a_match_up_that_is_not_there_is_one_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SimError):
        report.build(folder, "en", 6)
    assert main(["report", str(folder), "--match-up", "6", "--lang", "en"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_file_that_cannot_be_written_is_one_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(folder), "--match-up", "0", "--html", str(folder), "--lang", "en"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
