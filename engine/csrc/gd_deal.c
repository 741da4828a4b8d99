#include "gd_deal.h"

#include <assert.h>
#include <string.h>

#include "gd_gen.h"

void gd_deal_begin(gd_deal *d, const gd_rules *rules, const gd_cards cards[4], unsigned level, unsigned leader)
{
    *d = (gd_deal){.rules = rules, .holder = -1, .level = (uint8_t)level, .turn = (uint8_t)leader};
    for (unsigned s = 0; s < 4; s++) {
        d->hand[s] = gd_hand_of(cards[s], level);
        d->left[s] = (uint8_t)gd_cards_size(cards[s]);
    }
}

void gd_deal_set_out(gd_deal *d, const uint8_t *seats, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        assert(d->left[seats[i]] == 0);
        d->order[d->n_out++] = seats[i];
        d->out |= (uint8_t)(1u << seats[i]);
    }
}

void gd_deal_set_trick(gd_deal *d, unsigned holder, gd_play to_beat, unsigned passes)
{
    d->holder = (int8_t)holder;
    d->to_beat = to_beat;
    d->passes = (uint8_t)passes;
}

/* Keep the bombs just listed, if they are not too many. */
static inline void keep(gd_deal *d, const gd_play *bombs, unsigned n)
{
    /* Word by word, as they were written: a wider read would have to wait until all are in memory. */
    const volatile gd_play *from = bombs;
    gd_play *to = d->kept[d->turn];
    if (n > GD_KEPT_BOMBS) return;
    d->listed[d->turn] = (uint8_t)(n + 1);
    for (unsigned i = 0; i < n; i += 4)
        for (unsigned k = 0; k < 4; k++) to[i + k] = from[i + k];
}

/* Are the bombs kept those that the seat in turn holds? Only asserted. */
static inline int knows_bombs(const gd_deal *d)
{
    gd_play bombs[GD_MAX_PLAYS];
    unsigned n = gd_list_bombs(&d->hand[d->turn], d->level, d->rules->plays, bombs);
    return n + 1 == d->listed[d->turn] && !memcmp(bombs, d->kept[d->turn], n * sizeof *bombs);
}

unsigned gd_deal_bombs(gd_deal *d, gd_play *out)
{
    unsigned seat = d->turn, n = d->listed[seat] - 1u;
    if (d->listed[seat]) {
        assert(knows_bombs(d));
        for (unsigned i = 0; i < GD_KEPT_BOMBS; i++) out[i] = d->kept[seat][i]; /* all: that takes no branch */
    } else {
        n = gd_list_bombs(&d->hand[seat], d->level, d->rules->plays, out);
        keep(d, out, n);
    }
    return gd_bombs_over(d->to_beat, out, n);
}

static void next_turn(gd_deal *d)
{
    do d->turn = (d->turn + 1) & 3u;
    while (d->out >> d->turn & 1u);
}

/* The order is complete: who is still in follows in seat order from `from`. */
static void place_the_rest(gd_deal *d, unsigned from)
{
    d->over = 1;
    for (unsigned i = 0; i < 4; i++) {
        unsigned s = (from + i) & 3u;
        if (!(d->out >> s & 1u)) d->order[d->n_out++] = (uint8_t)s;
    }
}

void gd_deal_stop(gd_deal *d, unsigned from) { place_the_rest(d, from); }

/* The seat in turn has laid its last card. */
static void go_out(gd_deal *d)
{
    d->order[d->n_out++] = d->turn;
    d->out |= (uint8_t)(1u << d->turn);
    int ends = d->n_out == 3 || (d->n_out == 2 && gd_is_double_down(d->order));
    if (ends)
        place_the_rest(d, 0);
    else if (d->first_ends)
        place_the_rest(d, d->turn); /* nobody else is placed: in seat order, which no rule looks at */
}

/* Is the hand of the seat one wild that may not be led? By wind: that may not take the lead so either. */
static int is_stuck(const gd_deal *d, unsigned seat, int by_wind)
{
    if (d->left[seat] != 1 || !gd_wilds_held(&d->hand[seat])) return 0;
    return !(d->rules->plays & GD_WILD_SINGLE) || (by_wind && !d->rules->wild_takes_wind);
}

