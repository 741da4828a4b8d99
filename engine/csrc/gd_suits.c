/* From a shape to cards: which suits a play takes out of the hand. */
#include "gd_gen.h"

#include <string.h>

#include "gd_tables.h"

/* A shape as it is laid down: natural cards rank by rank. */
typedef struct {
    uint8_t rank[5], take[5];
    unsigned n;
} layout;

static layout lay(gd_play shape)
{
    layout l = {{0}, {0}, 0};
    unsigned kind = gd_kind_of(shape), wilds = gd_wilds(shape), detail = gd_detail(shape), place = gd_power(shape);
    switch (kind) {
    case GD_JOKER_BOMB: l = (layout){{GD_SMALL_JOKER, GD_BIG_JOKER}, {2, 2}, 2}; break;
    case GD_FULL_HOUSE: {
        unsigned in_pair = detail >> 4;
        l = (layout){{(uint8_t)gd_rank(shape), (uint8_t)gd_pair_rank(shape)},
                     {(uint8_t)(3 - (wilds - in_pair)), (uint8_t)(2 - in_pair)},
                     2};
        break;
    }
    case GD_TUBE:
    case GD_PLATE: {
        unsigned each = kind == GD_TUBE ? 2 : 3;
        l.n = 6 / each;
        for (unsigned i = 0; i < l.n; i++) {
            l.rank[i] = (uint8_t)gd_rank_at(place + i);
            l.take[i] = (uint8_t)(each - (detail >> (2 * i) & 3u));
        }
        break;
    }
    case GD_STRAIGHT:
    case GD_STRAIGHT_FLUSH:
        l.n = 5;
        for (unsigned i = 0; i < 5; i++) {
            l.rank[i] = (uint8_t)gd_rank_at(place + i);
            l.take[i] = !(detail >> i & 1u);
        }
        break;
    default: l = (layout){{(uint8_t)gd_rank(shape)}, {(uint8_t)(gd_size(shape) - wilds)}, 1};
    }
    return l;
}

/* Suits of a rank held once or more | held twice << 4: the index of gd_multisets. */
static inline unsigned held(const gd_hand *h, unsigned rank)
{
    return gd_suits_of(h->one, rank) | gd_suits_of(h->two, rank) << 4;
}

/* In how many ways can `take` cards of a rank be taken? The copies of a joker are all alike. */
static inline unsigned ways(const gd_hand *h, const layout *l, unsigned i)
{
    return l->rank[i] < 13 ? gd_multisets[held(h, l->rank[i])][l->take[i]] : 1;
}

/* Sub-multiset number `index` of `take` cards among the suits `suits` (as held() gives them): earlier suits first. */
static gd_cards pick(unsigned suits, unsigned rank, unsigned take, unsigned index)
{
    unsigned one = 0, two = 0;
    for (unsigned suit = 0; take && suit < 4; suit++) {
        unsigned copies = (suits >> suit & 1) + (suits >> (4 + suit) & 1), c = copies < take ? copies : take;
        suits &= ~(0x11u << suit);
        while (index >= gd_multisets[suits][take - c]) index -= gd_multisets[suits][take - c--];
        one |= (unsigned)(c > 0) << suit;
        two |= (unsigned)(c > 1) << suit;
        take -= c;
    }
    return (gd_cards){gd_lanes_of(one, rank), gd_lanes_of(two, rank)};
}

/* Sub-multiset number 0, which nearly every play takes: all it can of each suit in turn. Jokers, too, lie in one lane. */
static inline gd_cards pick_first(const gd_hand *h, unsigned rank, unsigned take)
{
    uint64_t rest = h->one & GD_LANES << rank, second = 0;
    gd_cards out = {0, 0};
    for (; take; take--) {
        /* The second copy of the card before, or else the next card: whether there is one follows no pattern, so no branch. */
        uint64_t next = rest & (0 - rest) & (0 - (uint64_t)!second);
        rest ^= next;
        out.one |= next;
        out.two |= second;
        second = h->two & next;
    }
    return out;
}

static gd_cards pick_rank(const gd_hand *h, const layout *l, unsigned i, unsigned index)
{
    if (!index) return pick_first(h, l->rank[i], l->take[i]);
    return pick(held(h, l->rank[i]), l->rank[i], l->take[i], index);
}

