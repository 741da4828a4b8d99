"""Does a strategy keep the promises of its interface? Asked at thousands of positions of matches and boards.

Each position is reached by random and greedy play and is the same for everybody: a function of rules, seed and number.
"""

from __future__ import annotations

import random
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import cycle, product
from typing import Any, Literal

import numpy as np

from engine import _core
from engine.batch import TABLES, batch_players
from engine.bulk import play_pairs
from engine.context import uniform_contexts
from engine.match import Match
from engine.probe import Position
from engine.rules import NATIONAL, Rules
from strategies import registry
from strategies.registry import NativeStrategy

Check = Literal["legal", "repeatable", "hidden", "deterministic"]
CHECKS: tuple[Check, ...] = ("legal", "repeatable", "hidden", "deterministic")
"""An answer within range; the same when asked again; the same whatever the hidden cards are; no random number drawn
where it says that it is deterministic."""

_FAULTS_KEPT = 3
_SHARE = 0.25  # of the plays of a deal that become positions: neighbours are alike
_FORM_BOARDS = 6
_SPEED_BOARDS = 64
_SECONDS = 0.5


@dataclass(frozen=True)
class Fault:
    """A broken promise. number: of the position; trace: where the strategy failed, as Python shows it."""

    check: Check
    rules: str
    number: int
    position: str
    first: str
    second: str = ""
    trace: str = ""


@dataclass
class Result:
    """What came of the positions of one rule set: how many of each question, and how often each promise was broken."""

    rules: str
    asked: Counter[str] = field(default_factory=Counter)
    broken: Counter[Check] = field(default_factory=Counter)
    faults: list[Fault] = field(default_factory=list)

    @property
    def positions(self) -> int:
        """Count the positions."""
        return self.asked.total()


def positions(rules: Rules, seed: int, side: Any = None) -> Iterator[Position]:
    """Give positions without end: of whole matches and of boards in turn, by random and greedy play on either side.

    side: who sits there and is told what happens, a capsule, a Player or a tuple of two; others decide in its place.
    All questions of the exchange and a quarter of the plays, where there is a choice. The table of a position plays on
    when the next is asked for.
    """
    players = [registry.load(name).capsule for name in ("random", "greedy")]
    choose = random.Random(seed)
    for pair, sides in enumerate(cycle(list(product(players, players)))):
        context = uniform_contexts(1, seed + pair)[0].core() if pair % 2 else None
        table = _core.Table(rules, seed, pair, 1, context, None if side is None else (side, side))
        deals = 0
        while table.state[0] != 5 and deals < 20:  # a match of random against itself is long
            table.deal()
            deals += 1
            while table.state[0] != 4:
                ask, seat = table.state[:2]
                if (ask != 3 or choose.random() < _SHARE) and table.ask(players[0])[1] > 1:
                    yield Position(table, rules, side)
                table.decide(sides[seat % 2])
            table.score()


def check(
    strategy: NativeStrategy,
    name: str,
    rules: Rules,
    count: int,
    seed: int = 1,
    only: int | None = None,
    report: Callable[[int], None] = lambda done: None,
) -> Result:
    """Ask a strategy at the first `count` positions of a rule set, or at number `only` (from 0) of them.

    Nothing is asked twice of one that says that its answers depend on more than it sees (`observed`).
    """
    result = Result(name)
    limit, number = count if only is None else only + 1, 0

    def broken(fault: Fault) -> None:
        result.broken[fault.check] += 1
        if sum(known.check == fault.check for known in result.faults) < _FAULTS_KEPT:
            result.faults.append(fault)

    try:
        for number, position in zip(range(limit), positions(rules, seed, strategy.capsule), strict=False):
            if only is None or number == only:
                result.asked[position.question] += 1
                for fault in _ask(strategy, position, name, number):
                    broken(fault)
            if number % 500 == 499:
                report(number + 1)
    except ValueError as error:  # between two positions it was told of an event, and failed
        broken(Fault("legal", name, number, "-", reason_of(error), trace=trace_of(error)))
    return result


def _ask(strategy: NativeStrategy, position: Position, rules: str, number: int) -> Iterator[Fault]:
    def fault(check: Check, first: object, second: object = "", trace: str = "") -> Fault:
        return Fault(check, rules, number, str(position), str(first), str(second), trace)

    try:
        first = position.ask()
        if first.index >= first.choices:
            yield fault("legal", first.index, first.choices)
        if strategy.deterministic and first.drew:
            yield fault("deterministic", first.index)
        if strategy.observed:
            return
        again = position.ask()
        if again.index != first.index:
            yield fault("repeatable", first.index, again.index)
        other = position.ask(redeal=number)
        if other.index != first.index == again.index:
            yield fault("hidden", first.index, other.index)
    except ValueError as error:
        yield fault("legal", reason_of(error), trace=trace_of(error))


def reason_of(error: ValueError) -> str:
    """Say in one line what the code of the author raised; without such a cause, what the error says."""
    raised = error.__cause__
    return str(error) if raised is None else f"{type(raised).__name__}: {raised}"


def trace_of(error: ValueError) -> str:
    """Show where the code of the author failed, as Python does."""
    return "".join(traceback.format_exception(error.__cause__ or error)).rstrip()


def forms(strategy: NativeStrategy, seed: int = 1) -> dict[str, bool]:
    """Play boards in each way there is and tell by name which gives the rows of the bulk loop.

    steps: a decision at a time, as a replay does. threads: from two threads at once. tables: of one that answers in
    batches, one table at a time.
    """
    opponent = registry.load("random")
    contexts = uniform_contexts(_FORM_BOARDS, seed)
    pairs = range(_FORM_BOARDS)

    def rows(part: range, tables: int = TABLES) -> dict[str, np.ndarray[tuple[int], np.dtype[np.int64]]]:
        return play_pairs(strategy, opponent, NATIONAL, seed, part, contexts=contexts, tables=tables).deals

    whole = rows(pairs)
    steps = [
        record.row
        for pair, leg in product(pairs, (1, 2))
        for record in Match(NATIONAL, seed, pair, leg, strategy, opponent, contexts[pair]).deals()
    ]
    middle = _FORM_BOARDS // 2
    with ThreadPoolExecutor(2) as pool:
        one, other = pool.map(rows, (pairs[:middle], pairs[middle:]))
    equal = {
        "steps": all([row[name] for row in steps] == list(column) for name, column in whole.items()),
        "threads": all(np.array_equal(np.append(one[name], other[name]), column) for name, column in whole.items()),
    }
    if batch_players(strategy.capsule):
        single = rows(pairs, tables=1)
        equal["tables"] = all(np.array_equal(single[name], column) for name, column in whole.items())
    return equal


def speed(strategy: NativeStrategy, seed: int = 1) -> float:
    """Measure plays and passes a second on one processor, forced ones included, when it plays boards with itself."""
    n, contexts = 1, uniform_contexts(_SPEED_BOARDS, seed)
    while True:
        began = time.perf_counter()
        deals = play_pairs(strategy, strategy, NATIONAL, seed, range(n), contexts=contexts).deals
        seconds = time.perf_counter() - began
        if seconds > _SECONDS / 2:
            return float(deals["plays"].sum() + deals["passes"].sum()) / seconds
        n = max(n + 1, min(8 * n, int(n * _SECONDS / seconds)))
