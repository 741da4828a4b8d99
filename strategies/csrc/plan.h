/* The best split of a hand into groups, where every group has a price of its own.
 *
 * A price says what it is worth to hold such a group at the end of the split (most are negative: a turn has to be found
 * for it). Prices depend on what the others may hold, so they are filled anew for each decision; the split with the
 * greatest sum is found by trying the sequences and straight flushes in all combinations that promise something, and by
 * laying the rest out rank by rank.
 */
#ifndef PLAN_H
#define PLAN_H

#include "gd_gen.h"

typedef struct gd_prices {
    int32_t set[11][15]; /* [cards][rank]: singles, pairs, triples and bombs; of no cards 0, of jokers up to two */
    int32_t house[13];   /* by the rank of its triple */
    int32_t tube[12], plate[13], straight[10]; /* by place */
    int32_t flush[10];                         /* straight flush, by place */
    int32_t jokers;                            /* four jokers */
    int32_t wild;                              /* on top, for each wild that is left alone or paired */
} gd_prices;

/* A group: kind, cards, wilds among them, and rank (sets: of the triple of a house) or place (sequences). */
typedef struct gd_group {
    uint8_t kind, size, wilds, at;
    uint8_t pair; /* rank of the pair of a house */
} gd_group;

enum { GD_MAX_GROUPS = 28 };

typedef struct gd_plan {
    int32_t value; /* sum of prices */
    unsigned n;
    gd_group group[GD_MAX_GROUPS];
} gd_plan;

/* Split the hand. Straight flushes are looked for only where `flushes`. */
void gd_plan_of(const gd_hand *hand, unsigned level, const gd_prices *prices, int flushes, gd_plan *plan);

/* The hand without the play, which it must hold. `keep`: cards whose suits are given away last (lane bits). */
gd_hand gd_hand_without(const gd_hand *hand, gd_play play, uint64_t keep);

/* Cards of the hand that are part of a straight flush it could lay. */
uint64_t gd_flush_cards(const gd_hand *hand);

#endif
