#include "gd_style.h"

#include <string.h>

/* The hands of a deal, those of a seat together: the one it ended with, before it that of its last play, and so on back to
 * its first; behind them one place that is written to and not kept. With each but the end what was laid from it. */
enum { MAX_HANDS = GD_DECK + 4 * 2 };
typedef struct hands {
    unsigned n;
    uint64_t counts[MAX_HANDS], one[MAX_HANDS];
    gd_play shape[MAX_HANDS];   /* PASS: nothing */
    uint8_t by[MAX_HANDS];      /* twice the seat, one more where it led */
    uint64_t levels[MAX_HANDS]; /* a nibble a rank, wilds left out: bit k, 0 <= k < 4, says that more than k are held */
    uint64_t sequences[MAX_HANDS]; /* of naturals, a nibble a lowest place: bit 0 straights, 1 tubes, 2 plates */
    uint64_t flushes[MAX_HANDS];   /* straight flushes, by lane and lowest place, with the wilds held */
    uint64_t broken[MAX_HANDS];    /* what the play broke, a byte each: broken_byte */
} hands;

/* What was seen and done at each choice of a deal, as bits of enum gd_saw. Of each seat what else is counted, a byte each:
 * choices with a bomb to lay while an opponent held one to five cards; leads of the smallest single; leads of a single into
 * one card; plays. */
typedef struct choices {
    uint32_t saw[GD_MAX_STEPS], also[4];
} choices;

/* Of the choices of a deal, without a branch, several at a time. */
static void read_choices(choices *restrict c, const gd_sights *restrict s, unsigned begin, unsigned n)
{
    const uint32_t *all_at = &s->at[begin], *all_left = &s->left[begin], *all_shape = &s->shape[begin],
                   *all_last = &s->last[begin], *all_first = &s->first[begin];
    uint32_t also_0 = 0, also_1 = 0, also_2 = 0, also_3 = 0; /* one by one: the compiler must see four sums */
    for (unsigned i = 0; i < n; i++) {
        uint32_t at = all_at[i], shape = all_shape[i], last = all_last[i], first = all_first[i], leads = at >> 31;
        uint32_t left = (at >> 16 & 1 ? all_left[i] : all_left[i] >> 8) & 0x00ff00ff; /* of the opponents */
        uint32_t some = left + 0x00ff00ff;
        uint32_t low = (some & ~(left + 0x00fa00fa) & 0x01000100) != 0; /* one to five cards */
        uint32_t one = (some & ~(left + 0x00fe00fe) & 0x01000100) != 0;
        uint32_t bomb = last >> 31, into_one = one & (last >> 28 > GD_SINGLE), passes = shape == GD_PASS;
        uint32_t led_single = leads & (shape >> 28 == GD_SINGLE), smallest = ((shape ^ first) >> 20 & 15) == 0;
        uint32_t on_lead = GD_LEADS + (at >> 18 & 1) * GD_LEADS_BY_WIND + into_one * GD_LEADS_INTO_ONE;
        uint32_t on_answer =
            (~first >> 31) * GD_CAN_ANSWER + passes * GD_PASSES + ((at >> 24 ^ at >> 16) & 1) * GD_OPPONENTS;
        c->saw[i] = bomb * GD_HAS_BOMB + (leads ? on_lead : on_answer);
        uint32_t also =
            (bomb & low) | (led_single & smallest) << 8 | (led_single & into_one) << 16 | (1 - passes) << 24;
        uint32_t seat = at >> 16 & 3;
        also_0 += seat == 0 ? also : 0;
        also_1 += seat == 1 ? also : 0;
        also_2 += seat == 2 ? also : 0;
        also_3 += seat == 3 ? also : 0;
    }
    c->also[0] = also_0, c->also[1] = also_1, c->also[2] = also_2, c->also[3] = also_3;
}

