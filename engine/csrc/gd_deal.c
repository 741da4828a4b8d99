#include "gd_deal.h"

#include <assert.h>

#include "gd_gen.h"

void gd_deal_begin(gd_deal *d, const gd_cards cards[4], unsigned level, unsigned leader)
{
    *d = (gd_deal){.holder = -1, .level = (uint8_t)level, .turn = (uint8_t)leader};
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

static void next_turn(gd_deal *d)
{
    do d->turn = (d->turn + 1) & 3u;
    while (d->out >> d->turn & 1u);
}

/* The seat in turn has laid its last card. */
static void go_out(gd_deal *d)
{
    d->order[d->n_out++] = d->turn;
    d->out |= (uint8_t)(1u << d->turn);
    if (d->n_out < 3 && !(d->n_out == 2 && gd_is_double_down(d->order))) return;
    d->over = 1;
    for (uint8_t s = 0; s < 4; s++)
        if (!(d->out >> s & 1u)) d->order[d->n_out++] = s;
}

static void count_bomb(gd_deal *d, gd_play shape)
{
    unsigned kind = gd_kind_of(shape), size = gd_size(shape);
    d->bombs[kind == GD_JOKER_BOMB ? 4 : kind == GD_STRAIGHT_FLUSH ? 2 : size >= 6 ? 3 : size - 4]++;
}

void gd_deal_play(gd_deal *d, gd_play shape, gd_cards cards)
{
    unsigned seat = d->turn;
    assert(!d->over && shape != GD_PASS && gd_size(shape) <= d->left[seat]);
    if (d->to_beat == GD_PASS) d->tricks++;
    gd_hand_take(&d->hand[seat], d->level, cards);
    d->gone = gd_cards_sum(d->gone, cards);
    d->left[seat] -= (uint8_t)gd_size(shape);
    d->to_beat = shape;
    d->holder = (int8_t)seat;
    d->passes = 0;
    d->wind = 0;
    d->plays++;
    if (gd_is_bomb(shape)) count_bomb(d, shape);
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
     * would have ended. */
    d->turn = (uint8_t)(holder_out ? gd_partner(holder) : holder);
    assert(!(d->out >> d->turn & 1u));
    d->wind = (uint8_t)holder_out;
    d->winds += (uint8_t)holder_out;
    d->to_beat = GD_PASS;
    d->holder = -1;
}