/* Choices of a straight of five naturals that would be a straight flush, ascending: they are not in the list.
 * Number of such suits; raw[k] is the index among all choices. */
static unsigned flush_choices(const gd_hand *h, const layout *l, unsigned raw[4])
{
    unsigned all = 15, n = 0;
    for (unsigned i = 0; i < 5; i++) all &= gd_suits_of(h->one, l->rank[i]);
    for (unsigned suit = 0; suit < 4; suit++) {
        if (!(all >> suit & 1)) continue;
        raw[n] = 0;
        for (unsigned i = 0; i < 5; i++) {
            unsigned suits = gd_suits_of(h->one, l->rank[i]);
            raw[n] = raw[n] * gd_bits(suits) + gd_bits(suits & ((1u << suit) - 1u));
        }
        n++;
    }
    return n;
}

static void add_wilds(gd_cards *c, gd_play shape, unsigned level)
{
    for (unsigned w = gd_wilds(shape); w; w--) gd_cards_add(c, gd_lane_bit(gd_wild_card(level)));
}

/* A straight of five naturals, whose choices of one suit are straight flushes and nothing else. */
static inline int skips_flushes(gd_play shape, unsigned rules)
{
    return gd_kind_of(shape) == GD_STRAIGHT && !gd_wilds(shape) && !(rules & GD_SUITED_PLAIN);
}

/* Ways to take 0..3 cards of each rank, looked up once for a list. */
typedef struct {
    uint8_t of[15][4];
} take_ways;

static take_ways look_up(const gd_hand *h)
{
    take_ways w;
    uint64_t ranks = (h->one | h->one >> 16 | h->one >> 32 | h->one >> 48) & 0x1fffu;
    memset(w.of, 0, sizeof w.of);
    for (unsigned rank = 0; rank < 15; rank++) w.of[rank][0] = 1;
    for (; ranks; ranks &= ranks - 1) {
        unsigned rank = gd_lowest(ranks);
        memcpy(w.of[rank], gd_multisets[held(h, rank)], 4);
    }
    memset(w.of[GD_SMALL_JOKER], 1, 8);
    return w;
}

static inline unsigned sequence_ways(const take_ways *w, gd_play shape, unsigned n, unsigned each)
{
    unsigned out = 1, place = gd_power(shape), detail = gd_detail(shape);
    for (unsigned i = 0; i < n; i++) {
        unsigned wilds = n == 5 ? detail >> i & 1u : detail >> (2 * i) & 3u;
        out *= w->of[gd_rank_at(place + i)][each - wilds];
    }
    return out;
}

/* Number of suits in which the hand has all five ranks of a window. */
static inline unsigned suited_straights(const gd_hand *h, unsigned place)
{
    return gd_bits(gd_flush_windows(h->one, 0) >> place & GD_LANES);
}

static inline unsigned choices_of(const gd_hand *h, const take_ways *w, gd_play shape, unsigned rules)
{
    unsigned wilds = gd_wilds(shape), in_pair = gd_detail(shape) >> 4;
    switch (gd_kind_of(shape)) {
    case GD_SINGLE:
    case GD_PAIR:
    case GD_TRIPLE: return w->of[gd_rank(shape)][gd_size(shape) - wilds];
    case GD_FULL_HOUSE: return w->of[gd_rank(shape)][3 - (wilds - in_pair)] * w->of[gd_pair_rank(shape)][2 - in_pair];
    case GD_TUBE: return sequence_ways(w, shape, 3, 2);
    case GD_PLATE: return sequence_ways(w, shape, 2, 3);
    case GD_STRAIGHT:
        return sequence_ways(w, shape, 5, 1) - (skips_flushes(shape, rules) ? suited_straights(h, gd_power(shape)) : 0);
    case GD_BOMB: return gd_multisets[held(h, gd_rank(shape))][gd_size(shape) - wilds];
    default: return 1;
    }
}

unsigned gd_suit_choices(const gd_hand *hand, gd_play shape, unsigned rules)
{
    take_ways w = look_up(hand);
    return choices_of(hand, &w, shape, rules);
}

