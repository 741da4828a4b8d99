/* expert: as strong as rules could be made.
 *
 * Every play worth a look gets a score: a weighted sum of what it leaves in the own hand, split at its best, and of what it
 * gives the others. What they can do is counted from the unseen cards (unseen.h), what is left is split by prices that
 * depend on this (plan.h), and the weights are fitted to the outcomes of deals played on from either choice
 * (expert_table.h): for each
 * way the deal can end, what a feature adds to its chance. What a result is worth in the match comes from the view.
 */
#include "expert.h"

#include "endgame.h"
#include "expert_table.h"
#include "natives.h"

/* P(name, default, least, most, zh, en): infer, match and then what scales a group of features, per cent. */
#define PARAMETERS(P) \
    P(infer, 8, 0, 16, "不要之后仍能压的可能，十六分之几", "chance to answer that is left after a pass, sixteenths") \
    P(match, 50, 0, 100, "整轮胜率的分量，其余按级数，百分之几", \
      "weight of the match, the rest is for levels, per cent") \
    P(first, 500, -2000, 4000, "头游本身的价值，千分之几级", \
      "what being first is worth in itself, thousandths of a level") \
    P(plan, 100, 0, 400, "手牌拆分的分量，百分之几", "weight of the hand left, per cent") \
    P(keep, 100, 0, 400, "留炸弹和逢人配的分量，百分之几", "weight of bombs and wilds left, per cent") \
    P(finish, 100, 0, 400, "走完手牌的分量，百分之几", "weight of the way out, per cent") \
    P(give, 100, 0, 400, "防对手走完的分量，百分之几", "weight of what opponents are given, per cent") \
    P(feed, 100, 0, 400, "送对家的分量，百分之几", "weight of feeding the partner, per cent") \
    P(lead, 100, 0, 400, "领出牌型的分量，百分之几", "weight of what is led, per cent") \
    P(answer, 100, 0, 400, "压对手的分量，百分之几", "weight of answering an opponent, per cent") \
    P(over, 100, 0, 400, "压对家的分量，百分之几", "weight of overtaking the partner, per cent") \
    P(bomb, 100, 0, 400, "出炸弹时机的分量，百分之几", "weight of when a bomb is laid, per cent")

#define PARAMETER_INDEX(name, value, least, most, zh, en) PARAMETER_##name,
enum { PARAMETERS(PARAMETER_INDEX) N_PARAMETERS };

#define GROUP_OF(name, group, meaning) PARAMETER_##group,
static const uint8_t group_of[EXPERT_FEATURES] = {EXPERT_FEATURES_LIST(GROUP_OF)};

typedef struct {
    const gd_view *view;
    int32_t w[EXPERT_FEATURES]; /* what a feature is worth here */
    gd_unseen unseen;
    gd_prices prices;
    uint64_t flush_cards;
    unsigned next, mate, prev, mine;
    uint8_t holds[GD_ORDINARY][16]; /* chance in 64ths that no opponent answers this kind and power */
} desk;

static void fill_holds(desk *d)
{
    for (unsigned kind = GD_SINGLE; kind < GD_ORDINARY; kind++)
        for (unsigned p = 0; p < 16; p++) {
            uint32_t a = d->view->left[d->next] ? d->unseen.seat[d->next].above[kind][p] : 0;
            uint32_t b = d->view->left[d->prev] ? d->unseen.seat[d->prev].above[kind][p] : 0;
            d->holds[kind][p] = (uint8_t)(gd_times(GD_SURE - a, GD_SURE - b) >> 10);
        }
}

enum { SPREAD_LEAST = 200 /* millionths */ };

static inline int scaled(unsigned power) { return (int)(power * 5); } /* 64ths, aces and level about 60 */

