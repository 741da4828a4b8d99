#include "gd_match.h"

#include "gd_deal.h"
#include "gd_tables.h"

void gd_match_begin(gd_match *m, const gd_rules *rules, const gd_context *context)
{
    *m = (gd_match){.level = {rules->start_level[0], rules->start_level[1]},
                    .declarer = -1,
                    .judged = -1,
                    .end = GD_RUNNING,
                    .winner = -1};
    if (!context) return;
    unsigned most = rules->a_fail_limit ? rules->a_fail_limit - 1u : 0; /* so that the same boards fit all rules */
    m->board = 1;
    if (!context->is_first) m->declarer = (int8_t)(context->order[0] & 1u);
    for (unsigned i = 0; i < 4; i++) m->order[i] = context->order[i];
    for (unsigned side = 0; side < 2; side++) {
        m->level[side] = context->level[side];
        m->fails[side] = (uint8_t)(context->fails[side] < most ? context->fails[side] : most);
    }
}

const char *gd_context_fault(const gd_context *c)
{
    unsigned seen = 0;
    if (c->level[0] > GD_LEVEL_A || c->level[1] > GD_LEVEL_A) return "a level is a rank 0..12";
    if (c->is_first > 1 || c->exchange > 1) return "is_first and exchange are 0 or 1";
    if (c->lead < -1 || c->lead > 3) return "the seat that leads is 0..3 or -1";
    for (unsigned side = 0; side < 2; side++) {
        if (!c->fails[side]) continue;
        if (c->level[side] != GD_LEVEL_A || c->is_first) return "failed tries need level A and a deal before";
        if (c->fails[side] > GD_SAFETY_CAP - 2) return "failed tries are 0..198";
    }
    for (unsigned i = 0; i < 4; i++) {
        if (c->order[i] > 3 || (c->is_first && c->order[i])) return "seats are 0..3, and 0 before a first deal";
        seen |= 1u << c->order[i];
    }
    if (c->is_first) return NULL;
    if (seen != 15) return "a finishing order holds each seat 0..3 once";
    if (gd_is_double_down(c->order) && c->order[2] > c->order[3]) return "tied losers stand in ascending order";
    return NULL;
}

static void finish(gd_match *m, enum gd_match_end end, int winner)
{
    m->end = (int8_t)end;
    m->winner = (int8_t)winner;
}

/* A try at A that failed: count it, and drop the side where the rules say so. Returns whether it dropped. */
static int fail(gd_match *m, const gd_rules *rules, unsigned side, int counts, int at_once)
{
    m->failed[side]++;
    if (!at_once && !(counts && rules->a_fail_limit && ++m->fails[side] >= rules->a_fail_limit)) return 0;
    m->fails[side] = 0;
    m->level[side] = rules->a_drop_level;
    return 1;
}

/* Raise the winner. Returns whether that wins the match. */
static int promote(gd_match *m, const gd_rules *rules, unsigned winner, unsigned steps)
{
    unsigned before = m->level[winner], after = before + steps;
    if (before == GD_LEVEL_A || steps == 0) return 0;
    if (rules->a_plus && before == GD_LEVEL_A - 1 && steps == 1) return 0;
    m->level[winner] = (uint8_t)(after < GD_LEVEL_A ? after : GD_LEVEL_A);
    return (rules->a_plus && after > GD_LEVEL_A) || (rules->win_on_reaching_a && after >= GD_LEVEL_A);
}

void gd_judged_order(unsigned offender, uint8_t order[4])
{
    unsigned next = (offender + 1u) & 3u, low = offender & 1u;
    order[0] = (uint8_t)next;
    order[1] = (uint8_t)gd_partner(next);
    order[2] = (uint8_t)low;
    order[3] = (uint8_t)(low + 2);
}

void gd_judged_last_order(unsigned offender, uint8_t order[4])
{
    unsigned i = 0;
    while (order[i] != offender) i++;
    for (; i < 3; i++) order[i] = order[i + 1];
    order[3] = (uint8_t)offender;
}

