/* What a seat knows of the hands it does not see, and hands drawn in agreement with it. */
#ifndef HIDDEN_H
#define HIDDEN_H

#include "gd_cards.h"

/* Hard evidence: how many cards each seat holds; which are its own, played, or shown in the exchange and still held; that a
 * payer of tribute held nothing above the card it gave but wilds; where the big jokers of a refusal are, or cannot be. */
typedef struct gd_evidence {
    gd_cards own, known[4]; /* [seat]: cards it is known to hold, empty for the own seat */
    uint8_t seat;
    uint8_t payers, refused; /* mask; whether they refused */
    uint8_t check;           /* small jokers can refuse: hands are looked at once drawn */
    uint8_t jokers[2];       /* with `check`: small and big ones that payers are seen to have had */
    uint8_t room[4];         /* cards of each other seat that are not known */
    uint8_t n, n_bound;      /* unseen cards; the first n_bound of them cannot be with every seat */
    uint8_t bit[GD_DECK];    /* their lane bits, those that the fewest seats can hold first */
    uint8_t may_of[64];      /* by lane bit: mask of the seats that can hold such a card */
} gd_evidence;

/* Collect the evidence of a view in play. Returns 0 where the cards do not add up to two packs: nothing can be drawn. */
int gd_evidence_of(const gd_view *view, gd_evidence *e);

/* Draw the four hands, each way of dealing the unseen cards in agreement with the evidence equally likely (exactly so where
 * of any two masks one holds the other). The own hand is as it is. Where small jokers can refuse, hands that disagree are
 * drawn again, MOST_REDRAWN times at most. */
enum { MOST_REDRAWN = 200 };
void gd_draw_hands(const gd_evidence *e, gd_stream *random, gd_cards hands[4]);

/* Where small jokers can refuse: do the payers hold what made them refuse, or not what would have? Else 1. */
int gd_agrees(const gd_evidence *e, const gd_cards hands[4]);

#endif
