/* The rule points as the engine reads them. engine/rules.py is where each is named, cited and checked. */
#ifndef GD_RULES_H
#define GD_RULES_H

#include <stdint.h>

enum { GD_LEVEL_A = 12, GD_SAFETY_CAP = 200 };

/* What may be played: bits of gd_rules.plays. */
enum gd_play_rule {
    GD_WILD_SINGLE = 1,   /* a wild may be played alone */
    GD_WILD_PAIR_ANY = 2, /* two wilds may be called a pair of any rank but jokers */
    GD_SUITED_PLAIN = 4,  /* five naturals of one suit may be called a plain straight */
    GD_NINE_AND_TEN = 8,  /* a wild may stand for a third copy of a card: bombs of nine and ten */
    GD_NATIONAL_PLAYS = GD_WILD_SINGLE | GD_NINE_AND_TEN
};

enum gd_equal_tribute { GD_EQUAL_CLOCKWISE = 0, GD_EQUAL_UPSTREAM = 1, GD_EQUAL_SMALLER_RETURN_LEADS = 2 };
enum gd_last_is_partner { GD_LAST_PAYS = 0, GD_THIRD_PAYS = 1, GD_NOBODY_PAYS = 2 };
enum gd_first_lead { GD_LEAD_UNIFORM = 0, GD_LEAD_TURNED_CARD = 1, GD_LEAD_ROTATION = 2 };

typedef struct gd_rules {
    /* plays and tricks */
    uint8_t plays;           /* gd_play_rule bits */
    uint8_t wild_takes_wind; /* may a seat that is left with one wild take the lead by wind */
    uint8_t wind_to_next;    /* the wind goes to the next seat instead of the partner (下家接风) */
    /* promotion and A */
    uint8_t steps[3];          /* levels for finishing 1-2, 1-3, 1-4 */
    uint8_t a_plus;            /* levels beyond A win at once; from K, one step does not reach A */
    uint8_t win_on_reaching_a; /* the match ends when A is reached, not when it is passed */
    uint8_t pass_a_partner;    /* worst place (1..3, 0 = first) of the partner with which A is passed */
    uint8_t a_fail_limit;      /* failed tries that drop a side; 0: none do */
    uint8_t a_fail_own_last;   /* only deals won with the partner last count as failed */
    uint8_t a_drop_level;      /* rank to which it drops */
    uint8_t ace_last_play;     /* the declarer who goes out with aces at its own A drops at once */
    /* tribute */
    uint8_t tribute;             /* is it paid at all */
    uint8_t last_is_partner;     /* enum gd_last_is_partner: who pays when the first's partner is last */
    uint8_t receiver_chooses;    /* of equal greatest cards the receiver takes one, not the payer */
    uint8_t double_by_seat;      /* both payers give to the seat before them, whatever the cards */
    uint8_t larger_payer_leads;  /* after a double tribute; else the one who pays the first */
    uint8_t equal_tribute;       /* enum gd_equal_tribute */
    uint8_t return_level_card;   /* may a level card printed ten or lower be returned */
    uint8_t refuse_small;        /* two small jokers refuse tribute as well */
    uint8_t payer_leads_refused; /* after a refusal the payer leads (of two, the seat after the first), not the first */
    /* the match */
    uint8_t first_lead;     /* enum gd_first_lead */
    uint8_t start_level[2]; /* level of seats 0,2 and of seats 1,3 at the start */
    uint8_t tie_break;      /* equal levels at a limit: one more deal at 2, without tribute, until the first is out */
    uint8_t seconds[4];     /* time model: a deal (shuffling, exchange), a lead, an answer, a pass */
    uint16_t limit_deals;   /* deals after which the higher level wins; 0: none */
    uint16_t limit_minutes; /* a deal begun within this time is finished, none is begun after it; 0: none */
} gd_rules;

#endif
