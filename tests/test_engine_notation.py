"""A deal is written as one line and read back to the same state; a play is refused with the reason."""

from random import Random

import pytest

from engine import _core
from engine.cards import CARDS, LEVELS, card_texts
from engine.deal import Deal, IllegalPlayError, Trick
from engine.notation import Record, RecordError, read_record, read_state, write_record, write_state
from engine.plays import PASS, Kind, Play
from engine.rules import Rules

SEED = 20261130
ASKED = "7 S3D3H7/S9D9SB/C4C5/HR - 1 0:PAIR:2:S2D2:0"


def pair(rank: str) -> Play:
    return Play(Kind.PAIR, rank, ("S" + rank, "D" + rank))


def random_deals(number: int) -> list[Deal]:
    """Deals at random points of random play, leads, answers and winds among them."""
    rng, found = Random(SEED), []
    for i in range(number):
        hands, leader = _core.deal_cards(SEED, i, 1)
        deal = Deal([card_texts(hand) for hand in hands], LEVELS[i % 13], leader)
        for _ in range(rng.randrange(110)):
            plays = deal.legal_plays("shapes")
            deal.play(plays[rng.randrange(len(plays))])
            if deal.over:
                break
        if not deal.over:
            found.append(deal)
    return found


def test_a_state_is_read_back_and_goes_on_alike() -> None:
    rng = Random(SEED)
    deals = random_deals(80)
    assert {deal.trick is None for deal in deals} == {True, False}
    assert any(deal.order for deal in deals)
    for deal in deals:
        line = write_state(deal)
        again = read_state(line)
        assert write_state(again) == line
        while not deal.over:
            plays = deal.legal_plays("shapes")
            assert list(again.legal_plays("shapes")) == list(plays), line
            play = plays[rng.randrange(len(plays))]
            deal.play(play)
            again.play(play)
            assert (again.hands, again.turn, again.trick) == (deal.hands, deal.turn, deal.trick), line
        assert again.order == deal.order


def test_what_is_played_on_a_copy_is_undone_by_dropping_it() -> None:
    for deal in random_deals(30):
        before, trial = write_state(deal), deal.copy()
        trial.play(trial.legal_plays()[0])
        assert write_state(deal) == before


@pytest.mark.parametrize(
    ("play", "reason"),
    [
        (pair("9"), None),
        (PASS, None),
        (pair("8"), "does not hold S8 D8"),
        (Play(Kind.PAIR, "9", ("S9", "S9")), "does not hold S9"),
        (Play(Kind.SINGLE, "B", ("SB",)), "SINGLE B does not beat PAIR 2"),
        (Play(Kind.PAIR, "9", ("S9", "SB")), "S9 SB is no play, not PAIR 9"),
        (Play(Kind.PAIR, "A", ("S9", "D9")), "S9 D9 is PAIR 9, not PAIR A"),
    ],
)
def test_a_play_is_verified_with_the_reason(play: Play, reason: str | None) -> None:
    deal = read_state(ASKED)
    assert deal.can_play(play) == (reason is None)
    if reason is None:
        deal.play(play)
        return
    with pytest.raises(IllegalPlayError, match=reason):
        deal.play(play)
    assert write_state(deal) == ASKED


def test_a_leader_may_not_pass_and_a_deal_that_is_over_takes_nothing() -> None:
    deal = read_state("7 S3/S9/C4/HR - 1 -")
    with pytest.raises(IllegalPlayError, match="leads"):
        deal.play(PASS)
    deal.play(Play(Kind.SINGLE, "9", ("S9",)))
    deal.play(PASS)
    deal.play(Play(Kind.SINGLE, "R", ("HR",)))
    assert deal.over
    assert not deal.can_play(PASS)
    with pytest.raises(ValueError, match="over"):
        write_state(deal)
    with pytest.raises(ValueError, match="over"):
        deal.copy()


