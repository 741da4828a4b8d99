"""The events that a strategy is told of suffice to write the messages of the offline platform's protocol."""

from collections import Counter
from typing import Any, ClassVar

from engine.cards import CARDS, RANKS, card_texts
from engine.match import DealRecord, Match
from engine.plays import Kind, code_key
from engine.rules import NATIONAL
from engine.view import DealEnd, DealInfo, Event, MatchInfo, Paid, Refused, Returned, Step
from strategies.api import wrap
from strategies.registry import load
from tests.support.greedy import PythonGreedy

SEED = 70
GREEDY, RANDOM = load("greedy"), load("random")


# ---- the messages of another protocol -------------------------------------------------------------------------------


def action(code: int, cards: Any) -> list[Any]:
    """A play as the offline protocol of NJUPT writes it."""
    return [Kind(code >> 28).name, code_key(code), sorted(cards)] if code else ["PASS", "PASS", "PASS"]


class Messenger(PythonGreedy):
    """Builds every notification of the protocol from what it is told."""

    sent: ClassVar[dict[int, list[dict[str, Any]]]] = {}

    def begin_match(self, info: MatchInfo) -> None:
        self.seat = info.seat
        self.out = self.sent[info.seat] = []

    def begin_deal(self, info: DealInfo) -> None:
        mine = info.levels[info.seat & 1]
        self.greater: tuple[int, list[Any]] = (-1, [])
        self.levels = {"selfRank": mine + 2, "oppoRank": info.levels[1 - (info.seat & 1)] + 2}
        self.say("beginning", handCards=card_texts(info.hand), myPos=info.seat, curRank=info.level + 2, **self.levels)

    def observe(self, event: Event) -> None:
        match event:
            case Refused(payers):
                self.say("anti-tribute", antiNums=len(payers), antiPos=sorted(payers))
            case Paid(gifts):
                self.say("tribute", result=[[g.giver, g.taker, CARDS[g.card]] for g in gifts])
            case Returned(gifts):
                self.say("back", result=[[g.giver, g.taker, CARDS[g.card]] for g in gifts])
            case Step(seat, code, cards):
                made = action(code, card_texts(cards))
                if code:
                    self.greater = (seat, made)
                self.say("play", curPos=seat, curAction=made, greaterPos=self.greater[0], greaterAction=self.greater[1])

    def end_deal(self, info: DealEnd) -> None:
        rest = [[seat, list(card_texts(cards))] for seat, cards in info.rest]
        self.say("episodeOver", order=list(info.order), curRank=RANKS[info.level], restCards=rest)
        if info.match_over:
            self.say("gameOver", winner=info.match_winner)

    def say(self, stage: str, **fields: Any) -> None:
        self.out.append({"stage": stage, **fields})


def messages_of(records: list[DealRecord], leg: int, seat: int, winner: int) -> list[dict[str, Any]]:
    """The same from the records of the match, which were made in another way."""
    out: list[dict[str, Any]] = []
    for record in records:
        x = (leg - 1) & 1
        levels = [record.levels_before[side ^ x] for side in range(2)]
        ranks = [RANKS.index(level) + 2 for level in levels]
        hands = [Counter(hand) for hand in record.hands]
        out.append(
            {
                "stage": "beginning",
                "handCards": record.hands[seat],
                "myPos": seat,
                "curRank": RANKS.index(record.level) + 2,
                "selfRank": ranks[seat & 1],
                "oppoRank": ranks[1 - (seat & 1)],
            }
        )
        greater: tuple[int, list[Any]] = (-1, [])
        back = [[e[1], e[2], e[3]] for e in record.events if e[0] == "return"]
        paid = [e for e in record.events if e[0] == "tribute"]
        if paid:
            taker = {giver: receiver for receiver, giver, _ in back}
            gifts = [[giver, taker[giver], card] for _, giver, card in paid]
            out.append({"stage": "tribute", "result": sorted(gifts)})
            out.append({"stage": "back", "result": sorted(back)})
            for giver, receiver, card in gifts + back:
                hands[giver][card] -= 1
                hands[receiver][card] += 1
        for event in record.events:
            if event[0] == "refused":
                out.append({"stage": "anti-tribute", "antiNums": len(event[1]), "antiPos": sorted(event[1])})
            if event[0] not in ("play", "pass"):
                continue
            made: list[Any] = ["PASS", "PASS", "PASS"]
            if event[0] == "play":
                made = [event[2], event[3], sorted(event[4])]
                greater = (event[1], made)
                hands[event[1]].subtract(event[4])
            out.append(
                {
                    "stage": "play",
                    "curPos": event[1],
                    "curAction": made,
                    "greaterPos": greater[0],
                    "greaterAction": greater[1],
                }
            )
        rest = [[s, sorted(hands[s].elements(), key=CARDS.index)] for s in range(4) if +hands[s]]
        order = list(record.events[-1][1])
        out.append({"stage": "episodeOver", "order": order, "curRank": record.level, "restCards": rest})
    out.append({"stage": "gameOver", "winner": winner})
    return out


def test_events_suffice_for_every_message_of_the_offline_protocol_rest_cards_included() -> None:
    stages: Counter[str] = Counter()
    for pair in range(6):
        for leg in (1, 2):
            records = list(Match(NATIONAL, SEED, pair, leg, GREEDY, GREEDY).deals())
            assert list(Match(NATIONAL, SEED, pair, leg, wrap(Messenger), wrap(Messenger)).deals()) == records
            winner = records[-1].row["winner"] ^ (leg - 1)
            for seat, sent in Messenger.sent.items():
                for message in sent:
                    if message["stage"] in ("tribute", "back"):
                        message["result"].sort()
                assert sent == messages_of(records, leg, seat, winner)
                stages.update(message["stage"] for message in sent)
    assert set(stages) == {"beginning", "anti-tribute", "tribute", "back", "play", "episodeOver", "gameOver"}
    assert min(stages.values()) >= 40