static void fill_prices(desk *d)
{
    const int32_t *w = d->w;
    gd_prices *p = &d->prices;
    unsigned level = d->view->level;
    for (unsigned rank = 0; rank < 15; rank++) {
        unsigned power = gd_power_of(rank, level);
        int pow = scaled(power), low = power < 7 ? 9 * (7 - (int)power) : 0;
        p->set[0][rank] = 0;
        p->set[1][rank] = w[EXPERT_single] + (w[EXPERT_single_holds] * d->holds[GD_SINGLE][power] +
                                              w[EXPERT_single_power] * pow + w[EXPERT_single_low] * low) /
                                                 64;
        p->set[2][rank] = w[EXPERT_pair] + (w[EXPERT_pair_holds] * d->holds[GD_PAIR][power] +
                                            w[EXPERT_pair_power] * pow + w[EXPERT_pair_low] * low) /
                                               64;
        if (rank > 12) continue;
        p->set[3][rank] = w[EXPERT_triple] +
                          (w[EXPERT_triple_holds] * d->holds[GD_TRIPLE][power] + w[EXPERT_triple_power] * pow) / 64;
        p->house[rank] = w[EXPERT_house] +
                         (w[EXPERT_house_holds] * d->holds[GD_FULL_HOUSE][power] + w[EXPERT_house_power] * pow) / 64;
        int bomb = w[EXPERT_bomb_power] * pow / 64;
        for (unsigned k = 4; k < 11; k++)
            p->set[k][rank] = w[k == 4 ? EXPERT_four : k == 5 ? EXPERT_five : EXPERT_six] + bomb;
    }
    for (unsigned at = 0; at < 13; at++) {
        if (at < 12) p->tube[at] = w[EXPERT_chain] + w[EXPERT_chain_holds] * d->holds[GD_TUBE][at] / 64;
        p->plate[at] = w[EXPERT_chain] + w[EXPERT_chain_holds] * d->holds[GD_PLATE][at] / 64;
        if (at > 9) continue;
        p->straight[at] = w[EXPERT_straight] + w[EXPERT_straight_holds] * d->holds[GD_STRAIGHT][at] / 64;
        p->flush[at] = w[EXPERT_flush] + w[EXPERT_bomb_power] * scaled(at) / 64;
    }
    p->jokers = w[EXPERT_six] + w[EXPERT_bomb_power] * scaled(14) / 64;
    p->wild = w[EXPERT_wild];
}

unsigned expert_context(const gd_view *view)
{
    unsigned seat = view->seat, mate = view->left[seat ^ 2u], a = view->left[(seat + 1) & 3u],
             b = view->left[(seat + 3) & 3u], near = a < b ? a : b;
    if (!near) return mate ? EXPERT_IN_foe_out : EXPERT_IN_duel;
    if (!mate) return EXPERT_IN_mate_out;
    return near > 12 ? EXPERT_IN_early : near > 6 ? EXPERT_IN_middle : EXPERT_IN_near;
}

/* What each result is worth: `match` per cent by the chance to win the match, the rest by levels; about 3000 from best to
 * middle, so that integers keep their places. */
static void results(const gd_view *view, int32_t worth[EXPERT_RESULTS])
{
    static const int32_t levels[EXPERT_RESULTS] = {3000, 2000, 1000, -3000, -2000, -1000};
    int32_t chance[EXPERT_RESULTS], mean = 0, spread = 0, match = view->parameters[PARAMETER_match];
    for (unsigned r = 0; r < EXPERT_RESULTS; r++) {
        chance[r] = match ? view->api->value(view, (enum gd_result)r) : 0;
        mean += chance[r] / EXPERT_RESULTS;
    }
    for (unsigned r = 0; r < EXPERT_RESULTS; r++) {
        int32_t off = chance[r] > mean ? chance[r] - mean : mean - chance[r];
        if (off > spread) spread = off;
    }
    if (spread < SPREAD_LEAST) match = 0; /* nothing is at stake but levels */
    for (unsigned r = 0; r < EXPERT_RESULTS; r++) {
        int32_t scaled_chance = match ? (int32_t)((int64_t)(chance[r] - mean) * 3000 / spread) : 0;
        worth[r] = (scaled_chance * match + levels[r] * (100 - match)) / 100;
        worth[r] += r < GD_THEY_SECOND ? view->parameters[PARAMETER_first] : -view->parameters[PARAMETER_first];
    }
}

