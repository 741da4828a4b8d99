/* How: the hand is held as masks, lane k - 1 the ranks with k cards or more, so that a sequence comes out by moving lanes
 * down inside its window. Straight flushes are tried first, the best few of them; then sets of straights, tubes and plates
 * depth first; what is left is priced at once by counting bits: bombs, triples with pairs as full houses, pairs, singles.
 * Each wild goes where it gains most.
 */
#include "arrange.h"

#include "gd_cards.h"

enum { MOST_SEQUENCES = 8, FLUSHES_TRIED = 3, NODES = 400, SUITED = 0x1fff };

/* Ranks of a window by its lowest place: of n consecutive places, the ace below the 2 at place 0. */
#define WINDOW(n, p) ((p) ? ((1u << (n)) - 1u) << ((p) - 1) : ((1u << ((n) - 1)) - 1u) | 1u << 12)

static inline uint32_t window(unsigned n, unsigned place) { return WINDOW(n, place) & SUITED; }

/* Ranks by number: four lanes of 16 bits each, at least 1..4 and 5..8 cards; wilds apart. */
typedef struct {
    uint64_t few, many;
    unsigned wilds;
} state;

/* What is left after the sequences, with the wilds at their places. */
typedef struct {
    uint32_t one, two, three, four; /* four: and more */
    uint32_t plain;                 /* of four the ranks of just four naturals */
    int beyond;                     /* cards of bombs beyond four */
    uint8_t at[2];                  /* rank each wild was laid to, PAIRED, ALONE */
} sets;

enum { PAIRED = 14, ALONE = 15 }; /* places of wilds that are laid by themselves, two or one */

typedef struct {
    uint8_t kind, place, suit;
} sequence;

typedef struct {
    const gd_weights *w;
    unsigned level, rules;
    int best;
    unsigned nodes, n, best_n;
    sequence path[MOST_SEQUENCES], best_path[MOST_SEQUENCES];
    state best_state;
} search;

const gd_weights gd_turns_only = {.turn = 1, .slack = 3};

static inline uint32_t lane(uint64_t lanes, unsigned k) { return (uint32_t)(lanes >> (16 * k)) & 0xffffu; }

static state state_of(const gd_hand *hand)
{
    state s = {.wilds = gd_wilds_held(hand)};
    for (unsigned k = 0; k < 4; k++) {
        uint32_t ranks = gd_ranks_with(hand, k + 1);
        if (!ranks) return s;
        s.few |= (uint64_t)ranks << (16 * k);
    }
    for (unsigned k = 0; k < 4; k++) s.many |= (uint64_t)gd_ranks_with(hand, k + 5) << (16 * k);
    return s;
}

/* Up to `each` cards less at the ranks of `where`, 1..3. */
static inline state taken(state s, uint32_t where, unsigned each)
{
    uint64_t w = where * GD_LANES;
    state out = {(s.few & ~w) | ((s.few >> (16 * each) | s.many << (64 - 16 * each)) & w),
                 (s.many & ~w) | (s.many >> (16 * each) & w), s.wilds};
    return out;
}

/* Cards that a window lacks of `each` at every rank. */
static inline unsigned lacks(state s, uint32_t where, unsigned each)
{
    unsigned n = gd_bits(where & ~lane(s.few, 0));
    if (each > 1) n += gd_bits(where & ~lane(s.few, 1));
    if (each > 2) n += gd_bits(where & ~lane(s.few, 2));
    return n;
}

static inline int price(const gd_weights *w, enum gd_outlook k, uint32_t ranks)
{
    return w->turn * (int)gd_bits(ranks) + w->low[k] * (int)gd_bits(ranks & w->low_at[k]) -
           w->top[k] * (int)gd_bits(ranks & w->top_at[k]);
}

/* Numbers that decide how many full houses there are: triples; pairs, low ones, top ones; bombs of just four naturals. */
typedef struct {
    int three, two, low, top, plain;
} tally;

