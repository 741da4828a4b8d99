/* greedy: sheds many cards at low cost and keeps bombs and wilds for when they are needed.
 *
 * One look at the list of shapes, one price a play, the cheapest is taken. The price knows power, wilds spent, and what a
 * play tears apart (a pair for a single, a bomb for a pair). It lets the partner's card stand, answers opponents as
 * cheaply as it can, and bombs once an opponent is close to going out. It does not plan, count cards or look at the match:
 * it is the fast and plain opponent of the ladder.
 */
#include "gd_gen.h"
#include "natives.h"

enum {
    PRICE_POWER = 4,      /* a step of power */
    PRICE_PAIR_POWER = 2, /* a step of power of the pair in a full house */
    PRICE_CARD = 7,       /* what shedding a card is worth when leading */
    PRICE_WILD = 30,      /* a wild spent */
    PRICE_PAIR = 9,       /* a pair torn */
    PRICE_TRIPLE = 12,    /* a triple torn */
    PRICE_FOUR = 45,      /* a bomb torn */
    PRICE_FEED = 40,      /* leading as many cards as an opponent holds, less the power of the play */
    PRICE_MATE = 15       /* what leading as many cards as the partner holds is worth */
};

/* P(name, default, least, most, zh, en) */
#define PARAMETERS(P) \
    P(pass, 70, 0, 1000, "对手牌多时，代价高于此则不要", \
      "an answer dearer than this is not given to an opponent with many cards") \
    P(bomb, 60, 0, 1000, "出一手可不出的炸弹的代价", "price of a bomb that need not be laid") \
    P(near, 10, 0, 27, "对手剩牌不多于此即快走完", "an opponent with so few cards or fewer is close to going out")

#define INDEX(name, value, least, most, zh, en) P_##name,
#define DEFAULT(name, value, least, most, zh, en) value,
#define ENTRY(name, value, least, most, zh, en) {#name, least, most, zh, en},

enum { PARAMETERS(INDEX) N_PARAMETERS };
static const int32_t defaults[N_PARAMETERS] = {PARAMETERS(DEFAULT)};
static const gd_parameter parameters[N_PARAMETERS] = {PARAMETERS(ENTRY)};

/* What it costs to take k of n equal cards and leave the others: [n][k]. */
static const uint8_t tear_price[9][4] = {
    [2] = {0, PRICE_PAIR, 0, 0},
    [3] = {0, PRICE_TRIPLE, PRICE_TRIPLE, 0},
    [4] = {0, PRICE_FOUR, PRICE_FOUR, PRICE_FOUR},
    [5] = {0, PRICE_FOUR, PRICE_FOUR, PRICE_FOUR},
    [6] = {0, PRICE_FOUR, PRICE_FOUR, PRICE_FOUR},
    [7] = {0, PRICE_FOUR, PRICE_FOUR, PRICE_FOUR},
    [8] = {0, PRICE_FOUR, PRICE_FOUR, PRICE_FOUR},
};

static inline int tear(const gd_hand *hand, unsigned rank, unsigned take)
{
    return tear_price[gd_count(hand, rank)][take];
}

static int tear_sequence(const gd_hand *hand, gd_play p)
{
    unsigned kind = gd_kind_of(p), place = gd_power(p), detail = gd_detail(p);
    unsigned each = kind == GD_TUBE ? 2 : kind == GD_PLATE ? 3 : 1, n = kind == GD_STRAIGHT ? 5 : 6 / each;
    int price = 0;
    for (unsigned i = 0; i < n; i++) {
        unsigned wilds = n == 5 ? detail >> i & 1u : detail >> (2 * i) & 3u;
        price += tear(hand, place + i ? place + i - 1 : 12, each - wilds);
    }
    return price;
}