static void fill_weights(desk *d)
{
    int32_t worth[EXPERT_RESULTS];
    results(d->view, worth);
    const int16_t (*row)[EXPERT_RESULTS] = expert_table[expert_context(d->view)];
    for (unsigned i = 0; i < EXPERT_FEATURES; i++) {
        int32_t sum = 0;
        for (unsigned r = 0; r < EXPERT_RESULTS; r++) sum += worth[r] * row[i][r];
        d->w[i] = sum / 10000 * d->view->parameters[group_of[i]] / 100;
    }
}

static void sit_down(desk *d, const gd_view *view)
{
    d->view = view;
    d->next = (view->seat + 1) & 3u, d->mate = view->seat ^ 2u, d->prev = (view->seat + 3) & 3u;
    d->mine = view->left[view->seat];
    fill_weights(d);
    gd_unseen_of(view, (unsigned)view->parameters[PARAMETER_infer], &d->unseen);
    fill_holds(d);
    fill_prices(d);
    d->flush_cards = gd_flush_cards(view->hand);
}

/* ---- features ----------------------------------------------------------------------------------------------------- */

/* Returns the chance in 64ths that the group takes the lead back. */
static int look_at_group(const desk *d, const gd_group *g, int16_t *f, int *losers, int *controls)
{
    static const uint8_t first[GD_ORDINARY] = {[GD_SINGLE] = EXPERT_single,    [GD_PAIR] = EXPERT_pair,
                                               [GD_TRIPLE] = EXPERT_triple,    [GD_FULL_HOUSE] = EXPERT_house,
                                               [GD_TUBE] = EXPERT_chain,       [GD_PLATE] = EXPERT_chain,
                                               [GD_STRAIGHT] = EXPERT_straight};
    unsigned kind = g->kind, sequence = kind == GD_TUBE || kind == GD_PLATE || kind == GD_STRAIGHT;
    if (kind >= GD_STRAIGHT_FLUSH) {
        unsigned grade = kind == GD_STRAIGHT_FLUSH ? EXPERT_flush
                         : kind == GD_JOKER_BOMB   ? EXPERT_six
                         : g->size == 4            ? EXPERT_four
                         : g->size == 5            ? EXPERT_five
                                                   : EXPERT_six;
        f[grade] += EXPERT_ONE;
        f[EXPERT_bomb_power] += (int16_t)scaled(kind == GD_JOKER_BOMB ? 14
                                                : kind == GD_BOMB     ? gd_power_of(g->at, d->view->level)
                                                                      : g->at);
        ++*controls;
        return EXPERT_ONE;
    }
    unsigned power = sequence ? g->at : gd_power_of(g->at, d->view->level), holds = d->holds[kind][power];
    int16_t *at = f + first[kind];
    at[0] += EXPERT_ONE;
    at[1] += (int16_t)holds;
    if (!sequence) at[2] += (int16_t)scaled(power);
    if (kind <= GD_PAIR && power < 7)
        f[kind == GD_SINGLE ? EXPERT_single_low : EXPERT_pair_low] += (int16_t)(9 * (7 - power));
    if (holds >= EXPERT_ONE / 2)
        ++*controls;
    else
        ++*losers;
    return (int)holds;
}

static inline int chance64(uint32_t chance) { return (int)(chance >> 10); }

/* What the play gives the others. Returns the chance in 64ths that nobody on the other side answers by the same kind. */
static int look_at_answers(const desk *d, gd_play play, int16_t *f)
{
    const gd_view *v = d->view;
    unsigned size = gd_size(play);
    uint32_t none = GD_SURE;
    const unsigned seats[2] = {d->next, d->prev};
    for (unsigned i = 0; i < 2; i++) {
        unsigned left = v->left[seats[i]];
        uint32_t beat = gd_answer(&d->unseen, seats[i], play);
        none = gd_times(none, GD_SURE - beat);
        if (gd_is_bomb(play) || left < size) continue;
        unsigned after = left - size;
        if (after > 6) continue;
        f[after == 0 ? EXPERT_give_out : after < 3 ? EXPERT_give_near : EXPERT_give_mid] += (int16_t)chance64(beat);
    }
    unsigned left = v->left[d->mate];
    if (left >= size && !gd_is_bomb(play)) {
        int beat = chance64(gd_answer(&d->unseen, d->mate, play));
        if (left == size)
            f[EXPERT_feed_out] += (int16_t)beat;
        else if (left - size < 4)
            f[EXPERT_feed_near] += (int16_t)beat;
        else if (left - size < 9)
            f[EXPERT_feed_mid] += (int16_t)beat;
    }
    return chance64(none);
}