def test_the_rules_of_a_state_are_given_beside_it() -> None:
    line = "5 H5/S3/S4/S6 - 0 -"
    assert len(read_state(line).legal_plays()) == 1
    with pytest.raises(ValueError, match="nothing to lead"):
        read_state(line, Rules(wild_single=False, wild_single_takes_wind=False))


def test_a_holder_who_is_out_still_holds_the_trick() -> None:
    deal = read_state("7 -/S9/C4C5/HR 0 1 0:SINGLE:3:S3:0")
    for _ in range(3):
        deal.play(PASS)
    assert (deal.turn, deal.trick) == (2, None)


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("", "LEVEL HANDS OUT TURN TRICK"),
        ("7 S3/S4/S5 - 0 -", "four hands"),
        ("1 S3/S4/S5/S6 - 0 -", "level"),
        ("7 S3/S4/S5/S1 - 0 -", "S1"),
        ("7 S3S/S4/S5/S6 - 0 -", "S"),
        ("7 S3S3/S3/S5/S6 - 0 -", "more than twice"),
        ("7 S3/S4/S5/- - 0 -", "name it in OUT"),
        ("7 S3/S4/S5/S6 4 0 -", "no seat"),
        ("7 -/S4/-/S6 02 1 -", "over"),
        ("7 S3/S4/S5/S6 - 9 -", "no seat"),
        ("7 S3/S4/S5/S6 - 0 x", "HOLDER:KIND"),
        ("7 S3/S4/S5/S6 - 0 3:TRIO:9:S9:0", "TRIO"),
        ("7 S3/S4/S5/S6 - 0 3:PASS:PASS::0", "PASS"),
        ("7 S3/S4/S5/S6 - 0 3:PAIR:9:S9:0", "cannot be read"),
        ("7 S3/S4/S5/S6 - 0 0:SINGLE:9:S9:0", "cannot be to act"),
        ("7 S3/S4/S5/S6 - 0 3:SINGLE:9:S9:1", "cannot be to act"),
        ("7 S3/S4/S5/S6 - 0 3:SINGLE:9:S9:3", "cannot be to act"),
    ],
)
def test_a_line_that_is_no_state_is_refused_by_name(line: str, named: str) -> None:
    with pytest.raises(ValueError, match=named):
        read_state(line)


def test_a_trick_tells_holder_play_and_passes() -> None:
    assert read_state(ASKED).trick == Trick(0, pair("2"), 0)


def random_record(rng: Random, number: int) -> Record:
    """A whole deal of random play."""
    hands, leader = _core.deal_cards(SEED, number, 1)
    deal = Deal([card_texts(hand) for hand in hands], LEVELS[number % 13], leader)
    start, plays = write_state(deal), []
    while not deal.over:
        legal = deal.legal_plays()
        plays.append(legal[rng.randrange(len(legal))])
        deal.play(plays[-1])
    return Record(start, tuple(plays))


def test_a_record_is_read_back_at_every_step() -> None:
    rng = Random(SEED)
    declared = 0
    for number in range(8):
        record = random_record(rng, number)
        text = write_record(record)
        declared += text.count(":")
        assert read_record(text) == record
        deal = record.at(0)
        for n, play in enumerate(record.plays):
            here = record.at(n)
            assert (here.hands, here.turn, here.trick, here.order) == (deal.hands, deal.turn, deal.trick, deal.order)
            if n % 8 == number % 8:  # a record that begins in the middle of a deal, each step in some deal
                rest = Record(write_state(here), record.plays[n:])
                assert read_record(write_record(rest)) == rest
            deal.play(play)
        assert record.at().order == deal.order
    assert declared  # plays that must name their reading are among them


def test_comments_and_line_breaks_of_a_record_say_nothing() -> None:
    plain = "7 S3D3H7/S9/C4C5/HR - 0 - S3D3 - - -"
    typed = "# asked\n7 S3D3H7/S9/C4C5/HR # four hands\r\n - 0 -\n\nS3D3#pair\n- -\t-"
    assert read_record(typed) == read_record(plain)