/* The declarer plays its own A: what becomes of the try. Returns whether the winner dropped. */
static int try_a(gd_match *m, const gd_rules *rules, const gd_outcome *deal, unsigned place, gd_score *score)
{
    unsigned side = (unsigned)m->declarer, winner = score->winner;
    int by_aces = rules->ace_last_play && (deal->aces & 5u << side) != 0;
    m->tried[side]++;
    if (winner == side && place <= rules->pass_a_partner && !by_aces) {
        score->attempt = GD_A_PASSED;
        return 0;
    }
    score->attempt = winner == side ? GD_A_PARTNER_LAST : GD_A_DEAL_LOST;
    int counts = !rules->a_fail_own_last || (winner == side && place == 3);
    return fail(m, rules, side, counts, by_aces) && winner == side;
}

/* The match goes on unless a limit is reached: then by level, by one more deal, or as a draw. */
static void check_limits(gd_match *m, const gd_rules *rules)
{
    int by_deals = rules->limit_deals && m->deals >= rules->limit_deals;
    int by_time = rules->limit_minutes && m->seconds >= 60u * rules->limit_minutes;
    if (!by_deals && !by_time) {
        if (m->deals >= GD_SAFETY_CAP) finish(m, GD_SAFETY_END, -1);
        return;
    }
    int even = m->level[0] == m->level[1];
    if (even && rules->tie_break &&
        m->deals < GD_SAFETY_CAP) /* no match has more deals than that: buffers rely on it */
        m->tie_break = 1;
    else
        finish(m, by_deals ? GD_DEAL_LIMIT : GD_TIME_LIMIT, even ? -1 : m->level[1] > m->level[0]);
}

gd_score gd_match_score(gd_match *m, const gd_rules *rules, const gd_outcome *deal)
{
    const uint8_t *order = deal->order;
    unsigned winner = order[0] & 1u, place = 1;
    while (order[place] != gd_partner(order[0])) place++;
    gd_score score = {(uint8_t)winner, rules->steps[place - 1], GD_NO_ATTEMPT};
    int won = 0, tie_broken = m->tie_break;

    if (tie_broken) {
        score.steps = 0;
    } else {
        int at_a = m->declarer >= 0 && m->level[m->declarer] == GD_LEVEL_A;
        int dropped = at_a && try_a(m, rules, deal, place, &score);
        won = score.attempt == GD_A_PASSED || (!dropped && promote(m, rules, winner, score.steps));
    }
    m->declarer = (int8_t)winner;
    for (unsigned i = 0; i < 4; i++) m->order[i] = order[i];
    m->judged = deal->judged;
    m->deals++;
    m->seconds += deal->seconds;
    if (tie_broken)
        finish(m, GD_TIE_BREAK, (int)winner);
    else if (won)
        finish(m, GD_PASSED_A, (int)winner);
    else if (m->board)
        finish(m, GD_BOARD_END, (int)winner);
    else
        check_limits(m, rules);
    return score;
}

gd_tribute gd_tribute_due(const gd_rules *rules, const uint8_t order[4], const gd_cards hands[4])
{
    gd_tribute t = {.given = {-1, -1}, .returned = {-1, -1}};
    int partner_last = order[3] == gd_partner(order[0]);
    if (!rules->tribute || (partner_last && rules->last_is_partner == GD_NOBODY_PAYS)) return t;
    unsigned big = 0, small = 0;
    t.n = gd_is_double_down(order) ? 2 : 1;
    for (unsigned i = 0; i < t.n; i++) {
        t.payer[i] = order[partner_last && rules->last_is_partner == GD_THIRD_PAYS ? 2 : 3 - i];
        t.receiver[i] = order[i];
        big += gd_copies(hands[t.payer[i]], GD_CARDS - 1);
        small += gd_copies(hands[t.payer[i]], GD_CARDS - 2);
    }
    int refused = big == 2 || (rules->refuse_small && small == 2);
    t.kind = (uint8_t)(t.n == 2 ? (refused ? GD_DOUBLE_REFUSED : GD_TRIBUTE_DOUBLE)
                                : (refused ? GD_SINGLE_REFUSED : GD_TRIBUTE_SINGLE));
    return t;
}

