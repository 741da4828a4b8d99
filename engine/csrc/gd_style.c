#include "gd_style.h"

#include <string.h>

#define SUITED_NIBBLES 0x0001111111111111u

/* Ranks as nibbles, of which k naturals are held: bit 4 r for rank r; and as places, the ace below the two as well. */
static inline uint64_t ranks_with(uint64_t counts, unsigned k)
{
    return (counts + (8 - k) * GD_NIBBLES) >> 3 & GD_NIBBLES;
}

static inline uint64_t places_with(uint64_t counts, unsigned k)
{
    uint64_t ranks = ranks_with(counts, k);
    return (ranks & SUITED_NIBBLES) << 4 | (ranks >> 48 & 1u);
}

static inline uint64_t flushes_of(const gd_hand *h) { return gd_flush_windows(h->one, gd_wilds_held(h)); }

/* Straights, tubes and plates lie in different bits of the nibbles. */
static inline uint64_t sequences_of(uint64_t counts)
{
    uint64_t one = places_with(counts, 1), two = places_with(counts, 2), three = places_with(counts, 3);
    uint64_t twice = one & one >> 4;
    return (twice & twice >> 8 & one >> 16) | (two & two >> 4 & two >> 8) << 1 | (three & three >> 4) << 2;
}

void gd_style_init(gd_style *s, gd_style_sums *sums)
{
    memset(s, 0, sizeof *s);
    s->sums = sums;
}

static unsigned part_in_tribute(const gd_tribute *b, unsigned seat)
{
    if (b->kind != GD_TRIBUTE_SINGLE && b->kind != GD_TRIBUTE_DOUBLE) return 0;
    for (unsigned i = 0; i < b->n; i++) {
        if (b->payer[i] == seat) return 1;
        if (b->receiver[i] == seat) return 2;
    }
    return 0;
}

static unsigned standing(const gd_match *m, unsigned team)
{
    if (m->declarer == (int)team && m->level[team] == GD_LEVEL_A) return 3;
    return 1u + (m->level[team] > m->level[1u - team]) - (m->level[team] < m->level[1u - team]);
}

/* What a returned card makes of the hand it comes to and of the one it leaves, in the order of GD_STYLE_RETURNED. */
static void count_return(gd_style *s, const gd_table *t, unsigned giver, unsigned taker, unsigned card)
{
    gd_style_counts *c = s->count[giver];
    int to_partner = ((giver ^ taker) & 1u) == 0;
    int32_t *rate = &c->events[to_partner ? GD_STYLE_return_made_pair_partner : GD_STYLE_return_made_pair_opponent];
    c->events[GD_STYLE_returned_to_partner] += to_partner;
    c->occasions[GD_OF_returns]++;
    c->occasions[to_partner ? GD_OF_returns_to_partner : GD_OF_returns_to_opponent]++;
    if (card == gd_wild_card(t->deal.level)) return; /* a hand of nothing else: it makes and breaks no set */
    gd_hand had = t->deal.hand[giver], lacked = t->deal.hand[taker];
    unsigned rank = gd_rank_of_card(card), now = gd_count(&lacked, rank), before = gd_count(&had, rank) + 1;
    uint64_t bit = (uint64_t)1 << gd_lane_bit(card);
    had.one |= bit;
    lacked.one &= ~(bit & ~lacked.two);
    rate[0] += now == 2;
    rate[1] += now >= 4;
    rate[2] += s->windows[taker].flushes != flushes_of(&lacked);
    rate[3] += before == 2;
    rate[4] += before == 4;
    rate[5] += s->windows[giver].flushes != flushes_of(&had);
}

void gd_style_deal(gd_style *s, const gd_table *t)
{
    s->low[0] = s->low[1] = 0;
    const gd_tribute *b = &t->tribute;
    for (unsigned seat = 0; seat < 4; seat++) {
        unsigned side = gd_side_of(t, seat & 1u);
        unsigned cell = (side * GD_TRIBUTE_PARTS + part_in_tribute(b, seat)) * GD_STANDINGS;
        cell += standing(&t->match, seat & 1u);
        s->used |= 1u << cell;
        s->count[seat] = &s->cells[cell];
        s->count[seat]->occasions[GD_OF_hands]++;
        s->windows[seat] = (gd_windows){flushes_of(&t->deal.hand[seat]), sequences_of(t->deal.hand[seat].counts)};
    }
    for (unsigned i = 0; i < b->n; i++)
        if (b->returned[i] >= 0) count_return(s, t, b->receiver[i], b->payer[i], (unsigned)b->returned[i]);
}

