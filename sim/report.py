"""Put a run into a report: for each match-up a verdict, sheets of figures and what charts are drawn from.

Nothing is written here; text, HTML and JSON are other modules' affair, and all write the same lines.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from sim import (
    figures,
    glossary,
    league,
    pass_a,
    promotion,
    run_file,
    scorecard,
    sheets,
    tribute_figures,
    verdict,
)
from sim.cube_sums import CubeSums
from sim.errors import Language
from sim.figures import Headline
from sim.league import League
from sim.measures import Counted
from sim.places import Where
from sim.promotion import LevelCell
from sim.reading import Tables, open_tables, snapshot
from sim.report_words import word
from sim.scorecard import Card
from sim.sheets import Entry, Reading, Sheet
from sim.verdict import Finding

_TRIBUTE_READING: Final[dict[str, Reading]] = {"refusal": "exogenous", "next_win": "endogenous"}


@dataclass(frozen=True, slots=True)
class MatchUp:
    """Hold the report of one match-up. levels: cells of the level map; lengths: matches by number of deals."""

    number: int
    head: Headline
    finding: Finding
    verdict: str
    sheets: tuple[Sheet, ...]
    levels: tuple[LevelCell, ...]
    lengths: dict[int, int]

    @property
    def alarming(self) -> bool:
        """Tell whether faults forbid a verdict."""
        return self.finding.state in ("invalid", "contaminated")

    @property
    def title(self) -> str:
        """Name the match-up by its sides."""
        return " – ".join(glossary.side_names(self.head.x, self.head.y).values())

    def sheet(self, name: str) -> Sheet:
        """Find a sheet by its name; `KeyError` for one that a match-up of this kind does not have."""
        return {sheet.name: sheet for sheet in self.sheets}[name]


@dataclass(frozen=True, slots=True)
class Report:
    """Hold the report of a run in one language; `claims` is None for a run of a single match-up.

    Claims and leagues are those of the whole run, whether all of its match-ups are in `match_ups` or one.
    """

    run: run_file.Run
    language: Language
    match_ups: tuple[MatchUp, ...]
    claims: Sheet | None
    leagues: tuple[League, ...]
    cards: tuple[Card, ...]


def build(folder: Where, language: Language, match_up: int | None = None) -> Report:
    """Make the report of a run, or of one of its match-ups; claims are adjusted over the whole run either way.

    Raises `SimError` for a folder that is no run, damaged files, or a match-up that is not there.
    """
    run = run_file.load(folder)
    if match_up is not None:
        run.at(match_up)
    numbers = range(len(run.requests))
    read = [read_match_up(run.at(number), language, whole=match_up in (None, number)) for number in numbers]
    heads = [each.head for each in read]
    found = league.in_family([each.finding for each in read], heads, run.aims.family)
    several = len(read) > 1
    judged = tuple(judge(each, finding, language) for each, finding in zip(read, found, strict=True))
    claims = league.claims_sheet(found, heads, run.aims.family, language) if several else None
    varied = len({request.rules for request in run.requests}) > 1 and all(head.pairs for head in heads)
    return Report(
        run,
        language,
        judged if match_up is None else (judged[match_up],),
        claims,
        tuple(league.leagues(heads, run.aims.family, language)),
        tuple(scorecard.cards(run)) if varied and match_up is None else (),
    )


def judge(read: MatchUp, finding: Finding, language: Language) -> MatchUp:
    """Put a match-up into its family: the verdict follows from the adjusted p."""
    return replace(read, finding=finding, verdict=verdict.sentence(finding, read.head, language))


def read_match_up(run: run_file.Run, language: Language, *, whole: bool = True) -> MatchUp:
    """Read the match-up that a run looks at, by itself; without `whole` its scores alone."""
    taken = snapshot(run.folder, run.match_up)
    with open_tables(taken) as tables:
        head = figures.headline_in(tables, run)
        counted, cubes = Counted(tables, boards=head.score.boards is not None), CubeSums(tables)
        finding = verdict.find(tables, cubes, run, head)
        made = [verdict.sheet(finding, head, language)]
        levels: list[LevelCell] = []
        if whole:
            made.append(tribute_sheet(tables, head, language))
            made.append(pass_a.sheet(counted, cubes, head, language))
            made.append(promotion.steps_sheet(cubes, head, language))
        if whole and head.score.boards is None:
            model = figures.level_model(head)
            levels = promotion.level_map(counted, cubes, model)
            made.append(promotion.map_sheet(levels, head, language))
            made.append(promotion.flow_sheet(counted, cubes, head, model, language))
            made.append(promotion.length_sheet(counted, cubes, head, language))
        lengths = cubes.histogram("length") if head.score.boards is None else {}
    said = verdict.sentence(finding, head, language)
    return MatchUp(run.match_up, head, finding, said, tuple(made), tuple(levels), lengths)


def tribute_sheet(tables: Tables, head: Headline, language: Language) -> Sheet:
    """Give refusals beside what counting the deck says, wins of the side that receives, kinds, cards, and what follows.

    What tribute is worth is asked of a study (sim.tribute_value): a run has associations only.
    """
    entries = []
    for kind, figure in head.tribute.refusal.items():
        exact = head.tribute.expected.get(kind)
        note = "" if exact is None else f"{glossary.word('exact', language)} {glossary.percent(exact, 2)}"
        label = glossary.word(f"refusal_{kind}", language)
        entries.append(Entry(f"refusal {kind}", label, figure, "rate", "deal", _TRIBUTE_READING["refusal"], note))
    for kind, figure in head.tribute.next_win.items():
        label = f"{glossary.word('next_win', language)} · {glossary.word(kind, language)}"
        entries.append(Entry(f"next_win {kind}", label, figure, "rate", "deal", _TRIBUTE_READING["next_win"]))
    kept = tables.snapshot.has("deals")
    if kept:
        kinds, cards = tribute_figures.kind_lines, tribute_figures.card_lines
        entries += _tribute_entries("kind", kinds(tables, language), language)
        entries += _tribute_entries("card", cards(tables, head.played, language), language)
        entries += _tribute_entries("after", tribute_figures.effect_lines(tables, language), language)
    remark = "" if kept else word("no_deals", language)
    return Sheet("tribute", glossary.word("tribute", language), tuple(entries), remark)


def _tribute_entries(name: str, lines: Sequence[tribute_figures.Line], language: Language) -> list[Entry]:
    """Turn lines of tribute with something to show into those of a sheet; the last two of an effect are differences."""
    entries = []
    group = len(tribute_figures.EFFECT_KINDS) + 2
    for number, line in enumerate(lines):
        share, differs = line.unit != "levels", name == "after" and number % group >= group - 2
        form: sheets.Form = ("gap" if share else "mean_gap") if differs else "rate" if share else "mean"
        note = "" if line.exact is None else f"{glossary.word('exact', language)} {glossary.percent(line.exact, 2)}"
        if line.figure.events:
            entries.append(Entry(f"{name} {number}", line.label, line.figure, form, "deal", line.kind, note))
    return entries


def paste(match_up: MatchUp, run: run_file.Run, language: Language) -> str:
    """Write what can be pasted into a message: the verdict, the headline figures, and what they were made from."""
    return f"{match_up.verdict}\n\n{figures.as_text(match_up.head, language)}{made_from(run, language)}\n"


def made_from(run: run_file.Run, language: Language) -> str:
    """Say what the figures were made from, and the command that writes them again."""
    code = run.code.get("engine", "")[:12]
    command = f"guandan report {run.folder}"
    return word("made", language, run=run.id, seed=run.requests[0].seed, code=code, command=command)


def as_values(report: Report) -> dict[str, Any]:
    """Give a report as JSON values, numbers unrounded."""
    return {
        "run": report.run.id,
        "seed": report.run.requests[0].seed,
        "family": report.run.aims.family,
        "claims": None if report.claims is None else sheets.as_values(report.claims),
        "leagues": [_league_values(each) for each in report.leagues],
        "scorecards": scorecard.as_values(report.cards),
        "match_ups": [_match_up_values(each) for each in report.match_ups],
    }


def _league_values(found: League) -> dict[str, Any]:
    return {
        "rules": found.rules,
        "standings": [
            {"strategy": each.name, "elo": each.elo, "bound": each.bound, "ranks": [each.first, each.last]}
            for each in found.standings
        ],
        "differences": sheets.as_values(found.differences),
        "fit": found.fit,
        "groups": found.groups,
    }


def _match_up_values(each: MatchUp) -> dict[str, Any]:
    head = each.head
    return {
        "number": each.number,
        "x": head.x,
        "y": head.y,
        "rules": head.rules,
        "pairs": head.pairs,
        "matches": head.matches,
        "deals": head.deals,
        "state": each.finding.state,
        "adjusted_p": each.finding.p,
        "verdict": each.verdict,
        "sheets": [sheets.as_values(sheet) for sheet in each.sheets],
        "lengths": each.lengths,
    }
