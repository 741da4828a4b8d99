/* A match at a table: every decision, judgement and wrong answer comes from the input, then it is judged to its end. */
#include "fuzz.h"

#include <string.h>

/* A match, or a board from a context that can be; contexts are records of bytes, as the binding takes them. */
static void begin(fuzz_input *in, gd_table *t, const gd_rules *rules, gd_scratch *scratch, gd_context *context)
{
    uint64_t seed = below(in, 1u << 16), pair = below(in, 256);
    unsigned leg = 1 + (byte(in) & 1u);
    int board = below(in, 4) == 3;
    if (board) {
        for (unsigned i = 0; i < sizeof *context; i++) ((uint8_t *)context)[i] = (uint8_t)byte(in);
        if (gd_context_fault(context)) {
            *context = (gd_context){.lead = (int8_t)((int)below(in, 5) - 1), .exchange = byte(in) & 1u};
            for (unsigned side = 0; side < 2; side++) context->level[side] = (uint8_t)below(in, 13);
            draw_order(in, context->order);
            board = !gd_context_fault(context);
        }
    }
    gd_table_begin(t, rules, scratch, seed, pair, leg, board ? context : NULL);
}

static fuzz_input *answers; /* of the strategies below, while gd_table_decide runs */
static int is_wrong;        /* the answer was out of range */

static uint32_t answer_below(uint32_t n)
{
    uint32_t index = more(answers) ? below(answers, n + n / 8 + 1) : 0;
    is_wrong = index >= n;
    return index;
}
static uint32_t answer_shape(const gd_view *view)
{
    CHECK(view->n > 1);
    return answer_below(view->n);
}
static uint32_t answer_all(const gd_view *view)
{
    uint32_t n = view->starts[view->n], index = answer_below(n);
    CHECK(n > 1);
    if (is_wrong) return index;
    uint32_t shape = view->api->shape_at(view, index), choice = index - view->starts[shape];
    CHECK(shape < view->n && choice < view->api->suit_choices(view, view->plays[shape]));
    CHECK(gd_cards_size(view->api->cards(view, view->plays[shape], choice)) == gd_size(view->plays[shape]));
    return index;
}
static uint32_t answer_card(const gd_view *view)
{
    CHECK(view->n > 1);
    return answer_below(view->n);
}

static const gd_strategy of_shapes = {.abi = GD_STRATEGY_ABI,
                                      .list = GD_LIST_SHAPES,
                                      .name = "fuzz",
                                      .play = answer_shape,
                                      .tribute = answer_card,
                                      .return_tribute = answer_card};
static const gd_strategy of_all = {.abi = GD_STRATEGY_ABI,
                                   .list = GD_LIST_ALL,
                                   .name = "fuzz",
                                   .play = answer_all,
                                   .tribute = answer_card,
                                   .return_tribute = answer_card};

static void check_cards(const gd_table *t)
{
    const gd_deal *d = &t->deal;
    int exchanging = t->ask == GD_ASK_TRIBUTE || t->ask == GD_ASK_RETURN;
    gd_cards all = exchanging ? (gd_cards){0, 0} : d->gone;
    unsigned n = gd_cards_size(all);
    for (unsigned s = 0; s < 4; s++) {
        gd_cards hand = exchanging ? t->cards[s] : gd_hand_cards(&d->hand[s], d->level);
        CHECK(gd_cards_size(hand) == d->left[s]);
        all = gd_cards_sum(all, hand);
        n += d->left[s];
    }
    CHECK(n == GD_DECK && gd_bits(all.two) == GD_CARDS);
}

static void check_view(const gd_table *t)
{
    const gd_view *v = &t->view;
    CHECK(v->seat < 4 && v->level < 13 && v->level == gd_match_level(&t->match));
    CHECK(v->holder >= -1 && v->holder < 4 && v->declarer >= -1 && v->declarer < 2);
    CHECK(v->n >= 1 && v->n <= (t->ask == GD_ASK_PLAY ? GD_MAX_PLAYS : GD_CARDS));
    CHECK(v->deal == t->match.deals + 1);
    if (t->ask == GD_ASK_PLAY)
        CHECK(v->seat == t->deal.turn && t->deal.left[v->seat] > 0);
    else
        for (unsigned i = 0; i < v->n; i++) CHECK(v->options[i] < GD_CARDS);
}

static void decide(fuzz_input *in, gd_table *t)
{
    gd_match match = t->match;
    gd_deal deal = t->deal;
    gd_tribute tribute = t->tribute;
    enum gd_ask ask = t->ask;
    answers = in;
    is_wrong = 0;
    CHECK(gd_table_decide(t, byte(in) & 1u ? &of_all : &of_shapes) == -is_wrong);
    if (!is_wrong) return;
    CHECK(!memcmp(&match, &t->match, sizeof match) && !memcmp(&tribute, &t->tribute, sizeof tribute));
    CHECK(!memcmp(&deal, &t->deal, sizeof deal) && ask == t->ask);
}

