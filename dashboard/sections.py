"""Lay figures out on the page: each is a question, a badge, a chart, and its table behind a button."""

from __future__ import annotations

from math import isnan
from typing import Any, Final, Literal

import altair as alt
import pandas as pd
import streamlit as st

from dashboard import charts, texts
from dashboard.queries import CARD_RANKS, LEVELS, OF_MATCHES
from dashboard.wording import (
    SAMPLE_IN_CAPTION,
    View,
    labelled,
    mean_phrase,
    pair_cells,
    sample,
    samples,
    score_rows,
    to_table,
)
from sim import glossary
from sim.figures import as_text
from sim.stats import Estimate, NotEstimable

_BADGE_COLOURS: Final[dict[texts.Badge, Literal["blue", "gray"]]] = {"exogenous": "blue", "endogenous": "gray"}


def show(view: View, figure: str, frame: pd.DataFrame, chart: alt.LayerChart | None) -> None:
    """Put one figure on the page: question, badge, table and CSV behind a button, chart or the reason for none."""
    badge = texts.FIGURES[figure].badge
    with st.container(gap="xsmall"):
        st.markdown(f"**{view.question(figure)}**")
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.badge(view.text(badge), color=_BADGE_COLOURS[badge], help=view.text(f"{badge}_help"))
            if figure in SAMPLE_IN_CAPTION and len(frame):
                st.caption(samples(view, figure, frame), width="content")
            with st.popover(view.text("table"), type="tertiary", key=f"popover-{figure}"):
                _table(view, figure, frame)
        if chart is None:
            st.caption(_why_none(view, frame))
        else:
            st.altair_chart(chart, width="stretch", theme=None, key=f"chart-{figure}", alt=view.question(figure))


def _why_none(view: View, frame: pd.DataFrame) -> str:
    few = "missing" in frame and (frame["events"] > 0).any()
    return glossary.reason(NotEstimable("too_few" if few else "no_data"), view.language)


def _table(view: View, figure: str, frame: pd.DataFrame) -> None:
    st.caption(texts.definition(figure, view.language, **view.names))
    table = to_table(view, frame)
    percentages = [view.text(f"col_{name}") for name in ("value", "lo", "hi", "expected", "share")]
    format_ = {name: st.column_config.NumberColumn(format="percent") for name in percentages if name in table}
    st.dataframe(table, hide_index=True, column_config=format_, key=f"table-{figure}")
    st.download_button(
        view.text("csv"),
        table.to_csv(index=False).encode("utf-8-sig"),  # with the mark by which spreadsheets know it is UTF-8
        file_name=f"{figure}.csv",
        mime="text/csv",
        key=f"csv-{figure}",
        on_click="ignore",
    )


def show_rates(view: View, figure: str, **options: Any) -> None:
    """Show a frame of rates as lines with intervals, if the run has it."""
    frame = view.page.frames.get(figure)
    if frame is None:
        return
    words = labelled(view, figure, frame)
    drawable = frame["value"].notna().any() or frame["expected"].notna().any()
    show(view, figure, words, charts.rates(words, **options) if drawable else None)


def score(view: View) -> None:
    """Answer who is better: score and deals won, cells of the pairs, duplicate gain."""
    headline = view.page.headline
    st.subheader(view.text("score", **view.names), anchor="score")
    both = score_rows(view)
    left, right = st.columns([3, 2], gap="large")
    with left:
        show(view, "score", both, charts.rates(both, reference=0.5, domain=(0.0, 1.0)))
    with right:
        legs = headline.score.duplicate
        cells = pair_cells(view, legs.cells)
        show(view, "cells", cells, charts.stacked(cells) if legs.pairs else None)
        gain = legs.gain
        gained = glossary.reason(gain, view.language) if isinstance(gain, NotEstimable) else f"{gain:.2f}"
        seat = headline.score.seat
        facts = [
            f"{glossary.word('gain', view.language)} **{gained}**",
            mean_phrase(view, "signed_steps", headline.score.signed_steps),
            f"{glossary.word('seat', view.language)} **{glossary.rate(seat, view.language)}** "
            f"{glossary.rate_interval(seat)}",
        ]
        st.caption(" · ".join(facts))


def boards(view: View) -> None:
    """Answer who is better on boards: net levels, deals won, duplicate gain."""
    found = view.page.headline.score.boards
    assert found is not None
    st.subheader(view.text("score", **view.names), anchor="score")
    facts = [f"{mean_phrase(view, 'signed_steps', found.score)} n = {sample(view, found.score, 'pair')}"]
    for name, number in (("gain", found.gain), ("rho", found.rho)):
        shown = glossary.reason(number, view.language) if isinstance(number, NotEstimable) else f"{number:.2f}"
        facts.append(f"{glossary.word(name, view.language)} **{shown}**")
    facts.append(mean_phrase(view, "seat", found.seat))
    st.caption(" · ".join(facts))
    won = score_rows(view).query("cell == 'deals'").reset_index(drop=True)
    show(view, "boards", won, charts.rates(won, reference=0.5, domain=(0.0, 1.0)))


def tribute(view: View) -> None:
    """Show refusals, kinds, wins after tribute, and the cards that move."""
    st.subheader(view.text("tribute"), anchor="tribute")
    left, right = st.columns(2, gap="large")
    with left:
        show_rates(view, "refusals", from_zero=True)
        show_rates(view, "kinds", from_zero=True)
    with right:
        show_rates(view, "next_wins", reference=0.5)
    left, right = st.columns(2, gap="large")
    with left:
        show_rates(view, "given", from_zero=True)
    with right:
        show_rates(view, "returned", from_zero=True)
    if "exchanges" in view.page.frames:
        exchanges(view)


