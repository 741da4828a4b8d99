"""Rule sets are files: those that ship, and one's own that start from them; what is wrong is one line."""

import json
from pathlib import Path

import pytest

from engine.rules import NATIONAL, Rules, RulesError, change_rules
from engine.ruleset import load_rules, preset_names, switches_of


def written(folder: Path, text: str | bytes, name: str = "house.toml") -> str:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return str(path)


def refusal(name: str) -> str:
    with pytest.raises(RulesError) as caught:
        load_rules(name)
    en, zh = str(caught.value), caught.value.zh
    assert en.isprintable()
    assert zh.isprintable()
    assert any("\u4e00" <= letter <= "\u9fff" for letter in zh), zh
    return en


def test_the_national_file_holds_every_default_and_a_source_for_each() -> None:
    national = load_rules("national")
    assert national.rules == NATIONAL
    assert set(national.sources) == set(switches_of(NATIONAL))


@pytest.mark.parametrize("name", preset_names())
def test_a_rule_set_that_ships_cites_a_source_for_each_of_its_switches_in_both_languages(name: str) -> None:
    found = load_rules(name)
    own = {switch for switch, value in switches_of(found.rules).items() if value != switches_of(NATIONAL)[switch]}
    national = load_rules("national").sources
    assert all(found.sources[switch] != national[switch] for switch in own)
    assert all(source["zh"] and source["en"] for source in found.sources.values())
    assert found.title["zh"] != found.title["en"]


def test_rule_sets_that_ship_differ_from_one_another() -> None:
    hashes = [load_rules(name).rules.hash() for name in preset_names()]
    assert len(set(hashes)) == len(hashes) >= 7


def test_a_file_of_ones_own_changes_its_base(tmp_path: Path) -> None:
    name = written(tmp_path, 'base = "sheet"\nzh = "家里"\nen = "home"\n[rules]\nlimit_deals = 8\n')
    found = load_rules(name)
    assert found.rules == change_rules(load_rules("sheet").rules, {"limit_deals": 8})
    assert (found.name, found.title) == ("house", {"zh": "家里", "en": "home"})
    other = load_rules(written(tmp_path, 'base = "house.toml"\n[rules]\nsteps = [4, 2, 1]\n', "other.toml"))
    assert other.rules == change_rules(found.rules, {"steps": [4, 2, 1]})


def test_a_file_without_base_starts_from_national(tmp_path: Path) -> None:
    assert load_rules(written(tmp_path, "[rules]\ntribute = false\n")).rules == Rules(tribute=False)


def test_a_byte_order_mark_is_no_fault(tmp_path: Path) -> None:
    assert load_rules(written(tmp_path, b"\xef\xbb\xbf[rules]\na_fail_limit = 3\n")).rules == Rules(a_fail_limit=3)


def test_switches_survive_json() -> None:
    rules = Rules(steps=(4, 2, 1), start_levels=("3", "2"))
    assert change_rules(NATIONAL, json.loads(json.dumps(switches_of(rules)))) == rules


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("[rules]\nlimit_dels = 8\n", "limit_deals"),
        ("[rules]\nxyzzy = 8\n", "a_plus"),
        ("[rules]\nlimit_deals = 8.0\n", "8.0"),
        ("[rules]\nlimit_deals = 100000000000000000000\n", "199"),
        ("[rules]\nsteps = [3, 2]\n", "[3, 2, 1]"),
        ("[rules]\nsteps = [3, true, 1]\n", "[3, 2, 1]"),
        ("[rules]\nwind_to = 'nobody'\n", "partner next"),
        ("[rules]\nfirst_lead = 'rotation'\n", "tribute = false"),
        ("rules = 5\n", "[rules]"),
        ("[sources]\nsteps = 5\n", "sources.steps"),
        ("[sources]\nsteps = ['a']\n", "sources.steps"),
        ("[sources]\nxyzzy = 'a'\n", "xyzzy"),
        ("en = [1, 2]\n", "en"),
        ('zh = "a\\nb"\n', "zh"),
        ("base = 5\n", "base"),
        ('base = "nationl"\n', "national"),
        ('base = "house.toml"\n', "itself"),
        ('base = "\\u0000.toml"\n', "base"),
        ("title = 'x'\n", "title"),
        ("a = " + "[" * 5000, "TOML"),
        ("not toml", "TOML"),
        (b"\xff\xfe", "cannot be read"),
        ("#" * 200_000, "too long"),
    ],
    ids=lambda value: repr(value[:30]) if isinstance(value, str | bytes) else "",
)
def test_a_file_that_cannot_be_is_refused_in_one_line_that_names_the_way_out(
    tmp_path: Path, text: str | bytes, named: str
) -> None:
    line = refusal(written(tmp_path, text))
    assert named in line
    assert "house.toml" in line


def test_a_file_called_like_a_rule_set_that_ships_is_refused(tmp_path: Path) -> None:
    assert "rename" in refusal(written(tmp_path, "[rules]\ntribute = false\n", "national.toml"))


@pytest.mark.parametrize("name", ["", "shet", "none.toml", "\0.toml", "a/b.toml"])
def test_a_name_that_leads_nowhere_is_refused(name: str) -> None:
    refusal(name)
