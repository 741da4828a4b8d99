/* How a side plays: counts of choices beside the rows, for profiles of style (行牌风格). Exact integers only.
 *
 * Every rate is a number of events out of a number of occasions. Both are counted a pair at a time, and of the pairs only
 * the sums are kept that a rate clustered by pair, and the difference of two, need (statistics: linearised ratios). */
#ifndef GD_STYLE_H
#define GD_STYLE_H

#include "gd_table.h"

/* Occasions. sim/style_words.py says in words what they are. */
#define GD_STYLE_OCCASIONS(X) \
    X(leads) \
    X(singles_led) \
    X(leads_into_one_card) \
    X(answers) \
    X(answerable_partner) \
    X(answerable_opponent) \
    X(hands) \
    X(bombs) \
    X(leads_with_bomb) \
    X(bombable_partner) \
    X(bombable_opponent) \
    X(bombable_low) \
    X(outs) \
    X(wilds) \
    X(returns) \
    X(returns_to_partner) \
    X(returns_to_opponent) \
    X(partner_first) \
    X(stayed_in)

/* One name a kind that may hold a wild, in the order of enum gd_kind, and one a shape that a play may break. */
#define GD_STYLE_KINDS(X, verb, of) \
    X(verb##_single, of) \
    X(verb##_pair, of) \
    X(verb##_triple, of) \
    X(verb##_tube, of) \
    X(verb##_full_house, of) \
    X(verb##_plate, of) \
    X(verb##_straight, of) \
    X(verb##_straight_flush, of) \
    X(verb##_bomb, of)
#define GD_STYLE_BROKEN(X, when, of) \
    X(when##_broke_pair, of) \
    X(when##_broke_triple, of) \
    X(when##_broke_bomb, of) \
    X(when##_broke_tube, of) \
    X(when##_broke_plate, of) \
    X(when##_broke_straight, of) \
    X(when##_broke_straight_flush, of)
#define GD_STYLE_RETURNED(X, to, of) \
    X(return_made_pair_##to, of) \
    X(return_made_bomb_##to, of) \
    X(return_made_straight_flush_##to, of) \
    X(return_broke_pair_##to, of) \
    X(return_broke_bomb_##to, of) \
    X(return_broke_straight_flush_##to, of)

/* Rates: the event, and the occasion it is counted out of. */
#define GD_STYLE_RATES(X) \
    GD_STYLE_KINDS(X, led, leads) \
    X(led_joker_bomb, leads) \
    X(led_smallest_single, singles_led) \
    X(led_single_into_one_card, leads_into_one_card) \
    X(wind_taken, leads) \
    GD_STYLE_KINDS(X, answered, answers) \
    X(answered_joker_bomb, answers) \
    X(passed_on_partner, answerable_partner) \
    X(passed_on_opponent, answerable_opponent) \
    X(bombs_of_4, hands) \
    X(bombs_of_5, hands) \
    X(straight_flushes, hands) \
    X(bombs_of_6_up, hands) \
    X(joker_bombs, hands) \
    X(bomb_as_lead, bombs) \
    X(bomb_on_partner, bombs) \
    X(bomb_opponent_low, bombs) \
    X(bomb_opponents_full, bombs) \
    X(bomb_as_last, bombs) \
    X(bombed_as_lead, leads_with_bomb) \
    X(bombed_partner, bombable_partner) \
    X(bombed_opponent, bombable_opponent) \
    X(bombed_opponent_low, bombable_low) \
    X(out_with_bomb, outs) \
    GD_STYLE_BROKEN(X, lead, leads) \
    GD_STYLE_BROKEN(X, answer, answers) \
    GD_STYLE_KINDS(X, wild_in, wilds) \
    X(returned_to_partner, returns) \
    GD_STYLE_RETURNED(X, partner, returns_to_partner) \
    GD_STYLE_RETURNED(X, opponent, returns_to_opponent) \
    X(not_last_behind_partner, partner_first) \
    X(cards_left, stayed_in) \
    X(choices, hands)

#define GD_STYLE_OCCASION(name) GD_OF_##name,
#define GD_STYLE_RATE(name, of) GD_STYLE_##name,
enum gd_style_occasion { GD_STYLE_OCCASIONS(GD_STYLE_OCCASION) GD_OCCASIONS };
enum gd_style_rate { GD_STYLE_RATES(GD_STYLE_RATE) GD_RATES };
#undef GD_STYLE_OCCASION
#undef GD_STYLE_RATE

/* Where a hand is counted while it is played: [side x, y][tribute: none, payer, receiver][standing: behind, even, ahead,
 * at its own A]. What is kept are roles: all hands, then each part in tribute, then each standing. */
enum { GD_TRIBUTE_PARTS = 3, GD_STANDINGS = 4, GD_STYLE_CELLS = 2 * GD_TRIBUTE_PARTS * GD_STANDINGS };
enum { GD_ROLES = 1 + GD_TRIBUTE_PARTS + GD_STANDINGS };

/* Sums over pairs, a role. Of an occasion n: for each side the pairs that have one, n and n n; then nx ny. Of an event y out
 * of the occasion n: for each side y, y y and n y; then across the sides nx yy, yx ny, yx yy, which the difference of two
 * rates on the same deals needs. */
enum { GD_OCCASION_SUMS = 7, GD_RATE_SUMS = 9 };

typedef struct gd_style_sums {
    int64_t occasions[GD_ROLES][GD_OCCASION_SUMS][GD_OCCASIONS], rates[GD_ROLES][GD_RATE_SUMS][GD_RATES];
} gd_style_sums;

/* What a seat saw when it was asked for a play, as bits; on an answer and on a lead the same bits mean different things.
 * A decision is counted once, under all that was seen, and counts of a single thing are added up when the pair is over. */
enum gd_saw {
    GD_HAS_BOMB = 1,
    GD_CAN_ANSWER = 2, /* the play to beat, without a bomb */
    GD_PASSES = 4,
    GD_OPPONENTS = 8, /* the play to beat is an opponent's */
    GD_LEADS = 16,
    GD_LEADS_BY_WIND = 2,
    GD_LEADS_INTO_ONE = 4, /* an opponent holds one card, and there is a choice but singles */
    GD_SAW = 24
};

/* Plays by what they were and by what they broke. */
typedef struct gd_style_plays {
    int32_t of_kind[GD_JOKER_BOMB + 1];
    int32_t broken[7]; /* in the order of GD_STYLE_BROKEN */
} gd_style_plays;

/* Cards returned to a partner, or to an opponent. */
typedef struct gd_style_returns {
    int32_t cards, effects[6]; /* in the order of GD_STYLE_RETURNED */
} gd_style_returns;

/* What is counted in a cell: of a decision as little as all rates follow from. */
typedef struct gd_style_counts {
    int32_t saw[GD_SAW];     /* decisions */
    int32_t bombable_low;    /* of them with a bomb while an opponent holds one to five cards */
    gd_style_plays plays[2]; /* answers, leads */
    int32_t led_smallest_single, led_single_into_one_card;
    int32_t bombs_of_4, bombs_of_5, bombs_of_6_up;
    int32_t bomb_on_partner, bomb_opponent_low, bomb_opponents_full, bomb_as_last;
    int32_t wilds[GD_JOKER_BOMB + 1]; /* laid, by the kind */
    gd_style_returns returns[2];      /* to a partner, to an opponent */
    int32_t hands, partner_first, not_last_behind_partner, stayed_in, cards_left;
} gd_style_counts;

enum { GD_STYLE_COUNTS = sizeof(gd_style_counts) / sizeof(int32_t) };

/* A card returned after tribute. */
typedef struct gd_style_return {
    uint8_t giver, taker, card;
    uint8_t wild, alone; /* alone: the taker had no other copy */
} gd_style_return;

/* A deal of which the choices wait to be counted. Some deals at a time that costs a tenth less than each at its end, when
 * neither code nor counts are at hand. */
typedef struct gd_style_deal {
    gd_style_counts *cell[4];   /* by seat */
    unsigned choices;           /* in gd_style.sights, behind those of the deals before */
    uint64_t counts[4], one[4]; /* of the hands when it was over */
    unsigned n_returns;
    gd_style_return returns[2];
} gd_style_deal;

enum { GD_STYLE_DEALS = 8 };

typedef struct gd_style {
    gd_style_sums *sums; /* the caller's, added to */
    uint32_t used;       /* mask of cells that the pair has touched */
    unsigned n_deals;    /* that wait */
    unsigned waiting;    /* their choices */
    gd_style_deal deals[GD_STYLE_DEALS];
    gd_style_counts cells[GD_STYLE_CELLS];
    gd_sights sights; /* of the deals that wait, and of the one that is played */
} gd_style;

void gd_style_init(gd_style *s, gd_style_sums *sums);

/* The deal is over, and not scored. Its end is not counted where it was judged, nor the hands that were not played out. */
void gd_style_end_deal(gd_style *s, const gd_table *t);

/* Count the deals that wait. */
void gd_style_count(gd_style *s);

/* The pair is complete: add it to the sums. */
void gd_style_pair(gd_style *s);

#endif
