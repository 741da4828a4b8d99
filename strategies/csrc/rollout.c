#include "rollout.h"

#include <assert.h>
#include <string.h>

static uint32_t view_suit_choices(const gd_view *view, gd_play shape)
{
    return gd_suit_choices(view->hand, shape, view->rules->plays);
}

/* Only lists of shapes are played out, which have no entries behind them. */
static uint32_t view_shape_at(const gd_view *view, uint32_t index)
{
    (void)view;
    return index;
}

static gd_cards view_cards(const gd_view *view, gd_play shape, uint32_t choice)
{
    return gd_choice_cards(view->hand, view->level, shape, choice, view->rules->plays);
}

static int32_t view_value(const gd_view *view, enum gd_result result)
{
    const gd_roller *r = (const gd_roller *)(const void *)((const char *)view - offsetof(gd_roller, view));
    return r->values[view->seat & 1u][result];
}

static const gd_api api = {view_suit_choices, view_shape_at, view_cards, view_value};

/* Who is out, in order, and how many have passed since the play to beat: as the steps tell it. */
static void follow_steps(gd_deal *d, const gd_view *view)
{
    uint8_t held[4], order[4];
    unsigned n = 0, passes = 0, out = 0;
    for (unsigned s = 0; s < 4; s++) held[s] = view->left[s];
    for (uint32_t i = 0; i < view->n_steps; i++) held[view->steps[i].seat] += (uint8_t)gd_size(view->steps[i].shape);
    for (unsigned s = 0; s < 4; s++)
        if (!held[s]) order[n++] = (uint8_t)s, out |= 1u << s; /* out before what was recorded */
    for (uint32_t i = 0; i < view->n_steps; i++) {
        const gd_step *step = &view->steps[i];
        held[step->seat] -= (uint8_t)gd_size(step->shape);
        passes = step->shape == GD_PASS ? passes + 1 : 0;
        if (held[step->seat] || out >> step->seat & 1u) continue;
        order[n++] = step->seat;
        out |= 1u << step->seat;
    }
    gd_deal_set_out(d, order, n);
    if (view->to_beat != GD_PASS) gd_deal_set_trick(d, (unsigned)view->holder, view->to_beat, passes);
}

const gd_view *gd_roller_view(gd_roller *r, const gd_view *view, const gd_strategy *player)
{
    r->view = *view;
    r->view.api = &api;
    r->view.parameters = player->values;
    return &r->view;
}

void gd_roller_begin(gd_roller *r, const gd_view *view, const gd_strategy *near, unsigned deep, const gd_strategy *far)
{
    assert(near->list == GD_LIST_SHAPES && far->list == GD_LIST_SHAPES);
    r->view = *view;
    r->near = near;
    r->far = far;
    r->deep = deep;
    r->random = *view->random;
    for (unsigned i = 0; i < 6; i++) {
        int32_t value = view->api->value(view, (enum gd_result)i);
        r->values[view->seat & 1u][i] = value;
        r->values[1u - (view->seat & 1u)][(i + 3) % 6] = 1000000 - value;
    }
    const gd_cards none[4] = {{0, 0}};
    gd_deal_begin(&r->start, view->rules, none, view->level, view->seat);
    follow_steps(&r->start, view);
    r->start.first_ends = view->first_ends;
    r->start.gone = *view->gone;
    for (unsigned s = 0; s < 4; s++) r->start.left[s] = view->left[s];
    r->n_start = view->n_steps;
    memcpy(r->steps, view->steps, view->n_steps * sizeof *r->steps);
}

/* The seat in turn lays a shape with the suits that the engine would pick, or passes. */
static void play_shape(gd_roller *r, gd_play shape)
{
    gd_deal *d = &r->deal;
    gd_step *step = &r->steps[r->view.n_steps++];
    *step = (gd_step){.shape = shape, .seat = d->turn};
    if (shape == GD_PASS) {
        gd_deal_pass(d);
        return;
    }
    const gd_hand *hand = &d->hand[d->turn];
    unsigned rules = d->rules->plays;
    step->cards = gd_choice_cards(hand, d->level, shape, gd_deal_choice(d, shape), rules);
    gd_deal_play(d, shape, step->cards);
}

/* Shape that a player chooses for the seat in turn. */
static gd_play choose(gd_roller *r, const gd_strategy *player)
{
    gd_deal *d = &r->deal;
    gd_view *view = &r->view;
    view->seat = d->turn;
    view->hand = &d->hand[d->turn];
    view->to_beat = d->to_beat;
    view->holder = d->holder;
    view->n = gd_deal_plays(d, r->plays);
    if (view->n == 1) return r->plays[0];
    view->parameters = player->values;
    uint32_t index = player->play(view);
    assert(index < view->n);
    return r->plays[index];
}

static enum gd_result result_for(unsigned seat, const uint8_t order[4])
{
    unsigned place = 1;
    while (order[place] != (order[0] ^ 2u)) place++;
    return (enum gd_result)(((order[0] ^ seat) & 1u) * 3u + place - 1u);
}

/* Let the view show these. */
static void show(gd_roller *r, const uint8_t *left, const gd_cards *gone, uint32_t n_steps)
{
    gd_view *view = &r->view;
    view->api = &api;
    view->random = &r->random;
    view->plays = r->plays;
    view->starts = NULL;
    view->steps = r->steps;
    view->left = left;
    view->gone = gone;
    view->n_steps = n_steps;
}

gd_play gd_roller_choice(gd_roller *r, unsigned seat, gd_cards hand, gd_play to_beat, int8_t holder,
                         const uint8_t left[4], const gd_cards *gone, uint32_t n_steps)
{
    gd_view *view = &r->view;
    gd_hand held = gd_hand_of(hand, view->level);
    show(r, left, gone, n_steps);
    view->seat = (uint8_t)seat;
    view->hand = &held;
    view->to_beat = to_beat;
    view->holder = holder;
    view->n = gd_list_plays(&held, view->level, to_beat, view->rules->plays, r->plays);
    view->parameters = r->near->values;
    return r->plays[view->n > 1 ? r->near->play(view) : 0];
}

int32_t gd_roll_out(gd_roller *r, const gd_cards hands[4], gd_play shape)
{
    gd_deal *d = &r->deal;
    *d = r->start;
    unsigned seat = d->turn;
    for (unsigned s = 0; s < 4; s++) gd_deal_set_hand(d, s, hands[s]);
    show(r, d->left, &d->gone, r->n_start);
    play_shape(r, shape);
    for (unsigned asked = 0; !d->over; asked++) play_shape(r, choose(r, asked < r->deep ? r->near : r->far));
    return r->values[seat & 1u][result_for(seat, d->order)];
}
