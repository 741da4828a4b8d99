/* Play generation: the shapes a hand may lead or follow with, ascending by code, and their suits. */
#ifndef GD_GEN_H
#define GD_GEN_H

#include "gd_cards.h"

/* Shapes that any hand can have: there are fewer codes than this in all (test_engine_play_capacity counts them), plus the slack
 * of 16 that the full-house writer may touch behind the end. */
enum { GD_MAX_PLAYS = 4096 };

/* Legal shapes of `hand` at `level` (0..12): to lead when to_beat is PASS, else PASS first and then all that beat it.
 * rules: gd_play_rule bits. Writes at most GD_MAX_PLAYS codes, ascending; returns their number: 0 for an empty hand that
 * leads, or where the rules leave nothing to lead. */
unsigned gd_list_plays(const gd_hand *hand, unsigned level, gd_play to_beat, unsigned rules, gd_play *out);

/* The two parts of that list: what is no bomb of any class (PASS and nothing else to answer a bomb); and all bombs of the hand,
 * of which gd_bombs_over keeps those that beat `to_beat`. */
unsigned gd_list_common(const gd_hand *hand, unsigned level, gd_play to_beat, unsigned rules, gd_play *out);
unsigned gd_list_bombs(const gd_hand *hand, unsigned level, unsigned rules, gd_play *out);

static inline unsigned gd_bombs_over(gd_play to_beat, gd_play *bombs, unsigned n)
{
    if (!gd_is_bomb(to_beat)) return n;
    unsigned kept = 0, strength = gd_bomb_strength(to_beat);
    for (unsigned i = 0; i < n; i++) {
        bombs[kept] = bombs[i];
        kept += gd_bomb_strength(bombs[i]) > strength;
    }
    return kept;
}

/* In how many ways the hand can take the cards of a shape that it lists: entries of *all* behind one of *shapes*. */
unsigned gd_suit_choices(const gd_hand *hand, gd_play shape, unsigned rules);

/* Where each shape's entries begin in the list of *all*: starts[0..n], starts[n] is the length of that list. */
void gd_list_starts(const gd_hand *hand, const gd_play *plays, unsigned n, unsigned rules, uint32_t *starts);

/* The shape behind entry `index` < starts[n] of *all*. */
unsigned gd_shape_at(const uint32_t *starts, unsigned n, uint32_t index);

/* Cards of choice number `choice` < gd_suit_choices: rank after rank as the shape lays them, each rank's suits in
 * S H C D order with the earlier suits first. */
gd_cards gd_choice_cards(const gd_hand *hand, unsigned level, gd_play shape, unsigned choice, unsigned rules);

/* The inverse: number of the choice that takes exactly `cards`; GD_NO_CHOICE where the listed shape cannot take them. */
enum { GD_NO_CHOICE = 0xffffff };
unsigned gd_choice_of(const gd_hand *hand, unsigned level, gd_play shape, gd_cards cards, unsigned rules);

/* The choice that leaves the most straight flushes possible (windows of five places a suit, counting the wilds that
 * remain); the first of these. */
unsigned gd_best_choice(const gd_hand *hand, gd_play shape, unsigned rules);

/* How many cards a shape takes of each rank, as nibbles; wilds in the last. */
uint64_t gd_need_of(gd_play shape);

/* Take the cards of a shape out of the hand, which must hold them; they must be a choice of it. */
void gd_hand_take(gd_hand *hand, unsigned level, gd_play shape, gd_cards cards);

#endif
