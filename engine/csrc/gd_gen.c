#include "gd_gen.h"

#include "gd_tables.h"

#define KIND(k, size) ((uint32_t)(k) << 28 | (uint32_t)(size) << 24)
#define WILDS(w) ((uint32_t)(w) << 18)
#define NOINLINE __attribute__((noinline)) /* what a short list does not need, it should not save registers for */

/* What the writers share. Masks over ranks become masks over powers, where a bit loop is already the order of the list. */
typedef struct {
    const gd_hand *hand;
    const uint32_t *key;  /* fields power and rank by power */
    const uint32_t *pair; /* fields of the pair of a full house by power */
    unsigned level, wilds, rules;
    uint32_t rank[4], power[4]; /* [k]: ranks, powers of which the hand has at least k naturals, 1 <= k <= 3 */
} ctx;

/* Plays are written in blocks of a fixed length, which turn into a few vector stores; what is written behind the end of the
 * list is overwritten or never read. GD_MAX_PLAYS leaves room for a block. */
enum { BLOCK = 16 };

enum { SUITED = 0x1fff, JOKERS = 0x6000, LEVEL_BIT = 1 << GD_LEVEL_POWER };
enum { BEHIND = 1 << 15 }; /* above all powers: where none is left, an entry to be read and never used */

/* Mask over ranks to mask over powers: the level moves above A, and those above it one down. */
static inline uint32_t by_power(uint32_t ranks, unsigned level)
{
    uint32_t below = (1u << level) - 1u;
    return (ranks & (below | JOKERS)) | (ranks >> 1 & ~below & (SUITED >> 1)) | (ranks >> level & 1u) << GD_LEVEL_POWER;
}

static inline ctx look_at(const gd_hand *hand, unsigned level, unsigned rules)
{
    ctx c = {.hand = hand,
             .key = gd_key_bits[level],
             .pair = gd_pair_bits[level],
             .level = level,
             .wilds = gd_wilds_held(hand),
             .rules = rules};
    return c;
}

/* Fill the masks of `from` to `to` naturals, 1 <= from; with wilds a kind starts that much lower. */
static inline void count_ranks(ctx *c, unsigned from, unsigned to)
{
    for (unsigned k = from; k <= to; k++) {
        uint64_t fold = c->hand->one | c->hand->one >> 32;
        c->rank[k] = k == 1 ? (uint32_t)(fold | fold >> 16) & 0x7fffu : gd_ranks_with(c->hand, k);
        c->power[k] = by_power(c->rank[k], c->level);
    }
}

/* The masks that a kind needs of which a rank gives `most` cards, and `least` to a part of it. */
static inline void count_for(ctx *c, unsigned least, unsigned most)
{
    count_ranks(c, least > c->wilds ? least - c->wilds : 1, most);
}

/* Places in a sequence held at least k times. */
static inline uint32_t places(const ctx *c, unsigned k) { return gd_places_of(c->rank[k]); }

/* `base` with the key of each power, four at a time: most lists are over after one round, and to guess their length costs more
 * than to write behind their end. */
static inline uint32_t *write_keys(uint32_t *out, uint32_t base, const uint32_t *key, uint32_t powers)
{
    uint32_t *end = out + gd_bits(powers);
    for (; powers; out += 4)
        for (unsigned i = 0; i < 4; i++, powers &= powers - 1) out[i] = base | key[gd_lowest(powers | BEHIND)];
    return end;
}

/* Singles, pairs, triples and bombs: `m[w]` is where the kind can be made with w wilds. `from`: least power. */
static inline gd_play *write_each(const ctx *c, gd_play *out, uint32_t kind, const uint32_t m[3], unsigned from)
{
    uint32_t least = ~0u << from;
    for (uint32_t any = (m[0] | m[1] | m[2]) & least; any; any &= any - 1) {
        unsigned p = gd_lowest(any);
        uint32_t code = kind | c->key[p];
        *out = code;
        out += m[0] >> p & 1;
        *out = code | WILDS(1);
        out += m[1] >> p & 1;
        *out = code | WILDS(2);
        out += m[2] >> p & 1;
    }
    return out;
}

