#include "plan.h"

enum { MOST_SEQUENCES = 40, MOST_TAKEN = 5, MOST_LEAVES = 80 };

typedef struct {
    uint64_t need;  /* nibbles by rank, wilds in the last */
    uint64_t lanes; /* a straight flush: its naturals */
    int32_t price;
    gd_group group;
} sequence;

typedef struct {
    const gd_prices *prices;
    unsigned level, n, leaves, taken;
    int32_t best;
    uint8_t chosen[MOST_TAKEN], best_chosen[MOST_TAKEN];
    unsigned n_best;
    sequence list[MOST_SEQUENCES];
} search;

static inline uint64_t nibble(unsigned rank, uint64_t k) { return k << (4 * rank); }

/* Lane bits of the five places from `place` on, of one suit. */
static inline uint64_t flush_lanes(unsigned suit, unsigned place, unsigned but)
{
    uint64_t lanes = 0;
    for (unsigned i = 0; i < 5; i++)
        if (!(but >> i & 1u)) lanes |= (uint64_t)1 << (16 * suit + gd_rank_at(place + i));
    return lanes;
}

uint64_t gd_flush_cards(const gd_hand *hand)
{
    uint64_t cards = 0;
    for (uint64_t at = gd_flush_windows(hand->one, gd_wilds_held(hand)); at; at &= at - 1) {
        unsigned bit = gd_lowest(at);
        cards |= flush_lanes(bit >> 4, bit & 15u, 0);
    }
    return cards & hand->one;
}

/* Without one copy of each of these, of which there is one or both. */
static inline gd_cards without_lanes(gd_cards cards, uint64_t lanes)
{
    return (gd_cards){cards.one & ~(lanes & ~cards.two), cards.two & ~lanes};
}

static inline void take_lanes(gd_hand *h, uint64_t lanes)
{
    gd_cards left = without_lanes((gd_cards){h->one, h->two}, lanes);
    h->one = left.one, h->two = left.two;
}

gd_hand gd_hand_without(const gd_hand *hand, gd_play play, uint64_t keep)
{
    gd_hand rest = *hand;
    uint64_t need = gd_need_of(play);
    rest.counts -= need;
    if (!keep) { /* nobody will look at the suits, but for which ranks there are */
        rest.one = rest.two = 0;
        return rest;
    }
    if (gd_kind_of(play) == GD_STRAIGHT_FLUSH) {
        take_lanes(&rest, flush_lanes(gd_detail(play) >> 5 & 3u, gd_power(play), gd_detail(play) & 31u));
        return rest;
    }
    for (need &= ~nibble(GD_WILD_NIBBLE, 15); need;) {
        unsigned rank = gd_lowest(need) / 4, k = (unsigned)(need >> (4 * rank)) & 15u;
        need &= ~nibble(rank, 15);
        uint64_t at = rank < 13 ? GD_LANES << rank : (uint64_t)1 << rank;
        while (k--) {
            uint64_t held = rest.one & at, spare = held & ~keep, twice = rest.two & at;
            uint64_t from = spare ? spare : twice ? twice : held;
            take_lanes(&rest, from & (~from + 1));
        }
    }
    return rest;
}

/* ---- sets: what is left when the sequences are taken -------------------------------------------------------------- */

typedef struct {
    uint32_t ranks[9]; /* [k]: ranks of which there are just k, k from 1 on */
    unsigned wilds;    /* not used yet */
} sets;

typedef struct {
    uint8_t triple[8], pair[8];
    unsigned n;
} houses;

/* What is gained by making houses of triples and pairs, the best triple with the cheapest pair and so on; which they are goes
 * into `h` unless that is NULL. */
static int32_t make_houses(const search *s, uint32_t triples, uint32_t pairs, houses *h)
{
    const gd_prices *p = s->prices;
    int32_t sum = 0;
    if (h) h->n = 0;
    while (triples && pairs) {
        unsigned t = 0, q = 0;
        int32_t least_pair = 1 << 30, gain = -(1 << 30);
        for (uint32_t m = pairs; m; m &= m - 1)
            if (p->set[2][gd_lowest(m)] < least_pair) q = gd_lowest(m), least_pair = p->set[2][q];
        for (uint32_t m = triples; m; m &= m - 1) {
            unsigned r = gd_lowest(m);
            if (p->house[r] - p->set[3][r] > gain) t = r, gain = p->house[r] - p->set[3][r];
        }
        if (gain <= least_pair) break;
        sum += gain - least_pair;
        if (h) h->triple[h->n] = (uint8_t)t, h->pair[h->n++] = (uint8_t)q;
        triples &= ~(1u << t), pairs &= ~(1u << q);
    }
    return sum;
}

