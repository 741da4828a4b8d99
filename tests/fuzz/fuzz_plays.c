/* Lists of plays of any hand at any level under any rule bits: sorted, complete, and each choice of suits found again. */
#include "fuzz.h"

typedef struct {
    gd_cards cards;
    gd_hand hand;
    unsigned level, rules, n; /* n: shapes in the list to lead */
    gd_play plays[GD_MAX_PLAYS];
} position;

static int is_one_wild(const position *p) { return gd_cards_size(p->cards) == 1 && gd_wilds_held(&p->hand); }

static void check_choice(const position *p, gd_play shape, unsigned choice, unsigned choices)
{
    gd_cards cards = gd_choice_cards(&p->hand, p->level, shape, choice, p->rules);
    CHECK(gd_cards_size(cards) == gd_size(shape));
    CHECK(holds(p->cards, cards));
    CHECK(gd_copies(cards, gd_wild_card(p->level)) == gd_wilds(shape));
    CHECK(gd_choice_of(&p->hand, p->level, shape, cards, p->rules) == choice);
    CHECK(choice < choices);
    gd_hand rest = p->hand;
    gd_hand_take(&rest, p->level, shape, cards);
    gd_cards left = gd_cards_minus(p->cards, cards);
    gd_hand again = gd_hand_of(left, p->level);
    CHECK(same_cards(gd_hand_cards(&rest, p->level), left));
    CHECK(rest.counts == again.counts && rest.one == again.one && rest.two == again.two);
}

/* The laid cards by themselves can be read as the shape. */
static void check_reading(const position *p, gd_play shape, unsigned choice)
{
    gd_play plays[GD_MAX_PLAYS];
    gd_cards cards = gd_choice_cards(&p->hand, p->level, shape, choice, p->rules);
    gd_hand laid = gd_hand_of(cards, p->level);
    unsigned n = gd_list_plays(&laid, p->level, GD_PASS, p->rules, plays), i = 0;
    while (i < n && plays[i] != shape) i++;
    CHECK(i < n);
    CHECK(gd_suit_choices(&laid, shape, p->rules) == 1);
}

/* Cards taken from the hand at will are found as a choice, or as none. */
static void check_any_cards(fuzz_input *in, const position *p, gd_play shape, unsigned choices)
{
    gd_cards some = {0, 0};
    uint8_t ids[GD_DECK];
    unsigned n = gd_card_ids(p->cards, ids), bits = 0;
    for (unsigned i = 0; i < n; i++, bits >>= 1) {
        if (!(i & 7u)) bits = byte(in);
        if (bits & 1u) gd_cards_add(&some, gd_lane_bit(ids[i]));
    }
    unsigned choice = gd_choice_of(&p->hand, p->level, shape, some, p->rules);
    if (choice == GD_NO_CHOICE) return;
    CHECK(choice < choices);
    CHECK(same_cards(gd_choice_cards(&p->hand, p->level, shape, choice, p->rules), some));
}

static void check_list(fuzz_input *in, const position *p, gd_play to_beat)
{
    gd_play plays[GD_MAX_PLAYS];
    uint32_t starts[GD_MAX_PLAYS + 1];
    unsigned n = gd_list_plays(&p->hand, p->level, to_beat, p->rules, plays), follows = to_beat != GD_PASS, at = 0;
    CHECK(n <= GD_MAX_PLAYS - 16);
    if (follows) {
        CHECK(n > 0 && plays[0] == GD_PASS);
        for (unsigned i = 0; i < p->n; i++)
            if (gd_beats(p->plays[i], to_beat)) CHECK(++at < n && plays[at] == p->plays[i]);
        CHECK(at + 1 == n);
    } else {
        CHECK(n > 0 || !p->cards.one || (is_one_wild(p) && !(p->rules & GD_WILD_SINGLE)));
    }
    for (unsigned i = 1; i < n; i++) CHECK(plays[i - 1] < plays[i]);
    gd_list_starts(&p->hand, plays, n, p->rules, starts);
    CHECK(starts[0] == 0);
    for (unsigned i = 0; i < n; i++) {
        unsigned choices = gd_suit_choices(&p->hand, plays[i], p->rules);
        CHECK(choices > 0 && choices < GD_NO_CHOICE && starts[i + 1] - starts[i] == choices);
        CHECK(gd_best_choice(&p->hand, plays[i], p->rules) < choices);
        if (plays[i] != GD_PASS) check_choice(p, plays[i], choices - 1, choices);
    }
    for (unsigned rounds = 0; n && rounds < 8; rounds++) {
        unsigned i = below(in, n);
        unsigned choice = below(in, starts[i + 1] - starts[i]);
        CHECK(gd_shape_at(starts, n, starts[i] + choice) == i);
        CHECK(gd_shape_at(starts, n, starts[i + 1] - 1) == i);
        if (plays[i] == GD_PASS) continue;
        check_choice(p, plays[i], choice, starts[i + 1] - starts[i]);
        check_choice(p, plays[i], gd_best_choice(&p->hand, plays[i], p->rules), starts[i + 1] - starts[i]);
        check_reading(p, plays[i], choice);
        check_any_cards(in, p, plays[i], starts[i + 1] - starts[i]);
    }
}

/* Beating is an order within one deal: never both ways, never in a circle. */
static void check_order(gd_play a, gd_play b, gd_play c)
{
    CHECK(!gd_beats(a, a));
    CHECK(!(gd_beats(a, b) && gd_beats(b, a)));
    if (gd_beats(a, b) && gd_beats(b, c)) CHECK(gd_beats(a, c));
}

void fuzz_plays(fuzz_input *in)
{
    position p = {.level = below(in, 13), .rules = below(in, 16)};
    gd_cards taken = {0, 0};
    p.cards = draw_cards(in, below(in, GD_HAND + 2), &taken);
    p.hand = gd_hand_of(p.cards, p.level);
    CHECK(same_cards(gd_hand_cards(&p.hand, p.level), p.cards));
    p.n = gd_list_plays(&p.hand, p.level, GD_PASS, p.rules, p.plays);
    check_list(in, &p, GD_PASS);

    gd_play others[GD_MAX_PLAYS];
    gd_hand other = gd_hand_of(draw_cards(in, below(in, GD_HAND + 2), &taken), p.level);
    unsigned n = gd_list_plays(&other, p.level, GD_PASS, p.rules, others);
    for (unsigned rounds = 0; rounds < 4 && (rounds == 0 || more(in)); rounds++) {
        gd_play a = draw_code(in, others, n), b = draw_code(in, p.plays, p.n), c = draw_code(in, others, n);
        check_list(in, &p, a);
        check_order(a, b, c);
        check_order(b, a, c);
    }
}
