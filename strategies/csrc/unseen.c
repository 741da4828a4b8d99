#include "unseen.h"

/* [c][k]: chance that a seat with n of N cards holds at least k of c given ones. */
typedef struct {
    uint32_t least[9][5];
} holds;

static void fill_holds(holds *h, unsigned n, unsigned of)
{
    uint32_t exactly[5] = {GD_SURE, 0, 0, 0, 0}; /* the last: that many and more */
    for (unsigned c = 0;; c++) {
        uint32_t sum = 0;
        for (unsigned k = 5; k-- > 0;) h->least[c][k] = sum += exactly[k];
        if (c == 8) return;
        if (c >= of) continue;
        uint32_t share = (GD_SURE << 4) / (of - c);
        for (unsigned k = 4; k-- > 0;) {
            uint32_t take = n > k ? (n - k) * share >> 4 : 0;
            uint32_t moved = take >= GD_SURE ? exactly[k] : gd_times(exactly[k], take);
            if (n >= of) moved = exactly[k];
            exactly[k + 1] += moved;
            exactly[k] -= moved;
        }
    }
}

static inline gd_cards pack(void)
{
    gd_cards all = {GD_SUITED | (uint64_t)3 << GD_SMALL_JOKER, GD_SUITED | (uint64_t)3 << GD_SMALL_JOKER};
    return all;
}

/* Cards in one of the two packs and not in `gone`. */
static inline gd_cards lacking(gd_cards gone)
{
    gd_cards all = pack(), out = {all.one & ~gone.two, all.one & ~gone.one};
    return out;
}

static inline void learn(gd_unseen *u, const gd_view *view, unsigned seat, int card, int sign)
{
    if (seat == view->seat || card < 0 || (unsigned)card == gd_wild_card(view->level)) return;
    unsigned power = gd_power_of(gd_rank_of_card((unsigned)card), view->level);
    u->seat[seat].known[power] = (uint8_t)(u->seat[seat].known[power] + sign);
}

static int has_laid(const gd_view *view, unsigned seat, int card)
{
    uint64_t bit = (uint64_t)1 << gd_lane_bit((unsigned)card);
    for (uint32_t i = 0; i < view->n_steps; i++)
        if (view->steps[i].seat == seat && view->steps[i].cards.one & bit) return 1;
    return 0;
}

/* What tribute tells: where the cards lie that were given, and that a payer has nothing above them. */
static void look_at_tribute(gd_unseen *u, const gd_view *view)
{
    const gd_tribute *t = view->shown;
    for (unsigned i = 0; i < t->n; i++) {
        unsigned payer = t->payer[i], receiver = t->receiver[i];
        if (t->kind == GD_SINGLE_REFUSED && !view->rules->refuse_small && payer != view->seat) {
            if (!has_laid(view, payer, 53)) u->seat[payer].known[GD_BIG_JOKER] = 2;
            continue;
        }
        if (t->kind > GD_TRIBUTE_DOUBLE || t->given[i] < 0) continue;
        u->seat[payer].cap = (uint8_t)gd_power_of(gd_rank_of_card((unsigned)t->given[i]), view->level);
        if (!has_laid(view, receiver, t->given[i])) learn(u, view, receiver, t->given[i], 1);
        if (t->returned[i] >= 0 && !has_laid(view, payer, t->returned[i])) learn(u, view, payer, t->returned[i], 1);
    }
}

/* What plays and passes tell: the lowest play of each kind by an opponent that a seat has let stand, and what it leads. */
static void look_at_steps(gd_unseen *u, const gd_view *view)
{
    gd_play top = GD_PASS;
    unsigned holder = 0;
    for (uint32_t i = 0; i < view->n_steps; i++) {
        const gd_step *s = &view->steps[i];
        unsigned kind = gd_kind_of(top), power = gd_power(top);
        if (s->shape != GD_PASS) {
            unsigned laid = gd_kind_of(s->shape);
            if (laid < GD_ORDINARY && (i == 0 || s->seat == holder || !gd_beats(s->shape, top)))
                u->seat[s->seat].led[laid]++;
            top = s->shape, holder = s->seat;
            kind = gd_kind_of(top);
            if (kind < GD_ORDINARY && u->seat[holder].let[kind] < gd_power(top)) u->seat[holder].let[kind] = 15;
        } else if (kind < GD_ORDINARY && ((holder ^ s->seat) & 1u) && power < u->seat[s->seat].let[kind]) {
            u->seat[s->seat].let[kind] = (uint8_t)power;
        }
    }
}

