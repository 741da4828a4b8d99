#include "gd_style.h"

#include <string.h>

/* Nibbles that hold k or more, 1 <= k <= 8, in their lowest bits. */
static inline uint64_t nibbles_from(uint64_t counts, unsigned k)
{
    return (counts + (8 - k) * GD_NIBBLES) >> 3 & GD_NIBBLES;
}

static inline uint64_t flushes_of(const gd_hand *h) { return gd_flush_windows(h->one, gd_wilds_held(h)); }

static inline uint64_t sequences_of(uint64_t counts)
{
    /* By place, the ace below the two as well: bits 0, 1, 2 of a nibble say that one, two, three or more are held. */
    uint64_t places = counts << 12 >> 8 | (counts >> 48 & 15u);
    uint64_t in_1 = nibbles_from(places, 1) | nibbles_from(places, 2) << 1 | nibbles_from(places, 3) << 2;
    uint64_t in_2 = in_1 & in_1 >> 4, in_3 = in_2 & in_1 >> 8, in_5 = in_3 & in_3 >> 8;
    return (in_5 & GD_NIBBLES) | (in_3 & 2 * GD_NIBBLES) | (in_2 & 4 * GD_NIBBLES);
}

static unsigned standing(const gd_match *m, unsigned team)
{
    if (m->declarer == (int)team && m->level[team] == GD_LEVEL_A) return 3;
    return 1u + (m->level[team] > m->level[1u - team]) - (m->level[team] < m->level[1u - team]);
}

/* What a returned card makes of the hand it comes to and of the one it leaves, in the order of GD_STYLE_RETURNED. */
static void count_return(gd_style *s, const gd_table *t, unsigned giver, unsigned taker, unsigned card)
{
    gd_style_counts *c = &s->cell[giver]->counts;
    int to_partner = ((giver ^ taker) & 1u) == 0;
    int32_t *rate = &c->events[to_partner ? GD_STYLE_return_made_pair_partner : GD_STYLE_return_made_pair_opponent];
    c->events[GD_STYLE_returned_to_partner] += to_partner;
    c->occasions[GD_OF_returns]++;
    c->occasions[to_partner ? GD_OF_returns_to_partner : GD_OF_returns_to_opponent]++;
    if (card == gd_wild_card(t->deal.level)) return; /* a hand of nothing else: it makes and breaks no set */
    gd_hand had = t->deal.hand[giver], lacked = t->deal.hand[taker];
    unsigned rank = gd_rank_of_card(card), now = gd_count(&lacked, rank), before = gd_count(&had, rank) + 1;
    uint64_t bit = (uint64_t)1 << gd_lane_bit(card);
    had.one |= bit;
    lacked.one &= ~(bit & ~lacked.two);
    rate[0] += now == 2;
    rate[1] += now >= 4;
    rate[2] += s->windows[taker].flushes != flushes_of(&lacked);
    rate[3] += before == 2;
    rate[4] += before == 4;
    rate[5] += s->windows[giver].flushes != flushes_of(&had);
}

/* The first play of a deal is asked for: tribute is over. */
static void begin_deal(gd_style *s, const gd_table *t)
{
    s->begun = 1;
    const gd_tribute *b = &t->tribute;
    unsigned part[4] = {0}, exchange = b->kind == GD_TRIBUTE_SINGLE || b->kind == GD_TRIBUTE_DOUBLE;
    for (unsigned i = 0; exchange && i < b->n; i++) part[b->payer[i]] = 1, part[b->receiver[i]] = 2;
    unsigned stands[2] = {standing(&t->match, 0), standing(&t->match, 1)};
    memset(s->few, 0, sizeof s->few);
    memset(s->low, 0, sizeof s->low);
    for (unsigned seat = 0; seat < 4; seat++) {
        const gd_hand *hand = &t->deal.hand[seat];
        unsigned cell = (gd_side_of(t, seat) * GD_TRIBUTE_PARTS + part[seat]) * GD_STANDINGS + stands[seat & 1u];
        s->used |= 1u << cell;
        s->cell[seat] = &s->cells[cell];
        s->saw[seat] = s->cells[cell].saw[0];
        s->cells[cell].counts.occasions[GD_OF_hands]++;
        s->windows[seat] = (gd_windows){hand->counts, flushes_of(hand), sequences_of(hand->counts)};
    }
    for (unsigned i = 0; i < b->n; i++)
        if (b->returned[i] >= 0) count_return(s, t, b->receiver[i], b->payer[i], (unsigned)b->returned[i]);
}

