/* search: plays candidates out on hands that could be, and takes the best.
 *
 * The base player ranks its plays; the best few are candidates. Hands of the others are drawn in agreement with what was
 * seen (hidden.h) and by how they fit what was played (belief.h). Each candidate is played out on the same hands with one
 * player in all seats (rollout.h), and the end is valued for the match (view->api->value). The budget is a number of
 * roll-outs, shared out by sequential halving (Karnin, Koren and Somekh 2013).
 *
 * Late in the deal roll-outs are played by `near`, the better and slower player: they are short then, and it is there that
 * they tell.
 *
 * A score of the base player counts as so many roll-outs: many early in a deal, few late. So it was measured: of what a
 * play gains on the real cards, fifty roll-outs of hands drawn by the evidence told an eighth with more than eighty
 * cards in play, half with thirty, and all with fewer than twenty.
 *
 * Nobody in a roll-out sees more than a seat may, so a play that wins only by guessing right is not preferred to one that
 * wins anyhow. Tribute and return are left to the base player.
 */
#include "belief.h"
#include "natives.h"
#include "rollout.h"

enum { MOST_WIDTH = 16, BATCH = 8, FIRST_DRAWS = 16 };

#define PARAMETERS(X) \
    X(rollouts, 200, 0, 100000, "每次决定的推演次数", "roll-outs a decision") \
    X(width, 3, 1, MOST_WIDTH, "候选打法数", "candidates") \
    X(margin, 0, 0, 100, "改选所需优势，标准误的十分之一", "gain for a change of choice, tenths of its error") \
    X(sure, 30, 0, 1000, "差距达多少标准误即不再推演，十分之一", "tenths of an error at which a play is settled") \
    X(trust, 400, 0, 100000, "百张在手时原评分抵多少次推演", \
      "roll-outs the base score counts for, at 100 cards in play") \
    X(gap, 800, 0, 100000, "评分低于原选多少不试，千分之一级", \
      "thousandths of a level of score below the first, not tried") \
    X(fit, 3, 0, 100, "每个样本按所见换牌几次", "exchanges of cards a sample, by how hands fit what was played") \
    X(doubt, 25, 1, 100, "该出却过、该过却出一次，权重剩百分之几", \
      "hundredths of weight left after a pass that would have been a play, or the reverse") \
    X(other, 50, 1, 100, "出了另一手牌一次，权重剩百分之几", "hundredths of weight left after another play") \
    X(memory, 120, 0, 432, "回看步数", "steps looked back for the fit") \
    X(base, EXPERT, 0, 2, "提出候选者：0 greedy 1 solid 2 expert", "who names candidates: 0 greedy 1 solid 2 expert") \
    X(near, EXPERT, 0, 2, "所见的打法按谁解释，也打推演的前几步", \
      "who explains what was played, and begins a roll-out") \
    X(deep, 0, 0, 432, "推演的前几步", "steps of that beginning") \
    X(far, SOLID, 0, 2, "推演其余者", "who plays the rest of a roll-out") \
    X(close, 60, 0, 108, "在手总张数不多于此则全由 near 推演", \
      "cards in play from which on `near` plays all of a roll-out")

enum { GREEDY = 0, SOLID = 1, EXPERT = 2 };

#define INDEX(name, ...) P_##name,
#define DEFAULT(name, value, ...) value,
#define ENTRY(name, value, least, most, zh, en) {#name, least, most, zh, en},

enum { PARAMETERS(INDEX) N_PARAMETERS };
static const int32_t defaults[N_PARAMETERS] = {PARAMETERS(DEFAULT)};
static const gd_parameter parameters[N_PARAMETERS] = {PARAMETERS(ENTRY)};

/* A player, and what its scores are worth: units a level, and the share of `trust` they deserve, per cent. */
typedef struct base_player {
    const gd_strategy *strategy;
    int32_t level, trust;
    int solves_duels; /* plays the last two seats out exactly */
} base_player;

static const base_player players[] = {
    [GREEDY] = {&guandan_greedy, 300, 5, 0},
    [SOLID] = {&guandan_solid, 600, 15, 0},
    [EXPERT] = {&guandan_expert, 64000, 100, 1},
};

/* A candidate: index of its play, and sums over its roll-outs of the gain over the first candidate. */
typedef struct candidate {
    uint32_t index;
    int64_t prior; /* gain by the scores, times the roll-outs that they count for */
    int64_t gain;
    double squares;
    uint32_t n; /* roll-outs */
} candidate;

