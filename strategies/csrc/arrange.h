/* Arranging a hand (理牌): splitting it into groups, each a play of its own, at the least cost.
 *
 * A group costs `turn`; a low one costs more, one that will hardly be beaten less, a bomb pays back its credit. With `turn`
 * alone the cost is the number of turns the hand needs. What is low and what is top is the caller's to say, so it can be
 * told from the cards that are still out.
 */
#ifndef ARRANGE_H
#define ARRANGE_H

#include "guandan_strategy.h"

enum { GD_MOST_GROUPS = 27 }; /* more than a hand of 28 cards can need: a set a rank, two wilds, five sequences */

/* Kinds of group that may be low or top. Masks over ranks for the sets, over places 0..12 of the lowest card for sequences. */
enum gd_outlook { GD_OUT_SINGLE, GD_OUT_PAIR, GD_OUT_TRIPLE, GD_OUT_SEQUENCE, GD_OUTLOOKS };

typedef struct gd_weights {
    int32_t turn;             /* a group */
    int32_t low[GD_OUTLOOKS]; /* more for a low one */
    int32_t top[GD_OUTLOOKS]; /* less for a top one, at most `turn` */
    int32_t bomb;             /* less for a bomb of four */
    int32_t larger;           /* and for each card beyond four */
    int32_t flush;            /* less for a straight flush */
    int32_t wild;             /* more for each wild that is laid in anything but a bomb, or alone */
    int32_t slack; /* how much worse a sequence may look at first and still be followed up: more finds more, slower */
    uint32_t low_at[GD_OUTLOOKS], top_at[GD_OUTLOOKS];
} gd_weights;

typedef struct gd_arrangement {
    int32_t cost;
    uint8_t turns; /* groups, bombs included */
    uint8_t bombs;
    gd_play group[GD_MOST_GROUPS]; /* [turns] shapes as the engine lists them; sequences first, then sets */
} gd_arrangement;

/* Weights under which the cost is the number of turns. */
extern const gd_weights gd_turns_only;

/* The least cost of the hand at `level` under the rules of play. The search over sequences is bounded: the cost can be
 * more than the least in rare hands. An empty hand costs 0. */
int32_t gd_arrange_cost(const gd_hand *hand, unsigned level, unsigned rules, const gd_weights *weights);

/* The same, and the groups. */
void gd_arrange(const gd_hand *hand, unsigned level, unsigned rules, const gd_weights *weights, gd_arrangement *out);

/* Cost of one group. */
int32_t gd_group_cost(gd_play group, const gd_weights *weights);

/* The hand without the cards of a shape that it can lay: naturals of suits that are in no straight flush are taken first. */
gd_hand gd_without(const gd_hand *hand, gd_play shape);

#endif