static inline unsigned left_bin(unsigned left)
{
    return left == 0 ? 0 : left <= 2 ? 1 : left <= 5 ? 2 : left <= 10 ? 3 : 4;
}

static void look_at_bomb(const desk *d, gd_play play, int holds, unsigned turns, int for_mate, int16_t *f)
{
    const gd_view *v = d->view;
    (void)play;
    f[EXPERT_bomb] = EXPERT_ONE;
    f[EXPERT_bomb_holds] = (int16_t)holds;
    if (v->to_beat == GD_PASS) f[EXPERT_bomb_lead] = EXPERT_ONE;
    if (gd_is_bomb(v->to_beat)) f[EXPERT_bomb_bomb] = EXPERT_ONE;
    if (d->mine >= 20) f[EXPERT_bomb_early] = EXPERT_ONE;
    if (turns <= 2) f[EXPERT_bomb_two] = EXPERT_ONE;
    if (v->to_beat == GD_PASS || (unsigned)v->holder == d->mate) return;
    f[EXPERT_bomb_for] = (int16_t)for_mate;
    unsigned bin = left_bin(v->left[v->holder]);
    if (bin == 1 || bin == 2) f[EXPERT_bomb_5] = EXPERT_ONE;
    if (bin == 3) f[EXPERT_bomb_10] = EXPERT_ONE;
}

static void look_at_lead(const desk *d, gd_play play, int holds, const gd_plan *rest, int16_t *f)
{
    const gd_view *v = d->view;
    static const uint8_t of_kind[GD_ORDINARY] = {
        [GD_SINGLE] = EXPERT_lead_single,    [GD_PAIR] = EXPERT_lead_pair,  [GD_TRIPLE] = EXPERT_lead_triple,
        [GD_FULL_HOUSE] = EXPERT_lead_house, [GD_TUBE] = EXPERT_lead_chain, [GD_PLATE] = EXPERT_lead_chain,
        [GD_STRAIGHT] = EXPERT_lead_straight};
    f[EXPERT_lead_size] = (int16_t)(gd_size(play) * 8);
    if (gd_is_bomb(play)) return;
    unsigned kind = gd_kind_of(play);
    f[of_kind[kind]] = EXPERT_ONE;
    f[EXPERT_lead_holds] = (int16_t)holds;
    f[EXPERT_lead_next] = (int16_t)chance64(gd_answer(&d->unseen, d->next, play));
    f[EXPERT_lead_mate] = (int16_t)chance64(gd_answer(&d->unseen, d->mate, play));
    f[EXPERT_lead_out] = f[EXPERT_give_out];
    static const uint8_t likes[3] = {EXPERT_lead_next_likes, EXPERT_lead_mate_likes, EXPERT_lead_prev_likes};
    for (unsigned i = 0; i < 3; i++) {
        unsigned seat = (v->seat + 1 + i) & 3u, led = d->unseen.seat[seat].led[kind];
        if (v->left[seat]) f[likes[i]] = (int16_t)(led > 1 ? EXPERT_ONE : led ? EXPERT_ONE / 2 : 0);
    }
    int back = 0;
    for (unsigned i = 0; i < rest->n; i++) {
        const gd_group *g = &rest->group[i];
        if (g->kind != kind) continue;
        unsigned power = kind == GD_TUBE || kind >= GD_PLATE ? g->at : gd_power_of(g->at, d->view->level);
        if (d->holds[kind][power] > back) back = d->holds[kind][power];
    }
    f[EXPERT_lead_back] = (int16_t)(back * (EXPERT_ONE - holds) / EXPERT_ONE);
}

