"""Describe a run completely: whatever decides a byte of its data files is a field of `RunRequest`.

Where and by how many workers it is played is no part of it: that may change from one start to the next.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, cast, get_args

from engine.bulk import OnFault
from engine.context import Context, ContextError
from engine.rules import NATIONAL, Rules, RulesError, change_rules
from engine.ruleset import load_rules, switches_of
from sim.errors import SimError, is_finite
from strategies import naming
from strategies.naming import StrategyError

Detail = Literal["pairs", "matches", "deals"]
DETAILS: tuple[Detail, ...] = get_args(Detail)
"""Tables of rows that are written: `pairs` alone, or with `matches`, or with `matches` and `deals`."""

TABLES: tuple[str, ...] = (*DETAILS, "style", "faults", "cubes")
"""All tables that a run can keep: those of rows, the counts of style, a row a block, role and rate, the faults, and the
cubes, which a run made before schema 1.4 does not have."""

ON_FAULT: tuple[OnFault, ...] = get_args(OnFault)

MAX_SEED = 2**64 - 1
MAX_BLOCKS = 1_000_000  # six digits in a file name
MAX_BLOCK_PAIRS = 200_000  # keeps the buffers of one block below about half a GB with every deal a row
MAX_PAIRS = 10_000 * MAX_BLOCKS
MAX_BOARDS = 10_000  # a line each in run.json

DECISION_SECONDS, MAX_DECISION_SECONDS = 60, 86_400
MEMORY_MB, LEAST_MEMORY_MB, MAX_MEMORY_MB = 2_048, 64, 2**20

LOOK_PAIRS = 100
MAX_ELO = 10_000

_LEAST_BLOCK, _LARGEST_BLOCK = 100, 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Stopping:
    """Say when a match-up may end before its last pair: a sequential test of x against y (sim.stats.SequentialTest).

    Fields:
        elo0, elo1: the two strengths it tells apart, in normalized Elo
        alpha, beta: chance of a pass at elo0, of a fail at elo1
        look_pairs: pairs from one look to the next, within a block

    Raises `SimError` for values that make no test.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    look_pairs: int = LOOK_PAIRS

    def __post_init__(self) -> None:
        for name in ("elo0", "elo1", "alpha", "beta", "look_pairs"):
            value = getattr(self, name)
            whole = name == "look_pairs"
            right = type(value) is int if whole else is_finite(value)
            if not right:
                raise SimError("not_text", field=f"test.{name}", value=value if type(value) is int else repr(value))
        if not (
            -MAX_ELO <= self.elo0 < self.elo1 <= MAX_ELO
            and self.alpha > 0
            and self.beta > 0
            and self.alpha + self.beta < 1
        ):
            shown = f"elo0 {self.elo0:g}, elo1 {self.elo1:g}, alpha {self.alpha:g}, beta {self.beta:g}"
            raise SimError("test_wrong", value=shown, limit=MAX_ELO)
        if not 1 <= self.look_pairs <= MAX_BLOCK_PAIRS:
            raise SimError("look_range", value=self.look_pairs, limit=MAX_BLOCK_PAIRS)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRequest:
    """Hold what one run plays: side `x` against side `y`, `pairs` pairs of two legs on the same deals.

    Fields:
        x, y: strategies (strategies.naming), paths from the root
        rules: name of the rules, as the tables carry it
        switches: every switch of rules of one's own, so that their file is needed no more; None for a set that ships
        seed: 0 .. 2**64 - 1; the only source of randomness
        pairs: pair ids 0 .. pairs - 1
        detail: the finest table that is written
        block_pairs: pairs in a block (the last may be shorter); part of the request because it cuts the files
        earlier: (pairs, pairs in a block) of each stretch of pairs that was asked for before the run was extended;
            `block_pairs` cuts what comes after them
        test: when the match-up may end before its last pair; None for a fixed number of pairs
        style: count how it is played (engine.style) into the table `style`
        boards: contexts as `engine.context.Context` writes them, 1 to 10,000: pair p is one deal from line p modulo
            their number, played in two legs; None for whole matches
        on_fault: what is done where a strategy fails: "judge" that deal and keep a row of it, or "stop" the run
        decision_seconds: time that a strategy in a worker process has for one decision; longer is a fault
        memory_mb: memory by which that process may grow; beyond it is a fault

    Raises `SimError` for a value out of range. Whether the names exist is asked when the run starts.
    """

    x: str
    y: str
    pairs: int
    seed: int
    block_pairs: int
    rules: str = "national"
    switches: Mapping[str, Any] | None = None
    detail: Detail = "deals"
    style: bool = False
    boards: tuple[str, ...] | None = None
    on_fault: OnFault = "judge"
    decision_seconds: int = DECISION_SECONDS
    memory_mb: int = MEMORY_MB
    earlier: tuple[tuple[int, int], ...] = ()
    test: Stopping | None = None

    def __post_init__(self) -> None:
        for field in ("x", "y", "rules"):
            value = getattr(self, field)
            if not isinstance(value, str) or not value:
                raise SimError("not_text", field=field, value=repr(value))
        try:
            _ = self.names
        except StrategyError as error:
            raise strategy_error(error) from None
        for field, least, limit, code in (
            ("pairs", 1, MAX_PAIRS, "pairs_range"),
            ("seed", 0, MAX_SEED, "seed_range"),
            ("block_pairs", 1, MAX_BLOCK_PAIRS, "block_range"),
            ("decision_seconds", 1, MAX_DECISION_SECONDS, "seconds_range"),
            ("memory_mb", LEAST_MEMORY_MB, MAX_MEMORY_MB, "memory_range"),
        ):
            value = getattr(self, field)
            if not isinstance(value, int) or isinstance(value, bool):
                raise SimError("not_text", field=field, value=repr(value))
            if not least <= value <= limit:
                raise SimError(code, value=value, least=least, limit=limit)
        if not (self.switches is None or isinstance(self.switches, dict)):
            raise SimError("not_text", field="switches", value=repr(self.switches))
        if self.detail not in DETAILS:
            raise SimError("detail_unknown", value=repr(self.detail), known=" ".join(DETAILS))
        if self.on_fault not in ON_FAULT:
            raise SimError("on_fault_unknown", value=repr(self.on_fault), known=" ".join(ON_FAULT))
        if not isinstance(self.style, bool):
            raise SimError("not_text", field="style", value=repr(self.style))
        if self.boards is not None:
            _check_boards(self.boards)
        _check_earlier(self.earlier, self.pairs)
        if not (self.test is None or isinstance(self.test, Stopping)):
            raise SimError("not_text", field="test", value=repr(self.test))
        if self.blocks > MAX_BLOCKS:
            raise SimError(
                "too_many_blocks",
                pairs=self.pairs,
                block_pairs=self.block_pairs,
                blocks=self.blocks,
                limit=MAX_BLOCKS,
            )

    @property
    def names(self) -> tuple[str, str]:
        """Names of the sides as tables and figures show them: a path by its last part, where that tells them apart."""
        x, y = naming.short(self.x), naming.short(self.y)
        return (self.x, self.y) if x == y else (x, y)

    @property
    def cuts(self) -> tuple[tuple[int, int], ...]:
        """Give the stretches in which the pairs are cut to blocks: (pairs, pairs in a block), in order."""
        rest = self.pairs - sum(pairs for pairs, _ in self.earlier)
        return (*self.earlier, (rest, self.block_pairs)) if rest else self.earlier

    @property
    def blocks(self) -> int:
        """Count the blocks."""
        return sum(-(-pairs // size) for pairs, size in self.cuts)

    def range_of(self, block: int) -> range:
        """Give the pair ids of a block, 0 .. blocks - 1; `IndexError` for another."""
        first = 0
        for pairs, size in self.cuts:
            count = -(-pairs // size)
            if 0 <= block < count:
                start = first + block * size
                return range(start, min(start + size, first + pairs))
            first, block = first + pairs, block - count
        raise IndexError(f"no such block among {self.blocks}")

    def block_with(self, pair: int) -> int:
        """Give the number of the block that holds a pair id; `IndexError` where none does."""
        first = blocks = 0
        for pairs, size in self.cuts:
            if first <= pair < first + pairs:
                return blocks + (pair - first) // size
            first, blocks = first + pairs, blocks + -(-pairs // size)
        raise IndexError(f"no pair {pair} among {self.pairs}")

    def make_rules(self) -> Rules:
        """Make the rules of the run; `SimError` for a name that is unknown here, or for switches that cannot be."""
        try:
            return load_rules(self.rules).rules if self.switches is None else change_rules(NATIONAL, self.switches)
        except RulesError as error:
            raise rules_error(error) from None

    @property
    def tables(self) -> tuple[str, ...]:
        """Name the tables that are written, in the order of `TABLES`."""
        style = ("style",) if self.style else ()
        faults = ("faults",) if self.on_fault == "judge" else ()
        return (*DETAILS[: DETAILS.index(self.detail) + 1], *style, *faults, "cubes")

    def as_dict(self) -> dict[str, object]:
        """Give the fields as JSON values."""
        return asdict(self)

    @staticmethod
    def from_dict(fields: Mapping[str, object]) -> RunRequest:
        """Read what `as_dict` gave; unknown or missing fields raise `TypeError`, bad values `SimError`."""
        given = cast(dict[str, Any], dict(fields))  # types are checked in __post_init__
        if isinstance(given.get("boards"), list):
            given["boards"] = tuple(given["boards"])
        if isinstance(given.get("earlier"), list):
            given["earlier"] = tuple(tuple(cut) if isinstance(cut, list) else cut for cut in given["earlier"])
        if isinstance(given.get("test"), dict):
            try:
                given["test"] = Stopping(**given["test"])
            except TypeError:
                raise SimError("not_text", field="test", value=repr(given["test"])) from None
        return RunRequest(**given)


def _check_earlier(earlier: object, pairs: int) -> None:
    right = isinstance(earlier, tuple) and all(
        isinstance(cut, tuple) and len(cut) == 2 and all(type(n) is int and n > 0 for n in cut) for cut in earlier
    )
    if not right or sum(cut[0] for cut in cast(tuple[tuple[int, int], ...], earlier)) > pairs:
        raise SimError("not_text", field="earlier", value=repr(earlier))


def _check_boards(boards: object) -> None:
    if not isinstance(boards, tuple) or not all(isinstance(line, str) for line in boards):
        raise SimError("not_text", field="boards", value=repr(boards))
    if not 1 <= len(boards) <= MAX_BOARDS:
        raise SimError("boards_range", value=len(boards), limit=MAX_BOARDS)
    for number, line in enumerate(boards, start=1):
        try:
            written = str(Context.parse(line))
        except ContextError as error:
            raise context_error(error, f"boards {number}") from None
        if line != written:  # one text for one context: the name of a run is made from it
            raise SimError("board_form", field="boards", value=line, written=written)


def new_request(
    x: str,
    y: str,
    *,
    pairs: int,
    seed: int,
    rules: str = "national",
    detail: Detail = "deals",
    block_pairs: int | None = None,
    style: bool = False,
    boards: tuple[str, ...] | None = None,
    on_fault: OnFault = "judge",
    decision_seconds: int = DECISION_SECONDS,
    memory_mb: int = MEMORY_MB,
    test: Stopping | None = None,
) -> RunRequest:
    """Make a request; without `block_pairs` the size is taken from the number of pairs.

    x, y: strategies as they are written (strategies.naming); their paths go into the request from the root. rules: name
    of a rule set, or path of a .toml file, whose content goes into the request.
    """
    try:
        x, y = naming.absolute(x), naming.absolute(y)
    except StrategyError as error:
        raise strategy_error(error) from None
    try:
        found = load_rules(rules)
    except RulesError as error:
        raise rules_error(error) from None
    switches = switches_of(found.rules) if rules.endswith(".toml") else None
    chosen = default_block_pairs(pairs) if block_pairs is None else block_pairs
    return RunRequest(
        x=x,
        y=y,
        pairs=pairs,
        seed=seed,
        rules=found.name,
        switches=switches,
        detail=detail,
        block_pairs=chosen,
        style=style,
        boards=boards,
        on_fault=on_fault,
        decision_seconds=decision_seconds,
        memory_mb=memory_mb,
        test=test,
    )


def strategy_error(error: StrategyError) -> SimError:
    """Say in the reader's language why a strategy cannot be had; `values["trace"]` is the author's own traceback."""
    return SimError("strategy_wrong", en=error, zh=error.zh, trace=error.trace)


def rules_error(error: RulesError) -> SimError:
    """Say in the reader's language what is wrong with rules."""
    return SimError("rules_wrong", en=error, zh=error.zh)


def context_error(error: ContextError, place: str) -> SimError:
    """Say in the reader's language what is wrong with a context, and where it stands."""
    return SimError("board_wrong", field="boards", value=place, place=place, en=error, zh=error.zh)


def default_block_pairs(pairs: int) -> int:
    """Choose the pairs of a block: a round number (1, 2 or 5 times a power of ten) near a tenth of the run.

    Never above 10,000, which native strategies play in a few seconds, nor below 100, where files would cost more than
    play. It depends on the request only, never on the machine.
    """
    best = _LEAST_BLOCK
    step = _LEAST_BLOCK
    while step <= _LARGEST_BLOCK:
        for factor in (1, 2, 5):
            if step * factor <= min(pairs // 10, _LARGEST_BLOCK):
                best = step * factor
        step *= 10
    return best