def test_a_play_of_several_readings_is_declared() -> None:
    state = "7 S9D9C9H7H7S2/S3/C4C5/HR - 0 - "
    with pytest.raises(RecordError, match=r"play 1, .*FULL_HOUSE:9:H7H7S9C9D9, BOMB:9:H7H7S9C9D9") as refused:
        read_record(state + "S9D9C9H7H7")
    assert "请写其一 FULL_HOUSE:9:" in refused.value.zh
    for kind in (Kind.FULL_HOUSE, Kind.BOMB):
        record = read_record(f"{state}{kind.name}:9:S9D9C9H7H7 -")
        assert record.plays[0].kind == kind
        assert read_record(write_record(record)) == record
    answered = read_record("7 S9D9C9H7H7S2/S3/C4C5/HR - 0 3:SINGLE:R:HR:0 S9D9C9H7H7")
    assert answered.plays[0].kind == Kind.BOMB  # the full house does not beat the joker


@pytest.mark.parametrize(
    ("plays", "named", "zh"),
    [
        ("-", "play 1, '-': seat 0 leads", "第 1 手 '-'：0 位领出"),
        ("S3D3 S9", "play 2, 'S9': SINGLE 9 does not beat PAIR 3", "压不过"),
        ("S3D3 - - - C4", "play 5, 'C4': seat 0 does not hold C4", "没有 C4"),
        ("S3H3", "play 1, 'S3H3': seat 0 does not hold H3", "没有 H3"),
        ("S3D4", "these cards are no play", "不成牌型"),
        ("S3x", "'x' is no card", "'x' 不是牌"),
        ("PAIR:4:S3D3", "S3 D3 is PAIR 3, not PAIR 4", "是 PAIR 3"),
        ("PAIRS:3:S3D3", "'PAIRS' is no kind", "没有牌型 'PAIRS'"),
        ("PAIR:3", "write -, the cards such as S3D3, or KIND:KEY:CARDS", "可写"),
        ("S3D3H7 S9 - -", "play 2, 'S9'", "第 2 手"),
        ("S3 S9 - HR -", "play 5, '-': the deal is over", "已经打完"),
    ],
)
def test_a_play_that_is_wrong_is_named_by_number_with_the_way_out(plays: str, named: str, zh: str) -> None:
    with pytest.raises(RecordError) as refused:
        read_record(f"7 S3D3H7/S9/C4C5/HR - 0 - {plays}")
    assert named in str(refused.value)
    assert zh in refused.value.zh


def test_a_character_changed_gives_a_refusal_or_another_deal() -> None:
    text = write_record(read_record("7 S9D9C9H7H7S2/S3/C4C5/HR - 0 - BOMB:9:S9D9C9H7H7 - - -\nS2 - C4 HR # end"))
    valid, refused = 0, []
    for place in range(len(text)):
        for other in " \n\0-/:#0123456789SHCDTJQKABRx♠é\ud800":
            changed = text[:place] + other + text[place + 1 :]
            try:
                record = read_record(changed)
            except RecordError as error:
                refused.append(str(error))
                continue
            valid += 1
            assert read_record(write_record(record)) == record
    assert valid
    assert refused
    assert not any("\n" in line for line in refused)


@pytest.mark.parametrize("text", ["", "#", "\0", "7 " * 100_000, "7 S3/S4/S5/S6 - 0 - " + "S3" * 100_000])
def test_a_text_that_is_no_record_is_refused_in_one_short_line(text: str) -> None:
    with pytest.raises(RecordError) as refused:
        read_record(text)
    assert len(str(refused.value)) < 500


def test_a_record_has_no_more_steps_than_plays() -> None:
    record = read_record("7 S3/S4/S5/S6 - 0 - S3")
    assert record.at(1).order == (0,)
    for number in (-1, 2):
        with pytest.raises(ValueError, match="0 to 1"):
            record.at(number)


