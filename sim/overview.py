"""Lay the match-ups of a run beside each other: a line each, every rate with its n and its interval."""

from __future__ import annotations

from dataclasses import dataclass

from sim import figures, glossary
from sim.errors import Language
from sim.figures import Figure
from sim.run_file import Run


@dataclass(frozen=True, slots=True)
class Line:
    """Hold the headline of one match-up.

    match: score of x in matches, or in levels where boards are played; levels: a deal, positive for x; deals: a match;
    x_passed, y_passed: tries at the own A that passed.
    """

    number: int
    x: str
    y: str
    rules: str
    pairs: int
    asked_pairs: int
    boards: bool
    match: Figure
    levels: Figure
    deals: Figure
    x_passed: Figure
    y_passed: Figure


def lines(run: Run) -> list[Line]:
    """Compute the line of each match-up. Raises `SimError` as `figures.headline` does."""
    found = []
    for number in range(len(run.requests)):
        head = figures.headline(run.folder, number)
        passed = [head.pass_a[side].results["passed"] for side in figures.SIDES]
        boards = head.score.boards
        found.append(
            Line(
                number,
                head.x,
                head.y,
                head.rules,
                head.pairs,
                head.asked_pairs,
                boards is not None,
                head.score.match if boards is None else boards.score,
                head.score.signed_steps,
                head.length.deals,
                *passed,
            )
        )
    return found


def as_text(rows: list[Line], language: Language) -> str:
    """Write the lines as a table for a terminal."""

    def word(key: str) -> str:
        return glossary.word(key, language)

    def rate(figure: Figure) -> str:
        return f"{glossary.rate(figure, language)} {glossary.rate_interval(figure)}".rstrip()

    def mean(figure: Figure) -> str:
        return f"{glossary.mean(figure, language)} {glossary.mean_interval(figure)}".rstrip()

    passed = f"{word('pass_a')}: "
    heads = ["#", "x", "y", *map(word, ("rules", "pair", "score", "signed_steps", "deals_per_match"))]
    table = [[*heads, f"{passed}x", f"{passed}y"]]
    for row in rows:
        score = mean(row.match) if row.boards else rate(row.match)
        cells = [str(row.number), row.x, row.y, row.rules, glossary.whole(row.pairs), score]
        table.append([*cells, mean(row.levels), mean(row.deals), rate(row.x_passed), rate(row.y_passed)])
    widths = [max(figures.display_width(row[k]) for row in table) for k in range(len(table[0]))]
    padded = (
        "  ".join(
            cell + " " * (width - figures.display_width(cell)) for cell, width in zip(row, widths, strict=True)
        ).rstrip()
        for row in table
    )
    return "\n".join([*padded, word("intervals")])