/* A bomb laid by a seat that saw it so. */
static void count_bomb(gd_style_counts *c, gd_play bomb, uint32_t left, uint32_t at)
{
    unsigned size = gd_size(bomb), seat = at >> 16 & 3u, holder = at >> 24;
    unsigned a = left >> 8 * ((seat + 1) & 3u) & 255u, b = left >> 8 * ((seat + 3) & 3u) & 255u;
    if (gd_kind_of(bomb) == GD_BOMB) ++*(size == 4 ? &c->bombs_of_4 : size == 5 ? &c->bombs_of_5 : &c->bombs_of_6_up);
    c->bomb_on_partner += holder == gd_partner(seat);
    c->bomb_opponent_low += (a - 1 < 5) | (b - 1 < 5);
    c->bomb_opponents_full += (a >= 15) & (b >= 15);
    c->bomb_as_last += (left >> 8 * seat & 255u) == size;
}

/* Set the end of the list of hands of a seat. */
static void put_end(hands *h, unsigned k, uint64_t counts, uint64_t one)
{
    h->counts[k] = counts;
    h->one[k] = one;
    h->shape[k] = GD_PASS;
    h->by[k] = 0;
}

/* Count choices from the last to the first: what a seat holds after a play is what it held at its next choice. at: the hand
 * of each seat before its first play. */
static void count_choices(const gd_style_deal *d, const gd_sights *s, unsigned begin, hands *h, unsigned at[4])
{
    choices c;
    read_choices(&c, s, begin, d->choices);
    h->n = 0;
    for (unsigned seat = 0; seat < 4; seat++) {
        d->cell[seat]->bombable_low += c.also[seat] & 255u;
        d->cell[seat]->led_smallest_single += c.also[seat] >> 8 & 255u;
        d->cell[seat]->led_single_into_one_card += c.also[seat] >> 16 & 255u;
        put_end(h, h->n, d->counts[seat], d->one[seat]);
        at[seat] = h->n + 1;
        h->n = at[seat] + (c.also[seat] >> 24);
        put_end(h, h->n++, 0, 0);
    }
    for (unsigned i = d->choices; i-- > 0;) {
        uint32_t how = s->at[begin + i];
        unsigned seat = how >> 16 & 3u, k = at[seat];
        gd_play shape = s->shape[begin + i];
        d->cell[seat]->saw[c.saw[i]]++;
        if (gd_is_bomb(shape)) count_bomb(d->cell[seat], shape, s->left[begin + i], how);
        h->counts[k] = s->counts[begin + i];
        h->one[k] = s->one[begin + i];
        h->shape[k] = shape;
        h->by[k] = (uint8_t)(2 * seat + (how >> 31));
        at[seat] = k + (shape != GD_PASS); /* a pass leaves the hand as it is: what was written is written over */
    }
    for (unsigned seat = 0; seat < 4; seat++) at[seat]--;
}

/* What the hands hold, without a branch, several at a time. */
static void look_into(hands *restrict h)
{
    for (unsigned i = 0; i < h->n; i++) {
        uint64_t counts = h->counts[i], ranks = counts << 4 >> 4;
        uint64_t levels = gd_nibbles_from(ranks, 1) | gd_nibbles_from(ranks, 2) << 1 | gd_nibbles_from(ranks, 3) << 2 |
                          gd_nibbles_from(ranks, 4) << 3;
        /* By place, the ace below the two as well. */
        uint64_t in_1 = (levels << 12 >> 8 | (levels >> 48 & 15u)) & 7 * GD_NIBBLES, in_2 = in_1 & in_1 >> 4,
                 in_3 = in_2 & in_1 >> 8, in_5 = in_3 & in_3 >> 8;
        gd_window_sums sums = gd_sums_of_windows(h->one[i]);
        uint64_t two = -(counts >> 61), any = two | -(counts >> 60 & 1); /* wilds: all bits, or none */
        h->levels[i] = levels;
        h->sequences[i] = (in_5 & GD_NIBBLES) | (in_3 & 2 * GD_NIBBLES) | (in_2 & 4 * GD_NIBBLES);
        h->flushes[i] = ((sums.fours & (sums.units | any)) | (sums.twos & sums.units & two)) & (0x03ffu * GD_LANES);
    }
}

