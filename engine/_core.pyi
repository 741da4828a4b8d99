"""Types of the C core. Cards are bytes of card ids, plays are codes (engine/csrc/guandan_strategy.h)."""

from collections.abc import Callable, Iterator
from typing import Any, Protocol

from typing_extensions import CapsuleType

PAIR_COLUMNS: tuple[tuple[str, str], ...]
MATCH_COLUMNS: tuple[tuple[str, str], ...]
DEAL_COLUMNS: tuple[tuple[str, str], ...]
FAULT_COLUMNS: tuple[tuple[str, str], ...]
BATCH_COLUMNS: tuple[tuple[str, str, int], ...]
STYLE_OCCASIONS: tuple[str, ...]
STYLE_RATES: tuple[tuple[str, str], ...]
SAFETY_CAP: int
FAULTS_A_PAIR: int
STRATEGY_ABI: int

Hands = tuple[bytes, bytes, bytes, bytes]
RulesTuple = tuple[int, ...]

Played = tuple[int, int, int, int, int, tuple[int, int, int, int, int, int, BaseException | None] | None]
"""How a call of the loop ended; rows of pairs, matches, deals, faults; pair, leg, deal, decision, seat, reason of the
fault that ended it, and what was raised."""

class HasCore(Protocol):
    def core(self) -> RulesTuple: ...

class Player:
    def __new__(
        cls,
        factory: Callable[[], Any],
        name: str,
        zh: str = "",
        en: str = "",
        all: bool = False,
        deterministic: bool = False,
        observed: bool = False,
        batch: bool = False,
        parameters: dict[str, Any] = ...,
    ) -> Player: ...
    @property
    def factory(self) -> Callable[[], Any]: ...
    @property
    def batch(self) -> bool: ...

Players = CapsuleType | Player | tuple[CapsuleType | Player, CapsuleType | Player]

class View:
    @property
    def seat(self) -> int:
        """Own seat."""
    @property
    def level(self) -> int:
        """Rank of the level card."""
    @property
    def n(self) -> int:
        """Number of answers in the list that is chosen from."""
    @property
    def to_beat(self) -> int:
        """Code of the play to beat, 0 when leading."""
    @property
    def holder(self) -> int:
        """Seat of the play to beat, -1 when leading."""
    @property
    def left(self) -> tuple[int, int, int, int]:
        """Cards each seat holds."""
    @property
    def levels(self) -> tuple[int, int]:
        """Rank each side stands at."""
    @property
    def declarer(self) -> int:
        """Side that won the deal before, -1 in the first."""
    @property
    def a_fails(self) -> tuple[int, int]:
        """Failed tries at A that count, by side."""
    @property
    def order(self) -> tuple[int, ...]:
        """Finishing order of the deal before, empty in the first."""
    @property
    def deal(self) -> int:
        """Number of the deal in the match, from 1."""
    @property
    def deals_left(self) -> int:
        """Deals the match can still have, this one included; 0: no limit."""
    @property
    def seconds_left(self) -> int:
        """Of the time limit, before this deal; -1: none."""
    @property
    def first_ends(self) -> bool:
        """The deal is over as soon as one seat is out."""
    @property
    def hand(self) -> bytes:
        """Own cards, ascending by id."""
    @property
    def planes(self) -> tuple[int, int, int]:
        """Own cards as counts, one, two of gd_hand (guandan_strategy.h)."""
    @property
    def gone(self) -> bytes:
        """Cards played in this deal by anybody."""
    @property
    def plays(self) -> tuple[int, ...]:
        """Codes of the legal shapes, ascending; PASS (0) first when following. Empty in tribute and return."""
    @property
    def options(self) -> bytes:
        """Cards to choose from in tribute and return, ascending by power. Empty in play."""
    @property
    def n_steps(self) -> int:
        """Number of plays and passes of this deal so far."""
    @property
    def steps(self) -> tuple[Any, ...]:
        """Every play and pass of this deal, in order: engine.view.Step."""
    @property
    def tribute(self) -> Any:
        """Tribute of this deal as all have seen it: engine.view.Tribute."""
    @property
    def rules(self) -> Any:
        """Rules in force: engine.rules.Rules."""
    @property
    def parameters(self) -> dict[str, Any]:
        """Settings of the strategy by name."""
    def entry(self, index: int, /) -> tuple[int, bytes]: ...
    def value(self, result: int, /) -> int: ...
    def random_bits(self) -> int: ...
    def random_below(self, n: int, /) -> int: ...
    def random(self) -> float: ...

class Batch:
    def __new__(cls, room: int, columns: tuple[Any, ...], all: bool = False) -> Batch: ...
    @property
    def size(self) -> int: ...
    def fill(self) -> None: ...
    def lists(self, list: Any, starts: Any = None, /) -> None: ...
    def random(self, out: Any, /) -> None: ...
    def random_below(self, out: Any, /) -> None: ...
    def steps(self, seats: Any, codes: Any, cards: Any, /) -> None: ...
    def values(self, result: int, out: Any, /) -> None: ...
    def entry(self, row: int, index: int, /) -> tuple[int, bytes]: ...
    def clear(self) -> None: ...
    def rewind(self) -> None: ...
    def alone(self, row: int, to: Batch, /) -> None: ...

