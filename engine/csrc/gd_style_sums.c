/* From what a pair counted to the sums of pairs. */
#include "gd_style.h"

#include <string.h>

/* Occasions and events, from what was counted. Numbers are bits of enum gd_saw: an answer with 1 or 3 has a bomb, with 2 or
 * 3 another answer; a lead with 4 to 7 is into one card. */
static void derive(int32_t n[GD_OCCASIONS], int32_t y[GD_RATES], const gd_style_counts *c)
{
    const int32_t *answered = c->plays[0].of_kind, *led = c->plays[1].of_kind, *saw = c->saw, *leads = &saw[GD_LEADS];
    n[GD_OF_answers] = y[GD_STYLE_choices] = 0;
    n[GD_OF_bombable_low] = c->bombable_low;
    for (unsigned opponents = 0; opponents < 2; opponents++) {
        const int32_t *of = &saw[opponents * GD_OPPONENTS], *passed = &of[GD_PASSES];
        n[GD_OF_bombable_partner + opponents] = of[1] + of[3] + passed[1] + passed[3];
        n[GD_OF_answerable_partner + opponents] = of[2] + of[3] + passed[2] + passed[3];
        y[GD_STYLE_passed_on_partner + opponents] = passed[2] + passed[3];
        n[GD_OF_answers] += of[1] + of[2] + of[3];
        y[GD_STYLE_choices] += passed[1] + passed[2] + passed[3];
    }
    n[GD_OF_leads] = leads[0] + leads[1] + leads[2] + leads[3] + leads[4] + leads[5] + leads[6] + leads[7];
    n[GD_OF_leads_with_bomb] = leads[1] + leads[3] + leads[5] + leads[7];
    n[GD_OF_leads_into_one_card] = leads[4] + leads[5] + leads[6] + leads[7];
    n[GD_OF_singles_led] = led[GD_SINGLE];
    n[GD_OF_hands] = c->hands;
    n[GD_OF_outs] = c->hands - c->stayed_in;
    n[GD_OF_partner_first] = c->partner_first;
    n[GD_OF_stayed_in] = c->stayed_in;
    n[GD_OF_returns_to_partner] = c->returns[0].cards;
    n[GD_OF_returns_to_opponent] = c->returns[1].cards;
    n[GD_OF_returns] = c->returns[0].cards + c->returns[1].cards;
    y[GD_STYLE_choices] += n[GD_OF_answers] + n[GD_OF_leads];
    y[GD_STYLE_wind_taken] = leads[2] + leads[3] + leads[6] + leads[7];
    for (unsigned kind = GD_SINGLE; kind <= GD_JOKER_BOMB; kind++) {
        y[GD_STYLE_answered_single - GD_SINGLE + kind] = answered[kind];
        y[GD_STYLE_led_single - GD_SINGLE + kind] = led[kind];
    }
    n[GD_OF_wilds] = 0;
    for (unsigned kind = GD_SINGLE; kind < GD_JOKER_BOMB; kind++)
        n[GD_OF_wilds] += y[GD_STYLE_wild_in_single - GD_SINGLE + kind] = c->wilds[kind];
    y[GD_STYLE_led_smallest_single] = c->led_smallest_single;
    y[GD_STYLE_led_single_into_one_card] = c->led_single_into_one_card;
    memcpy(&y[GD_STYLE_answer_broke_pair], c->plays[0].broken, sizeof c->plays[0].broken);
    memcpy(&y[GD_STYLE_lead_broke_pair], c->plays[1].broken, sizeof c->plays[1].broken);
    y[GD_STYLE_bombs_of_4] = c->bombs_of_4;
    y[GD_STYLE_bombs_of_5] = c->bombs_of_5;
    y[GD_STYLE_bombs_of_6_up] = c->bombs_of_6_up;
    y[GD_STYLE_straight_flushes] = led[GD_STRAIGHT_FLUSH] + answered[GD_STRAIGHT_FLUSH];
    y[GD_STYLE_joker_bombs] = led[GD_JOKER_BOMB] + answered[GD_JOKER_BOMB];
    int32_t led_bombs = led[GD_STRAIGHT_FLUSH] + led[GD_BOMB] + led[GD_JOKER_BOMB];
    n[GD_OF_bombs] = led_bombs + answered[GD_STRAIGHT_FLUSH] + answered[GD_BOMB] + answered[GD_JOKER_BOMB];
    y[GD_STYLE_bomb_as_lead] = y[GD_STYLE_bombed_as_lead] = led_bombs;
    y[GD_STYLE_bomb_on_partner] = y[GD_STYLE_bombed_partner] = c->bomb_on_partner;
    y[GD_STYLE_bombed_opponent] = n[GD_OF_bombs] - led_bombs - c->bomb_on_partner;
    y[GD_STYLE_bomb_opponent_low] = y[GD_STYLE_bombed_opponent_low] = c->bomb_opponent_low;
    y[GD_STYLE_bomb_opponents_full] = c->bomb_opponents_full;
    y[GD_STYLE_bomb_as_last] = y[GD_STYLE_out_with_bomb] = c->bomb_as_last;
    y[GD_STYLE_returned_to_partner] = c->returns[0].cards;
    memcpy(&y[GD_STYLE_return_made_pair_partner], c->returns[0].effects, sizeof c->returns[0].effects);
    memcpy(&y[GD_STYLE_return_made_pair_opponent], c->returns[1].effects, sizeof c->returns[1].effects);
    y[GD_STYLE_not_last_behind_partner] = c->not_last_behind_partner;
    y[GD_STYLE_cards_left] = c->cards_left;
}

