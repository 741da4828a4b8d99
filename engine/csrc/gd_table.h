/* A table: one match as a resumable state machine. It waits for one decision at a time and serves native strategies,
 * callers that decide elsewhere, and replay alike. */
#ifndef GD_TABLE_H
#define GD_TABLE_H

#include <assert.h>

#include "gd_deal.h"
#include "gd_gen.h"
#include "gd_rng.h"
#include "gd_value.h"

enum gd_ask {
    GD_ASK_DEAL = 0,    /* no deal on the table: gd_table_deal begins the next */
    GD_ASK_TRIBUTE = 1, /* `seat` pays one of view.options */
    GD_ASK_RETURN = 2,  /* `seat` returns one of view.options */
    GD_ASK_PLAY = 3,    /* `seat` plays one of view.plays */
    GD_DEAL_OVER = 4,   /* the order stands: gd_table_score enters it */
    GD_MATCH_OVER = 5
};

/* What a referee gives for a fault. */
enum gd_verdict {
    GD_JUDGED_DOUBLE_DOWN = 0, /* against the side of the offender */
    GD_JUDGED_LAST = 1         /* the offender is last, the others move up */
};

/* Memory that a table works in; one may serve several tables of the same rules, one after the other. */
typedef struct gd_scratch {
    gd_play plays[GD_MAX_PLAYS];       /* the shapes to choose from */
    uint32_t starts[GD_MAX_PLAYS + 1]; /* and where their entries begin in *all* */
    gd_values *values;                 /* of these rules; the caller sets `solved` to 0 before the first use */
} gd_scratch;

/* What happens at a table, in the order in which all see it. */
enum gd_event {
    GD_MATCH_BEGINS = 0,
    GD_DEAL_BEGINS = 1,      /* the cards are dealt */
    GD_TRIBUTE_REFUSED = 2,  /* table.shown says by whom */
    GD_TRIBUTE_PAID = 3,     /* all have paid: table.shown has the cards, which have changed hands */
    GD_TRIBUTE_RETURNED = 4, /* the same for the cards returned */
    GD_STEP_MADE = 5,        /* a play or pass: the last of table.steps */
    GD_DEAL_ENDS = 6         /* the deal is scored */
};

struct gd_table;

/* Somebody who is told of it at once. `tell` returns 0, or 1 + the seat at which it failed, and then sets `why`:
 * table.broken. It must not change the table. */
typedef struct gd_watcher {
    unsigned (*tell)(struct gd_watcher *watcher, const struct gd_table *t, enum gd_event what);
    uint8_t why;
} gd_watcher;

typedef struct gd_table {
    /* What every decision needs lies together. */
    const gd_rules *rules;
    gd_scratch *scratch;          /* the caller's */
    const gd_strategy *player[4]; /* who sits where: the caller's to set; unused by the table */
    gd_watcher *watcher;          /* NULL: nobody */
    enum gd_ask ask;
    unsigned decisions; /* made in this deal, forced ones included */
    unsigned n_steps;
    uint32_t chosen;    /* a choice of suits made beside the index into shapes; GD_NO_CHOICE: the engine picks */
    uint8_t has_stream; /* mask: a stream is keyed when its seat first decides */
    uint8_t broken;     /* 1 + the seat whose watching failed first, until the caller has seen to it; 0 */
    uint8_t why;        /* that was: an enum gd_fault_reason */
    gd_play last_shape; /* what the last decision laid, for replay: PASS and no cards for a pass; in tribute one card */
    gd_cards last_cards;
    gd_deal deal;
    gd_view view;
    gd_stream streams[4];
    /* What a deal needs when it begins and ends. */
    uint64_t seed, pair;
    const gd_context *context; /* of a board; NULL: an ordinary match */
    unsigned leg;
    gd_match match;
    gd_cards dealt[4]; /* the hands before tribute */
    gd_cards cards[4]; /* the hands during tribute */
    gd_tribute tribute;
    gd_tribute shown;        /* of it what all have seen */
    unsigned lead;           /* seat that leads the first trick of the deal */
    int judged;              /* seat for whose fault the deal was judged, -1 */
    enum gd_verdict verdict; /* how, where it was judged */
    unsigned asked;          /* tribute cards paid, then returned */
    uint8_t options[GD_CARDS];
    gd_score scored; /* what the last finished deal came to */
    gd_step steps[GD_MAX_STEPS];
} gd_table;

/* Ask for the memory of a table that is needed soon; of many tables little of it lies near. */
static inline void gd_table_prefetch(const gd_table *t)
{
    for (size_t at = 0; at < offsetof(gd_table, seed); at += 64) __builtin_prefetch((const char *)t + at);
}

/* Set up a match of `leg` (1, 2) of `pair`, or a board where there is a `context`: the same seats in both legs, its cards
 * those of the first deal. `rules`, `scratch` and `context` must outlive the table. */
void gd_table_begin(gd_table *t, const gd_rules *rules, gd_scratch *scratch, uint64_t seed, uint64_t pair, unsigned leg,
                    const gd_context *context);

/* The 108 cards of a deal by seat and its first-leader number: a function of (seed, pair, deal) alone. */
uint64_t gd_deal_cards(uint64_t seed, uint64_t pair, unsigned deal, gd_cards hands[4]);

/* What the rules make of that number: the seat that leads the first deal. */
unsigned gd_first_lead(const gd_rules *rules, uint64_t number, const gd_cards hands[4]);

/* Side (0 x, 1 y) of a team, and team of a side: x sits on 0 and 2 in leg 1, on 1 and 3 in leg 2. */
static inline unsigned gd_side_of(const gd_table *t, unsigned team) { return (team & 1u) ^ (t->leg - 1u); }

