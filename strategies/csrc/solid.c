/* solid: a sound player of the table.
 *
 * It arranges its hand (arrange.h) and holds every answer against three things, in hundredths of a turn:
 *   - what the hand costs before and after: losers to be led, breaks, bombs and wilds spent;
 *   - the chance that the play stands, by the cards still out and by who can answer;
 *   - what the lead is worth: to itself the more the nearer its hand is to done, to the partner and to opponents by the
 *     cards they hold.
 * From these follow the rules of the table (tests/test_strategies_solid.py has a position for each): low groups are led
 * first, and what can be laid over anything is kept for the end; bombs and wilds are kept until the lead is worth more than
 * they are; the partner's card stands unless it is weak and the own one goes along for nothing; an opponent with one card is
 * led no single, one with two no low pair; a partner with one card is led the smallest single; what goes out goes out.
 *
 * It plays for the match: what an order of finish is worth comes from view->api->value. With levels every place counts the
 * same. At A it does not: the side at its own A needs a first and no last, so once its first is home only the opponent who
 * is behind has to stay behind; against opponents at their A, once their first is home, the other is stopped at almost any
 * price. `match=0` counts levels instead.
 */
#include "arrange.h"
#include "natives.h"
#include "solid.h"

#define SOLID_PARAMETERS(X) \
    X(match, 1, 0, 1, "按全场胜率估价（0：只按级数）", "values by the chance to win the match (0: by levels)") \
    X(low, 65, -200, 400, "一手小牌的代价", "what a low group costs beyond a turn") \
    X(top, 27, 0, 100, "一手大牌的抵扣", "what a top group pays back") \
    X(bomb, 220, 0, 1000, "一个炸弹值多少", "what a bomb is worth") \
    X(larger, 15, 0, 200, "炸弹每多一张", "each card of a bomb beyond four") \
    X(flush, 280, 0, 1000, "一手同花顺值多少", "what a straight flush is worth") \
    X(wild, 50, -400, 1000, "逢人配用于非炸弹的代价", "price of a wild in anything but a bomb") \
    X(lead, 10, 0, 1000, "出牌权的价值", "what the lead is worth") \
    X(near, 66, 0, 1000, "手数少时出牌权增值（%）", "how much more it is worth when few turns are left, percent") \
    X(home, 100, 0, 2000, "一手就走完时出牌权增值", "how much more when one turn is left") \
    X(danger, 106, 0, 1000, "阻挡对手的分量（%）", "weight of opponents close to going out, percent") \
    X(mate, 100, 0, 1000, "照顾对家的分量（%）", "weight of a partner close to going out, percent") \
    X(cover, 70, -400, 1000, "压对家牌的代价", "price of beating the partner's play") \
    X(save, 150, 0, 1000, "用大牌压对家牌的代价", "price of beating it with a top group, beyond that") \
    X(pass, 0, -1000, 1000, "不出的偏好", "liking for a pass") \
    X(whole, 0, 0, 1000, "拆牌跟出的代价", "price of an answer that breaks a group") \
    X(single, 0, -400, 400, "领出单张的偏好", "liking for leading singles") \
    X(pair, 0, -400, 400, "领出对子的偏好", "liking for leading pairs") \
    X(long, 10, -100, 100, "领出时每张牌的偏好", "liking for leads of many cards, a card") \
    X(block, 100, 0, 1000, "领出对手剩余张数的代价", "price of leading as many cards as an opponent holds") \
    X(feed, 120, 0, 1000, "领出对家剩余张数的价值", "worth of leading as many cards as the partner holds") \
    X(slack, 25, 0, 1000, "理牌搜索的宽度", "width of the search over arrangements") \
    X(pay, 0, 0, 1, "进贡：0 不拆同花顺，1 取第一门", "tribute: 0 spares straight flushes, 1 the first suit") \
    X(give, 0, 0, 3, "还贡：0 看对象，1 最小，2 不拆牌，3 最大", \
      "return: 0 by receiver, 1 smallest, 2 breaks nothing, 3 largest")