/* Add a cell to its three roles. */
static void add_cell(gd_style_counts *restrict all, gd_style_counts *restrict part, gd_style_counts *restrict stands,
                     const gd_style_counts *restrict cell)
{
    int32_t *sums[] = {(int32_t *)all, (int32_t *)part, (int32_t *)stands};
    const int32_t *counts = (const int32_t *)cell;
    for (unsigned k = 0; k < GD_STYLE_COUNTS; k++) {
        sums[0][k] += counts[k];
        sums[1][k] += counts[k];
        sums[2][k] += counts[k];
    }
}

#define OCCASION_OF(name, of) GD_OF_##of,
static const uint8_t occasion_of[GD_RATES] = {GD_STYLE_RATES(OCCASION_OF)};
#undef OCCASION_OF

static void add_occasions(int64_t sums[restrict GD_OCCASION_SUMS][GD_OCCASIONS], const int32_t *restrict x,
                          const int32_t *restrict y)
{
    for (unsigned k = 0; k < GD_OCCASIONS; k++) {
        sums[0][k] += x[k] > 0;
        sums[1][k] += x[k];
        sums[2][k] += (int64_t)x[k] * x[k];
        sums[3][k] += y[k] > 0;
        sums[4][k] += y[k];
        sums[5][k] += (int64_t)y[k] * y[k];
        sums[6][k] += (int64_t)x[k] * y[k];
    }
}

/* nx, ny: the occasions of each rate. */
static void add_rates(int64_t sums[restrict GD_RATE_SUMS][GD_RATES], const int32_t *restrict nx,
                      const int32_t *restrict ny, const int32_t *restrict x, const int32_t *restrict y)
{
    for (unsigned k = 0; k < GD_RATES; k++) {
        sums[0][k] += x[k];
        sums[1][k] += (int64_t)x[k] * x[k];
        sums[2][k] += (int64_t)nx[k] * x[k];
        sums[3][k] += y[k];
        sums[4][k] += (int64_t)y[k] * y[k];
        sums[5][k] += (int64_t)ny[k] * y[k];
        sums[6][k] += (int64_t)nx[k] * y[k];
        sums[7][k] += (int64_t)x[k] * ny[k];
        sums[8][k] += (int64_t)x[k] * y[k];
    }
}

void gd_style_pair(gd_style *s)
{
    gd_style_count(s);
    gd_style_counts roles[2][GD_ROLES] = {0};
    unsigned touched = 0; /* mask of roles */
    for (; s->used; s->used &= s->used - 1) {
        unsigned cell = gd_lowest(s->used), part = 1 + cell / GD_STANDINGS % GD_TRIBUTE_PARTS,
                 stands = 1 + GD_TRIBUTE_PARTS + cell % GD_STANDINGS;
        gd_style_counts *all = roles[cell / (GD_STANDINGS * GD_TRIBUTE_PARTS)];
        add_cell(all, &all[part], &all[stands], &s->cells[cell]);
        s->cells[cell] = (gd_style_counts){0};
        touched |= 1u | 1u << part | 1u << stands;
    }
    for (unsigned role = 0; role < GD_ROLES; role++) {
        if (!(touched >> role & 1u)) continue;
        int32_t n[2][GD_OCCASIONS], of[2][GD_RATES], y[2][GD_RATES];
        for (unsigned side = 0; side < 2; side++) {
            derive(n[side], y[side], &roles[side][role]);
            for (unsigned k = 0; k < GD_RATES; k++) of[side][k] = n[side][occasion_of[k]];
        }
        add_occasions(s->sums->occasions[role], n[0], n[1]);
        add_rates(s->sums->rates[role], of[0], of[1], y[0], y[1]);
    }
}
