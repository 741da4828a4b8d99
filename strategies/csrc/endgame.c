#include "endgame.h"

#include "gd_gen.h"
#include "plan.h"

enum { ROOM = 3 * GD_MAX_PLAYS };

typedef struct {
    int nodes;
    unsigned used;
    gd_play plays[ROOM];
} search;

static gd_fate solve(search *s, const gd_duel *d);

/* Outlook of the seat in turn of `d` once it has laid `p`. */
static gd_fate after(search *s, const gd_duel *d, gd_play p)
{
    unsigned me = d->turn;
    gd_duel e = *d;
    e.turn = (uint8_t)(1 - me);
    if (p == GD_PASS) {
        if (d->holder_out && !d->passed) {
            e.passed = 1;
        } else {
            e.to_beat = GD_PASS;
            e.turn = d->holder_out ? d->heir : (uint8_t)(1 - me);
            e.holder_out = e.passed = 0;
        }
    } else {
        if (gd_size(p) == d->left[me]) return GD_WINS;
        uint64_t flush = gd_flush_cards(&d->hand[me]);
        e.hand[me] = gd_hand_without(&d->hand[me], p, flush ? flush : ~(uint64_t)0);
        e.left[me] = (uint8_t)(d->left[me] - gd_size(p));
        e.to_beat = p;
        e.holder_out = e.passed = 0;
    }
    gd_fate o = solve(s, &e);
    return o == GD_UNKNOWN || e.turn == me ? o : o == GD_WINS ? GD_LOSES : GD_WINS;
}

static gd_fate solve(search *s, const gd_duel *d)
{
    if (--s->nodes < 0 || s->used + GD_MAX_PLAYS > ROOM) return GD_UNKNOWN;
    unsigned me = d->turn, mine = d->left[me];
    gd_play *plays = s->plays + s->used;
    unsigned n = gd_list_plays(&d->hand[me], d->level, d->to_beat, d->plays, plays);
    gd_fate worst = GD_LOSES;
    if (!n) return d->to_beat == GD_PASS ? GD_LOSES : GD_UNKNOWN; /* one wild that may not be led */
    for (unsigned i = 0; i < n; i++)
        if (gd_size(plays[i]) == mine) return GD_WINS;
    s->used += n;
    /* The strongest first: what cannot be answered ends the search soonest. */
    for (unsigned i = n; i-- > 0;) {
        gd_fate o = after(s, d, plays[i]);
        if (o == GD_WINS) {
            s->used -= n;
            return GD_WINS;
        }
        if (o == GD_UNKNOWN) worst = GD_UNKNOWN;
        if (s->nodes < 0) break;
    }
    s->used -= n;
    return s->nodes < 0 ? GD_UNKNOWN : worst;
}

gd_fate gd_duel_after(const gd_duel *d, gd_play play, int *nodes)
{
    search s;
    s.nodes = *nodes;
    s.used = 0;
    gd_fate o = after(&s, d, play);
    *nodes = s.nodes > 0 ? s.nodes : 0;
    return o;
}
