/* The entry of the harness, and what all targets draw: the first byte chooses the target. */
#include "fuzz.h"

#include <stddef.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void (*const targets[])(fuzz_input *) = {fuzz_plays, fuzz_deal, fuzz_table, fuzz_match};
    fuzz_input in = {data, data + size};
    targets[byte(&in) & 3u](&in);
    return 0;
}

gd_cards draw_cards(fuzz_input *in, unsigned n, gd_cards *taken)
{
    gd_cards out = {0, 0};
    unsigned first = below(in, GD_CARDS), width = 1 + below(in, GD_CARDS);
    while (n--) {
        unsigned card = (first + below(in, width)) % GD_CARDS, tried = 0;
        while (gd_copies(*taken, card) == 2 && tried++ < GD_CARDS) card = (card + 1) % GD_CARDS;
        if (gd_copies(*taken, card) == 2) break;
        gd_cards_add(taken, gd_lane_bit(card));
        gd_cards_add(&out, gd_lane_bit(card));
    }
    return out;
}

/* As in py_convert.c; test_engine_fuzz compares the two. */
#define RULE(name, most) {offsetof(gd_rules, name), most}
static const struct {
    size_t at;
    unsigned most;
} rule_bytes[] = {
    RULE(plays, 15),
    RULE(wild_takes_wind, 1),
    RULE(wind_to_next, 1),
    RULE(steps[0], 12),
    RULE(steps[1], 12),
    RULE(steps[2], 12),
    RULE(a_plus, 1),
    RULE(win_on_reaching_a, 1),
    RULE(pass_a_partner, 3),
    RULE(a_fail_limit, 200),
    RULE(a_fail_own_last, 1),
    RULE(a_drop_level, GD_LEVEL_A),
    RULE(ace_last_play, 1),
    RULE(tribute, 1),
    RULE(last_is_partner, 2),
    RULE(receiver_chooses, 1),
    RULE(double_by_seat, 1),
    RULE(larger_payer_leads, 1),
    RULE(equal_tribute, 2),
    RULE(return_level_card, 1),
    RULE(refuse_small, 1),
    RULE(payer_leads_refused, 1),
    RULE(tie_break, 1),
    RULE(seconds[0], 255),
    RULE(seconds[1], 255),
    RULE(seconds[2], 255),
    RULE(seconds[3], 255),
    RULE(first_lead, 2),
    RULE(start_level[0], GD_LEVEL_A),
    RULE(start_level[1], GD_LEVEL_A),
};
#undef RULE

gd_rules draw_rules(fuzz_input *in)
{
    enum { BYTES = sizeof rule_bytes / sizeof *rule_bytes };
    gd_rules r = {.plays = GD_NATIONAL_PLAYS,
                  .wild_takes_wind = 1,
                  .steps = {3, 2, 1},
                  .pass_a_partner = 2,
                  .tribute = 1,
                  .seconds = {60, 10, 5, 3}};
    for (unsigned changes = below(in, 12); changes--;) {
        unsigned field = below(in, BYTES + 2);
        if (field == BYTES)
            r.limit_deals = (uint16_t)below(in, GD_SAFETY_CAP);
        else if (field > BYTES)
            r.limit_minutes = (uint16_t)below(in, 10001);
        else
            ((uint8_t *)&r)[rule_bytes[field].at] = (uint8_t)below(in, rule_bytes[field].most + 1);
    }
    return r;
}

gd_play draw_code(fuzz_input *in, const gd_play *plays, unsigned n)
{
    unsigned place = below(in, n + n / 8 + 1);
    if (place < n && plays[place] != GD_PASS) return plays[place];
    uint32_t low = below(in, 1u << 18) | below(in, 2) << 18;
    return (1u + below(in, 10)) << 28 | (1u + below(in, 10)) << 24 | below(in, 15) << 20 | (low & 0xffc3fu) |
           below(in, 15) << 6;
}

void draw_order(fuzz_input *in, uint8_t order[4])
{
    for (unsigned i = 0; i < 4; i++) order[i] = (uint8_t)i;
    for (unsigned i = 0; i < 3; i++) {
        unsigned j = i + below(in, 4 - i);
        uint8_t seat = order[i];
        order[i] = order[j];
        order[j] = seat;
    }
}