static void look_at_answer(const desk *d, gd_play play, int holds, int for_mate, int run, int16_t *f)
{
    static const uint8_t bins[5] = {EXPERT_answer_out, EXPERT_answer_2, EXPERT_answer_5, EXPERT_answer_10,
                                    EXPERT_answer};
    const gd_view *v = d->view;
    unsigned bin = left_bin(v->left[v->holder]);
    f[EXPERT_answer] = EXPERT_ONE;
    f[bins[bin]] = EXPERT_ONE;
    if (bin == 1 || bin == 2) f[EXPERT_answer_run] = (int16_t)run;
    if (gd_is_bomb(play)) return;
    f[EXPERT_answer_holds] = (int16_t)holds;
    f[EXPERT_answer_for] = (int16_t)for_mate;
    f[EXPERT_answer_next] = (int16_t)chance64(gd_answer(&d->unseen, d->next, play));
    f[EXPERT_answer_mate] = (int16_t)chance64(gd_answer(&d->unseen, d->mate, play));
}

static void look_at_overtaking(const desk *d, gd_play play, int holds, int16_t *f)
{
    const gd_view *v = d->view;
    unsigned left = v->left[d->mate];
    int beaten = chance64(gd_answer(&d->unseen, d->next, v->to_beat));
    f[EXPERT_over] = EXPERT_ONE;
    f[EXPERT_over_safe] = (int16_t)(EXPERT_ONE - beaten);
    f[EXPERT_over_holds] = (int16_t)holds;
    if (left && left <= 5) f[EXPERT_over_near] = EXPERT_ONE;
    if (left > 5 && left <= 10) f[EXPERT_over_10] = EXPERT_ONE;
    if (v->left[d->next] && v->left[d->next] <= 5) f[EXPERT_over_guard] = (int16_t)beaten;
    if (v->left[d->next] == gd_size(v->to_beat)) f[EXPERT_over_out] = (int16_t)beaten;
    if (gd_is_bomb(play))
        f[EXPERT_over_bomb] = EXPERT_ONE;
    else
        f[EXPERT_over_power] = (int16_t)scaled(gd_power(play) - gd_power(v->to_beat));
}

/* Can the partner still answer before the trick is over? Chance in 64ths. */
static int partner_can(const desk *d)
{
    const gd_view *v = d->view;
    if (v->to_beat == GD_PASS || (unsigned)v->holder != d->prev) return 0;
    return chance64(gd_answer(&d->unseen, d->mate, v->to_beat));
}

