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
    int64_t occasions[GD_ROLES][GD_OCCASIONS][GD_OCCASION_SUMS], rates[GD_ROLES][GD_RATES][GD_RATE_SUMS];
} gd_style_sums;

/* What a seat sees when it is asked for a play, as bits; on an answer and on a lead the same bits mean different things.
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

/* What is counted in one cell. */
typedef struct gd_style_counts {
    int32_t occasions[GD_OCCASIONS], events[GD_RATES];
} gd_style_counts;

/* Plays by what they were and by what they broke. */
typedef struct gd_style_plays {
    int32_t of_kind[GD_JOKER_BOMB + 1];
    int32_t sets[4]; /* nothing of it, a pair, a triple, a bomb */
    int32_t tube, plate, straight, straight_flush;
} gd_style_plays;

typedef struct gd_style_cell {
    gd_style_counts counts;
    gd_style_plays plays[2]; /* answers, leads */
    int32_t saw[2][GD_SAW];  /* decisions: [an opponent holds one to five cards] */
} gd_style_cell;

/* Sequences that a hand could lay: straight flushes by lane and lowest place, with its wilds; straights, tubes and plates
 * of naturals in the bits 0, 1, 2 of the nibble of their lowest place. Playing cards only ever removes some. */
typedef struct gd_windows {
    uint64_t counts; /* of that hand */
    uint64_t flushes, sequences;
} gd_windows;

typedef struct gd_style {
    gd_looker looker;       /* first: through it players' choices are seen, as bits of enum gd_saw */
    int begun;              /* the deal is being counted */
    gd_style_sums *sums;    /* the caller's, added to */
    uint32_t used;          /* mask of cells that the pair has touched */
    gd_style_cell *cell[4]; /* of each seat in this deal */
    int32_t *saw[4];        /* where its decisions are counted now: cell[seat]->saw[low[team]] */
    gd_windows windows[4];
    uint8_t few[4];   /* [seat]: it holds one to five cards */
    uint8_t low[2];   /* [team]: an opponent of it does */
    gd_play smallest; /* of the shapes that the seat may lead */
    gd_style_cell cells[GD_STYLE_CELLS];
} gd_style;

void gd_style_init(gd_style *s, gd_style_sums *sums);

/* The deal is over. The end of a judged one is not counted, nor the hands that were not played out. */
void gd_style_end_deal(gd_style *s, const gd_table *t);

/* The pair is complete: add it to the sums. */
void gd_style_pair(gd_style *s);

#endif
