/* Look into search while deals are played: a program for tests, compiled with `assert` on.
 *
 *   rollouts SEED FIRST_PAIR DEALS EVERY DRAWS ROLLOUTS RULES...
 *
 * Greedy plays DEALS deals of boards that follow a deal (so that there is tribute). At every EVERY-th play search decides
 * as well, with so many ROLLOUTS, and its answer is thrown away. Written is a line a decision that it looked at, as JSON:
 * what its seat sees, DRAWS hands drawn from its evidence, how many roll-outs it made and whether its answer was
 * legal. Each roll-out is walked through again on its hands: turns, holdings, legality, the 108 cards, the finishing order.
 * The first fault ends the program with status 1. RULES are the numbers of engine.rules.Rules.core().
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gd_table.h"
#include "numbers.h"
#include "rollout.h"

static unsigned rolled;
static int32_t counted_roll_out(gd_roller *r, const gd_cards hands[4], gd_play shape);

/* search itself, with its roll-outs counted and walked through. */
#define gd_roll_out counted_roll_out
#include "search.c"
#undef gd_roll_out

static void fail(const char *what)
{
    fprintf(stderr, "%s\n", what);
    exit(1);
}

static gd_play list[GD_MAX_PLAYS];

static void walk(const gd_roller *r, const gd_cards hands[4])
{
    gd_deal d = r->start;
    for (unsigned s = 0; s < 4; s++) {
        d.hand[s] = gd_hand_of(hands[s], d.level);
        if (gd_cards_size(hands[s]) != d.left[s]) fail("a hand that was drawn has another number of cards");
    }
    for (uint32_t i = r->n_start; i < r->view.n_steps; i++) {
        const gd_step *step = &r->steps[i];
        if (d.over) fail("a play behind the end");
        if (step->seat != d.turn) fail("a seat played out of turn");
        unsigned n = gd_list_plays(&d.hand[d.turn], d.level, d.to_beat, d.rules->plays, list), at = 0;
        while (at < n && list[at] != step->shape) at++;
        if (at == n) fail("an illegal play");
        if (step->shape == GD_PASS) {
            gd_deal_pass(&d);
            continue;
        }
        if (gd_choice_of(&d.hand[d.turn], d.level, step->shape, step->cards, d.rules->plays) == GD_NO_CHOICE)
            fail("cards that the seat does not hold so");
        gd_deal_play(&d, step->shape, step->cards);
    }
    gd_cards all = d.gone;
    for (unsigned s = 0; s < 4; s++) all = gd_cards_sum(all, gd_hand_cards(&d.hand[s], d.level));
    if (gd_cards_size(all) != GD_DECK) fail("not the 108 cards");
    if (!d.over || memcmp(d.order, r->deal.order, 4) != 0) fail("another finishing order");
}

static int32_t counted_roll_out(gd_roller *r, const gd_cards hands[4], gd_play shape)
{
    int32_t value = gd_roll_out(r, hands, shape);
    if (value < 0 || value > 1000000) fail("a value out of 0 to a million");
    walk(r, hands);
    rolled++;
    return value;
}

static void print_cards(gd_cards cards)
{
    uint8_t ids[GD_DECK];
    unsigned n = gd_card_ids(cards, ids);
    printf("[");
    for (unsigned i = 0; i < n; i++) printf("%s%u", i ? "," : "", ids[i]);
    printf("]");
}

static void look(gd_table *t, unsigned draws, int32_t rollouts)
{
    int32_t set[N_PARAMETERS];
    gd_stream random = {{t->pair + 1, t->n_steps + 1}};
    gd_view *view = &t->view;
    const gd_tribute *b = view->shown;
    memcpy(set, defaults, sizeof set);
    set[P_rollouts] = rollouts;
    view->parameters = set;
    view->random = &random;
    rolled = 0;
    if (play(view) >= view->n) fail("an answer out of range");
    gd_evidence e;
    if (!gd_evidence_of(view, &e)) fail("no evidence");
    printf("{\"seat\":%u,\"level\":%u,\"rollouts\":%u,\"left\":[%u,%u,%u,%u],\"kind\":%u", view->seat, view->level,
           rolled, view->left[0], view->left[1], view->left[2], view->left[3], b->kind);
    printf(",\"order\":[%u,%u,%u,%u],\"moves\":[", view->order[0], view->order[1], view->order[2], view->order[3]);
    for (unsigned i = 0; i < b->n && b->given[i] >= 0; i++)
        printf("%s[%u,%u,%d,%d]", i ? "," : "", b->payer[i], b->receiver[i], b->given[i], b->returned[i]);
    printf("],\"hand\":");
    print_cards(gd_hand_cards(view->hand, view->level));
    for (unsigned s = 0; s < 4; s++) {
        gd_cards laid = {0, 0};
        for (uint32_t i = 0; i < view->n_steps; i++)
            if (view->steps[i].seat == s) laid = gd_cards_sum(laid, view->steps[i].cards);
        printf("%s", s ? "," : ",\"laid\":[");
        print_cards(laid);
    }
    printf("],\"drawn\":[");
    for (unsigned i = 0; i < draws; i++) {
        gd_cards hands[4];
        gd_draw_hands(&e, &random, hands);
        for (unsigned s = 0; s < 4; s++) {
            printf("%s", s ? "," : i ? ",[" : "[");
            print_cards(hands[s]);
        }
        printf("]");
    }
    printf("]}\n");
}

int main(int argc, char **argv)
{
    if (argc != 7 + NUMBERS) return 2;
    uint64_t seed = strtoull(argv[1], NULL, 10), pair = strtoull(argv[2], NULL, 10);
    long deals = atol(argv[3]), every = atol(argv[4]), asked = 0;
    gd_rules rules = rules_of(argv + 7);
    static gd_values values;
    static gd_scratch scratch = {.values = &values};
    static const uint8_t orders[3][4] = {{0, 2, 1, 3}, {1, 2, 3, 0}, {2, 3, 1, 0}};
    for (long i = 0; i < deals; i++, pair++) {
        gd_context context = {.level = {(uint8_t)(i % 13), (uint8_t)(i % 11)}, .lead = -1, .exchange = 1};
        memcpy(context.order, orders[i % 3], 4);
        gd_table t;
        gd_table_begin(&t, &rules, &scratch, seed, pair, 1, &context);
        gd_table_deal(&t);
        while (t.ask != GD_DEAL_OVER) {
            if (t.ask == GD_ASK_PLAY && t.view.n > 1 && asked++ % every == 0)
                look(&t, (unsigned)atoi(argv[5]), (int32_t)atol(argv[6]));
            if (gd_table_decide(&t, &guandan_greedy)) fail("greedy answered out of range");
        }
    }
    return 0;
}
