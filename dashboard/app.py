"""The page: pick a run, set filters, read score, tribute, pass-A, promotion and length.

Started by `guandan dashboard`; the folder of runs and the language come from the environment (`dashboard.launch`).
All state is in the address, so that a link shows what its sender saw.
"""

from __future__ import annotations

import os
import shlex
import time
from dataclasses import fields

import streamlit as st

from dashboard import launch, report_sections, sections, texts
from dashboard.queries import LEVELS, Page, read_page
from dashboard.wording import View
from sim import figures, glossary, overview, reading, report, run_file, schema, store
from sim.counts import Filter, Side
from sim.errors import Language, SimError
from sim.exclusions import excluded_blocks
from sim.fault_rows import FaultCount, count_faults
from sim.places import Place, place
from sim.stored_words import reason_word


@st.cache_data(max_entries=64, show_spinner=False)
def _headline(taken: reading.Snapshot, _run: run_file.Run) -> figures.Headline:
    """Keep the headline figures by snapshot: a new block is a new snapshot."""
    return figures.headline_at(taken, _run)


@st.cache_data(max_entries=64, show_spinner=False)
def _page(taken: reading.Snapshot, _headline: figures.Headline, chosen: Filter) -> Page:
    """Keep what was read by snapshot and filter."""
    return read_page(taken, _headline, chosen)


def _language() -> Language:
    default = texts.language_of(os.environ.get(launch.LANGUAGE_VARIABLE) or st.context.locale)
    _notice("lang", texts.LANGUAGES, default)
    picked = st.sidebar.segmented_control(
        "语言 Language", texts.LANGUAGES, default=default, key="lang", bind="query-params", required=True
    )
    return texts.as_language(picked)


@st.cache_data(max_entries=64, show_spinner=False)
def _faults(taken: reading.Snapshot, _run: run_file.Run) -> list[FaultCount]:
    """Keep the counts of faults by snapshot."""
    return count_faults(_run.folder, _run.match_up)


def _notice(name: str, valid: tuple[str, ...], language: Language) -> None:
    """Say so when the address asks for what does not exist; the widget itself drops it silently."""
    asked = st.query_params.get(name)
    if asked is not None and asked not in valid:
        st.warning(texts.text("unknown_query", language, name=name, value=asked))


def _pick_run(folder: Place, language: Language) -> Place | None:
    """Let the reader choose among the runs in the place; None, with a message, if there is none."""
    try:
        folder.check()
    except SimError as error:
        if error.code == "file_unreadable":
            raise
        st.info(texts.text("no_folder", language, folder=folder))
        return None
    runs = {each.name: each for each in store.find_runs(folder)}
    if not runs:
        st.info(texts.text("no_runs", language, folder=folder))
        return None
    _notice("run", tuple(runs), language)
    name = st.sidebar.selectbox(texts.text("run", language), list(runs), key="run", bind="query-params")
    return runs[name]


def _filter(names: dict[str, str], language: Language) -> Filter:
    st.sidebar.subheader(texts.text("filters", language))
    levels = {texts.level_name(level): level for level in LEVELS}
    everything = texts.text("all", language)
    _notice("level", (everything, *levels), language)
    level = st.sidebar.selectbox(texts.text("level", language), [everything, *levels], key="level", bind="query-params")
    sides: dict[str, Side] = {names["x"]: "x", names["y"]: "y"}
    both = texts.text("both", language)
    _notice("side", (both, *sides), language)
    side = st.sidebar.selectbox(texts.text("side", language), [both, *sides], key="side", bind="query-params")
    return Filter(levels.get(level), sides.get(side))


def _pick_match_up(run: run_file.Run, language: Language) -> run_file.Run:
    """Let the reader choose among the match-ups of a run, if there are several, under a table of them all."""
    if len(run.requests) == 1:
        return run
    labels = [f"{number} · {' v '.join(each.names)} · {each.rules}" for number, each in enumerate(run.requests)]
    _notice("match_up", tuple(labels), language)
    st.code(overview.as_text(_overview(reading.snapshot(run.folder), run), language), language=None)
    label = st.sidebar.selectbox(texts.text("match_up", language), labels, key="match_up", bind="query-params")
    return run.at(labels.index(label))


@st.cache_data(max_entries=32, show_spinner=False)
def _report(taken: reading.Snapshot, _run: run_file.Run, match_up: int, language: Language) -> report.Report:
    """Keep the report of a match-up by snapshot of the whole run, since its claims depend on all of it."""
    return report.build(_run.folder, language, match_up)


