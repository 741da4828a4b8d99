"""The state of a deal as one line of text, both ways: for tests, bug reports and questions.

    LEVEL HANDS OUT TURN TRICK

`LEVEL` is a letter. `HANDS` are the four hands by seat, joined by `/`, cards written one after the other, `-` for none.
`OUT` are the seats that are out, in order, `-` for none. `TURN` is the seat to act. `TRICK` is `-` where it leads,
else `HOLDER:KIND:KEY:CARDS:PASSES`: who laid the play to beat, the play, how many seats have passed since.

    7 S3D3H7/S9/C4C5/HR - 1 0:PAIR:2:S2D2:0
"""

from engine.cards import card_texts, parse_cards
from engine.deal import Deal, Trick
from engine.plays import Kind, Play
from engine.rules import NATIONAL, Rules

_FIELDS = "LEVEL HANDS OUT TURN TRICK"


def write_state(deal: Deal) -> str:
    """Write a deal in play as one line. ValueError when it is over: there is no seat to act."""
    if deal.turn is None:
        raise ValueError("the deal is over: its state is its order")
    hands = "/".join("".join(hand) or "-" for hand in deal.hands)
    out = "".join(str(seat) for seat in deal.order) or "-"
    trick = deal.trick
    shown = "-"
    if trick is not None:
        play = trick.play
        shown = f"{trick.holder}:{play.kind.name}:{play.key}:{''.join(play.cards)}:{trick.passes}"
    return f"{deal.level} {hands} {out} {deal.turn} {shown}"


def read_state(text: str, rules: Rules = NATIONAL) -> Deal:
    """Read a line that write_state wrote, or that somebody typed. ValueError names what is wrong and what stands there.

    >>> read_state("7 S3D3H7/S9/C4C5/HR - 1 0:PAIR:2:S2D2:0").turn
    1
    """
    fields = text.split()
    if len(fields) != 5:
        raise ValueError(f"a state has the fields {_FIELDS}, not {len(fields)} of them: {text[:80]!r}")
    level, hands, out, turn, trick = fields
    held = [_cards(hand) for hand in hands.split("/")]
    seats = [] if out == "-" else [_seat(seat) for seat in out]
    return Deal(held, level, _seat(turn), seats, rules, None if trick == "-" else _trick(trick))


def _cards(text: str) -> tuple[str, ...]:
    if text == "-":
        return ()
    return card_texts(parse_cards([text[i : i + 2] for i in range(0, len(text), 2)]))


def _seat(text: str) -> int:
    if text not in ("0", "1", "2", "3"):
        raise ValueError(f"{text!r} is no seat: write 0, 1, 2 or 3")
    return int(text)


def _trick(text: str) -> Trick:
    parts = text.split(":")
    if len(parts) != 5:
        raise ValueError(f"a trick is HOLDER:KIND:KEY:CARDS:PASSES or -, not {text!r}")
    holder, kind, key, cards, passes = parts
    if kind not in Kind.__members__ or kind == Kind.PASS.name:
        raise ValueError(
            f"{kind!r} is no kind: write one of {' '.join(name for name in Kind.__members__ if name != 'PASS')}"
        )
    return Trick(_seat(holder), Play(Kind[kind], key, _cards(cards)), _seat(passes))