static inline void count_bomb(const gd_style *s, gd_style_counts *c, const gd_table *t, unsigned seat, unsigned saw)
{
    unsigned size = gd_size(t->last_shape), a = t->deal.left[(seat + 1) & 3u], b = t->deal.left[(seat + 3) & 3u];
    if (gd_kind_of(t->last_shape) == GD_BOMB)
        c->events[size == 4 ? GD_STYLE_bombs_of_4 : size == 5 ? GD_STYLE_bombs_of_5 : GD_STYLE_bombs_of_6_up]++;
    c->events[GD_STYLE_bomb_on_partner] += !(saw & (GD_LEADS | GD_OPPONENTS));
    c->events[GD_STYLE_bomb_opponent_low] += s->low[seat & 1u];
    c->events[GD_STYLE_bomb_opponents_full] += (a >= 15) & (b >= 15);
    c->events[GD_STYLE_bomb_as_last] += !t->deal.left[seat];
}

/* The sequences that a rank is part of: straights from four places below on, tubes from two, plates from one. */
#define AROUND(place) ((place) < 4 ? (uint64_t)0x77311 >> 4 * (4 - (place)) : (uint64_t)0x77311 << 4 * ((place) - 4))
static const uint64_t sequences_with[15] = {AROUND(1),
                                            AROUND(2),
                                            AROUND(3),
                                            AROUND(4),
                                            AROUND(5),
                                            AROUND(6),
                                            AROUND(7),
                                            AROUND(8),
                                            AROUND(9),
                                            AROUND(10),
                                            AROUND(11),
                                            AROUND(12),
                                            AROUND(13) | AROUND(0)};

/* The sequences for which so many cards of a rank are enough. */
static const uint64_t sequences_of_count[9] = {
    0,
    GD_NIBBLES,
    3 * GD_NIBBLES,
    7 * GD_NIBBLES,
    7 * GD_NIBBLES,
    7 * GD_NIBBLES,
    7 * GD_NIBBLES,
    7 * GD_NIBBLES,
    7 * GD_NIBBLES,
};

/* The set broken by taking cards of a rank, from [before] to [after] that many: 1 a pair, 2 a triple, 3 a bomb, else 0. */
static const uint8_t broken_set[9][8] = {
    {0}, {0}, {0, 1}, {0, 2, 2}, {0, 3, 3, 3}, {0, 3, 3, 3}, {0, 3, 3, 3}, {0, 3, 3, 3}, {0, 3, 3, 3},
};

static inline void count_lost(gd_style_plays *p, uint64_t lost, unsigned kind)
{
    p->tube += ((lost & 2 * GD_NIBBLES) != 0) & (kind != GD_TUBE);
    p->plate += ((lost & 4 * GD_NIBBLES) != 0) & (kind != GD_PLATE);
    p->straight += ((lost & GD_NIBBLES) != 0) & (kind != GD_STRAIGHT) & (kind != GD_STRAIGHT_FLUSH);
}

/* What a single, pair or triple breaks: a set of which it leaves a part, and sequences that its rank was needed for. */
static inline void count_broken_by_set(gd_style_plays *p, gd_windows *w, uint64_t has, gd_play laid)
{
    unsigned rank = gd_rank(laid), before = (unsigned)(w->counts >> (4 * rank)) & 15u,
             after = (unsigned)(has >> (4 * rank)) & 15u;
    p->sets[broken_set[before][after]]++;
    uint64_t around = w->sequences & sequences_with[rank];
    uint64_t lost = around & sequences_of_count[before] & ~sequences_of_count[after];
    w->sequences ^= lost;
    count_lost(p, lost, GD_SINGLE);
}

/* The same for any other play. */
static inline void count_broken_by_ranks(gd_style_plays *p, gd_windows *w, uint64_t has, unsigned kind)
{
    uint64_t had = w->counts, part = nibbles_from(had - has, 1) & nibbles_from(has, 1) & ~((uint64_t)15 << 60);
    if (part) {
        uint64_t two = nibbles_from(had, 2), three = nibbles_from(had, 3), four = nibbles_from(had, 4);
        p->sets[1] += (part & two & ~three) != 0;
        p->sets[2] += (part & three & ~four) != 0;
        p->sets[3] += ((part & four & ~nibbles_from(has, 4)) != 0) & (kind != GD_BOMB);
    }
    if (!w->sequences) return;
    uint64_t now = sequences_of(has);
    count_lost(p, w->sequences & ~now, kind);
    w->sequences = now;
}

