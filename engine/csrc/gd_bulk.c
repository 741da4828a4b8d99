#include "gd_bulk.h"

#include "gd_pair.h"

static enum gd_bulk_end faulty(gd_bulk *b, const gd_pair *p)
{
    b->fault_leg = p->fault_leg;
    b->fault_deal = p->fault_deal;
    b->fault_decision = p->fault_decision;
    b->fault_seat = p->fault_seat;
    b->fault_reason = p->fault_reason;
    return GD_BULK_FAULT;
}

/* Is there room for the rows of `pairs` more pairs? */
static int has_room(const gd_bulk *b, int64_t pairs)
{
    if (b->with_deals && b->deal_room - b->deals < pairs * b->legs * GD_SAFETY_CAP) return 0;
    return b->coin || b->faults->stop || b->faults->room - b->faults->n >= pairs * GD_FAULTS_A_PAIR;
}

/* ---- one pair after the other --------------------------------------------------------------------------------------- */
enum gd_bulk_end gd_bulk_play(gd_bulk *b)
{
    gd_pair pair = {.style = b->style};
    gd_lane lane = {.number = 0};
    while (b->pairs < b->n_pairs) {
        if (b->stop && *b->stop) return GD_BULK_STOPPED;
        if (!has_room(b, 1)) return GD_BULK_FULL;
        gd_lane_begin(b, &lane, &pair, b->first_pair + b->pairs);
        if (gd_lane_run(b, &lane) != GD_LANE_DONE) return faulty(b, &pair);
        gd_pair_store(b, &pair);
    }
    return GD_BULK_DONE;
}

/* ---- many at once --------------------------------------------------------------------------------------------------- */
/* May the next pair begin? Only where its rows will have room, with those of all that are under way. */
static int may_begin(const gd_lockstep *l)
{
    const gd_bulk *b = l->bulk;
    if (l->begun == b->n_pairs || l->begun - b->pairs == l->n_pairs || l->faults) return 0;
    return has_room(b, l->begun - b->pairs + 1);
}

/* Run a lane, from pair to pair, until it waits for an answer or there is nothing for it to do. */
static void run(gd_lockstep *l, gd_lane *lane)
{
    gd_bulk *b = l->bulk;
    for (;;) {
        if (!lane->pair) {
            if (!may_begin(l)) return;
            gd_pair *pair = &l->pairs[l->begun % l->n_pairs];
            gd_lane_begin(b, lane, pair, b->first_pair + l->begun++);
        }
        enum gd_lane_end end = gd_lane_run(b, lane);
        if (end == GD_LANE_ASKS) {
            lane->waits = 1;
            l->waiting++;
            l->collect(b->host, lane);
            return;
        }
        if (end == GD_LANE_FAULT) {
            l->faults++;
            return; /* the lane keeps its pair, and those who sit there what they raised */
        }
        lane->pair = NULL;
    }
}

/* Store what is complete, in order. Returns the pair that failed, where it is the next. */
static const gd_pair *store(gd_lockstep *l)
{
    for (;;) {
        gd_pair *next = &l->pairs[l->bulk->pairs % l->n_pairs];
        if (l->bulk->pairs == l->begun || next->state == GD_PAIR_PLAYING) return NULL;
        if (next->state == GD_PAIR_FAULT) return next;
        gd_pair_store(l->bulk, next);
    }
}

enum gd_bulk_end gd_lockstep_run(gd_lockstep *l)
{
    gd_bulk *b = l->bulk;
    int64_t stored;
    do {
        if (b->stop && *b->stop) return GD_BULK_STOPPED;
        for (unsigned i = 0; i < l->n_lanes; i++) {
            gd_lane *lane = &l->lanes[i];
            if (!lane->waits && !lane->failed) run(l, lane);
        }
        stored = b->pairs;
        const gd_pair *failed = store(l);
        if (failed) return faulty(b, failed);
    } while (b->pairs > stored && l->begun < b->n_pairs); /* there is room for more pairs now */
    if (l->waiting) return GD_BULK_ASKS;
    return b->pairs == b->n_pairs ? GD_BULK_DONE : GD_BULK_FULL;
}

void gd_lockstep_answer(gd_lockstep *l, gd_lane *lane, uint32_t index)
{
    lane->waits = 0;
    l->waiting--;
    if (gd_lane_answer(l->bulk, lane, index) == GD_LANE_FAULT)
        l->faults++;
    else
        run(l, lane); /* at once, while the lane's next list lies in the scratch memory that all share */
}
