"""One deal (一副牌) from given hands: to try positions, to replay, to test."""

from collections.abc import Sequence

from engine import _core
from engine.cards import card_bytes, card_texts, level_rank
from engine.plays import LegalPlays, Listing, Play, code_of
from engine.rules import NATIONAL, Rules


class Deal:
    """A deal in play. Seats 0..3 in playing order; partners sit opposite.

    hands: four hands as card texts, any sizes up to 28. level: letter. leader: seat that leads. out: seats that are
    out already, in order, holding no card. Raises ValueError for hands that no deal can have (a card three times), or
    where nobody can lead. Source: national rules art. 8, 9.
    """

    def __init__(
        self,
        hands: Sequence[str | Sequence[str]],
        level: str,
        leader: int,
        out: Sequence[int] = (),
        rules: Rules = NATIONAL,
    ) -> None:
        if len(hands) != 4:
            raise ValueError(f"a deal has four hands, not {len(hands)}")
        self.level, self.rules = level, rules
        self._core = _core.Deal(
            tuple(card_bytes(h) for h in hands), level_rank(level), leader, bytes(tuple(out)), rules.core()
        )
        self._last: Play | None = None

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

    def play(self, play: Play) -> None:
        """Lay a play, or PASS, for the seat in turn. ValueError if it is not legal; nothing has then changed."""
        self._core.play(code_of(play, self.level, self.rules), card_bytes(play.cards))
        if play.cards:
            self._last = play