#define ENTRY(name, value, least, most, zh, en) {#name, least, most, zh, en},
#define VALUE(name, value, least, most, zh, en) value,
#define INDEX(name, value, least, most, zh, en) P_##name,
static const gd_parameter parameters[] = {SOLID_PARAMETERS(ENTRY)};
static const int32_t defaults[] = {SOLID_PARAMETERS(VALUE)};
enum { SOLID_PARAMETERS(INDEX) N_PARAMETERS };

enum {
    TURN = 100,
    OUT = 2000,
    NEVER = -1000000,
    MOST_TRIED = 2,  /* answers that break a group and are looked at in full */
    BOMB_LEAST = 60, /* what a bomb that is no group costs at least */
    HOME = 300       /* cost from which the way home is short */
};

/* What a seat knows, looked at once. */
typedef struct {
    const gd_view *view;
    const int32_t *p;
    gd_weights w;
    outlook out;
    unsigned next, mate, last; /* seats in turn behind this one */
    int threat[4];             /* what the lead is worth to each other seat */
    int share;                 /* percent of the cards out that opponents hold */
    int cost;                  /* of the hand */
    gd_arrangement arranged;
} table;

static int of_left(unsigned left)
{
    static const int16_t worth[12] = {0, 300, 250, 200, 170, 150, 110, 90, 70, 60, 50, 40};
    return left < 12 ? worth[left] : 30;
}

/* ---- how likely a play stands ---- */

static int ratio(int k, int above) { return 96 * k / (k + above); }

static int stands(const table *t, gd_play p)
{
    const uint8_t *left = t->view->left;
    unsigned kind = gd_kind_of(p), size = gd_size(p), power = gd_power(p);
    if (gd_is_bomb(p)) {
        if (left[t->next] < 4 && left[t->last] < 4) return 100;
        if (kind == GD_JOKER_BOMB) return 100;
        if (kind == GD_STRAIGHT_FLUSH) return 88 + (int)power / 2;
        return size >= 6 ? 96 : size == 5 ? 82 + (int)power / 2 : 68 + (int)power;
    }
    int opponents = (int)left[t->next] + (int)left[t->last];
    if (left[t->next] < size && left[t->last] < size) return opponents < 4 ? 100 : 94;
    int above, k;
    switch (kind) {
    case GD_SINGLE: above = cards_above(&t->out, power), k = 40; break;
    case GD_PAIR: above = 2 * (int)gd_ones(t->out.power[1] & ~1u << power), k = 50; break;
    case GD_TRIPLE: above = 2 * (int)gd_ones(t->out.power[2] & 0x1fffu & ~1u << power), k = 80; break;
    case GD_FULL_HOUSE: above = 2 * (int)gd_ones(t->out.power[2] & 0x1fffu & ~1u << power), k = 80; break;
    case GD_STRAIGHT: above = 9 - (int)power, k = 80; break;
    case GD_TUBE: above = 11 - (int)power, k = 120; break;
    default: above = 12 - (int)power, k = 150; break;
    }
    if (size <= 3 && (left[t->next] == size || left[t->last] == size)) k /= 5; /* it will be tried */
    return ratio(k, above * t->share / 67);
}

/* ---- what the lead is worth ---- */

static int own_lead(const table *t, int cost_after)
{
    int short_of = HOME - cost_after;
    if (short_of < 0) short_of = 0;
    return t->p[P_lead] + t->p[P_near] * short_of / 100;
}

/* Value of a finishing order with match=0: levels. */
static int result(const table *t, enum gd_result r)
{
    static const int16_t levels[6] = {300, 200, 100, -300, -200, -100};
    return t->p[P_match] ? t->view->api->value(t->view, r) : levels[r];
}

/* Of the two places that one side can still gain behind the first, in percent: how much more than half of their worth lies in
 * the lower one. With levels each counts the same; at A the upper may count nothing, and all hangs on who is last. */
