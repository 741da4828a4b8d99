"""A native strategy written in Python: the structs of guandan_strategy.h (interface 2) as ctypes, and capsules of them.

Slow, for tests only: it looks at what the engine hands to a strategy, and lets a C strategy be asked again and again at
one position. The engine calls back while it holds no GIL; ctypes takes it for the call.
"""

import ctypes as c
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

SHAPES, ALL = 0, 1
"""Lists that a strategy may choose from (GD_LIST_SHAPES, GD_LIST_ALL)."""

CAPSULE = b"guandan.strategy"


class Hand(c.Structure):
    _fields_ = (("counts", c.c_uint64), ("one", c.c_uint64), ("two", c.c_uint64))


class Cards(c.Structure):
    _fields_ = (("one", c.c_uint64), ("two", c.c_uint64))

    def ids(self) -> bytes:
        """Card ids, ascending: lanes of 16 bits are suits, bits of a lane are ranks, jokers lie in lane 0."""
        found = []
        for lanes in (self.one, self.two):
            for bit in range(64):
                if lanes >> bit & 1:
                    suit, rank = divmod(bit, 16)
                    found.append(4 * rank + suit if rank < 13 else rank + 39)
        return bytes(sorted(found))


class Stream(c.Structure):
    _fields_ = (("s", c.c_uint64 * 2),)


class View(c.Structure):
    """What a seat may know (gd_view)."""


class Step(c.Structure):
    _fields_ = (("cards", Cards), ("shape", c.c_uint32), ("seat", c.c_uint8), ("pad", c.c_uint8 * 3))


class Tribute(c.Structure):
    _fields_ = (
        ("kind", c.c_uint8),
        ("n", c.c_uint8),
        ("payer", c.c_uint8 * 2),
        ("receiver", c.c_uint8 * 2),
        ("given", c.c_int8 * 2),
        ("returned", c.c_int8 * 2),
    )


class Api(c.Structure):
    _fields_ = (
        ("suit_choices", c.CFUNCTYPE(c.c_uint32, c.POINTER(View), c.c_uint32)),
        ("shape_at", c.CFUNCTYPE(c.c_uint32, c.POINTER(View), c.c_uint32)),
        ("cards", c.CFUNCTYPE(Cards, c.POINTER(View), c.c_uint32, c.c_uint32)),
        ("value", c.CFUNCTYPE(c.c_int32, c.POINTER(View), c.c_int)),
    )


View._fields_ = (
    ("api", c.POINTER(Api)),
    ("parameters", c.POINTER(c.c_int32)),
    ("random", c.POINTER(Stream)),
    ("plays", c.POINTER(c.c_uint32)),
    ("starts", c.POINTER(c.c_uint32)),
    ("options", c.POINTER(c.c_uint8)),
    ("hand", c.POINTER(Hand)),
    ("left", c.POINTER(c.c_uint8)),
    ("gone", c.POINTER(Cards)),
    ("steps", c.POINTER(Step)),
    ("shown", c.POINTER(Tribute)),
    ("rules", c.c_void_p),
    ("n", c.c_uint32),
    ("n_steps", c.c_uint32),
    ("to_beat", c.c_uint32),
    ("holder", c.c_int8),
    ("seat", c.c_uint8),
    ("level", c.c_uint8),
    ("first_ends", c.c_uint8),
    ("levels", c.c_uint8 * 2),
    ("declarer", c.c_int8),
    ("a_fails", c.c_uint8 * 2),
    ("order", c.c_uint8 * 4),
    ("deal", c.c_uint16),
    ("deals_left", c.c_uint16),
    ("seconds_left", c.c_int32),
)

Decide = c.CFUNCTYPE(c.c_uint32, c.POINTER(View))


class Strategy(c.Structure):
    _fields_ = (
        ("abi", c.c_uint32),
        ("list", c.c_uint32),
        ("deterministic", c.c_uint32),
        ("observed", c.c_uint32),
        ("name", c.c_char_p),
        ("zh", c.c_char_p),
        ("en", c.c_char_p),
        ("n_parameters", c.c_uint32),
        ("reserved", c.c_uint32),
        ("parameters", c.c_void_p),
        ("values", c.POINTER(c.c_int32)),
        ("play", Decide),
        ("tribute", Decide),
        ("return_tribute", Decide),
        ("rank", c.c_void_p),
    )


def capsule_of(strategy: c.Structure, name: bytes = CAPSULE) -> Any:
    """Wrap a struct, which must outlive the capsule, as must the name."""
    new = c.pythonapi.PyCapsule_New
    new.restype, new.argtypes = c.py_object, (c.c_void_p, c.c_char_p, c.c_void_p)
    return new(c.addressof(strategy), name, None)


def struct_in(capsule: Any) -> Strategy:
    """Look into the capsule of a strategy."""
    pointer = c.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = c.c_void_p, (c.py_object, c.c_char_p)
    return Strategy.from_address(pointer(capsule, CAPSULE))


Answer = Callable[[View], int]


def first(view: View) -> int:
    """Answer with the first entry."""
    return 0


def answers_of(strategy: Strategy) -> tuple[Answer, Answer, Answer]:
    """Give play, tribute and return of a C strategy, asked with its own parameters whoever holds the view."""

    def of(what: str) -> Answer:
        def answer(view: View) -> int:
            view.parameters = strategy.values
            return int(getattr(strategy, what)(view))

        return answer

    return of("play"), of("tribute"), of("return_tribute")


@dataclass
class PythonStrategy:
    """A strategy whose answers are Python functions of the view; the view is valid during the call only.

    Errors raised by an answer are kept in `errors`, since nothing can be raised through C; the answer is then 0.
    """

    play: Answer = first
    tribute: Answer = first
    return_tribute: Answer = first
    listing: int = SHAPES
    name: str = "python"
    deterministic: bool = False
    observed: bool = False
    built_in: bool = True
    hash: str = "0123456789abcdef"
    errors: list[BaseException] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._struct = Strategy(
            2,
            self.listing,
            self.deterministic,
            0,
            self.name.encode(),
            None,
            None,
            0,
            0,
            None,
            None,
            *(Decide(self._guarded(answer)) for answer in (self.play, self.tribute, self.return_tribute)),
        )
        self.capsule = capsule_of(self._struct)

    def _guarded(self, answer: Answer) -> Callable[[Any], int]:
        def call(view: Any) -> int:
            try:
                return answer(view.contents)
            except BaseException as error:
                self.errors.append(error)
                return 0

        return call

    def raise_errors(self) -> None:
        """Raise the first error of an answer, if there was one."""
        if self.errors:
            raise self.errors[0]