/* A deal may be judged once, and some verdicts have to wait for the first play. */
static void judge(fuzz_input *in, gd_table *t)
{
    enum gd_verdict verdict = byte(in) & 1u ? GD_JUDGED_LAST : GD_JUDGED_DOUBLE_DOWN;
    unsigned offender = below(in, 4);
    if (!gd_table_may_judge(t, verdict)) verdict = GD_JUDGED_DOUBLE_DOWN;
    gd_table_judge(t, offender, verdict);
    CHECK(t->ask == GD_DEAL_OVER && is_order(t->deal.order));
    CHECK(verdict == GD_JUDGED_LAST ? t->deal.order[3] == offender : t->deal.order[1] == gd_partner(t->deal.order[0]));
    CHECK(!gd_table_may_judge(t, GD_JUDGED_DOUBLE_DOWN) && !gd_table_may_judge(t, GD_JUDGED_LAST));
}

static void answer(fuzz_input *in, gd_table *t)
{
    unsigned how = byte(in);
    check_view(t);
    if (!more(in) || how == 255)
        judge(in, t);
    else if (how & 1u)
        decide(in, t);
    else if (t->ask != GD_ASK_PLAY)
        gd_table_give(t, below(in, t->view.n));
    else {
        unsigned index = below(in, t->view.n);
        gd_table_play(t, index, below(in, gd_suit_choices(t->view.hand, t->scratch->plays[index], t->rules->plays)));
    }
    if (t->ask == GD_ASK_TRIBUTE || t->ask == GD_ASK_RETURN || t->ask == GD_ASK_PLAY) check_cards(t);
}

static void check_score(const gd_table *t, const gd_match *before, gd_score score)
{
    const gd_match *m = &t->match;
    gd_deal_row row = gd_row_of_deal(t, before, score);
    CHECK(m->deals == before->deals + 1 && m->deals <= GD_SAFETY_CAP);
    CHECK(is_order(m->order) && score.winner == (m->order[0] & 1u) && m->declarer == (int8_t)score.winner);
    CHECK(score.steps <= 12 && score.attempt <= GD_A_PARTNER_LAST);
    for (unsigned side = 0; side < 2; side++)
        CHECK(m->level[side] <= GD_LEVEL_A && m->failed[side] <= m->tried[side] && m->tried[side] <= m->deals);
    CHECK(m->end >= GD_RUNNING && m->end <= GD_BOARD_END && m->winner >= -1 && m->winner < 2);
    if (m->end == GD_RUNNING) CHECK(m->winner == -1 && m->deals < GD_SAFETY_CAP);
    CHECK(!m->board || m->end == GD_BOARD_END || m->end == GD_PASSED_A);
    if (m->end == GD_PASSED_A) CHECK(m->winner == (int8_t)score.winner);
    CHECK((t->ask == GD_MATCH_OVER) == (m->end != GD_RUNNING));
    CHECK(row.finish_order >= 0 && row.finish_order < 20 && row.winner >= 0 && row.winner < 2);
    CHECK(row.level >= 2 && row.level <= 14 && row.x_level_after <= 14 && row.y_level_after <= 14);
    CHECK(row.payers >= -1 && row.payers < 8 && row.receivers >= -1 && row.receivers < 8);
    CHECK(row.given_1 >= -1 && row.given_1 < GD_CARDS && row.returned_2 >= -1 && row.returned_2 < GD_CARDS);
    CHECK(row.end_reason >= 0 && row.end_reason < 5 && row.cards_left >= 0 && row.cards_left <= GD_DECK);
    CHECK(row.tricks <= row.plays && row.plays <= GD_DECK && row.passes <= 3 * row.plays);
}

void fuzz_table(fuzz_input *in)
{
    static gd_values values;
    static gd_scratch scratch = {.values = &values};
    values.solved = 0;
    gd_rules rules = draw_rules(in);
    gd_context context;
    gd_table t;
    begin(in, &t, &rules, &scratch, &context);
    for (unsigned deals = 0; t.ask != GD_MATCH_OVER; deals++) {
        CHECK(t.ask == GD_ASK_DEAL && deals < GD_SAFETY_CAP);
        gd_table_deal(&t);
        check_cards(&t);
        while (t.ask != GD_DEAL_OVER) answer(in, &t);
        if (t.judged < 0 && byte(in) == 255) judge(in, &t);
        gd_match before = t.match;
        check_score(&t, &before, gd_table_score(&t));
    }
}