void gd_list_starts(const gd_hand *hand, const gd_play *plays, unsigned n, unsigned rules, uint32_t *starts)
{
    starts[0] = 0;
    if (n == 1 && plays[0] == GD_PASS) { /* more than half of all answers */
        starts[1] = 1;
        return;
    }
    take_ways w = look_up(hand);
    for (unsigned i = 0; i < n; i++) starts[i + 1] = starts[i] + choices_of(hand, &w, plays[i], rules);
}

unsigned gd_shape_at(const uint32_t *starts, unsigned n, uint32_t index)
{
    unsigned low = 0;
    while (n > 1) { /* the shape lies in low .. low + n - 1 */
        unsigned half = n / 2;
        low += index >= starts[low + half] ? half : 0;
        n -= half;
    }
    return low;
}

gd_cards gd_choice_cards(const gd_hand *hand, unsigned level, gd_play shape, unsigned choice, unsigned rules)
{
    gd_cards out = {0, 0};
    unsigned kind = gd_kind_of(shape);
    if (kind == GD_PASS) return out;
    if (choice == 0 && (kind <= GD_TRIPLE || kind == GD_BOMB)) { /* most plays */
        out = pick_first(hand, gd_rank(shape), gd_size(shape) - gd_wilds(shape));
        add_wilds(&out, shape, level);
        return out;
    }
    layout l = lay(shape);
    add_wilds(&out, shape, level);
    if (kind == GD_STRAIGHT_FLUSH) {
        unsigned suit = gd_detail(shape) >> 5;
        for (unsigned i = 0; i < 5; i++)
            if (l.take[i]) gd_cards_add(&out, 16 * suit + l.rank[i]);
        return out;
    }
    if (skips_flushes(shape, rules)) {
        unsigned raw[4], n = flush_choices(hand, &l, raw);
        for (unsigned k = 0; k < n; k++) choice += choice >= raw[k];
    }
    for (unsigned i = l.n; i-- > 0;) { /* the last rank turns fastest */
        unsigned index = 0;
        if (choice) {
            unsigned w = ways(hand, &l, i);
            index = choice % w;
            choice /= w;
        }
        if (l.take[i]) out = gd_cards_sum(out, pick_rank(hand, &l, i, index));
    }
    return out;
}

/* The inverse of pick_rank: number of the sub-multiset that `cards` takes at the rank; GD_NO_CHOICE if it takes another
 * number of cards there than the shape does, or cards that the hand lacks. */
static unsigned index_of_rank(const gd_hand *h, const layout *l, unsigned i, gd_cards cards)
{
    unsigned rank = l->rank[i], take = l->take[i], index = 0;
    unsigned suits = held(h, rank), taken = gd_suits_of(cards.one, rank) | gd_suits_of(cards.two, rank) << 4;
    if (taken & ~suits || gd_bits(taken) != take) return GD_NO_CHOICE;
    if (rank >= 13) return 0;
    for (unsigned suit = 0; take && suit < 4; suit++) {
        unsigned copies = (suits >> suit & 1) + (suits >> (4 + suit) & 1);
        unsigned mine = (taken >> suit & 1) + (taken >> (4 + suit) & 1);
        suits &= ~(0x11u << suit);
        for (unsigned c = copies < take ? copies : take; c > mine; c--) index += gd_multisets[suits][take - c];
        take -= mine;
    }
    return index;
}

unsigned gd_choice_of(const gd_hand *hand, unsigned level, gd_play shape, gd_cards cards, unsigned rules)
{
    if (shape == GD_PASS) return cards.one ? GD_NO_CHOICE : 0;
    unsigned index = 0, size = gd_cards_size(cards);
    uint64_t wild = (uint64_t)1 << gd_lane_bit(gd_wild_card(level));
    if (size != gd_size(shape) || gd_copies(cards, gd_wild_card(level)) != gd_wilds(shape)) return GD_NO_CHOICE;
    if (gd_kind_of(shape) == GD_STRAIGHT_FLUSH) {
        gd_cards only = gd_choice_cards(hand, level, shape, 0, rules);
        return only.one == cards.one && only.two == cards.two ? 0 : GD_NO_CHOICE;
    }
    layout l = lay(shape);
    cards.one &= ~wild;
    cards.two &= ~wild;
    for (unsigned i = 0; i < l.n; i++) {
        unsigned here = index_of_rank(hand, &l, i, cards);
        if (here == GD_NO_CHOICE) return GD_NO_CHOICE;
        index = index * ways(hand, &l, i) + here;
    }
    if (skips_flushes(shape, rules)) {
        unsigned raw[4], n = flush_choices(hand, &l, raw), below = 0;
        for (unsigned k = 0; k < n; k++) {
            if (index == raw[k]) return GD_NO_CHOICE;
            below += raw[k] < index;
        }
        index -= below;
    }
    return index;
}