@st.cache_data(max_entries=64, show_spinner=False)
def _overview(taken: reading.Snapshot, _run: run_file.Run) -> list[overview.Line]:
    """Keep the lines of all match-ups by snapshot of the whole run."""
    return overview.lines(_run)


def _show(run: run_file.Run, language: Language) -> None:
    request = run.request
    names = glossary.side_names(*request.names)
    st.header(f"{names['x']} {glossary.word('versus', language)} {names['y']}")
    started = time.perf_counter()
    taken = reading.snapshot(run.folder, run.match_up)
    seconds = time.perf_counter() - started
    excluded = [block for block in excluded_blocks(run) if block.match_up == run.match_up]
    out = sum(block.pairs for block in excluded)
    if excluded:
        st.info(texts.text("excluded", language, count=len(excluded), pairs=out))
    if not taken.blocks:
        st.info(texts.text("no_blocks", language))
        return
    if taken.has("deals"):
        chosen = _filter(names, language)
    else:
        chosen = Filter()
        st.info(texts.text("no_deals", language))
    started = time.perf_counter()
    headline = _headline(taken, run)
    page = _page(taken, headline, chosen)
    seconds += time.perf_counter() - started
    if headline.pairs < headline.asked_pairs - out:
        st.warning(texts.text("partial", language, done=headline.pairs, asked=headline.asked_pairs - out))
    for fault in _faults(taken, run):
        reason = reason_word(fault.reason)
        st.warning(
            texts.text(
                "faults",
                language,
                name=names[fault.side],
                reason=reason.zh if language == "zh" else reason.en,
                deals=glossary.whole(fault.deals),
                forfeits=glossary.whole(fault.forfeits),
            )
        )
    st.caption(
        f"{glossary.word('rules', language)} {headline.rules} · "
        + " · ".join(f"{glossary.whole(n)} {glossary.word(unit, language)}" for unit, n in figures.sizes(headline))
    )
    view = View(page, chosen, language)
    made = _report(reading.snapshot(run.folder), run, run.match_up, language)
    report_sections.verdict(made)
    (sections.score if headline.score.boards is None else sections.boards)(view)
    report_sections.ratings(made)
    sections.tribute(view)
    sections.pass_a(view)
    report_sections.sheet_of(made, "pass_a")
    sections.promotion(view)
    report_sections.sheet_of(made, "flow")
    if headline.score.boards is None:
        sections.length(view)
    sections.definitions(view)
    _footer(run, taken, language, seconds)


def _footer(run: run_file.Run, taken: reading.Snapshot, language: Language, seconds: float) -> None:
    """Say what the page was computed from and how to make it again."""
    request = run.request
    versions = " · ".join(f"{name} {version}" for name, version in sorted(run.versions.items()))
    st.divider()
    st.caption(
        texts.text(
            "footer",
            language,
            run=run.id,
            rules=request.rules,
            seed=request.seed,
            blocks=taken.blocks,
            schema=schema.VERSION,
            versions=versions,
            seconds=seconds,
        )
    )
    st.caption(f"{texts.text('again', language)} `{_again(run)}`")


def _again(run: run_file.Run) -> str:
    """Write the command that plays the run once more, byte for byte; options at their defaults are left out."""
    request = run.request
    rules = request.rules if request.switches is None else f"{request.rules}.toml"
    words: list[object] = [request.x, request.y, "--pairs", request.pairs, "--rules", rules, "--seed", request.seed]
    if request.boards is not None:
        words += ["--boards", run.folder]  # the folder of a run of boards stands for its boards
    words += ["--detail", request.detail, *(["--style"] if request.style else [])]
    for field in fields(request):
        if field.name in ("on_fault", "decision_seconds", "memory_mb"):
            value = getattr(request, field.name)
            words += [] if value == field.default else [f"--{field.name.replace('_', '-')}", value]
    words += ["--block-pairs", request.block_pairs, "--out", "DIR"]
    return "guandan run " + shlex.join(map(str, words))


def main() -> None:
    """Show the page."""
    st.set_page_config(page_title="掼蛋 Guandan", layout="wide")
    language = _language()
    try:
        folder = place(os.environ.get(launch.DIRECTORY_VARIABLE, "runs"))
        picked = _pick_run(folder, language)
        if picked is not None:
            _show(_pick_match_up(run_file.load(picked), language), language)
    except SimError as error:
        st.error(error.text(language))
    except OSError as error:
        st.error(SimError("file_unreadable", path=error.filename, reason=error.strerror).text(language))


main()
