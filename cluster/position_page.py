"""Print a deal that was given by hand: its plays as a replay shows them, then what stands now."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Collection, Iterator
from typing import Any

from rich.console import Console

from cluster.laying import laid_out
from cluster.parsing import CommandLineError
from cluster.show import Drawing
from cluster.texts import Pasted, Texts
from engine.deal import Deal
from engine.notation import Record, RecordError, read_record, write_record, write_state
from engine.plays import PASS, Play
from engine.rules import RulesError
from engine.ruleset import load_rules
from engine.unseen import fill_unseen, hidden_seats
from sim.errors import one_line
from sim.request import rules_error

_MAX_BYTES = 1 << 20  # a whole deal takes a few thousand


def read(t: Texts, given: str, rules: str, at: int | None, name: str = "--state", unseen: bool = False) -> Record:
    """Read a record from the command line, a file or stdin, cut after `at` plays. `CommandLineError` in one line.

    name: of the argument, as the line names it. unseen: hands may be written as numbers of cards (engine.unseen).
    """
    text = _text(t, given, name)
    try:
        found = load_rules(rules).rules
        record = read_record(fill_unseen(text, found) if unseen else text, found)
    except RulesError as error:
        raise rules_error(error) from None
    except RecordError as error:
        line = one_line(error.zh if t.language == "zh" else error.en, 500)
        if text is given and len(given.split()) == 1:  # by its looks the name of a file
            line = t("state_no_file", name=one_line(given, 60), text=Pasted(line))
        raise CommandLineError(t("state_wrong", name=name, text=Pasted(line))) from None
    if at is not None and at > len(record.plays):
        raise CommandLineError(t("state_at", value=at, limit=len(record.plays)))
    record = Record(record.state, record.plays[:at], record.rules)
    turn = record.at().turn
    if unseen and turn in hidden_seats(text):  # what fills it can be played, but is not what the seat holds
        raise CommandLineError(t("state_hidden", name=name, turn=turn))
    return record


def _text(t: Texts, given: str, name: str) -> str:
    if given == "-":
        raw = sys.stdin.buffer.read(_MAX_BYTES + 1)
    elif os.path.exists(given):
        with open(given, "rb") as file:
            raw = file.read(_MAX_BYTES + 1)
    else:
        return given
    if len(raw) > _MAX_BYTES:
        raise CommandLineError(t("state_long", name=name, file=given, limit=_MAX_BYTES))
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise CommandLineError(t("state_bytes", name=name, file=given, place=error.start)) from None


def write(console: Console, t: Texts, record: Record, plays: bool) -> None:
    """Print the deal and its present position; with `plays`, every legal play of the seat in turn."""
    PositionPage(console, t, record).write(plays)


def as_json(record: Record, rules: str, plays: bool) -> str:
    """Give the same as one JSON object; `turn`, `to_beat` and `state` are null when the deal is over."""
    start, now = record.at(0), record.at()
    fields = {
        "rules": rules,
        "level": now.level,
        "hands": start.hands,
        "events": list(_events(record)),
        "record": write_record(record),
        "now": {
            "hands": now.hands,
            "order": now.order,
            "over": now.over,
            "turn": now.turn,
            "to_beat": None if now.over or now.trick is None else [now.trick.holder, *_plain(now.trick.play)],
            "state": None if now.over else write_state(now),
        },
    }
    if plays:
        fields["plays"] = [] if now.over else [_plain(play) for play in now.legal_plays()]
    return json.dumps(fields, ensure_ascii=False)


def _plain(play: Play) -> tuple[str, str, tuple[str, ...]]:
    return play.kind.name, play.key, play.cards


def _events(record: Record) -> Iterator[tuple[Any, ...]]:
    """Give the plays as the steps of a replay: play, pass, wind, out. What lay on the table before comes first."""
    deal = record.at(0)
    trick, turn = deal.trick, deal.turn
    if trick is not None and turn is not None:
        yield "play", trick.holder, *_plain(trick.play)
        between = [(trick.holder + step) % 4 for step in range(1, (turn - trick.holder) % 4)]
        yield from (("pass", seat) for seat in between if deal.hands[seat])
    for play in record.plays:
        seat = deal.turn
        assert seat is not None, "a record has no play after the end"
        deal.play(play)
        if play == PASS:
            yield "pass", seat
            if deal.wind:
                yield "wind", deal.turn
            continue
        yield "play", seat, *_plain(play)
        if not deal.hands[seat]:
            yield "out", seat


class PositionPage(Drawing):
    """Draw a record, and the position it leads to."""

    def __init__(self, console: Console, t: Texts, record: Record) -> None:
        start = record.at(0)
        super().__init__(console, t, start.level, [len(hand) for hand in start.hands], record.rules)
        self.record, self.start, self.now = record, start, record.at()
        self.gone = list(start.order)
        if start.trick is not None:  # drawn as the first play, after which the hands are as given
            self.left[start.trick.holder] += len(start.trick.play.cards)

    def write(self, plays: bool) -> None:
        """Print the hands, the plays and what stands now."""
        t = self.t
        self._say(t("state_level", level=self._level()), style="bold")
        self._say(t("show_legend"), style="dim")
        self._hands("state_hands", self.start.hands)
        for name, *details in _events(self.record):
            self.steps[name](*details)
        self._title("state_now", count=len(self.record.plays))
        if self.now.over:
            self._say(t("show_order", order=order_text(self.now)), style="bold")
            return
        self._standing()
        if plays:
            self._legal()

    def seen(self) -> None:
        """Print what the seat in turn sees of the present position."""
        t, now = self.t, self.now
        self._say(t("state_level", level=self._level()), style="bold")
        self._say(t("show_legend"), style="dim")
        self._seats({now.turn})
        self._turn()

    def _standing(self) -> None:
        self._seats({0, 1, 2, 3})
        self._turn()
        self._title("state_line")
        self._say(write_state(self.now))

    def _seats(self, shown: Collection[int | None]) -> None:
        """Say who is out and what the others hold: their cards where they are `shown`, else how many."""
        t, now = self.t, self.now
        for place, seat in enumerate(now.order, start=1):
            self._say("  ", self._seat(seat), "  ", t(f"place_{place}"))
        for seat, hand in enumerate(now.hands):
            if hand:
                cards = self._cards(sorted(hand, key=self._strength)) if seat in shown else ""
                self._say("  ", self._seat(seat), "  ", t("show_left", count=len(hand)), "  ", cards)

    def _turn(self) -> None:
        t, now = self.t, self.now
        if now.trick is None:
            self._say(t("state_leads", seat=now.turn))
        else:
            play = now.trick.play
            self._say(t("state_follows", seat=now.turn, holder=now.trick.holder), " ", *self._shown(play, 0))

    def _shown(self, play: Play, width: int = 16) -> tuple[Any, ...]:
        if play == PASS:
            return (self.t("show_pass"),)
        return self._label(play, width), " ", self._cards(laid_out(play, self.level))

    def _legal(self) -> None:
        found = self.now.legal_plays()
        self._title("state_plays", seat=self.now.turn, count=len(found))
        for number, play in enumerate(found, start=1):
            self._say(f"  {number:>5}  ", *self._shown(play))


def order_text(deal: Deal) -> str:
    """Write the finishing order of a deal that is over as the tables do, seats that tie in brackets."""
    order = "".join(map(str, deal.order))
    return f"{order[:2]}({''.join(sorted(order[2:]))})" if deal.hands[deal.order[2]] else order
