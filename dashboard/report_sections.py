"""Lay out on the page what `guandan report` says: the verdict, ratings, and sheets of figures as tables."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from sim import report_words, sheets
from sim.errors import Language
from sim.report import MatchUp, Report
from sim.sheets import Sheet


def verdict(made: Report) -> None:
    """Say what the match-up allows to say; in red where faults forbid it, with the scores that leave them out."""
    (each,) = made.match_ups
    if each.alarming:
        st.error(each.verdict)
    else:
        st.markdown(f"**{each.verdict}**")
    if each.finding.clean is not None or each.finding.tested is not None:
        sheet(each.sheet("score"), made.language)


def ratings(made: Report) -> None:
    """Show claims and ratings of a league behind a button."""
    if made.claims is None:
        return
    with st.expander(made.claims.title):
        sheet(made.claims, made.language)
    for league in made.leagues:
        with st.expander(report_words.word("ratings", made.language, rules=league.rules)):
            if league.standings:
                heads = report_words.word("rating_heads", made.language).split("|")
                st.dataframe(pd.DataFrame([each.cells() for each in league.standings], columns=heads), hide_index=True)
                st.caption(report_words.word("ratings_remark", made.language))
            st.markdown(league.fit)
            if league.differences.entries:
                sheet(league.differences, made.language)


def sheet_of(made: Report, name: str) -> None:
    """Show one sheet of the match-up behind a button, if it has one of this name."""
    each: MatchUp = made.match_ups[0]
    for found in each.sheets:
        if found.name == name and found.entries:
            with st.expander(f"{found.title} · {report_words.word('report', made.language)}", key=f"report-{name}"):
                sheet(found, made.language)


def sheet(found: Sheet, language: Language) -> None:
    """Show a sheet as a table of the same words as in the report."""
    heads = [head or " " * (k + 1) for k, head in enumerate(sheets.heads(language))]  # columns need names of their own
    rows = [sheets.row(entry, language) for entry in found.entries]
    st.dataframe(pd.DataFrame(rows, columns=heads), hide_index=True, key=f"sheet-{found.name}")
    if found.remark:
        st.caption(found.remark)