/* Three bits, and three more 32 bits above, to six bytes. */
static inline uint64_t bits_to_bytes(uint64_t x)
{
    return (x & 0x100000001u) | (x & 0x200000002u) << 7 | (x & 0x400000004u) << 14;
}

/* The bytes of `broken`, in the order of GD_STYLE_BROKEN. */
static const uint8_t broken_byte[7] = {0, 1, 2, 5, 6, 4, 3};

/* What plays break: a set of which a part is left, or a sequence. */
static void find_broken(hands *restrict h)
{
    for (unsigned i = 1; i < h->n; i++) {
        uint64_t had = h->levels[i], has = h->levels[i - 1], lost = had & ~has, held = has & GD_NIBBLES;
        uint64_t sets =
            ((lost >> 1 & ~(had >> 2)) & held) | ((lost >> 2 & ~(had >> 3)) & held) << 1 | (lost >> 3 & held) << 2;
        uint64_t sequences = h->sequences[i] & ~h->sequences[i - 1];
        /* Whether in any nibble: all are folded into the lowest, of sets in the lower half, of sequences in the upper. */
        uint64_t any = (sets << 32 | sets) >> 32 | (sequences | sequences << 32) >> 32 << 32;
        any |= any >> 16;
        any |= any >> 8;
        any |= any >> 4;
        h->broken[i] = bits_to_bytes(any) | (uint64_t)(h->flushes[i] != h->flushes[i - 1]) << 24;
    }
}

/* Laying a shape does not break its own kind, nor a straight flush a straight. Where nothing is laid, nothing is broken. */
#define BYTE(i) ((uint64_t)255 << 8 * (i))
static const uint64_t own_kind[GD_JOKER_BOMB + 1] = {
    [GD_PASS] = ~(uint64_t)0, [GD_BOMB] = BYTE(2),     [GD_TUBE] = BYTE(5),
    [GD_PLATE] = BYTE(6),     [GD_STRAIGHT] = BYTE(4), [GD_STRAIGHT_FLUSH] = BYTE(4) | BYTE(3),
};
#undef BYTE

static void count_plays(const gd_style_deal *d, const hands *h)
{
    uint64_t broken[8] = {0}; /* a byte is enough for the 27 plays of a seat */
    for (unsigned i = 1; i < h->n; i++) {
        unsigned by = h->by[i], kind = gd_kind_of(h->shape[i]);
        gd_style_counts *c = d->cell[by >> 1];
        c->plays[by & 1u].of_kind[kind]++;
        c->wilds[kind] += (int32_t)gd_wilds(h->shape[i]);
        broken[by] += h->broken[i] & ~own_kind[kind];
    }
    for (unsigned by = 0; by < 8; by++) {
        int32_t *sum = d->cell[by >> 1]->plays[by & 1u].broken;
        for (unsigned i = 0; i < 7; i++) sum[i] += (int32_t)(broken[by] >> 8 * broken_byte[i] & 255u);
    }
}

/* What a returned card makes of the hand it came to and of the one it left, in the order of GD_STYLE_RETURNED. */
static void count_return(const gd_style_deal *d, gd_style_return back, const hands *h, const unsigned at[4])
{
    unsigned gave = at[back.giver], got = at[back.taker], rank = gd_rank_of_card(back.card);
    gd_style_returns *r = &d->cell[back.giver]->returns[(back.giver ^ back.taker) & 1u];
    r->cards++;
    if (back.wild) return; /* a hand of nothing else: it makes and breaks no set */
    unsigned now = h->counts[got] >> (4 * rank) & 15u, before = (h->counts[gave] >> (4 * rank) & 15u) + 1;
    uint64_t bit = (uint64_t)1 << gd_lane_bit(back.card), lacked = h->one[got] & ~(back.alone ? bit : 0);
    r->effects[0] += now == 2;
    r->effects[1] += now >= 4;
    r->effects[2] += h->flushes[got] != gd_flush_windows(lacked, (unsigned)(h->counts[got] >> 60));
    r->effects[3] += before == 2;
    r->effects[4] += before == 4;
    r->effects[5] += h->flushes[gave] != gd_flush_windows(h->one[gave] | bit, (unsigned)(h->counts[gave] >> 60));
}

