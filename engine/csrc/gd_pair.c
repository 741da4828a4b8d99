#include "gd_pair.h"

#include <string.h>

/* Codes of engine.bulk.FINISH_ORDERS: four double-downs by their first, then first, second, partner third or last. */
static int8_t finish_order_code(const uint8_t o[4])
{
    if (gd_is_double_down(o)) return (int8_t)o[0];
    unsigned second = o[1] == ((o[0] + 1u) & 3u) ? 0 : 1, partner_last = o[3] == gd_partner(o[0]);
    return (int8_t)(4u + 4u * o[0] + 2u * second + partner_last);
}

/* Codes of engine.bulk.SEAT_SETS: one seat, or a seat and its partner. */
static int8_t seats_code(const uint8_t seats[2], unsigned n) { return (int8_t)(n == 2 ? 4 + seats[0] : seats[0]); }

/* The first code of engine.bulk.DEAL_ENDS (double_down, three_out, first_out, judged, judged_last) that a referee gives. */
enum { GD_FIRST_JUDGED = 3 };

static int8_t deal_end(const gd_table *t)
{
    if (t->judged >= 0) return GD_FIRST_JUDGED + (t->verdict == GD_JUDGED_LAST);
    return t->deal.first_ends ? 2 : !gd_is_double_down(t->match.order);
}

/* Level points (级差分): 13 and the difference of levels, of 26 in all; a side that passed A stands one above it. */
static int8_t level_points(const gd_match *m, unsigned side)
{
    int passed = m->end == GD_PASSED_A, mine = m->level[side] + (passed && m->winner == (int)side);
    return (int8_t)(13 + mine - (m->level[1u - side] + (passed && m->winner == (int)(1u - side))));
}

gd_deal_row gd_row_of_deal(const gd_table *t, const gd_match *before, gd_score score)
{
    const gd_match *after = &t->match;
    const gd_deal *d = &t->deal;
    const gd_tribute *b = &t->tribute;
    unsigned x = gd_side_of(t, 0), y = 1u - x; /* team of side x is x's own index: the exchange is its own inverse */
    unsigned left = 0, jokers = 0, wilds = 0, wild = gd_wild_card(gd_match_level(before));
    for (unsigned s = 0; s < 4; s++) {
        left += d->left[s];
        if ((s & 1u) != x) continue;
        jokers += gd_copies(t->dealt[s], 52) + gd_copies(t->dealt[s], 53);
        wilds += gd_copies(t->dealt[s], wild);
    }
    int has_payers = b->kind != GD_TRIBUTE_NONE;
    return (gd_deal_row){
        .pair = (int64_t)t->pair,
        .leg = (int8_t)t->leg,
        .deal = (int16_t)after->deals,
        .level = (int8_t)(gd_match_level(before) + 2),
        .x_level_before = (int8_t)(before->level[x] + 2),
        .y_level_before = (int8_t)(before->level[y] + 2),
        .x_level_after = (int8_t)(after->level[x] + 2),
        .y_level_after = (int8_t)(after->level[y] + 2),
        .declarer = (int8_t)(before->declarer < 0 ? -1 : (int)gd_side_of(t, (unsigned)before->declarer)),
        .lead_seat = (int8_t)t->lead,
        .tribute = (int8_t)b->kind,
        .payers = has_payers ? seats_code(b->payer, b->n) : -1,
        .receivers = has_payers ? seats_code(b->receiver, b->n) : -1,
        .given_1 = b->given[0],
        .given_2 = b->given[1],
        .returned_1 = b->returned[0],
        .returned_2 = b->returned[1],
        .finish_order = finish_order_code(after->order),
        .winner = (int8_t)gd_side_of(t, score.winner),
        .steps = (int8_t)score.steps,
        .a_attempt = (int8_t)score.attempt,
        .x_a_fails = (int16_t)after->failed[x],
        .y_a_fails = (int16_t)after->failed[y],
        .plays = (int16_t)d->plays,
        .passes = (int16_t)d->passed,
        .tricks = (int16_t)d->tricks,
        .bombs_4 = (int8_t)d->bombs[0],
        .bombs_5 = (int8_t)d->bombs[1],
        .straight_flushes = (int8_t)d->bombs[2],
        .bombs_6_up = (int8_t)d->bombs[3],
        .joker_bombs = (int8_t)d->bombs[4],
        .winds = (int8_t)d->winds,
        .cards_left = (int8_t)left,
        .x_jokers = (int8_t)jokers,
        .x_wilds = (int8_t)wilds,
        .end_reason = deal_end(t),
    };
}