static void consider(const desk *d, expert_choice *c)
{
    const gd_view *v = d->view;
    gd_play play = v->plays[c->index];
    int16_t *f = c->feature;
    for (unsigned i = 0; i < EXPERT_FEATURES; i++) f[i] = 0;
    gd_hand rest = gd_hand_without(v->hand, play, d->flush_cards);
    gd_plan plan;
    gd_plan_of(&rest, v->level, &d->prices, d->flush_cards != 0, &plan);
    int losers = 0, controls = 0;
    int worst = EXPERT_ONE, run = EXPERT_ONE;
    for (unsigned i = 0; i < plan.n; i++) {
        int takes = look_at_group(d, &plan.group[i], f, &losers, &controls);
        if (takes < worst) {
            run = run * worst / EXPERT_ONE;
            worst = takes;
        } else {
            run = run * takes / EXPERT_ONE;
        }
    }
    f[EXPERT_wild] = 0;
    for (unsigned i = 0; i < plan.n; i++)
        if (plan.group[i].at == v->level && (plan.group[i].kind <= GD_TRIPLE || plan.group[i].kind == GD_BOMB))
            f[EXPERT_wild] += (int16_t)(EXPERT_ONE * plan.group[i].wilds);
    if (plan.n && plan.n < 4) f[EXPERT_one + plan.n - 1] = EXPERT_ONE;
    f[EXPERT_turns] = (int16_t)(plan.n * plan.n);
    f[EXPERT_cards] = (int16_t)(2 * (d->mine - gd_size(play)));
    f[EXPERT_run] = (int16_t)run;
    if (run == EXPERT_ONE) f[EXPERT_sure_run] = EXPERT_ONE;
    int bombs = f[EXPERT_four] + f[EXPERT_five] + f[EXPERT_flush] + f[EXPERT_six];
    if (plan.n == 2 && bombs) f[EXPERT_two_bomb] = EXPERT_ONE;
    if (plan.n == 3 && bombs) f[EXPERT_three_bomb] = (int16_t)bombs;
    if (v->left[d->mate] && v->left[d->mate] <= 5) f[EXPERT_mate_bombs] = (int16_t)bombs;
    int lack = losers - controls - 1;
    if (lack > 0) f[EXPERT_lack] = (int16_t)(lack * EXPERT_ONE);
    if (play != GD_PASS) {
        int holds = look_at_answers(d, play, f), for_mate = partner_can(d);
        f[EXPERT_hold_run] = (int16_t)(holds * run / EXPERT_ONE);
        if (plan.n == 1) {
            uint32_t unbombed = gd_times(GD_SURE - gd_bombed(&d->unseen, d->next, play),
                                         GD_SURE - gd_bombed(&d->unseen, d->prev, play));
            f[EXPERT_hold_one] = (int16_t)holds;
            f[EXPERT_sure_one] = (int16_t)chance64(gd_times((uint32_t)holds << 10, unbombed));
        }
        if (plan.n == 2) f[EXPERT_hold_two] = (int16_t)holds;
        if (lack <= 0) f[EXPERT_hold_path] = (int16_t)holds;
        if (v->to_beat == GD_PASS)
            look_at_lead(d, play, holds, &plan, f);
        else if ((unsigned)v->holder == d->mate)
            look_at_overtaking(d, play, holds, f);
        else
            look_at_answer(d, play, holds, for_mate, run, f);
        if (gd_is_bomb(play)) look_at_bomb(d, play, holds, plan.n, for_mate, f);
    }
    int32_t score = 0;
    for (unsigned i = 0; i < EXPERT_FEATURES; i++) score += d->w[i] * f[i];
    c->score = score;
}

/* ---- which plays are considered ----------------------------------------------------------------------------------- */

/* What it tears to take k of n equal cards: [n][k]. */
static const uint8_t tears[9][5] = {{0},
                                    {0},
                                    {0, 3, 0},
                                    {0, 4, 3, 0},
                                    {0, 12, 12, 12, 0},
                                    {0, 8, 10, 10, 2},
                                    {0, 6, 8, 8, 4},
                                    {0, 5, 7, 8, 4},
                                    {0, 5, 7, 8, 4}};

static int tear_of(const gd_hand *hand, gd_play play)
{
    uint64_t need = gd_need_of(play);
    int price = 10 * (int)gd_wilds(play);
    for (need &= ~0ull >> 4; need;) {
        unsigned rank = gd_lowest(need) / 4, k = (unsigned)(need >> (4 * rank)) & 15u;
        need &= ~(15ull << (4 * rank));
        if (k < 5) price += tears[gd_count(hand, rank)][k];
    }
    return price;
}

/* Keep the best of a kind by `key` (smaller is better). */
typedef struct {
    int key[16];
    uint32_t index[16];
    unsigned n;
} shortlist;

static void enter(shortlist *s, unsigned most, int key, uint32_t index)
{
    unsigned i = s->n;
    if (i == most) {
        if (key >= s->key[i - 1]) return;
        i--;
    } else {
        s->n++;
    }
    for (; i && s->key[i - 1] > key; i--) s->key[i] = s->key[i - 1], s->index[i] = s->index[i - 1];
    s->key[i] = key, s->index[i] = index;
}