/* A sequence: chance that the seat makes it at one of the places above each. chance[i] is that of place i. */
static void fill_sequence(uint32_t *above, const uint32_t *chance, unsigned n)
{
    uint32_t any = 0;
    for (unsigned p = 16; p-- > 0;) {
        above[p] = any;
        if (p >= n) continue;
        uint32_t most = any > chance[p] ? any : chance[p], both = gd_either(any, chance[p]);
        any = (most + both) / 2; /* neighbouring places share cards */
    }
}

static void fill_seat(gd_unseen *u, unsigned seat, const uint8_t *free, unsigned n, unsigned of, unsigned of_capped,
                      const uint8_t *windows)
{
    holds plain, high;
    unsigned cap = u->seat[seat].cap, left = u->seat[seat].left, lowest_cap = 14;
    for (unsigned s = 0; s < 4; s++)
        if (u->seat[s].cap < lowest_cap) lowest_cap = u->seat[s].cap;
    fill_holds(&plain, n, of);
    if (lowest_cap < 14 && of_capped < of)
        fill_holds(&high, n, of_capped);
    else
        high = plain;
    /* least[k][power]: chance of at least k naturals of that power. */
    uint32_t least[5][15], wild = plain.least[u->wilds][1];
    for (unsigned p = 0; p < 15; p++) {
        const holds *h = p > lowest_cap ? &high : &plain;
        unsigned known = u->seat[seat].known[p], c = p > cap ? 0 : free[p];
        for (unsigned k = 1; k < 5; k++) least[k][p] = k <= known ? GD_SURE : h->least[c][k - known];
    }
    uint32_t (*above)[16] = u->seat[seat].above;
    uint32_t no[5] = {GD_SURE, GD_SURE, GD_SURE, GD_SURE, GD_SURE}, up_to_level = GD_SURE;
    uint32_t no_set[5] = {GD_SURE, GD_SURE, GD_SURE, GD_SURE, GD_SURE};
    for (unsigned p = 15; p-- > 0;) {
        uint32_t lone = up_to_level; /* no single that a wild could join */
        if (p < 12) {
            above[GD_SINGLE][p] = GD_SURE - gd_times(no[1], GD_SURE - wild);
        } else {
            above[GD_SINGLE][p] = GD_SURE - no[1];
        }
        above[GD_PAIR][p] = GD_SURE - gd_times(no[2], GD_SURE - gd_times(wild, GD_SURE - lone));
        above[GD_TRIPLE][p] = GD_SURE - gd_times(no_set[3], GD_SURE - gd_times(wild, GD_SURE - no_set[2]));
        u->seat[seat].four[p] = GD_SURE - gd_times(no_set[4], GD_SURE - gd_times(wild, GD_SURE - no_set[3]));
        for (unsigned k = 1; k < 3; k++) no[k] = gd_times(no[k], GD_SURE - least[k][p]);
        if (p < 13) {
            up_to_level = gd_times(up_to_level, GD_SURE - least[1][p]);
            for (unsigned k = 2; k < 5; k++) no_set[k] = gd_times(no_set[k], GD_SURE - least[k][p]);
        }
    }
    uint32_t any_four = GD_SURE - gd_times(no_set[4], GD_SURE - gd_times(wild, GD_SURE - no_set[3]));
    above[GD_SINGLE][15] = above[GD_PAIR][15] = above[GD_TRIPLE][15] = u->seat[seat].four[15] = 0;
    /* A full house needs a pair beside the triple. */
    uint32_t pair = left < 5 ? 0 : left < 7 ? GD_SURE / 2 : left < 10 ? GD_SURE / 4 * 3 : GD_SURE / 16 * 15;
    for (unsigned p = 0; p < 16; p++) above[GD_FULL_HOUSE][p] = gd_times(above[GD_TRIPLE][p], pair);
    /* Sequences, by place. */
    uint32_t at[3][14], chance[16];
    for (unsigned place = 0; place < 14; place++) {
        unsigned power = gd_power_of(gd_rank_at(place), u->level);
        for (unsigned k = 1; k < 4; k++) at[k - 1][place] = least[k][power];
    }
    for (unsigned s = 0; s < 12; s++) {
        uint32_t whole = gd_times(gd_times(at[1][s], at[1][s + 1]), at[1][s + 2]);
        uint32_t gap = gd_times(gd_times(at[0][s], at[0][s + 1]), at[0][s + 2]);
        chance[s] = gd_either(whole, gd_times(wild, gap / 4));
    }
    fill_sequence(above[GD_TUBE], chance, left < 6 ? 0 : 12);
    for (unsigned s = 0; s < 13; s++) {
        uint32_t whole = gd_times(at[2][s], at[2][s + 1]);
        chance[s] = gd_either(whole, gd_times(wild, gd_times(at[1][s], at[1][s + 1]) / 4));
    }
    fill_sequence(above[GD_PLATE], chance, left < 6 ? 0 : 13);
    for (unsigned s = 0; s < 10; s++) {
        uint32_t four = gd_times(gd_times(at[0][s + 1], at[0][s + 2]), at[0][s + 3]), ends = at[0][s];
        uint32_t whole = gd_times(gd_times(four, ends), at[0][s + 4]);
        chance[s] = gd_either(whole, gd_times(wild, gd_times(four, gd_either(ends, at[0][s + 4]))));
    }
    fill_sequence(above[GD_STRAIGHT], chance, left < 5 ? 0 : 10);
    if (left < 2)
        for (unsigned p = 0; p < 16; p++) above[GD_PAIR][p] = 0;
    if (left < 3)
        for (unsigned p = 0; p < 16; p++) above[GD_TRIPLE][p] = 0;
    /* Bombs. */
    uint32_t *bomb = u->seat[seat].bomb, flush = GD_SURE;
    if (left < 4) {
        for (unsigned p = 0; p < 16; p++) u->seat[seat].four[p] = 0;
        for (unsigned g = 0; g < GD_BOMB_GRADES; g++) bomb[g] = 0;
        u->seat[seat].any_bomb = 0;
        return;
    }
    bomb[GD_FOUR] = any_four;
    /* Five of one rank: about a third of the chance of four where the unseen cards have five of it. */
    uint32_t five = GD_SURE, six = GD_SURE;
    for (unsigned p = 0; p < 13; p++) {
        unsigned c = free[p] + u->seat[seat].known[p] + u->wilds;
        if (c < 5 || p > cap) continue;
        five = gd_times(five, GD_SURE - least[4][p] / (c == 5 ? 4 : c == 6 ? 3 : 2));
        if (c > 5) six = gd_times(six, GD_SURE - least[4][p] / (c == 6 ? 16 : c == 7 ? 10 : 6));
    }
    bomb[GD_FIVE] = left < 5 ? 0 : GD_SURE - five;
    bomb[GD_SIX] = left < 6 ? 0 : GD_SURE - six;
    if (left >= 5) {
        uint32_t one = plain.least[1][1], two = plain.least[2][1], each[6];
        each[0] = gd_times(gd_times(one, one), gd_times(one, gd_times(one, one)));
        for (unsigned d = 0; d < 5; d++) {
            uint32_t c = GD_SURE;
            for (unsigned i = 0; i < 5; i++) c = gd_times(c, i <= d ? two : one);
            each[d + 1] = c;
        }
        for (unsigned d = 0; d < 6; d++)
            for (unsigned i = 0; i < windows[d]; i++) flush = gd_times(flush, GD_SURE - each[d]);
    }
    bomb[GD_FLUSH] = GD_SURE - flush;
    uint32_t sj = least[2][GD_SMALL_JOKER], bj = least[2][GD_BIG_JOKER];
    bomb[GD_JOKERS] = gd_times(sj, bj);
    u->seat[seat].any_bomb = gd_either(gd_either(bomb[GD_FOUR], bomb[GD_FLUSH]), bomb[GD_JOKERS]);
}