static inline void count_broken_flushes(gd_style_plays *p, gd_windows *w, const gd_hand *hand, unsigned kind)
{
    if (!w->flushes) return;
    uint64_t flushes = flushes_of(hand);
    p->straight_flush += (flushes != w->flushes) & (kind != GD_STRAIGHT_FLUSH);
    w->flushes = flushes;
}

/* The seat has come to five cards or gone out: its opponents see that. */
static inline void note_few(gd_style *s, unsigned seat, unsigned few)
{
    unsigned low = few | s->few[gd_partner(seat)], a = (seat + 1) & 3u, b = (seat + 3) & 3u;
    s->few[seat] = (uint8_t)few;
    s->low[a & 1u] = (uint8_t)low;
    s->saw[a] = s->cell[a]->saw[low];
    s->saw[b] = s->cell[b]->saw[low];
}

/* The seat, which saw that, has laid a play. */
static inline void count_play(gd_style *s, const gd_table *t, unsigned seat, unsigned saw)
{
    gd_play laid = t->last_shape;
    unsigned kind = gd_kind_of(laid);
    const gd_hand *hand = &t->deal.hand[seat];
    gd_windows *w = &s->windows[seat];
    gd_style_counts *c = &s->cell[seat]->counts;
    gd_style_plays *p = &s->cell[seat]->plays[saw / GD_LEADS]; /* leads: the highest bit */
    p->of_kind[kind]++;
    if (saw & GD_LEADS) {
        c->events[GD_STYLE_led_smallest_single] += (kind == GD_SINGLE) & (gd_power(laid) == gd_power(s->smallest));
        c->events[GD_STYLE_led_single_into_one_card] += (kind == GD_SINGLE) & ((saw & GD_LEADS_INTO_ONE) != 0);
    }
    if (kind <= GD_TRIPLE && !gd_wilds(laid)) {
        count_broken_by_set(p, w, hand->counts, laid);
    } else {
        c->events[GD_STYLE_wild_in_single - GD_SINGLE + kind] += (int32_t)gd_wilds(laid);
        if (gd_is_bomb(laid)) count_bomb(s, c, t, seat, saw);
        count_broken_by_ranks(p, w, hand->counts, kind);
    }
    w->counts = hand->counts;
    count_broken_flushes(p, w, hand, kind);
    unsigned few = t->deal.left[seat] - 1u < 5;
    if (few != s->few[seat]) note_few(s, seat, few);
}

/* What the seat sees that is to lead, as bits of enum gd_saw. */
static inline unsigned look_at_lead(gd_style *s, const gd_table *t)
{
    const gd_view *v = &t->view;
    gd_play last = v->plays[v->n - 1];
    int into_one = 0;
    if (s->low[v->seat & 1u] && gd_kind_of(last) > GD_SINGLE)
        into_one = v->left[(v->seat + 1) & 3u] == 1 || v->left[(v->seat + 3) & 3u] == 1;
    s->smallest = v->plays[0];
    return GD_LEADS + gd_is_bomb(last) * GD_HAS_BOMB + t->deal.wind * GD_LEADS_BY_WIND + into_one * GD_LEADS_INTO_ONE;
}

/* What it sees that is to answer: 0 where passing is all that it can do, which is half of all answers, and nothing is
 * counted. */
static inline unsigned look_at_answer(const gd_table *t)
{
    const gd_view *v = &t->view;
    if (v->n == 1) return 0;
    unsigned has_bomb = gd_is_bomb(v->plays[v->n - 1]), can_answer = !gd_is_bomb(v->plays[1]);
    unsigned opponents = (v->seat ^ (unsigned)v->holder) & 1u;
    return has_bomb * GD_HAS_BOMB + can_answer * GD_CAN_ANSWER + opponents * GD_OPPONENTS;
}

static unsigned look(gd_looker *looker, const gd_table *t)
{
    gd_style *s = (gd_style *)looker;
    if (!s->begun) begin_deal(s, t);
    return t->view.to_beat == GD_PASS ? look_at_lead(s, t) : look_at_answer(t);
}

static void decided(gd_looker *looker, const gd_table *t, unsigned seat, unsigned saw)
{
    gd_style *s = (gd_style *)looker;
    int passes = t->last_shape == GD_PASS;
    s->saw[seat][saw + (unsigned)passes * GD_PASSES]++;
    if (!passes) count_play(s, t, seat, saw);
}