/* Are two seats left? Each then knows the cards of the other. */
static int is_duel(const gd_view *view)
{
    unsigned in = 0;
    for (unsigned s = 0; s < 4; s++) in += view->left[s] > 0;
    return in == 2;
}

/* In millionths of a match. */
static int32_t worth_of_level(const gd_roller *r, const gd_view *view)
{
    const int32_t *value = r->values[view->seat & 1u];
    return (value[GD_WE_SECOND] - value[GD_THEY_SECOND]) / 6;
}

static int cards_in_play(const gd_view *view) { return view->left[0] + view->left[1] + view->left[2] + view->left[3]; }

/* Roll-outs that the scores count for. Early in a deal the base player's own judgement tells more than two hundred deals
 * played on from hands that are hardly known; towards the end it is the other way round. */
static int64_t trusted_rollouts(const gd_view *view, const int32_t *set)
{
    int cards = cards_in_play(view);
    return (int64_t)set[P_trust] * players[set[P_base]].trust * cards * cards / 1000000;
}

/* The base player's choice, then the plays that it ranks highest: at most `width`. Returns their number. */
static unsigned name_candidates(gd_roller *r, const gd_view *view, const int32_t *set, candidate *c)
{
    int32_t scores[GD_MAX_PLAYS];
    const gd_strategy *base = players[set[P_base]].strategy;
    unsigned n = 1, width = (unsigned)set[P_width];
    c[0] = (candidate){.index = base->play(gd_roller_view(r, view, base))};
    if (width < 2 || gd_size(view->plays[c[0].index]) == view->left[view->seat]) return 1; /* out at once */
    base->rank(gd_roller_view(r, view, base), scores);
    int64_t level = players[set[P_base]].level, worth = worth_of_level(r, view), trusted = trusted_rollouts(view, set);
    int64_t least = scores[c[0].index] - level * set[P_gap] / (10 * (trusted + 100));
    for (uint32_t i = 0; i < view->n; i++) {
        if (i == c[0].index || scores[i] < least || (n == width && scores[i] <= scores[c[n - 1].index])) continue;
        unsigned at = n < width ? n++ : n - 1;
        for (; at > 1 && scores[i] > scores[c[at - 1].index]; at--) c[at] = c[at - 1];
        c[at] = (candidate){.index = i, .prior = (scores[i] - scores[c[0].index]) * worth / level * trusted};
    }
    return n;
}

/* Play `n` samples of hands out for each candidate, the same hands for all. */
static void compare(gd_roller *r, const gd_view *view, gd_belief *b, candidate *c, unsigned alive, unsigned n)
{
    unsigned exchanges = (unsigned)view->parameters[P_fit];
    while (n--) {
        gd_belief_next(b, exchanges, view->random);
        int32_t first = gd_roll_out(r, b->hands, view->plays[c[0].index]);
        for (unsigned i = 1; i < alive; i++) {
            int32_t gain = gd_roll_out(r, b->hands, view->plays[c[i].index]) - first;
            c[i].n++;
            c[i].gain += gain;
            c[i].squares += (double)gain * gain;
        }
    }
}

static int64_t total(const candidate *c) { return c->prior + c->gain; }

/* Candidates but the first by gain, the best before. */
static void sort(candidate *c, unsigned n)
{
    for (unsigned i = 2; i < n; i++) {
        candidate moved = c[i];
        unsigned at = i;
        for (; at > 1 && total(&c[at - 1]) < total(&moved); at--) c[at] = c[at - 1];
        c[at] = moved;
    }
}

/* Square of the total in squares of its standard error, after n roll-outs; its sign that of the total. A roll-out that is
 * off by a level is added, so that a few equal ones prove nothing. */
static double standing(const candidate *c, unsigned n, double worth)
{
    double gain = (double)c->gain, sum = (double)total(c);
    double variance = (c->squares - gain * gain / n + worth * worth) / n;
    double square = sum * sum / (variance * n + 1.0);
    return sum < 0 ? -square : square;
}

/* For advice: what the candidates gain over the first, in millionths of a match; the chosen one leads, and plays that were
 * not tried come last. */
