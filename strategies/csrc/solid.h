/* What solid sees of the cards that are out, and how it gives cards. */
#ifndef SOLID_H
#define SOLID_H

#include "arrange.h"

/* Cards that neither lie on the table nor in the own hand, wilds aside. */
typedef struct outlook {
    uint32_t power[3]; /* [k]: powers (bits 0..14) of which more than k cards are out */
    uint32_t bit[4];   /* their number by power, a plane a binary digit */
    unsigned wilds;    /* wilds out */
} outlook;

static inline unsigned gd_ones(uint32_t x) { return (unsigned)__builtin_popcount(x); }

outlook look_out(const gd_view *view);

/* Cards out above a power. */
int cards_above(const outlook *out, unsigned power);

/* Say in the weights what is low and what is top as things stand. */
void set_outlook(gd_weights *weights, const outlook *out, unsigned level);

/* Of equal cards the one in the fewest straight flushes. */
uint32_t pay_sparing_flushes(const gd_view *view);

/* What is returned: what the hand misses least, small to an opponent and high to the partner; the smallest; what breaks
 * nothing; the largest. */
enum gift { GIVE_BY_RECEIVER, GIVE_SMALLEST, GIVE_WHOLE, GIVE_LARGEST };
uint32_t give_back(const gd_view *view, const gd_weights *weights, enum gift policy);

#endif
