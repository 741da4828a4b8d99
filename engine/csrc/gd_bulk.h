/* The bulk loop: many pairs between two sides in one call, rows written into the caller's columns. */
#ifndef GD_BULK_H
#define GD_BULK_H

#include "gd_columns.h"
#include "gd_fault.h"
#include "gd_style.h"

/* Deals decided by coins instead of cards, to drive the match code with known odds. */
typedef struct gd_coin {
    double x_wins;   /* chance that x wins a deal */
    double memory;   /* added to it after a deal that x won, taken off after one it lost */
    double steps[3]; /* chances of 1, 2, 3 steps */
} gd_coin;

typedef struct gd_bulk {
    /* in */
    const gd_strategy *player[2][2]; /* of x and y: on the lower seat of the side, on its partner; unused with a coin */
    const gd_coin *coin;             /* NULL: cards are played */
    const gd_rules *rules;
    gd_scratch *scratch;
    uint64_t seed;
    int64_t first_pair, n_pairs;
    unsigned legs;              /* 1 or 2 */
    const gd_context *contexts; /* NULL: matches; else boards, pair p from contexts[p % n_contexts] */
    int64_t n_contexts;
    gd_faults *faults; /* what is done about faults; unused with a coin */
    gd_style *style;   /* NULL: how it is played is not counted; unused with a coin */
    /* NULL, or called when a match is about to begin on lane `lane` (0 in gd_bulk_play): it may change the players of the
     * table, watch it, and set table.broken. */
    void (*sit)(void *host, unsigned lane, gd_table *t);
    void *host;
    const int *interrupted;    /* NULL, or: once it is not 0 any fault ends the call */
    const volatile char *stop; /* polled before each pair: not 0 ends the call */
    int with_matches, with_deals;
    gd_pair_columns pair;   /* room for n_pairs */
    gd_match_columns match; /* room for legs * n_pairs */
    gd_deal_columns deal;   /* room for deal_room >= 2 * GD_SAFETY_CAP */
    int64_t deal_room;
    /* out: rows written; with a fault, where it happened */
    int64_t pairs, matches, deals;
    unsigned fault_leg, fault_deal, fault_decision, fault_seat;
    enum gd_fault_reason fault_reason;
} gd_bulk;

enum gd_bulk_end {
    GD_BULK_DONE = 0,
    GD_BULK_STOPPED = 1, /* by the flag */
    GD_BULK_FULL = 2,    /* the next pair might not fit into the deal or fault columns */
    GD_BULK_FAULT = 3,   /* faults->stop and a fault in pair first_pair + pairs; its rows are not counted */
    GD_BULK_ASKS = 4     /* gd_lockstep_run only: answers are waited for */
};

/* Play pairs first_pair.. in order. Allocates nothing; the rows of a pair depend on the key of the pair alone. */
enum gd_bulk_end gd_bulk_play(gd_bulk *b);

/* One row from a table whose deal has just been scored; `before` is the match as it stood before the score. */
gd_deal_row gd_row_of_deal(const gd_table *t, const gd_match *before, gd_score score);

#endif