/* A finishing order from coins: x's side wins or loses, then the partner's place, then which seat of a side comes first. */
static void flip_deal(gd_table *t, const gd_coin *coin)
{
    gd_stream r = gd_stream_of(t->seed, GD_DOMAIN_COIN, t->pair, t->leg, t->match.deals + 1u, 0);
    const double unit = 0x1p-53;
    double x_wins = coin->x_wins, u = (double)(gd_random64(&r) >> 11) * unit,
           v = (double)(gd_random64(&r) >> 11) * unit;
    if (t->match.declarer >= 0)
        x_wins += gd_side_of(t, (unsigned)t->match.declarer) == 0 ? coin->memory : -coin->memory;
    unsigned team = gd_side_of(t, u < x_wins ? 0 : 1);
    uint64_t bits = gd_random64(&r);
    uint8_t first = (uint8_t)(team + 2 * (bits & 1)), mate = (uint8_t)gd_partner(first);
    uint8_t a = (uint8_t)((first + 1 + 2 * (bits >> 1 & 1)) & 3), b = (uint8_t)gd_partner(a);
    uint8_t *o = t->deal.order;
    o[0] = first;
    if (v < coin->steps[0]) {
        o[1] = a, o[2] = b, o[3] = mate;
    } else if (v < coin->steps[0] + coin->steps[1]) {
        o[1] = a, o[2] = mate, o[3] = b;
    } else {
        o[1] = mate, o[2] = a < b ? a : b, o[3] = a < b ? b : a;
    }
    t->lead = first;
    t->deal.aces = t->deal.first_ends = 0;
    t->judged = -1;
    t->ask = GD_DEAL_OVER;
}

/* Count for the side it happened to. */
static inline void bump(int is_x, int16_t *x, int16_t *y) { ++*(is_x ? x : y); }

static void add_tribute(gd_pair_row *p, const gd_deal_row *d)
{
    int16_t won = d->winner == d->declarer; /* the declarer is the side that receives */
    switch (d->tribute) {
    case GD_TRIBUTE_SINGLE:
        p->single_due++;
        p->single_paid_won += won;
        break;
    case GD_TRIBUTE_DOUBLE:
        p->double_due++;
        p->double_paid_won += won;
        break;
    case GD_SINGLE_REFUSED:
        p->single_due++;
        p->single_refused++;
        p->refused_won += won;
        break;
    case GD_DOUBLE_REFUSED:
        p->double_due++;
        p->double_refused++;
        p->refused_won += won;
        break;
    default: break;
    }
}

static void add_attempt(gd_pair_row *p, const gd_deal_row *d)
{
    int x = d->declarer == 0;
    if (d->a_attempt == GD_NO_ATTEMPT) return;
    bump(x, &p->x_a_attempts, &p->y_a_attempts);
    if (d->a_attempt == GD_A_PASSED)
        bump(x, &p->x_a_passed, &p->y_a_passed);
    else if (d->a_attempt == GD_A_DEAL_LOST)
        bump(x, &p->x_a_deal_lost, &p->y_a_deal_lost);
    else
        bump(x, &p->x_a_partner_last, &p->y_a_partner_last);
}

static void add_play(gd_pair_row *p, const gd_deal_row *d)
{
    p->plays += d->plays;
    p->passes += d->passes;
    p->tricks += d->tricks;
    p->bombs += (int16_t)(d->bombs_4 + d->bombs_5 + d->straight_flushes + d->bombs_6_up + d->joker_bombs);
}

static void add_deal_to_pair(gd_pair_row *p, const gd_deal_row *d)
{
    int x = d->winner == 0;
    p->deals++;
    p->x_deals_won += (int16_t)x;
    add_play(p, d);
    if (d->end_reason >= GD_FIRST_JUDGED) return; /* a referee's order tells nothing of tribute, promotion or A */
    if (d->finish_order < 4)
        bump(x, &p->x_steps_3, &p->y_steps_3);
    else if (d->finish_order & 1)
        bump(x, &p->x_steps_1, &p->y_steps_1);
    else
        bump(x, &p->x_steps_2, &p->y_steps_2);
    add_tribute(p, d);
    add_attempt(p, d);
}

static void add_deal_to_match(gd_match_row *m, const gd_deal_row *d)
{
    int x = d->winner == 0;
    if (!m->deals++) m->first_lead_seat = d->lead_seat;
    m->x_deals_won += (int16_t)x;
    *(x ? &m->x_steps : &m->y_steps) += d->steps;
    if (d->a_attempt != GD_NO_ATTEMPT && d->end_reason < GD_FIRST_JUDGED) {
        bump(d->declarer == 0, &m->x_a_attempts, &m->y_a_attempts);
        if (d->a_attempt != GD_A_PASSED) bump(d->declarer == 0, &m->x_a_fails, &m->y_a_fails);
    }
    m->plays += d->plays;
    m->x_level = d->x_level_after;
    m->y_level = d->y_level_after;
    if (m->first_at_a >= 0) return;
    if (d->x_level_after == GD_LEVEL_A + 2) m->first_at_a = 0;
    if (d->y_level_after == GD_LEVEL_A + 2) m->first_at_a = 1;
}

