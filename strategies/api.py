"""How to write a strategy in Python, and how to bring one in that is compiled.

Three ways, one meaning: the same view gives the same decision, whoever is asked, and the same records. `Strategy` is
asked a decision at a time, `BatchStrategy` for many tables at once; a native one is a capsule, or the addresses of
three functions. `wrap` makes of each what `engine.bulk.play_pairs` and `engine.match.Match` take:

>>> class Highest(Strategy):
...     '''Play the last of the list, whatever it is.'''
...     name, deterministic = "highest", True
...     def play(self, view): return view.n - 1
>>> wrap(Highest).name
'highest'
"""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, Literal

import numpy as np

from engine import _core
from engine.batch import Batch, TributeBatch
from engine.plays import Play
from engine.view import DealEnd, DealInfo, Event, MatchInfo, View

Answer = int | tuple[int, bytes] | Play
"""What `play` returns: an index below view.n into the list that is chosen from; or a play of that list, as its code, as
(code, cards), or as `engine.plays.Play`. A whole number below 2**28 is an index. Of a play in (code, cards) or a Play
just these cards are laid; of an index or a code of shapes the engine picks suits that keep straight flushes whole."""

Setting = tuple[int, int, int, str, str]
"""A parameter: default, least, most, and one line of description in Chinese and in English."""


class Described:
    """What a strategy of either kind says of itself: see `Strategy`."""

    name: ClassVar[str] = ""
    zh: ClassVar[str] = ""
    en: ClassVar[str] = ""
    deterministic: ClassVar[bool] = False
    observed: ClassVar[bool] = False
    listing: ClassVar[Literal["shapes", "all"]] = "shapes"
    parameters: ClassVar[Mapping[str, Setting]] = MappingProxyType({})


class Strategy(Described):
    """A strategy that is asked a decision at a time. Any class with these methods will do; this one gives defaults.

    A fresh object is made for every seat of every match, without arguments but the parameters that were set: what it
    keeps is its own, and nobody else's. It is asked only where there are two answers or more. What it raises, and an
    answer that is none, is a fault of its seat. `begin_match`, `begin_deal`, `observe` and `end_deal` are called where
    they exist.

    name, zh, en: under which it is stored, and one line of description. deterministic: it never draws from the view.
    observed: its answers may depend on more than the view and its numbers (a clock, a device, a socket). listing: the
    list it chooses from, "shapes" with suits left open or "all". parameters: settings by name; they are given to the
    constructor by name, and stand in `view.parameters`.
    """

    def __init__(self, **settings: Any) -> None:
        """Take the parameters that were set; `view.parameters` has them all."""

    def play(self, view: View) -> Answer:
        """Choose a play."""
        raise NotImplementedError

    def tribute(self, view: View) -> int | str:
        """Choose a card to pay (进贡): an index into `view.options`, or the card's text. Default: the first."""
        return 0

    def return_tribute(self, view: View) -> int | str:
        """Choose a card to return (还贡), likewise. Default: the first, which is the weakest."""
        return 0


class WatchingStrategy(Strategy):
    """A strategy that is told what happens at its table, in order, by every seat. It need not define all four."""

    def begin_match(self, info: MatchInfo) -> None:
        """A match begins."""

    def begin_deal(self, info: DealInfo) -> None:
        """Cards are dealt; no tribute yet."""

    def observe(self, event: Event) -> None:
        """Tribute is paid, refused or returned, or a seat (oneself too) plays or passes."""

    def end_deal(self, info: DealEnd) -> None:
        """The deal is scored: finishing order, the cards that are left, levels."""


class BatchStrategy(Described):
    """A strategy that is asked for many tables at once, from arrays (engine.batch says which).

    One object serves all tables of a call. Each row must be answered as if it were alone: the records may not depend on
    how many tables are played in lockstep. Names and settings are those of `Strategy`.
    """

    def __init__(self, **settings: Any) -> None:
        """Take the parameters that were set; keep what the answers need of them."""

    def play(self, batch: Batch) -> np.ndarray[Any, Any]:
        """Choose a play for each table: [batch.size] whole numbers, row i below batch.n[i]."""
        raise NotImplementedError

    def tribute(self, batch: TributeBatch) -> np.ndarray[Any, Any]:
        """Choose a card to pay for each table, likewise. Default: the first."""
        return np.zeros(batch.size, np.int64)

    def return_tribute(self, batch: TributeBatch) -> np.ndarray[Any, Any]:
        """Choose a card to return for each table, likewise. Default: the first."""
        return np.zeros(batch.size, np.int64)