/* The same of a hand that may hold many of them. */
static inline gd_play *write_sets(const ctx *c, gd_play *out, uint32_t kind, const uint32_t m[3], unsigned from)
{
    return c->wilds ? write_each(c, out, kind, m, from) : write_keys(out, kind, c->key, m[0] & ~0u << from);
}

static gd_play *write_singles(const ctx *c, gd_play *out, unsigned from)
{
    uint32_t m[3] = {c->power[1], c->wilds && (c->rules & GD_WILD_SINGLE) ? LEVEL_BIT : 0, 0};
    return write_sets(c, out, KIND(GD_SINGLE, 1), m, from);
}

static inline void pair_masks(const ctx *c, uint32_t m[3])
{
    m[0] = c->power[2];
    m[1] = c->wilds ? c->power[1] & SUITED : 0;
    m[2] = c->wilds > 1 ? LEVEL_BIT : 0;
}

static gd_play *write_pairs(const ctx *c, gd_play *out, unsigned from)
{
    uint32_t m[3];
    pair_masks(c, m);
    if (m[2] && c->rules & GD_WILD_PAIR_ANY) m[2] = SUITED;
    return write_sets(c, out, KIND(GD_PAIR, 2), m, from);
}

static inline void triple_masks(const ctx *c, uint32_t m[3])
{
    m[0] = c->power[3] & SUITED;
    m[1] = c->wilds ? c->power[2] & SUITED : 0;
    m[2] = c->wilds > 1 ? c->power[1] & SUITED : 0;
}

static gd_play *write_triples(const ctx *c, gd_play *out, unsigned from)
{
    uint32_t m[3];
    triple_masks(c, m);
    return write_sets(c, out, KIND(GD_TRIPLE, 3), m, from);
}

/* The pairs that go with a triple, as code fragments; `mask` keeps their powers to find the triple's own rank. */
typedef struct {
    uint32_t fragment[2 * BLOCK];
    uint32_t mask;
    unsigned n;
} kickers;

static inline void list_kickers(const ctx *c, uint32_t mask, unsigned wilds, kickers *k)
{
    k->mask = mask;
    k->n = (unsigned)(write_keys(k->fragment, (uint32_t)wilds << 14 | WILDS(wilds), c->pair, mask) - k->fragment);
}

/* All pairs of `k` but the one at the triple's own power, behind `base`. Half of all plays are full houses. */
static inline gd_play *write_houses(gd_play *out, uint32_t base, const kickers *k, unsigned own)
{
    for (unsigned i = 0; i < BLOCK; i++) out[i] = base + k->fragment[i];
    if (!(k->mask >> own & 1)) return out + k->n;
    unsigned at = gd_bits(k->mask & ((1u << own) - 1u));
    for (unsigned i = 0; i < BLOCK; i++) out[at + i] = base + k->fragment[at + 1 + i];
    return out + k->n - 1;
}

static gd_play *write_full_houses(const ctx *c, gd_play *out, unsigned from)
{
    uint32_t t[3], p[3];
    kickers k[3];
    triple_masks(c, t);
    pair_masks(c, p);
    uint32_t any = (t[0] | t[1] | t[2]) & ~0u << from;
    if (!any) return out;
    for (unsigned w = 0; w <= c->wilds; w++) list_kickers(c, p[w], w, &k[w]);
    for (; any; any &= any - 1) {
        unsigned own = gd_lowest(any);
        uint32_t base = KIND(GD_FULL_HOUSE, 5) | c->key[own];
        for (unsigned w = 0; w <= c->wilds; w++)
            for (unsigned in_pair = 0; in_pair <= w; in_pair++)
                if (t[w - in_pair] >> own & 1) out = write_houses(out, base + WILDS(w - in_pair), &k[in_pair], own);
    }
    return out;
}