static inline tally tally_of(const gd_weights *w, const sets *s)
{
    tally n = {(int)gd_bits(s->three), (int)gd_bits(s->two), (int)gd_bits(s->two & w->low_at[GD_OUT_PAIR]),
               (int)gd_bits(s->two & w->top_at[GD_OUT_PAIR]), (int)gd_bits(s->plain)};
    return n;
}

/* What full houses save: they swallow low pairs first, top pairs last. A bomb that costs a turn is broken where two spare
 * triples take it as pairs. */
static inline int saving(const gd_weights *w, tally n)
{
    int houses = n.three < n.two ? n.three : n.two, low = n.low < houses ? n.low : houses;
    int from_top = houses - (n.two - n.top);
    int saved = w->turn * houses + w->low[GD_OUT_PAIR] * low - (from_top > 0 ? w->top[GD_OUT_PAIR] * from_top : 0);
    if (w->bomb < w->turn && n.three > n.two + 1) {
        int spare = (n.three - n.two) / 2;
        saved += (w->turn - w->bomb) * (spare < n.plain ? spare : n.plain);
    }
    return saved;
}

static inline int bomb_price(const gd_weights *w) { return w->turn - w->bomb; }

/* Cost of the sets, full houses aside. */
static inline int price_of_sets(const gd_weights *w, const sets *s)
{
    return price(w, GD_OUT_SINGLE, s->one) + price(w, GD_OUT_PAIR, s->two) + price(w, GD_OUT_TRIPLE, s->three) +
           bomb_price(w) * (int)gd_bits(s->four) - w->larger * s->beyond;
}

/* Is the joker bomb in it? Then both pairs of jokers leave. */
static inline int take_joker_bomb(uint32_t *two)
{
    if ((*two & 0x6000u) != 0x6000u) return 0;
    *two &= ~0x6000u;
    return 1;
}

static inline sets sets_of(state s)
{
    sets out = {.one = lane(s.few, 0) & ~lane(s.few, 1),
                .two = lane(s.few, 1) & ~lane(s.few, 2),
                .three = lane(s.few, 2) & ~lane(s.few, 3),
                .four = lane(s.few, 3),
                .plain = lane(s.few, 3) & ~lane(s.many, 0),
                .beyond = s.many ? (int)gd_bits(s.many) : 0,
                .at = {ALONE, ALONE}};
    return out;
}

/* A rank of the mask to give a wild to: a low one, else the lowest that is not top, else the lowest; 0 for none. */
static inline uint32_t neediest(const gd_weights *w, enum gd_outlook k, uint32_t ranks)
{
    uint32_t pick = ranks & w->low_at[k];
    if (!pick) pick = ranks & ~w->top_at[k];
    if (!pick) pick = ranks;
    return pick & (0u - pick);
}

/* What a wild, or both, may do to a set of what size. */
typedef struct {
    uint8_t from, to; /* cards: 0 none, 4 a bomb */
    uint8_t wilds;
} lending;

static const lending lendings[] = {{1, 3, 2}, {2, 4, 2}, {0, 2, 2}, {3, 4, 1},
                                   {4, 5, 1}, {1, 2, 1}, {2, 3, 1}, {0, 1, 1}};
enum { LENDINGS = 8 };

/* Lay the wilds (1 or 2) where they gain most, one after the other or both to one pair or single. Returns the cost of the
 * sets with full houses. */
