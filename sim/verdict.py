"""Say what a match-up allows to say: the scores with and without faults, the test that was asked for, one sentence.

Three scores where strategies failed: as played; over pairs without a fault; and the worst for x, in which its faulty
legs are lost and pairs in which y alone failed are dropped. Faults depend on how a deal goes, so leaving them out is a
choice; hence all three. Where a side forfeited legs, and the rate may exceed a tenth of a per cent, the result is
contaminated, above one per cent invalid, and there is no verdict.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from sim import glossary, run_file, store
from sim.cube_sums import CubeSums
from sim.errors import Language
from sim.figures import SIDES, Figure, Headline
from sim.looks import sequential_test
from sim.reading import Tables
from sim.report_words import word
from sim.sheets import Entry, Form, Sheet
from sim.stats import (
    AfterStop,
    Estimate,
    FaultyPair,
    Interval,
    NotEstimable,
    SequentialTest,
    Verdict,
    clopper_pearson,
    confidence_sequence,
    enough,
    estimate_after_stop,
    soundness,
    three_scores,
)

ALPHA: Final = 0.05

State = Literal[
    "no_blocks",
    "same",
    "few",
    "alike",
    "invalid",
    "contaminated",
    "accepted",
    "rejected",
    "inconclusive",
    "undecided",
    "live",
    "ahead",
    "behind",
    "family",
    "open",
]
"""Nothing played; one strategy on both sides; too few pairs; all pairs alike; too many forfeits (two degrees); the four
states of a test; not all pairs played; x ahead, or behind; so by itself but not in its family; neither."""

_FAULTY: Final = """
with flags as (
    select pair, bool_or(side = 'x' and leg = 1) as one, bool_or(side = 'x' and leg = 2) as two,
           bool_or(side = 'y') as by_y
    from faults group by pair)
select x_half_points_1, x_half_points_2, coalesce(one, false), coalesce(two, false), coalesce(by_y, false), count(*)
from pairs left join flags using (pair) where legs = 2 group by all order by all
"""


_WITHOUT_SCORE: Final[Mapping[str, State]] = {"same_strategy": "same", "no_variation": "alike"}


@dataclass(frozen=True, slots=True)
class Fault:
    """Count what a side failed: legs forfeited of those played, with Clopper-Pearson's interval; faulty deals."""

    deals: int
    forfeits: int
    legs: int
    interval: Interval | None


@dataclass(frozen=True, slots=True)
class Tested:
    """Hold a sequential test at its last look: verdict, official counts by cell, what follows for the score."""

    test: SequentialTest
    verdict: Verdict
    after: AfterStop | NotEstimable


@dataclass(frozen=True, slots=True)
class Finding:
    """Hold what a match-up allows to say. `clean` and `worst` are None where nobody failed; `p` is that of its family.

    score: with the interval that may be read now: any time for a run that goes on, else Student's.
    """

    state: State
    score: Figure
    clean: Figure | None
    worst: Figure | None
    faults: dict[str, Fault]
    tested: Tested | None
    live: bool
    p: float | None


def find(tables: Tables, cubes: CubeSums, run: run_file.Run, head: Headline) -> Finding:
    """Find what a match-up says by itself; `in_family` puts it among the others of its run."""
    tested = _tested(run)
    faults = _faults(tables, cubes)
    failed = any(fault.deals for fault in faults.values())
    ended = tested is not None and tested.verdict.state in ("accepted", "rejected", "inconclusive")
    live = head.pairs < head.asked_pairs and not ended
    clean = worst = None
    if failed and head.score.boards is None and not isinstance(head.score.match, NotEstimable):
        found = three_scores({FaultyPair(*pair): count for *pair, count in tables.rows(_FAULTY)})
        clean, worst = enough(found.clean.score), enough(found.worst.score)
    score = _score(head, live=live)
    return Finding(_state(head, score, faults, tested, live=live), score, clean, worst, faults, tested, live, None)


