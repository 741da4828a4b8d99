/* Rows for the fit of expert: what becomes of a deal after either choice.
 *
 *     outcomes SEED FIRST MATCHES SHARE ROWS
 *
 * expert plays itself under the national rules. At one decision in SHARE the plays it thinks best, and one other, are each
 * laid on a copy of the table, and expert plays the deal to its end with the cards as they lie. A row, 16-bit numbers in the
 * byte order of the machine, is HEAD and then the features of the play. Now and then the worst of them is played on, so that
 * there are rows off the beaten track.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expert.h"
#include "gd_table.h"
#include "natives.h"

enum { TRIED = 6, STRAY = 10, CLEAR = 500 * EXPERT_ONE, CLEAR_SHARE = 4 };
enum { HEAD_POSITION, HEAD_POSITION_HIGH, HEAD_RESULT, HEAD_CONTEXT, HEAD };

static const gd_rules national = {
    .plays = GD_NATIONAL_PLAYS,
    .wild_takes_wind = 1,
    .steps = {3, 2, 1},
    .pass_a_partner = 2,
    .tribute = 1,
};
static gd_values model;
static gd_scratch at_table = {.values = &model}, aside = {.values = &model};
static gd_table table, copy;

static void copy_table(void)
{
    copy = table;
    memcpy(aside.plays, at_table.plays, table.view.n * sizeof(gd_play));
    copy.scratch = &aside;
    gd_view *v = &copy.view;
    v->plays = aside.plays, v->starts = aside.starts, v->options = copy.options;
    v->hand = &copy.deal.hand[v->seat], v->left = copy.deal.left, v->gone = &copy.deal.gone;
    v->steps = copy.steps, v->shown = &copy.shown, v->random = &copy.streams[v->seat];
}

static void lay(gd_table *t, uint32_t index)
{
    gd_play p = t->view.plays[index];
    gd_table_play(t, index, p == GD_PASS ? 0 : gd_best_choice(t->view.hand, p, national.plays));
}

/* How the deal ended for the seat, an enum gd_result. */
static int16_t result_for(const uint8_t order[4], unsigned seat)
{
    unsigned first = order[0], place = 1;
    while (order[place] != (first ^ 2u)) place++;
    return (int16_t)(((first ^ seat) & 1u ? GD_THEY_SECOND : GD_WE_SECOND) + (int)place - 1);
}

/* The best choices first, then one of the others by chance. Returns how many are tried. */
static unsigned pick(expert_choice *c, unsigned n, gd_stream *r)
{
    unsigned tried = n < TRIED ? n : TRIED;
    for (unsigned i = 0; i < tried; i++) {
        unsigned at = i + (i == TRIED - 1 ? gd_random_below(r, n - i) : 0);
        for (unsigned j = i + 1; i < TRIED - 1 && j < n; j++)
            if (c[j].score > c[at].score) at = j;
        expert_choice held = c[i];
        c[i] = c[at], c[at] = held;
    }
    return tried;
}

/* Try the choices of the decision at the table. Returns 1 if a play was made in doing so. */
static int try_out(const gd_strategy *expert, gd_stream *r, uint32_t *position, FILE *out)
{
    static expert_choice c[EXPERT_MOST];
    unsigned seat = table.view.seat;
    table.view.parameters = expert->values;
    unsigned n = expert_consider(&table.view, c);
    for (unsigned i = 0; i < n; i++)
        if (gd_size(table.view.plays[c[i].index]) == table.view.left[seat]) return 0;
    if (n < 2) return 0;
    unsigned tried = pick(c, n, r);
    if (c[0].score - c[1].score > CLEAR && gd_random_below(r, CLEAR_SHARE)) return 0;
    for (unsigned i = 0; i < tried; i++) {
        copy_table();
        lay(&copy, c[i].index);
        while (copy.ask != GD_DEAL_OVER) gd_table_decide(&copy, expert);
        int16_t head[HEAD] = {[HEAD_POSITION] = (int16_t)(*position & 0x7fff),
                              [HEAD_POSITION_HIGH] = (int16_t)(*position >> 15),
                              [HEAD_RESULT] = result_for(copy.deal.order, seat),
                              [HEAD_CONTEXT] = (int16_t)expert_context(&table.view)};
        fwrite(head, sizeof head, 1, out);
        fwrite(c[i].feature, sizeof c[i].feature, 1, out);
    }
    ++*position;
    if (gd_random_below(r, STRAY)) return 0;
    lay(&table, c[tried - 1].index);
    return 1;
}

int main(int argc, char **argv)
{
    if (argc != 6) return 2;
    uint64_t seed = strtoull(argv[1], NULL, 10), first = strtoull(argv[2], NULL, 10), n = strtoull(argv[3], NULL, 10);
    uint32_t share = (uint32_t)strtoul(argv[4], NULL, 10), position = 0;
    FILE *out = fopen(argv[5], "wb");
    if (!out || !share) return 2;
    for (uint64_t pair = first; pair < first + n; pair++) {
        gd_stream r = gd_stream_of(seed, GD_DOMAIN_SEAT, pair, 0, 0, 0);
        gd_table_begin(&table, &national, &at_table, seed, pair, 1, NULL);
        while (table.ask != GD_MATCH_OVER) {
            if (table.ask == GD_ASK_DEAL)
                gd_table_deal(&table);
            else if (table.ask == GD_DEAL_OVER)
                gd_table_score(&table);
            else if (table.ask != GD_ASK_PLAY || table.view.n < 2 || gd_random_below(&r, share) ||
                     !try_out(&guandan_expert, &r, &position, out))
                gd_table_decide(&table, &guandan_expert);
        }
    }
    return fclose(out) ? 1 : 0;
}
