/* Probes: a position set up by hand, copies of a table, and hidden cards dealt anew, to see how a strategy answers
 * without playing on. */
#ifndef GD_PROBE_H
#define GD_PROBE_H

#include "gd_table.h"

/* Make `to` a table of its own that stands where `from` stands. Both work in the same scratch: of the two only the one
 * that was asked or moved last still has its plays there, so a copy is asked and then thrown away. */
void gd_probe_copy(gd_table *to, const gd_table *from);

/* Deal the cards that the seat asked cannot see anew among the other three, each keeping its number of cards. Cards of
 * the exchange that all have seen stay where they are. */
void gd_probe_redeal(gd_table *t, gd_stream *random);

/* Ask with a stream that is keyed whatever the strategy says of itself; *drew tells whether it took numbers from it. */
uint32_t gd_probe_ask(gd_table *t, const gd_strategy *strategy, uint32_t *n, int *drew);

/* Scores of the answers here, in the same order; the strategy must have `rank`. Writes as many as there are answers. */
void gd_probe_rank(gd_table *t, const gd_strategy *strategy, int32_t *scores);

/* Put a deal on the table in the place of the one that is there (at GD_ASK_TRIBUTE, GD_ASK_RETURN or GD_ASK_PLAY). Its
 * level is that of the match, its rules are the table's. Cards that nobody holds count as played. `laid` are the cards
 * of the play to beat, none where the seat in turn leads. */
void gd_probe_place(gd_table *t, const gd_deal *deal, gd_cards laid);

#endif
