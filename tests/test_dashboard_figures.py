"""Headline figures and frames: pairs/ and deals/ say the same, degenerate runs have typed answers."""

from __future__ import annotations

from collections.abc import Callable
from math import comb
from pathlib import Path

import pandas as pd
import pytest

from dashboard import charts, queries, texts
from dashboard.wording import View, labelled, pair_cells, score_rows, to_table
from engine.rules import NATIONAL
from engine.ruleset import load_rules
from sim import counts, figures, glossary, reading, store
from sim.counts import Filter
from sim.errors import Language, SimError
from sim.reading import open_tables, snapshot
from sim.stats import Estimate, NotEstimable
from tests.support.runs import make_run

LANGUAGES: tuple[Language, Language] = ("zh", "en")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_run(tmp_path_factory.mktemp("runs") / "even", "random", "random", 200)


@pytest.fixture(scope="module")
def one_leg(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_run(tmp_path_factory.mktemp("runs") / "same", "greedy", "greedy", 60)


def page_of(folder: Path, chosen: Filter = counts.EVERYTHING) -> queries.Page:
    return queries.read_page(snapshot(folder), figures.headline(folder), chosen)


@pytest.mark.parametrize(
    ("over_pairs", "over_deals"),
    [
        (counts.PAIR_REFUSALS, counts.refusals(counts.EVERYTHING)),
        (counts.PAIR_TRIES, counts.tries(counts.EVERYTHING)),
        (counts.PAIR_STEPS, counts.steps(counts.EVERYTHING)),
    ],
    ids=["refusals", "tries", "steps"],
)
def test_pairs_and_deals_count_the_same(run: Path, over_pairs: str, over_deals: str) -> None:
    with open_tables(snapshot(run)) as tables:
        found = counts.shares(tables, over_pairs)
        assert found == counts.shares(tables, over_deals)
        assert found


def test_wins_after_tribute_agree_between_pairs_and_deals(run: Path) -> None:
    with open_tables(snapshot(run)) as tables:
        over_pairs = counts.shares(tables, counts.PAIR_NEXT_WIN)
        over_deals = counts.shares(tables, counts.next_wins(counts.EVERYTHING))
    assert over_pairs["single"] == over_deals["single"]
    assert over_pairs["double"] == over_deals["double"]
    refused = [over_deals[part][cell].y for part in ("single_refused", "double_refused") for cell in ("won", "lost")]
    assert [over_pairs["refused"][cell].y for cell in ("won", "lost")] == [
        refused[0] + refused[2],
        refused[1] + refused[3],
    ]


def test_frames_show_what_the_headline_says(run: Path) -> None:
    page = page_of(run)
    headline = page.headline
    by_part = {
        (name, entry.part, entry.cell): (entry.value, entry.lo, entry.hi, entry.events, entry.pairs)
        for name in ("refusals", "tries", "steps")
        for entry in page.frames[name].itertuples()
    }
    shown: dict[tuple[str, str, str], figures.Figure] = {}
    for kind, figure in headline.tribute.refusal.items():
        shown["refusals", kind, "refused"] = figure
    for side in ("x", "y"):
        shown |= {("tries", side, name): figure for name, figure in headline.pass_a[side].results.items()}
        shown |= {("steps", side, k): figure for k, figure in headline.steps[side].items()}
    assert shown.keys() == by_part.keys()
    for key, figure in shown.items():
        assert isinstance(figure, Estimate), key
        assert by_part[key] == (figure.value, figure.lo, figure.hi, figure.events, figure.units), key


def test_the_level_map_starts_at_the_match_score(run: Path) -> None:
    page = page_of(run)
    start = page.frames["level_map"].query("x_level == 2 and y_level == 2").iloc[0]
    score = page.headline.score.match
    assert isinstance(score, Estimate)
    first_deals = 2 * page.headline.pairs
    assert start["events"] >= first_deals  # every match starts there, and a match may not leave at once
    assert start["value"] == pytest.approx(score.value, abs=0.02)
    known = page.frames["level_map"].query("missing == ''")
    assert known["expected"].between(0, 1).all()
    assert (known["value"] - known["expected"]).abs().mean() < 0.1  # near-equal players are near to coin flips


@pytest.mark.parametrize("statement", [counts.tribute_kinds, counts.refusals, counts.steps, counts.cards_given])
def test_filters_by_level_and_side_partition_the_deals(run: Path, statement: Callable[[Filter], str]) -> None:
    def events(chosen: Filter) -> int:
        return sum(next(iter(cells.values())).n for cells in counts.shares(tables, statement(chosen)).values())

    with open_tables(snapshot(run)) as tables:
        parts = [events(Filter(level, side)) for level in queries.LEVELS for side in ("x", "y")]
        assert sum(parts) == events(counts.EVERYTHING)
        assert sum(part > 0 for part in parts) > 20


def test_shares_of_one_part_add_up_to_one(run: Path) -> None:
    frames = page_of(run).frames
    for name in ("kinds", "given", "returned", "tries", "steps"):
        totals = frames[name].groupby("part")["value"].sum()
        assert totals.tolist() == pytest.approx([1.0] * len(totals)), name


def test_refusal_is_expected_from_counting_under_the_rules_of_the_run() -> None:
    assert figures.expected_refusal(NATIONAL) == {"single": 702 / 11556, "double": 2862 / 11556}
    small = figures.expected_refusal(load_rules("zhuozhou-digest").rules)
    assert small["single"] == pytest.approx(2 * 702 / 11556 - comb(27, 4) / comb(108, 4))
    assert small["double"] == pytest.approx(2 * 2862 / 11556 - comb(54, 4) / comb(108, 4))
    assert figures.expected_refusal(load_rules("zhuozhou-event").rules) == {}
    assert figures.expected_refusal(None) == {}


def test_one_deterministic_strategy_has_no_score(one_leg: Path) -> None:
    score = figures.headline(one_leg).score
    assert score.match == score.seat == NotEstimable("same_strategy", 60, 60)
    assert score.deal_win == NotEstimable("same_strategy", 60, figures.headline(one_leg).deals)
    assert figures.headline(one_leg).matches == 60


def test_a_run_of_pairs_alone_has_every_headline_figure(tmp_path: Path) -> None:
    full = figures.headline(make_run(tmp_path / "full", "random", "random", 60))
    small = make_run(tmp_path / "small", "random", "random", 60, detail="pairs")
    assert figures.headline(small) == full
    page = page_of(small)
    assert set(page.frames) == {"refusals", "next_wins", "tries", "steps"}


def test_a_run_without_blocks_has_no_numbers_but_a_report(tmp_path: Path) -> None:
    folder = make_run(tmp_path / "r", "random", "greedy", 1)
    for record in (folder / "blocks").iterdir():
        record.unlink()
    headline = figures.headline(folder)
    assert (headline.pairs, headline.matches, headline.deals) == (0, 0, 0)
    assert isinstance(headline.score.match, NotEstimable)
    assert "0 pairs" in figures.as_text(headline, "en")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_printed_report_has_the_headline_in_digits(run: Path, language: Language) -> None:
    headline = figures.headline(run)
    text = figures.as_text(headline, language)
    score = headline.score.match
    assert isinstance(score, Estimate)
    assert f"{100 * score.value:.1f}%" in text
    assert f"[{100 * score.lo:.1f}, {100 * score.hi:.1f}]" in text
    assert "24.77%" in text
    assert "random (X)" in text
    assert not any(line != line.rstrip() for line in text.splitlines())


def test_columns_of_the_chinese_report_are_aligned_where_a_character_takes_two(run: Path) -> None:
    lines = figures.as_text(figures.headline(run), "zh").splitlines()
    rows = [line for line in lines if "[" in line]
    ends = {figures.display_width(line[: line.index("]")]) for line in rows}
    assert len(ends) == 1


def test_only_committed_blocks_count(tmp_path: Path) -> None:
    folder = make_run(tmp_path / "r", "random", "greedy", 60, block_pairs=20)
    whole = figures.headline(folder)
    (folder / "blocks" / "000-000001.json").unlink()
    assert figures.headline(folder).pairs == whole.pairs - 20


def test_a_changed_byte_in_a_data_file_is_named_before_any_number(tmp_path: Path) -> None:
    folder = make_run(tmp_path / "r", "random", "greedy", 30)
    path = folder / "deals" / "000-000000.parquet"
    content = bytearray(path.read_bytes())
    content[len(content) // 3] ^= 1
    path.write_bytes(content)
    with pytest.raises(SimError) as raised:
        figures.headline(folder)
    assert raised.value.code == "block_damaged"
    assert str(path) in str(raised.value)
    path.unlink()
    with pytest.raises(SimError, match=r"deals/000-000000\.parquet"):
        figures.headline(folder)


def test_a_folder_with_brackets_and_stars_in_its_name_is_read(tmp_path: Path) -> None:
    folder = make_run(tmp_path / "a[1]*?'b" / "r", "random", "greedy", 30)
    assert figures.headline(folder).pairs == 30


def test_a_snapshot_is_a_key_for_its_numbers(tmp_path: Path) -> None:
    folder = make_run(tmp_path / "r", "random", "greedy", 60, block_pairs=20)
    first = snapshot(folder)
    assert (first, first.blocks) == (snapshot(folder), 3)
    (folder / "blocks" / "000-000002.json").unlink()
    assert snapshot(folder) != first
    with open_tables(first) as tables:  # an open page keeps its numbers
        assert tables.rows("select count(*) from pairs") == [(60,)]


def test_a_file_that_vanishes_while_it_is_read_is_one_line(tmp_path: Path) -> None:
    folder = make_run(tmp_path / "r", "random", "greedy", 30)
    taken = snapshot(folder)
    Path(taken.pairs[0]).unlink()
    with pytest.raises(SimError), open_tables(taken) as tables:
        tables.rows("select count(*) from pairs")
    assert reading.snapshot is snapshot
    assert store.find_runs(tmp_path) == [folder]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_frame_has_words_a_table_and_a_chart(run: Path, language: Language) -> None:
    view = View(page_of(run, Filter(14, "x")), Filter(14, "x"), language)
    for name, frame in view.page.frames.items():
        if "value" not in frame:
            continue
        words = labelled(view, name, frame)
        table = to_table(view, words)
        assert {view.text(f"col_{column}") for column in ("value", "lo", "hi", "events", "pairs")} <= set(table)
        assert len(table) == len(frame)
        assert words["label"].str.len().min() > 0
    for name in ("refusals", "kinds", "next_wins", "tries", "steps"):
        drawn = charts.rates(labelled(view, name, view.page.frames[name])).to_dict()
        assert drawn["layer"]
    assert charts.stacked(pair_cells(view, view.page.headline.score.duplicate.cells)).to_dict()["layer"]
    assert score_rows(view)["shown"].str.contains("%").all()


def test_no_rate_is_shown_without_its_interval_and_its_sample(run: Path) -> None:
    view = View(page_of(run), counts.EVERYTHING, "en")
    for name, frame in view.page.frames.items():
        if "value" in frame:
            words = labelled(view, name, frame)
            known = words["missing"] == ""
            assert words.loc[known, "shown"].str.fullmatch(r"[\d.]+% \[[\d.]+, [\d.]+\].*").all(), name
            assert words["sample"].str.fullmatch(r"[\d,]+ (deals|cards) / [\d,]+ pairs").all(), name


def test_the_title_names_every_filter_that_acts_and_no_other(run: Path) -> None:
    view = View(page_of(run), Filter(5, "y"), "en")
    assert view.question("kinds").endswith("(level 5, random (Y))")
    assert view.question("tries").endswith("(random (Y))")
    assert "(level" not in view.question("score")


def test_glossary_and_page_have_both_languages() -> None:
    for words in (glossary.WORDS, glossary.REASONS, texts.WORDS):
        assert all(chinese and english for chinese, english in words.values())
    for about in texts.FIGURES.values():
        assert all((*about.question, *about.definition))


@pytest.mark.parametrize(
    ("tag", "language"),
    [("zh-CN", "zh"), ("zh_TW.UTF-8", "zh"), ("en-US", "en"), ("de", "en"), (None, "zh"), ("", "zh")],
)
def test_the_language_follows_the_locale(tag: str | None, language: Language) -> None:
    assert texts.language_of(tag) == language


def test_empty_frames_have_no_chart_data(tmp_path: Path) -> None:
    folder = make_run(tmp_path / "r", "greedy", "random", 40)
    page = page_of(folder, Filter(side="y"))
    assert isinstance(page.frames["exchanges"], pd.DataFrame)
    assert page.frames["tries"]["events"].sum() == 0
    assert page.frames["tries"]["missing"].eq("no_data").all()
