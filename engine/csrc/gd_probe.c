#include "gd_probe.h"

#include <assert.h>
#include <string.h>

static const gd_cards pack = {GD_SUITED | (uint64_t)3 << GD_SMALL_JOKER, GD_SUITED | (uint64_t)3 << GD_SMALL_JOKER};

void gd_probe_copy(gd_table *to, const gd_table *from)
{
    memcpy(to, from, sizeof *to);
    to->watcher = NULL;
    gd_view *v = &to->view;
    v->plays = to->scratch->plays;
    v->starts = to->scratch->starts;
    v->options = to->options;
    v->left = to->deal.left;
    v->gone = &to->deal.gone;
    v->steps = to->steps;
    v->shown = &to->shown;
    v->hand = &to->deal.hand[v->seat];
    v->random = &to->streams[v->seat];
}

/* Cards of the exchange that everybody knows to be with this seat, as far as it may still hold them. */
static gd_cards known_cards(const gd_tribute *shown, unsigned seat, gd_cards hand)
{
    gd_cards known = {0, 0};
    for (unsigned i = 0; i < shown->n; i++) {
        int card = shown->receiver[i] == seat ? shown->given[i] : shown->payer[i] == seat ? shown->returned[i] : -1;
        if (card >= 0 && gd_copies(hand, (unsigned)card) > gd_copies(known, (unsigned)card))
            gd_cards_add(&known, gd_lane_bit((unsigned)card));
    }
    return known;
}

void gd_probe_redeal(gd_table *t, gd_stream *random)
{
    int playing = t->ask == GD_ASK_PLAY;
    unsigned level = t->deal.level, me = t->view.seat, n = 0;
    gd_cards hidden[4];
    uint8_t deck[GD_DECK];
    for (unsigned s = 0; s < 4; s++) {
        gd_cards hand = playing ? gd_hand_cards(&t->deal.hand[s], level) : t->cards[s];
        hidden[s] = s == me ? (gd_cards){0, 0} : gd_cards_minus(hand, known_cards(&t->shown, s, hand));
        n += gd_card_ids(hidden[s], deck + n);
    }
    for (unsigned s = 0, i = 0; s < 4; s++) {
        gd_cards drawn = {0, 0};
        for (unsigned end = i + gd_cards_size(hidden[s]); i < end; i++) {
            unsigned j = i + gd_random_below(random, n - i);
            gd_cards_add(&drawn, gd_lane_bit(deck[j]));
            deck[j] = deck[i];
        }
        /* The hands before it differ by the same cards, so that no trace of the old ones is left. */
        gd_cards *held[2] = {&t->dealt[s], &t->cards[s]};
        for (unsigned k = 0; k < 2; k++) *held[k] = gd_cards_sum(gd_cards_minus(*held[k], hidden[s]), drawn);
        if (!playing || s == me) continue;
        gd_cards hand = gd_hand_cards(&t->deal.hand[s], level);
        gd_deal_set_hand(&t->deal, s, gd_cards_sum(gd_cards_minus(hand, hidden[s]), drawn));
    }
}

uint32_t gd_probe_ask(gd_table *t, const gd_strategy *strategy, uint32_t *n, int *drew)
{
    gd_stream *stream = &t->streams[t->view.seat];
    if (!(t->has_stream >> t->view.seat & 1u))
        *stream = gd_stream_of(t->seed, GD_DOMAIN_SEAT, t->pair, t->leg, t->match.deals + 1u, t->view.seat);
    t->has_stream |= (uint8_t)(1u << t->view.seat);
    gd_stream before = *stream;
    *n = gd_table_ask(t, strategy);
    uint32_t index = *n > 1 ? gd_strategy_answer(strategy, t->ask, &t->view) : 0;
    *drew = stream->s[0] != before.s[0] || stream->s[1] != before.s[1];
    return index;
}

void gd_probe_rank(gd_table *t, const gd_strategy *strategy, int32_t *scores)
{
    gd_table_ask(t, strategy);
    strategy->rank(&t->view, scores);
}

void gd_probe_place(gd_table *t, const gd_deal *deal, gd_cards laid)
{
    assert(deal->level == gd_match_level(&t->match) && !deal->over);
    t->deal = *deal;
    gd_deal *d = &t->deal;
    d->rules = t->rules;
    d->first_ends = t->match.tie_break;
    d->gone = pack;
    for (unsigned s = 0; s < 4; s++) {
        t->dealt[s] = t->cards[s] = gd_hand_cards(&d->hand[s], d->level);
        d->gone = gd_cards_minus(d->gone, t->cards[s]);
    }
    t->tribute = t->shown = (gd_tribute){.given = {-1, -1}, .returned = {-1, -1}};
    t->lead = d->turn;
    t->n_steps = 0;
    if (d->to_beat != GD_PASS) {
        unsigned holder = (unsigned)d->holder;
        t->lead = holder;
        t->steps[t->n_steps++] = (gd_step){.cards = laid, .shape = d->to_beat, .seat = (uint8_t)holder};
        for (unsigned s = (holder + 1) & 3u; s != d->turn; s = (s + 1) & 3u)
            if (!(d->out >> s & 1u)) t->steps[t->n_steps++] = (gd_step){.shape = GD_PASS, .seat = (uint8_t)s};
    }
    gd_table_show(t);
    gd_table_tell(t, GD_DEAL_BEGINS);
}
