"""Named rule sets: TOML files with a source beside each switch, those that ship and those of one's own.

A file of your own holds `base = "national"` (or another name or file) and under `[rules]` the switches that differ.
"""

import difflib
import tomllib
from dataclasses import asdict, dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any

from engine.rules import NATIONAL, Rules, RulesError, change_rules, check_switch

FOLDER = Path(__file__).parent / "rulesets"

_LONGEST_FILE = 100_000
_LONGEST_CHAIN = 20


@dataclass(frozen=True)
class RuleSet:
    """A named rule set. title and sources by language ("zh", "en"); a switch without a source here has its base's."""

    name: str
    title: dict[str, str]
    rules: Rules
    sources: dict[str, dict[str, str]]


def preset_names() -> list[str]:
    """Names of the rule sets that ship, the default first."""
    return sorted((path.stem for path in FOLDER.glob("*.toml")), key=lambda name: (name != "national", name))


def load_rules(name: str) -> RuleSet:
    """Load a rule set that ships by its name, or one of your own by the path of its .toml file.

    RulesError (a ValueError) in one line for an unknown name, an unreadable file, an unknown switch, a wrong value, and
    for a file that is called like a rule set that ships: results would carry the wrong name.
    """
    names = " ".join(preset_names())
    if type(name) is not str or not name:
        raise RulesError(
            f"{name!r} is no name of rules: write {names}, or the path of a .toml file",
            f"{name!r} 不是规则名：可写 {names}，或 .toml 文件",
        )
    if name.endswith(".toml"):
        found = _read(Path(name), ())
        if found.name in preset_names():
            raise RulesError(
                f"{name} is called like the rule set {found.name} that ships: rename the file",
                f"{name} 与自带的规则集 {found.name} 同名：请改文件名",
            )
        return found
    if name in preset_names():
        return _preset(name)
    near = " ".join(difflib.get_close_matches(name, preset_names(), 2)) or names
    raise RulesError(
        f"there are no rules called {name!r}: write {near}, or the path of a .toml file",
        f"没有名为 {name!r} 的规则：可写 {near}，或 .toml 文件",
    )


@cache
def _preset(name: str) -> RuleSet:
    return _read(FOLDER / f"{name}.toml", ())


def _read(path: Path, above: tuple[Path, ...]) -> RuleSet:
    data = _toml(path)
    try:
        unknown = sorted(set(data) - {"base", "zh", "en", "rules", "sources"})
        if unknown:
            raise RulesError(
                f"{unknown[0]!r} is unknown: write base, zh, en, [rules], [sources]",
                f"{unknown[0]!r} 不认识：可写 base、zh、en、[rules]、[sources]",
            )
        switches, sources = _table(data, "rules"), _table(data, "sources")
        base = _base_of(data, path, above)
        known = {f.name for f in fields(Rules)}
        for name in sources:
            check_switch(name, known)
        rules = change_rules(base.rules if base else NATIONAL, switches)
        own = {name: _in_both(sources[name], name) for name in sources}
        title = {language: _line(data.get(language, path.stem), language) for language in ("zh", "en")}
    except RulesError as error:
        raise error.within(path) from None
    return RuleSet(path.stem, title, rules, (base.sources if base else {}) | own)


def _toml(path: Path) -> dict[str, Any]:
    try:
        if path.stat().st_size > _LONGEST_FILE:
            raise RulesError(f"{path} is too long for a rules file", f"{path} 太长，不像规则文件")
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))  # Windows editors put a mark in front
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise RulesError(f"{path} cannot be read: {reason}", f"读不了 {path}：{reason}") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        reason = "nested too deep" if isinstance(error, RecursionError) else error
        raise RulesError(f"{path} is no TOML: {reason}", f"{path} 不是 TOML：{reason}") from None
    except ValueError as error:
        if isinstance(error, RulesError):
            raise
        raise RulesError(f"{str(path)!r} is no path: {error}", f"{str(path)!r} 不是路径：{error}") from None


def _table(data: dict[str, Any], name: str) -> dict[str, Any]:
    table = data.get(name, {})
    if not isinstance(table, dict):
        raise RulesError(f"write [{name}] as a table", f"[{name}] 请写成表")
    return table


def _line(value: object, name: str) -> str:
    """One line of text."""
    if not isinstance(value, str) or not value.isprintable():
        raise RulesError(f"{name} = {value!r}: write one line of text", f"{name} = {value!r}：请写一行文字")
    return value


def _in_both(source: object, name: str) -> dict[str, str]:
    """A source is a text, or {zh = "...", en = "..."}."""
    if isinstance(source, dict) and set(source) == {"zh", "en"}:
        return {language: _line(source[language], f"sources.{name}.{language}") for language in ("zh", "en")}
    return dict.fromkeys(("zh", "en"), _line(source, f"sources.{name}"))


def _base_of(data: dict[str, Any], path: Path, above: tuple[Path, ...]) -> RuleSet | None:
    """Load the rule set a file starts from; None for the one that starts from nothing."""
    base = data.get("base")
    if base is None:
        return None if path.parent == FOLDER else _preset("national")
    base = _line(base, "base")
    if not base.endswith(".toml"):
        return load_rules(base)
    target = (path.parent / base).resolve()
    if target in (path.resolve(), *above) or len(above) > _LONGEST_CHAIN:
        raise RulesError(f"base = {base!r} leads back to itself", f"base = {base!r} 又回到自己")
    return _read(target, (*above, path.resolve()))


def switches_of(rules: Rules) -> dict[str, Any]:
    """Give every switch as JSON or TOML would write it, to be stored and read back by change_rules."""
    return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(rules).items()}
