/* Hands that fit what the seats have done: drawn the more often, the fewer decisions the player would have made otherwise. */
#ifndef BELIEF_H
#define BELIEF_H

#include "hidden.h"
#include "rollout.h"

/* A decision of another seat, as it was seen: what it led, or how it answered a play. */
typedef struct gd_question {
    gd_cards gone, later; /* cards played before; cards that the seat has laid from then on */
    gd_play to_beat, done;
    uint32_t n_steps;
    uint8_t left[4], seat;
    int8_t holder;
} gd_question;

typedef struct gd_belief {
    const gd_evidence *evidence;
    gd_roller *roller; /* whose `near` is asked */
    double doubt;      /* what is left of a weight after a decision of the other sort, to pass or to play */
    double other;      /* and after another play; at 1 leads are not asked about */
    gd_cards hands[4]; /* the last that were drawn */
    double weight[4];  /* by seat: how well they fit */
    uint32_t n;
    gd_question asked[GD_MAX_STEPS];
} gd_belief;

/* Collect the decisions of the other seats among the last `memory` steps and draw first hands: of `draws`, 1 or more, one by
 * its weight. doubt, other: in hundredths. */
void gd_belief_begin(gd_belief *b, const gd_view *view, const gd_evidence *e, gd_roller *r, unsigned memory,
                     unsigned draws, unsigned doubt, unsigned other);

/* Go on to other hands: so many times cards of two seats are exchanged, and the exchange stands by the ratio of the weights
 * (Metropolis 1953). 0, and where no decision was seen: hands are drawn by the evidence alone. */
void gd_belief_next(gd_belief *b, unsigned exchanges, gd_stream *random);

#endif
