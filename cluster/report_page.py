"""Write reports, comparisons and scorecards of runs for a terminal, as JSON, or as one HTML file."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from cluster.columns import table
from cluster.texts import Texts
from sim import comparing, report, report_words, run_file, scorecard, sheets
from sim.errors import Language, SimError
from sim.league import League
from sim.measures import MEASURES
from sim.places import Where, as_place
from sim.promotion import LEVELS, LevelCell, level_word
from sim.report import MatchUp, Report
from sim.scorecard import Card
from sim.sheets import Sheet
from sim.stats import NotEstimable

_NUMBERS = frozenset({1, 2, 3, 4})


def write(t: Texts, folder: Where, match_up: int | None, as_json: bool, html: str | None) -> int:
    """Write the report of a run; with `html` into that file, whose path is then printed."""
    made = report.build(folder, t.language, match_up)
    if as_json:
        print(json.dumps(report.as_values(made), ensure_ascii=False))
    if html is not None:
        from cluster import report_html

        path = Path(html)
        as_place(path.parent).publish(path.name, report_html.page(made).encode())
        if not as_json:
            print(t("report_at", path=path))
    elif not as_json:
        print(as_text(made), end="")
    return 0


def as_text(made: Report) -> str:
    """Lay a report out for a terminal."""
    parts = [f"{report_words.word('report', made.language)} {made.run.id}"]
    if made.claims is not None and len(made.match_ups) > 1:
        parts.append(sheet_text(made.claims, made.language))
        parts += [league_text(each, made.language) for each in made.leagues]
    parts += [match_up_text(each, made.language) for each in made.match_ups]
    if made.cards:
        parts.append(cards_text(made.cards, made.language))
    parts.append(report_words.word("readings", made.language))
    parts.append(report.made_from(made.run, made.language))
    return "\n\n".join(parts) + "\n"


def match_up_text(each: MatchUp, language: Language) -> str:
    """Write one match-up: the verdict, then its sheets; grids for what is by level."""
    parts = [f"== {each.number} · {each.title} · {each.head.rules} ==", each.verdict]
    for sheet in each.sheets:
        if sheet.name == "level_map":
            parts.append(f"{sheet.title}\n{map_text(each.levels)}")
        elif sheet.name == "steps":
            shown = tuple(entry for entry in sheet.entries if " all " in entry.key)
            parts.append(sheet_text(Sheet(sheet.name, sheet.title, shown, sheet.remark), language))
        else:
            parts.append(sheet_text(sheet, language))
    return "\n\n".join(parts)


def sheet_text(sheet: Sheet, language: Language) -> str:
    """Write a sheet as a table under its title."""
    lines = [sheet.title]
    if sheet.entries:
        rows = [sheets.heads(language), *(sheets.row(entry, language) for entry in sheet.entries)]
        lines.append(table([tuple(row) for row in rows], _NUMBERS))
    if sheet.remark:
        lines.append(sheet.remark)
    return "\n".join(lines)


def map_text(cells: Sequence[LevelCell]) -> str:
    """Write the level map as a grid of whole per cents, x down and y across; a dot where there are too few pairs."""
    known = {(cell.x, cell.y): whole_percent(cell) for cell in cells}
    rows = [("x\\y", *map(level_word, LEVELS), "")]
    rows += [(level_word(x), *(known.get((x, y), "") for y in LEVELS), "") for x in LEVELS]
    return table(rows, frozenset(range(1, len(LEVELS) + 1)))


def whole_percent(cell: LevelCell) -> str:
    """Write the match score of a cell of the level map in whole per cents."""
    return "·" if isinstance(cell.figure, NotEstimable) else f"{100 * cell.figure.value:.0f}"


def league_text(found: League, language: Language) -> str:
    """Write ratings, the test of fit and the differences."""
    lines = [report_words.word("ratings", language, rules=found.rules)]
    if found.standings:
        heads = report_words.word("rating_heads", language).split("|")
        lines.append(table([(*heads, ""), *((*each.cells(), "") for each in found.standings)], frozenset({1})))
        lines.append(report_words.word("ratings_remark", language))
    lines.append(found.fit)
    if found.differences.entries:
        lines += ["", sheet_text(found.differences, language)]
    return "\n".join(lines)


def cards_text(cards: Sequence[Card], language: Language) -> str:
    """Write scorecards, a table each."""
    parts = []
    for card in cards:
        rows = [scorecard.heads(language), *scorecard.rows(card, language)]
        parts.append(f"{scorecard.title(card, language)}\n{table(rows)}")
    return "\n\n".join([*parts, report_words.word("card_remark", language)])


def compare(t: Texts, places: Sequence[str], measures: Sequence[str], as_json: bool) -> int:
    """Compare match-ups on their common pairs."""
    for name in measures:
        if name not in (*MEASURES, "all"):
            raise SimError("measure_unknown", value=name, known=" ".join(("all", *MEASURES)))
    names = tuple(MEASURES) if "all" in measures else tuple(dict.fromkeys(measures)) or comparing.USUAL
    found = comparing.compare(comparing.places(places), names)
    written = comparing.as_sheets(found, t.language)
    if as_json:
        print(json.dumps([sheets.as_values(sheet) for sheet in written], ensure_ascii=False))
    else:
        print("\n\n".join(sheet_text(sheet, t.language) for sheet in written))
    return 0


def card(t: Texts, folder: Where, reference: str | None, as_json: bool) -> int:
    """Write the scorecards of a run."""
    found = scorecard.cards(run_file.load(folder), reference)
    if as_json:
        print(json.dumps(scorecard.as_values(found), ensure_ascii=False))
    else:
        print(cards_text(found, t.language))
    return 0