void gd_style_init(gd_style *s, gd_style_sums *sums)
{
    memset(s, 0, sizeof *s);
    s->looker = (gd_looker){look, decided};
    s->sums = sums;
}

/* The order of the deal stands. */
void gd_style_end_deal(gd_style *s, const gd_table *t)
{
    s->begun = 0;
    const gd_deal *d = &t->deal;
    if (t->judged >= 0) {
        for (unsigned seat = 0; seat < 4; seat++) s->cell[seat]->counts.occasions[GD_OF_hands] -= d->left[seat] != 0;
        return;
    }
    unsigned mate = gd_partner(d->order[0]);
    s->cell[mate]->counts.occasions[GD_OF_partner_first]++;
    s->cell[mate]->counts.events[GD_STYLE_not_last_behind_partner] += d->order[3] != mate;
    for (unsigned seat = 0; seat < 4; seat++) {
        if (!d->left[seat]) continue;
        s->cell[seat]->counts.occasions[GD_OF_stayed_in]++;
        s->cell[seat]->counts.events[GD_STYLE_cards_left] += d->left[seat];
    }
}

/* In the order of GD_STYLE_BROKEN. */
static void derive_broken(int32_t rate[7], const gd_style_plays *p)
{
    for (unsigned i = 0; i < 3; i++) rate[i] = p->sets[1 + i];
    rate[3] = p->tube;
    rate[4] = p->plate;
    rate[5] = p->straight;
    rate[6] = p->straight_flush;
}

/* What follows from the decisions by what was seen, and from the kinds that were laid. Numbers are bits of enum gd_saw: an
 * answer with 1 or 3 has a bomb, with 2 or 3 another answer; a lead with 4 to 7 is into one card. */
static void derive(gd_style_cell *cell)
{
    int32_t *n = cell->counts.occasions, *y = cell->counts.events, saw[GD_SAW];
    const int32_t *answered = cell->plays[0].of_kind, *led = cell->plays[1].of_kind;
    for (unsigned k = 0; k < GD_SAW; k++) saw[k] = cell->saw[0][k] + cell->saw[1][k];
    for (unsigned k = GD_HAS_BOMB; k < GD_SAW; k += 2) n[GD_OF_bombable_low] += cell->saw[1][k];
    for (unsigned opponents = 0; opponents < 2; opponents++) {
        const int32_t *of = &saw[opponents * GD_OPPONENTS], *passed = &of[GD_PASSES];
        n[GD_OF_bombable_partner + opponents] = of[1] + of[3] + passed[1] + passed[3];
        n[GD_OF_answerable_partner + opponents] = of[2] + of[3] + passed[2] + passed[3];
        y[GD_STYLE_passed_on_partner + opponents] = passed[2] + passed[3];
        n[GD_OF_answers] += of[1] + of[2] + of[3];
        y[GD_STYLE_choices] += passed[1] + passed[2] + passed[3];
    }
    const int32_t *leads = &saw[GD_LEADS];
    n[GD_OF_leads] = leads[0] + leads[1] + leads[2] + leads[3] + leads[4] + leads[5] + leads[6] + leads[7];
    n[GD_OF_leads_with_bomb] = leads[1] + leads[3] + leads[5] + leads[7];
    y[GD_STYLE_wind_taken] = leads[2] + leads[3] + leads[6] + leads[7];
    n[GD_OF_leads_into_one_card] = leads[4] + leads[5] + leads[6] + leads[7];
    y[GD_STYLE_choices] += n[GD_OF_answers] + n[GD_OF_leads];
    for (unsigned kind = GD_SINGLE; kind <= GD_JOKER_BOMB; kind++) {
        y[GD_STYLE_answered_single - GD_SINGLE + kind] = answered[kind];
        y[GD_STYLE_led_single - GD_SINGLE + kind] = led[kind];
    }
    derive_broken(&y[GD_STYLE_answer_broke_pair], &cell->plays[0]);
    derive_broken(&y[GD_STYLE_lead_broke_pair], &cell->plays[1]);
    n[GD_OF_singles_led] = led[GD_SINGLE];
    n[GD_OF_outs] = n[GD_OF_hands] - n[GD_OF_stayed_in];
    for (unsigned kind = GD_SINGLE; kind < GD_JOKER_BOMB; kind++)
        n[GD_OF_wilds] += y[GD_STYLE_wild_in_single - GD_SINGLE + kind];
    y[GD_STYLE_straight_flushes] = led[GD_STRAIGHT_FLUSH] + answered[GD_STRAIGHT_FLUSH];
    y[GD_STYLE_joker_bombs] = led[GD_JOKER_BOMB] + answered[GD_JOKER_BOMB];
    y[GD_STYLE_bomb_as_lead] = led[GD_STRAIGHT_FLUSH] + led[GD_BOMB] + led[GD_JOKER_BOMB];
    n[GD_OF_bombs] =
        y[GD_STYLE_bomb_as_lead] + answered[GD_STRAIGHT_FLUSH] + answered[GD_BOMB] + answered[GD_JOKER_BOMB];
    y[GD_STYLE_out_with_bomb] = y[GD_STYLE_bomb_as_last];
    y[GD_STYLE_bombed_as_lead] = y[GD_STYLE_bomb_as_lead];
    y[GD_STYLE_bombed_partner] = y[GD_STYLE_bomb_on_partner];
    y[GD_STYLE_bombed_opponent] = n[GD_OF_bombs] - y[GD_STYLE_bomb_as_lead] - y[GD_STYLE_bomb_on_partner];
    y[GD_STYLE_bombed_opponent_low] = y[GD_STYLE_bomb_opponent_low];
}

