/* One deal from any hands, with seats out and a trick under way, as py_deal.c lets them begin, played to its end. */
#include "fuzz.h"

typedef struct {
    gd_cards hands[4];
    uint8_t out[2];
    unsigned n_out, mask;
    unsigned turn, holder, passes;
    gd_play to_beat;
} beginning;

static void draw_out(fuzz_input *in, beginning *b)
{
    b->n_out = below(in, 3);
    b->out[0] = (uint8_t)below(in, 4);
    b->out[1] = (uint8_t)((b->out[0] + (byte(in) & 1u ? 1u : 3u)) & 3u); /* of two, not partners */
    for (unsigned i = 0; i < b->n_out; i++) b->mask |= 1u << b->out[i];
}

/* The seat in turn comes after the holder; those in between have passed. */
static void draw_trick(fuzz_input *in, beginning *b, gd_play to_beat)
{
    b->holder = (b->turn + 1 + below(in, 3)) & 3u;
    b->to_beat = to_beat;
    for (unsigned seat = (b->holder + 1) & 3u; seat != b->turn; seat = (seat + 1) & 3u)
        b->passes += !(b->mask >> seat & 1u);
}

static void check_deal(const gd_deal *d, gd_cards all)
{
    gd_cards seen = d->gone;
    unsigned n = gd_cards_size(seen);
    for (unsigned s = 0; s < 4; s++) {
        gd_cards hand = gd_hand_cards(&d->hand[s], d->level);
        CHECK(gd_cards_size(hand) == d->left[s]);
        CHECK(d->over || (d->left[s] == 0) == (d->out >> s & 1u));
        n += d->left[s];
        seen = gd_cards_sum(seen, hand);
    }
    CHECK(same_cards(seen, all) && n == gd_cards_size(all));
    CHECK(d->n_out <= 4 && (d->over ? d->n_out == 4 : d->n_out < 3));
    for (unsigned i = 0; i < d->n_out; i++)
        for (unsigned j = 0; j < i; j++) CHECK(d->order[i] < 4 && d->order[i] != d->order[j]);
    if (d->over) {
        CHECK(is_order(d->order));
        return;
    }
    CHECK(d->turn < 4 && !(d->out >> d->turn & 1u));
    CHECK((d->to_beat == GD_PASS) == (d->holder < 0) && d->holder < 4);
    CHECK(d->holder < 0 || d->holder != d->turn);
    if (d->holder >= 0) CHECK(d->passes < 4 - d->n_out - !(d->out >> d->holder & 1u));
}

/* The bombs that a deal keeps change no list and no choice of suits. */
static void check_kept(gd_deal *d, const gd_play *plays, unsigned n)
{
    gd_play again[GD_MAX_PLAYS];
    const gd_hand *hand = &d->hand[d->turn];
    CHECK(gd_deal_plays(d, again) == n);
    for (unsigned i = 0; i < n; i++) {
        CHECK(again[i] == plays[i]);
        if (plays[i] != GD_PASS) CHECK(gd_deal_choice(d, plays[i]) == gd_best_choice(hand, plays[i], d->rules->plays));
    }
}

void fuzz_deal(fuzz_input *in)
{
    gd_rules rules = draw_rules(in);
    beginning b = {.to_beat = GD_PASS};
    gd_cards all = {0, 0};
    gd_play plays[GD_MAX_PLAYS];
    unsigned level = below(in, 13);
    draw_out(in, &b);
    for (unsigned s = 0; s < 4; s++)
        if (!(b.mask >> s & 1u)) {
            b.hands[s] = draw_cards(in, 1 + below(in, byte(in) & 1u ? GD_HAND + 1 : 6), &all);
            if (!b.hands[s].one) return; /* the two packs are used up */
        }
    b.turn = below(in, 4);
    while (b.mask >> b.turn & 1u) b.turn = (b.turn + 1) & 3u;
    gd_cards taken = {0, 0};
    gd_hand laid = gd_hand_of(draw_cards(in, below(in, 11), &taken), level);
    unsigned n = gd_list_plays(&laid, level, GD_PASS, rules.plays, plays);
    if (byte(in) & 1u) draw_trick(in, &b, draw_code(in, plays, n));

    laid = gd_hand_of(b.hands[b.turn], level);
    if (!b.to_beat && !gd_list_plays(&laid, level, GD_PASS, rules.plays, plays)) return; /* one wild: nothing to lead */

    gd_deal d;
    gd_deal_begin(&d, &rules, b.hands, level, b.turn);
    gd_deal_set_out(&d, b.out, b.n_out);
    if (b.to_beat) gd_deal_set_trick(&d, b.holder, b.to_beat, b.passes);
    d.first_ends = (uint8_t)(byte(in) & 1u && !b.n_out);
    check_deal(&d, all);
    for (unsigned steps = 0; !d.over; steps++) {
        CHECK(steps < 4 * GD_DECK); /* at most three passes a play */
        n = gd_list_plays(&d.hand[d.turn], level, d.to_beat, rules.plays, plays);
        CHECK(n > 0);
        check_kept(&d, plays, n);
        unsigned index = below(in, n);
        if (plays[index] == GD_PASS) {
            gd_deal_pass(&d);
        } else {
            unsigned choice = below(in, gd_suit_choices(&d.hand[d.turn], plays[index], rules.plays));
            gd_deal_play(&d, plays[index], gd_choice_cards(&d.hand[d.turn], level, plays[index], choice, rules.plays));
        }
        check_deal(&d, all);
    }
    CHECK(d.tricks <= d.plays && d.winds <= 3);
}
