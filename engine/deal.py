"""One deal (一副牌) from given hands: to try positions, to replay, to test."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from engine import _core
from engine.cards import card_bytes, card_texts, level_rank
from engine.errors import ToldError
from engine.plays import PASS, Kind, LegalPlays, Listing, Play, beats, code_of, readings
from engine.rules import NATIONAL, Rules


class IllegalPlayError(ToldError):
    """A play that the rules do not allow now; the message is the reason."""


@dataclass(frozen=True)
class Trick:
    """A trick under way: who laid the play to beat, the play, and how many seats have passed since."""

    holder: int
    play: Play
    passes: int


class Deal:
    """A deal in play. Seats 0..3 in playing order; partners sit opposite.

    hands: four hands as card texts, any sizes up to 28. level: letter. leader: seat that leads, or that acts in
    `trick`. out: seats that are out already, in order, holding no card. trick: the trick under way, None where the
    seat leads. Raises ValueError for hands that no deal can have (a card three times), or where that seat cannot be to
    act. Source: national rules art. 8, 9. engine.notation writes a deal as one line of text and reads it.
    """

    def __init__(
        self,
        hands: Sequence[str | Sequence[str]],
        level: str,
        leader: int,
        out: Sequence[int] = (),
        rules: Rules = NATIONAL,
        trick: Trick | None = None,
    ) -> None:
        if len(hands) != 4:
            raise ValueError(f"a deal has four hands, not {len(hands)}")
        self.level, self.rules = level, rules
        code = code_of(trick.play, level, rules) if trick else 0
        self._core = _core.Deal(
            tuple(card_bytes(h) for h in hands),
            level_rank(level),
            leader,
            bytes(tuple(out)),
            rules.core(),
            (trick.holder, code, trick.passes) if trick else None,
        )
        self._last: Play | None = trick.play if trick else None

    def copy(self) -> "Deal":
        """Make an independent deal in the same state: what is played on it can be thrown away."""
        if self.turn is None:
            raise ValueError("the deal is over: there is nothing to try")
        return Deal(self.hands, self.level, self.turn, self.order, self.rules, self.trick)

    @property
    def turn(self) -> int | None:
        """Seat to act, None when the deal is over."""
        turn = self._core.state[0]
        return None if turn < 0 else turn

    @property
    def to_beat(self) -> Play | None:
        """Play on the table, None when the seat in turn leads."""
        return self._last if self._core.state[1] else None

    @property
    def trick(self) -> Trick | None:
        """The trick under way, None when the seat in turn leads."""
        _, code, holder, _, _, passes, _ = self._core.state
        return Trick(holder, self._last, passes) if code and self._last else None

    @property
    def wind(self) -> bool:
        """The seat in turn has taken the lead by wind (接风). A deal begun at this point does not remember it."""
        return bool(self._core.state[6])

    @property
    def over(self) -> bool:
        """The finishing order is complete."""
        return bool(self._core.state[3])

    @property
    def order(self) -> tuple[int, ...]:
        """Seats that are out, in order; all four when the deal is over (third and last tied after a double-down)."""
        return tuple(self._core.state[4])

    @property
    def hands(self) -> tuple[tuple[str, ...], ...]:
        """Cards each seat holds."""
        return tuple(card_texts(h) for h in self._core.hands)

    def legal_plays(self, listing: Listing = "all") -> LegalPlays:
        """List what the seat in turn may do. ValueError when the deal is over."""
        if self.turn is None:
            raise ValueError("the deal is over")
        return LegalPlays(self.hands[self.turn], self.level, self.to_beat, listing, self.rules)

    def verify_play(self, play: Play) -> None:
        """Raise IllegalPlayError with the reason if the seat in turn may not make this play now."""
        if self.turn is None:
            raise IllegalPlayError("the deal is over", "这副牌已经打完")
        if play.kind == Kind.PASS:
            if self.to_beat is None:
                raise IllegalPlayError(f"seat {self.turn} leads and must lay cards", f"{self.turn} 位领出，不能过")
            return
        missing = Counter(play.cards) - Counter(self.hands[self.turn])
        if missing:
            lacked = " ".join(missing.elements())
            raise IllegalPlayError(f"seat {self.turn} does not hold {lacked}", f"{self.turn} 位没有 {lacked}")
        declared = [(p.kind, p.key) for p in readings(play.cards, self.level, self.rules)]
        if (play.kind, play.key) not in declared:
            known = ", ".join(f"{kind.name} {key}" for kind, key in declared)
            cards, named = " ".join(play.cards), f"{play.kind.name} {play.key}"
            raise IllegalPlayError(
                f"{cards} is {known or 'no play'}, not {named}",
                f"{cards} 是 {known}，不是 {named}" if known else f"{cards} 不成牌型，不是 {named}",
            )
        over = self.to_beat
        if over is not None and not beats(play, over, self.level, self.rules):
            mine, theirs = f"{play.kind.name} {play.key}", f"{over.kind.name} {over.key}"
            raise IllegalPlayError(f"{mine} does not beat {theirs}", f"{mine} 压不过 {theirs}")

    def can_play(self, play: Play) -> bool:
        """Tell whether the seat in turn may make this play now; PASS is one."""
        try:
            self.verify_play(play)
        except ValueError:
            return False
        return True

    def play(self, play: Play) -> None:
        """Lay a play, or PASS, for the seat in turn. IllegalPlayError if it is not legal; nothing has then changed."""
        self.verify_play(play)
        self._core.play(code_of(play, self.level, self.rules), card_bytes(play.cards))
        if play != PASS:
            self._last = play