/* Codes of one sequence window: the row of wild patterns that its natural cards allow, four at a time. */
static inline gd_play *write_row(gd_play *out, uint32_t base, const gd_pattern_row *row, const uint32_t *patterns,
                                 unsigned from, unsigned wilds)
{
    unsigned n = row->upto[wilds];
    patterns += row->at;
    for (unsigned i = from; i < n; i += 4)
        for (unsigned k = 0; k < 4; k++) out[i - from + k] = base | patterns[i + k];
    return n > from ? out + (n - from) : out;
}

static inline uint32_t sequence_key(unsigned place) { return place << 20 | gd_rank_at(place) << 6; }

static gd_play *write_tubes(const ctx *c, gd_play *out, unsigned from)
{
    uint32_t a = places(c, 2), b = places(c, 1), starts;
    uint32_t two_full = (a & a >> 1) | (a & a >> 2) | (a >> 1 & a >> 2), held = b & b >> 1 & b >> 2;
    if (c->wilds == 0)
        starts = a & a >> 1 & a >> 2;
    else if (c->wilds == 1)
        starts = held & two_full;
    else
        starts = two_full | (held & (a | a >> 1 | a >> 2));
    for (starts &= 0xfffu & ~0u << from; starts; starts &= starts - 1) {
        unsigned s = gd_lowest(starts);
        const gd_pattern_row *row = &gd_tube_rows[(a >> s & 7u) | (b >> s & 7u) << 3];
        out = write_row(out, KIND(GD_TUBE, 6) | sequence_key(s), row, gd_tube_patterns, 0, c->wilds);
    }
    return out;
}

static gd_play *write_plates(const ctx *c, gd_play *out, unsigned from)
{
    uint32_t a = places(c, 3), b = places(c, 2), d = places(c, 1), starts = a & a >> 1;
    if (c->wilds >= 1) starts |= (a & b >> 1) | (b & a >> 1);
    if (c->wilds >= 2) starts |= (a & d >> 1) | (d & a >> 1) | (b & b >> 1);
    for (starts &= 0x1fffu & ~0u << from; starts; starts &= starts - 1) {
        unsigned s = gd_lowest(starts);
        const gd_pattern_row *row = &gd_plate_rows[(a >> s & 3u) | (b >> s & 3u) << 2 | (d >> s & 3u) << 4];
        out = write_row(out, KIND(GD_PLATE, 6) | sequence_key(s), row, gd_plate_patterns, 0, c->wilds);
    }
    return out;
}

/* Straights of five naturals that cannot be mixed: every card that the hand has in the window is of one suit. */
static uint32_t one_suited_windows(const ctx *c)
{
    uint64_t flushes = gd_flush_windows(c->hand->one, 0), p = gd_places(c->hand->one);
    uint32_t out = 0;
    for (; flushes; flushes &= flushes - 1) {
        unsigned bit = gd_lowest(flushes), start = bit & 15u;
        if (gd_bits(p >> start & (31u * GD_LANES)) == 5) out |= 1u << start;
    }
    return out;
}

static gd_play *write_straights(const ctx *c, gd_play *out, unsigned from)
{
    uint32_t p = places(c, 1), pair = p & p >> 1, whole = pair & pair >> 2 & p >> 4;
    uint32_t flush_only = whole && !(c->rules & GD_SUITED_PLAIN) ? one_suited_windows(c) : 0;
    if (c->wilds == 0) {
        for (uint32_t s = whole & ~flush_only & 0x3ffu & ~0u << from; s; s &= s - 1)
            *out++ = KIND(GD_STRAIGHT, 5) | sequence_key(gd_lowest(s));
        return out;
    }
    for (unsigned s = from; s < 10; s++) {
        const gd_pattern_row *row = &gd_straight_rows[~(p >> s) & 31u];
        out = write_row(out, KIND(GD_STRAIGHT, 5) | sequence_key(s), row, gd_straight_patterns, flush_only >> s & 1,
                        c->wilds);
    }
    return out;
}