#define OCCASION_OF(name, of) GD_OF_##of,
static const uint8_t occasion_of[GD_RATES] = {GD_STYLE_RATES(OCCASION_OF)};
#undef OCCASION_OF

/* Add a cell to its three roles. */
static void add_counts(gd_style_counts *restrict all, gd_style_counts *restrict part, gd_style_counts *restrict stands,
                       const gd_style_counts *restrict c)
{
    for (unsigned k = 0; k < GD_OCCASIONS; k++) {
        all->occasions[k] += c->occasions[k];
        part->occasions[k] += c->occasions[k];
        stands->occasions[k] += c->occasions[k];
    }
    for (unsigned k = 0; k < GD_RATES; k++) {
        all->events[k] += c->events[k];
        part->events[k] += c->events[k];
        stands->events[k] += c->events[k];
    }
}

void gd_style_pair(gd_style *s)
{
    gd_style_counts roles[2][GD_ROLES] = {0};
    for (; s->used; s->used &= s->used - 1) {
        unsigned cell = gd_lowest(s->used), part = cell / GD_STANDINGS % GD_TRIBUTE_PARTS;
        gd_style_counts *all = roles[cell / (GD_STANDINGS * GD_TRIBUTE_PARTS)];
        derive(&s->cells[cell]);
        add_counts(all, &all[1 + part], &all[1 + GD_TRIBUTE_PARTS + cell % GD_STANDINGS], &s->cells[cell].counts);
        s->cells[cell] = (gd_style_cell){0};
    }
    /* Half of the events did not occur, now these and now those: they are sorted out once, without a branch. */
    uint8_t seen[GD_RATES];
    unsigned n_seen = 0;
    for (unsigned k = 0; k < GD_RATES; k++) {
        seen[n_seen] = (uint8_t)k;
        n_seen += (roles[0][0].events[k] | roles[1][0].events[k]) != 0;
    }
    for (unsigned role = 0; role < GD_ROLES; role++) {
        const gd_style_counts *x = &roles[0][role], *y = &roles[1][role];
        if (!(x->occasions[GD_OF_hands] | y->occasions[GD_OF_hands])) continue;
        for (unsigned k = 0; k < GD_OCCASIONS; k++) {
            int64_t nx = x->occasions[k], ny = y->occasions[k], *sum = s->sums->occasions[role][k];
            sum[0] += nx > 0;
            sum[1] += nx;
            sum[2] += nx * nx;
            sum[3] += ny > 0;
            sum[4] += ny;
            sum[5] += ny * ny;
            sum[6] += nx * ny;
        }
        for (unsigned i = 0; i < n_seen; i++) {
            unsigned k = seen[i];
            int64_t yx = x->events[k], yy = y->events[k], *sum = s->sums->rates[role][k];
            int64_t nx = x->occasions[occasion_of[k]], ny = y->occasions[occasion_of[k]];
            sum[0] += yx;
            sum[1] += yx * yx;
            sum[2] += nx * yx;
            sum[3] += yy;
            sum[4] += yy * yy;
            sum[5] += ny * yy;
            sum[6] += nx * yy;
            sum[7] += yx * ny;
            sum[8] += yx * yy;
        }
    }
}
