/* How: the hand is held as masks, lane k - 1 the ranks with k cards or more, so that a sequence comes out by moving lanes
 * down inside its window. Straight flushes are tried first, the best few of them; then sets of straights, tubes and plates
 * depth first; what is left is priced at once by counting bits: bombs, triples with pairs as full houses, pairs, singles.
 * Each wild goes where it gains most.
 */
#include "arrange.h"

#include "gd_cards.h"

enum { MOST_SEQUENCES = 8, FLUSHES_TRIED = 4, NODES = 400, FEW_NODES = 96, SUITED = 0x1fff };

/* Ranks of n consecutive places from the lowest on; at place 0 the ace lies below the 2. */
static inline uint32_t window(unsigned n, unsigned place)
{
    uint32_t places = ((1u << n) - 1u) << place;
    return places >> 1 | (places & 1u) << 12;
}

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
    int most_more; /* turns that a sequence may add at first and still be tried */
    unsigned most_nodes, nodes, n, best_n;
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

/* Price of one group of a rank. */
static inline int price_at(const gd_weights *w, enum gd_outlook k, uint32_t bit)
{
    return w->turn + (w->low_at[k] & bit ? w->low[k] : 0) - (w->top_at[k] & bit ? w->top[k] : 0);
}

/* What the wilds may do: make the set of so many cards one larger, both make it two larger; 0 is none, 4 a bomb. */
enum lending { TO_BOMB, TO_LARGER, TO_PAIR, TO_TRIPLE, BY_ITSELF, SINGLE_TO_TRIPLE, PAIR_TO_BOMB, AS_PAIR, LENDINGS };

/* Lay the wilds (1 or 2) where they gain most, both together or one after the other. Returns the cost of the sets with
 * full houses. */