static int in_the_lower(int upper, int middle, int lower)
{
    int all = upper - lower, half = all / 2;
    if (half <= 0) return 0;
    int more = (int)((int64_t)100 * (middle - lower - half) / half);
    return more < -100 ? -100 : more > 100 ? 100 : more;
}

static int percent(int x, int percents) { return percents <= 0 ? 0 : x * percents / 100; }

/* Once one seat is out, weigh the opponents by the places still open. The partner home first: where second and third count
 * the same, the opponent who is nearly out may go, and only the other has to be kept behind. An opponent out first: where
 * they need more than to beat one of us, the other opponent is stopped at almost any price. */
static void look_at_places(table *t)
{
    const gd_view *v = t->view;
    unsigned n = v->left[t->next], m = v->left[t->mate], l = v->left[t->last];
    if (!m && n && l) {
        unsigned fast = n < l ? t->next : t->last;
        int lower = in_the_lower(result(t, GD_WE_SECOND), result(t, GD_WE_THIRD), result(t, GD_WE_LAST));
        t->threat[fast] = percent(t->threat[fast], 100 - lower);
        t->threat[fast ^ 2u] = percent(t->threat[fast ^ 2u], 100 + lower / 2);
    } else if (m && !(n && l)) {
        unsigned other = n ? t->next : t->last;
        int lower = in_the_lower(-result(t, GD_THEY_SECOND), -result(t, GD_THEY_THIRD), -result(t, GD_THEY_LAST));
        if (lower > 0) t->threat[other] = percent(t->threat[other], 100 + 4 * lower);
    }
}

static void look(table *t, const gd_view *v)
{
    const int32_t *p = v->parameters;
    t->view = v, t->p = p;
    t->next = (v->seat + 1u) & 3u, t->mate = v->seat ^ 2u, t->last = (v->seat + 3u) & 3u;
    t->out = look_out(v);
    int opponents = v->left[t->next] + v->left[t->last], all = opponents + v->left[t->mate];
    t->share = all ? 100 * opponents / all : 0;
    for (unsigned s = 0; s < 4; s++) t->threat[s] = of_left(v->left[s]) * p[s == t->mate ? P_mate : P_danger] / 100;
    look_at_places(t);
    gd_weights *w = &t->w;
    w->turn = TURN;
    for (unsigned k = 0; k < GD_OUTLOOKS; k++) w->low[k] = p[P_low], w->top[k] = p[P_top];
    w->bomb = p[P_bomb], w->larger = p[P_larger], w->flush = p[P_flush], w->wild = p[P_wild], w->slack = p[P_slack];
    set_outlook(w, &t->out, v->level);
}

/* ---- candidates ---- */

/* Is the play a group of the arrangement? */
static int is_group(const table *t, gd_play p)
{
    for (unsigned i = 0; i < t->arranged.turns; i++)
        if (t->arranged.group[i] == p) return 1;
    return 0;
}

/* Is it a top single, pair or triple, or a bomb? */
static int is_top(const table *t, gd_play p)
{
    unsigned kind = gd_kind_of(p);
    if (kind == GD_FULL_HOUSE) kind = GD_TRIPLE;
    if (kind > GD_TRIPLE) return gd_is_bomb(p);
    return (int)(t->w.top_at[kind - GD_SINGLE] >> gd_rank(p) & 1);
}

static int cost_without(const table *t, gd_play p)
{
    gd_hand h = gd_without(t->view->hand, p);
    return gd_arrange_cost(&h, t->view->level, t->view->rules->plays, &t->w);
}