static gd_play *write_flushes(const ctx *c, gd_play *out, uint64_t windows)
{
    uint64_t p = gd_places(c->hand->one), within[3]; /* [w]: the windows for which w wilds are enough */
    for (unsigned w = 0; w < c->wilds; w++) within[w] = gd_flush_windows(c->hand->one, w);
    within[c->wilds] = windows;
    uint64_t starts = (windows | windows >> 16 | windows >> 32 | windows >> 48) & 0x3ffu;
    for (; starts; starts &= starts - 1) {
        unsigned s = gd_lowest(starts);
        uint32_t base = KIND(GD_STRAIGHT_FLUSH, 5) | sequence_key(s);
        if (!c->wilds) {
            for (uint64_t left = windows >> s & GD_LANES; left; left &= left - 1) *out++ = base | gd_lowest(left) << 11;
            continue;
        }
        for (unsigned w = 0; w <= c->wilds; w++)
            for (uint64_t left = within[w] >> s & GD_LANES; left; left &= left - 1) {
                unsigned lane = gd_lowest(left);
                const gd_pattern_row *row = &gd_straight_rows[~(p >> (lane + s)) & 31u];
                unsigned first = w ? row->upto[w - 1] : 0;
                out = write_row(out, base | lane << 11, row, gd_straight_patterns, first, w);
            }
    }
    return out;
}

static inline int joker_bomb(const gd_hand *hand)
{
    return (hand->counts >> (4 * GD_SMALL_JOKER) & 0xffu) == 0x22u; /* two of each */
}

/* Does the hand hold k naturals of a suited rank, 1 <= k <= 8? Which, gd_ranks_with tells at more cost. */
static inline int holds_equal(const gd_hand *hand, unsigned k)
{
    return (gd_nibbles_from(hand->counts, k) & GD_NIBBLES >> 12) != 0;
}

/* Bombs of naturals of a hand without wilds. */
static inline gd_play *write_bombs_without_wilds(const ctx *c, gd_play *out)
{
    for (unsigned size = 4; size <= 8 && holds_equal(c->hand, size); size++) {
        uint32_t any = by_power(gd_ranks_with(c->hand, size) & SUITED, c->level);
        for (; any; any &= any - 1) *out++ = KIND(GD_BOMB, size) | c->key[gd_lowest(any)];
    }
    return out;
}

/* Bombs of equal cards, size after size. Most hands that have any have one rank or two for them: ranks are read by twos, and
 * what a rank gives to a size is written without a branch. */
static inline gd_play *write_bombs_of_ranks(const ctx *c, gd_play *out)
{
    if (!c->wilds) return write_bombs_without_wilds(c, out);
    int n = 0, most = 0, ways = (int)c->wilds + 1;
    struct {
        uint32_t key;
        int upto; /* the size that the rank reaches with all wilds, 0 behind the last rank */
    } at[14];
    uint32_t any = by_power(gd_ranks_with(c->hand, 4 - c->wilds) & SUITED, c->level);
    for (; any; n += 2)
        for (int i = n; i < n + 2; i++, any &= any - 1) {
            at[i].key = c->key[gd_lowest(any | BEHIND)];
            at[i].upto = any ? (int)(gd_count(c->hand, at[i].key >> 6 & 15u) + c->wilds) : 0;
            most = at[i].upto > most ? at[i].upto : most;
        }
    if (most > 8 && !(c->rules & GD_NINE_AND_TEN)) most = 8;
    for (int size = 4; size <= most; size++)
        for (int i = 0; i < n; i++) {
            int k = at[i].upto - size + 1; /* plays: with as many wilds as the size lacks, up to all of them */
            k = k < 0 ? 0 : k < ways ? k : ways;
            uint32_t code = (KIND(GD_BOMB, size) | at[i].key) + WILDS(ways - k);
            for (unsigned w = 0; w < 3; w++) out[w] = code + WILDS(w);
            out += k;
        }
    return out;
}