/* Give the lead to `seat`, or to the next in turn who has something to lead. If nobody has, the deal is over. */
static void give_lead(gd_deal *d, unsigned seat, int by_wind)
{
    unsigned last_holder = (unsigned)d->holder;
    d->to_beat = GD_PASS;
    d->holder = -1;
    for (unsigned i = 0; i < 4; i++, seat = (seat + 1) & 3u) {
        if (d->out >> seat & 1u || is_stuck(d, seat, by_wind && i == 0)) continue;
        d->turn = (uint8_t)seat;
        d->wind = (uint8_t)(by_wind && i == 0);
        d->winds += d->wind;
        return;
    }
    place_the_rest(d, last_holder);
}

static void count_bomb(gd_deal *d, gd_play shape)
{
    unsigned kind = gd_kind_of(shape), size = gd_size(shape);
    d->bombs[kind == GD_JOKER_BOMB ? 4 : kind == GD_STRAIGHT_FLUSH ? 2 : size >= 6 ? 3 : size - 4]++;
}

/* Equal cards of rank A, one to ten of them. */
static int is_aces(gd_play shape)
{
    unsigned kind = gd_kind_of(shape);
    return (kind <= GD_TRIPLE || kind == GD_BOMB) && gd_rank(shape) == GD_LEVEL_A;
}

/* Does a hand with bombs, of which `first` is one, surely have the same ones after a play? So it is where none is a straight
 * flush, and the play took no wild, no joker and no card of a rank of which there are bombs. */
static inline int same_bombs(uint64_t had, uint64_t has, gd_play first)
{
    unsigned wilds = (unsigned)(had >> (4 * GD_WILD_NIBBLE));
    uint64_t ranks = gd_nibbles_from(had - has, 1), of_bombs = gd_nibbles_from(had, 4 - wilds);
    return gd_kind_of(first) != GD_STRAIGHT_FLUSH && !(ranks & (of_bombs | ~(uint64_t)0 << 4 * GD_SMALL_JOKER));
}

void gd_deal_play(gd_deal *d, gd_play shape, gd_cards cards)
{
    unsigned seat = d->turn;
    assert(!d->over && shape != GD_PASS && gd_size(shape) <= d->left[seat]);
    d->tricks = (uint16_t)(d->tricks + (d->to_beat == GD_PASS));
    uint64_t had = d->hand[seat].counts;
    gd_hand_take(&d->hand[seat], d->level, shape, cards);
    if (d->listed[seat] > 1 && !same_bombs(had, d->hand[seat].counts, d->kept[seat][0])) d->listed[seat] = 0;
    d->gone = gd_cards_sum(d->gone, cards);
    d->left[seat] -= (uint8_t)gd_size(shape);
    d->to_beat = shape;
    d->holder = (int8_t)seat;
    d->passes = 0;
    d->wind = 0;
    d->plays++;
    if (gd_is_bomb(shape)) count_bomb(d, shape);
    if (!d->left[seat] && d->level == GD_LEVEL_A && is_aces(shape)) d->aces |= (uint8_t)(1u << seat);
    if (!d->left[seat]) go_out(d);
    if (!d->over) next_turn(d);
}

void gd_deal_pass(gd_deal *d)
{
    assert(!d->over && d->to_beat != GD_PASS);
    d->passed++;
    d->passes++;
    unsigned active = 4u - d->n_out, holder = (unsigned)d->holder, holder_out = d->out >> holder & 1u;
    if (d->passes < active - !holder_out) {
        next_turn(d);
        return;
    }
    /* The trick is over. A holder who is out hands the lead to the partner (接风), who cannot be out as well: the deal
     * would have ended. The next seat can be: then it is for the one after it. */
    unsigned heir = (holder + 1) & 3u;
    if (!holder_out)
        give_lead(d, holder, 0);
    else if (!d->rules->wind_to_next)
        give_lead(d, gd_partner(holder), 1);
    else
        give_lead(d, d->out >> heir & 1u ? (heir + 1) & 3u : heir, 1);
}