static unsigned shortlisted(const desk *d, uint32_t *chosen)
{
    const gd_view *v = d->view;
    unsigned n = 0, lead = v->to_beat == GD_PASS, most = lead ? 7 : 14;
    shortlist list = {.n = 0}, high = {.n = 0};
    unsigned kind = 0;
    for (uint32_t i = 0; i <= v->n; i++) {
        gd_play p = i < v->n ? v->plays[i] : 0xffffffffu;
        unsigned k = gd_kind_of(p) == GD_STRAIGHT_FLUSH ? GD_BOMB : gd_kind_of(p);
        if (k != kind || i == v->n) {
            for (unsigned j = 0; j < list.n && n < EXPERT_MOST; j++) chosen[n++] = list.index[j];
            for (unsigned j = 0; j < high.n && n < EXPERT_MOST; j++) {
                int known = 0;
                for (unsigned m = 0; m < list.n; m++) known |= list.index[m] == high.index[j];
                if (!known) chosen[n++] = high.index[j];
            }
            list.n = high.n = 0;
            kind = k;
        }
        if (i == v->n) break;
        if (p == GD_PASS) {
            chosen[n++] = i;
            continue;
        }
        int tear = tear_of(v->hand, p), power = (int)gd_power(p);
        if (k >= GD_BOMB) {
            enter(&list, 9, tear * 40 + (int)gd_bomb_strength(p), i);
            continue;
        }
        if (k == GD_FULL_HOUSE) power = power * 2 + (int)(gd_detail(p) & 15u);
        enter(&list, most, tear * 4 + power, i);
        if (k <= GD_TRIPLE) enter(&high, 2, tear * 4 - power, i);
    }
    return n;
}

unsigned expert_consider(const gd_view *view, expert_choice *choices)
{
    desk d;
    uint32_t chosen[EXPERT_MOST];
    sit_down(&d, view);
    unsigned n = shortlisted(&d, chosen);
    for (unsigned i = 0; i < n; i++) {
        choices[i].index = chosen[i];
        consider(&d, &choices[i]);
    }
    return n;
}

/* Index of a play that empties the hand, -1 if there is none. */
static int last_play(const gd_view *view)
{
    unsigned mine = view->left[view->seat];
    if (mine > 10) return -1;
    for (uint32_t i = 0; i < view->n; i++)
        if (view->plays[i] && gd_size(view->plays[i]) == mine) return (int)i;
    return -1;
}

/* Two seats are left: what the other holds is what is unseen. */
static gd_duel duel_of(const gd_view *view)
{
    unsigned seat = view->seat, other = view->left[(seat + 1) & 3u] ? (seat + 1) & 3u : (seat + 3) & 3u;
    gd_duel d = {.hand = {*view->hand},
                 .left = {view->left[seat], view->left[other]},
                 .level = view->level,
                 .plays = view->rules->plays,
                 .to_beat = view->to_beat};
    d.hand[1] = gd_hand_of(gd_unseen_cards(view), view->level);
    if (view->holder >= 0 && !view->left[view->holder]) {
        unsigned heir = (unsigned)view->holder ^ 2u;
        if (view->rules->wind_to_next) {
            heir = ((unsigned)view->holder + 1u) & 3u;
            if (!view->left[heir]) heir = (heir + 1u) & 3u;
        }
        const gd_step *last = &view->steps[view->n_steps - 1];
        d.holder_out = 1;
        d.heir = heir != seat;
        d.passed = last->shape == GD_PASS && last->seat == other;
    }
    return d;
}

enum { DUEL_NODES = 1500, DUEL_CARDS = 24 };

/* The choice that wins the duel for certain, the best scored of these first; the best scored where none does. */
static unsigned win_duel(const gd_view *view, const expert_choice *choices, unsigned n, unsigned best)
{
    gd_duel d = duel_of(view);
    if (d.left[0] + d.left[1] > DUEL_CARDS) return best;
    int nodes = DUEL_NODES;
    uint64_t tried = 0;
    for (unsigned k = 0; k < n && nodes; k++) {
        unsigned at = n;
        for (unsigned i = 0; i < n; i++)
            if (!(tried >> i & 1u) && (at == n || choices[i].score > choices[at].score)) at = i;
        tried |= (uint64_t)1 << at;
        if (gd_duel_after(&d, view->plays[choices[at].index], &nodes) == GD_WINS) return at;
    }
    return best;
}

static unsigned choose(const gd_view *view, const expert_choice *choices, unsigned n)
{
    unsigned best = 0;
    for (unsigned i = 1; i < n; i++)
        if (choices[i].score > choices[best].score) best = i;
    return expert_context(view) == EXPERT_IN_duel ? win_duel(view, choices, n, best) : best;
}

