"""Answer JSON lines with legal plays: the `moves` command, a worker for programs in other languages.

A line {"id", "level", "hand", "greater"} gets {"id", "actions"}; `actions` is what Guandan platforms send their bots:
[type, rank, [cards]] in their names and order, PASS first when there is something to beat. A bad line gets
{"id", "error"} and the next goes on.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from typing import BinaryIO, TextIO, cast

from cluster.laying import laid_out
from cluster.texts import Texts
from engine.cards import CARDS, LEVELS
from engine.plays import Kind, LegalPlays, Play, readings
from sim.errors import one_line

TYPES = {
    "Single": Kind.SINGLE,
    "Pair": Kind.PAIR,
    "Trips": Kind.TRIPLE,
    "ThreePair": Kind.TUBE,
    "ThreeWithTwo": Kind.FULL_HOUSE,
    "TwoTrips": Kind.PLATE,
    "Straight": Kind.STRAIGHT,
    "StraightFlush": Kind.STRAIGHT_FLUSH,
    "Bomb": Kind.BOMB,
    "FourKings": Kind.JOKER_BOMB,
}
_NAMES = {kind: name for name, kind in TYPES.items()}
_PASS = ["PASS", "PASS", "PASS"]
_FIELDS = ("id", "level", "hand", "greater")
MAX_LINE = 65_536  # bytes; a full hand takes about 300
_MAX_CARDS = 27

Action = list[object]


class LineError(Exception):
    """Hold the answer to a line that cannot be understood, and its id if that could be read."""

    def __init__(self, text: str, id_: object = None) -> None:
        super().__init__(text)
        self.id = id_


def serve(source: BinaryIO, sink: TextIO, t: Texts) -> None:
    """Answer every line of `source` on `sink`, one line each, flushed at once; empty lines are skipped."""
    while line := source.readline(MAX_LINE + 1):
        too_long = len(line) > MAX_LINE
        end = line
        while not end.endswith(b"\n") and (end := source.readline(MAX_LINE)):
            too_long = True
        if not line.strip():
            continue
        try:
            if too_long:
                raise LineError(t("line_long", limit=MAX_LINE))
            answer: dict[str, object] = respond(line, t)
        except LineError as error:
            answer = {"id": error.id, "error": str(error)}
        sink.write(json.dumps(answer, separators=(",", ":")) + "\n")
        sink.flush()


def respond(line: bytes, t: Texts) -> dict[str, object]:
    """Answer one line; `LineError` says what is wrong with it."""
    fields = _parse(line, t)
    id_ = fields.get("id")
    if not (id_ is None or isinstance(id_, str) or (isinstance(id_, int) and not isinstance(id_, bool))):
        raise LineError(t("line_id"))
    try:
        for name in fields:
            if name not in _FIELDS:
                raise LineError(t("line_field", name=one_line(name, 40), known=" ".join(_FIELDS)))
        level = _level(fields.get("level"), t)
        hand = _cards(fields.get("hand"), t, t("line_hand"))
        greater = _greater(fields.get("greater"), level, t)
    except LineError as error:
        raise LineError(str(error), id_) from None
    return {"id": id_, "actions": [action(play, level) for play in LegalPlays(hand, level, greater)]}


def action(play: Play, level: str) -> Action:
    """Write a play in the platforms' notation."""
    if play.kind == Kind.PASS:
        return list(_PASS)
    rank = "B" if play.kind == Kind.JOKER_BOMB else play.key
    return [_NAMES[play.kind], rank, laid_out(play, level)]


def _parse(line: bytes, t: Texts) -> dict[str, object]:
    def refuse(word: str) -> object:
        raise ValueError(word)

    try:
        fields = json.loads(line, parse_constant=refuse)
    except (ValueError, RecursionError) as error:  # bad UTF-8 is a ValueError too
        raise LineError(t("line_json", reason=one_line(error, 100))) from None
    if not isinstance(fields, dict):
        raise LineError(t("line_object"))
    return cast(dict[str, object], fields)


def _level(value: object, t: Texts) -> str:
    if not isinstance(value, str) or value not in set(LEVELS):
        raise LineError(t("line_level", value=one_line(json.dumps(value), 40)))
    return value


def _cards(value: object, t: Texts, wrong: str) -> list[str]:
    if not isinstance(value, list) or not 1 <= len(value) <= _MAX_CARDS:
        raise LineError(wrong)
    known = set(CARDS)
    for card in value:
        if not isinstance(card, str) or card not in known:
            raise LineError(t("line_card", value=one_line(json.dumps(card), 40)))
    for card, copies in Counter(value).items():
        if copies > 2:
            raise LineError(t("line_copies", value=card))
    return cast(list[str], value)


def _greater(value: object, level: str, t: Texts) -> Play | None:
    if value is None or value == [None, None, None] or value == _PASS:
        return None
    if not isinstance(value, list) or len(value) != 3:
        raise LineError(t("line_greater"))
    name, rank, shown = value
    if not isinstance(name, str) or not isinstance(rank, str):
        raise LineError(t("line_greater"))
    if name not in TYPES:
        raise LineError(t("line_type", value=one_line(name, 40), known=" ".join(TYPES)))
    cards = _cards(shown, t, t("line_greater"))
    # The older platform calls four jokers a bomb of rank JOKER; the rank of the newer one, B or R, says nothing.
    four_kings = name == "FourKings" or (name == "Bomb" and rank in ("JOKER", "R", "B"))
    kind = Kind.JOKER_BOMB if four_kings else TYPES[name]
    found = _find(readings(cards, level), kind, None if four_kings else rank)
    if found is None:
        raise LineError(t("line_reading", level=level, type=name, rank=one_line(rank, 40)))
    return found


def _find(plays: Iterable[Play], kind: Kind, rank: str | None) -> Play | None:
    for play in plays:
        if play.kind == kind and rank in (None, play.key):
            return play
    return None