static void count_bomb(const gd_style *s, gd_style_counts *c, const gd_question *q, const gd_table *t, gd_play laid)
{
    unsigned kind = gd_kind_of(laid), size = gd_size(laid), seat = q->seat;
    unsigned grade = kind == GD_JOKER_BOMB ? 4 : kind == GD_STRAIGHT_FLUSH ? 2 : size >= 6 ? 3 : size - 4;
    unsigned a = t->deal.left[(seat + 1) & 3u], b = t->deal.left[(seat + 3) & 3u];
    int low = s->low[seat & 1u], leads = q->to_beat == GD_PASS;
    int partner = q->holder == (int)gd_partner(seat);
    c->occasions[GD_OF_bombs]++;
    c->events[GD_STYLE_bombs_of_4 + grade]++;
    c->events[GD_STYLE_bomb_as_lead] += leads;
    c->events[GD_STYLE_bomb_on_partner] += partner;
    c->events[GD_STYLE_bomb_opponent_low] += low;
    c->events[GD_STYLE_bomb_opponents_full] += (a >= 15) & (b >= 15);
    c->events[GD_STYLE_bomb_as_last] += !t->deal.left[seat];
    c->events[leads ? GD_STYLE_bombed_as_lead : GD_STYLE_bombed_partner + !partner]++;
    c->events[GD_STYLE_bombed_opponent_low] += low;
}

/* The sequences that a rank is part of: straights from four places below on, tubes from two, plates from one. */
#define AROUND(place) ((place) < 4 ? (uint64_t)0x77311 >> 4 * (4 - (place)) : (uint64_t)0x77311 << 4 * ((place) - 4))
static const uint64_t sequences_with[15] = {AROUND(1),
                                            AROUND(2),
                                            AROUND(3),
                                            AROUND(4),
                                            AROUND(5),
                                            AROUND(6),
                                            AROUND(7),
                                            AROUND(8),
                                            AROUND(9),
                                            AROUND(10),
                                            AROUND(11),
                                            AROUND(12),
                                            AROUND(13) | AROUND(0)};

/* The sequences for which so many cards of a rank are enough. */
static const uint64_t sequences_of_count[9] = {
    0,
    GD_NIBBLES,
    3 * GD_NIBBLES,
    7 * GD_NIBBLES,
    7 * GD_NIBBLES,
    7 * GD_NIBBLES,
    7 * GD_NIBBLES,
    7 * GD_NIBBLES,
    7 * GD_NIBBLES,
};

/* What is broken by taking so many cards of a rank from [before] to [after]: 1 a pair, 2 a triple, 3 a bomb, else 0. */
static const uint8_t broken_set[9][9] = {
    {0}, {0}, {0, 1}, {0, 2, 2}, {0, 3, 3, 3}, {0, 3, 3, 3}, {0, 3, 3, 3}, {0, 3, 3, 3}, {0, 3, 3, 3},
};

static inline void count_lost(int32_t *rate, uint64_t lost, unsigned kind)
{
    rate[3] += (lost & 2 * GD_NIBBLES) && kind != GD_TUBE;
    rate[4] += (lost & 4 * GD_NIBBLES) && kind != GD_PLATE;
    rate[5] += (lost & GD_NIBBLES) && kind != GD_STRAIGHT && kind != GD_STRAIGHT_FLUSH;
}

/* What a play of equal cards breaks: a set of which it leaves a part, and sequences that its rank was needed for. */
static inline void count_broken_by_set(int32_t *rate, gd_windows *w, unsigned before, unsigned after, gd_play laid)
{
    unsigned set = broken_set[before][after];
    if (set && (set < 3 || gd_kind_of(laid) != GD_BOMB)) rate[set - 1]++;
    uint64_t lost =
        sequences_of_count[before] & ~sequences_of_count[after] & sequences_with[gd_rank(laid)] & w->sequences;
    if (!lost) return;
    w->sequences ^= lost;
    count_lost(rate, lost, gd_kind_of(laid));
}

/* The same for a play of several ranks. */
static void count_broken_by_ranks(int32_t *rate, gd_windows *w, uint64_t had, uint64_t has, gd_play laid)
{
    uint64_t left = ranks_with(has, 1) & ~((uint64_t)15 << 60);
    uint64_t two = ranks_with(had, 2), three = ranks_with(had, 3), four = ranks_with(had, 4);
    rate[0] += (two & ~three & ~ranks_with(has, 2) & left) != 0;
    rate[1] += (three & ~four & ~ranks_with(has, 3) & left) != 0;
    rate[2] += (four & ~ranks_with(has, 4) & left) != 0;
    uint64_t now = sequences_of(has);
    count_lost(rate, w->sequences & ~now, gd_kind_of(laid));
    w->sequences = now;
}

static inline void count_broken(int32_t *rate, gd_windows *w, uint64_t had, const gd_hand *hand, gd_play laid)
{
    unsigned kind = gd_kind_of(laid);
    if (kind <= GD_TRIPLE || kind == GD_BOMB)
        count_broken_by_set(rate, w, (unsigned)(had >> (4 * gd_rank(laid))) & 15u, gd_count(hand, gd_rank(laid)), laid);
    else
        count_broken_by_ranks(rate, w, had, hand->counts, laid);
    if (!w->flushes) return;
    uint64_t flushes = flushes_of(hand);
    rate[6] += flushes != w->flushes && kind != GD_STRAIGHT_FLUSH;
    w->flushes = flushes;
}

