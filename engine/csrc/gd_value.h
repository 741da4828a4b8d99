/* What the end of a deal is worth in the match: the level-state model. Two equal sides win each deal with chance 1/2, the
 * partner of the first coming in second, third or last as often as in the recorded play of people; the rules in force
 * say what becomes of levels, of a try at A and of its failures. Solved once for a set of rules, by the match code
 * itself (gd_match_score), so that the model cannot disagree with it. Every number is a 64-bit float in a fixed order
 * of additions, rounded to millionths: the same on every machine.
 */
#ifndef GD_VALUE_H
#define GD_VALUE_H

#include "gd_match.h"

enum {
    GD_STATES = 512, /* levels, declarer, and for a side at A its failed tries up to the fourth from a drop */
    GD_VALUE_SCALE = 1000000,
    GD_MOST_LAYERS = 64 /* more deals left than this are as good as no limit */
};

typedef struct gd_values {
    int solved;
    int32_t endless[GD_STATES];                  /* chance of side 0 without a limit of deals, millionths */
    int32_t left[GD_MOST_LAYERS + 1][GD_STATES]; /* with so many deals left; filled where the rules limit the match */
} gd_values;

/* Chance in millionths that side 0 wins if the deal to come ends in `order`. `deals_left` counts the deal to come; 0: no
 * limit. Solves the model first where `values->solved` is 0; `values` must not be given other rules later. */
int32_t gd_value_of(gd_values *values, const gd_rules *rules, const gd_match *match, unsigned deals_left,
                    const uint8_t order[4]);

/* A finishing order in which seat `first` comes in first and its partner at `place` 1..3 (0 is the first). */
void gd_order_with(unsigned first, unsigned place, uint8_t order[4]);

/* Seconds of the time limit that are left; 0 once it is over. Only where the rules limit the time. */
int32_t gd_seconds_left(const gd_rules *rules, const gd_match *match);

/* Deals that a match can still have: by the limit of deals, or by the limit of time and what a deal usually takes. 0: no
 * limit. */
unsigned gd_deals_left(const gd_rules *rules, const gd_match *match);

#endif