class Lockstep:
    def note(self, batch: Batch) -> None: ...
    def __new__(
        cls, call: tuple[Any, ...], tables: int, batches: tuple[tuple[Player, Batch, Batch, Batch], ...]
    ) -> Lockstep: ...
    @property
    def failed(self) -> int: ...
    def run(self) -> Played: ...
    def answer(self, batch: Batch, answers: Any, /) -> None: ...

class Plays:
    def __new__(cls, hand: bytes, level: int, to_beat: int = 0, all: bool = True, rules: int = 9) -> Plays: ...
    def __len__(self) -> int: ...
    def __getitem__(self, i: int) -> tuple[int, bytes]: ...
    def __iter__(self) -> Iterator[tuple[int, bytes]]: ...
    def index_of(self, code: int, cards: bytes) -> int: ...
    def codes(self) -> tuple[int, ...]: ...

class Deal:
    def __new__(
        cls,
        hands: tuple[bytes, ...],
        level: int,
        turn: int,
        out: bytes = b"",
        rules: RulesTuple = ...,
        trick: tuple[int, int, int] | None = None,
    ) -> Deal: ...
    @property
    def hands(self) -> Hands: ...
    @property
    def state(self) -> tuple[int, int, int, int, bytes, int, int]: ...
    def play(self, code: int, cards: bytes) -> None: ...

class Table:
    def __new__(
        cls,
        rules: HasCore | RulesTuple,
        seed: int,
        pair: int,
        leg: int,
        context: bytes | None = None,
        players: tuple[Players, Players] | None = None,
        known: bytes | None = None,
    ) -> Table: ...
    @property
    def failed(self) -> tuple[int, int] | None: ...
    @property
    def dealt(self) -> Hands: ...
    @property
    def hands(self) -> Hands: ...
    @property
    def state(self) -> tuple[int, int, int, int, int, int, int, int]: ...
    @property
    def tribute(self) -> tuple[tuple[int, int, int, int], ...]: ...
    def deal(self) -> None: ...
    def decide(self, strategy: CapsuleType | None = None, /) -> tuple[int, bytes]: ...
    def redeal(self, hands: tuple[bytes, ...], /) -> None: ...
    def gather(self, batch: Batch, /) -> int: ...
    def enter(self, index: int, /) -> tuple[int, bytes]: ...
    def judge(self, offender: int, verdict: str = "double_down", /) -> None: ...
    def score(self) -> dict[str, int]: ...
    @property
    def question(self) -> tuple[int, int, bytes, int, int, bytes, int, bytes]: ...
    def copy(self, redeal: int | None = None, /) -> Table: ...
    def ask(self, strategy: CapsuleType | None = None, redeal: int | None = None, /) -> tuple[int, int, bool]: ...
    def rank(self, strategy: CapsuleType | None = None, /) -> tuple[int, ...] | None: ...
    def place(self, deal: Deal, laid: bytes = b"", /) -> None: ...
    def lay(self, code: int, cards: bytes, /) -> None: ...

def readings(cards: bytes, level: int, rules: int = 9, /) -> list[int]: ...
def beats(play: int, over: int, /) -> bool: ...
def deal_cards(seed: int, pair: int, deal: int, /) -> tuple[Hands, int]: ...
def stream(seed: int, domain: int, pair: int, leg: int, deal: int, seat: int, n: int, /) -> list[int]: ...
def promote(
    rules: RulesTuple,
    levels: tuple[int, int],
    declarer: int,
    fails: tuple[int, int],
    deals: int,
    order: bytes,
    aces: int = 0,
    /,
) -> tuple[tuple[int, int], int, tuple[int, int], int, int, int, int]: ...
def tribute_due(rules: RulesTuple, order: bytes, hands: tuple[bytes, ...], /) -> tuple[int, bytes, bytes]: ...
def tribute_pair(
    rules: RulesTuple, order: bytes, level: int, cards: tuple[int, int], /
) -> tuple[tuple[int, int, int], tuple[int, int, int]]: ...
def tribute_leader(rules: RulesTuple, order: bytes, level: int, moves: tuple[tuple[int, int, int], ...], /) -> int: ...
def tribute_options(hand: bytes, level: int, /) -> bytes: ...
def return_options(rules: RulesTuple, hand: bytes, level: int, /) -> bytes: ...
def result_values(rules: RulesTuple, contexts: bytes, /) -> tuple[tuple[int, int, int, int, int, int], ...]: ...
def play_pairs(
    x: Players | None,
    y: Players | None,
    coin: tuple[float, float, tuple[float, float, float]] | None,
    rules: HasCore | RulesTuple,
    seed: int,
    first: int,
    n: int,
    legs: int,
    pairs: tuple[Any, ...],
    matches: tuple[Any, ...] | None,
    deals: tuple[Any, ...] | None,
    deal_room: int,
    style: Any,
    stop: bytearray | None,
    contexts: bytes | None = None,
    fault_columns: tuple[Any, ...] | None = None,
    fault_room: int = 0,
    known_faults: Any = None,
    watch: Any = None,
    /,
) -> Played: ...
def strategy_info(capsule: CapsuleType | Player, /) -> dict[str, Any]: ...
def strategy_with(capsule: CapsuleType, values: tuple[int, ...], /) -> CapsuleType: ...
def strategy_of_functions(
    name: str,
    play: int,
    tribute: int,
    return_tribute: int,
    zh: str = "",
    en: str = "",
    all: bool = False,
    deterministic: bool = False,
    observed: bool = False,
    keep: Any = None,
) -> CapsuleType: ...
