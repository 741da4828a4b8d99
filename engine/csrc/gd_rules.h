/* The rule points as the engine reads them. engine/rules.py is where each is named, cited and checked. */
#ifndef GD_RULES_H
#define GD_RULES_H

#include <stdint.h>

enum { GD_LEVEL_A = 12, GD_SAFETY_CAP = 200 };

enum gd_equal_tribute { GD_EQUAL_CLOCKWISE = 0, GD_EQUAL_UPSTREAM = 1 };

typedef struct gd_rules {
    uint8_t steps[3];          /* levels for finishing 1-2, 1-3, 1-4 */
    uint8_t pass_a_partner;    /* worst place (1..3, 0 = first) of the partner with which A is passed */
    uint8_t win_on_reaching_a; /* the match ends when A is reached, not when it is passed */
    uint8_t a_fail_limit;      /* failed tries that drop a side to level 2; 0: none do */
    uint8_t tribute;           /* is tribute paid at all */
    uint8_t equal_tribute;     /* enum gd_equal_tribute: who pays the first when both cards are equal */
    uint8_t return_level_card; /* may a level card printed ten or lower be returned */
    uint8_t start_level[2];    /* level of seats 0,2 and of seats 1,3 at the start */
    uint16_t limit_deals;      /* deals after which the higher level wins; 0: none */
} gd_rules;

#endif
