/* The match between deals: any order entered into any standing, and tribute of any hands after any order. */
#include "fuzz.h"

#include "gd_tables.h"

static unsigned power_of(unsigned card, unsigned level) { return gd_power_of_rank[level][gd_rank_of_card(card)]; }

static void score_some(fuzz_input *in, const gd_rules *rules)
{
    gd_match m;
    gd_match_begin(&m, rules, NULL);
    m.deals = (uint16_t)below(in, GD_SAFETY_CAP);
    m.declarer = (int8_t)((int)below(in, 3) - 1);
    m.tie_break = (uint8_t)(below(in, 8) == 7);
    for (unsigned side = 0; side < 2; side++) {
        m.level[side] = (uint8_t)below(in, 13);
        m.fails[side] = (uint8_t)below(in, 201);
    }
    while (m.end == GD_RUNNING) {
        gd_outcome deal = {.aces = (uint8_t)below(in, 16), .judged = -1, .seconds = below(in, 1u << 16)};
        draw_order(in, deal.order);
        if (byte(in) & 1u) gd_judged_last_order(below(in, 4), deal.order);
        CHECK(is_order(deal.order));
        gd_match before = m;
        gd_score score = gd_match_score(&m, rules, &deal);
        CHECK(m.deals == before.deals + 1 && m.deals <= GD_SAFETY_CAP);
        CHECK(score.winner == (deal.order[0] & 1u) && m.declarer == (int8_t)score.winner && score.steps <= 12);
        CHECK(m.level[0] <= GD_LEVEL_A && m.level[1] <= GD_LEVEL_A && gd_match_level(&m) <= GD_LEVEL_A);
        CHECK(m.end >= GD_RUNNING && m.end <= GD_TIE_BREAK && m.winner >= -1 && m.winner < 2);
        /* Nobody sinks but by a drop. */
        for (unsigned side = 0; side < 2; side++)
            CHECK(m.level[side] >= before.level[side] || m.level[side] == rules->a_drop_level);
        CHECK(m.level[1u - score.winner] <= before.level[1u - score.winner] || rules->a_drop_level == GD_LEVEL_A);
    }
}

static void check_options(gd_cards hand, unsigned level, const uint8_t *ids, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        CHECK(ids[i] < GD_CARDS && gd_copies(hand, ids[i]));
        CHECK(!i || power_of(ids[i - 1], level) <= power_of(ids[i], level));
        for (unsigned j = 0; j < i; j++) CHECK(ids[j] != ids[i]);
    }
}

static void exchange(fuzz_input *in, const gd_rules *rules, gd_tribute *t, gd_cards hands[4], const uint8_t order[4])
{
    uint8_t ids[GD_CARDS];
    unsigned level = below(in, 13), n;
    gd_cards all = gd_cards_sum(gd_cards_sum(hands[0], hands[1]), gd_cards_sum(hands[2], hands[3]));
    for (unsigned i = 0; i < t->n; i++) {
        n = gd_tribute_options(hands[t->payer[i]], level, ids);
        check_options(hands[t->payer[i]], level, ids, n);
        if (!n) return; /* nothing held, or nothing but wilds */
        for (unsigned k = 0; k < n; k++)
            CHECK(ids[k] != gd_wild_card(level) && power_of(ids[k], level) == power_of(ids[0], level));
        t->given[i] = (int8_t)ids[below(in, n)];
    }
    unsigned payers = 0, after = 0;
    for (unsigned i = 0; i < t->n; i++) payers |= 1u << t->payer[i];
    gd_tribute_pair(t, rules, order, level);
    for (unsigned i = 0; i < t->n; i++) {
        after |= 1u << t->payer[i];
        CHECK(t->receiver[i] == order[i] && gd_copies(hands[t->payer[i]], (unsigned)t->given[i]));
    }
    CHECK(payers == after);
    if (t->n == 2 && !rules->double_by_seat)
        CHECK(power_of((unsigned)t->given[0], level) >= power_of((unsigned)t->given[1], level));
    for (unsigned i = 0; i < t->n; i++)
        gd_move_card(&hands[t->payer[i]], &hands[t->receiver[i]], (unsigned)t->given[i]);
    for (unsigned i = 0; i < t->n; i++) {
        n = gd_return_options(rules, hands[t->receiver[i]], level, ids);
        CHECK(n > 0);
        check_options(hands[t->receiver[i]], level, ids, n);
        t->returned[i] = (int8_t)ids[below(in, n)];
    }
    for (unsigned i = 0; i < t->n; i++)
        gd_move_card(&hands[t->receiver[i]], &hands[t->payer[i]], (unsigned)t->returned[i]);
    CHECK(gd_tribute_leader(t, rules, order, level) < 4);
    CHECK(same_cards(all, gd_cards_sum(gd_cards_sum(hands[0], hands[1]), gd_cards_sum(hands[2], hands[3]))));
}

void fuzz_match(fuzz_input *in)
{
    gd_rules rules = draw_rules(in);
    score_some(in, &rules);
    uint8_t order[4];
    gd_cards hands[4], all = {0, 0};
    draw_order(in, order);
    for (unsigned s = 0; s < 4; s++) hands[s] = draw_cards(in, below(in, GD_HAND + 2), &all);
    gd_tribute t = gd_tribute_due(&rules, order, hands);
    CHECK(t.kind <= GD_DOUBLE_REFUSED && t.n <= 2);
    if (t.kind == GD_TRIBUTE_NONE) CHECK(t.n == 0);
    for (unsigned i = 0; i < t.n; i++)
        CHECK(t.payer[i] < 4 && t.receiver[i] == order[i] && t.payer[i] != t.receiver[i]);
    if (t.kind == GD_TRIBUTE_SINGLE || t.kind == GD_TRIBUTE_DOUBLE) exchange(in, &rules, &t, hands, order);
}
