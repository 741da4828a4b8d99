"""Draw the charts of a report as SVG text: no script, no network, readable on a phone and in grey print.

Every chart is 400 units wide and scales with its column. Colours go from orange through near-white to blue around a
reference, so that colour-blind readers tell the ends apart; text carries what the colours say.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Final

WIDTH: Final = 400
X_COLOUR: Final = "#0072B2"
Y_COLOUR: Final = "#C4560B"
_STEP_COLOURS: Final = ("#0B5A9C", "#92C5DE", "#FDB863")
_ENDS: Final = ((179, 88, 6), (245, 241, 236), (11, 90, 156))
_GREY: Final = "#5B6770"
_LINE: Final = "#E4E8EB"


def _chart(height: float, title: str, parts: Sequence[str]) -> str:
    head = f'<svg viewBox="0 0 {WIDTH} {height:g}" role="img" xmlns="http://www.w3.org/2000/svg">'
    return "\n".join([head, f"<title>{escape(title)}</title>", *parts, "</svg>"])


def _text(
    x: float, y: float, text: str, *, anchor: str = "start", size: float = 11, fill: str = "#23282D", bold: bool = False
) -> str:
    weight = ' font-weight="600"' if bold else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size:g}" fill="{fill}"{weight}>'
        f"{escape(text)}</text>"
    )


def _rect(x: float, y: float, width: float, height: float, fill: str) -> str:
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(width, 0):.1f}" height="{height:.1f}" fill="{fill}"/>'


def _line(x: float, y: float, x2: float, y2: float, colour: str, width: float = 1, dash: str = "") -> str:
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    ends = f'x1="{x:.1f}" y1="{y:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
    return f'<line {ends} stroke="{colour}" stroke-width="{width:g}"{dashed}/>'


def forest(title: str, rows: Sequence[tuple[str, str, tuple[float, float, float] | None]], reference: float) -> str:
    """Draw a line for each row (label, shown, (low, value, high) or None) with its interval, and the reference.

    Values are shares of one, or any unit: the axis spans all of them and the reference.
    """
    numbers = [end for _, _, ends in rows if ends for end in ends]
    low, high = min([*numbers, reference]), max([*numbers, reference])
    span = (high - low) or 1.0
    low, high = low - 0.05 * span, high + 0.05 * span
    step, top = 34, 6
    bottom = top + step * len(rows)

    def at(value: float) -> float:
        return 6 + (WIDTH - 12) * (value - low) / (high - low)

    parts = []
    for number, (label, shown, ends) in enumerate(rows):
        y = top + step * number
        parts += [_text(4, y + 11, label, bold=True), _text(WIDTH - 4, y + 11, shown, anchor="end")]
        parts.append(_line(at(reference), y + 14, at(reference), y + 29, _GREY, 1, "3 3"))
        if ends is not None:
            colour = X_COLOUR if ends[1] >= reference else Y_COLOUR
            parts.append(_line(at(ends[0]), y + 21, at(ends[2]), y + 21, colour, 3))
            parts.append(f'<circle cx="{at(ends[1]):.1f}" cy="{y + 21}" r="4.5" fill="{colour}"/>')
        parts.append(_line(0, y + step - 3, WIDTH, y + step - 3, _LINE))
    mark = f"{100 * reference:g}%" if reference else "0"
    parts.append(_text(at(reference), bottom + 9, mark, anchor="middle", size=10, fill=_GREY))
    return _chart(bottom + 13, title, parts)


def heat_map(
    title: str,
    names: Sequence[str],
    cells: Mapping[tuple[int, int], tuple[str, float | None, str]],
    axes: tuple[str, str],
) -> str:
    """Draw a square grid: cells by (row, column) have a text, a share of one (None is grey) and a tooltip.

    axes: what goes down, what goes across. Rows run from the bottom up.
    """
    left, top = 34.0, 34.0
    size = (WIDTH - left - 4) / len(names)
    parts = [_text(0, 12, f"↑ {axes[0]}   → {axes[1]}", fill=_GREY)]
    for k, name in enumerate(names):
        parts.append(_text(left + size * (k + 0.5), top - 4, name, anchor="middle", size=10, fill=_GREY))
        y = top + size * (len(names) - k - 0.5) + 4
        parts.append(_text(left - 6, y, name, anchor="end", size=10, fill=_GREY))
    for (row, column), (text, share, tip) in sorted(cells.items()):
        x, y = left + size * column, top + size * (len(names) - 1 - row)
        fill = "#D9DDE1" if share is None else _between(share)
        dark = share is not None and abs(share - 0.5) > 0.36
        ink = "#FFFFFF" if dark else "#23282D"
        parts.append(
            f"<g><title>{escape(tip)}</title>{_rect(x, y, size - 1, size - 1, fill)}"
            f"{_text(x + size / 2, y + size / 2 + 3.5, text, anchor='middle', size=9.5, fill=ink)}</g>"
        )
    return _chart(top + size * len(names) + 4, title, parts)


def _between(share: float) -> str:
    first, second = (_ENDS[0], _ENDS[1]) if share < 0.5 else (_ENDS[1], _ENDS[2])
    part = share * 2 if share < 0.5 else share * 2 - 1
    return "#" + "".join(f"{round(a + (b - a) * part):02X}" for a, b in zip(first, second, strict=True))


def histogram(title: str, counts: Mapping[int, int], mean: float | None, mean_text: str) -> str:
    """Draw counts of a whole number as bars, with a line at the mean."""
    low, high = min(counts), max(counts)
    top, bottom = 22.0, 150.0
    width = (WIDTH - 16) / (high - low + 1)
    most = max(counts.values())
    parts = []
    for value, count in sorted(counts.items()):
        height = (bottom - top) * count / most
        x = 8 + width * (value - low)
        bar = _rect(x + 0.08 * width, bottom - height, 0.84 * width, height, X_COLOUR)
        parts.append(f"<g><title>{value}: {count:,}</title>{bar}</g>")
    every = max(1, -(-(high - low + 1) // 14))
    for value in range(low, high + 1, every):
        parts.append(_text(8 + width * (value - low + 0.5), bottom + 13, str(value), anchor="middle", fill=_GREY))
    if mean is not None:
        x = 8 + width * (mean - low + 0.5)
        parts.append(_line(x, top - 6, x, bottom, Y_COLOUR, 2))
        anchor = "end" if x > WIDTH / 2 else "start"
        parts.append(
            _text(x - 5 if anchor == "end" else x + 5, top - 8, mean_text, anchor=anchor, fill=Y_COLOUR, bold=True)
        )
    return _chart(bottom + 20, title, parts)


def bars(title: str, rows: Sequence[tuple[str, float | None, str, str]]) -> str:
    """Draw a bar for each row (label, share of one or None, shown, colour) on one scale from 0 to 1."""
    step, parts = 30, []
    for number, (label, share, shown, colour) in enumerate(rows):
        y = step * number
        parts += [_text(4, y + 11, label), _text(WIDTH - 4, y + 11, shown, anchor="end")]
        parts.append(_rect(4, y + 15, WIDTH - 8, 8, "#ECEFF1"))
        if share is not None:
            parts.append(_rect(4, y + 15, (WIDTH - 8) * share, 8, colour))
    return _chart(step * len(rows) + 2, title, parts)


def stacked(title: str, legend: Sequence[str], rows: Sequence[tuple[str, Sequence[float], str]]) -> str:
    """Draw each row (label, shares that add up to one, shown) as one bar split into the parts of the legend."""
    parts, x = [], 4.0
    for name, colour in zip(legend, _STEP_COLOURS, strict=False):
        parts += [_rect(x, 3, 9, 9, colour), _text(x + 13, 11, name, size=10)]
        x += WIDTH / len(legend)
    step, top = 30, 22
    for number, (label, shares, shown) in enumerate(rows):
        y = top + step * number
        parts += [_text(4, y + 9, label), _text(WIDTH - 4, y + 9, shown, anchor="end", fill=_GREY)]
        at = 4.0
        for share, colour in zip(shares, _STEP_COLOURS, strict=False):
            parts.append(_rect(at, y + 13, (WIDTH - 8) * share, 10, colour))
            at += (WIDTH - 8) * share
    return _chart(top + step * len(rows) + 2, title, parts)
