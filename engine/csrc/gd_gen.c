#include "gd_gen.h"

#include "gd_tables.h"

#define KIND(k, size) ((uint32_t)(k) << 28 | (uint32_t)(size) << 24)
#define WILDS(w) ((uint32_t)(w) << 18)

/* What the writers share. Masks over ranks become masks over powers, where a bit loop is already the order of the list. */
typedef struct {
    const gd_hand *hand;
    const uint32_t *key;  /* fields power and rank by power */
    const uint32_t *pair; /* fields of the pair of a full house by power */
    unsigned level, wilds, rules;
    uint32_t rank[4], power[4]; /* [k]: ranks, powers of which the hand has at least k naturals, 1 <= k <= 3 */
} ctx;

enum { SUITED = 0x1fff, LEVEL_BIT = 1 << GD_LEVEL_POWER };

/* Mask over ranks to mask over powers: the level moves above A. */
static inline uint32_t by_power(uint32_t ranks, unsigned level)
{
    uint32_t suited = ranks & SUITED, below = suited & ((1u << level) - 1u);
    return below | (suited >> (level + 1)) << level | (suited >> level & 1u) << GD_LEVEL_POWER | (ranks & 0x6000u);
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
        if (!c->rank[k]) return; /* nor is there any rank held more often */
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

/* Singles, pairs, triples and bombs: `m[w]` is where the kind can be made with w wilds. `from`: least power. */
static inline gd_play *write_sets(const ctx *c, gd_play *out, uint32_t kind, const uint32_t m[3], unsigned from)
{
    uint32_t least = ~0u << from;
    if (!c->wilds) {
        for (uint32_t any = m[0] & least; any; any &= any - 1) *out++ = kind | c->key[gd_lowest(any)];
        return out;
    }
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

/* Plays are written in blocks of a fixed length, which turn into a few vector stores; what is written behind the end of the
 * list is overwritten or never read. GD_MAX_PLAYS leaves room for a block. */
enum { BLOCK = 16 };

/* The pairs that go with a triple, as code fragments; `mask` keeps their powers to find the triple's own rank. */
typedef struct {
    uint32_t fragment[2 * BLOCK];
    uint32_t mask;
    unsigned n;
} kickers;

static inline void list_kickers(const ctx *c, uint32_t mask, unsigned wilds, kickers *k)
{
    k->mask = mask;
    k->n = 0;
    for (; mask; mask &= mask - 1)
        k->fragment[k->n++] = c->pair[gd_lowest(mask)] | (uint32_t)wilds << 14 | WILDS(wilds);
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

static gd_play *write_flushes(const ctx *c, gd_play *out, uint64_t windows, unsigned from)
{
    uint64_t p = gd_places(c->hand->one);
    uint64_t starts = (windows | windows >> 16 | windows >> 32 | windows >> 48) & 0x3ffu & ~(uint64_t)0 << from;
    for (; starts; starts &= starts - 1) {
        unsigned s = gd_lowest(starts);
        uint32_t base = KIND(GD_STRAIGHT_FLUSH, 5) | sequence_key(s);
        unsigned suits = gd_suits_of(windows, s);
        for (unsigned w = 0; w <= c->wilds; w++)
            for (unsigned left = suits; left; left &= left - 1) {
                unsigned suit = gd_lowest(left);
                const gd_pattern_row *row = &gd_straight_rows[~(p >> (16 * suit + s)) & 31u];
                unsigned first = w ? row->upto[w - 1] : 0;
                out = write_row(out, base | (uint32_t)suit << 15, row, gd_straight_patterns, first, w);
            }
    }
    return out;
}

/* Bombs of equal cards, size after size: of `grade` (twice the size) from power `next` on, and all larger. */
static gd_play *write_bombs_of_ranks(ctx *c, gd_play *out, unsigned grade, unsigned next)
{
    uint32_t have[11] = {0}; /* [k]: powers with k naturals or more */
    unsigned most = 3 - c->wilds;
    for (unsigned k = most + 1; k <= 8; k++) {
        uint32_t ranks = gd_ranks_with(c->hand, k) & SUITED;
        if (!ranks) break;
        have[k] = by_power(ranks, c->level);
        most = k;
    }
    unsigned largest = most + c->wilds;
    if (largest > 8 && !(c->rules & GD_NINE_AND_TEN)) largest = 8;
    for (unsigned size = grade > 8 ? (grade + 1) / 2 : 4; size <= largest; size++) {
        uint32_t m[3] = {have[size], c->wilds > 0 ? have[size - 1] : 0, c->wilds > 1 ? have[size - 2] : 0};
        out = write_sets(c, out, KIND(GD_BOMB, size), m, 2 * size == grade ? next : 0);
    }
    return out;
}

/* Straight flushes, bombs and the joker bomb that beat `over`, a bomb of any class or 0 for all of them. */
static inline gd_play *write_bombs(ctx *c, gd_play *out, gd_play over)
{
    unsigned strength = over ? gd_bomb_strength(over) : 0, grade = strength >> 4, next = (strength & 15u) + 1;
    uint64_t windows = grade <= 11 ? gd_flush_windows(c->hand->one, c->wilds) : 0;
    if (windows) out = write_flushes(c, out, windows, grade < 11 ? 0 : next);
    if (gd_ranks_with(c->hand, 4 - c->wilds) & SUITED) out = write_bombs_of_ranks(c, out, grade, next);
    if (grade < 31 && (c->hand->counts >> (4 * GD_SMALL_JOKER) & 0xffu) == 0x22u) /* two of each joker */
        *out++ = KIND(GD_JOKER_BOMB, 4);
    return out;
}

unsigned gd_list_plays(const gd_hand *hand, unsigned level, gd_play to_beat, unsigned rules, gd_play *out)
{
    ctx c = look_at(hand, level, rules);
    gd_play *end = out;
    if (to_beat == GD_PASS) {
        count_ranks(&c, 1, 3);
        end = write_singles(&c, end, 0);
        end = write_pairs(&c, end, 0);
        end = write_triples(&c, end, 0);
        end = write_tubes(&c, end, 0);
        end = write_full_houses(&c, end, 0);
        end = write_plates(&c, end, 0);
        end = write_straights(&c, end, 0);
        return (unsigned)(write_bombs(&c, end, 0) - out);
    }
    unsigned above = gd_power(to_beat) + 1;
    *end++ = GD_PASS;
    switch (gd_kind_of(to_beat)) {
    case GD_SINGLE:
        count_for(&c, 1, 1);
        end = write_singles(&c, end, above);
        break;
    case GD_PAIR:
        count_for(&c, 2, 2);
        end = write_pairs(&c, end, above);
        break;
    case GD_TRIPLE:
        count_for(&c, 3, 3);
        end = write_triples(&c, end, above);
        break;
    case GD_TUBE:
        count_ranks(&c, 1, 2);
        end = write_tubes(&c, end, above);
        break;
    case GD_FULL_HOUSE:
        count_for(&c, 2, 3);
        end = write_full_houses(&c, end, above);
        break;
    case GD_PLATE:
        count_ranks(&c, 1, 3);
        end = write_plates(&c, end, above);
        break;
    case GD_STRAIGHT:
        count_for(&c, 1, 1);
        end = write_straights(&c, end, above);
        break;
    default: return (unsigned)(write_bombs(&c, end, to_beat) - out);
    }
    return (unsigned)(write_bombs(&c, end, 0) - out);
}
