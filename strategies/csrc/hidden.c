#include "hidden.h"

enum { ALL_SEATS = 15 };

static const gd_cards pack = {GD_SUITED | (uint64_t)3 << GD_SMALL_JOKER, GD_SUITED | (uint64_t)3 << GD_SMALL_JOKER};

static unsigned power_of(unsigned rank, unsigned level)
{
    if (rank > 12) return rank;
    return rank == level ? GD_LEVEL_POWER : rank - (rank > level);
}

static unsigned copies_played(const gd_view *view, unsigned seat, unsigned card)
{
    unsigned n = 0;
    for (uint32_t i = 0; i < view->n_steps; i++)
        if (view->steps[i].seat == seat) n += gd_copies(view->steps[i].cards, card);
    return n;
}

/* Cards that a seat was seen to take in the exchange and has not laid or given since. A seat that has laid one of two equal
 * cards may have had another: nothing is then known. */
static gd_cards still_held(const gd_view *view, unsigned seat)
{
    const gd_tribute *t = view->shown;
    gd_cards held = {0, 0};
    for (unsigned i = 0; i < t->n; i++) {
        int taken = t->receiver[i] == seat ? t->given[i] : t->payer[i] == seat ? t->returned[i] : -1;
        int given = t->receiver[i] == seat ? t->returned[i] : t->payer[i] == seat ? t->given[i] : -1;
        if (taken < 0 || taken == given || copies_played(view, seat, (unsigned)taken)) continue;
        gd_cards_add(&held, gd_lane_bit((unsigned)taken));
    }
    return held;
}

/* Seats that can hold a card of this rank that nobody is known to hold. */
static unsigned holders(const gd_view *view, const gd_evidence *e, unsigned rank, int is_wild)
{
    const gd_tribute *t = view->shown;
    unsigned may = ALL_SEATS & ~(1u << view->seat), paid = 0;
    /* Two big jokers refuse; where two small ones do as well, it may have been these. */
    if (e->refused) return rank == GD_BIG_JOKER && !e->check ? may & e->payers : may;
    for (unsigned i = 0; i < t->n; i++) {
        if (t->given[i] < 0) continue;
        unsigned given = gd_rank_of_card((unsigned)t->given[i]);
        if (given == GD_BIG_JOKER || (given == GD_SMALL_JOKER && e->check)) paid |= 1u << given;
        if (!is_wild && power_of(rank, view->level) > power_of(given, view->level)) may &= ~(1u << t->payer[i]);
    }
    /* Had the payers held both, they would have refused. */
    return paid >> rank & 1u ? may & ~e->payers : may;
}

static void look_at_tribute(const gd_view *view, gd_evidence *e)
{
    const gd_tribute *t = view->shown;
    e->refused = t->kind == GD_SINGLE_REFUSED || t->kind == GD_DOUBLE_REFUSED;
    e->check = view->rules->refuse_small && t->kind != GD_TRIBUTE_NONE;
    for (unsigned i = 0; i < t->n; i++) {
        unsigned seat = t->payer[i];
        e->payers |= (uint8_t)(1u << seat);
        for (unsigned j = 0; j < 2; j++) {
            unsigned card = GD_CARDS - 2 + j;
            e->jokers[j] += (uint8_t)(copies_played(view, seat, card) + (t->given[i] == (int)card));
            if (seat == view->seat) e->jokers[j] += (uint8_t)gd_copies(e->own, card);
        }
    }
}

int gd_evidence_of(const gd_view *view, gd_evidence *e)
{
    *e = (gd_evidence){.own = gd_hand_cards(view->hand, view->level), .seat = view->seat};
    look_at_tribute(view, e);
    gd_cards unseen = gd_cards_minus(gd_cards_minus(pack, *view->gone), e->own);
    for (unsigned seat = 0; seat < 4; seat++) {
        if (seat == view->seat) continue;
        gd_cards held = still_held(view, seat);
        if (gd_cards_size(held) > view->left[seat]) return 0;
        e->known[seat] = held;
        e->room[seat] = (uint8_t)(view->left[seat] - gd_cards_size(held));
        e->n += e->room[seat];
        unseen = gd_cards_minus(unseen, held);
    }
    if (gd_cards_size(unseen) != e->n) return 0;
    for (unsigned card = 0; card < GD_CARDS; card++)
        if (gd_copies(unseen, card))
            e->may_of[gd_lane_bit(card)] =
                (uint8_t)holders(view, e, gd_rank_of_card(card), card == gd_wild_card(view->level));
    unsigned n = 0;
    for (unsigned seats = 0; seats < 4; seats++)
        for (unsigned card = 0; card < GD_CARDS; card++)
            for (unsigned c = gd_bits(e->may_of[gd_lane_bit(card)]) == seats ? gd_copies(unseen, card) : 0; c; c--) {
                e->bit[n++] = (uint8_t)gd_lane_bit(card);
                e->n_bound += seats < 3;
            }
    return 1;
}

/* Take a place among those of the seats in `may`; any place where these are full, which no true evidence leads to. */
static unsigned take_place(uint8_t room[4], unsigned may, gd_stream *random)
{
    unsigned places = 0, seat = 0;
    for (unsigned s = 0; s < 4; s++) places += may >> s & 1u ? room[s] : 0u;
    if (!places) return take_place(room, ALL_SEATS, random);
    uint32_t at = gd_random_below(random, places);
    for (;; seat++) {
        if (!(may >> seat & 1u)) continue;
        if (at < room[seat]) break;
        at -= room[seat];
    }
    room[seat]--;
    return seat;
}

static void draw(const gd_evidence *e, gd_stream *random, gd_cards hands[4])
{
    uint8_t room[4], rest[GD_DECK];
    unsigned n = e->n - e->n_bound;
    for (unsigned s = 0; s < 4; s++) hands[s] = e->known[s], room[s] = e->room[s];
    hands[e->seat] = e->own;
    for (unsigned i = 0; i < e->n_bound; i++)
        gd_cards_add(&hands[take_place(room, e->may_of[e->bit[i]], random)], e->bit[i]);
    /* The others by Fisher-Yates, seat after seat; the last takes what is left. */
    for (unsigned i = 0; i < n; i++) rest[i] = e->bit[e->n_bound + i];
    for (unsigned s = 0; s < 4; s++)
        for (; room[s]; room[s]--) {
            unsigned j = gd_random_below(random, n);
            gd_cards_add(&hands[s], rest[j]);
            rest[j] = rest[--n];
        }
}

int gd_agrees(const gd_evidence *e, const gd_cards hands[4])
{
    if (!e->check) return 1;
    unsigned n[2] = {e->jokers[0], e->jokers[1]};
    for (unsigned s = 0; s < 4; s++)
        for (unsigned j = 0; j < 2; j++)
            if (e->payers >> s & 1u && s != e->seat) n[j] += gd_copies(hands[s], GD_CARDS - 2 + j);
    return (n[0] == 2 || n[1] == 2) == e->refused;
}

void gd_draw_hands(const gd_evidence *e, gd_stream *random, gd_cards hands[4])
{
    unsigned drawn = 0;
    do draw(e, random, hands);
    while (!gd_agrees(e, hands) && drawn++ < MOST_REDRAWN);
}