void gd_style_count(gd_style *s)
{
    hands h;
    unsigned begin = 0, at[4];
    for (const gd_style_deal *d = s->deals; d < s->deals + s->n_deals; begin += d++->choices) {
        count_choices(d, &s->sights, begin, &h, at);
        look_into(&h);
        find_broken(&h);
        count_plays(d, &h);
        for (unsigned i = 0; i < d->n_returns; i++) count_return(d, d->returns[i], &h, at);
    }
    s->n_deals = s->sights.n = s->waiting = 0;
}

static unsigned standing(const gd_match *m, unsigned team)
{
    if (m->declarer == (int)team && m->level[team] == GD_LEVEL_A) return 3;
    return 1u + (m->level[team] > m->level[1u - team]) - (m->level[team] < m->level[1u - team]);
}

/* The cells that a deal is counted in, by seat. */
static void find_cells(gd_style *s, const gd_table *t, gd_style_counts *cell[4])
{
    const gd_tribute *b = &t->tribute;
    unsigned part[4] = {0}, exchange = b->kind == GD_TRIBUTE_SINGLE || b->kind == GD_TRIBUTE_DOUBLE;
    for (unsigned i = 0; exchange && i < b->n; i++) part[b->payer[i]] = 1, part[b->receiver[i]] = 2;
    unsigned stands[2] = {standing(&t->match, 0), standing(&t->match, 1)};
    for (unsigned seat = 0; seat < 4; seat++) {
        unsigned number = (gd_side_of(t, seat) * GD_TRIBUTE_PARTS + part[seat]) * GD_STANDINGS + stands[seat & 1u];
        cell[seat] = &s->cells[number];
        s->used |= 1u << number;
    }
}

static void note_returns(gd_style_deal *d, const gd_table *t)
{
    const gd_tribute *b = &t->tribute;
    d->n_returns = 0;
    for (unsigned i = 0; i < b->n; i++) {
        if (b->returned[i] < 0) continue;
        unsigned card = (unsigned)b->returned[i], taker = b->payer[i];
        d->returns[d->n_returns++] = (gd_style_return){
            .giver = b->receiver[i],
            .taker = (uint8_t)taker,
            .card = (uint8_t)card,
            .wild = card == gd_wild_card(t->deal.level),
            .alone = gd_copies(t->cards[taker], card) == 1,
        };
    }
}

static void count_end(gd_style_counts *const cell[4], const gd_table *t)
{
    const gd_deal *d = &t->deal;
    for (unsigned seat = 0; seat < 4; seat++) {
        cell[seat]->hands += t->judged < 0 || !d->left[seat];
        if (t->judged >= 0) continue;
        cell[seat]->stayed_in += d->left[seat] != 0;
        cell[seat]->cards_left += d->left[seat];
    }
    if (t->judged >= 0) return;
    unsigned mate = gd_partner(d->order[0]);
    cell[mate]->partner_first++;
    cell[mate]->not_last_behind_partner += d->order[3] != mate;
}

void gd_style_end_deal(gd_style *s, const gd_table *t)
{
    if (s->sights.n == s->waiting) return;
    gd_style_deal *d = &s->deals[s->n_deals++];
    find_cells(s, t, d->cell);
    d->choices = gd_table_seen(t, &s->sights, s->waiting);
    for (unsigned seat = 0; seat < 4; seat++) {
        d->counts[seat] = t->deal.hand[seat].counts;
        d->one[seat] = t->deal.hand[seat].one;
    }
    note_returns(d, t);
    count_end(d->cell, t);
    s->waiting = s->sights.n;
    if (s->n_deals == GD_STYLE_DEALS || s->waiting > GD_MAX_SIGHTS - GD_MAX_STEPS) gd_style_count(s);
}

void gd_style_init(gd_style *s, gd_style_sums *sums)
{
    memset(s, 0, sizeof *s);
    s->sums = sums;
}