static int lay_wilds(const search *x, sets *s, unsigned n)
{
    const gd_weights *w = x->w;
    int linear = price_of_sets(w, s), best = 1 << 30;
    for (unsigned laid = 0; laid < n;) {
        tally now = tally_of(w, s);
        uint32_t larger = s->four & ~s->plain ? s->four & ~s->plain : s->four;
        uint32_t pick[5] = {1u << ALONE, neediest(w, GD_OUT_SINGLE, s->one & SUITED),
                            neediest(w, GD_OUT_PAIR, s->two & SUITED), neediest(w, GD_OUT_TRIPLE, s->three),
                            larger & (0u - larger)};
        int is_low = (pick[2] & w->low_at[GD_OUT_PAIR]) != 0, is_top = (pick[2] & w->top_at[GD_OUT_PAIR]) != 0;
        int out[5] = {0, pick[1] ? -price(w, GD_OUT_SINGLE, pick[1]) : 0, pick[2] ? -price(w, GD_OUT_PAIR, pick[2]) : 0,
                      pick[3] ? -price(w, GD_OUT_TRIPLE, pick[3]) : 0, 0};
        unsigned chosen = 0;
        int chosen_linear = 0;
        best = 1 << 30;
        for (unsigned i = 0; i < LENDINGS; i++) {
            lending l = lendings[i];
            uint32_t bit = pick[l.from];
            if (!bit || l.wilds > n - laid) continue;
            tally t = now;
            int cost = linear + out[l.from];
            if (l.from == 2) t.two--, t.low -= is_low, t.top -= is_top;
            if (l.from == 3) t.three--;
            if (l.from == 4) t.plain -= (s->plain & bit) != 0;
            if (l.to == 1)
                cost += price(w, GD_OUT_SINGLE, 1u << x->level) + (x->rules & GD_WILD_SINGLE ? 0 : 4 * w->turn);
            else if (l.to == 2 && !l.from)
                cost += price(w, GD_OUT_PAIR, 1u << x->level);
            else if (l.to == 2)
                cost += price(w, GD_OUT_PAIR, bit) + w->wild, t.two++, t.low += (bit & w->low_at[GD_OUT_PAIR]) != 0,
                    t.top += (bit & w->top_at[GD_OUT_PAIR]) != 0;
            else if (l.to == 3)
                cost += price(w, GD_OUT_TRIPLE, bit) + w->wild * l.wilds, t.three++;
            else if (l.to == 4)
                cost += bomb_price(w);
            else
                cost -= w->larger;
            int whole = cost - saving(w, t);
            if (whole < best) best = whole, chosen = i, chosen_linear = cost;
        }
        lending l = lendings[chosen];
        uint32_t bit = pick[l.from];
        linear = chosen_linear;
        s->one ^= l.from == 1 ? bit : 0;
        if (!l.from) bit = 1u << (l.to == 2 ? PAIRED : ALONE);
        s->two ^= (l.from == 2) != (l.to == 2 && l.from) ? bit : 0;
        s->three ^= (l.from == 3) != (l.to == 3) ? bit : 0;
        s->four |= l.to == 4 ? bit : 0;
        s->plain &= ~bit;
        for (unsigned k = 0; k < l.wilds; k++) s->at[laid++] = (uint8_t)gd_lowest(bit);
    }
    return best;
}

/* Cost of what holds no more sequences. */
static int rest(const search *x, state s)
{
    sets t = sets_of(s);
    int cost = take_joker_bomb(&t.two) ? bomb_price(x->w) - 4 * x->w->larger : 0;
    if (s.wilds) return cost + lay_wilds(x, &t, s.wilds);
    return cost + price_of_sets(x->w, &t) - saving(x->w, tally_of(x->w, &t));
}

static inline int sequence_price(const gd_weights *w, unsigned place)
{
    return w->turn + (w->low_at[GD_OUT_SEQUENCE] >> place & 1 ? w->low[GD_OUT_SEQUENCE] : 0) -
           (w->top_at[GD_OUT_SEQUENCE] >> place & 1 ? w->top[GD_OUT_SEQUENCE] : 0);
}

static void explore(search *x, state s, int cost, unsigned from, int before);

static void try_sequence(search *x, state s, int cost, unsigned kind, unsigned place, unsigned each, uint32_t where,
                         unsigned wilds, int before)
{
    state next = taken(s, where, each);
    next.wilds -= wilds;
    x->path[x->n++] = (sequence){(uint8_t)kind, (uint8_t)place, 0};
    static const uint8_t base[8] = {[GD_STRAIGHT] = 0, [GD_TUBE] = 16, [GD_PLATE] = 32};
    explore(x, next, cost + sequence_price(x->w, place) + x->w->wild * (int)wilds, base[kind] + place, before);
    x->n--;
}

