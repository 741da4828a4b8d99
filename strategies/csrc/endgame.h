/* The last turns, solved.
 *
 * Two seats are left: what the other holds is what is unseen, so both hands are known and the game between them is
 * searched to its end. `gd_duel` answers for the seat in turn.
 */
#ifndef ENDGAME_H
#define ENDGAME_H

#include "gd_cards.h"

typedef enum gd_fate { GD_LOSES = 0, GD_WINS = 1, GD_UNKNOWN = 2 } gd_fate;

/* A duel: two seats, hand[turn] is to act. */
typedef struct gd_duel {
    gd_hand hand[2];
    uint8_t left[2];
    uint8_t level, turn, plays; /* plays: gd_play_rule bits */
    uint8_t holder_out;         /* the play to beat is of a seat that is out: both may answer, then `heir` leads */
    uint8_t passed, heir;       /* passes since; seat 0 or 1 */
    gd_play to_beat;            /* PASS: `turn` leads */
} gd_duel;

/* Does the seat in turn go out first, if it lays `play` (or passes) and both then play their best? At most `*nodes`
 * positions are looked at, and are taken off it. */
gd_fate gd_duel_after(const gd_duel *d, gd_play play, int *nodes);

#endif
