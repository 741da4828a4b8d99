/* guandan_strategy.h - the interface between the engine and a native strategy.
 *
 * This is the one header that an author of a strategy in C, C++, Rust or numba compiles against. It needs nothing but
 * stdint.h; everything a strategy calls is either inline here or reached through `view->api`, so a strategy is linked
 * against nothing of ours. The strategies that ship with the project use it in the same way.
 *
 * A strategy is a `gd_strategy`. The engine calls it only where there is a choice (two or more legal answers). The view
 * holds what one seat may know and no more: own cards, the cards already played, how many cards each seat has left, the
 * play to beat, the state of the match. It carries no seed and no deal id. Pointers in it are valid during the call.
 */
#ifndef GUANDAN_STRATEGY_H
#define GUANDAN_STRATEGY_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Raised whenever a layout below changes; the engine refuses a strategy built for another number. */
#define GD_STRATEGY_ABI 2u

/* ---- words -------------------------------------------------------------------------------------------------------
 * seat   0..3 in playing order; partner = seat ^ 2; side = seat & 1.
 * rank   0..12 = 2..A, 13 small joker, 14 big joker.
 * suit   0 S, 1 H, 2 C, 3 D.
 * card   4 * rank + suit for suited cards, 52 small joker, 53 big joker.
 * level  rank of the level card, 0..12. The wild is the heart of the level.
 * power  0..14: how a rank compares in this deal: 2..A without the level, then 12 the level, 13 and 14 the jokers.
 *        In sequences power is the place of the lowest card instead: 0 ace-low, 1 from the 2, ... (level rank has no weight).
 */
enum { GD_SMALL_JOKER = 13, GD_BIG_JOKER = 14, GD_CARDS = 54, GD_LEVEL_POWER = 12 };

/* The ten kinds (牌型) in the order in which plays are listed. */
enum gd_kind {
    GD_PASS = 0,           /* 过牌 */
    GD_SINGLE = 1,         /* 单张 */
    GD_PAIR = 2,           /* 对子 */
    GD_TRIPLE = 3,         /* 三同张 */
    GD_TUBE = 4,           /* 三连对 */
    GD_FULL_HOUSE = 5,     /* 三带对 */
    GD_PLATE = 6,          /* 三同连张, 钢板 */
    GD_STRAIGHT = 7,       /* 顺子 */
    GD_STRAIGHT_FLUSH = 8, /* 同花顺 */
    GD_BOMB = 9,           /* 炸弹 */
    GD_JOKER_BOMB = 10     /* 四大天王 */
};

/* ---- plays -------------------------------------------------------------------------------------------------------
 * A play with its suits left open (a *shape*) is one number; a list of shapes is ascending by that number:
 *   31..28 kind | 27..24 size | 23..20 power | 19..18 wilds used | 17..10 detail | 9..6 rank | 5..2 pair rank | 1..0 zero
 * rank: of the single, pair, triple, bomb or the triple of a full house; lowest rank of a sequence (12 = ace-low).
 * detail: FULL_HOUSE wilds in the pair (2 bits), power of the pair (4 bits); TUBE and PLATE wilds at each place, 2 bits a
 * place from the lowest; STRAIGHT places filled by wilds, 5 bits; STRAIGHT_FLUSH suit (2 bits), places (5 bits).
 * PASS is 0.
 */
typedef uint32_t gd_play;

static inline unsigned gd_kind_of(gd_play p) { return p >> 28; }
static inline unsigned gd_size(gd_play p) { return (p >> 24) & 15u; }
static inline unsigned gd_power(gd_play p) { return (p >> 20) & 15u; }
static inline unsigned gd_wilds(gd_play p) { return (p >> 18) & 3u; }
static inline unsigned gd_detail(gd_play p) { return (p >> 10) & 255u; }
static inline unsigned gd_rank(gd_play p) { return (p >> 6) & 15u; }
static inline unsigned gd_pair_rank(gd_play p) { return (p >> 2) & 15u; }

/* Is it a bomb of any class: straight flush, bomb, joker bomb? */
static inline int gd_is_bomb(gd_play p) { return gd_kind_of(p) >= GD_STRAIGHT_FLUSH; }

/* Order of two plays of the bomb classes: four jokers > six and more > straight flush > five > four; then power. */
static inline unsigned gd_bomb_strength(gd_play p)
{
    unsigned kind = gd_kind_of(p);
    unsigned grade = kind == GD_JOKER_BOMB ? 31u : kind == GD_STRAIGHT_FLUSH ? 11u : 2u * gd_size(p);
    return grade << 4 | gd_power(p);
}

