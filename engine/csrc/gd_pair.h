/* A pair while it is played: a table, where it stands, and the rows that it will leave. Both loops of gd_bulk.h run on it. */
#ifndef GD_PAIR_H
#define GD_PAIR_H

#include "gd_bulk.h"

enum gd_pair_state { GD_PAIR_FREE = 0, GD_PAIR_PLAYING = 1, GD_PAIR_DONE = 2, GD_PAIR_FAULT = 3 };

/* The rows of a pair until they are stored, pair after pair. */
typedef struct gd_pair {
    enum gd_pair_state state;
    gd_style *style; /* NULL: how it is played is not counted */
    unsigned fault_leg, fault_deal, fault_decision, fault_seat;
    enum gd_fault_reason fault_reason;
    unsigned deals, faults;
    gd_pair_row row;
    gd_match_row match[2];
    gd_fault_row fault[GD_FAULTS_A_PAIR]; /* [faults] */
    gd_deal_row deal[2 * GD_SAFETY_CAP];  /* [deals] */
} gd_pair;

/* A place to play: one match at a time, of one pair. */
typedef struct gd_lane {
    unsigned number;     /* the caller's, for those who sit down */
    int leader;          /* side that was ahead in levels last */
    int waits;           /* for an answer */
    int failed;          /* its pair is not played on */
    uint8_t faults[2];   /* of x and y in this match */
    gd_pair *pair;
    gd_style *style; /* of the pair: what is needed at every decision lies together */
    gd_table table;
} gd_lane;

enum gd_lane_end {
    GD_LANE_ASKS = 0, /* a player without `play` is to decide, among two answers or more: gd_lane_answer */
    GD_LANE_DONE = 1, /* the pair is complete: gd_pair_store */
    GD_LANE_FAULT = 2 /* a strategy failed: the pair says where; it is not played on */
};

/* Begin a pair on a lane: then run it. */
void gd_lane_begin(gd_bulk *b, gd_lane *lane, gd_pair *pair, int64_t id);

/* Play on as far as it goes. */
enum gd_lane_end gd_lane_run(gd_bulk *b, gd_lane *lane);

/* Enter the answer that it waits for: GD_LANE_ASKS (run it), or GD_LANE_FAULT. */
enum gd_lane_end gd_lane_answer(gd_bulk *b, gd_lane *lane, uint32_t index);

/* Write the rows of a complete pair behind those of the pair before it. */
void gd_pair_store(gd_bulk *b, gd_pair *pair);

/* ---- many pairs at once ----------------------------------------------------------------------------------------------
 * As many matches as there are lanes go on together, so that players without `play` can be asked many questions at a time.
 * Pairs are stored in order, whichever is done first: the rows are those of gd_bulk_play. */
typedef struct gd_lockstep {
    gd_bulk *bulk;
    gd_lane *lanes; /* [n_lanes] zeroed but for `number` */
    gd_pair *pairs; /* [n_pairs] those under way and those that wait to be stored; zeroed but for `style` */
    unsigned n_lanes, n_pairs;
    void (*collect)(void *host, gd_lane *lane); /* a lane has come to wait; it stays as it is until it is answered */
    /* the caller sets to 0 */
    int64_t begun;
    unsigned waiting, faults;
} gd_lockstep;

/* Run all lanes as far as they go: GD_BULK_ASKS while some wait, else as gd_bulk_play ends. A fault ends it once all pairs
 * before it are stored; a stop leaves out those under way. */
enum gd_bulk_end gd_lockstep_run(gd_lockstep *l);

/* Enter the answer that a lane waits for, and run it on: it may be collected again before this returns. */
void gd_lockstep_answer(gd_lockstep *l, gd_lane *lane, uint32_t index);

#endif