static int lay_wilds(const search *x, sets *s, unsigned n)
{
    const gd_weights *w = x->w;
    int linear = price_of_sets(w, s), best = 1 << 30;
    for (unsigned laid = 0; laid < n;) {
        tally now = tally_of(w, s);
        uint32_t larger = s->four & ~s->plain ? s->four & ~s->plain : s->four;
        uint32_t one = neediest(w, GD_OUT_SINGLE, s->one & SUITED), two = neediest(w, GD_OUT_PAIR, s->two & SUITED);
        uint32_t three = neediest(w, GD_OUT_TRIPLE, s->three), level = 1u << x->level;
        larger &= 0u - larger;
        int saved = saving(w, now), cost[LENDINGS], both = n - laid == 2, alone = price_at(w, GD_OUT_SINGLE, level);
        for (unsigned i = 0; i < LENDINGS; i++) cost[i] = 1 << 30;
        cost[BY_ITSELF] = alone + (x->rules & GD_WILD_SINGLE ? 0 : 4 * w->turn) - saved;
        if (both) cost[AS_PAIR] = price_at(w, GD_OUT_PAIR, level) - saved;
        if (larger) {
            tally t = now;
            t.plain -= (s->plain & larger) != 0;
            cost[TO_LARGER] = -w->larger - saving(w, t);
        }
        if (three) {
            tally t = now;
            t.three--;
            cost[TO_BOMB] = bomb_price(w) - price_at(w, GD_OUT_TRIPLE, three) - saving(w, t);
        }
        if (one) {
            tally t = now;
            t.two++, t.low += (one & w->low_at[GD_OUT_PAIR]) != 0, t.top += (one & w->top_at[GD_OUT_PAIR]) != 0;
            int out = price_at(w, GD_OUT_SINGLE, one);
            cost[TO_PAIR] = price_at(w, GD_OUT_PAIR, one) - out + w->wild - saving(w, t);
            if (both) {
                t = now, t.three++;
                cost[SINGLE_TO_TRIPLE] = price_at(w, GD_OUT_TRIPLE, one) - out + 2 * w->wild - saving(w, t);
            }
        }
        if (two) {
            tally t = now;
            t.two--, t.low -= (two & w->low_at[GD_OUT_PAIR]) != 0, t.top -= (two & w->top_at[GD_OUT_PAIR]) != 0;
            int out = price_at(w, GD_OUT_PAIR, two);
            if (both) cost[PAIR_TO_BOMB] = bomb_price(w) - out - saving(w, t);
            t.three++;
            cost[TO_TRIPLE] = price_at(w, GD_OUT_TRIPLE, two) - out + w->wild - saving(w, t);
        }
        unsigned chosen = LENDINGS - 1; /* at equal cost both together */
        for (unsigned i = LENDINGS - 1; i-- > 0;)
            if (cost[i] < cost[chosen]) chosen = i;
        best = linear + cost[chosen];
        unsigned place = ALONE;
        switch ((enum lending)chosen) {
        case TO_BOMB: s->three ^= three, s->four |= three, place = gd_lowest(three); break;
        case TO_LARGER: s->plain &= ~larger, s->beyond++, place = gd_lowest(larger); break;
        case TO_PAIR: s->one ^= one, s->two |= one, place = gd_lowest(one); break;
        case TO_TRIPLE: s->two ^= two, s->three |= two, place = gd_lowest(two); break;
        case SINGLE_TO_TRIPLE: s->one ^= one, s->three |= one, place = gd_lowest(one); break;
        case PAIR_TO_BOMB: s->two ^= two, s->four |= two, place = gd_lowest(two); break;
        case AS_PAIR: place = PAIRED; break;
        default: break;
        }
        s->at[laid++] = (uint8_t)place;
        if (chosen >= SINGLE_TO_TRIPLE) s->at[laid++] = (uint8_t)place;
        if (laid < n) { /* what the first did, full houses aside */
            linear = price_of_sets(w, s) + (place == ALONE ? alone : 0) +
                     (chosen == TO_PAIR || chosen == TO_TRIPLE ? w->wild : 0);
        }
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

/* Of n masks one bit a window: where at most `most` (0..2) are set. */
static inline uint32_t at_most(const uint32_t *mask, unsigned n, unsigned most)
{
    uint32_t one = 0, two = 0, three = 0;
    for (unsigned i = 0; i < n; i++) three |= two & mask[i], two |= one & mask[i], one |= mask[i];
    return ~(most == 0 ? one : most == 1 ? two : three);
}

/* Windows that lack no more cards than there are wilds. */
static inline uint32_t straights(uint32_t p1, unsigned wilds)
{
    if (!wilds) return p1 & p1 >> 1 & p1 >> 2 & p1 >> 3 & p1 >> 4 & 0x3ffu;
    uint32_t n = ~p1, lack[5] = {n, n >> 1, n >> 2, n >> 3, n >> 4};
    return at_most(lack, 5, wilds) & 0x3ffu;
}

static inline uint32_t tubes(uint32_t p1, uint32_t p2, unsigned wilds)
{
    if (!wilds) return p2 & p2 >> 1 & p2 >> 2 & 0xfffu;
    uint32_t n = ~p1, m = ~p2, lack[6] = {n, n >> 1, n >> 2, m, m >> 1, m >> 2};
    return at_most(lack, 6, wilds) & 0xfffu;
}

static inline uint32_t plates(uint32_t p1, uint32_t p2, uint32_t p3, unsigned wilds)
{
    if (!wilds) return p3 & p3 >> 1 & 0x1fffu;
    uint32_t n = ~p1, m = ~p2, l = ~p3, lack[6] = {n, n >> 1, m, m >> 1, l, l >> 1};
    return at_most(lack, 6, wilds) & 0x1fffu;
}

/* All sets of sequences from number `from` on: straights by place, then tubes, then plates. Before a sequence is tried, the
 * turns that it would save are told from how many singles, pairs and triples it takes; bombs are broken only where the
 * search is wide. */
static void explore(search *x, state s, int cost, unsigned from, int before)
{
    int whole = cost + rest(x, s);
    if (whole < x->best) {
        x->best = whole, x->best_state = s, x->best_n = x->n;
        for (unsigned i = 0; i < x->n; i++) x->best_path[i] = x->path[i];
    }
    if (whole > before + x->w->slack || x->n == MOST_SEQUENCES || ++x->nodes > x->most_nodes) return;
    uint32_t m1 = lane(s.few, 0), m2 = lane(s.few, 1), m3 = lane(s.few, 2), m4 = lane(s.few, 3);
    uint32_t p1 = gd_places_of(m1), p2 = gd_places_of(m2), p3 = gd_places_of(m3);
    uint32_t singles = m1 & ~m2, pairs = m2 & ~m3, triples = m3 & ~m4;
    uint32_t whole_bombs = x->w->slack < x->w->turn ? m4 & ~lane(s.many, 0) : 0;
    int p = (int)gd_bits(pairs), t = (int)gd_bits(triples), most = p > t ? p : t;
    for (uint32_t i = from < 10 ? straights(p1, s.wilds) & ~0u << from : 0; i; i &= i - 1) {
        unsigned place = gd_lowest(i), wilds;
        uint32_t where = window(5, place);
        if (where & whole_bombs) continue;
        int one = (int)gd_bits(where & singles), two = (int)gd_bits(where & pairs),
            three = (int)gd_bits(where & triples);
        int houses = t - three > p - two + three ? t - three : p - two + three;
        wilds = 5 - gd_bits(where & m1);
        if (1 - one + two + houses - most <= x->most_more - (int)wilds)
            try_sequence(x, s, cost, GD_STRAIGHT, place, 1, where, wilds, whole);
    }
    for (uint32_t i = from < 32 ? tubes(p1, p2, s.wilds) & ~0u << (from > 16 ? from - 16 : 0) : 0; i; i &= i - 1) {
        unsigned place = gd_lowest(i), wilds;
        uint32_t where = window(3, place);
        if (where & whole_bombs) continue;
        int one = (int)gd_bits(where & singles), two = (int)gd_bits(where & pairs),
            three = (int)gd_bits(where & triples);
        int houses = t - three > p - two ? t - three : p - two;
        wilds = lacks(s, where, 2);
        if (1 - one + three + houses - most <= x->most_more - (int)wilds)
            try_sequence(x, s, cost, GD_TUBE, place, 2, where, wilds, whole);
    }
    for (uint32_t i = plates(p1, p2, p3, s.wilds) & ~0u << (from > 32 ? from - 32 : 0); i; i &= i - 1) {
        unsigned place = gd_lowest(i), wilds;
        uint32_t where = window(2, place);
        if (where & whole_bombs) continue;
        int one = (int)gd_bits(where & singles), two = (int)gd_bits(where & pairs),
            three = (int)gd_bits(where & triples);
        int houses = t - three > p - two ? t - three : p - two;
        wilds = lacks(s, where, 3);
        if (1 - one + houses - most <= x->most_more - (int)wilds)
            try_sequence(x, s, cost, GD_PLATE, place, 3, where, wilds, whole);
    }
}

/* Choose straight flushes first: the best few by what the rest would cost without sequences, then the best second. */
static void explore_flushes(search *x, state s, uint64_t one, uint64_t two, int cost, unsigned depth)
{
    explore(x, s, cost, 0, 1 << 29);
    uint64_t windows = gd_flush_windows(one, s.wilds);
    if (!windows || x->n == 4) return;
    int price[FLUSHES_TRIED], limit = rest(x, s) + x->w->slack + x->w->turn + x->w->flush;
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
    x->most_nodes = x->w->slack < x->w->turn ? FEW_NODES : NODES;
    x->most_more = x->w->slack < x->w->turn ? -1 : x->w->slack / x->w->turn + 2;
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