def exchanges(view: View) -> None:
    """Show how often receivers win by card given and card returned."""
    frame = labelled(view, "exchanges", view.page.frames["exchanges"])
    frame = frame.assign(
        x_name=[texts.card_name(rank, view.language) for rank in frame["returned"]],
        y_name=[texts.card_name(rank, view.language) for rank in frame["given"]],
        cell_text=_whole_percent(frame["value"]),
    )
    used = [
        [texts.card_name(rank, view.language) for rank in CARD_RANKS if rank in set(frame[column])]
        for column in ("returned", "given")
    ]
    chart = charts.heat_map(
        frame,
        x=used[0],
        y=used[1],
        titles=(view.text("returned_axis"), view.text("given_axis")),
        reach=_reach(frame["value"]),
        tooltips=_tips(view, "exchanges"),
    )
    show(view, "exchanges", frame, chart if len(frame) else None)


def _reach(values: pd.Series[float]) -> float:
    """Choose how far from 50 % the colours reach: the farthest value, in steps of ten points."""
    known = values.dropna()
    farthest = float((known - 0.5).abs().max()) if len(known) else 0.1
    return min(0.5, max(1, -int(-farthest * 10 // 1)) / 10)


def _whole_percent(values: pd.Series[float]) -> list[str]:
    return ["" if isnan(value) else f"{100 * value:.0f}" for value in values]


def _tips(view: View, figure: str) -> list[tuple[str, str]]:
    rate = texts.question(figure, view.language, **view.names)
    return [("label", " "), ("shown", rate), ("sample", "n")]


def pass_a(view: View) -> None:
    """Show tries at A: results, number of the try, deals spent there."""
    st.subheader(view.text("pass_a"), anchor="pass-a")
    spent = [
        f"{view.names[side]} · {mean_phrase(view, 'a_tries', at_a.tries_per_match)} "
        f"n = {sample(view, at_a.tries_per_match, 'match')}"
        for side, at_a in view.page.headline.pass_a.items()
        if view.chosen.side in {None, side}
    ]
    if view.page.headline.score.boards is None:
        st.caption("  \n".join(spent))
    left, right = st.columns(2, gap="large")
    with left:
        show_rates(view, "tries", domain=(0.0, 1.0))
    with right:
        show_rates(view, "tries_by_number", domain=(0.0, 1.0))


def promotion(view: View) -> None:
    """Show steps of won deals and the level map."""
    st.subheader(view.text("promotion"), anchor="promotion")
    left, right = st.columns([5, 6], gap="large")
    with left:
        show_rates(view, "steps", from_zero=True)
    with right:
        if "level_map" in view.page.frames:
            level_map(view)


def level_map(view: View) -> None:
    """Show the chance of x to win the match by the levels of both sides."""
    frame = labelled(view, "level_map", view.page.frames["level_map"])
    frame = frame.assign(
        x_name=[texts.level_name(level) for level in frame["y_level"]],
        y_name=[texts.level_name(level) for level in frame["x_level"]],
        cell_text=_whole_percent(frame["value"]),
        model=["" if pd.isna(value) else glossary.percent(value) for value in frame["expected"]],
    )
    names = [texts.level_name(level) for level in LEVELS]
    chart = charts.heat_map(
        frame,
        x=names,
        y=names[::-1],
        titles=(view.text("level_axis", side=view.names["y"]), view.text("level_axis", side=view.names["x"])),
        reach=0.5,
        tooltips=[*_tips(view, "level_map"), ("model", view.text("model"))],
    )
    show(view, "level_map", frame, chart if len(frame) else None)


def length(view: View) -> None:
    """Show how many deals a match takes."""
    st.subheader(view.text("length"), anchor="length")
    deals = view.page.headline.length
    capped = f"{glossary.word('capped', view.language)} {glossary.whole(deals.capped)}"
    st.caption(
        f"{mean_phrase(view, 'deals_per_match', deals.deals)} n = {sample(view, deals.deals, 'match')} · {capped}"
    )
    frame = view.page.frames.get("lengths")
    if frame is not None:
        mean = deals.deals.value if isinstance(deals.deals, Estimate) else None
        mean_text = f"{view.text('mean')} {glossary.mean(deals.deals, view.language)}"
        titles = (view.text("col_deals"), view.text("col_matches"))
        show(view, "lengths", frame, charts.histogram(frame, titles=titles, mean=mean, mean_text=mean_text))


def definitions(view: View) -> None:
    """Explain every figure, with the statement that computes it."""
    with st.expander(view.text("definitions")):
        st.markdown(view.text("terms"))
        st.markdown(view.text("intervals"))
        left_out = {"boards"} if view.page.headline.score.boards is None else {"score", *OF_MATCHES}
        for figure in (name for name in texts.FIGURES if name not in left_out):
            st.markdown(
                f"**{texts.question(figure, view.language, **view.names)}** "
                f"{texts.definition(figure, view.language, **view.names)}"
            )
            statement = view.page.statements.get(figure)
            if statement:
                st.code(_unindented(statement), language="sql", wrap_lines=True)
    with st.expander(view.text("copy")):
        st.code(as_text(view.page.headline, view.language), language=None)


def _unindented(statement: str) -> str:
    return "\n".join(line.strip() for line in statement.strip().splitlines())