static uint32_t play(const gd_view *view)
{
    int last = last_play(view);
    if (last >= 0) return (uint32_t)last;
    expert_choice choices[EXPERT_MOST];
    unsigned n = expert_consider(view, choices);
    return choices[choose(view, choices, n)].index;
}

/* What is left of the hand without one card, at its best split. */
static int32_t value_without(const desk *d, unsigned card)
{
    gd_hand rest = *d->view->hand;
    uint64_t bit = (uint64_t)1 << gd_lane_bit(card);
    rest.counts -= (uint64_t)1 << (4 * gd_rank_of_card(card));
    if (rest.two & bit)
        rest.two &= ~bit;
    else
        rest.one &= ~bit;
    gd_plan plan;
    gd_plan_of(&rest, d->view->level, &d->prices, d->flush_cards != 0, &plan);
    return plan.value;
}

/* A card given away: what it leaves, and what a single of it is worth to the one who gets it. */
static void rank_cards(const gd_view *view, int to_opponent, int32_t *scores)
{
    desk d;
    sit_down(&d, view);
    for (uint32_t i = 0; i < view->n; i++) {
        unsigned card = view->options[i];
        int32_t gift =
            card == gd_wild_card(view->level) ? 4 * d.prices.set[4][0] : d.prices.set[1][gd_rank_of_card(card)];
        scores[i] = value_without(&d, card) + (to_opponent ? -gift : gift) / 2;
    }
}

/* Will the card go to the other side? When tribute is returned, to the one who paid. */
static int to_opponent(const gd_view *view)
{
    const gd_tribute *t = view->shown;
    for (unsigned i = 0; i < t->n; i++)
        if (t->receiver[i] == view->seat) return (t->payer[i] ^ view->seat) & 1u;
    return 1;
}

static uint32_t best_of(const int32_t *scores, uint32_t n)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < n; i++)
        if (scores[i] > scores[best]) best = i;
    return best;
}

static uint32_t give_card(const gd_view *view)
{
    int32_t scores[GD_CARDS];
    rank_cards(view, to_opponent(view), scores);
    return best_of(scores, view->n);
}

/* Scores for advice: a play that was not considered comes after all that were. */
static void rank(const gd_view *view, int32_t *scores)
{
    if (view->n_steps == 0) {
        int asked_for_card = view->shown->n && (view->shown->given[0] < 0 || view->shown->returned[0] < 0) &&
                             view->shown->kind <= GD_TRIBUTE_DOUBLE;
        if (asked_for_card) {
            rank_cards(view, to_opponent(view), scores);
            return;
        }
    }
    expert_choice choices[EXPERT_MOST];
    unsigned n = expert_consider(view, choices), chosen = choose(view, choices, n);
    int32_t least = choices[0].score, most = least;
    for (unsigned i = 1; i < n; i++) {
        if (choices[i].score < least) least = choices[i].score;
        if (choices[i].score > most) most = choices[i].score;
    }
    for (uint32_t i = 0; i < view->n; i++) scores[i] = least - 1;
    for (unsigned i = 0; i < n; i++) scores[choices[i].index] = choices[i].score;
    scores[choices[chosen].index] = most + (most > choices[chosen].score);
    int last = last_play(view);
    if (last >= 0) scores[last] = most + 1;
}

#define PARAMETER_VALUE(name, value, least, most, zh, en) value,
#define PARAMETER(name, value, least, most, zh, en) {#name, least, most, zh, en},

static const int32_t values[N_PARAMETERS] = {PARAMETERS(PARAMETER_VALUE)};
static const gd_parameter parameters[N_PARAMETERS] = {PARAMETERS(PARAMETER)};

const gd_strategy guandan_expert = {
    .abi = GD_STRATEGY_ABI,
    .list = GD_LIST_SHAPES,
    .deterministic = 1,
    .name = "expert",
    .zh = "记牌、算牌权、配合对家，权重由自我对局调出",
    .en = "counts cards, plans for the lead, works with its partner; weights tuned by self-play",
    .n_parameters = N_PARAMETERS,
    .parameters = parameters,
    .values = values,
    .play = play,
    .tribute = give_card,
    .return_tribute = give_card,
    .rank = rank,
};