/* What a play costs, bombs aside. */
static inline int price_of(const gd_hand *hand, gd_play p)
{
    unsigned kind = gd_kind_of(p), wilds = gd_wilds(p);
    int price = PRICE_POWER * (int)gd_power(p) + PRICE_WILD * (int)wilds;
    if (kind == GD_FULL_HOUSE) {
        unsigned in_pair = gd_detail(p) >> 4, pair_power = gd_detail(p) & 15u;
        return price + PRICE_PAIR_POWER * (int)pair_power + tear(hand, gd_rank(p), 3 - (wilds - in_pair)) +
               tear(hand, gd_pair_rank(p), 2 - in_pair);
    }
    if (kind <= GD_TRIPLE) return price + tear(hand, gd_rank(p), gd_size(p) - wilds);
    return price + tear_sequence(hand, p);
}

static int price_of_bomb(const gd_view *view, gd_play p)
{
    return view->parameters[P_bomb] + (int)gd_bomb_strength(p) / 4 + PRICE_WILD * (int)gd_wilds(p);
}

/* Fewest cards an opponent holds who is still in. */
static unsigned nearest_opponent(const gd_view *view)
{
    unsigned a = view->left[(view->seat + 1) & 3], b = view->left[(view->seat + 3) & 3];
    return !a ? b : !b ? a : a < b ? a : b;
}

/* What a play led costs. */
static inline int price_of_lead(const gd_view *view, gd_play p, unsigned near, unsigned mate)
{
    unsigned size = gd_size(p);
    int is_bomb = gd_is_bomb(p), price = is_bomb ? price_of_bomb(view, p) : price_of(view->hand, p);
    if (size == near && !is_bomb) price += PRICE_FEED - 3 * (int)gd_power(p);
    if (size == mate) price -= PRICE_MATE;
    return price - PRICE_CARD * (int)size;
}

/* The cheapest lead. A play costs no less than its power, wilds and cards, but for what it is worth to the partner, and big
 * jokers led to an opponent who holds as many cards: so most of a long list is dismissed, the more the sooner a cheap one is
 * found. Therefore the one that is cheapest at first sight is priced first. */
static uint32_t lead(const gd_view *view)
{
    unsigned mine = view->left[view->seat], near = nearest_opponent(view), mate = view->left[view->seat ^ 2];
    enum { LEAST_STRENGTH = 2 * 4 << 4 }; /* of a bomb */
    const gd_play *plays = view->plays;
    uint32_t n = view->n, best = 0, likely = UINT32_MAX;
    int16_t least[GD_MAX_PLAYS];
    for (uint32_t i = 0; i < n && mine <= 10; i++)
        if (gd_size(plays[i]) == mine) return i;
    int bomb = view->parameters[P_bomb] + LEAST_STRENGTH / 4;
    for (uint32_t i = 0; i < n; i++) { /* without a branch: this becomes vectors */
        gd_play p = plays[i];
        int power = PRICE_POWER * (int)gd_power(p), pair_power = PRICE_PAIR_POWER * (int)(gd_detail(p) & 15u);
        int own = gd_is_bomb(p) ? bomb : gd_kind_of(p) == GD_FULL_HOUSE ? power + pair_power : power;
        int price = own + PRICE_WILD * (int)gd_wilds(p) - PRICE_CARD * (int)gd_size(p);
        uint32_t key = (uint32_t)(price + (1 << 10)) << 16 | i;
        least[i] = (int16_t)price;
        likely = key < likely ? key : likely;
    }
    int saved = (mate <= 10 ? PRICE_MATE : 0) + (near <= 2 ? 2 : 0);
    int best_price = price_of_lead(view, plays[likely & 0xffffu], near, mate) + 1;
    for (uint32_t i = 0; i < n; i++) {
        if (least[i] - saved >= best_price) continue;
        int price = price_of_lead(view, plays[i], near, mate);
        if (price < best_price) best = i, best_price = price;
    }
    return best;
}

/* Index of a play that empties the hand, 0 if there is none. Long hands have none to look for. */
static uint32_t last_play(const gd_view *view, unsigned mine)
{
    if (mine > 10) return 0;
    for (uint32_t i = 1; i < view->n; i++)
        if (gd_size(view->plays[i]) == mine) return i;
    return 0;
}