/* Straight flushes, bombs and the joker bomb. */
static NOINLINE gd_play *write_bombs(const gd_hand *hand, unsigned level, unsigned rules, gd_play *out)
{
    const ctx c = look_at(hand, level, rules);
    uint64_t windows = gd_flush_windows(hand->one, c.wilds);
    if (windows) out = write_flushes(&c, out, windows);
    out = write_bombs_of_ranks(&c, out);
    if (joker_bomb(hand)) *out++ = KIND(GD_JOKER_BOMB, 4);
    return out;
}

static NOINLINE gd_play *write_leads(const gd_hand *hand, unsigned level, unsigned rules, gd_play *out)
{
    ctx c = look_at(hand, level, rules);
    count_ranks(&c, 1, 3);
    out = write_singles(&c, out, 0);
    out = write_pairs(&c, out, 0);
    out = write_triples(&c, out, 0);
    out = write_tubes(&c, out, 0);
    out = write_full_houses(&c, out, 0);
    out = write_plates(&c, out, 0);
    return write_straights(&c, out, 0);
}

/* Answers of their own kind to what is no bomb. */
static NOINLINE gd_play *write_answers(const gd_hand *hand, unsigned level, unsigned rules, gd_play to_beat,
                                       gd_play *out)
{
    ctx c = look_at(hand, level, rules);
    unsigned above = gd_power(to_beat) + 1;
    switch (gd_kind_of(to_beat)) {
    case GD_SINGLE: count_for(&c, 1, 1); return write_singles(&c, out, above);
    case GD_PAIR: count_for(&c, 2, 2); return write_pairs(&c, out, above);
    case GD_TRIPLE: count_for(&c, 3, 3); return write_triples(&c, out, above);
    case GD_TUBE: count_ranks(&c, 1, 2); return write_tubes(&c, out, above);
    case GD_FULL_HOUSE: count_for(&c, 2, 3); return write_full_houses(&c, out, above);
    case GD_PLATE: count_ranks(&c, 1, 3); return write_plates(&c, out, above);
    default: count_for(&c, 1, 1); return write_straights(&c, out, above);
    }
}

/* The same of a hand without wilds to a single, pair or triple, which is most of all answers: as many of any higher rank. */
static inline gd_play *write_set_answers(const gd_hand *hand, unsigned level, gd_play to_beat, gd_play *out)
{
    unsigned size = gd_kind_of(to_beat); /* their numbers are their sizes */
    uint32_t powers = by_power(gd_ranks_with(hand, size), level) & ~1u << gd_power(to_beat);
    return write_keys(out, KIND(size, size), gd_key_bits[level], powers);
}

/* Could the hand hold a bomb? What costs least to see first: most hands hold none. */
static inline int may_bomb(const gd_hand *hand)
{
    unsigned wilds = gd_wilds_held(hand);
    return holds_equal(hand, 4 - wilds) || joker_bomb(hand) || gd_flush_windows(hand->one, wilds);
}

unsigned gd_list_common(const gd_hand *hand, unsigned level, gd_play to_beat, unsigned rules, gd_play *out)
{
    gd_play *end = out;
    if (to_beat == GD_PASS) return (unsigned)(write_leads(hand, level, rules, end) - out);
    *end++ = GD_PASS;
    if (gd_kind_of(to_beat) <= GD_TRIPLE && !gd_wilds_held(hand))
        end = write_set_answers(hand, level, to_beat, end);
    else if (!gd_is_bomb(to_beat))
        end = write_answers(hand, level, rules, to_beat, end);
    return (unsigned)(end - out);
}

unsigned gd_list_bombs(const gd_hand *hand, unsigned level, unsigned rules, gd_play *out)
{
    return may_bomb(hand) ? (unsigned)(write_bombs(hand, level, rules, out) - out) : 0;
}

unsigned gd_list_plays(const gd_hand *hand, unsigned level, gd_play to_beat, unsigned rules, gd_play *out)
{
    unsigned n = gd_list_common(hand, level, to_beat, rules, out);
    return n + gd_bombs_over(to_beat, out + n, gd_list_bombs(hand, level, rules, out + n));
}