/* All sets of sequences from number `from` on: straights by place, then tubes, then plates. A straight that takes no
 * single, a tube that takes no pair, a plate that takes no triple out of the hand are left out: they save nothing. */
static void explore(search *x, state s, int cost, unsigned from, int before)
{
    int whole = cost + rest(x, s);
    if (whole < x->best) {
        x->best = whole, x->best_state = s, x->best_n = x->n;
        for (unsigned i = 0; i < x->n; i++) x->best_path[i] = x->path[i];
    }
    if (whole > before + x->w->slack || x->n == MOST_SEQUENCES || ++x->nodes > NODES) return;
    uint32_t m1 = lane(s.few, 0), m2 = lane(s.few, 1), m3 = lane(s.few, 2), m4 = lane(s.few, 3);
    uint32_t p1 = gd_places_of(m1), p2 = gd_places_of(m2), p3 = gd_places_of(m3), singles = m1 & ~m2;
    uint32_t pairs = m2 & ~m3, triples = m3 & ~m4;
    if (from < 10) {
        unsigned least_gain = x->w->slack > x->w->turn ? 1 : 2;
        uint32_t starts = s.wilds ? 0x3ffu : p1 & p1 >> 1 & p1 >> 2 & p1 >> 3 & p1 >> 4;
        for (starts &= 0x3ffu & ~0u << from; starts; starts &= starts - 1) {
            unsigned place = gd_lowest(starts);
            uint32_t where = window(5, place);
            unsigned wilds = lacks(s, where, 1);
            if (wilds > s.wilds) continue;
            unsigned gain = gd_bits(where & singles);
            if (gain >= least_gain || (!gain && !(where & ~m2) && !(where & m3)))
                try_sequence(x, s, cost, GD_STRAIGHT, place, 1, where, wilds, whole);
        }
    }
    if (from < 32) {
        uint32_t starts = s.wilds ? 0xfffu : p2 & p2 >> 1 & p2 >> 2;
        for (starts &= 0xfffu & ~0u << (from > 16 ? from - 16 : 0); starts; starts &= starts - 1) {
            unsigned place = gd_lowest(starts);
            uint32_t where = window(3, place);
            unsigned wilds = lacks(s, where, 2);
            if (wilds > s.wilds) continue;
            if (gd_bits(where & (pairs | singles)) >= 2)
                try_sequence(x, s, cost, GD_TUBE, place, 2, where, wilds, whole);
        }
    }
    uint32_t starts = s.wilds ? 0x1fffu : p3 & p3 >> 1;
    for (starts &= 0x1fffu & ~0u << (from > 32 ? from - 32 : 0); starts; starts &= starts - 1) {
        unsigned place = gd_lowest(starts);
        uint32_t where = window(2, place);
        unsigned wilds = lacks(s, where, 3);
        if (wilds > s.wilds) continue;
        if (gd_bits(where & (triples | pairs | singles)) == 2)
            try_sequence(x, s, cost, GD_PLATE, place, 3, where, wilds, whole);
    }
}

