/* Tribute and return. */
#include "gd_cards.h"
#include "solid.h"

/* Straight flushes, with the wilds, in which the card could lie. */
static unsigned flushes_with(const gd_hand *hand, unsigned card)
{
    if (card >= 52) return 0;
    unsigned rank = card >> 2, suit = card & 3u;
    uint64_t windows = gd_flush_windows(hand->one & GD_SUITED, gd_wilds_held(hand)) >> (16 * suit) & 0x3ffu;
    unsigned n = 0;
    for (; windows; windows &= windows - 1) {
        unsigned place = gd_lowest(windows);
        for (unsigned i = 0; i < 5; i++) n += gd_rank_at(place + i) == rank;
    }
    return n;
}

uint32_t pay_sparing_flushes(const gd_view *v)
{
    uint32_t best = 0;
    unsigned least = ~0u;
    for (uint32_t i = 0; i < v->n; i++) {
        unsigned n = 2 * flushes_with(v->hand, v->options[i]);
        if (v->options[i] < 52 && v->hand->two >> gd_lane_bit(v->options[i]) & 1) n = 0; /* a copy stays */
        if (n < least) best = i, least = n;
    }
    return best;
}

/* Cost of the hand without the card. */
static int cost_without(const gd_view *v, const gd_weights *w, unsigned card)
{
    gd_hand h = *v->hand;
    uint64_t lane = (uint64_t)1 << gd_lane_bit(card);
    if (card == gd_wild_card(v->level)) {
        h.counts -= (uint64_t)1 << 60;
    } else {
        h.counts -= (uint64_t)1 << (4 * gd_rank_of_card(card));
        h.one = (h.one & ~lane) | (h.two & lane), h.two &= ~lane;
    }
    return gd_arrange_cost(&h, v->level, v->rules->plays, w);
}

/* Ranks of which the arranged hand has a single. */
static uint32_t lone_ranks(const gd_arrangement *a)
{
    uint32_t ranks = 0;
    for (unsigned i = 0; i < a->turns; i++)
        if (gd_kind_of(a->group[i]) == GD_SINGLE && !gd_wilds(a->group[i])) ranks |= 1u << gd_rank(a->group[i]);
    return ranks;
}

uint32_t give_back(const gd_view *v, const gd_weights *w, enum gift policy)
{
    if (policy == GIVE_SMALLEST) return 0; /* options ascend by power */
    if (policy == GIVE_LARGEST) return v->n - 1;
    int to_partner = 0;
    for (unsigned i = 0; i < v->shown->n; i++)
        if (v->shown->receiver[i] == v->seat) to_partner = v->shown->payer[i] == (v->seat ^ 2u);
    gd_arrangement now;
    gd_arrange(v->hand, v->level, v->rules->plays, w, &now);
    uint32_t lone = lone_ranks(&now), options = 0, best = 0;
    for (uint32_t i = 0; i < v->n; i++) options |= 1u << gd_rank_of_card(v->options[i]);
    int best_cost = 1 << 30;
    for (uint32_t i = 0; i < v->n; i++) {
        unsigned rank = gd_rank_of_card(v->options[i]);
        if (lone & options && !(lone >> rank & 1)) continue; /* a card that stands alone is missed least */
        int cost = lone & options ? 0 : 16 * cost_without(v, w, v->options[i]), step = 8 * (int)i;
        /* A five or a ten is in every straight; the partner is helped by a higher card. */
        if (policy == GIVE_BY_RECEIVER) step = to_partner ? -step : step + (rank == 3 || rank == 8 ? 12 : 0);
        if (cost + step < best_cost) best = i, best_cost = cost + step;
    }
    return best;
}