static int score_lead(const table *t, gd_play p, int group)
{
    const gd_view *v = t->view;
    unsigned size = gd_size(p), kind = gd_kind_of(p);
    if (size == v->left[v->seat]) return OUT;
    int after = group ? t->cost - gd_group_cost(p, &t->w) : cost_without(t, p), stand = stands(t, p);
    int stake = t->threat[t->next] > t->threat[t->last] ? t->threat[t->next] : t->threat[t->last];
    int score = t->cost - after + stand * (own_lead(t, after) + stake) / 100 + t->p[P_long] * (int)size;
    if (kind == GD_SINGLE) score += t->p[P_single];
    if (kind == GD_PAIR) score += t->p[P_pair];
    if (gd_is_bomb(p)) return score - t->p[P_long] * (int)size;
    for (unsigned i = 0; i < 2; i++) {
        unsigned s = i ? t->last : t->next;
        if (v->left[s] == size)
            score -= t->p[P_block] * (100 - stand) / 100;
        else if (v->left[s] && v->left[s] < size)
            score += t->threat[s] / 4; /* cannot answer it */
    }
    if (v->left[t->mate] == size && v->left[t->next] != size) score += t->p[P_feed] * (14 - (int)gd_power(p)) / 14;
    return score;
}

/* A play that empties the hand, the length of the list if there is none. */
static uint32_t last_play(const gd_view *v, unsigned mine)
{
    for (uint32_t i = v->n; mine <= 10 && i-- > 0;)
        if (gd_size(v->plays[i]) == mine) return i;
    return v->n;
}

/* Scores of all leads; none is above the one that is chosen. */
static void rank_leads(const table *t, uint32_t best, int best_score, int32_t *scores)
{
    for (uint32_t i = 0; i < t->view->n; i++) {
        int score = score_lead(t, t->view->plays[i], is_group(t, t->view->plays[i]));
        scores[i] = i == best ? best_score : score < best_score ? score : best_score - 1;
    }
}

/* Place of a shape in the list, its length if it is not there. */
static uint32_t place_of(const gd_view *v, gd_play p)
{
    uint32_t from = 0, to = v->n;
    while (from < to) {
        uint32_t middle = (from + to) / 2;
        if (v->plays[middle] < p)
            from = middle + 1;
        else
            to = middle;
    }
    return from < v->n && v->plays[from] == p ? from : v->n;
}

static uint32_t lead(const gd_view *v, int32_t *scores)
{
    table t;
    look(&t, v);
    gd_arrange(v->hand, v->level, v->rules->plays, &t.w, &t.arranged);
    t.cost = t.arranged.cost;
    unsigned mine = v->left[v->seat];
    uint32_t best = last_play(v, mine);
    int best_score = best < v->n ? OUT : NEVER;
    if (best == v->n) best = 0;
    for (unsigned i = 0; i < t.arranged.turns && best_score < OUT; i++) {
        uint32_t at = place_of(v, t.arranged.group[i]);
        if (at == v->n) continue;
        int score = score_lead(&t, v->plays[at], 1);
        if (score > best_score) best = at, best_score = score;
    }
    /* Where somebody is nearly out, singles and pairs that break a group count as well. */
    int small = v->left[t.mate] - 1u < 2 || v->left[t.next] - 1u < 2 || v->left[t.last] - 1u < 2;
    for (uint32_t i = 0; i < v->n && small && best_score < OUT; i++) {
        gd_play p = v->plays[i];
        if (gd_kind_of(p) > GD_PAIR) break;
        if (gd_wilds(p) || is_group(&t, p)) continue;
        int score = score_lead(&t, p, 0);
        if (score > best_score) best = i, best_score = score;
    }
    if (scores) rank_leads(&t, best, best_score, scores);
    return best;
}

static int score_answer(const table *t, gd_play p, int after, int group, int stake)
{
    if (t->view->left[t->next] == gd_size(p) && !gd_is_bomb(p)) stake += t->p[P_block] / 2;
    int home = gd_is_bomb(p) && group && t->arranged.turns == 2 && t->arranged.bombs == 1 ? t->p[P_home] : 0;
    return t->cost - after + stands(t, p) * (own_lead(t, after) + home + stake) / 100;
}

/* Prices of an answer beyond what the hand loses. */
static int price_of_answer(const table *t, gd_play p, int mates, int group)
{
    int price = mates ? t->p[P_cover] : 0;
    if (mates && is_top(t, p)) price += t->p[P_save];
    return group ? price : price + t->p[P_whole];
}

