"""Write a report as one HTML file: inline style and inline SVG, nothing from elsewhere, no script."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Final

from cluster import svg
from cluster.report_page import whole_percent
from sim import glossary, report, report_words, scorecard, sheets
from sim.errors import Language
from sim.figures import SIDES, STEPS, Figure
from sim.league import League
from sim.promotion import LEVELS, level_word
from sim.report import MatchUp, Report
from sim.sheets import Entry, Sheet
from sim.stats import Estimate

STYLE: Final = """
:root { color-scheme: light }
body { font: 15px/1.5 system-ui, "Noto Sans CJK SC", "PingFang SC", "Microsoft YaHei", sans-serif; color: #23282D;
  margin: 0 auto; max-width: 1080px; padding: 12px 16px }
h1 { font-size: 1.4em } h2 { font-size: 1.2em; border-top: 2px solid #E4E8EB; padding-top: 14px; margin-top: 28px }
h3 { font-size: 1em; margin: 18px 0 4px }
.verdict { background: #EEF4F9; border-left: 4px solid #0072B2; padding: 8px 12px }
.verdict.warn { background: #FBEDE4; border-left-color: #B3420B; font-weight: 600 }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(340px, 100%), 1fr)); gap: 8px 28px }
figure { margin: 0; break-inside: avoid } figcaption { font-weight: 600; margin: 10px 0 2px }
svg { width: 100%; max-width: 560px; height: auto }
.wide { overflow-x: auto }
table { border-collapse: collapse; font-size: 13px }
th, td { padding: 2px 10px 2px 0; text-align: left; vertical-align: top }
th { color: #5B6770; font-weight: normal } tr + tr td { border-top: 1px solid #ECEFF1 }
td.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums }
tr.pale td { color: #8A949C }
pre { background: #F5F6F7; padding: 8px; overflow-x: auto; font-size: 12px }
.small { color: #5B6770; font-size: 13px }
nav a { margin-right: 14px } summary { cursor: pointer; color: #0072B2; margin-top: 14px }
@media print { body { max-width: none; font-size: 11px } nav { display: none } h2 { break-before: page }
  table { font-size: 9.5px }
  .wide, pre { overflow: visible } pre { white-space: pre-wrap } }
"""

_NUMBERS: Final = range(1, 5)


def page(made: Report) -> str:
    """Write the whole file."""
    language = made.language
    title = f"{report_words.word('report', language)} {made.run.id}"
    body = [f"<h1>{escape(title)}</h1>", _small(report.made_from(made.run, language))]
    if made.claims is not None and len(made.match_ups) > 1:
        body.append(_contents(made.match_ups))
        body.append(_chart(report_words.word("forest", language), _forest(made.claims, language, made.match_ups)))
        body.append(_sheet(made.claims, language))
    if len(made.match_ups) > 1:
        body += [_league(each, language) for each in made.leagues]
    body += [_match_up(each, made) for each in made.match_ups]
    if made.cards:
        body.append(f"<h2>{escape(report_words.word('scorecard', language))}</h2>")
        body.append(_small(report_words.word("card_remark", language)))
        for card in made.cards:
            body.append(f"<h3>{escape(scorecard.title(card, language))}</h3>")
            body.append(_table([scorecard.heads(language), *scorecard.rows(card, language)], range(1, 4)))
    body.append(_small(report_words.word("readings", language)))
    tag = "zh-CN" if language == "zh" else "en"
    head = (
        f'<!doctype html>\n<html lang="{tag}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{escape(title)}</title>\n'
        f"<style>{STYLE}</style>\n</head>\n<body>\n"
    )
    return head + "\n".join(body) + "\n</body>\n</html>\n"


def _contents(match_ups: Sequence[MatchUp]) -> str:
    links = (f'<a href="#m{each.number}">{escape(_name(each))}</a>' for each in match_ups)
    return f"<nav>{' '.join(links)}</nav>"


def _name(each: MatchUp) -> str:
    return f"{each.number} · {each.title} · {each.head.rules}"


def _match_up(each: MatchUp, made: Report) -> str:
    language = made.language
    warn = " warn" if each.alarming else ""
    parts = [
        f'<h2 id="m{each.number}">{escape(_name(each))}</h2>',
        f'<p class="verdict{warn}">{escape(each.verdict)}</p>',
        '<div class="charts">',
        *(_chart(title, drawn) for title, drawn in charts(each, language)),
        "</div>",
    ]
    for sheet in each.sheets:
        written = _sheet(sheet, language)
        if sheet.name in ("steps", "level_map"):
            written = f"<details><summary>{escape(sheet.title)}</summary>{written}</details>"
        parts.append(written)
    parts.append(f"<details><summary>{escape(report_words.word('paste', language))}</summary>")
    parts.append(f"<pre>{escape(report.paste(each, made.run, language))}</pre></details>")
    return "\n".join(parts)


def charts(each: MatchUp, language: Language) -> list[tuple[str, str]]:
    """Draw the charts of a match-up that have something to show: title and SVG."""
    found: list[tuple[str, str]] = []
    score = each.sheet("score")
    even = 0.5 if each.head.score.boards is None else 0.0
    title = score.title
    rows = [
        _row(entry, language) for entry in score.entries if entry.key.startswith("score") or entry.key == "deal_win"
    ]
    found.append((title, svg.forest(title, rows if even else rows[:1], even)))
    if each.levels:
        found.append((each.sheet("level_map").title, _level_map(each, language)))
    if each.lengths:
        title, deals = report_words.word("length_chart", language), each.head.length.deals
        mean = deals.value if isinstance(deals, Estimate) else None
        found.append((title, svg.histogram(title, each.lengths, mean, glossary.mean(deals, language))))
    entries = sheets.by_key(each.sheets)
    if any(key.startswith("a_reached") for key in entries):
        title = report_words.word("funnel", language)
        found.append((title, _funnel(title, entries, language)))
    if any(key.startswith("steps") for key in entries):
        title = report_words.word("steps_chart", language)
        found.append((title, _steps(title, entries, each, language)))
    return found


def _row(entry: Entry, language: Language) -> tuple[str, str, tuple[float, float, float] | None]:
    shown = f"{sheets.value(entry, language)} {sheets.interval(entry)}".rstrip()
    return entry.label, shown, _ends(entry.figure)


def _ends(figure: Figure) -> tuple[float, float, float] | None:
    return (figure.lo, figure.value, figure.hi) if isinstance(figure, Estimate) else None


def _forest(claims: Sheet, language: Language, match_ups: Sequence[MatchUp]) -> str:
    boards = all(each.head.score.boards is not None for each in match_ups)
    return svg.forest(claims.title, [_row(entry, language) for entry in claims.entries], 0.0 if boards else 0.5)


def _level_map(each: MatchUp, language: Language) -> str:
    lines = sheets.by_key([each.sheet("level_map")])
    cells = {}
    for cell in each.levels:
        entry = lines[f"level_map {cell.x} {cell.y}"]
        share = cell.figure.value if isinstance(cell.figure, Estimate) else None
        tip = " · ".join(text for text in sheets.row(entry, language) if text)
        cells[LEVELS.index(cell.x), LEVELS.index(cell.y)] = (whole_percent(cell), share, tip)
    names = glossary.side_names(each.head.x, each.head.y)
    return svg.heat_map(each.sheet("level_map").title, [level_word(k) for k in LEVELS], cells, (names["x"], names["y"]))


def _funnel(title: str, entries: Mapping[str, Entry], language: Language) -> str:
    rows = []
    for side, colour in zip(SIDES, (svg.X_COLOUR, svg.Y_COLOUR), strict=True):
        for number in ("1", "2", "3"):
            for key in (f"a_reached {side} {number}", f"a_try {side} {number} passed"):
                entry = entries.get(key)
                if entry is not None:
                    label, shown, ends = _row(entry, language)
                    faint = colour if key.startswith("a_reached") else "#8A949C"
                    rows.append((label, None if ends is None else ends[1], shown, faint))
    return svg.bars(title, rows)


def _steps(title: str, entries: Mapping[str, Entry], each: MatchUp, language: Language) -> str:
    names, rows = glossary.side_names(each.head.x, each.head.y), []
    for side in SIDES:
        for level in ("all", *map(str, LEVELS)):
            own = [entries.get(f"steps {side} {level} {step}") for step in STEPS]
            figures = [entry.figure for entry in own if entry is not None]
            values = [figure.value for figure in figures if isinstance(figure, Estimate)]
            if len(values) == len(STEPS) and own[0] is not None:
                word = "all_levels" if level == "all" else "at"
                played = report_words.word(word, language, level="" if level == "all" else level_word(int(level)))
                shown = " / ".join(sheets.value(entry, language) for entry in own if entry is not None)
                rows.append((f"{names[side]} · {played}", values, shown))
    return svg.stacked(title, [glossary.word(f"steps_{step}", language) for step in STEPS], rows)


def _chart(title: str, drawn: str) -> str:
    return f"<figure><figcaption>{escape(title)}</figcaption>\n{drawn}\n</figure>"


def _sheet(sheet: Sheet, language: Language) -> str:
    parts = [f"<h3>{escape(sheet.title)}</h3>"]
    if sheet.entries:
        rows = [sheets.heads(language), *(sheets.row(entry, language) for entry in sheet.entries)]
        parts.append(_table(rows, _NUMBERS, sheet.entries))
    if sheet.remark:
        parts.append(_small(sheet.remark))
    return "\n".join(parts)


def _league(found: League, language: Language) -> str:
    parts = [f"<h2>{escape(report_words.word('ratings', language, rules=found.rules))}</h2>"]
    if found.standings:
        heads = tuple(report_words.word("rating_heads", language).split("|"))
        parts.append(_table([heads, *(each.cells() for each in found.standings)], range(1, 3)))
        parts.append(_small(report_words.word("ratings_remark", language)))
    parts.append(f"<p>{escape(found.fit)}</p>")
    if found.differences.entries:
        parts.append(_sheet(found.differences, language))
    return "\n".join(parts)


def _table(rows: Sequence[Sequence[str]], numbers: Sequence[int], entries: Sequence[Entry] = ()) -> str:
    lines = ['<div class="wide"><table>']
    for number, row in enumerate(rows):
        tag = "td" if number else "th"
        cells = []
        for k, text in enumerate(row):
            right = ' class="number"' if number and k in numbers else ""
            cells.append(f"<{tag}{right}>{escape(text)}</{tag}>")
        about = ""
        if number and entries:
            entry = entries[number - 1]
            about = f' data-key="{escape(entry.key)}"' + (' class="pale"' if entry.pale else "")
        lines.append(f"<tr{about}>{''.join(cells)}</tr>")
    return "\n".join([*lines, "</table></div>"])


def _small(text: str) -> str:
    return f'<p class="small">{escape(text)}</p>'
