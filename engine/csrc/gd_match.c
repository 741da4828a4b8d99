#include "gd_match.h"

#include "gd_deal.h"
#include "gd_tables.h"

void gd_match_begin(gd_match *m, const gd_rules *rules)
{
    *m = (gd_match){
        .level = {rules->start_level[0], rules->start_level[1]}, .declarer = -1, .end = GD_RUNNING, .winner = -1};
}

static void finish(gd_match *m, enum gd_match_end end, int winner)
{
    m->end = (int8_t)end;
    m->winner = (int8_t)winner;
}

gd_score gd_match_score(gd_match *m, const gd_rules *rules, const uint8_t order[4])
{
    unsigned winner = order[0] & 1u, place = 1;
    while (order[place] != gd_partner(order[0])) place++;
    gd_score score = {(uint8_t)winner, rules->steps[place - 1], GD_NO_ATTEMPT};
    int dropped = 0;

    if (m->declarer >= 0 && m->level[m->declarer] == GD_LEVEL_A) {
        unsigned side = (unsigned)m->declarer;
        m->tried[side]++;
        if (winner == side && place <= rules->pass_a_partner) {
            score.attempt = GD_A_PASSED;
        } else {
            score.attempt = winner == side ? GD_A_PARTNER_LAST : GD_A_DEAL_LOST;
            m->failed[side]++;
            if (rules->a_fail_limit && ++m->fails[side] >= rules->a_fail_limit) {
                m->fails[side] = 0;
                m->level[side] = 0;
                dropped = winner == side; /* back to 2, and no promotion on top */
            }
        }
    }
    int reached_a = 0;
    if (!dropped && m->level[winner] < GD_LEVEL_A) {
        unsigned level = m->level[winner] + score.steps;
        m->level[winner] = (uint8_t)(level < GD_LEVEL_A ? level : GD_LEVEL_A);
        reached_a = m->level[winner] == GD_LEVEL_A;
    }
    m->declarer = (int8_t)winner;
    for (unsigned i = 0; i < 4; i++) m->order[i] = order[i];
    m->deals++;

    if (score.attempt == GD_A_PASSED || (rules->win_on_reaching_a && reached_a))
        finish(m, GD_PASSED_A, (int)winner);
    else if (rules->limit_deals && m->deals >= rules->limit_deals)
        finish(m, GD_DEAL_LIMIT, m->level[0] == m->level[1] ? -1 : m->level[1] > m->level[0]);
    else if (m->deals >= GD_SAFETY_CAP)
        finish(m, GD_SAFETY_END, -1);
    return score;
}

gd_tribute gd_tribute_due(const gd_rules *rules, const uint8_t order[4], const gd_cards hands[4])
{
    gd_tribute t = {.given = {-1, -1}, .returned = {-1, -1}};
    if (!rules->tribute) return t;
    unsigned big_jokers = 0;
    t.n = gd_is_double_down(order) ? 2 : 1;
    for (unsigned i = 0; i < t.n; i++) {
        t.payer[i] = order[3 - i];
        t.receiver[i] = order[i];
        big_jokers += gd_copies(hands[t.payer[i]], GD_CARDS - 1);
    }
    unsigned refused = big_jokers == 2;
    t.kind = (uint8_t)(t.n == 2 ? (refused ? GD_DOUBLE_REFUSED : GD_TRIBUTE_DOUBLE)
                                : (refused ? GD_SINGLE_REFUSED : GD_TRIBUTE_SINGLE));
    return t;
}

static unsigned power_of_card(unsigned card, unsigned level) { return gd_power_of_rank[level][gd_rank_of_card(card)]; }

void gd_tribute_pair(gd_tribute *t, const gd_rules *rules, const uint8_t order[4], unsigned level)
{
    if (t->n < 2) return;
    unsigned a = power_of_card((unsigned)t->given[0], level), b = power_of_card((unsigned)t->given[1], level);
    /* Equal cards: clockwise, each payer gives to the neighbour on the left, so the seat after the first pays the first. */
    unsigned neighbour = (order[0] + (rules->equal_tribute == GD_EQUAL_CLOCKWISE ? 1u : 3u)) & 3u;
    int swap = a == b ? t->payer[0] != neighbour : a < b;
    if (!swap) return;
    uint8_t seat = t->payer[0];
    int8_t card = t->given[0];
    t->payer[0] = t->payer[1];
    t->given[0] = t->given[1];
    t->payer[1] = seat;
    t->given[1] = card;
}

/* Ids held of the rank of this power, suits in order, the wild left out if told so. */
static unsigned cards_of_power(gd_cards hand, unsigned level, unsigned power, int with_wild, uint8_t *ids)
{
    unsigned rank = gd_rank_of_power[level][power], n = 0;
    for (unsigned suit = 0; suit < (rank < 13 ? 4u : 1u); suit++) {
        unsigned card = gd_card_of(rank, suit);
        if (gd_copies(hand, card) && (with_wild || card != gd_wild_card(level))) ids[n++] = (uint8_t)card;
    }
    return n;
}

unsigned gd_tribute_options(gd_cards hand, unsigned level, uint8_t *ids)
{
    for (unsigned power = 15; power-- > 0;) {
        unsigned n = cards_of_power(hand, level, power, 0, ids);
        if (n) return n;
    }
    return 0;
}

unsigned gd_return_options(const gd_rules *rules, gd_cards hand, unsigned level, uint8_t *ids)
{
    enum { TEN = 8 };
    unsigned n = 0;
    for (unsigned power = 0; power <= GD_LEVEL_POWER; power++) {
        unsigned rank = gd_rank_of_power[level][power];
        if (rank > TEN || (rank == level && !rules->return_level_card)) continue;
        n += cards_of_power(hand, level, power, 1, ids + n);
    }
    for (unsigned power = 0; n == 0 && power < 15; power++) n = cards_of_power(hand, level, power, 1, ids);
    return n;
}

void gd_move_card(gd_cards *from, gd_cards *to, unsigned card)
{
    gd_cards one = {0, 0};
    gd_cards_add(&one, gd_lane_bit(card));
    *from = gd_cards_minus(*from, one);
    *to = gd_cards_sum(*to, one);
}
