"""The rules as data: one field for each point on which sources or tables differ.

Sources: «national» is 竞技掼蛋竞赛规则（试行） by article; where it is silent the value is the common practice of the
engines compared in docs/decisions. Each field's `metadata` holds the Chinese term, the source, and the values that
this engine version plays: a value that it cannot play is refused when the rules are made, never ignored.
"""

import difflib
import hashlib
import json
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from engine import _core
from engine.cards import level_rank

SAFETY_CAP = _core.SAFETY_CAP
"""Deals after which a match ends undecided, whatever the rules: a technical limit, reported, no rule of the game."""


def _point(default: Any, term: str, source: str, plays: tuple[Any, ...] | None = None) -> Any:
    """Declare a rule point. plays: the values this version can play; None where every value of the right type is."""
    return field(default=default, metadata={"term": term, "source": source, "plays": plays})


@dataclass(frozen=True, kw_only=True)
class Rules:
    """The rules of a match. Raises ValueError naming field, value and what may stand there."""

    # cards and plays
    copies_beyond_deck: bool = _point(True, "逢人配可成第三张", "silent; bombs of nine and ten are named", (True,))
    wild_single: bool = _point(True, "红心级牌单出", "national art. 2(14): not forbidden", (True,))
    wild_single_takes_wind: bool = _point(True, "只剩逢人配可接风", "national art. 9: not forbidden", (True,))
    wild_pair_any: bool = _point(False, "两张逢人配作任意对子", "silent; pair of the level only", (False,))
    suited_straight_is_plain: bool = _point(False, "同花顺可作顺子出", "national art. 3: a kind of its own", (False,))
    # a trick
    wind_to: str = _point("partner", "借风/接风", "national art. 9", ("partner",))
    # promotion and A
    steps: tuple[int, int, int] = _point((3, 2, 1), "升级：搭档二游、三游、下游", "national art. 2(12)", ((3, 2, 1),))
    a_plus: bool = _point(False, "A+", "national art. 2(13): A must be played", (False,))
    win_on_reaching_a: bool = _point(False, "升到A即胜", "national art. 2(13): A must be played")
    pass_a_partner: str = _point("third", "过A时搭档最低游次", "national art. 2(13): not last", ("second", "third"))
    a_fail_limit: int = _point(0, "几次不过A降级", "national: none; 0 is no limit")
    a_fail_counts: str = _point("every", "何种不过A计次", "every deal at one's own A not passed", ("every",))
    a_drop_level: str = _point("2", "不过A降到", "common practice", ("2",))
    ace_last_play: bool = _point(False, "A级以A收牌降级", "national: none", (False,))
    # tribute
    tribute: bool = _point(True, "进贡", "national art. 10")
    last_pays_partner: bool = _point(True, "下游向搭档上游进贡", "national art. 10: 下游向上游", (True,))
    tribute_choice: str = _point("payer", "贡牌点数相同由谁选", "silent; the payer", ("payer",))
    equal_tribute: str = _point(
        "clockwise", "双贡牌点相同", "national art. 10(3): 按顺时针方向", ("clockwise", "upstream")
    )
    return_level_card: bool = _point(False, "可还级牌", "national art. 10(2); a level card ranks above A")
    refuse_with_small_jokers: bool = _point(False, "两小王抗贡", "national art. 10(4): two big jokers", (False,))
    lead_after_refusal: str = _point("first", "抗贡后领出", "national art. 10(4)", ("first",))
    lead_after_tribute: str = _point("payer_to_first", "贡牌后领出", "national art. 10(2), (3)", ("payer_to_first",))
    # the match
    first_lead: str = _point("uniform", "首副牌领出", "every turned card equally likely", ("uniform",))
    start_levels: tuple[str, str] = _point(("2", "2"), "起打级数（0、2 座与 1、3 座）", "national art. 2(12)")
    limit_deals: int = _point(0, "规定副数", "national art. 12; 0 is no limit")

    def __post_init__(self) -> None:
        for f in fields(self):
            value, plays = getattr(self, f.name), f.metadata["plays"]
            if type(value) is not type(f.default):
                raise ValueError(f"rule {f.name}={value!r} is a {type(value).__name__}: write it like {f.default!r}")
            if plays is not None and value not in plays:
                values = " or ".join(repr(v) for v in plays)
                raise ValueError(f"rule {f.name}={value!r} cannot be played by this version: write {values}")
        own, other = (level_rank(level) for level in self.start_levels)
        if own != other:
            raise ValueError(
                f"rule start_levels={self.start_levels!r} cannot be played by this version: write two equal levels"
            )
        if not 0 <= self.a_fail_limit <= SAFETY_CAP:
            raise ValueError(f"rule a_fail_limit={self.a_fail_limit}: write 0 (no limit) to {SAFETY_CAP}")
        if not 0 <= self.limit_deals < SAFETY_CAP:
            raise ValueError(f"rule limit_deals={self.limit_deals}: write 0 (no limit) to {SAFETY_CAP - 1}")

    def core(self) -> tuple[int, ...]:
        """Give the tuple that the C core reads (py_convert.c, py_rules_from)."""
        return (
            *self.steps,
            2 if self.pass_a_partner == "third" else 1,
            int(self.win_on_reaching_a),
            self.a_fail_limit,
            int(self.tribute),
            ("clockwise", "upstream").index(self.equal_tribute),
            int(self.return_level_card),
            *(level_rank(level) for level in self.start_levels),
            self.limit_deals,
        )

    def hash(self) -> str:
        """Digest of every value, 16 hex digits: equal rules, equal hash, whatever they are called."""
        text = json.dumps(asdict(self), sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()[:16]


NATIONAL = Rules()
"""竞技掼蛋竞赛规则（试行）."""

PRESETS = {"national": NATIONAL}


def rules_by_name(name: str) -> Rules:
    """Look a preset up. ValueError names the nearest or all there are."""
    if name in PRESETS:
        return PRESETS[name]
    near = difflib.get_close_matches(name, PRESETS, 1) or list(PRESETS)
    raise ValueError(f"there are no rules called {name!r}: write {' or '.join(near)}")