/* One to five cards: a seat that is out holds none. */
static inline int is_low(unsigned cards) { return cards - 1u < 5u; }

void gd_style_play(gd_style *s, const gd_question *q, const gd_table *t)
{
    gd_play laid = t->last_shape;
    unsigned seat = q->seat, leads = q->to_beat == GD_PASS, kind = gd_kind_of(laid);
    const gd_hand *hand = &t->deal.hand[seat];
    gd_style_counts *c = s->count[seat];
    if (gd_is_bomb(laid)) count_bomb(s, c, q, t, laid);
    c->occasions[leads ? GD_OF_leads : GD_OF_answers]++;
    c->events[(leads ? GD_STYLE_led_single : GD_STYLE_answered_single) - GD_SINGLE + kind]++;
    int32_t *broken = &c->events[leads ? GD_STYLE_lead_broke_pair : GD_STYLE_answer_broke_pair];
    count_broken(broken, &s->windows[seat], q->counts, hand, laid);
    if (gd_wilds(laid)) {
        c->occasions[GD_OF_wilds] += (int32_t)gd_wilds(laid);
        c->events[GD_STYLE_wild_in_single - GD_SINGLE + kind] += (int32_t)gd_wilds(laid);
    }
    if (t->deal.left[seat] > 5) return;
    s->low[~seat & 1u] = is_low(t->deal.left[seat]) || is_low(t->deal.left[gd_partner(seat)]);
    if (!t->deal.left[seat]) {
        c->occasions[GD_OF_outs]++;
        c->events[GD_STYLE_out_with_bomb] += gd_is_bomb(laid);
    }
}

void gd_style_deal_over(gd_style *s, const gd_table *t)
{
    const gd_deal *d = &t->deal;
    unsigned mate = gd_partner(d->order[0]);
    s->count[mate]->occasions[GD_OF_partner_first]++;
    s->count[mate]->events[GD_STYLE_not_last_behind_partner] += d->order[3] != mate;
    for (unsigned seat = 0; seat < 4; seat++) {
        if (!d->left[seat]) continue;
        s->count[seat]->occasions[GD_OF_stayed_in]++;
        s->count[seat]->events[GD_STYLE_cards_left] += d->left[seat];
    }
}

#define OCCASION_OF(name, of) GD_OF_##of,
static const uint8_t occasion_of[GD_RATES] = {GD_STYLE_RATES(OCCASION_OF)};
#undef OCCASION_OF

static void add_counts(gd_style_counts *to, const gd_style_counts *from)
{
    for (unsigned k = 0; k < GD_OCCASIONS; k++) to->occasions[k] += from->occasions[k];
    for (unsigned k = 0; k < GD_RATES; k++) to->events[k] += from->events[k];
}

void gd_style_pair(gd_style *s)
{
    gd_style_counts roles[2][GD_ROLES] = {0};
    for (; s->used; s->used &= s->used - 1) {
        unsigned cell = gd_lowest(s->used), part = cell / GD_STANDINGS % GD_TRIBUTE_PARTS;
        gd_style_counts *of_side = roles[cell / (GD_STANDINGS * GD_TRIBUTE_PARTS)];
        add_counts(&of_side[1 + part], &s->cells[cell]);
        add_counts(&of_side[1 + GD_TRIBUTE_PARTS + cell % GD_STANDINGS], &s->cells[cell]);
        s->cells[cell] = (gd_style_counts){0};
    }
    for (unsigned side = 0; side < 2; side++)
        for (unsigned part = 0; part < GD_TRIBUTE_PARTS; part++) add_counts(&roles[side][0], &roles[side][1 + part]);
    for (unsigned role = 0; role < GD_ROLES; role++) {
        const gd_style_counts *x = &roles[0][role], *y = &roles[1][role];
        for (unsigned k = 0; k < GD_OCCASIONS; k++) {
            int64_t nx = x->occasions[k], ny = y->occasions[k], *sum = s->sums->occasions[role][k];
            sum[0] += nx > 0;
            sum[1] += nx;
            sum[2] += nx * nx;
            sum[3] += ny > 0;
            sum[4] += ny;
            sum[5] += ny * ny;
            sum[6] += nx * ny;
        }
        for (unsigned k = 0; k < GD_RATES; k++) {
            int64_t nx = x->occasions[occasion_of[k]], ny = y->occasions[occasion_of[k]];
            int64_t yx = x->events[k], yy = y->events[k], *sum = s->sums->rates[role][k];
            if (!(yx | yy)) continue;
            sum[0] += yx;
            sum[1] += yx * yx;
            sum[2] += nx * yx;
            sum[3] += yy;
            sum[4] += yy * yy;
            sum[5] += ny * yy;
            sum[6] += nx * yy;
            sum[7] += yx * ny;
            sum[8] += yx * yy;
        }
    }
}
