#include "gd_value.h"

/* Places of the partner of the first in recorded play: second, third, last (docs/decisions/0009). */
static const double place_chance[3] = {0.3145, 0.2275, 0.458};

enum { WON = 0xffff, LOST = 0xfffe, MOST_SWEEPS = 400 };

/* Failed tries as the model holds them: 0..3, the last before a drop kept exact. */
static unsigned held_fails(const gd_rules *rules, unsigned fails)
{
    unsigned beyond = rules->a_fail_limit > 4 ? rules->a_fail_limit - 4u : 0;
    return fails > beyond ? (fails - beyond < 3 ? fails - beyond : 3) : 0;
}

static unsigned state_of(const gd_rules *rules, const gd_match *m)
{
    unsigned x = m->level[0], y = m->level[1], d = (unsigned)m->declarer;
    unsigned fx = held_fails(rules, m->fails[0]), fy = held_fails(rules, m->fails[1]);
    if (x < GD_LEVEL_A && y < GD_LEVEL_A) return (x * 12 + y) * 2 + d;
    if (y < GD_LEVEL_A) return 288 + (y * 2 + d) * 4 + fx;
    if (x < GD_LEVEL_A) return 384 + (x * 2 + d) * 4 + fy;
    return 480 + (d * 4 + fx) * 4 + fy;
}

/* The inverse: a running match in that state. */
static gd_match match_in(const gd_rules *rules, unsigned state)
{
    unsigned x = GD_LEVEL_A, y = GD_LEVEL_A, d, fx = 0, fy = 0;
    unsigned beyond = rules->a_fail_limit > 4 ? rules->a_fail_limit - 4u : 0;
    if (state < 288) {
        x = state / 24, y = state / 2 % 12, d = state & 1;
    } else if (state < 384) {
        y = (state - 288) / 8, d = state / 4 & 1, fx = state & 3;
    } else if (state < 480) {
        x = (state - 384) / 8, d = state / 4 & 1, fy = state & 3;
    } else {
        d = state / 16 & 1, fx = state / 4 & 3, fy = state & 3;
    }
    return (gd_match){.level = {(uint8_t)x, (uint8_t)y},
                      .declarer = (int8_t)d,
                      .judged = -1,
                      .fails = {(uint8_t)(fx + beyond), (uint8_t)(fy + beyond)},
                      .end = GD_RUNNING,
                      .winner = -1};
}

/* Enter a deal that ended in `order`, with no limit acting: the state reached, or WON or LOST for side 0. */
static unsigned after(const gd_rules *rules, gd_match m, const uint8_t order[4])
{
    gd_rules endless = *rules;
    endless.limit_deals = endless.limit_minutes = 0;
    m.deals = 0;
    m.board = m.tie_break = 0;
    gd_outcome deal = {.judged = -1};
    for (unsigned i = 0; i < 4; i++) deal.order[i] = order[i];
    gd_match_score(&m, &endless, &deal);
    return m.end == GD_RUNNING ? state_of(rules, &m) : m.winner == 0 ? WON : LOST;
}

void gd_order_with(unsigned first, unsigned place, uint8_t order[4])
{
    unsigned other = (first + 1u) & 3u;
    order[0] = (uint8_t)first;
    for (unsigned i = 1; i < 4; i++) {
        if (i == place) {
            order[i] = (uint8_t)(first ^ 2u);
            continue;
        }
        order[i] = (uint8_t)other;
        other ^= 2u;
    }
}

static double chance(unsigned next, const double *v) { return next == WON ? 1.0 : next == LOST ? 0.0 : v[next]; }

static double expected(const uint16_t next[6], const double *v)
{
    double sum = 0.0;
    for (unsigned i = 0; i < 6; i++) sum += 0.5 * place_chance[i % 3] * chance(next[i], v);
    return sum;
}

static int32_t rounded(double v) { return (int32_t)(v * GD_VALUE_SCALE + 0.5); }

static void solve(gd_values *values, const gd_rules *rules)
{
    uint16_t next[GD_STATES][6];
    double v[GD_STATES], before[GD_STATES];
    for (unsigned s = 0; s < GD_STATES; s++) {
        gd_match m = match_in(rules, s);
        v[s] = 0.5;
        for (unsigned i = 0; i < 6; i++) {
            uint8_t order[4];
            gd_order_with(i / 3, i % 3 + 1, order);
            next[s][i] = (uint16_t)after(rules, m, order);
        }
    }
    /* Gauss-Seidel from the highest levels down: most of a chance is settled by the states above. */
    double change = 1.0;
    for (unsigned sweep = 0; sweep < MOST_SWEEPS && change > 1e-9; sweep++) {
        change = 0.0;
        for (unsigned s = GD_STATES; s-- > 0;) {
            double now = expected(next[s], v), moved = now > v[s] ? now - v[s] : v[s] - now;
            v[s] = now;
            if (moved > change) change = moved;
        }
    }
    for (unsigned s = 0; s < GD_STATES; s++) values->endless[s] = rounded(v[s]);
    values->solved = 1;
    if (!rules->limit_deals && !rules->limit_minutes) return;
    for (unsigned s = 0; s < GD_STATES; s++) {
        gd_match m = match_in(rules, s);
        v[s] = m.level[0] == m.level[1] ? 0.5 : m.level[0] > m.level[1] ? 1.0 : 0.0;
        values->left[0][s] = rounded(v[s]);
    }
    for (unsigned n = 1; n <= GD_MOST_LAYERS; n++) {
        for (unsigned s = 0; s < GD_STATES; s++) before[s] = v[s];
        for (unsigned s = 0; s < GD_STATES; s++) values->left[n][s] = rounded(v[s] = expected(next[s], before));
    }
}

int32_t gd_value_of(gd_values *values, const gd_rules *rules, const gd_match *match, unsigned deals_left,
                    const uint8_t order[4])
{
    if (!values->solved) solve(values, rules);
    if (match->tie_break) return order[0] & 1u ? 0 : GD_VALUE_SCALE;
    unsigned next = after(rules, *match, order);
    if (next >= LOST) return next == WON ? GD_VALUE_SCALE : 0;
    return deals_left == 0 || deals_left - 1u > GD_MOST_LAYERS ? values->endless[next]
                                                               : values->left[deals_left - 1][next];
}

int32_t gd_seconds_left(const gd_rules *rules, const gd_match *match)
{
    uint32_t limit = 60u * rules->limit_minutes;
    return (int32_t)(match->seconds < limit ? limit - match->seconds : 0u);
}

unsigned gd_deals_left(const gd_rules *rules, const gd_match *match)
{
    enum { LEADS = 20, ANSWERS = 25, PASSES = 45 }; /* of a usual deal */
    unsigned by_deals = 0, by_time = 0;
    if (rules->limit_deals)
        by_deals = match->deals < rules->limit_deals ? (unsigned)(rules->limit_deals - match->deals) : 1u;
    if (rules->limit_minutes) {
        const uint8_t *cost = rules->seconds;
        unsigned usual = 1u + cost[0] + cost[1] * LEADS + cost[2] * ANSWERS + cost[3] * PASSES;
        by_time = 1u + (unsigned)gd_seconds_left(rules, match) / usual;
    }
    return by_deals && (!by_time || by_deals < by_time) ? by_deals : by_time;
}
