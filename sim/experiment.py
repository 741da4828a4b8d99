"""Lay out what an experiment plays: which strategies meet, under which rules, all on the same pair ids.

A *duel* is two strategies, a *gauntlet* the first against each of the others, a *league* everybody against everybody.
Each meeting is played under every rule set. A side of two different strategies (`a+b`) is played in both orders, so
that with the two legs of a pair all four seatings occur on the same deals.
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import combinations
from pathlib import Path
from typing import Any, Final, Literal, cast, get_args

from engine.bulk import OnFault
from sim.boards import find_boards
from sim.errors import SimError, one_line
from sim.request import DECISION_SECONDS, MAX_PAIRS, MEMORY_MB, Detail, RunRequest, Stopping, new_request
from sim.targets import Aims, Family, Target, read_targets

Form = Literal["duel", "gauntlet", "league"]
FORMS: Final[tuple[Form, ...]] = get_args(Form)

MAX_MATCH_UPS: Final = 1_000  # three digits in a file name


@dataclass(frozen=True, slots=True, kw_only=True)
class Experiment:
    """Hold what is asked for, as it is written on the command line or in a file; `requests` says what is played.

    Fields are those of `RunRequest` but for these:
        strategies: two or more
        form: who meets whom; None is a duel of two, a league of more
        rules: rule sets, by name or path of a .toml file
        boards: as `sim.boards.find_boards` takes it; None for whole matches
        block_pairs: pairs in a block; None leaves it open
        targets, family: what is set beforehand (sim.targets)
    """

    strategies: tuple[str, ...]
    pairs: int
    form: Form | None = None
    rules: tuple[str, ...] = ("national",)
    seed: int = 1
    boards: str | None = None
    detail: Detail = "deals"
    style: bool = False
    on_fault: OnFault = "judge"
    decision_seconds: int = DECISION_SECONDS
    memory_mb: int = MEMORY_MB
    block_pairs: int | None = None
    test: Stopping | None = None
    targets: tuple[Target, ...] = ()
    family: Family = "holm"

    @property
    def aims(self) -> Aims:
        """Give what is set beforehand."""
        return Aims(self.targets, self.family)

    def requests(self) -> tuple[RunRequest, ...]:
        """Make the request of each match-up, rule set after rule set.

        Raises `SimError` for a name that is unknown, a value out of range, or a form that does not fit.
        """
        if not 1 <= self.pairs <= MAX_PAIRS:  # before boards are drawn for them
            raise SimError("pairs_range", value=self.pairs, limit=MAX_PAIRS)
        boards = None if self.boards is None else find_boards(self.boards, self.pairs, self.seed)
        requests = [
            new_request(
                x,
                y,
                pairs=self.pairs,
                seed=self.seed,
                rules=rules,
                detail=self.detail,
                block_pairs=self.block_pairs,
                style=self.style,
                boards=boards,
                on_fault=self.on_fault,
                decision_seconds=self.decision_seconds,
                memory_mb=self.memory_mb,
                test=self.test,
            )
            for rules in self.rules
            for x, y in meetings(self.strategies, self.form)
        ]
        return check_distinct(requests)


def meetings(strategies: Sequence[str], form: Form | None) -> list[tuple[str, str]]:
    """List who meets whom, in the order of the match-ups; `SimError` where the number of strategies does not fit."""
    if form is not None and form not in FORMS:
        raise SimError("form_unknown", value=form, known=" ".join(FORMS))
    chosen = form or ("league" if len(strategies) > 2 else "duel")
    if len(strategies) < 2 or (chosen == "duel" and len(strategies) != 2):
        raise SimError("form_number", form=chosen, count=len(strategies))
    pairs = combinations(strategies, 2) if chosen == "league" else ((strategies[0], y) for y in strategies[1:])
    found = []
    for x, y in pairs:
        found.append((x, y))
        turned = (_turned(x), _turned(y))
        if turned != (x, y):
            found.append(turned)
    return found


def _turned(side: str) -> str:
    """Exchange the seats of a team of two; one strategy is its own team either way."""
    a, plus, b = side.partition("+")
    return f"{b}+{a}" if plus and a != b else side


def check_distinct(requests: Sequence[RunRequest]) -> tuple[RunRequest, ...]:
    """Refuse two match-ups that tables could not tell apart, and more than there are numbers for."""
    if len(requests) > MAX_MATCH_UPS:
        raise SimError("too_many_match_ups", count=len(requests), limit=MAX_MATCH_UPS)
    seen: dict[tuple[str, str, str], RunRequest] = {}
    contents: dict[str, Mapping[str, Any] | None] = {}
    for request in requests:
        if contents.setdefault(request.rules, request.switches) != request.switches:
            raise SimError("rules_twice", name=request.rules)
        if seen.setdefault((request.rules, *request.names), request) is not request:
            raise SimError("match_up_twice", x=request.names[0], y=request.names[1], rules=request.rules)
    return tuple(requests)


def wider(
    requests: Sequence[RunRequest],
    *,
    pairs: int | None = None,
    strategies: Sequence[str] = (),
    rules: Sequence[str] = (),
) -> tuple[RunRequest, ...]:
    """Give the requests of an extended run: its own first, with more pairs, then those of what is added.

    Added strategies meet those of the run as they meet each other: one that has met all others so far goes on to meet
    all, unless the run is a gauntlet, whose first alone meets the new ones. Added rule sets are played by all.
    Raises `SimError` for fewer pairs than there are, or for names that are unknown.
    """
    old = requests[0]
    total = old.pairs if pairs is None else pairs
    if total < old.pairs:
        raise SimError("extend_fewer", pairs=total, had=old.pairs)
    grown = [replace(each, pairs=total, earlier=each.cuts) if total > each.pairs else each for each in requests]
    names = dict.fromkeys([*(name for each in requests for name in (each.x, each.y)), *strategies])
    form: Form = "gauntlet" if len(requests) > 1 and len({each.x for each in requests}) == 1 else "league"
    wanted = [name for name in names if _turned(name) == name or name < _turned(name)]
    met = meetings(wanted, form) if len(wanted) > 1 else [(old.x, old.y)]
    added = []
    for rule_set in dict.fromkeys([*(each.rules for each in requests), *rules]):
        own = next((each.switches for each in requests if each.rules == rule_set), None)
        for x, y in met:
            made = new_request(x, y, pairs=total, seed=old.seed, rules="national" if own is not None else rule_set)
            made = replace(
                old,
                x=made.x,
                y=made.y,
                rules=rule_set if own is not None else made.rules,
                switches=own if own is not None else made.switches,
                pairs=total,
                block_pairs=made.block_pairs,
                earlier=(),
            )
            if not any(_meets(each, made) for each in requests):
                added.append(made)
    return check_distinct([*grown, *added])


def _meets(old: RunRequest, new: RunRequest) -> bool:
    """Tell whether a match-up is in the run already, whichever side is called x."""
    return old.rules == new.rules and {old.x, old.y} == {new.x, new.y}


_KEYS: Final = {each.name: each for each in fields(Experiment)}


def read_file(path: Path) -> dict[str, Any]:
    """Read an experiment from a TOML file: the fields of `Experiment` that it sets.

    Strategies and rule sets in files are found from the folder of this file. Raises `SimError` for a file that cannot
    be read, a key that does not exist, or a value of the wrong type.
    """
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SimError("file_unreadable", path=path, reason=error.strerror) from None
    except RecursionError:
        raise SimError("experiment_wrong", path=path, reason="[[[…") from None
    except ValueError as error:  # of TOML, of UTF-8, or a number of thousands of digits
        raise SimError("experiment_wrong", path=path, reason=error) from None
    for name, value in found.items():
        if name not in _KEYS:
            near = difflib.get_close_matches(name, _KEYS, n=1)
            raise SimError("experiment_key", path=path, name=name, known=" ".join(near or _KEYS))
        if not _fits(name, value):
            raise SimError("experiment_value", path=path, name=name, value=_shown(value))
    if "targets" in found:
        found["targets"] = read_targets([_target(path, entry) for entry in found["targets"]])
    if "test" in found:
        found["test"] = _test(path, found["test"])
    for name in ("strategies", "rules"):
        if name in found:
            texts = [found[name]] if isinstance(found[name], str) else found[name]
            found[name] = tuple(_from_folder(text, path.parent) for text in texts)
    return found


def _shown(value: object) -> str:
    try:
        return repr(value)
    except ValueError:  # a whole number of more digits than Python writes
        return one_line(value)


def _target(path: Path, entry: dict[str, Any]) -> tuple[Any, Any, Any]:
    if entry.keys() != {"metric", "low", "high"}:
        raise SimError("experiment_key", path=path, name="targets: " + " ".join(entry), known="metric low high")
    return entry["metric"], entry["low"], entry["high"]


def _test(path: Path, given: dict[str, Any]) -> Stopping:
    known = [each.name for each in fields(Stopping)]
    for name in given:
        if name not in known:
            raise SimError("experiment_key", path=path, name=f"test.{name}", known=" ".join(known))
    for name in ("elo0", "elo1"):
        if name not in given:
            raise SimError("experiment_missing", name=f"test.{name}")
    return Stopping(**given)


def _fits(name: str, value: object) -> bool:
    if name in ("strategies", "rules"):
        several = isinstance(value, list) and bool(value) and all(isinstance(each, str) and each for each in value)
        return several or (name == "rules" and isinstance(value, str) and bool(value))
    if name in ("style", "test"):
        return isinstance(value, {"style": bool, "test": dict}[name])
    if name == "targets":
        return isinstance(value, list) and all(isinstance(each, dict) for each in value)
    if name in ("form", "boards", "detail", "on_fault", "family"):
        return isinstance(value, str)
    return type(value) is int


def _from_folder(text: str, folder: Path) -> str:
    """Find a file that is named with a path from the folder of the experiment; other names are as they are."""
    head = text.partition(":")[0].partition("?")[0]
    if text.startswith(("./", "../")) or (head.endswith((".toml", ".py", ".so")) and not Path(head).is_absolute()):
        return str(folder.absolute() / text)
    return text


def make(values: Mapping[str, Any]) -> Experiment:
    """Make an experiment from fields as `read_file` gives them; `SimError` names what is missing."""
    for name in ("strategies", "pairs"):
        if values.get(name) is None:
            raise SimError("experiment_missing", name=name)
    return Experiment(**cast(dict[str, Any], dict(values)))
