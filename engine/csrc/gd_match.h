/* The match (一轮) around the deals: levels, promotion (升级), passing A (过A), the end; and the tribute between deals. */
#ifndef GD_MATCH_H
#define GD_MATCH_H

#include "gd_cards.h"

enum gd_match_end {
    GD_RUNNING = -1,
    GD_PASSED_A = 0,
    GD_DEAL_LIMIT = 1,
    GD_SAFETY_END = 2,
    GD_TIME_LIMIT = 3,
    GD_TIE_BREAK = 4,
    GD_BOARD_END = 5, /* the one deal of a board did not win a match */
    GD_FORFEIT = 6    /* by too many faults */
};
enum gd_attempt { GD_NO_ATTEMPT = 0, GD_A_PASSED = 1, GD_A_DEAL_LOST = 2, GD_A_PARTNER_LAST = 3 };

typedef struct gd_match {
    uint8_t level[2];   /* rank each side stands at */
    int8_t declarer;    /* side that won the deal before, -1 before the first */
    uint8_t fails[2];   /* failed tries at A that count under the rules, cleared by a drop */
    uint16_t failed[2]; /* failed tries at A in the match, under any rules */
    uint16_t tried[2];  /* tries at A in the match */
    uint16_t deals;     /* deals finished */
    uint8_t order[4];   /* finishing order of the last of them */
    int8_t judged;      /* seat whose fault was judged in the last of them, -1: none */
    uint8_t tie_break;  /* the next deal breaks the tie */
    uint8_t board;      /* one deal from a given context: it ends with that */
    uint32_t seconds;   /* time used, by the time model */
    int8_t end;         /* enum gd_match_end */
    int8_t winner;      /* side, -1 while running or drawn */
} gd_match;

/* Where a board (one deal from a given context) starts. Sides are those of seats 0, 2 and of seats 1, 3. All members are
 * single bytes: the binding takes the record as it lies here. */
typedef struct gd_context {
    uint8_t level[2]; /* rank each side stands at */
    uint8_t is_first; /* there was no deal before: no declarer, no tribute */
    uint8_t order[4]; /* finishing order of the deal before, tied losers ascending; zeros where there was none */
    uint8_t fails[2]; /* failed tries at A that count; more than the rules can hold are taken as the most they hold */
    int8_t lead;      /* seat that leads, -1: as the rules decide */
    uint8_t exchange; /* 0: no tribute, whatever the rules */
} gd_context;

/* `context` is NULL for a match from its start; else the match is a board: it ends with its one deal, and no limit of
 * the rules acts on it. */
void gd_match_begin(gd_match *m, const gd_rules *rules, const gd_context *context);

/* What is wrong with a context that no match can reach, as a phrase; NULL for one that can be. */
const char *gd_context_fault(const gd_context *context);

/* Rank at which the next deal is played: that of the side which won the last. */
static inline unsigned gd_match_level(const gd_match *m)
{
    if (m->tie_break) return 0;
    if (m->declarer >= 0) return m->level[m->declarer];
    return m->level[m->level[1] > m->level[0]]; /* the first deal: the higher start level */
}

typedef struct gd_score {
    uint8_t winner;  /* side of the first */
    uint8_t steps;   /* levels earned, before any cap */
    uint8_t attempt; /* enum gd_attempt: what became of the declarer's try at its own A */
} gd_score;

/* How a deal ended. */
typedef struct gd_outcome {
    uint8_t order[4];
    uint8_t aces;     /* mask of seats that went out with aces at level A */
    int8_t judged;    /* seat for whose fault it was judged, -1: it stands as played */
    uint32_t seconds; /* by the time model */
} gd_outcome;

/* Enter a deal. */
gd_score gd_match_score(gd_match *m, const gd_rules *rules, const gd_outcome *deal);

/* The order of a deal that is judged a double-down against the side of `offender`. */
void gd_judged_order(unsigned offender, uint8_t order[4]);

/* Move the offender to the last place of a complete order; those behind it move up. */
void gd_judged_last_order(unsigned offender, uint8_t order[4]);

/* ---- tribute 进贡, return 还贡, refusal 抗贡 ---------------------------------------------------------------------- */
/* Who owes tribute after `order` and whether the hands refuse it. Payers stand in the order in which they are asked:
 * the last, then the third. */
gd_tribute gd_tribute_due(const gd_rules *rules, const uint8_t order[4], const gd_cards hands[4]);

/* Both have paid: pair payers with receivers, so that payer[0] pays the first. */
void gd_tribute_pair(gd_tribute *t, const gd_rules *rules, const uint8_t order[4], unsigned level);

/* Who leads after the exchange. */
unsigned gd_tribute_leader(const gd_tribute *t, const gd_rules *rules, const uint8_t order[4], unsigned level);

/* Cards that may be paid (the most powerful but the wild) or returned (printed ten or lower and no level card; the
 * weakest where there is none): ids ascending by power, at most 54. Returns their number, at least 1. */
unsigned gd_tribute_options(gd_cards hand, unsigned level, uint8_t *ids);
unsigned gd_return_options(const gd_rules *rules, gd_cards hand, unsigned level, uint8_t *ids);

/* Move one copy of a card. */
void gd_move_card(gd_cards *from, gd_cards *to, unsigned card);

#endif