/* Does `p` beat `over`? Both made in the same deal, neither PASS. Equal never beats; kinds do not mix but for bombs. */
static inline int gd_beats(gd_play p, gd_play over)
{
    if (gd_is_bomb(p)) return !gd_is_bomb(over) || gd_bomb_strength(p) > gd_bomb_strength(over);
    return gd_kind_of(p) == gd_kind_of(over) && gd_power(p) > gd_power(over);
}

/* ---- cards -------------------------------------------------------------------------------------------------------
 * A hand. counts: 16 nibbles, cards of each rank 0..14, in nibble 15 the wilds (which are not counted at their rank).
 * one, two: four lanes of 16 bits, one a suit; bit `rank` says that the hand holds at least one (both) of that card.
 * Jokers lie in lane 0. Wilds are in neither lane.
 */
typedef struct gd_hand {
    uint64_t counts, one, two;
} gd_hand;

static inline unsigned gd_count(const gd_hand *h, unsigned rank) { return (unsigned)(h->counts >> (4 * rank)) & 15u; }
static inline unsigned gd_wilds_held(const gd_hand *h) { return (unsigned)(h->counts >> 60); }

/* The lowest bits of sixteen nibbles, of which the others are 0, gathered. */
static inline uint32_t gd_of_nibbles(uint64_t x)
{
    x = (x | x >> 3) & 0x0303030303030303u;
    x = (x | x >> 6) & 0x000f000f000f000fu;
    x = (x | x >> 12) & 0x000000ff000000ffu;
    return (uint32_t)(x | x >> 24) & 0xffffu;
}

/* Ranks 0..14 (one bit each) of which the hand holds at least k natural cards, 1 <= k <= 8. */
static inline uint32_t gd_ranks_with(const gd_hand *h, unsigned k)
{
    /* Adding 8 - k to a nibble raises its top bit just where it held k or more. */
    return gd_of_nibbles((h->counts + (8 - k) * 0x1111111111111111u) >> 3 & 0x1111111111111111u) & 0x7fffu;
}

/* Ranks as places in a sequence: bit 0 the ace-low, bit p the rank p - 1. Jokers drop out. */
static inline uint32_t gd_places_of(uint32_t ranks) { return (ranks & 0x1fffu) << 1 | (ranks >> 12 & 1u); }

/* A multiset of cards as two lane planes like those of a hand, wilds included at their printed place. */
typedef struct gd_cards {
    uint64_t one, two;
} gd_cards;

/* ---- random numbers ----------------------------------------------------------------------------------------------
 * One keyed stream a seat and deal (xoroshiro128++, Blackman and Vigna 2019). A strategy draws from nothing else.
 */
typedef struct gd_stream {
    uint64_t s[2];
} gd_stream;

static inline uint64_t gd_random64(gd_stream *r)
{
    uint64_t a = r->s[0], b = r->s[1], sum = a + b, out = (sum << 17 | sum >> 47) + a;
    b ^= a;
    r->s[0] = (a << 49 | a >> 15) ^ b ^ (b << 21);
    r->s[1] = b << 28 | b >> 36;
    return out;
}

/* Uniform in 0..n-1, n >= 1, exact (Lemire 2019, rejection of the short interval). */
static inline uint32_t gd_random_below(gd_stream *r, uint32_t n)
{
    uint64_t m = (gd_random64(r) >> 32) * n;
    if ((uint32_t)m < n) {
        uint32_t floor = (0u - n) % n;
        while ((uint32_t)m < floor) m = (gd_random64(r) >> 32) * n;
    }
    return (uint32_t)(m >> 32);
}

/* ---- rules -------------------------------------------------------------------------------------------------------
 * The rule points that are in force. docs/rules.md and engine/rules.py name, cite and check each.
 */
enum { GD_LEVEL_A = 12, GD_SAFETY_CAP = 200 /* deals of a match, technical */ };

/* What may be played: bits of gd_rules.plays. */
enum gd_play_rule {
    GD_WILD_SINGLE = 1,   /* a wild may be played alone */
    GD_WILD_PAIR_ANY = 2, /* two wilds may be called a pair of any rank but jokers */
    GD_SUITED_PLAIN = 4,  /* five naturals of one suit may be called a plain straight */
    GD_NINE_AND_TEN = 8,  /* a wild may stand for a third copy of a card: bombs of nine and ten */
    GD_NATIONAL_PLAYS = GD_WILD_SINGLE | GD_NINE_AND_TEN
};