/* Sign of the level difference, 0 when even. */
static int ahead(const gd_deal_row *d)
{
    return (d->x_level_after > d->y_level_after) - (d->x_level_after < d->y_level_after);
}

/* Enter the finished deal. */
static void end_deal(gd_bulk *b, gd_lane *lane)
{
    gd_pair *p = lane->pair;
    gd_table *t = &lane->table;
    gd_match_row *m = &p->match[t->leg - 1];
    if (lane->style) gd_style_end_deal(lane->style, t);
    gd_match before = t->match;
    gd_score score = gd_table_score(t);
    for (unsigned side = 0; side < 2; side++)
        if (lane->faults[side] == GD_FAULTS_ALLOWED) gd_table_forfeit(t, gd_side_of(t, side));
    gd_deal_row d = gd_row_of_deal(t, &before, score);
    add_deal_to_pair(&p->row, &d);
    add_deal_to_match(m, &d);
    int now = ahead(&d);
    m->lead_changes += lane->leader && now && now != lane->leader;
    if (now) lane->leader = now;
    if (b->with_deals) p->deal[p->deals++] = d;
}

static void end_match(gd_lane *lane)
{
    const gd_table *t = &lane->table;
    const gd_match *match = &t->match;
    gd_pair *p = lane->pair;
    gd_match_row *m = &p->match[t->leg - 1];
    unsigned x = gd_side_of(t, 0);
    m->pair = (int64_t)t->pair;
    m->leg = (int8_t)t->leg;
    m->x_half_points = (int8_t)(match->winner < 0 ? 1 : gd_side_of(t, (unsigned)match->winner) == 0 ? 2 : 0);
    m->end_reason = match->end;
    m->x_level_points = level_points(match, x);
    m->seconds = (int32_t)match->seconds;
    p->row.x_steps += m->x_steps;
    p->row.y_steps += m->y_steps;
    p->row.capped += m->end_reason == GD_SAFETY_END;
}

/* Set the lane's table for a leg of its pair. */
static void begin_match(gd_bulk *b, gd_lane *lane, unsigned leg)
{
    gd_table *t = &lane->table;
    int64_t pair = lane->pair->row.pair;
    const gd_context *context = b->contexts ? &b->contexts[pair % b->n_contexts] : NULL;
    gd_table_begin(t, b->rules, b->scratch, b->seed, (uint64_t)pair, leg, context);
    for (unsigned seat = 0; seat < 4; seat++) t->player[seat] = b->player[gd_side_of(t, seat)][seat >> 1];
    lane->leader = 0;
    lane->faults[0] = lane->faults[1] = 0;
    lane->pair->match[leg - 1].first_at_a = -1;
    if (b->sit) b->sit(b->host, lane->number, t);
}

/* The pair is complete but for its commit. */
static enum gd_lane_end end_pair(const gd_bulk *b, gd_lane *lane)
{
    gd_pair *p = lane->pair;
    p->row.x_half_points_1 = p->match[0].x_half_points;
    p->row.x_half_points_2 = b->legs == 2 ? p->match[1].x_half_points : -1;
    p->row.cell = (int8_t)(b->legs == 2 ? p->row.x_half_points_1 + p->row.x_half_points_2 : -1); /* LL LD MID WD WW */
    p->state = GD_PAIR_DONE;
    return GD_LANE_DONE;
}

void gd_lane_begin(gd_bulk *b, gd_lane *lane, gd_pair *pair, int64_t id)
{
    memset(&pair->row, 0, sizeof pair->row);
    memset(pair->match, 0, sizeof pair->match);
    pair->row.pair = id;
    pair->row.legs = (int8_t)b->legs;
    pair->deals = pair->faults = 0;
    pair->state = GD_PAIR_PLAYING;
    lane->pair = pair;
    lane->style = pair->style;
    begin_match(b, lane, 1);
}

/* A seat has failed: judge the deal and count it. Returns -1 if that ends the call. */
static int judge_fault(gd_bulk *b, gd_lane *lane, unsigned seat, int told, enum gd_fault_reason reason)
{
    gd_table *t = &lane->table;
    gd_pair *p = lane->pair;
    if (b->faults->stop || (b->interrupted && *b->interrupted)) {
        lane->failed = 1;
        p->state = GD_PAIR_FAULT;
        p->fault_leg = t->leg;
        p->fault_deal = t->match.deals + (t->ask != GD_MATCH_OVER);
        p->fault_decision = t->decisions;
        p->fault_seat = seat;
        p->fault_reason = reason;
        return -1;
    }
    int forfeits = ++lane->faults[gd_side_of(t, seat)] == GD_FAULTS_ALLOWED;
    p->fault[p->faults++] = gd_row_of_fault(t, seat, told, reason, forfeits);
    if (gd_table_may_judge(t, GD_JUDGED_DOUBLE_DOWN)) gd_table_judge(t, seat, GD_JUDGED_DOUBLE_DOWN);
    return 0;
}