@dataclass(frozen=True)
class WrappedStrategy:
    """A strategy of one's own, with the fields of strategies.registry.NativeStrategy.

    hash: digest of the file that holds its class and of its parameters, 16 hex digits; of an object that was made
    already, or a class without a file, a mark that only this process knows it by.
    """

    name: str
    capsule: Any = field(repr=False, compare=False)
    deterministic: bool
    observed: bool
    ranks: bool
    hash: str
    zh: str
    en: str
    parameters: tuple[Any, ...] = ()
    built_in: bool = False


def wrap(strategy: Any, *, name: str = "", **settings: Any) -> WrappedStrategy:
    """Make of a strategy what play_pairs and Match take.

    strategy: a class like `Strategy` or `BatchStrategy`, of which objects are made as needed; an object of such a
    class, which then serves all seats and matches alone (let it keep nothing); or a capsule of a native strategy. A
    class of batches is told by its attribute `batch`, or as a subclass of BatchStrategy. name: instead of the class's
    own. settings: parameters for the constructor. Raises ValueError for a setting that is unknown or out of range,
    TypeError for what is no strategy.
    """
    if type(strategy).__name__ == "PyCapsule":
        return _wrapped(strategy, f"capsule {id(strategy)}")
    made = strategy if inspect.isclass(strategy) else type(strategy)
    missing = [method for method in ("play", "tribute", "return_tribute") if not callable(getattr(made, method, None))]
    if missing:
        raise TypeError(f"{made.__name__} is no strategy: it has no {' and no '.join(missing)}")
    listing = getattr(made, "listing", "shapes")
    if listing not in ("shapes", "all"):
        raise ValueError(f"listing {listing!r} of {made.__name__}: write shapes or all")
    values = _values(made, settings)
    own_name = name or getattr(made, "name", "") or made.__name__
    changed = "&".join(f"{key}={value}" for key, value in settings.items())
    if strategy is not made and settings:
        raise ValueError(f"{own_name} is made already: give its parameters to its class")
    player = _core.Player(
        (lambda: made(**settings)) if strategy is made else (lambda: strategy),
        f"{own_name}?{changed}" if changed else own_name,
        getattr(made, "zh", "") or "",
        getattr(made, "en", "") or "",
        listing == "all",
        bool(getattr(made, "deterministic", False)),
        bool(getattr(made, "observed", False)),
        bool(getattr(made, "batch", issubclass(made, BatchStrategy))),
        values,
    )
    return _wrapped(player, _source(made) if strategy is made else f"object {id(strategy)}")


def of_functions(
    name: str,
    play: Any,
    tribute: Any,
    return_tribute: Any,
    *,
    zh: str = "",
    en: str = "",
    listing: Literal["shapes", "all"] = "shapes",
    deterministic: bool = False,
    observed: bool = False,
) -> WrappedStrategy:
    """Make a native strategy of three functions `uint32_t f(const gd_view *view)`.

    Each is an address, a function of numba (`numba.cfunc`) or of ctypes; they are kept alive. With the GIL held by
    nobody the engine calls them from any thread.
    """
    functions = (play, tribute, return_tribute)
    capsule = _core.strategy_of_functions(
        name,
        _address(play),
        _address(tribute),
        _address(return_tribute),
        zh,
        en,
        listing == "all",
        deterministic,
        observed,
        functions,
    )
    return _wrapped(capsule, f"functions {[_address(function) for function in functions]}")


def _wrapped(player: Any, source: str) -> WrappedStrategy:
    info = _core.strategy_info(player)
    digest = hashlib.sha256(f"{info['name']}\0{source}".encode()).hexdigest()[:16]
    return WrappedStrategy(
        info["name"],
        player,
        info["deterministic"],
        info["observed"],
        info["ranks"],
        digest,
        info["zh"] or "",
        info["en"] or "",
    )


def _values(made: type, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Value of each parameter that the class declares, and of what else its constructor was given."""
    known: Mapping[str, Setting] = getattr(made, "parameters", None) or {}
    values = {key: default for key, (default, *_) in known.items()} | dict(settings)
    for key, value in settings.items():
        if key in known and not known[key][1] <= value <= known[key][2]:
            raise ValueError(f"{key} of {made.__name__} is {value}: write {known[key][1]} to {known[key][2]}")
        if known and key not in known:
            raise ValueError(f"{made.__name__} has no parameter {key!r}: write {' or '.join(known)}")
    return values


def _source(made: type) -> str:
    try:
        return f"{made.__qualname__}\0{Path(inspect.getfile(made)).read_text()}"
    except (OSError, TypeError):  # typed in, not read from a file
        return f"{made.__qualname__} {id(made)}"


def _address(function: Any) -> int:
    """Address of a compiled function."""
    if isinstance(function, int):
        return function
    address: Callable[[], int] | int | None = getattr(function, "address", None)  # numba
    if isinstance(address, int):
        return address
    import ctypes

    return ctypes.cast(function, ctypes.c_void_p).value or 0