/* Choose straight flushes first: the best few by what the rest would cost without sequences, then the best second. */
static void explore_flushes(search *x, state s, uint64_t one, uint64_t two, int cost, unsigned depth)
{
    explore(x, s, cost, 0, 1 << 29);
    uint64_t windows = gd_flush_windows(one, s.wilds);
    if (!windows || x->n == 4) return;
    int price[FLUSHES_TRIED], limit = rest(x, s) + x->w->slack - (x->w->turn - x->w->flush);
    sequence pick[FLUSHES_TRIED];
    unsigned n = 0, most = depth ? 1 : FLUSHES_TRIED;
    for (; windows; windows &= windows - 1) {
        unsigned bit = gd_lowest(windows), suit = bit >> 4, place = bit & 15u;
        uint32_t where = window(5, place), held = (uint32_t)(one >> (16 * suit)) & where;
        state next = taken(s, held, 1);
        next.wilds -= 5 - gd_bits(held);
        int now = rest(x, next);
        if (now >= limit) continue;
        unsigned i = n < most ? n++ : most;
        for (; i > 0 && now < price[i - 1]; i--)
            if (i < most) price[i] = price[i - 1], pick[i] = pick[i - 1];
        if (i < most) price[i] = now, pick[i] = (sequence){GD_STRAIGHT_FLUSH, (uint8_t)place, (uint8_t)suit};
    }
    for (unsigned i = 0; i < n; i++) {
        uint32_t held = (uint32_t)(one >> (16 * pick[i].suit)) & window(5, pick[i].place);
        uint64_t lanes = (uint64_t)held << (16 * pick[i].suit);
        state next = taken(s, held, 1);
        next.wilds -= 5 - gd_bits(held);
        x->path[x->n++] = pick[i];
        explore_flushes(x, next, (one & ~lanes) | (two & lanes), two & ~lanes, cost + x->w->turn - x->w->flush,
                        depth + 1);
        x->n--;
    }
}

static void run(search *x, const gd_hand *hand)
{
    explore_flushes(x, state_of(hand), hand->one & GD_SUITED, hand->two & GD_SUITED, 0, 0);
}

int32_t gd_arrange_cost(const gd_hand *hand, unsigned level, unsigned rules, const gd_weights *weights)
{
    search x = {.w = weights, .level = level, .rules = rules, .best = 1 << 30};
    run(&x, hand);
    return x.best;
}

/* ---- groups as shapes ---- */

static inline unsigned power_of(unsigned rank, unsigned level)
{
    return rank > 12 ? rank : rank == level ? (unsigned)GD_LEVEL_POWER : rank - (rank > level);
}

static inline gd_play set_code(unsigned kind, unsigned size, unsigned rank, unsigned wilds, unsigned level)
{
    return kind << 28 | size << 24 | power_of(rank, level) << 20 | wilds << 18 | rank << 6;
}

/* Code of a sequence; the wilds stand where the hand lacks cards. `suit` of a straight flush. */
static gd_play sequence_code(sequence q, unsigned length, unsigned each, const uint32_t has[4])
{
    unsigned detail = 0, wilds = 0;
    for (unsigned i = 0; i < length; i++) {
        unsigned rank = gd_rank_at(q.place + i), lack = 0;
        for (unsigned k = 1; k <= each; k++) lack += !(has[k] >> rank & 1);
        detail |= lack << (each == 1 ? i : 2 * i), wilds += lack;
    }
    if (q.kind == GD_STRAIGHT_FLUSH) detail |= (unsigned)q.suit << 5;
    return (unsigned)q.kind << 28 | length * each << 24 | (unsigned)q.place << 20 | wilds << 18 | detail << 10 |
           gd_rank_at(q.place) << 6;
}

/* Are all cards at these ranks of one suit? Then they make a straight flush, whatever was meant. */
static int one_suit(uint64_t one, uint32_t where, unsigned *suit)
{
    uint64_t held = one & where * GD_LANES;
    for (unsigned s = 0; s < 4; s++)
        if (!(held & ~((uint64_t)0xffff << (16 * s)))) return *suit = s, 1;
    return 0;
}

static void put_sequences(const search *x, const gd_hand *hand, gd_arrangement *out)
{
    gd_hand left = *hand;
    for (unsigned i = 0; i < x->best_n; i++) {
        sequence q = x->best_path[i];
        unsigned each = q.kind == GD_TUBE ? 2 : q.kind == GD_PLATE ? 3 : 1, length = each == 1 ? 5 : 6 / each, suit;
        state s = state_of(&left);
        uint32_t has[4] = {0, lane(s.few, 0), lane(s.few, 1), lane(s.few, 2)};
        if (q.kind == GD_STRAIGHT && one_suit(left.one, window(length, q.place), &suit))
            q.kind = GD_STRAIGHT_FLUSH, q.suit = (uint8_t)suit;
        if (q.kind == GD_STRAIGHT_FLUSH) {
            has[1] = (uint32_t)(left.one >> (16 * q.suit)) & 0xffffu;
            out->bombs++;
        }
        gd_play group = sequence_code(q, length, each, has);
        out->group[out->turns++] = group;
        left = gd_without(&left, group);
    }
}