static inline unsigned count_in(const sets *x, unsigned rank)
{
    for (unsigned k = 1; k < 9; k++)
        if (x->ranks[k] >> rank & 1u) return k;
    return 0;
}

/* What a set is worth more with a card more. */
static inline int32_t change(const search *s, unsigned k, unsigned rank)
{
    return s->prices->set[k + 1][rank] - s->prices->set[k][rank];
}

/* Where a wild could go: the best rank of k naturals, by what it changes in price. There must be one. */
static unsigned best_join(const search *s, const sets *x, unsigned k)
{
    int32_t best = -(1 << 30);
    unsigned rank = 15;
    for (uint32_t m = x->ranks[k] & 0x1fffu & ~(1u << s->level); m; m &= m - 1) {
        unsigned r = gd_lowest(m);
        if (change(s, k, r) > best) best = change(s, k, r), rank = r;
    }
    return rank;
}

/* What is gained by the wilds at their best and by houses, beyond the sum of the sets as they are. Where `h` is not NULL, it
 * tells the houses, and `join` to which rank each wild goes, 15: it stays a level card. `x` is the same afterwards. */
static int32_t place_wilds(const search *s, sets *x, houses *h, uint8_t *join)
{
    if (!x->wilds) return make_houses(s, x->ranks[3], x->ranks[2], h);
    int32_t best = -(1 << 30);
    houses at;
    uint8_t next[2] = {15, 15};
    x->wilds--;
    for (unsigned k = 0; k < 8; k++) {
        unsigned rank = s->level, own = k;
        int32_t gain = 0;
        if (k == 0) { /* as a level card */
            own = count_in(x, s->level), gain = s->prices->wild;
            if (own == 8) continue;
        } else {
            if (!(x->ranks[k] & 0x1fffu & ~(1u << s->level)) || (k > 4 && x->ranks[k - 1])) continue;
            rank = best_join(s, x, k);
        }
        gain += change(s, own, rank);
        uint32_t here = x->ranks[own], above = x->ranks[own + 1], bit = 1u << rank;
        x->ranks[own] &= ~bit;
        x->ranks[own + 1] |= bit;
        gain += place_wilds(s, x, h ? &at : NULL, next + 1);
        x->ranks[own] = here;
        x->ranks[own + 1] = above;
        if (gain <= best) continue;
        best = gain;
        if (!h) continue;
        *h = at;
        join[0] = k ? (uint8_t)rank : 15;
        if (x->wilds) join[1] = next[1];
    }
    x->wilds++;
    return best;
}

static sets sets_of(uint64_t counts)
{
    sets x = {.wilds = (unsigned)(counts >> 60)};
    gd_hand h = {counts, 0, 0};
    uint32_t more = 0;
    for (unsigned k = 8; k > 4; k--) {
        uint32_t least = counts & 0x0ccccccccccccccc ? gd_ranks_with(&h, k) : 0;
        x.ranks[k] = least & ~more;
        more = least;
    }
    for (unsigned k = 4; k; k--) {
        uint32_t least = gd_ranks_with(&h, k);
        x.ranks[k] = least & ~more;
        more = least;
    }
    x.ranks[0] = 0;
    return x;
}

/* Four jokers are a bomb where that is worth more than two pairs. */
static int32_t jokers_gain(const search *s, uint64_t counts)
{
    if ((counts >> (4 * GD_SMALL_JOKER) & 0xffu) != 0x22u) return 0;
    int32_t gain = s->prices->jokers - s->prices->set[2][GD_SMALL_JOKER] - s->prices->set[2][GD_BIG_JOKER];
    return gain > 0 ? gain : 0;
}

/* ---- sequences ---------------------------------------------------------------------------------------------------- */

/* Are there that many of each? No nibble of `need` is above 3; a nibble of 8 is read as 7. */
static inline int fits(uint64_t counts, uint64_t need)
{
    const uint64_t high = 0x8888888888888888u;
    uint64_t eight = counts & high;
    return ((((counts & ~eight) | (eight - (eight >> 3)) | high) - need) & high) == high;
}

static void add(search *s, uint64_t need, uint64_t lanes, int32_t price, gd_group group)
{
    if (s->n == MOST_SEQUENCES) return;
    s->list[s->n++] = (sequence){need, lanes, price, group};
}