typedef struct {
    const gd_hand *hand;
    layout l;
    unsigned raw[4], n_raw; /* choices to leave out */
    unsigned wilds_left;
    int best;
    unsigned choice;
} search;

/* Depth first over the ranks. Taking cards never adds a window, so a branch that is not better already is cut. */
static void search_suits(search *s, unsigned i, gd_cards rest, unsigned index)
{
    int left = (int)gd_bits(gd_flush_windows(rest.one, s->wilds_left));
    if (left <= s->best) return;
    if (i == s->l.n) {
        for (unsigned k = 0; k < s->n_raw; k++)
            if (index == s->raw[k]) return;
        s->best = left;
        s->choice = index;
        return;
    }
    unsigned w = ways(s->hand, &s->l, i);
    for (unsigned c = 0; c < w; c++)
        search_suits(s, i + 1, gd_cards_minus(rest, pick_rank(s->hand, &s->l, i, c)), index * w + c);
}

unsigned gd_best_choice(const gd_hand *hand, gd_play shape, unsigned rules)
{
    unsigned kind = gd_kind_of(shape);
    if (kind == GD_STRAIGHT_FLUSH || kind == GD_JOKER_BOMB || kind == GD_PASS) return 0;
    unsigned wilds_left = gd_wilds_held(hand) - gd_wilds(shape);
    if (!gd_flush_windows(hand->one, wilds_left)) return 0; /* nothing to keep */
    search s = {hand, lay(shape), {0}, 0, wilds_left, -1, 0};
    unsigned choices = 1;
    for (unsigned i = 0; i < s.l.n; i++) choices *= ways(hand, &s.l, i);
    if (choices == 1) return 0;
    if (skips_flushes(shape, rules)) s.n_raw = flush_choices(hand, &s.l, s.raw);
    gd_cards cards = {hand->one, hand->two};
    search_suits(&s, 0, cards, 0);
    unsigned below = 0;
    for (unsigned k = 0; k < s.n_raw; k++) below += s.raw[k] < s.choice;
    return s.choice - below;
}

static inline uint64_t nibble(unsigned rank, uint64_t k) { return k << (4 * rank); }

uint64_t gd_need_of(gd_play shape)
{
    unsigned kind = gd_kind_of(shape), wilds = gd_wilds(shape), detail = gd_detail(shape), place = gd_power(shape);
    uint64_t need = nibble(GD_WILD_NIBBLE, wilds);
    if (kind <= GD_TRIPLE || kind == GD_BOMB) return need + nibble(gd_rank(shape), gd_size(shape) - wilds); /* most */
    switch (kind) {
    case GD_JOKER_BOMB: return nibble(GD_SMALL_JOKER, 2) | nibble(GD_BIG_JOKER, 2);
    case GD_FULL_HOUSE: {
        unsigned in_pair = detail >> 4;
        return need + nibble(gd_rank(shape), 3 - (wilds - in_pair)) + nibble(gd_pair_rank(shape), 2 - in_pair);
    }
    case GD_TUBE:
    case GD_PLATE:
        for (unsigned i = 0, each = kind == GD_TUBE ? 2 : 3; i < 6 / each; i++)
            need += nibble(gd_rank_at(place + i), each - (detail >> (2 * i) & 3u));
        return need;
    default: /* straights, of one suit or not */
        for (unsigned i = 0; i < 5; i++) need += nibble(gd_rank_at(place + i), !(detail >> i & 1u));
        return need;
    }
}

void gd_hand_take(gd_hand *hand, unsigned level, gd_play shape, gd_cards cards)
{
    uint64_t wild = (uint64_t)1 << gd_lane_bit(gd_wild_card(level));
    cards.one &= ~wild;
    cards.two &= ~wild;
    hand->counts -= gd_need_of(shape);
    gd_cards left = gd_cards_minus((gd_cards){hand->one, hand->two}, cards);
    hand->one = left.one;
    hand->two = left.two;
}
