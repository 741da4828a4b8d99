"""The rules as data: one field for each point on which sources or tables differ.

Named rule sets and files of one's own are read by engine.ruleset. A value or a combination that cannot be played is
refused when the rules are made, never ignored (docs/decisions/0004).
"""

import difflib
import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from engine import _core
from engine.cards import LEVELS, level_rank
from engine.errors import ToldError

SAFETY_CAP = _core.SAFETY_CAP
"""Deals after which a match ends undecided, whatever the rules: a technical limit, reported, no rule of the game."""


class RulesError(ToldError):
    """Rules that cannot be: the line names switch, value and what may stand there."""

    def within(self, place: object) -> "RulesError":
        """Say where the rules were written."""
        return RulesError(f"{place}: {self}", f"{place}：{self.zh}")


def _point(default: Any, zh: str, en: str, values: tuple[str, ...] = ()) -> Any:
    """Declare a rule point: its Chinese term, its meaning, and for a word the words that may stand there."""
    return field(default=default, metadata={"zh": zh, "en": en, "values": values})


@dataclass(frozen=True, kw_only=True)
class Rules:
    """The rules of a match; the defaults are `national`. RulesError for what cannot be played."""

    # plays
    wild_single: bool = _point(True, "红心级牌可单出", "a wild may be played alone")
    wild_pair_any: bool = _point(
        False, "两张逢人配可作任意对子", "two wilds may be called a pair of any rank but jokers"
    )
    suited_straight_is_plain: bool = _point(
        False, "同花五张可作顺子", "five naturals of one suit may be called a plain straight"
    )
    copies_beyond_deck: bool = _point(
        True, "逢人配可成第九、十张", "wilds may stand for copies that the deck has not: bombs of nine and ten"
    )
    # a trick
    wild_single_takes_wind: bool = _point(True, "只剩一张逢人配可接风", "a seat left with one wild may take the wind")
    wind_to: str = _point("partner", "接风归", "who leads when a finisher's last play stands", ("partner", "next"))
    report: str = _point(
        "ten",
        "报牌",
        "when a seat must say how many cards it has left: after each play that leaves ten or fewer; on reaching ten or "
        "fewer, once; after each that leaves six or fewer; on reaching ten, seven, four and one",
        ("ten", "ten_once", "six", "ten_seven_four_one"),
    )
    # promotion and A
    steps: tuple[int, int, int] = _point((3, 2, 1), "升级数", "levels for finishing 1-2, 1-3, 1-4")
    a_plus: bool = _point(False, "A+", "levels beyond A win at once; from K one step does not reach A")
    win_on_reaching_a: bool = _point(False, "升到A即胜", "the match ends when A is reached")
    pass_a_partner: str = _point(
        "third", "过A时搭档最低游次", "worst place of the partner with which A is passed", ("second", "third", "last")
    )
    a_fail_limit: int = _point(0, "几次不过A降级", "failed tries at A that drop a side; 0: none do")
    a_fail_counts: str = _point(
        "every",
        "何种不过A计次",
        "which tries count as failed: every one, or only deals won with the partner last",
        ("every", "own_last"),
    )
    a_drop_level: str = _point("2", "不过A降到", "level to which a side drops", tuple(LEVELS[:-1]))
    ace_last_play: bool = _point(
        False, "打A以A收牌即降级", "a declarer who goes out with aces at its own A drops at once"
    )
    # tribute
    tribute: bool = _point(True, "进贡", "tribute is paid")
    last_is_partner: str = _point(
        "pays", "下游是上游搭档时", "who pays when the first's partner is last", ("pays", "third_pays", "nobody_pays")
    )
    tribute_choice: str = _point(
        "payer", "贡牌点数相同由谁选", "who chooses among equal greatest cards", ("payer", "receiver")
    )
    double_tribute: str = _point(
        "by_power",
        "双贡归属",
        "the greater card to the first, or each to the seat before the payer",
        ("by_power", "by_seat"),
    )
    equal_tribute: str = _point(
        "clockwise",
        "双贡牌点相同",
        "who pays the first when both cards are equal, or who leads",
        ("clockwise", "upstream", "smaller_return_leads"),
    )
    return_level_card: bool = _point(False, "可还级牌", "a level card printed ten or lower may be returned")
    refuse_with_small_jokers: bool = _point(False, "两小王抗贡", "two small jokers refuse tribute as well")
    lead_after_refusal: str = _point(
        "first", "抗贡后领出", "who leads after a refusal: the first, or who would have paid", ("first", "payer")
    )
    lead_after_tribute: str = _point(
        "payer_to_first", "双贡后领出", "who leads after a double tribute", ("payer_to_first", "larger_payer")
    )
    # the match
    first_lead: str = _point(
        "uniform",
        "首副牌领出",
        "who leads the first deal; rotation: every deal, from seat 0 on",
        ("uniform", "turned_card", "rotation"),
    )
    start_levels: tuple[str, str] = _point(
        ("2", "2"), "起打级数", "levels of seats 0, 2 and of seats 1, 3 at the start"
    )
    limit_deals: int = _point(0, "规定副数", "deals after which the higher level wins; 0: none")
    limit_minutes: int = _point(
        0, "规定时间", "minutes within which deals are begun, then the higher level wins; 0: none"
    )
    seconds: tuple[int, int, int, int] = _point(
        (60, 10, 5, 3),
        "用时模型（每副、领出、跟牌、过牌，秒）",
        "time model: seconds a deal, a lead, an answer, a pass",
    )
    tie_break: bool = _point(
        False, "平局加赛", "equal levels at a limit: one deal at 2 without tribute, won by the first to go out"
    )

    def __post_init__(self) -> None:
        for f in fields(self):
            _check_value(f.name, getattr(self, f.name), f.default, f.metadata["values"])
        if min(self.steps) < 0 or max(self.steps) > 12 or list(self.steps) != sorted(self.steps, reverse=True):
            given = list(self.steps)
            raise RulesError(
                f"rule steps = {given}: write three numbers from 12 to 0, none above the one before",
                f"规则 steps = {given}：请写三个 0 到 12 的数，后一个不大于前一个",
            )
        for level in self.start_levels:
            if level not in LEVELS:
                levels, letters = list(self.start_levels), " ".join(LEVELS)
                raise RulesError(
                    f"rule start_levels = {levels}: write two of {letters}",
                    f"规则 start_levels = {levels}：请写两个级数，可写 {letters}",
                )
        for name, most in (
            ("a_fail_limit", SAFETY_CAP - 1),
            ("limit_deals", SAFETY_CAP - 1),
            ("limit_minutes", 10_000),
        ):
            value = getattr(self, name)
            if not 0 <= value <= most:
                raise RulesError(
                    f"rule {name} = {value}: write 0 (none) to {most}",
                    f"规则 {name} = {value}：请写 0（不限）到 {most}",
                )
        if min(self.seconds) < 0 or max(self.seconds) > 255:
            times = list(self.seconds)
            raise RulesError(
                f"rule seconds = {times}: write four numbers from 0 to 255",
                f"规则 seconds = {times}：请写四个 0 到 255 的数",
            )
        for wrong, en, zh in _combinations(self):
            if wrong:
                raise RulesError(en, zh)

    def play_bits(self) -> int:
        """Give the bits of guandan_strategy.h, enum gd_play_rule."""
        return (
            self.wild_single
            | self.wild_pair_any << 1
            | self.suited_straight_is_plain << 2
            | self.copies_beyond_deck << 3
        )

    def core(self) -> tuple[int, ...]:
        """Give the tuple that the C core reads (py_convert.c, rule_bytes)."""
        return (
            self.play_bits(),
            int(self.wild_single_takes_wind),
            int(self.wind_to == "next"),
            *self.steps,
            int(self.a_plus),
            int(self.win_on_reaching_a),
            ("second", "third", "last").index(self.pass_a_partner) + 1,
            self.a_fail_limit,
            int(self.a_fail_counts == "own_last"),
            level_rank(self.a_drop_level),
            int(self.ace_last_play),
            int(self.tribute),
            ("pays", "third_pays", "nobody_pays").index(self.last_is_partner),
            int(self.tribute_choice == "receiver"),
            int(self.double_tribute == "by_seat"),
            int(self.lead_after_tribute == "larger_payer"),
            ("clockwise", "upstream", "smaller_return_leads").index(self.equal_tribute),
            int(self.return_level_card),
            int(self.refuse_with_small_jokers),
            int(self.lead_after_refusal == "payer"),
            int(self.tie_break),
            *self.seconds,
            ("uniform", "turned_card", "rotation").index(self.first_lead),
            *(level_rank(level) for level in self.start_levels),
            self.limit_deals,
            self.limit_minutes,
        )

    def hash(self) -> str:
        """Digest of every value, 16 hex digits: equal rules, equal hash, whatever they are called."""
        text = json.dumps(asdict(self), sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()[:16]


def _check_value(name: str, value: Any, default: Any, values: tuple[str, ...]) -> None:
    kind = type(default)
    if type(value) is not kind or (kind is tuple and [type(v) for v in value] != [type(v) for v in default]):
        like = json.dumps(list(default) if kind is tuple else default)
        raise RulesError(
            f"rule {name} = {value!r}: write something like {like}", f"规则 {name} = {value!r}：请写如 {like}"
        )
    if values and value not in values:
        words = " ".join(values)
        raise RulesError(f"rule {name} = {value!r}: write one of {words}", f"规则 {name} = {value!r}：可写 {words}")


def _combinations(r: Rules) -> tuple[tuple[bool, str, str], ...]:
    """What cannot be together, or would be a switch without effect: whether it is so, and what to say."""
    drops = r.a_fail_limit > 0
    return (
        (
            r.wild_single_takes_wind and not r.wild_single,
            "rule wild_single_takes_wind = true needs wild_single = true: what may not be led cannot take the lead",
            "规则 wild_single_takes_wind = true 要求 wild_single = true：不能单出的牌不能接风",
        ),
        (
            r.a_plus and r.win_on_reaching_a,
            "rules a_plus and win_on_reaching_a: switch one of them off",
            "规则 a_plus 与 win_on_reaching_a 只能开一个",
        ),
        (
            not drops and r.a_fail_counts != "every",
            f"rule a_fail_counts = {r.a_fail_counts!r} has no effect with a_fail_limit = 0: give a limit",
            f"规则 a_fail_counts = {r.a_fail_counts!r} 在 a_fail_limit = 0 时不起作用：请写次数",
        ),
        (
            not drops and not r.ace_last_play and r.a_drop_level != "2",
            f"rule a_drop_level = {r.a_drop_level!r} has no effect: give a_fail_limit or ace_last_play",
            f"规则 a_drop_level = {r.a_drop_level!r} 不起作用：请写 a_fail_limit 或 ace_last_play",
        ),
        (
            r.tie_break and not r.limit_deals and not r.limit_minutes,
            "rule tie_break = true has no effect without a limit: give limit_deals or limit_minutes",
            "规则 tie_break = true 没有限制时不起作用：请写 limit_deals 或 limit_minutes",
        ),
        (
            r.first_lead == "rotation" and r.tribute,
            "rule first_lead = 'rotation' fixes every leader: write tribute = false",
            "规则 first_lead = 'rotation' 已定每副的领出者：请写 tribute = false",
        ),
        (
            r.lead_after_tribute == "larger_payer" and r.double_tribute == "by_power",
            "rule lead_after_tribute = 'larger_payer' needs double_tribute = 'by_seat': else the larger pays the first",
            "规则 lead_after_tribute = 'larger_payer' 要求 double_tribute = 'by_seat'：否则大牌本来就贡给上游",
        ),
        (
            r.double_tribute == "by_seat" and r.equal_tribute != "clockwise",
            f"rule equal_tribute = {r.equal_tribute!r} has no effect with double_tribute = 'by_seat'",
            f"规则 equal_tribute = {r.equal_tribute!r} 在 double_tribute = 'by_seat' 时不起作用",
        ),
    )


NATIONAL = Rules()
"""竞技掼蛋竞赛规则（试行）."""


def change_rules(rules: Rules, switches: Mapping[str, Any]) -> Rules:
    """Make rules that differ by these switches; lists stand for tuples. RulesError for an unknown or a wrong one."""
    known = {f.name for f in fields(Rules)}
    for name in switches:
        check_switch(name, known)
    values = {name: tuple(value) if isinstance(value, list) else value for name, value in switches.items()}
    return Rules(**(asdict(rules) | values))


def check_switch(name: str, known: set[str]) -> None:
    """Raise RulesError for a name that is no switch, with the nearest one."""
    if name in known:
        return
    near = difflib.get_close_matches(name, known, 1)
    en = f"did you mean {near[0]}?" if near else f"the switches are {' '.join(sorted(known))}"
    zh = f"是不是 {near[0]}？" if near else f"可写 {' '.join(sorted(known))}"
    raise RulesError(f"there is no switch {name!r}: {en}", f"没有开关 {name!r}：{zh}")