/* A seat that let a kind stand: take `infer` sixteenths of its chance to answer from there on. */
static void discount(gd_unseen *u, unsigned seat, unsigned infer)
{
    for (unsigned kind = GD_SINGLE; kind < GD_ORDINARY; kind++) {
        unsigned let = u->seat[seat].let[kind];
        if (let > 14) continue;
        uint32_t *above = u->seat[seat].above[kind], off = above[let] - above[let] / 16 * infer;
        for (unsigned p = 0; p < let; p++) above[p] = above[p] > off ? above[p] - off : 0;
        for (unsigned p = let; p < 15; p++) above[p] = above[p] / 16 * infer;
    }
}

gd_cards gd_unseen_cards(const gd_view *view)
{
    gd_cards own = {view->hand->one, view->hand->two};
    for (unsigned i = gd_wilds_held(view->hand); i; i--) gd_cards_add(&own, gd_lane_bit(gd_wild_card(view->level)));
    return lacking(gd_cards_sum(*view->gone, own));
}

void gd_unseen_of(const gd_view *view, unsigned infer, gd_unseen *u)
{
    unsigned level = view->level;
    uint64_t wild = (uint64_t)1 << gd_lane_bit(gd_wild_card(level));
    u->cards = gd_unseen_cards(view);
    u->level = level;
    u->n = gd_cards_size(u->cards);
    u->wilds = (unsigned)!!(u->cards.one & wild) + (unsigned)!!(u->cards.two & wild);
    gd_cards natural = {u->cards.one & ~wild, u->cards.two & ~wild};
    for (unsigned p = 0; p < 15; p++) {
        uint64_t at = GD_LANES << gd_rank_of_power(p, level);
        if (p > 12) at = (uint64_t)1 << p;
        u->count[p] = (uint8_t)(gd_bits(natural.one & at) + gd_bits(natural.two & at));
    }
    for (unsigned s = 0; s < 4; s++) {
        u->seat[s].left = s == view->seat ? 0 : view->left[s];
        u->seat[s].cap = 14;
        for (unsigned p = 0; p < 15; p++) u->seat[s].known[p] = 0;
        for (unsigned k = 0; k < GD_ORDINARY; k++) u->seat[s].let[k] = 15, u->seat[s].led[k] = 0;
    }
    look_at_tribute(u, view);
    u->seat[view->seat].cap = 14;
    look_at_steps(u, view);
    /* Cards that may be anywhere. */
    uint8_t free[15];
    unsigned pool = u->n, held[4], capped = 0;
    for (unsigned s = 0; s < 4; s++) held[s] = u->seat[s].left;
    for (unsigned p = 0; p < 15; p++) {
        free[p] = u->count[p];
        for (unsigned s = 0; s < 4; s++) {
            unsigned k = u->seat[s].known[p];
            if (k > free[p]) k = u->seat[s].known[p] = free[p];
            if (k > held[s]) k = u->seat[s].known[p] = (uint8_t)held[s];
            free[p] = (uint8_t)(free[p] - k);
            held[s] -= k;
            pool -= k;
        }
    }
    for (unsigned s = 0; s < 4; s++)
        if (u->seat[s].cap < 14) capped += held[s];
    /* Windows of straight flushes by the number of cards that are there twice. */
    uint8_t windows[6] = {0};
    uint64_t two = gd_places(natural.two);
    for (uint64_t at = gd_flush_windows(natural.one, 0); at; at &= at - 1)
        windows[gd_bits(two >> gd_lowest(at) & 31u)]++;
    for (unsigned s = 0; s < 4; s++) {
        if (!u->seat[s].left) continue;
        unsigned others = u->seat[s].cap < 14 || pool - capped < held[s] ? pool : pool - capped;
        fill_seat(u, s, free, held[s], pool, others, windows);
        discount(u, s, infer);
    }
}