enum gd_equal_tribute { GD_EQUAL_CLOCKWISE = 0, GD_EQUAL_UPSTREAM = 1, GD_EQUAL_SMALLER_RETURN_LEADS = 2 };
enum gd_last_is_partner { GD_LAST_PAYS = 0, GD_THIRD_PAYS = 1, GD_NOBODY_PAYS = 2 };
enum gd_first_lead { GD_LEAD_UNIFORM = 0, GD_LEAD_TURNED_CARD = 1, GD_LEAD_ROTATION = 2 };

typedef struct gd_rules {
    /* plays and tricks */
    uint8_t plays;           /* gd_play_rule bits */
    uint8_t wild_takes_wind; /* may a seat that is left with one wild take the lead by wind */
    uint8_t wind_to_next;    /* the wind goes to the next seat instead of the partner (下家接风) */
    /* promotion and A */
    uint8_t steps[3];          /* levels for finishing 1-2, 1-3, 1-4 */
    uint8_t a_plus;            /* levels beyond A win at once; from K, one step does not reach A */
    uint8_t win_on_reaching_a; /* the match ends when A is reached, not when it is passed */
    uint8_t pass_a_partner;    /* worst place (1..3, 0 = first) of the partner with which A is passed */
    uint8_t a_fail_limit;      /* failed tries that drop a side; 0: none do */
    uint8_t a_fail_own_last;   /* only deals won with the partner last count as failed */
    uint8_t a_drop_level;      /* rank to which it drops */
    uint8_t ace_last_play;     /* the declarer who goes out with aces at its own A drops at once */
    /* tribute */
    uint8_t tribute;             /* is it paid at all */
    uint8_t last_is_partner;     /* enum gd_last_is_partner: who pays when the first's partner is last */
    uint8_t receiver_chooses;    /* of equal greatest cards the receiver takes one, not the payer */
    uint8_t double_by_seat;      /* both payers give to the seat before them, whatever the cards */
    uint8_t larger_payer_leads;  /* after a double tribute; else the one who pays the first */
    uint8_t equal_tribute;       /* enum gd_equal_tribute */
    uint8_t return_level_card;   /* may a level card printed ten or lower be returned */
    uint8_t refuse_small;        /* two small jokers refuse tribute as well */
    uint8_t payer_leads_refused; /* after a refusal the payer leads (of two, the seat after the first), not the first */
    /* the match */
    uint8_t first_lead;     /* enum gd_first_lead */
    uint8_t start_level[2]; /* level of seats 0,2 and of seats 1,3 at the start */
    uint8_t tie_break;      /* equal levels at a limit: one more deal at 2, without tribute, until the first is out */
    uint8_t seconds[4];     /* time model: a deal (shuffling, exchange), a lead, an answer, a pass */
    uint16_t limit_deals;   /* deals after which the higher level wins; 0: none */
    uint16_t limit_minutes; /* a deal begun within this time is finished, none is begun after it; 0: none */
} gd_rules;

/* ---- what a seat may know ---------------------------------------------------------------------------------------- */
/* Tribute (进贡), return (还贡) and refusal (抗贡) of a deal, as far as all have seen it: cards given appear when all have
 * paid, cards returned when all have returned. */
enum gd_tribute_kind {
    GD_TRIBUTE_NONE = 0,
    GD_TRIBUTE_SINGLE = 1,
    GD_TRIBUTE_DOUBLE = 2,
    GD_SINGLE_REFUSED = 3,
    GD_DOUBLE_REFUSED = 4
};

typedef struct gd_tribute {
    uint8_t kind;     /* enum gd_tribute_kind */
    uint8_t n;        /* payers: 0, 1, 2 */
    uint8_t payer[2]; /* [i] gives to receiver[i]; receiver[0] is the first of the last deal */
    uint8_t receiver[2];
    int8_t given[2], returned[2]; /* card ids, -1 */
} gd_tribute;

/* One play or pass of the deal. */
typedef struct gd_step {
    gd_cards cards;
    gd_play shape;
    uint8_t seat;
    uint8_t pad[3]; /* 0 */
} gd_step;

enum { GD_MAX_STEPS = 432 }; /* each of 108 cards is a play of its own, with three passes behind it */

/* How a deal can end for a seat: which side is first, and the place of the partner of the first. */
enum gd_result {
    GD_WE_SECOND = 0,
    GD_WE_THIRD = 1,
    GD_WE_LAST = 2,
    GD_THEY_SECOND = 3,
    GD_THEY_THIRD = 4,
    GD_THEY_LAST = 5
};

struct gd_view;