static void put_sets(const search *x, gd_arrangement *out)
{
    const gd_weights *w = x->w;
    unsigned level = x->level, lent[16] = {0};
    state s = x->best_state;
    sets t = sets_of(s);
    int jokers = take_joker_bomb(&t.two);
    if (s.wilds) lay_wilds(x, &t, s.wilds);
    for (unsigned i = 0; i < s.wilds; i++) lent[t.at[i]]++;
    gd_play *g = out->group + out->turns;
    uint32_t broken = 0; /* bombs taken apart as pairs of full houses */
    if (w->bomb < w->turn)
        for (int spare = ((int)gd_bits(t.three) - (int)gd_bits(t.two)) / 2; spare > 0 && t.plain; spare--) {
            uint32_t bit = t.plain & (0u - t.plain);
            t.plain ^= bit, t.four ^= bit, broken |= bit;
        }
    if (lent[PAIRED]) *g++ = set_code(GD_PAIR, 2, level, 2, level);
    for (uint32_t any = t.one; any; any &= any - 1) *g++ = set_code(GD_SINGLE, 1, gd_lowest(any), 0, level);
    for (unsigned i = 0; i < lent[ALONE]; i++) *g++ = set_code(GD_SINGLE, 1, level, 1, level);
    uint32_t three = t.three, two = t.two, again = broken;
    while (three && (two | broken | again)) {
        uint32_t triple = neediest(w, GD_OUT_TRIPLE, three), bit;
        unsigned rank = gd_lowest(triple), pair_rank, pair_wilds;
        three ^= triple;
        if (two)
            bit = neediest(w, GD_OUT_PAIR, two), two ^= bit;
        else if (broken)
            bit = broken & (0u - broken), broken ^= bit;
        else
            bit = again & (0u - again), again ^= bit;
        pair_rank = gd_lowest(bit), pair_wilds = t.two & bit ? lent[pair_rank] : 0;
        *g++ = set_code(GD_FULL_HOUSE, 5, rank, lent[rank] + pair_wilds, level) |
               (pair_wilds << 4 | power_of(pair_rank, level)) << 10 | pair_rank << 2;
    }
    for (; two; two &= two - 1) *g++ = set_code(GD_PAIR, 2, gd_lowest(two), lent[gd_lowest(two)], level);
    for (; three; three &= three - 1) *g++ = set_code(GD_TRIPLE, 3, gd_lowest(three), lent[gd_lowest(three)], level);
    for (; t.four; t.four &= t.four - 1, out->bombs++) {
        unsigned rank = gd_lowest(t.four), n = lent[rank];
        for (unsigned k = 0; k < 4; k++) n += (lane(s.few, k) >> rank & 1) + (lane(s.many, k) >> rank & 1);
        *g++ = set_code(GD_BOMB, n, rank, lent[rank], level);
    }
    if (jokers) *g++ = (unsigned)GD_JOKER_BOMB << 28 | 4u << 24, out->bombs++;
    out->turns = (uint8_t)(g - out->group);
}

void gd_arrange(const gd_hand *hand, unsigned level, unsigned rules, const gd_weights *weights, gd_arrangement *out)
{
    search x = {.w = weights, .level = level, .rules = rules, .best = 1 << 30};
    run(&x, hand);
    out->cost = x.best, out->turns = 0, out->bombs = 0;
    put_sequences(&x, hand, out);
    put_sets(&x, out);
}