static unsigned power_of_card(int card, unsigned level)
{
    return gd_power_of_rank[level][gd_rank_of_card((unsigned)card)];
}

void gd_tribute_pair(gd_tribute *t, const gd_rules *rules, const uint8_t order[4], unsigned level)
{
    if (t->n < 2) return;
    unsigned a = power_of_card(t->given[0], level), b = power_of_card(t->given[1], level);
    /* Clockwise each payer gives to the neighbour on the left, so the seat after the first pays the first. */
    unsigned neighbour = (order[0] + (rules->equal_tribute == GD_EQUAL_UPSTREAM ? 3u : 1u)) & 3u;
    if (rules->double_by_seat) neighbour = (order[0] + 1u) & 3u;
    int swap = a == b || rules->double_by_seat ? t->payer[0] != neighbour : a < b;
    if (!swap) return;
    uint8_t seat = t->payer[0];
    int8_t card = t->given[0];
    t->payer[0] = t->payer[1];
    t->given[0] = t->given[1];
    t->payer[1] = seat;
    t->given[1] = card;
}

unsigned gd_tribute_leader(const gd_tribute *t, const gd_rules *rules, const uint8_t order[4], unsigned level)
{
    if (t->n < 2) return t->payer[0];
    unsigned a = power_of_card(t->given[0], level), b = power_of_card(t->given[1], level);
    if (a == b && rules->equal_tribute == GD_EQUAL_SMALLER_RETURN_LEADS) {
        unsigned c = power_of_card(t->returned[0], level), d = power_of_card(t->returned[1], level);
        return c == d ? (order[0] + 1u) & 3u : t->payer[c > d];
    }
    if (rules->larger_payer_leads) return a == b ? order[3] : t->payer[a < b];
    return t->payer[0];
}

/* Ids of the cards of a rank in these lanes, suits in order. */
static unsigned write_ids(uint64_t lanes, unsigned rank, uint8_t *ids)
{
    unsigned n = 0;
    for (uint64_t held = lanes & GD_LANES << rank; held; held &= held - 1)
        ids[n++] = (uint8_t)gd_card_of(rank, gd_lowest(held) >> 4);
    return n;
}

unsigned gd_tribute_options(gd_cards hand, unsigned level, uint8_t *ids)
{
    uint64_t lanes = hand.one & ~((uint64_t)1 << gd_lane_bit(gd_wild_card(level)));
    unsigned n = 0;
    for (unsigned power = 15; n == 0 && power-- > 0;) n = write_ids(lanes, gd_rank_of_power[level][power], ids);
    return n;
}

unsigned gd_return_options(const gd_rules *rules, gd_cards hand, unsigned level, uint8_t *ids)
{
    enum { TEN = 8 };
    uint64_t low = 0; /* one bit a card, by id: those up to ten but the level's */
    for (unsigned suit = 0; suit < 4; suit++) low |= gd_nibbles_of(hand.one >> (16 * suit)) << suit;
    low &= ~((uint64_t)15 << (4 * level)) & (((uint64_t)1 << (4 * (TEN + 1))) - 1);
    unsigned n = 0;
    for (; low; low &= low - 1) ids[n++] = (uint8_t)gd_lowest(low);
    if (level <= TEN && rules->return_level_card) n += write_ids(hand.one, level, ids + n);
    for (unsigned power = 0; n == 0 && power < 15; power++)
        n = write_ids(hand.one, gd_rank_of_power[level][power], ids);
    return n;
}

void gd_move_card(gd_cards *from, gd_cards *to, unsigned card)
{
    gd_cards one = {0, 0};
    gd_cards_add(&one, gd_lane_bit(card));
    *from = gd_cards_minus(*from, one);
    *to = gd_cards_sum(*to, one);
}