@pytest.mark.parametrize(
    ("state", "named", "zh"),
    [
        ("7 S3/S4/S5/S6 - 0", "a state has the fields", "局面有"),
        ("1 S3/S4/S5/S6 - 0 -", "LEVEL '1' is no level", "LEVEL '1' 不是级"),
        ("7 S3/S4/S5 - 0 -", "HANDS are four hands", "HANDS 是用 / 隔开的四手牌"),
        ("7 S3/S4/S5/S1 - 0 -", "HANDS: 'S1' is no card", "HANDS：'S1' 不是牌"),
        ("7 S3S3/S3/S5/S6 - 0 -", "HANDS: S3 occurs 3 times", "S3 出现 3 次"),
        ("7 S3S3/S4/S5/S6 - 0 3:SINGLE:3:S3:0", "HANDS and TRICK: S3 occurs 3 times", "HANDS 与 TRICK：S3 出现 3 次"),
        (f"7 {''.join(CARDS[:29])}/S3/S4/S5 - 0 -", "seat 0 holds 29 cards; write 28 at most", "0 位有 29 张牌"),
        ("7 S3/S4/S5/- - 0 -", "seat 3 holds no card; name it in OUT", "3 位没有牌；请写进 OUT"),
        ("7 S3/S4/S5/S6 3 0 -", "OUT '3': seat 3 is named twice or holds cards", "3 位写了两次或还有牌"),
        ("7 -/S4/-/S6 02 1 -", "OUT '02': the deal is over", "这副牌已结束"),
        ("7 S3/S4/S5/S6 - 9 -", "TURN: '9' is no seat", "TURN：'9' 不是座位"),
        ("7 -/S4/S5/S6 0 0 -", "TURN 0 is a seat that is out", "TURN 0 已经出完"),
        ("7 S3/S4/S5/S6 - 0 x", "TRICK is HOLDER:KIND", "TRICK 应为"),
        ("7 S3/S4/S5/S6 - 0 3:TRIO:9:S9:0", "TRICK: 'TRIO' is no kind", "TRICK：没有牌型 'TRIO'"),
        (
            "7 S3/S4/S5/S6 - 0 3:PAIR:9:S9:0",
            "cannot be read as PAIR '9'; write SINGLE:9:S9",
            "不能作 PAIR '9'；请写 SINGLE:9:S9",
        ),
        ("7 S3/S4/S5/S6 - 0 3:SINGLE:9:S9:1", "TURN 0 with TRICK", "轮不到这家"),
    ],
)
def test_a_field_that_is_wrong_is_named_in_both_languages(state: str, named: str, zh: str) -> None:
    with pytest.raises(RecordError) as refused:
        read_record(state)
    assert named in str(refused.value)
    assert zh in refused.value.zh
    assert "seat" not in refused.value.zh


@pytest.mark.parametrize("state", ["{}", "7 {}/-/-/- - 0 -", "7 S3/S4/S5/S6 {} 0 -", "7 S3/S4/S5/S6 - 0 {}"])
@pytest.mark.parametrize("part", ["S3", "/", ":", "0", "9x"])
def test_a_field_of_any_length_is_refused_in_one_short_line(state: str, part: str) -> None:
    with pytest.raises(RecordError) as refused:
        read_state(state.format(part * 100_000))
    assert len(str(refused.value)) < 500
    assert len(refused.value.zh) < 500


def test_a_lead_by_wind_is_told_from_a_lead_passed_on() -> None:
    strict = Rules(wild_single=False, wild_single_takes_wind=False)
    passed_on = read_record("7 S9H7/S3S4/C4C5/C3C6 - 0 - S9 - - -", strict).at()
    assert (passed_on.turn, passed_on.wind) == (1, False)  # seat 0 won, but its last wild may not be led
    assert read_record("7 S9/S3S4/C4C5/C3C6 - 0 - S9 - - -").at().wind
    assert not read_record("7 S9/S3S4/C4C5/C3C6 - 0 - S9 - - - C4").at().wind
