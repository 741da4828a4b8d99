/* One deal (一副牌) in play: turns, tricks, wind, finishing order. Legality is the caller's business. */
#ifndef GD_DEAL_H
#define GD_DEAL_H

#include <assert.h>

#include "gd_gen.h"

enum { GD_KEPT_BOMBS = 16 };

typedef struct gd_deal {
    const gd_rules *rules;
    gd_hand hand[4];
    gd_cards gone;   /* cards played so far */
    gd_play to_beat; /* PASS: `turn` leads */
    int8_t holder;   /* seat of the play to beat, -1: `turn` leads */
    uint8_t left[4]; /* cards each seat holds */
    uint8_t level, turn;
    uint8_t passes; /* since the play to beat */
    uint8_t out;    /* mask of seats that are out */
    uint8_t n_out, order[4];
    uint8_t over;
    uint8_t first_ends; /* the deal is over as soon as one seat is out */
    uint8_t wind;       /* the present lead was taken by wind (接风) */
    uint8_t aces;       /* mask of seats that went out with aces at level A */
    /* counts of the deal */
    uint16_t plays, passed, tricks;
    uint8_t winds;
    uint8_t bombs[5]; /* of four, of five, straight flushes, of six and more, joker bombs */
    /* The bombs of a seat's hand where `listed` is not 0, which then is their number and one. Most questions find a seat with the
     * bombs that it had at the one before. */
    uint8_t listed[4];
    gd_play kept[4][GD_KEPT_BOMBS];
} gd_deal;

/* Begin with these cards; `leader` leads. `rules` must outlive the deal. */
void gd_deal_begin(gd_deal *d, const gd_rules *rules, const gd_cards cards[4], unsigned level, unsigned leader);

/* Another hand for a seat: of a deal that is looked at with other cards. */
static inline void gd_deal_set_hand(gd_deal *d, unsigned seat, gd_cards cards)
{
    d->hand[seat] = gd_hand_of(cards, d->level);
    d->listed[seat] = 0;
}

/* The bombs of gd_deal_plays, where the hand is not known to hold none. */
unsigned gd_deal_bombs(gd_deal *d, gd_play *out);

/* The plays of the seat in turn, as gd_list_plays. */
static inline unsigned gd_deal_plays(gd_deal *d, gd_play *out)
{
    unsigned n = gd_list_common(&d->hand[d->turn], d->level, d->to_beat, d->rules->plays, out);
    if (d->listed[d->turn] != 1) return n + gd_deal_bombs(d, out + n);
    assert(!gd_list_bombs(&d->hand[d->turn], d->level, d->rules->plays, out + n));
    return n;
}

/* The choice of suits for a play of the seat in turn, as gd_best_choice. */
static inline unsigned gd_deal_choice(const gd_deal *d, gd_play shape)
{
    unsigned seat = d->turn, listed = d->listed[seat];
    if (shape == GD_PASS || listed == 1) return 0;                             /* there is no straight flush to keep */
    if (listed && gd_kind_of(d->kept[seat][0]) != GD_STRAIGHT_FLUSH) return 0; /* bombs begin with them */
    return gd_best_choice(&d->hand[seat], shape, d->rules->plays);
}

/* Seats that are out already, in order, with no cards: at most two, not partners. Only before the first play. */
void gd_deal_set_out(gd_deal *d, const uint8_t *seats, unsigned n);

/* A trick under way: `holder` laid `to_beat`, `passes` seats have passed since; the seat in turn stays. Only before the
 * first play. */
void gd_deal_set_trick(gd_deal *d, unsigned holder, gd_play to_beat, unsigned passes);

/* The seat in turn lays `cards`, read as `shape`. Sets `over` when the finishing order is complete: order[2] and
 * order[3] are then tied, ascending by seat, if one side is first and second (双下). */
void gd_deal_play(gd_deal *d, gd_play shape, gd_cards cards);

/* The seat in turn passes; there must be a play to beat. */
void gd_deal_pass(gd_deal *d);

/* The deal ends now: the seats that are out keep their places, those still in follow in turn from `from` on. */
void gd_deal_stop(gd_deal *d, unsigned from);

static inline unsigned gd_partner(unsigned seat) { return seat ^ 2u; }
static inline int gd_is_double_down(const uint8_t order[4]) { return order[1] == (order[0] ^ 2u); }

#endif
