"""Draw frames: pure functions from a labelled frame to an Altair chart.

Colours are two-ended blue to orange around 50 %, which also colour-blind readers tell apart and which survive
printing in grey; sides are blue and orange. Text marks carry what the colours say.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import altair as alt
import pandas as pd

X_COLOUR: Final = "#0072B2"
Y_COLOUR: Final = "#C4560B"
NEUTRAL: Final = "#5B6770"
INK: Final = "#23282D"
TOO_FEW: Final = "#D9DDE1"
# Blue above the reference, orange below it, near-white at it.
TWO_ENDED: Final = ("#B35806", "#E08214", "#FDB863", "#F5F1EC", "#92C5DE", "#4393C3", "#0B5A9C")

_AXIS_HEIGHT: Final = 30
_LEGEND_HEIGHT: Final = 56


def rates(
    frame: pd.DataFrame,
    *,
    reference: float | None = None,
    from_zero: bool = False,
    domain: tuple[float, float] | None = None,
) -> alt.LayerChart:
    """Draw one row for each rate, top to bottom: its name and number as text, below them a dot on its interval.

    `frame` needs label, shown (number and interval), sample, below (a small third line, or ""), colour, value, lo,
    hi, expected; a row without a value keeps its text. `reference` draws a vertical line; an expected value is a
    diamond. The axis runs over `domain` (shares of one), or over what is drawn, and down to 0 with `from_zero`.
    """
    low, high = domain or _domain(frame, 0.0 if from_zero else reference)
    deep = (frame["below"] != "").any()
    row_height, text_at, dot_at = (64, -18, 2) if deep else (50, -12, 8)
    order = alt.Y("row:O", axis=None, scale=alt.Scale(paddingInner=0, paddingOuter=0))
    axis = alt.Axis(
        format=".0%", tickCount=5, title=None, gridColor="#ECEFF1", domain=False, ticks=False, labelPadding=6
    )
    scale = alt.Scale(domain=[low, high], nice=False, zero=False)
    base = alt.Chart(frame.assign(row=range(len(frame))))
    tips = [alt.Tooltip("label:N", title=" "), alt.Tooltip("shown:N", title="95%"), alt.Tooltip("sample:N", title="n")]
    colour = alt.Color("colour:N", scale=None)
    right = alt.value("width")
    separator = base.mark_rule(color="#E4E8EB", yOffset=row_height / 2 - 1)
    layers: list[alt.Chart] = [
        separator.encode(y=order, x=alt.value(0), x2=right),
        base.mark_text(align="left", dy=text_at, fontSize=13, fontWeight=600, color=INK).encode(
            y=order, x=alt.value(0), text="label:N"
        ),
        base.mark_text(align="right", dy=text_at, fontSize=13, color=INK).encode(y=order, x=right, text="shown:N"),
        base.mark_rule(strokeWidth=3, strokeCap="round", opacity=0.5, yOffset=dot_at).encode(
            y=order, x=alt.X("lo:Q", scale=scale, axis=axis), x2="hi:Q", color=colour, tooltip=tips
        ),
        base.mark_point(size=95, filled=True, opacity=1, yOffset=dot_at).encode(
            y=order, x=alt.X("value:Q", scale=scale, axis=axis), color=colour, tooltip=tips
        ),
    ]
    if deep:
        small = base.mark_text(align="right", dy=20, fontSize=11.5, color=NEUTRAL)
        layers.append(small.encode(y=order, x=right, text="below:N"))
    if frame["expected"].notna().any():
        diamond = base.mark_point(
            shape="diamond", size=90, strokeWidth=1.8, color="black", fill="white", opacity=1, yOffset=dot_at
        )
        layers.append(diamond.encode(y=order, x=alt.X("expected:Q", scale=scale, axis=axis), tooltip=tips))
    if reference is not None:
        line = alt.Chart(pd.DataFrame({"at": [reference]})).mark_rule(color=NEUTRAL, strokeDash=[4, 4])
        layers.insert(0, line.encode(x=alt.X("at:Q", scale=scale, axis=axis)))
    height = row_height * len(frame) + _AXIS_HEIGHT
    return _styled(layers, height)


def _domain(frame: pd.DataFrame, include: float | None) -> tuple[float, float]:
    """Span all intervals with a margin, in whole steps of five points within 0 to 1."""
    numbers = pd.concat([frame["lo"], frame["hi"], frame["expected"]]).dropna().tolist()
    if include is not None:
        numbers.append(include)
    if not numbers:
        return 0.0, 1.0
    low = max(0, int((min(numbers) - 0.01) * 20 // 1)) / 20
    high = min(20, -int(-(max(numbers) + 0.01) * 20 // 1)) / 20
    return (low, high) if high > low else (0.0, 1.0)


def heat_map(
    frame: pd.DataFrame,
    *,
    x: Sequence[str],
    y: Sequence[str],
    titles: tuple[str, str],
    reach: float,
    tooltips: Sequence[tuple[str, str]],
) -> alt.LayerChart:
    """Draw a grid of rates in two-ended colours around 50 %; the number of per cent is written in each cell.

    `frame` needs x_name, y_name, value, cell_text and the columns of `tooltips` (column, title). `x` and `y` list the
    names in order, left to right and top to bottom. `reach` is the distance from 50 % at which colours end. Rows
    without a value are grey.
    """
    across = alt.X("x_name:N", sort=list(x), title=titles[0], scale=alt.Scale(domain=list(x)), axis=_grid_axis("top"))
    down = alt.Y("y_name:N", sort=list(y), title=titles[1], scale=alt.Scale(domain=list(y)), axis=_grid_axis("left"))
    tips = [alt.Tooltip(f"{column}:N", title=title) for column, title in tooltips]
    scale = alt.Scale(
        domain=[0.5 + reach * k / 3 for k in range(-3, 4)], range=list(TWO_ENDED), interpolate="rgb", clamp=True
    )
    legend = alt.Legend(
        format=".0%", title=None, orient="bottom", gradientLength=220, values=[0.5 - reach, 0.5, 0.5 + reach]
    )
    known, few = frame[frame["value"].notna()], frame[frame["value"].isna()]
    dark = f"abs(datum.value - 0.5) > {0.72 * reach}"
    layers = [
        alt.Chart(few).mark_rect(color=TOO_FEW, stroke="white").encode(x=across, y=down, tooltip=tips),
        alt.Chart(known)
        .mark_rect(stroke="white")
        .encode(x=across, y=down, color=alt.Color("value:Q", scale=scale, legend=legend), tooltip=tips),
        alt.Chart(known)
        .mark_text(fontSize=11)
        .encode(
            x=across,
            y=down,
            text="cell_text:N",
            color=alt.condition(dark, alt.value("white"), alt.value(INK)),
            tooltip=tips,
        ),
    ]
    return _styled(layers, 30 * len(y) + _AXIS_HEIGHT + _LEGEND_HEIGHT)


def _grid_axis(orient: Any) -> alt.Axis:
    return alt.Axis(orient=orient, labelAngle=0, domain=False, ticks=False, labelFontSize=12, titlePadding=8)


def histogram(frame: pd.DataFrame, *, titles: tuple[str, str], mean: float | None, mean_text: str) -> alt.LayerChart:
    """Draw counts of a small whole number; `frame` needs deals and matches. The mean is a labelled line."""
    across = alt.X(
        "left:Q",
        bin="binned",
        title=titles[0],
        scale=alt.Scale(zero=False, nice=False, padding=12),
        axis=alt.Axis(format="d", tickMinStep=1, tickCount=12, grid=False),
    )
    top = 1.15 * float(frame["matches"].max())  # room above the bars for the text at the mean
    up = alt.Y(
        "matches:Q",
        title=titles[1],
        scale=alt.Scale(domain=[0, top], nice=False),
        axis=alt.Axis(gridColor="#ECEFF1", domain=False, ticks=False, tickCount=4),
    )
    tips = [alt.Tooltip("deals:Q", title=titles[0]), alt.Tooltip("matches:Q", title=titles[1], format=",")]
    bars = (
        alt.Chart(frame)
        .mark_bar(color=X_COLOUR, opacity=0.75)
        .encode(x=across, x2="right:Q", y=up, tooltip=tips)
        .transform_calculate(left="datum.deals - 0.45", right="datum.deals + 0.45")
    )
    layers: list[alt.Chart] = [bars]
    if mean is not None:
        point = alt.Chart(pd.DataFrame({"at": [mean], "text": [mean_text]}))
        layers.append(point.mark_rule(color=Y_COLOUR, strokeWidth=2).encode(x="at:Q"))
        layers.append(
            point.mark_text(align="left", dx=6, color=Y_COLOUR, fontSize=12.5, fontWeight=600).encode(
                x="at:Q", y=alt.value(8), text="text:N"
            )
        )
    return _styled(layers, 240)


def stacked(frame: pd.DataFrame) -> alt.LayerChart:
    """Draw one bar split into the cells of a pair, lost to won; `frame` needs name, share, order, text."""
    names = frame["name"].tolist()
    ends = ("#B35806", "#FDB863", "#D9DDE1", "#92C5DE", "#0B5A9C")
    colours = [ends[k] for k in frame["order"]]
    base = alt.Chart(frame)
    bar = base.mark_bar(height=34, stroke="white").encode(
        x=alt.X("share:Q", stack="zero", axis=None, scale=alt.Scale(domain=[0, 1])),
        color=alt.Color("name:N", sort=names, scale=alt.Scale(domain=names, range=colours), legend=_bottom_legend()),
        order=alt.Order("order:Q"),
        tooltip=[alt.Tooltip("name:N", title=" "), alt.Tooltip("text:N", title=" ")],
    )
    return _styled([bar], 44 + _LEGEND_HEIGHT)


def _bottom_legend() -> alt.Legend:
    return alt.Legend(orient="bottom", title=None, labelLimit=240, symbolType="square")


def _styled(layers: Sequence[alt.Chart], height: int) -> alt.LayerChart:
    """Lay marks over each other in the page's width and common style. `height` includes axes and legend."""
    chart = alt.LayerChart(layer=list(layers), height=height, width="container")
    axis = alt.AxisConfig(labelColor=NEUTRAL, titleColor=NEUTRAL, titleFontWeight="normal")
    styled: alt.LayerChart = chart.configure(font="sans-serif", view=alt.ViewConfig(stroke=None), axis=axis)
    return styled