uint32_t gd_bombed(const gd_unseen *u, unsigned seat, gd_play play)
{
    const uint32_t *bomb = u->seat[seat].bomb;
    if (!u->seat[seat].left) return 0;
    if (!gd_is_bomb(play)) return u->seat[seat].any_bomb;
    unsigned kind = gd_kind_of(play), size = gd_size(play);
    if (kind == GD_JOKER_BOMB) return 0;
    if (size >= 6) return gd_either(bomb[GD_SIX] / 4, bomb[GD_JOKERS]);
    uint32_t more = gd_either(bomb[GD_SIX], bomb[GD_JOKERS]);
    if (kind == GD_STRAIGHT_FLUSH) return gd_either(more, bomb[GD_FLUSH] / 10 * (9 - gd_power(play)));
    more = gd_either(more, bomb[GD_FLUSH]);
    if (size == 5) return gd_either(more, bomb[GD_FIVE] / 13 * (12 - gd_power(play)));
    return gd_either(gd_either(more, bomb[GD_FIVE]), u->seat[seat].four[gd_power(play)]);
}

uint32_t gd_answer(const gd_unseen *u, unsigned seat, gd_play play)
{
    if (!u->seat[seat].left) return 0;
    return gd_is_bomb(play) ? gd_bombed(u, seat, play) : u->seat[seat].above[gd_kind_of(play)][gd_power(play)];
}