static void tell(const gd_view *view, const candidate *c, unsigned n, uint32_t chosen, int32_t *scores)
{
    enum { NOT_TRIED = -2000000 };
    int32_t best = 0;
    int64_t trusted = trusted_rollouts(view, view->parameters);
    for (uint32_t i = 0; i < view->n; i++) scores[i] = NOT_TRIED;
    for (unsigned i = 0; i < n; i++) {
        int64_t rolled = trusted + c[i].n;
        scores[c[i].index] = rolled ? (int32_t)(total(&c[i]) / rolled) : 0;
        if (scores[c[i].index] > best) best = scores[c[i].index];
    }
    if (scores[chosen] < best) scores[chosen] = best + 1;
    for (unsigned i = 0; i < n; i++)
        if (c[i].index != chosen && scores[c[i].index] >= scores[chosen]) scores[c[i].index] = scores[chosen] - 1;
}

/* The play to make; `c` and `n` are the candidates with what was found. */
static uint32_t search(const gd_view *view, candidate *c, unsigned *named)
{
    const int32_t *set = view->parameters;
    gd_roller r;
    gd_evidence e;
    gd_belief b;
    int32_t rest = cards_in_play(view) <= set[P_close] ? set[P_near] : set[P_far];
    gd_roller_begin(&r, view, players[set[P_near]].strategy, (unsigned)set[P_deep], players[rest].strategy);
    unsigned alive = name_candidates(&r, view, set, c), rounds = 1, done = 0, left = (unsigned)set[P_rollouts];
    *named = alive;
    if (is_duel(view) && players[set[P_base]].solves_duels) return c[0].index;
    if (alive == 1 || !gd_evidence_of(view, &e)) return c[0].index;
    gd_belief_begin(&b, view, &e, &r, (unsigned)set[P_memory], set[P_fit] ? FIRST_DRAWS : 1, (unsigned)set[P_doubt],
                    (unsigned)set[P_other]);
    for (unsigned k = alive; k > 2; k = (k + 1) / 2) rounds++;
    double worth = worth_of_level(&r, view), sure = (double)set[P_sure] * set[P_sure] / 100.0;
    for (; rounds && alive > 1; rounds--) {
        unsigned share = left / rounds;
        while (alive > 1 && share >= alive) {
            unsigned n = share / alive < BATCH ? share / alive : BATCH;
            compare(&r, view, &b, c, alive, n);
            share -= n * alive, left -= n * alive, done += n;
            sort(c, alive);
            while (alive > 1 && standing(&c[alive - 1], done, worth) < -sure) alive--;
            if (alive == 2 && standing(&c[1], done, worth) > sure) return c[1].index;
        }
        if (rounds > 1) alive = (alive + 1) / 2;
    }
    double margin = (double)set[P_margin] * set[P_margin] / 100.0;
    return alive > 1 && done && standing(&c[1], done, worth) > margin ? c[1].index : c[0].index;
}

static uint32_t play(const gd_view *view)
{
    candidate c[MOST_WIDTH];
    unsigned n;
    return search(view, c, &n);
}

static int in_exchange(const gd_view *view)
{
    unsigned kind = view->shown->kind;
    return (kind == GD_TRIBUTE_SINGLE || kind == GD_TRIBUTE_DOUBLE) && view->shown->returned[0] < 0;
}

static void rank(const gd_view *view, int32_t *scores)
{
    if (in_exchange(view)) {
        gd_roller r;
        const gd_strategy *base = players[view->parameters[P_base]].strategy;
        gd_roller_begin(&r, view, base, 0, base);
        base->rank(gd_roller_view(&r, view, base), scores);
        return;
    }
    candidate c[MOST_WIDTH];
    unsigned n;
    uint32_t chosen = search(view, c, &n);
    tell(view, c, n, chosen, scores);
}

static uint32_t tribute(const gd_view *view)
{
    gd_roller r;
    const gd_strategy *base = players[view->parameters[P_base]].strategy;
    gd_roller_begin(&r, view, base, 0, base);
    return base->tribute(gd_roller_view(&r, view, base));
}

static uint32_t return_tribute(const gd_view *view)
{
    gd_roller r;
    const gd_strategy *base = players[view->parameters[P_base]].strategy;
    gd_roller_begin(&r, view, base, 0, base);
    return base->return_tribute(gd_roller_view(&r, view, base));
}

const gd_strategy guandan_search = {
    .abi = GD_STRATEGY_ABI,
    .list = GD_LIST_SHAPES,
    .name = "search",
    .zh = "抽样推演：按所见抽出暗手，逐一推演候选打法，取最优",
    .en = "plays candidates out on hands that could be, and takes the best",
    .n_parameters = N_PARAMETERS,
    .parameters = parameters,
    .values = defaults,
    .play = play,
    .tribute = tribute,
    .return_tribute = return_tribute,
    .rank = rank,
};
