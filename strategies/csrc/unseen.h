/* The cards that a seat has not seen, and what they let the others do.
 *
 * Unseen is what is neither in the own hand nor played. A chance is a number of 0..GD_SURE: how likely a seat with so
 * many cards holds an answer if the unseen cards were dealt at random, with what is certain taken into account: cards
 * given and returned lie where they went, a payer of tribute holds nothing above the card paid, and a seat that let an
 * opponent's play stand is less likely to have had an answer to it. Integers only.
 */
#ifndef UNSEEN_H
#define UNSEEN_H

#include "gd_cards.h"

enum { GD_SURE = 1 << 16, GD_ORDINARY = 8 /* kinds below GD_STRAIGHT_FLUSH */ };

/* Grades of bombs: of four, of five, straight flush, of six and more, four jokers. */
enum { GD_FOUR, GD_FIVE, GD_FLUSH, GD_SIX, GD_JOKERS, GD_BOMB_GRADES };

typedef struct gd_unseen {
    gd_cards cards; /* wilds at their printed place */
    unsigned n;     /* their number */
    unsigned wilds, level;
    uint8_t count[15]; /* naturals by power */
    struct {
        uint8_t left;                    /* cards the seat holds; 0: it is out, or it is the own seat */
        uint8_t cap;                     /* greatest power it can hold, wilds aside */
        uint8_t known[15];               /* naturals by power that it holds for certain */
        uint8_t let[GD_ORDINARY];        /* least power of an opponent's play of the kind that it let stand, 15: none */
        uint8_t led[GD_ORDINARY];        /* how often it has led the kind */
        uint32_t above[GD_ORDINARY][16]; /* [kind][power]: chance of an answer to a play of this power */
        uint32_t bomb[GD_BOMB_GRADES];   /* chance of a bomb of this grade */
        uint32_t four[16];               /* [power]: chance of a bomb of four above it */
        uint32_t any_bomb;
    } seat[4];
} gd_unseen;

/* Power of a rank at a level. */
static inline unsigned gd_power_of(unsigned rank, unsigned level)
{
    return rank > 12 || rank < level ? rank : rank == level ? GD_LEVEL_POWER : rank - 1;
}

static inline unsigned gd_rank_of_power(unsigned power, unsigned level)
{
    return power > 12 || power < level ? power : power == GD_LEVEL_POWER ? level : power + 1;
}

static inline uint32_t gd_times(uint32_t a, uint32_t b) { return (uint32_t)((uint64_t)a * b >> 16); }
static inline uint32_t gd_either(uint32_t a, uint32_t b) { return a + b - gd_times(a, b); }

/* The cards that are neither in the own hand nor played. */
gd_cards gd_unseen_cards(const gd_view *view);

/* Look at the view. `infer`: what is left of a seat's chance to answer a kind it has let stand, in sixteenths. */
void gd_unseen_of(const gd_view *view, unsigned infer, gd_unseen *u);

/* Chance that the seat can beat the play, by the same kind; a bomb by a stronger one. */
uint32_t gd_answer(const gd_unseen *u, unsigned seat, gd_play play);

/* Chance that the seat has a bomb that beats the play. */
uint32_t gd_bombed(const gd_unseen *u, unsigned seat, gd_play play);

#endif