static uint32_t follow(const gd_view *v, int32_t *scores)
{
    table t;
    unsigned mine = v->left[v->seat], holder = (unsigned)v->holder;
    int mates = holder == (v->seat ^ 2u), stake = 0, pass, settled = 0;
    look(&t, v);
    if (mates) {
        int stand = stands(&t, v->to_beat);
        pass = stand * (t.p[P_lead] + t.threat[t.mate]) / 100;
        settled = stand >= 50 && mine > 10;
        if (settled && !scores) return 0;
    } else {
        unsigned other = holder ^ 2u;
        stake = t.threat[holder];
        if (3 * t.threat[other] / 4 > stake) stake = 3 * t.threat[other] / 4;
        pass = holder == t.last && v->left[t.mate] ? 30 * (t.p[P_lead] / 2 + stake) / 100 : 0;
    }
    pass += t.p[P_pass];
    gd_arrange(v->hand, v->level, v->rules->plays, &t.w, &t.arranged);
    t.cost = t.arranged.cost;
    uint32_t best = 0;
    int best_score = pass, tried = 0;
    for (uint32_t i = 1; i < v->n; i++) {
        gd_play p = v->plays[i];
        int group = is_group(&t, p), price = price_of_answer(&t, p, mates, group), worthy = !settled, score;
        if (gd_size(p) == mine) {
            score = OUT;
        } else if (group) {
            score = score_answer(&t, p, t.cost - gd_group_cost(p, &t.w), 1, stake) - price;
        } else {
            int most = score_answer(&t, p, t.cost, 0, stake) - price; /* if nothing were lost by breaking */
            if (gd_is_bomb(p)) most -= BOMB_LEAST;
            worthy &= !mates && most > best_score && tried < MOST_TRIED;
            tried += worthy;
            if (!worthy && !scores) continue;
            score = score_answer(&t, p, cost_without(&t, p), 0, stake) - price;
        }
        if (scores) scores[i] = score;
        if (worthy && score > best_score) best = i, best_score = score;
    }
    if (scores) {
        scores[0] = pass;
        for (uint32_t i = 0; i < v->n; i++)
            if (i != best && scores[i] >= best_score) scores[i] = best_score - 1;
    }
    return best;
}

static uint32_t play(const gd_view *v) { return v->to_beat == GD_PASS ? lead(v, NULL) : follow(v, NULL); }

static uint32_t tribute(const gd_view *v) { return v->parameters[P_pay] ? 0 : pay_sparing_flushes(v); }

static uint32_t return_tribute(const gd_view *v)
{
    table t;
    look(&t, v);
    return give_back(v, &t.w, (enum gift)v->parameters[P_give]);
}

/* Is tribute or return asked for? What is returned is shown before the first play. */
static int gives(const gd_view *v)
{
    int paid = v->shown->kind == GD_TRIBUTE_SINGLE || v->shown->kind == GD_TRIBUTE_DOUBLE;
    return paid && v->shown->returned[0] < 0;
}

static void rank(const gd_view *v, int32_t *scores)
{
    if (gives(v))
        for (uint32_t i = 0, chosen = v->shown->given[0] < 0 ? tribute(v) : return_tribute(v); i < v->n; i++)
            scores[i] = i == chosen;
    else if (v->to_beat == GD_PASS)
        lead(v, scores);
    else
        follow(v, scores);
}

const gd_strategy guandan_solid = {
    .abi = GD_STRATEGY_ABI,
    .list = GD_LIST_SHAPES,
    .deterministic = 1,
    .name = "solid",
    .zh = "理牌求手数少，算外面的牌，护对家，为全场胜率而战",
    .en = "few turns, counts what is out, minds its partner, plays for the match",
    .n_parameters = N_PARAMETERS,
    .parameters = parameters,
    .values = defaults,
    .play = play,
    .rank = rank,
    .tribute = tribute,
    .return_tribute = return_tribute,
};