static void list_flushes(search *s, const gd_hand *hand)
{
    unsigned wilds = gd_wilds_held(hand);
    for (uint64_t at = gd_flush_windows(hand->one, wilds); at; at &= at - 1) {
        unsigned bit = gd_lowest(at), suit = bit >> 4, place = bit & 15u, used = 0;
        uint64_t lanes = 0, need = 0;
        for (unsigned i = 0; i < 5; i++) {
            unsigned rank = gd_rank_at(place + i);
            uint64_t lane = (uint64_t)1 << (16 * suit + rank);
            if (hand->one & lane)
                lanes |= lane, need += nibble(rank, 1);
            else
                used++;
        }
        add(s, need + nibble(GD_WILD_NIBBLE, used), lanes, s->prices->flush[place],
            (gd_group){GD_STRAIGHT_FLUSH, 5, (uint8_t)used, (uint8_t)place, 0});
    }
}

/* Where a straight could begin: five places that are no bomb, of which one may be a wild's. */
static inline uint32_t straight_places(uint32_t spare, uint32_t bombs, unsigned wilds)
{
    uint32_t a = spare, b = a >> 1, c = a >> 2, d = a >> 3, e = a >> 4, whole = a & b & c & d & e;
    if (!wilds) return whole & 0x3ffu;
    uint32_t four = (a & b & c & (d | e)) | ((a | b) & c & d & e) | (a & b & d & e);
    return four & ~(bombs | bombs >> 1 | bombs >> 2 | bombs >> 3 | bombs >> 4) & 0x3ffu;
}

/* Sequences that tear no bomb of four; a tube has at least one mere pair. */
static void list_sequences(search *s, const gd_hand *hand)
{
    uint32_t r[5], p[5];
    for (unsigned k = 1; k < 5; k++) r[k] = gd_ranks_with(hand, k), p[k] = gd_places_of(r[k]);
    unsigned wilds = gd_wilds_held(hand);
    uint32_t pair = p[2] & ~p[3], spare[4]; /* [k]: places with k naturals or more that are no bomb */
    for (unsigned k = 1; k < 4; k++) spare[k] = p[k] & ~p[4];
    for (uint32_t m = straight_places(spare[1], p[4], wilds); m; m &= m - 1) {
        unsigned at = gd_lowest(m);
        uint32_t lack = ~(p[1] >> at) & 31u;
        unsigned missing = gd_bits(lack);
        uint64_t need = nibble(GD_WILD_NIBBLE, missing);
        for (unsigned i = 0; i < 5; i++)
            if (!(lack >> i & 1u)) need += nibble(gd_rank_at(at + i), 1);
        add(s, need, 0, s->prices->straight[at], (gd_group){GD_STRAIGHT, 5, (uint8_t)missing, (uint8_t)at, 0});
    }
    uint32_t held = spare[wilds ? 1 : 2];
    for (uint32_t m = held & held >> 1 & held >> 2 & 0xfffu; m; m &= m - 1) {
        unsigned at = gd_lowest(m), whole = gd_bits(p[2] >> at & 7u);
        if (whole + wilds < 3 || whole < 2 || !(pair >> at & 7u)) continue;
        uint64_t need = nibble(GD_WILD_NIBBLE, 3 - whole);
        for (unsigned i = 0; i < 3; i++) need += nibble(gd_rank_at(at + i), p[2] >> (at + i) & 1u ? 2 : 1);
        add(s, need, 0, s->prices->tube[at], (gd_group){GD_TUBE, 6, (uint8_t)(3 - whole), (uint8_t)at, 0});
    }
    held = spare[wilds ? 2 : 3];
    for (uint32_t m = held & held >> 1 & 0x1fffu; m; m &= m - 1) {
        unsigned at = gd_lowest(m), whole = gd_bits(p[3] >> at & 3u);
        if (whole + wilds < 2 || !whole) continue;
        uint64_t need = nibble(GD_WILD_NIBBLE, 2 - whole);
        for (unsigned i = 0; i < 2; i++) need += nibble(gd_rank_at(at + i), p[3] >> (at + i) & 1u ? 3 : 2);
        add(s, need, 0, s->prices->plate[at], (gd_group){GD_PLATE, 6, (uint8_t)(2 - whole), (uint8_t)at, 0});
    }
}

/* The same as place_wilds of a hand without wilds, of which most have no triple or no pair: that is seen at once. */
static inline int32_t houses_of(const search *s, uint64_t counts)
{
    uint64_t three = gd_nibbles_from(counts, 3);
    uint64_t triples = three & ~gd_nibbles_from(counts, 4), pairs = gd_nibbles_from(counts, 2) & ~three;
    return triples && pairs ? make_houses(s, gd_of_nibbles(triples), gd_of_nibbles(pairs), NULL) : 0;
}

