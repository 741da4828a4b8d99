"""The rules as data: one field for each point on which sources or tables differ.

A rule set is a TOML file: the ones that ship lie in engine/rulesets, each switch with its source. A file of your own
works the same: `base = "national"` and the switches that differ. A value or a combination that cannot be played is
refused when the rules are made, never ignored (docs/decisions/0004).
"""

import difflib
import hashlib
import json
import tomllib
from dataclasses import asdict, dataclass, field, fields
from functools import cache
from pathlib import Path
from typing import Any

from engine import _core
from engine.cards import LEVELS, level_rank

SAFETY_CAP = _core.SAFETY_CAP
"""Deals after which a match ends undecided, whatever the rules: a technical limit, reported, no rule of the game."""

RULESETS = Path(__file__).parent / "rulesets"


class RulesError(ValueError):
    """Rules that cannot be: one line that names the switch, its value and what may stand there."""


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
            raise RulesError(
                f"rule steps = {list(self.steps)}: write three numbers from 12 to 0, none above the one before"
            )
        for level in self.start_levels:
            if level not in LEVELS:
                raise RulesError(f"rule start_levels = {list(self.start_levels)}: write two of {' '.join(LEVELS)}")
        for name, most in (
            ("a_fail_limit", SAFETY_CAP - 1),
            ("limit_deals", SAFETY_CAP - 1),
            ("limit_minutes", 10_000),
        ):
            if not 0 <= getattr(self, name) <= most:
                raise RulesError(f"rule {name} = {getattr(self, name)}: write 0 (none) to {most}")
        if min(self.seconds) < 0 or max(self.seconds) > 255:
            raise RulesError(f"rule seconds = {list(self.seconds)}: write four numbers from 0 to 255")
        for wrong, text in _combinations(self):
            if wrong:
                raise RulesError(text)

    def play_bits(self) -> int:
        """Give the bits of gd_rules.h, enum gd_play_rule."""
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
        like = list(default) if kind is tuple else default
        raise RulesError(f"rule {name} = {value!r}: write something like {json.dumps(like)}")
    if values and value not in values:
        raise RulesError(f"rule {name} = {value!r}: write one of {' '.join(values)}")


def _combinations(r: Rules) -> tuple[tuple[bool, str], ...]:
    """What cannot be together, or would be a switch without effect."""
    drops = r.a_fail_limit > 0
    return (
        (
            r.wild_single_takes_wind and not r.wild_single,
            "rule wild_single_takes_wind = true needs wild_single = true: what may not be led cannot take the lead",
        ),
        (r.a_plus and r.win_on_reaching_a, "rules a_plus and win_on_reaching_a: switch one of them off"),
        (
            not drops and r.a_fail_counts != "every",
            f"rule a_fail_counts = {r.a_fail_counts!r} has no effect with a_fail_limit = 0: give a limit",
        ),
        (
            not drops and not r.ace_last_play and r.a_drop_level != "2",
            f"rule a_drop_level = {r.a_drop_level!r} has no effect: give a_fail_limit or ace_last_play",
        ),
        (
            r.tie_break and not r.limit_deals and not r.limit_minutes,
            "rule tie_break = true has no effect without a limit: give limit_deals or limit_minutes",
        ),
        (
            r.first_lead == "rotation" and r.tribute,
            "rule first_lead = 'rotation' fixes every leader: write tribute = false",
        ),
        (
            r.lead_after_tribute == "larger_payer" and r.double_tribute == "by_power",
            "rule lead_after_tribute = 'larger_payer' needs double_tribute = 'by_seat': else the larger pays the first",
        ),
        (
            r.double_tribute == "by_seat" and r.equal_tribute != "clockwise",
            f"rule equal_tribute = {r.equal_tribute!r} has no effect with double_tribute = 'by_seat'",
        ),
    )


NATIONAL = Rules()
"""竞技掼蛋竞赛规则（试行）."""


@dataclass(frozen=True)
class RuleSet:
    """A named rule set with the source of each switch; `sources` of a switch that is not cited there are its base's."""

    name: str
    zh: str
    en: str
    rules: Rules
    sources: dict[str, str]


def preset_names() -> list[str]:
    """Names of the rule sets that ship, the default first."""
    return sorted((path.stem for path in RULESETS.glob("*.toml")), key=lambda name: (name != "national", name))


def load_rules(name: str) -> RuleSet:
    """Load a rule set that ships by its name, or one of your own by the path of its .toml file.

    RulesError (a ValueError) in one line for an unknown name, an unreadable file, an unknown switch, a wrong value.
    """
    if type(name) is not str or not name:
        raise RulesError(
            f"{name!r} is no name of rules: write {' or '.join(preset_names())}, or the path of a .toml file"
        )
    if name.endswith(".toml"):
        return _read(Path(name), ())
    if name in preset_names():
        return _preset(name)
    near = difflib.get_close_matches(name, preset_names(), 2) or preset_names()
    raise RulesError(f"there are no rules called {name!r}: write {' or '.join(near)}, or the path of a .toml file")


def rules_by_name(name: str) -> Rules:
    """Load the rules alone; see load_rules."""
    return load_rules(name).rules


@cache
def _preset(name: str) -> RuleSet:
    return _read(RULESETS / f"{name}.toml", ())


def _read(path: Path, above: tuple[Path, ...]) -> RuleSet:
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise RulesError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from None
    except tomllib.TOMLDecodeError as error:
        raise RulesError(f"{path} is no TOML: {error}") from None
    unknown = sorted(set(data) - {"base", "zh", "en", "rules", "sources"})
    if unknown:
        raise RulesError(f"{path}: {unknown[0]!r} is unknown: write base, zh, en, [rules], [sources]")
    switches, sources = data.get("rules", {}), data.get("sources", {})
    if not isinstance(switches, dict) or not isinstance(sources, dict):
        raise RulesError(f"{path}: write [rules] and [sources] as tables")
    base = _base_of(data, path, above)
    known = {f.name for f in fields(Rules)}
    for name in [*switches, *sources]:
        if name not in known:
            near = difflib.get_close_matches(name, known, 1)
            hint = f": did you mean {near[0]}?" if near else f": the switches are {' '.join(sorted(known))}"
            raise RulesError(f"{path}: there is no switch {name!r}{hint}")
    values = asdict(base.rules) if base else asdict(NATIONAL)
    values |= {name: tuple(value) if isinstance(value, list) else value for name, value in switches.items()}
    try:
        rules = Rules(**values)
    except RulesError as error:
        raise RulesError(f"{path}: {error}") from None
    texts = {key: str(data.get(key, path.stem)) for key in ("zh", "en")}
    return RuleSet(path.stem, texts["zh"], texts["en"], rules, (base.sources if base else {}) | sources)


def _base_of(data: dict[str, Any], path: Path, above: tuple[Path, ...]) -> RuleSet | None:
    """Load the rule set a file starts from; None for the one that starts from nothing."""
    base = data.get("base")
    if base is None:
        return None if path.parent == RULESETS else _preset("national")
    if not isinstance(base, str):
        raise RulesError(f'{path}: base = {base!r}: write a name such as "national"')
    if not base.endswith(".toml"):
        return load_rules(base)
    target = (path.parent / base).resolve()
    if target in (path.resolve(), *above):
        raise RulesError(f"{path}: base = {base!r} leads back to itself")
    return _read(target, (*above, path.resolve()))