def _score(head: Headline, *, live: bool) -> Figure:
    plain = head.score.match if head.score.boards is None else head.score.boards.score
    if not live or isinstance(plain, NotEstimable) or head.score.boards is not None:
        return plain
    cells = list(head.score.duplicate.cells.values())  # low to high, in quarters of a point
    total = sum(k * count for k, count in enumerate(cells))
    squares = sum(k * k * count for k, count in enumerate(cells))
    found = enough(confidence_sequence(sum(cells), total, squares, head.asked_pairs, scale=4))
    if isinstance(found, NotEstimable):
        return found
    return Estimate(found.value, max(0.0, found.lo), min(1.0, found.hi), found.se, found.units, found.events)


def _state(head: Headline, score: Figure, faults: dict[str, Fault], tested: Tested | None, *, live: bool) -> State:
    if not head.pairs:
        return "no_blocks"
    sound = [soundness(fault.forfeits, fault.legs) for fault in faults.values()]
    if "invalid" in sound:
        return "invalid"
    if "contaminated" in sound:
        return "contaminated"
    if tested is not None:
        return tested.verdict.state
    if isinstance(score, NotEstimable):
        return _WITHOUT_SCORE.get(score.reason, "few")
    even = 0.5 if head.score.boards is None else 0.0
    if live:
        return "live"
    return "ahead" if score.lo > even else "behind" if score.hi < even else "open"


def _faults(tables: Tables, cubes: CubeSums) -> dict[str, Fault]:
    deals = dict(tables.rows("select side, count(*) from faults group by side"))
    found: dict[str, Fault] = {}
    for side in SIDES:
        sums = cubes.parts("forfeit").get("all", {}).get(side)
        forfeits = 0 if sums is None else sums.y
        interval = clopper_pearson(forfeits, cubes.matches)
        shown = None if isinstance(interval, NotEstimable) else interval
        found[side] = Fault(deals.get(side, 0), forfeits, cubes.matches, shown)
    return found


def _tested(run: run_file.Run) -> Tested | None:
    """Judge the contiguous looks of a match-up, as the run itself does."""
    if run.request.test is None:
        return None
    test = sequential_test(run.request)
    looks = {
        record.block.number: record.looks
        for record in store.records(run.folder)
        if record.block.match_up == run.match_up
    }
    cells: list[tuple[int, ...]] = []
    for number in range(len(looks)):
        if number not in looks:
            break
        cells += [tuple(look) for look in looks[number]]
    verdict = test.verdict(cells)
    if verdict.look is None:
        return Tested(test, verdict, NotEstimable("no_data"))
    counted = [sum(column) for column in zip(*cells[: verdict.look + 1], strict=True)]
    return Tested(test, verdict, estimate_after_stop(counted, test))


def sheet(finding: Finding, head: Headline, language: Language) -> Sheet:
    """Give the scores, what pairing gained, and the faults where there are some."""
    names, boards = glossary.side_names(head.x, head.y), head.score.boards
    legs = head.score.duplicate if boards is None else boards
    notes = [word("any_time", language)] if finding.live else []
    for name, number in (("gain", legs.gain), ("rho", legs.rho)):
        if not isinstance(number, NotEstimable):
            notes.append(f"{glossary.word(name, language)} {number:.2f}")
    note = " · ".join(notes)
    x = names["x"]
    form: Form = "rate" if boards is None else "mean"
    unit = "pair"
    title = f"{glossary.word('score' if boards is None else 'board_score', language)} · {x}"
    entries = [Entry("score", _all(finding, language), finding.score, form, unit, "exogenous", note)]
    if finding.tested is not None and finding.tested.verdict.look is not None:
        after = finding.tested.after
        figure: Figure = NotEstimable("no_data")
        if isinstance(after, AfterStop):
            pairs = finding.tested.verdict.pairs
            figure = Estimate(after.score, after.ends.lo, after.ends.hi, float("nan"), pairs, pairs)
        entries.append(Entry("score_after_stop", word("after_stop", language), figure, form, unit, "exogenous"))
    for name, figure_or_none in (("clean", finding.clean), ("worst", finding.worst)):
        if figure_or_none is not None:
            label = word(f"score_{name}", language)
            entries.append(Entry(f"score_{name}", label, figure_or_none, "rate", "pair", "endogenous"))
    deal_unit = "deal" if boards is None else "board"
    entries.append(
        Entry("deal_win", glossary.word("deal_win", language), head.score.deal_win, "rate", deal_unit, "exogenous")
    )
    if boards is None:
        signed = head.score.signed_steps
        entries.append(
            Entry("signed_steps", glossary.word("signed_steps", language), signed, "mean", "deal", "exogenous")
        )
    seat = head.score.seat if boards is None else boards.seat
    seat_form: Form = "gap" if boards is None else "mean_gap"
    entries.append(Entry("seat", glossary.word("seat", language), seat, seat_form, "pair", "exogenous"))
    entries += _fault_entries(finding, names, language)
    return Sheet("score", title, tuple(entries), _cells(head, language))


