/* Playing a deal out: from what a seat sees, and hands that it supposes, to the end, one player in all seats. */
#ifndef ROLLOUT_H
#define ROLLOUT_H

#include "gd_deal.h"
#include "gd_gen.h"

typedef struct gd_roller {
    gd_view view;                  /* what the player is shown; its api finds the roller by it */
    int32_t values[2][6];          /* [side of a seat, by parity of the distance][enum gd_result], millionths */
    const gd_strategy *near, *far; /* who decides the first `deep` decisions of a roll-out, and those behind them */
    unsigned deep;
    gd_deal start, deal; /* where the seat is asked (hands of the others empty), and as it is played out */
    uint32_t n_start;    /* steps before */
    gd_stream random;    /* of the player, where it draws */
    gd_step steps[GD_MAX_STEPS];
    gd_play plays[GD_MAX_PLAYS];
} gd_roller;

/* Set up from a view in play or in the exchange. Players choose among shapes and are asked with their own parameters. */
void gd_roller_begin(gd_roller *r, const gd_view *view, const gd_strategy *near, unsigned deep, const gd_strategy *far);

/* The seat's own view as the player is shown it: for asking the player at the start. Valid until the next roll-out. */
const gd_view *gd_roller_view(gd_roller *r, const gd_view *view, const gd_strategy *player);

/* The seat plays `shape` (PASS: passes), then the players decide for all seats. hands: of the four seats at the start. Returns what
 * the end is worth to the seat, in millionths. */
int32_t gd_roll_out(gd_roller *r, const gd_cards hands[4], gd_play shape);

/* What `near` would do at an earlier moment of the deal, with this hand: PASS or a play that beats `to_beat`. */
gd_play gd_roller_choice(gd_roller *r, unsigned seat, gd_cards hand, gd_play to_beat, int8_t holder,
                         const uint8_t left[4], const gd_cards *gone, uint32_t n_steps);

#endif
