"""Put frames into words: pure functions from numbers to the labels, samples and tables that a page shows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import pandas as pd

from dashboard import charts, texts
from dashboard.queries import Page, rate_frame
from sim import glossary
from sim.counts import Filter
from sim.errors import Language
from sim.figures import Figure
from sim.stats import Estimate, NotEstimable

BY_SIDE: Final = ("tries", "steps")
SAMPLE_IN_CAPTION: Final = ("kinds", "given", "returned", *BY_SIDE)
"""Figures whose rows share one sample within a part: it is said once, above the chart."""

_UNITS: Final = {"given": "card", "returned": "card", "exchanges": "card"}
_COLUMNS: Final = ("cell", "value", "lo", "hi", "events", "pairs", "note", "expected")


@dataclass(frozen=True)
class View:
    """Hold what every section needs: the numbers, the filter in force and the reader's language."""

    page: Page
    chosen: Filter
    language: Language

    @property
    def names(self) -> dict[str, str]:
        """Name the sides."""
        return glossary.side_names(self.page.headline.x, self.page.headline.y)

    def text(self, key: str, **values: object) -> str:
        """Give a text of the page in the reader's language."""
        return texts.text(key, self.language, **values)

    def question(self, figure: str) -> str:
        """Write the question of a figure with every filter that acts on it."""
        asked = texts.question(figure, self.language, **self.names)
        active = []
        usable = texts.FIGURES[figure].filters
        if self.chosen.level is not None and "level" in usable:
            active.append(self.text("playing", level=texts.level_name(self.chosen.level)))
        if self.chosen.side is not None and "side" in usable:
            active.append(self.names[self.chosen.side])
        return (
            f"{asked}（{'，'.join(active)}）"
            if active and self.language == "zh"
            else (f"{asked} ({', '.join(active)})" if active else asked)
        )


def labelled(view: View, figure: str, frame: pd.DataFrame) -> pd.DataFrame:
    """Add the words of each row: label, shown (rate and interval), sample, below (the sample as a line), colour.

    Where the rows of a part share one sample it stands in the caption of the figure instead of below every row.
    """
    rows = []
    for entry in _entries(frame):
        estimate = as_figure(entry)
        shown = with_interval(view, estimate)
        counted = sample(view, estimate, _UNITS.get(figure, "deal"))
        exact = (
            ""
            if pd.isna(entry.expected)
            else f" ◇ {glossary.word('exact', view.language)} {glossary.percent(entry.expected, 2)}"
        )
        rows.append(
            {
                "label": texts.cell_name(figure, entry.part, entry.cell, view.language, view.names),
                "shown": shown + exact,
                "sample": counted,
                "below": "" if figure in SAMPLE_IN_CAPTION else f"n = {counted}",
                "colour": charts.Y_COLOUR if figure in BY_SIDE and entry.part == "y" else charts.X_COLOUR,
            }
        )
    words = pd.DataFrame(rows, index=frame.index, columns=["label", "shown", "sample", "below", "colour"])
    return frame.join(words)


def _entries(frame: pd.DataFrame) -> Iterator[Any]:
    """Go through the rows, columns as attributes."""
    yield from frame.itertuples()


def with_interval(view: View, figure: Figure) -> str:
    """Write a rate and its interval, or why there is none."""
    return f"{glossary.rate(figure, view.language)} {glossary.rate_interval(figure)}".strip()


def sample(view: View, figure: Figure, unit: str) -> str:
    """Write how much an estimate rests on: events and pairs, or pairs alone where they are the unit."""
    pairs = f"{glossary.whole(figure.units)} {glossary.word('pair', view.language)}"
    return (
        pairs if unit == "pair" else f"{glossary.whole(figure.events)} {glossary.word(unit, view.language)} / {pairs}"
    )


def as_figure(entry: Any) -> Figure:
    """Turn a row of a rate frame back into the estimate it came from (its standard error left out)."""
    if entry.missing:
        return NotEstimable(entry.missing, entry.pairs, entry.events)
    return Estimate(entry.value, entry.lo, entry.hi, float("nan"), entry.pairs, entry.events)


def samples(view: View, figure: str, frame: pd.DataFrame) -> str:
    """Write the sample of each part once."""
    first = frame.drop_duplicates("part")
    named = [f"{view.names[part]} " if figure in BY_SIDE else "" for part in first["part"]]
    return " · ".join(f"{name}n = {counted}" for name, counted in zip(named, first["sample"], strict=True))


def mean_phrase(view: View, name: str, figure: Figure) -> str:
    """Write a mean with its interval as one phrase."""
    value = glossary.mean(figure, view.language)
    return f"{glossary.word(name, view.language)} **{value}** {glossary.mean_interval(figure)}".rstrip()


def to_table(view: View, frame: pd.DataFrame) -> pd.DataFrame:
    """Give the table behind a chart, columns named in the reader's language; numbers are not rounded."""
    if "value" in frame:
        noted = [
            glossary.reason(NotEstimable(missing), view.language) if missing else "" for missing in frame["missing"]
        ]
        frame = frame.assign(cell=frame["label"], note=noted)
        kept = [name for name in _COLUMNS if (name != "note" or any(noted))]
        if frame["expected"].isna().all():
            kept.remove("expected")
    else:
        kept = [name for name in ("name", "deals", "matches", "pairs", "share") if name in frame]
    return frame[kept].rename(columns={name: view.text(f"col_{name}") for name in kept})


def score_rows(view: View) -> pd.DataFrame:
    """Word match score and deals won of x over the whole run; the match score's sample is pairs alone."""
    scores = view.page.headline.score
    rows = [("match", scores.match, "score_of", "pair"), ("deals", scores.deal_win, "deal_win_of", "deal")]
    frame = rate_frame(("all", cell, figure) for cell, figure, _, _ in rows)
    samples = [sample(view, figure, unit) for _, figure, _, unit in rows]
    return frame.assign(
        label=[view.text(label, **view.names) for _, _, label, _ in rows],
        shown=[with_interval(view, figure) for _, figure, _, _ in rows],
        sample=samples,
        below=[f"n = {counted}" for counted in samples],
        colour=charts.X_COLOUR,
    )


def pair_cells(view: View, cells: Mapping[str, int]) -> pd.DataFrame:
    """Word the cells of the pairs that occurred."""
    total = max(1, sum(cells.values()))
    rows = [
        {
            "name": view.text(f"cell_{name}"),
            "order": order,
            "share": count / total,
            "pairs": count,
            "text": f"{glossary.whole(count)} · {glossary.percent(count / total)}",
        }
        for order, (name, count) in enumerate(cells.items())
        if count
    ]
    return pd.DataFrame(rows, columns=["name", "order", "share", "pairs", "text"])