/* Whoever watched the table and failed has made a fault, of the deal to come where none is on the table. */
static int judge_watcher(gd_bulk *b, gd_lane *lane)
{
    gd_table *t = &lane->table;
    unsigned seat = t->broken - 1u;
    t->broken = 0;
    return judge_fault(b, lane, seat, 1, (enum gd_fault_reason)t->why);
}

/* What follows an answer. Returns as judge_fault. */
static inline int after(gd_bulk *b, gd_lane *lane, int entered)
{
    gd_table *t = &lane->table;
    if (entered == GD_ENTERED) return 0;
    if (entered == GD_BROKEN) return judge_watcher(b, lane);
    return judge_fault(b, lane, t->view.seat, 0,
                       entered == GD_UNANSWERED        ? GD_FAULT_RAISED
                       : entered == GD_SHORT_OF_MEMORY ? GD_FAULT_MEMORY
                                                       : GD_FAULT_ANSWER);
}

/* Play on until the deal is over, or one decides who is asked elsewhere. */
static enum gd_lane_end run_deal(gd_bulk *b, gd_lane *lane)
{
    gd_table *t = &lane->table;
    gd_sights *sights = lane->style ? &lane->style->sights : NULL;
    int watched = b->faults->n_known || b->faults->watch;
    while (t->ask <= GD_ASK_PLAY) {
        if (!watched) { /* straight on to what matters */
            int entered = gd_table_run(t, sights);
            if (entered != GD_ENTERED && entered != GD_ELSEWHERE) {
                if (after(b, lane, entered)) return GD_LANE_FAULT;
                continue;
            }
            if (t->ask > GD_ASK_PLAY) break;
        }
        const gd_strategy *strategy = t->player[t->view.seat];
        if (sights && t->ask == GD_ASK_PLAY && !gd_must_pass(t)) gd_table_see(t, sights);
        if (watched) {
            int reason = gd_foreseen(b->faults, t, t->view.seat, 0);
            if (reason >= 0) {
                if (judge_fault(b, lane, t->view.seat, 0, (enum gd_fault_reason)reason)) return GD_LANE_FAULT;
                continue;
            }
        }
        int entered;
        if (strategy->play)
            entered = gd_table_decide(t, strategy);
        else if (gd_table_ask(t, strategy) > 1)
            return GD_LANE_ASKS;
        else
            entered = gd_table_answer(t, strategy, 0);
        if (entered && after(b, lane, entered)) return GD_LANE_FAULT;
    }
    return GD_LANE_DONE;
}

enum gd_lane_end gd_lane_run(gd_bulk *b, gd_lane *lane)
{
    gd_table *t = &lane->table;
    for (;;) {
        int held = t->broken && t->ask == GD_ASK_DEAL && !b->faults->stop; /* a fault of the deal to come */
        if (t->broken && !held && judge_watcher(b, lane)) return GD_LANE_FAULT;
        if (t->ask == GD_MATCH_OVER) {
            end_match(lane);
            if (t->leg == b->legs) return end_pair(b, lane);
            begin_match(b, lane, 2);
        } else if (t->ask == GD_DEAL_OVER) {
            end_deal(b, lane);
        } else if (t->ask != GD_ASK_DEAL) {
            enum gd_lane_end end = run_deal(b, lane);
            if (end != GD_LANE_DONE) return end;
        } else if (b->coin) {
            flip_deal(t, b->coin);
        } else {
            gd_table_deal(t);
        }
    }
}

enum gd_lane_end gd_lane_answer(gd_bulk *b, gd_lane *lane, uint32_t index)
{
    gd_table *t = &lane->table;
    return after(b, lane, gd_table_answer(t, t->player[t->view.seat], index)) ? GD_LANE_FAULT : GD_LANE_ASKS;
}

void gd_pair_store(gd_bulk *b, gd_pair *p)
{
    for (unsigned leg = 0; leg < b->legs && b->with_matches; leg++)
        gd_store_match(&b->match, b->matches + leg, &p->match[leg]);
    for (unsigned i = 0; i < p->deals; i++) gd_store_deal(&b->deal, b->deals + i, &p->deal[i]);
    for (unsigned i = 0; i < p->faults; i++) gd_store_fault(&b->faults->rows, b->faults->n++, &p->fault[i]);
    gd_store_pair(&b->pair, b->pairs++, &p->row);
    if (p->style) gd_style_pair(p->style);
    b->matches += b->legs;
    b->deals += p->deals;
    p->state = GD_PAIR_FREE;
}
