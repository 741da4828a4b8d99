#include "belief.h"

enum { MOST_EXCHANGED = 2 };

/* From the last step back to `first`. */
static void collect(gd_belief *b, const gd_view *view, uint32_t first)
{
    gd_cards later[4] = {{0, 0}}, gone = *view->gone;
    uint8_t left[4];
    for (unsigned s = 0; s < 4; s++) left[s] = view->left[s];
    for (uint32_t i = view->n_steps; i-- > first;) {
        const gd_step *step = &view->steps[i];
        later[step->seat] = gd_cards_sum(later[step->seat], step->cards);
        gone = gd_cards_minus(gone, step->cards);
        left[step->seat] += (uint8_t)gd_size(step->shape);
        if (step->seat == view->seat) continue;
        /* The play to beat is the last before that is no pass, unless all others have passed: then the seat leads. */
        uint32_t over = i;
        unsigned active = 0;
        while (over && view->steps[over - 1].shape == GD_PASS) over--;
        for (unsigned s = 0; s < 4; s++) active += left[s] > 0;
        const gd_step *beaten = over ? &view->steps[over - 1] : NULL;
        if (beaten && step->shape != GD_PASS && i - over >= active - (left[beaten->seat] > 0)) beaten = NULL;
        if (!beaten && (step->shape == GD_PASS || b->other == 1.0)) continue;
        b->asked[b->n++] = (gd_question){.gone = gone,
                                         .later = later[step->seat],
                                         .to_beat = beaten ? beaten->shape : GD_PASS,
                                         .done = step->shape,
                                         .n_steps = i,
                                         .left = {left[0], left[1], left[2], left[3]},
                                         .seat = step->seat,
                                         .holder = beaten ? (int8_t)beaten->seat : -1};
    }
}

/* How well a hand fits what its seat has done; asked no further once that is `least` or less. */
static double weigh(const gd_belief *b, unsigned seat, gd_cards hand, double least)
{
    double weight = 1.0;
    for (uint32_t i = 0; i < b->n && weight > least; i++) {
        const gd_question *q = &b->asked[i];
        if (q->seat != seat) continue;
        gd_play would = gd_roller_choice(b->roller, seat, gd_cards_sum(hand, q->later), q->to_beat, q->holder, q->left,
                                         &q->gone, q->n_steps);
        if ((would == GD_PASS) != (q->done == GD_PASS))
            weight *= b->doubt;
        else if (would != q->done)
            weight *= b->other;
    }
    return weight;
}

/* Uniform in 0..1. */
static double chance(gd_stream *random) { return (double)(gd_random64(random) >> 11) * 0x1p-53; }

void gd_belief_begin(gd_belief *b, const gd_view *view, const gd_evidence *e, gd_roller *r, unsigned memory,
                     unsigned draws, unsigned doubt, unsigned other)
{
    double sum = 0.0;
    b->evidence = e;
    b->roller = r;
    b->doubt = doubt / 100.0;
    b->other = other / 100.0;
    b->n = 0;
    collect(b, view, view->n_steps > memory ? view->n_steps - memory : 0);
    for (unsigned i = 0; i < draws; i++) {
        gd_cards hands[4];
        double weight[4], all = 1.0;
        gd_draw_hands(e, view->random, hands);
        for (unsigned s = 0; s < 4; s++) all *= weight[s] = s == e->seat ? 1.0 : weigh(b, s, hands[s], 0.0);
        sum += all;
        /* Taken with chance all / sum: in the end each by its share. */
        if (i && chance(view->random) * sum >= all) continue;
        for (unsigned s = 0; s < 4; s++) b->hands[s] = hands[s], b->weight[s] = weight[s];
    }
}

/* A seat with cards that are not known, among the others. */
static unsigned any_seat(const gd_evidence *e, gd_stream *random)
{
    uint32_t at = gd_random_below(random, e->n);
    unsigned s = 0;
    for (; at >= e->room[s]; s++) at -= e->room[s];
    return s;
}

/* Take one of the cards that the seat is not known to hold and that `to` may hold; the lane bit, or -1. */
static int take_any(const gd_evidence *e, gd_cards *hand, unsigned from, unsigned to, gd_stream *random)
{
    gd_cards free = gd_cards_minus(*hand, e->known[from]), card = {0, 0};
    uint32_t at = gd_random_below(random, gd_cards_size(free));
    unsigned ones = gd_bits(free.one);
    uint64_t lanes = at < ones ? free.one : free.two;
    for (at -= at < ones ? 0 : ones; at; at--) lanes &= lanes - 1;
    unsigned bit = gd_lowest(lanes);
    if (!(e->may_of[bit] >> to & 1u)) return -1;
    gd_cards_add(&card, bit);
    *hand = gd_cards_minus(*hand, card);
    return (int)bit;
}

/* Exchange one card or two between two seats; the exchange stands by the ratio of the weights. */
static void exchange(gd_belief *b, gd_stream *random)
{
    const gd_evidence *e = b->evidence;
    unsigned x = any_seat(e, random), y = any_seat(e, random), n = 1 + gd_random_below(random, MOST_EXCHANGED);
    if (x == y || n > e->room[x] || n > e->room[y]) return;
    gd_cards hands[4], given[2] = {{0, 0}};
    for (unsigned s = 0; s < 4; s++) hands[s] = b->hands[s];
    for (unsigned i = 0; i < n; i++) {
        int from_x = take_any(e, &hands[x], x, y, random), from_y = take_any(e, &hands[y], y, x, random);
        if (from_x < 0 || from_y < 0) return;
        gd_cards_add(&given[0], (unsigned)from_x);
        gd_cards_add(&given[1], (unsigned)from_y);
    }
    hands[x] = gd_cards_sum(hands[x], given[1]);
    hands[y] = gd_cards_sum(hands[y], given[0]);
    if (!gd_agrees(e, hands)) return;
    double least = chance(random) * b->weight[x] * b->weight[y];
    double at_x = weigh(b, x, hands[x], least);
    double at_y = at_x > least ? weigh(b, y, hands[y], least / at_x) : 0.0;
    if (at_x * at_y <= least) return;
    b->hands[x] = hands[x], b->weight[x] = at_x;
    b->hands[y] = hands[y], b->weight[y] = at_y;
}

void gd_belief_next(gd_belief *b, unsigned exchanges, gd_stream *random)
{
    if (!exchanges || !b->n)
        gd_draw_hands(b->evidence, random, b->hands);
    else
        while (exchanges--) exchange(b, random);
}