int32_t gd_group_cost(gd_play group, const gd_weights *w)
{
    unsigned kind = gd_kind_of(group), wilds = gd_wilds(group);
    switch (kind) {
    case GD_JOKER_BOMB: return w->turn - w->bomb - 4 * w->larger;
    case GD_STRAIGHT_FLUSH: return w->turn - w->flush;
    case GD_BOMB: return w->turn - w->bomb - w->larger * ((int)gd_size(group) - 4);
    case GD_SINGLE: return price(w, GD_OUT_SINGLE, 1u << gd_rank(group));
    case GD_PAIR: return price(w, GD_OUT_PAIR, 1u << gd_rank(group)) + w->wild * (wilds == 1);
    case GD_TRIPLE:
    case GD_FULL_HOUSE: return price(w, GD_OUT_TRIPLE, 1u << gd_rank(group)) + w->wild * (int)wilds;
    default: return sequence_price(w, gd_power(group)) + w->wild * (int)wilds;
    }
}

/* ---- taking a shape out ---- */

/* Take `n` naturals of a rank: second copies first, then suits outside of straight flushes. */
static void take_rank(gd_hand *hand, unsigned rank, unsigned n, uint64_t flush_cards)
{
    hand->counts -= (uint64_t)n << (4 * rank);
    for (unsigned pass = 0; n && pass < 3; pass++) {
        uint64_t bits = (pass ? hand->one : hand->two) & GD_LANES << rank;
        if (pass == 1) bits &= ~flush_cards;
        for (; bits && n; bits &= bits - 1, n--) {
            uint64_t bit = bits & (0u - bits);
            if (pass)
                hand->one &= ~bit;
            else
                hand->two &= ~bit;
        }
    }
}

/* Cards that lie in some straight flush of naturals or with a wild, by lanes. */
static uint64_t cards_in_flushes(const gd_hand *hand)
{
    uint64_t windows = gd_flush_windows(hand->one & GD_SUITED, gd_wilds_held(hand)), out = 0;
    for (; windows; windows &= windows - 1) {
        unsigned bit = gd_lowest(windows);
        out |= (uint64_t)window(5, bit & 15u) << (bit & 48u);
    }
    return out;
}

gd_hand gd_without(const gd_hand *hand, gd_play p)
{
    gd_hand h = *hand;
    unsigned kind = gd_kind_of(p), wilds = gd_wilds(p), detail = gd_detail(p), place = gd_power(p), rank = gd_rank(p);
    h.counts -= (uint64_t)wilds << 60;
    if (kind == GD_PASS) return h;
    if (kind == GD_JOKER_BOMB) {
        h.counts &= ~((uint64_t)0xff << (4 * GD_SMALL_JOKER));
        h.one &= ~(uint64_t)0x6000, h.two &= ~(uint64_t)0x6000;
        return h;
    }
    if (kind == GD_STRAIGHT_FLUSH) {
        for (unsigned i = 0; i < 5; i++) {
            if (detail >> i & 1) continue;
            uint64_t bit = (uint64_t)1 << (16 * (detail >> 5 & 3u) + gd_rank_at(place + i));
            h.counts -= (uint64_t)1 << (4 * gd_rank_at(place + i));
            h.one = (h.one & ~bit) | (h.two & bit), h.two &= ~bit;
        }
        return h;
    }
    uint64_t flushes = cards_in_flushes(hand);
    if (kind == GD_FULL_HOUSE) {
        unsigned in_pair = detail >> 4;
        take_rank(&h, rank, 3 - (wilds - in_pair), flushes);
        take_rank(&h, gd_pair_rank(p), 2 - in_pair, flushes);
    } else if (kind <= GD_TRIPLE || kind == GD_BOMB) {
        take_rank(&h, rank, gd_size(p) - wilds, flushes);
    } else {
        unsigned each = kind == GD_TUBE ? 2 : kind == GD_PLATE ? 3 : 1, length = each == 1 ? 5 : 6 / each;
        for (unsigned i = 0; i < length; i++)
            take_rank(&h, gd_rank_at(place + i), each - (each == 1 ? detail >> i & 1u : detail >> (2 * i) & 3u),
                      flushes);
    }
    return h;
}
