/* The columns that the bulk loop fills, one line a column: type and name. What each means, and how the codes read as
 * text, is written down in sim/schema.py; codes are -1 where there is nothing to say. Sides: 0 x, 1 y. */
#ifndef GD_COLUMNS_H
#define GD_COLUMNS_H

#include <stdint.h>

#define GD_DEAL_COLUMNS(X) \
    X(int64_t, pair) \
    X(int8_t, leg) \
    X(int16_t, deal) \
    X(int8_t, level) \
    X(int8_t, x_level_before) \
    X(int8_t, y_level_before) \
    X(int8_t, x_level_after) \
    X(int8_t, y_level_after) \
    X(int8_t, declarer) \
    X(int8_t, lead_seat) \
    X(int8_t, tribute) \
    X(int8_t, payers) \
    X(int8_t, receivers) \
    X(int8_t, given_1) \
    X(int8_t, given_2) \
    X(int8_t, returned_1) \
    X(int8_t, returned_2) \
    X(int8_t, finish_order) \
    X(int8_t, winner) \
    X(int8_t, steps) \
    X(int8_t, a_attempt) \
    X(int16_t, x_a_fails) \
    X(int16_t, y_a_fails) \
    X(int16_t, plays) \
    X(int16_t, passes) \
    X(int16_t, tricks) \
    X(int8_t, bombs_4) \
    X(int8_t, bombs_5) \
    X(int8_t, straight_flushes) \
    X(int8_t, bombs_6_up) \
    X(int8_t, joker_bombs) \
    X(int8_t, winds) \
    X(int8_t, cards_left) \
    X(int8_t, x_jokers) \
    X(int8_t, x_wilds) \
    X(int8_t, end_reason)

#define GD_MATCH_COLUMNS(X) \
    X(int64_t, pair) \
    X(int8_t, leg) \
    X(int8_t, x_half_points) \
    X(int16_t, deals) \
    X(int16_t, x_deals_won) \
    X(int8_t, x_level) \
    X(int8_t, y_level) \
    X(int8_t, end_reason) \
    X(int8_t, x_level_points) \
    X(int32_t, seconds) \
    X(int8_t, first_lead_seat) \
    X(int8_t, first_at_a) \
    X(int16_t, x_a_attempts) \
    X(int16_t, y_a_attempts) \
    X(int16_t, x_a_fails) \
    X(int16_t, y_a_fails) \
    X(int16_t, lead_changes) \
    X(int32_t, plays) \
    X(int16_t, x_steps) \
    X(int16_t, y_steps)

#define GD_PAIR_COLUMNS(X) \
    X(int64_t, pair) \
    X(int8_t, legs) \
    X(int8_t, x_half_points_1) \
    X(int8_t, x_half_points_2) \
    X(int8_t, cell) \
    X(int16_t, deals) \
    X(int16_t, x_deals_won) \
    X(int16_t, x_steps) \
    X(int16_t, y_steps) \
    X(int16_t, x_steps_1) \
    X(int16_t, x_steps_2) \
    X(int16_t, x_steps_3) \
    X(int16_t, y_steps_1) \
    X(int16_t, y_steps_2) \
    X(int16_t, y_steps_3) \
    X(int16_t, single_due) \
    X(int16_t, single_refused) \
    X(int16_t, double_due) \
    X(int16_t, double_refused) \
    X(int16_t, single_paid_won) \
    X(int16_t, double_paid_won) \
    X(int16_t, refused_won) \
    X(int16_t, x_a_attempts) \
    X(int16_t, x_a_passed) \
    X(int16_t, x_a_deal_lost) \
    X(int16_t, x_a_partner_last) \
    X(int16_t, y_a_attempts) \
    X(int16_t, y_a_passed) \
    X(int16_t, y_a_deal_lost) \
    X(int16_t, y_a_partner_last) \
    X(int8_t, capped) \
    X(int32_t, plays) \
    X(int32_t, passes) \
    X(int32_t, tricks) \
    X(int16_t, bombs)

/* A fault and the position in which it happened; cards as two lane planes (gd_cards). */
#define GD_FAULT_COLUMNS(X) \
    X(int64_t, pair) \
    X(int8_t, leg) \
    X(int16_t, deal) \
    X(int16_t, decision) \
    X(int8_t, seat) \
    X(int8_t, side) \
    X(int8_t, asked) \
    X(int8_t, reason) \
    X(int8_t, forfeits) \
    X(int8_t, turn) \
    X(int8_t, level) \
    X(int8_t, n_out) \
    X(int8_t, out_1) \
    X(int8_t, out_2) \
    X(int8_t, holder) \
    X(int8_t, passes) \
    X(int64_t, shape) \
    X(int64_t, cards_one) \
    X(int64_t, cards_two) \
    X(int64_t, hand_0_one) \
    X(int64_t, hand_0_two) \
    X(int64_t, hand_1_one) \
    X(int64_t, hand_1_two) \
    X(int64_t, hand_2_one) \
    X(int64_t, hand_2_two) \
    X(int64_t, hand_3_one) \
    X(int64_t, hand_3_two)

/* One row of each, and the caller's buffers: an array a column. */
#define GD_FIELD(type, name) type name;
#define GD_ARRAY(type, name) type *name;
#define GD_STORE(type, name) columns->name[at] = row->name;
#define GD_TABLE_OF(name, COLUMNS) \
    typedef struct { \
        COLUMNS(GD_FIELD) \
    } gd_##name##_row; \
    typedef struct { \
        COLUMNS(GD_ARRAY) \
    } gd_##name##_columns; \
    static inline void gd_store_##name(const gd_##name##_columns *columns, int64_t at, const gd_##name##_row *row) \
    { \
        COLUMNS(GD_STORE) \
    }
GD_TABLE_OF(deal, GD_DEAL_COLUMNS)
GD_TABLE_OF(match, GD_MATCH_COLUMNS)
GD_TABLE_OF(pair, GD_PAIR_COLUMNS)
GD_TABLE_OF(fault, GD_FAULT_COLUMNS)
#undef GD_TABLE_OF
#undef GD_STORE
#undef GD_ARRAY
#undef GD_FIELD

#endif
