/* Sets of cards: hands by rank counts and suit lanes (see guandan_strategy.h for the layout). */
#ifndef GD_CARDS_H
#define GD_CARDS_H

#include "guandan_strategy.h"

#define GD_LANES 0x0001000100010001u   /* bit 0 of each suit lane */
#define GD_SUITED (0x1fffu * GD_LANES) /* the 13 suited ranks of each lane */
#define GD_NIBBLES 0x1111111111111111u

enum { GD_HEARTS = 1, GD_WILD_NIBBLE = 15, GD_DECK = 108, GD_HAND = 27 };

static inline unsigned gd_rank_of_card(unsigned card) { return card < 52 ? card >> 2 : card - 39; }
static inline unsigned gd_lane_bit(unsigned card) { return card < 52 ? ((card & 3) << 4) + (card >> 2) : card - 39; }
static inline unsigned gd_card_of(unsigned rank, unsigned suit) { return rank < 13 ? 4 * rank + suit : rank + 39; }
static inline unsigned gd_wild_card(unsigned level) { return 4 * level + GD_HEARTS; }

static inline unsigned gd_bits(uint64_t x) { return (unsigned)__builtin_popcountll(x); }
static inline unsigned gd_lowest(uint64_t x) { return (unsigned)__builtin_ctzll(x); }

/* Nibbles, none above 8, that hold k or more, 1 <= k <= 8, in their lowest bits. */
static inline uint64_t gd_nibbles_from(uint64_t counts, unsigned k)
{
    return (counts + (8 - k) * GD_NIBBLES) >> 3 & GD_NIBBLES;
}

/* The lowest sixteen bits to the lowest bits of sixteen nibbles: the inverse of gd_of_nibbles. */
static inline uint64_t gd_nibbles_of(uint64_t x)
{
    x &= 0xffffu;
    x = (x | x << 24) & 0x000000ff000000ffu;
    x = (x | x << 12) & 0x000f000f000f000fu;
    x = (x | x << 6) & 0x0303030303030303u;
    return (x | x << 3) & GD_NIBBLES;
}

/* Add one copy of the card at lane bit `bit`. The caller keeps to two copies a card. */
static inline void gd_cards_add(gd_cards *c, unsigned bit)
{
    uint64_t b = (uint64_t)1 << bit;
    c->two |= c->one & b;
    c->one |= b;
}

/* Cards in both, counted by copy: sum of two multisets that stay within two copies a card. */
static inline gd_cards gd_cards_sum(gd_cards a, gd_cards b)
{
    gd_cards out = {a.one | b.one, a.two | b.two | (a.one & b.one)};
    return out;
}

static inline unsigned gd_cards_size(gd_cards c) { return gd_bits(c.one) + gd_bits(c.two); }

/* Number of copies (0..2) of a card. */
static inline unsigned gd_copies(gd_cards c, unsigned card)
{
    unsigned bit = gd_lane_bit(card);
    return (unsigned)(c.one >> bit & 1) + (unsigned)(c.two >> bit & 1);
}

/* Rest of `c` without `part`, which it must hold. */
static inline gd_cards gd_cards_minus(gd_cards c, gd_cards part)
{
    gd_cards out = {(c.one & ~part.one) | (c.two & part.one & ~part.two), c.two & ~part.one};
    return out;
}

/* A hand at `level` from its cards, and back. */
gd_hand gd_hand_of(gd_cards cards, unsigned level);
gd_cards gd_hand_cards(const gd_hand *hand, unsigned level);

/* Card ids of a multiset, ascending by id, copies beside each other. Writes gd_cards_size(c) <= 108 ids; returns it. */
unsigned gd_card_ids(gd_cards c, uint8_t *ids);

/* One nibble: the suits in which the rank is held at least once. */
static inline unsigned gd_suits_of(uint64_t lanes, unsigned rank)
{
    uint64_t x = lanes >> rank & GD_LANES;
    return (unsigned)((x | x >> 15 | x >> 30 | x >> 45) & 15u);
}

/* The inverse: lane bits of a nibble of suits at a rank. */
static inline uint64_t gd_lanes_of(unsigned suits, unsigned rank)
{
    uint64_t x = suits;
    return ((x | x << 15 | x << 30 | x << 45) & GD_LANES) << rank;
}

/* Lanes by place in a sequence: place 0 is the ace-low, place p the rank p - 1. Jokers drop out. */
static inline uint64_t gd_places(uint64_t lanes) { return (lanes & GD_SUITED) << 1 | (lanes >> 12 & GD_LANES); }

static inline unsigned gd_rank_at(unsigned place) { return place ? place - 1 : 12; }

/* How many cards of the suit lie in each window of five places, 4 lanes x 10 starts, as the bits of a number, lowest first. */
typedef struct gd_window_sums {
    uint64_t units, twos, fours;
} gd_window_sums;

static inline gd_window_sums gd_sums_of_windows(uint64_t one)
{
    /* All 40 windows at once: two carry-save adders over the five shifted planes. */
    uint64_t p = gd_places(one), b = p >> 1, c = p >> 2, d = p >> 3, e = p >> 4;
    uint64_t sum = p ^ b ^ c, carry = (p & b) | (c & (p ^ b));
    uint64_t carry2 = (sum & d) | (e & (sum ^ d));
    return (gd_window_sums){sum ^ d ^ e, carry ^ carry2, carry & carry2};
}

/* Those with at least 5 - `wilds` of them. */
static inline uint64_t gd_flush_windows(uint64_t one, unsigned wilds)
{
    if (!wilds) {
        uint64_t p = gd_places(one), pair = p & p >> 1;
        return pair & pair >> 2 & p >> 4 & (0x03ffu * GD_LANES);
    }
    gd_window_sums n = gd_sums_of_windows(one);
    uint64_t windows = wilds == 1 ? n.fours : n.fours | (n.twos & n.units);
    return windows & (0x03ffu * GD_LANES);
}

#endif