/* Deal the next deal (at GD_ASK_DEAL). */
void gd_table_deal(gd_table *t);

/* Ask the seat in turn of `deal` for a play, or find the deal over: sets `ask` and the view. */
void gd_table_show(gd_table *t);

/* Answer GD_ASK_TRIBUTE or GD_ASK_RETURN with an index into view.options, less than view.n. */
void gd_table_give(gd_table *t, unsigned index);

/* Answer GD_ASK_PLAY with an index into view.plays, less than view.n, and a choice of its suits. */
void gd_table_play(gd_table *t, unsigned index, unsigned choice);

/* May the deal on the table be judged so now? Once, until it is scored; the last place only after tribute. */
int gd_table_may_judge(const gd_table *t, enum gd_verdict verdict);

/* Judge the deal on the table: it is over, and the next is played without tribute, led by the seat before the offender. */
void gd_table_judge(gd_table *t, unsigned offender, enum gd_verdict verdict);

/* Enter the finished deal (at GD_DEAL_OVER). */
gd_score gd_table_score(gd_table *t);

/* The side of seats 0, 2 (0) or 1, 3 (1) gives up the match (at GD_ASK_DEAL); nothing where it is over. */
void gd_table_forfeit(gd_table *t, unsigned team);

/* Put the present question to a strategy: number of answers in the list it chooses from. Where that is 1 there is nothing
 * to ask. Fills view.starts where the list is that of *all*. */
uint32_t gd_table_ask(gd_table *t, const gd_strategy *strategy);

/* Call the function of a strategy that answers such a question. */
uint32_t gd_strategy_answer(const gd_strategy *strategy, enum gd_ask ask, const gd_view *view);

/* Enter an answer to the question last put to it: an index into its list. */
enum gd_entered {
    GD_ENTERED = 0,
    GD_OUT_OF_RANGE = -1,    /* nothing has changed */
    GD_UNANSWERED = -2,      /* it is GD_NO_ANSWER: nothing has changed */
    GD_SHORT_OF_MEMORY = -4, /* it is GD_NO_MEMORY: nothing has changed */
    GD_BROKEN = -3,          /* entered, but a watcher failed */
    GD_ELSEWHERE = -5        /* nothing was asked: another than a native function decides */
};
int gd_table_answer(gd_table *t, const gd_strategy *strategy, uint32_t index);

/* Let a strategy make the present decision: ask where there is a choice, enter the answer. Returns as above. */
int gd_table_decide(gd_table *t, const gd_strategy *strategy);

/* What seats saw that chose a play, for whoever counts it later: [n], of one deal or some. `at` is who saw it and when:
 * 31..24 the holder of the play to beat, -1 on a lead | 18 a lead by wind | 17..16 the seat | 15..0 the step it took. */
enum { GD_MAX_SIGHTS = GD_MAX_STEPS + 248 };
typedef struct gd_sights {
    unsigned n;
    uint64_t counts[GD_MAX_SIGHTS], one[GD_MAX_SIGHTS]; /* of the hand */
    gd_play last[GD_MAX_SIGHTS];                        /* of its plays */
    gd_play first[GD_MAX_SIGHTS];                       /* of them, but for PASS */
    gd_play shape[GD_MAX_SIGHTS];                       /* it chose: gd_table_seen */
    uint32_t left[GD_MAX_SIGHTS];                       /* cards each seat held: a byte a seat, the first lowest */
    uint32_t at[GD_MAX_SIGHTS];
} gd_sights;

/* Note what the seat sees that is asked for a play. The caller leaves out those that can only pass, and begins a deal with
 * room for GD_MAX_STEPS more. */
static inline void gd_table_see(const gd_table *t, gd_sights *s)
{
    const gd_view *v = &t->view;
    const uint8_t *left = v->left;
    unsigned i = s->n++;
    assert(i < GD_MAX_SIGHTS);
    s->counts[i] = v->hand->counts;
    s->one[i] = v->hand->one;
    s->last[i] = v->plays[v->n - 1];
    s->first[i] = v->plays[v->holder >= 0];
    s->left[i] = left[0] | (uint32_t)left[1] << 8 | (uint32_t)left[2] << 16 | (uint32_t)left[3] << 24;
    s->at[i] = (uint32_t)v->holder << 24 | (uint32_t)t->deal.wind << 18 | (uint32_t)v->seat << 16 | t->n_steps;
}

/* Enter what was chosen in a deal at the sights from `begin` on, and leave out the last where it came to no step. Returns
 * how many they are. */
static inline unsigned gd_table_seen(const gd_table *t, gd_sights *s, unsigned begin)
{
    if (s->n > begin) s->n -= (s->at[s->n - 1] & 0xffffu) == t->n_steps;
    for (unsigned i = begin; i < s->n; i++) s->shape[i] = t->steps[s->at[i] & 0xffffu].shape;
    return s->n - begin;
}

/* Can the seat that is asked only pass? So it is in half of all decisions. */
static inline int gd_must_pass(const gd_table *t)
{
    return t->view.n == 1 && t->ask == GD_ASK_PLAY && t->view.to_beat != GD_PASS;
}

/* Let table.player decide until the deal is over (GD_ENTERED), one is not a native function, or an answer is none. Only
 * within a deal. What was seen at each choice of a play is added to `sights`; NULL: to nothing. */
int gd_table_run(gd_table *t, gd_sights *sights);

/* Tell its watcher, if it has one, of something that has happened. */
void gd_table_tell(gd_table *t, enum gd_event what);

/* Have a watcher told from now on, first that a match begins. */
void gd_table_watch(gd_table *t, gd_watcher *watcher);

#endif
