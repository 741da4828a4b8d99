/* Faults of strategies: what happened where, and what the referee makes of it. A faulty deal is judged a double-down
 * against the side of the offender; after GD_FAULTS_ALLOWED of a side in one leg it has forfeited that leg. */
#ifndef GD_FAULT_H
#define GD_FAULT_H

#include "gd_columns.h"
#include "gd_table.h"

enum { GD_FAULTS_ALLOWED = 3 };

/* Codes of engine.strategy_faults.REASONS. */
enum gd_fault_reason {
    GD_FAULT_ANSWER = 0, /* no legal answer: an index out of range, a play not listed, a value of another kind */
    GD_FAULT_RAISED = 1, /* it raised an exception */
    GD_FAULT_TIME = 2,   /* no answer in time */
    GD_FAULT_DIED = 3,   /* its process ended */
    GD_FAULT_MEMORY = 4, /* its process needed more memory than allowed */
    GD_FAULT_REASONS = 5
};

/* A fault that was seen before and is an input now: that decision is judged without asking. With `told` the seat failed
 * as it was told of what came before that decision, or as it was made. */
typedef struct gd_known_fault {
    int64_t pair;
    int32_t leg, deal, decision;
    int32_t reason, seat, told;
} gd_known_fault;

/* Where the play stands, for whoever must tell which seat does not come back: written before it is asked or told. */
typedef struct gd_watch {
    int64_t asked; /* how often so far: written last */
    int64_t pair, leg, deal, decision, seat;
    int64_t told; /* 1: it is told or made; 2: it is asked for this table and others at once */
} gd_watch;

typedef struct gd_faults {
    int stop;                    /* 1: a fault ends the call instead */
    const gd_known_fault *known; /* in any order */
    int64_t n_known;
    volatile gd_watch *watch; /* NULL: nobody watches */
    gd_fault_columns rows;
    int64_t room; /* rows there is room for */
    int64_t n;    /* rows written */
} gd_faults;

/* Rows that one pair can need. */
enum { GD_FAULTS_A_PAIR = 2 * 2 * GD_FAULTS_ALLOWED };

/* A seat is about to be asked, or told of what has happened: why that is known to fail, or -1. Tells the watcher where the
 * table stands. */
int gd_foreseen(const gd_faults *f, const gd_table *t, unsigned seat, int told);

/* The same for a seat that is about to be made: what that costs in time is not counted as a decision. */
int gd_foreseen_made(const gd_faults *f, const gd_table *t, unsigned seat);

/* The fault of a seat that was asked, or told of something; the caller then judges the deal. `forfeits`: it is one too
 * many. */
gd_fault_row gd_row_of_fault(const gd_table *t, unsigned seat, int told, enum gd_fault_reason reason, int forfeits);

#endif