/* Sum of the prices of all sets. */
static int32_t price_sets(const search *s, uint64_t counts)
{
    int32_t sum = 0;
    for (unsigned rank = 0; rank < 15; rank++) sum += s->prices->set[counts >> (4 * rank) & 15u][rank];
    return sum;
}

/* What that sum changes by where these cards are taken. */
static inline int32_t price_taken(const search *s, uint64_t counts, uint64_t need)
{
    int32_t sum = 0;
    for (need &= ~nibble(GD_WILD_NIBBLE, 15); need;) {
        unsigned at = gd_lowest(need) & ~3u, rank = at / 4;
        unsigned had = (unsigned)(counts >> at) & 15u, has = had - ((unsigned)(need >> at) & 15u);
        sum += s->prices->set[has][rank] - s->prices->set[had][rank];
        need &= ~((uint64_t)15 << at);
    }
    return sum;
}

/* `sum`: prices of the sequences taken and of the sets that are left as they are. */
static void descend(search *s, uint64_t counts, gd_cards suits, unsigned from, int32_t sum)
{
    int32_t value = sum + jokers_gain(s, counts);
    if (counts >> 60) {
        sets x = sets_of(counts);
        value += place_wilds(s, &x, NULL, NULL);
    } else {
        value += houses_of(s, counts);
    }
    if (value > s->best) {
        s->best = value;
        s->n_best = s->taken;
        for (unsigned i = 0; i < s->taken; i++) s->best_chosen[i] = s->chosen[i];
    }
    if (++s->leaves > MOST_LEAVES || s->taken == MOST_TAKEN) return;
    for (unsigned i = from; i < s->n && s->leaves <= MOST_LEAVES; i++) {
        const sequence *q = &s->list[i];
        if (!fits(counts, q->need) || (q->lanes & ~suits.one)) continue;
        s->chosen[s->taken++] = (uint8_t)i;
        descend(s, counts - q->need, without_lanes(suits, q->lanes), i,
                sum + q->price + price_taken(s, counts, q->need));
        s->taken--;
    }
}

/* Write the groups of the best split down. */
static void write_down(const search *s, uint64_t counts, gd_plan *plan)
{
    plan->n = 0;
    for (unsigned i = 0; i < s->n_best; i++) {
        plan->group[plan->n++] = s->list[s->best_chosen[i]].group;
        counts -= s->list[s->best_chosen[i]].need;
    }
    houses h;
    uint8_t join[2] = {15, 15}, with[16] = {0};
    sets x = sets_of(counts);
    unsigned wilds = x.wilds;
    if (jokers_gain(s, counts) > 0) {
        plan->group[plan->n++] = (gd_group){GD_JOKER_BOMB, 4, 0, 0, 0};
        x.ranks[2] &= 0x1fffu;
        counts &= ~nibble(GD_SMALL_JOKER, 255);
    }
    place_wilds(s, &x, &h, join);
    for (unsigned i = 0; i < wilds; i++) with[join[i] > 12 ? s->level : join[i]]++;
    uint32_t housed = 0;
    for (unsigned i = 0; i < h.n; i++) {
        housed |= 1u << h.triple[i] | 1u << h.pair[i];
        plan->group[plan->n++] =
            (gd_group){GD_FULL_HOUSE, 5, (uint8_t)(with[h.triple[i]] + with[h.pair[i]]), h.triple[i], h.pair[i]};
    }
    for (unsigned rank = 0; rank < 15; rank++) {
        unsigned k = ((unsigned)(counts >> (4 * rank)) & 15u) + with[rank];
        if (!k || housed >> rank & 1u) continue;
        plan->group[plan->n++] = (gd_group){(uint8_t)(k < 4 ? k : GD_BOMB), (uint8_t)k, with[rank], (uint8_t)rank, 0};
    }
}

void gd_plan_of(const gd_hand *hand, unsigned level, const gd_prices *prices, int flushes, gd_plan *plan)
{
    search s;
    s.prices = prices;
    s.level = level;
    s.n = s.leaves = s.taken = s.n_best = 0;
    s.best = -(1 << 30);
    if (flushes) list_flushes(&s, hand);
    list_sequences(&s, hand);
    descend(&s, hand->counts, (gd_cards){hand->one, hand->two}, 0, price_sets(&s, hand->counts));
    plan->value = s.best;
    write_down(&s, hand->counts, plan);
}
