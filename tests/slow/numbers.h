/* Rules from the numbers of engine.rules.Rules.core(), written as arguments of a program. */
#ifndef NUMBERS_H
#define NUMBERS_H

#include <stdlib.h>

#include "guandan_strategy.h"

enum { BYTES = 30, NUMBERS = BYTES + 2 }; /* of Rules.core(): the last two are wider than a byte */

static gd_rules rules_of(char **text)
{
    unsigned n[NUMBERS];
    for (unsigned i = 0; i < NUMBERS; i++) n[i] = (unsigned)strtoul(text[i], NULL, 10);
    gd_rules r = {0};
    uint8_t *const at[BYTES] = {&r.plays,           &r.wild_takes_wind,
                                &r.wind_to_next,    &r.steps[0],
                                &r.steps[1],        &r.steps[2],
                                &r.a_plus,          &r.win_on_reaching_a,
                                &r.pass_a_partner,  &r.a_fail_limit,
                                &r.a_fail_own_last, &r.a_drop_level,
                                &r.ace_last_play,   &r.tribute,
                                &r.last_is_partner, &r.receiver_chooses,
                                &r.double_by_seat,  &r.larger_payer_leads,
                                &r.equal_tribute,   &r.return_level_card,
                                &r.refuse_small,    &r.payer_leads_refused,
                                &r.tie_break,       &r.seconds[0],
                                &r.seconds[1],      &r.seconds[2],
                                &r.seconds[3],      &r.first_lead,
                                &r.start_level[0],  &r.start_level[1]};
    for (unsigned i = 0; i < BYTES; i++) *at[i] = (uint8_t)n[i];
    r.limit_deals = (uint16_t)n[BYTES];
    r.limit_minutes = (uint16_t)n[BYTES + 1];
    return r;
}

#endif