typedef struct gd_api {
    /* In how many ways can the cards of this shape be taken from the hand? At least 1 for a listed shape. */
    uint32_t (*suit_choices)(const struct gd_view *view, gd_play shape);
    /* Which of view->plays does entry `index` of *all* belong to? GD_LIST_ALL only. */
    uint32_t (*shape_at)(const struct gd_view *view, uint32_t index);
    /* The cards of choice number `choice` (0 <= choice < suit_choices), in the order in which *all* lists them. */
    gd_cards (*cards)(const struct gd_view *view, gd_play shape, uint32_t choice);
    /* Chance, in millionths, that the own side wins the match if this deal ends so: a model of two equal sides under the
     * rules in force, with levels, declarer, failed tries and deals left (engine/csrc/gd_value.h). */
    int32_t (*value)(const struct gd_view *view, enum gd_result result);
} gd_api;

typedef struct gd_view {
    const gd_api *api;
    const int32_t *parameters; /* of the strategy that is asked, in its own order */
    gd_stream *random;
    const gd_play *plays; /* legal shapes, list order; PASS first when following. In play only. */
    const uint32_t
        *starts; /* GD_LIST_ALL only, in play: entry starts[i] of *all* is the first of plays[i]; starts[n] in all */
    const uint8_t *options;  /* card ids to choose from, ascending by power. In tribute and return only. */
    const gd_hand *hand;     /* own cards */
    const uint8_t *left;     /* [4] cards each seat holds */
    const gd_cards *gone;    /* cards played in this deal by anybody */
    const gd_step *steps;    /* [n_steps] every play and pass of this deal, in order */
    const gd_tribute *shown; /* tribute of this deal as all have seen it */
    const gd_rules *rules;
    uint32_t n; /* number of plays or options */
    uint32_t n_steps;
    gd_play to_beat; /* PASS when leading */
    int8_t holder;   /* seat whose play is to be beaten, -1 when leading */
    uint8_t seat, level;
    uint8_t first_ends;   /* the deal is over as soon as one seat is out (tie-break) */
    uint8_t levels[2];    /* rank each side stands at */
    int8_t declarer;      /* side that won the deal before, -1 in the first */
    uint8_t a_fails[2];   /* failed tries at A that count under the rules */
    uint8_t order[4];     /* finishing order of the deal before, tied losers ascending; zeros in the first */
    uint16_t deal;        /* number of the deal in the match, from 1 */
    uint16_t deals_left;  /* deals that the match can still have, this one included; 0: no limit of deals */
    int32_t seconds_left; /* of the time limit, before this deal; -1: no limit of time */
} gd_view;

/* ---- a strategy --------------------------------------------------------------------------------------------------
 * play answers with an index: into view->plays (GD_LIST_SHAPES; the engine then picks suits so that straight flushes
 * stay whole where they can), or into the list of *all* plays (GD_LIST_ALL), which is view->plays with every shape
 * replaced by its suit_choices. tribute and return_tribute answer with an index into view->options. Any other number is
 * a fault. A decision is a function of what the view shows and of view->random: a strategy keeps nothing between calls,
 * which may come from several threads at once.
 */
enum { GD_LIST_SHAPES = 0, GD_LIST_ALL = 1 };

/* What a strategy answers that cannot answer: it is recorded as having failed by itself, or for want of memory. */
#define GD_NO_ANSWER UINT32_MAX
#define GD_NO_MEMORY (UINT32_MAX - 1u)

/* A setting, written NAME=VALUE behind the strategy's name. */
typedef struct gd_parameter {
    const char *name;
    int32_t least, most;
    const char *zh, *en; /* one line each */
} gd_parameter;

typedef struct gd_strategy {
    uint32_t abi;           /* GD_STRATEGY_ABI */
    uint32_t list;          /* GD_LIST_SHAPES or GD_LIST_ALL */
    uint32_t deterministic; /* 1: never draws from view->random */
    uint32_t observed;      /* 1: answers may depend on more than view and stream (a clock, a device, a socket) */
    const char *name;
    const char *zh, *en; /* one line of description each, or NULL */
    uint32_t n_parameters;
    uint32_t reserved;              /* 0 */
    const gd_parameter *parameters; /* [n_parameters] */
    const int32_t *values;          /* [n_parameters] what view->parameters shows: here the defaults */
    uint32_t (*play)(const gd_view *view);
    uint32_t (*tribute)(const gd_view *view);        /* 进贡 */
    uint32_t (*return_tribute)(const gd_view *view); /* 还贡 */
    /* Optional, for advice: a score for each of the n answers (shapes, entries of *all*, or options), higher is better. */
    void (*rank)(const gd_view *view, int32_t *scores);
} gd_strategy;

/* Name of the capsule by which a Python extension hands over a `const gd_strategy *`. */
#define GD_STRATEGY_CAPSULE "guandan.strategy"

#ifdef __cplusplus
}
#endif
#endif