def _all(finding: Finding, language: Language) -> str:
    plain = glossary.word("score", language)
    return word("score_all", language) if finding.clean is not None else plain


def _cells(head: Headline, language: Language) -> str:
    cells = head.score.duplicate.cells
    if head.score.boards is not None or not sum(cells.values()):
        return ""
    return f"{word('cells', language)} " + " · ".join(f"{name} {glossary.whole(n)}" for name, n in cells.items() if n)


def _fault_entries(finding: Finding, names: dict[str, str], language: Language) -> list[Entry]:
    entries = []
    for side, fault in finding.faults.items():
        if fault.deals and fault.interval is not None:
            rate = fault.forfeits / fault.legs
            figure = Estimate(rate, fault.interval.lo, fault.interval.hi, float("nan"), fault.legs, fault.legs)
            label = f"{names[side]} · {word('forfeits', language)}"
            note = word("faulty_deals", language, deals=glossary.whole(fault.deals))
            entries.append(Entry(f"forfeits {side}", label, figure, "rate", "match", "endogenous", note))
    return entries


def sentence(finding: Finding, head: Headline, language: Language) -> str:
    """Write the verdict: who, score, interval, pairs, and what that allows to say and what not."""
    names, boards = glossary.side_names(head.x, head.y), head.score.boards is not None
    score, tested = finding.score, finding.tested
    values = {**names, "rules": head.rules, "pairs": glossary.whole(head.pairs)}
    if isinstance(score, Estimate):
        write = (glossary.mean, glossary.mean_interval) if boards else (glossary.rate, glossary.rate_interval)
        values["score"] = f"{write[0](score, language)} {write[1](score)}"
        half = (score.hi - score.lo) / 2
        values["half"] = f"{half:.2f}" if boards else glossary.percent(half)
    kind = word("kind_boards" if boards else "kind_match", language)
    values |= {"kind": kind, "even": "0" if boards else "50%"}
    if finding.state in ("invalid", "contaminated"):
        worst = max((fault for fault in finding.faults.values() if fault.forfeits), key=_upper)
        side = next(side for side, fault in finding.faults.items() if fault is worst)
        values |= {"who": names[side], "bound": glossary.percent(_upper(worst), 2)}
        values.setdefault("score", "—")
    if tested is not None:
        after = tested.after
        estimate = (
            Estimate(after.score, after.ends.lo, after.ends.hi, 0.0, 0, 0) if isinstance(after, AfterStop) else None
        )
        write = (glossary.mean, glossary.mean_interval) if boards else (glossary.rate, glossary.rate_interval)
        values["after"] = "—" if estimate is None else f"{write[0](estimate, language)} {write[1](estimate)}"
        values |= {
            "official": glossary.whole(tested.verdict.pairs),
            "llr": f"{tested.verdict.llr:.2f}",
            "low": f"{tested.test.bounds.lo:.2f}",
            "high": f"{tested.test.bounds.hi:.2f}",
            "elo0": f"{tested.test.elo0:g}",
            "elo1": f"{tested.test.elo1:g}",
        }
    if finding.state == "family":
        values["p"] = p_value(finding.p)
    return word(f"verdict_{finding.state}", language, **values)


def _upper(fault: Fault) -> float:
    return 0.0 if fault.interval is None else fault.interval.hi


def p_value(p: float | None) -> str:
    """Write a p value."""
    return "—" if p is None else "< 0.001" if p < 0.001 else f"{p:.3f}"