static uint32_t follow(const gd_view *view)
{
    unsigned holder = (unsigned)view->holder, near = nearest_opponent(view);
    uint32_t best = last_play(view, view->left[view->seat]);
    if (best || holder == (view->seat ^ 2u)) return best; /* the partner's card stands */
    unsigned close = (unsigned)view->parameters[P_near];
    int danger = near <= close, may_bomb = danger && (near <= close / 2 || view->left[holder] <= close);
    int best_price = danger ? 1 << 20 : view->parameters[P_pass];
    for (uint32_t i = 1; i < view->n; i++) {
        gd_play p = view->plays[i];
        if (gd_is_bomb(p) && !may_bomb) break; /* bombs come last */
        int floor = PRICE_POWER * (int)gd_power(p);
        if (floor >= best_price && !may_bomb) break; /* the rest is no weaker */
        if (floor + PRICE_WILD * (int)gd_wilds(p) >= best_price) continue;
        int price = gd_is_bomb(p) ? price_of_bomb(view, p) : price_of(view->hand, p);
        if (price < best_price) best = i, best_price = price;
    }
    return best;
}

static uint32_t play(const gd_view *view) { return view->to_beat == GD_PASS ? lead(view) : follow(view); }

/* Equal cards: the first of them in suit order. */
static uint32_t first_card(const gd_view *view)
{
    (void)view;
    return 0;
}

static int price_of_return(const gd_view *view, uint32_t i)
{
    unsigned rank = view->options[i] >> 2;
    return rank > 12 ? 1 << 10 : (int)rank + tear(view->hand, rank, 1);
}

/* Return the weakest card that tears nothing. */
static uint32_t return_tribute(const gd_view *view)
{
    uint32_t best = 0;
    int best_price = 1 << 20;
    for (uint32_t i = 0; i < view->n; i++) {
        int price = price_of_return(view, i);
        if (price < best_price) best = i, best_price = price;
    }
    return best;
}

/* Is a card to be given, not a play to be made? Cards given are shown at once, and so are those returned. */
static int in_exchange(const gd_view *view)
{
    unsigned kind = view->shown->kind;
    return (kind == GD_TRIBUTE_SINGLE || kind == GD_TRIBUTE_DOUBLE) && view->shown->returned[0] < 0;
}

/* What the plays cost, negated: the order in which play() would take them. */
static void rank(const gd_view *view, int32_t *scores)
{
    enum { LAST = 1 << 20, AT_ANY_PRICE = 1 << 11, NEVER = 1 << 12 };
    unsigned mine = view->left[view->seat], near = nearest_opponent(view), mate = view->left[view->seat ^ 2];
    int leads = view->to_beat == GD_PASS, mates = !leads && view->holder == (view->seat ^ 2);
    unsigned close = (unsigned)view->parameters[P_near];
    int danger = near <= close, may_bomb = danger && !leads && (near <= close / 2 || view->left[view->holder] <= close);
    if (in_exchange(view)) {
        int returns = view->shown->given[0] >= 0;
        for (uint32_t i = 0; i < view->n; i++) scores[i] = returns ? -price_of_return(view, i) : 0;
        return;
    }
    for (uint32_t i = 0; i < view->n; i++) {
        gd_play p = view->plays[i];
        unsigned size = gd_size(p);
        int is_bomb = gd_is_bomb(p);
        if (p == GD_PASS) {
            scores[i] = mates ? 0 : danger ? -AT_ANY_PRICE : -view->parameters[P_pass];
            continue;
        }
        int price = leads     ? price_of_lead(view, p, near, mate)
                    : is_bomb ? price_of_bomb(view, p)
                              : price_of(view->hand, p);
        if (!leads && (mates || (is_bomb && !may_bomb))) price += NEVER;
        scores[i] = size == mine ? LAST : -price;
    }
}

const gd_strategy guandan_greedy = {
    .abi = GD_STRATEGY_ABI,
    .list = GD_LIST_SHAPES,
    .deterministic = 1,
    .name = "greedy",
    .zh = "低代价多出牌，留炸弹与逢人配备用",
    .en = "sheds many cards at low cost, keeps bombs and wilds in reserve",
    .n_parameters = N_PARAMETERS,
    .parameters = parameters,
    .values = defaults,
    .play = play,
    .tribute = first_card,
    .return_tribute = return_tribute,
    .rank = rank,
};
