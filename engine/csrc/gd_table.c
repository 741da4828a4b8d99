#include "gd_table.h"

#include <assert.h>
#include <stddef.h>

static uint32_t view_suit_choices(const gd_view *view, gd_play shape)
{
    return gd_suit_choices(view->hand, shape, view->rules->plays);
}

static gd_cards view_cards(const gd_view *view, gd_play shape, uint32_t choice)
{
    return gd_choice_cards(view->hand, view->level, shape, choice, view->rules->plays);
}

static uint32_t view_shape_at(const gd_view *view, uint32_t index) { return gd_shape_at(view->starts, view->n, index); }

static int32_t view_value(const gd_view *view, enum gd_result result)
{
    const gd_table *t = (const gd_table *)((const char *)view - offsetof(gd_table, view));
    unsigned first = (view->seat + (result >= GD_THEY_SECOND)) & 3u, place = (unsigned)result % 3 + 1;
    uint8_t order[4];
    gd_order_with(first, place, order);
    int32_t value = gd_value_of(t->scratch->values, t->rules, &t->match, view->deals_left, order);
    return view->seat & 1u ? GD_VALUE_SCALE - value : value;
}

static const gd_api api = {view_suit_choices, view_shape_at, view_cards, view_value};

uint64_t gd_deal_cards(uint64_t seed, uint64_t pair, unsigned deal, gd_cards hands[4])
{
    gd_stream r = gd_stream_of(seed, GD_DOMAIN_CARDS, pair, 0, deal, 0);
    uint64_t first_lead = gd_random64(&r);
    uint8_t deck[GD_DECK];
    for (unsigned i = 0; i < GD_DECK; i++) deck[i] = (uint8_t)gd_lane_bit(i >> 1);
    /* Fisher-Yates over three hands; the fourth is what they lack of the two packs. */
    gd_cards rest = {0, 0};
    for (unsigned seat = 0, i = 0; seat < 3; seat++) {
        gd_cards hand = {0, 0};
        for (unsigned end = i + GD_HAND; i < end; i++) {
            unsigned j = i + gd_random_below(&r, GD_DECK - i);
            gd_cards_add(&hand, deck[j]);
            deck[j] = deck[i];
        }
        hands[seat] = hand;
        rest = gd_cards_sum(rest, hand);
    }
    const uint64_t pack = GD_SUITED | (uint64_t)3 << GD_SMALL_JOKER;
    hands[3] = (gd_cards){pack & ~rest.two, pack & ~rest.one};
    return first_lead;
}

/* Cards that may be turned up to find the first leader: no joker and no heart two. */
static unsigned turnable(gd_cards hand)
{
    return gd_cards_size(hand) - gd_copies(hand, 52) - gd_copies(hand, 53) - gd_copies(hand, GD_HEARTS);
}

unsigned gd_first_lead(const gd_rules *rules, uint64_t number, const gd_cards hands[4])
{
    if (rules->first_lead == GD_LEAD_ROTATION) return 0;
    if (rules->first_lead == GD_LEAD_UNIFORM) return (unsigned)(number >> 62);
    /* One of the 102 cards is turned up; whoever is dealt it leads. */
    unsigned card = (unsigned)((number >> 32) * (GD_DECK - 6) >> 32), seat = 0;
    for (; card >= turnable(hands[seat]); seat++) card -= turnable(hands[seat]);
    return seat;
}

void gd_table_begin(gd_table *t, const gd_rules *rules, gd_scratch *scratch, uint64_t seed, uint64_t pair, unsigned leg,
                    const gd_context *context)
{
    *t = (gd_table){.rules = rules,
                    .scratch = scratch,
                    .seed = seed,
                    .pair = pair,
                    .leg = leg,
                    .context = context,
                    .ask = GD_ASK_DEAL};
    gd_match_begin(&t->match, rules, context);
    t->view = (gd_view){.api = &api,
                        .plays = scratch->plays,
                        .starts = scratch->starts,
                        .options = t->options,
                        .left = t->deal.left,
                        .gone = &t->deal.gone,
                        .steps = t->steps,
                        .shown = &t->shown,
                        .rules = rules};
}

void gd_table_tell(gd_table *t, enum gd_event what)
{
    unsigned failed = t->watcher ? t->watcher->tell(t->watcher, t, what) : 0;
    if (!failed || t->broken) return;
    t->broken = (uint8_t)failed;
    t->why = t->watcher->why;
}

void gd_table_watch(gd_table *t, gd_watcher *watcher)
{
    t->watcher = watcher;
    gd_table_tell(t, GD_MATCH_BEGINS);
}

/* Fill what every question shows. */
static void ask(gd_table *t, enum gd_ask what, unsigned seat)
{
    t->ask = what;
    t->view.seat = (uint8_t)seat;
    t->view.random = &t->streams[seat];
}

static inline __attribute__((always_inline)) void show(gd_table *t)
{
    gd_deal *d = &t->deal;
    if (d->over) {
        t->ask = GD_DEAL_OVER;
        return;
    }
    ask(t, GD_ASK_PLAY, d->turn);
    t->view.hand = &d->hand[d->turn];
    t->view.to_beat = d->to_beat;
    t->view.holder = d->holder;
    t->view.n_steps = t->n_steps;
    t->view.plays = t->scratch->plays;
    t->view.n = gd_deal_plays(d, t->scratch->plays);
}

void gd_table_show(gd_table *t) { show(t); }

static void begin_play(gd_table *t, unsigned leader)
{
    if (t->context && t->context->lead >= 0) leader = (unsigned)t->context->lead;
    t->lead = leader;
    gd_deal_begin(&t->deal, t->rules, t->cards, gd_match_level(&t->match), leader);
    gd_table_show(t);
}

/* deal.hand serves as the view's hand during tribute: own cards at the level to be played. */
static void ask_card(gd_table *t, enum gd_ask what, unsigned seat)
{
    unsigned level = gd_match_level(&t->match);
    ask(t, what, seat);
    t->deal.hand[seat] = gd_hand_of(t->cards[seat], level);
    t->view.hand = &t->deal.hand[seat];
    t->view.n = what == GD_ASK_TRIBUTE ? gd_tribute_options(t->cards[seat], level, t->options)
                                       : gd_return_options(t->rules, t->cards[seat], level, t->options);
}

/* The next payer pays; where the rules let the receiver take the card, the first is asked instead. */
static void ask_tribute(gd_table *t)
{
    unsigned payer = t->tribute.payer[t->asked];
    ask_card(t, GD_ASK_TRIBUTE, t->rules->receiver_chooses ? t->match.order[0] : payer);
    t->view.n = gd_tribute_options(t->cards[payer], gd_match_level(&t->match), t->options);
}

/* Tribute was refused, or there is none at all. */
static unsigned leader_without_exchange(const gd_table *t)
{
    const uint8_t *order = t->match.order;
    if (t->tribute.kind == GD_TRIBUTE_NONE || !t->rules->payer_leads_refused) return order[0];
    return t->tribute.n == 2 ? (order[0] + 1u) & 3u : t->tribute.payer[0];
}

static void begin_deal(gd_table *t)
{
    gd_match *m = &t->match;
    unsigned deal = m->deals + 1u;
    uint64_t number = gd_deal_cards(t->seed, t->pair, deal, t->dealt);
    for (unsigned s = 0; s < 4; s++) t->cards[s] = t->dealt[s];
    t->has_stream = 0;
    t->asked = 0;
    t->judged = -1;
    t->deal = (gd_deal){.level = (uint8_t)gd_match_level(m), .left = {GD_HAND, GD_HAND, GD_HAND, GD_HAND}};
    t->view.n_steps = t->n_steps = t->decisions = 0;
    t->view.level = (uint8_t)gd_match_level(m);
    t->view.declarer = m->declarer;
    t->view.deal = (uint16_t)deal;
    t->view.deals_left = m->board ? 0 : (uint16_t)gd_deals_left(t->rules, m);
    t->view.seconds_left = m->board || !t->rules->limit_minutes ? -1 : gd_seconds_left(t->rules, m);
    t->view.first_ends = m->tie_break;
    for (unsigned i = 0; i < 4; i++) t->view.order[i] = m->order[i];
    t->view.to_beat = GD_PASS;
    t->view.holder = -1;
    for (unsigned side = 0; side < 2; side++) {
        t->view.levels[side] = m->level[side];
        t->view.a_fails[side] = m->fails[side];
    }
    t->tribute = t->shown = (gd_tribute){.given = {-1, -1}, .returned = {-1, -1}};
    if (m->declarer < 0) {
        begin_play(t, gd_first_lead(t->rules, number, t->dealt));
        return;
    }
    if (m->tie_break || t->rules->first_lead == GD_LEAD_ROTATION || m->judged >= 0) {
        unsigned leader = m->tie_break ? gd_first_lead(t->rules, number, t->dealt) : m->deals & 3u;
        begin_play(t, m->judged >= 0 ? ((unsigned)m->judged + 3u) & 3u : leader);
        t->deal.first_ends = m->tie_break;
        return;
    }
    if (!t->context || t->context->exchange) t->shown = t->tribute = gd_tribute_due(t->rules, m->order, t->cards);
    if (t->tribute.kind == GD_TRIBUTE_SINGLE || t->tribute.kind == GD_TRIBUTE_DOUBLE)
        ask_tribute(t);
    else
        begin_play(t, leader_without_exchange(t));
}

void gd_table_deal(gd_table *t)
{
    assert(t->ask == GD_ASK_DEAL);
    begin_deal(t);
    gd_table_tell(t, GD_DEAL_BEGINS);
    if (t->shown.kind >= GD_SINGLE_REFUSED && t->ask == GD_ASK_PLAY) gd_table_tell(t, GD_TRIBUTE_REFUSED);
}

/* All have paid: only now are the cards shown and moved. */
static void hand_over(gd_table *t)
{
    gd_tribute *b = &t->tribute;
    gd_tribute_pair(b, t->rules, t->match.order, gd_match_level(&t->match));
    t->shown = *b;
    for (unsigned i = 0; i < b->n; i++) {
        gd_move_card(&t->cards[b->payer[i]], &t->cards[b->receiver[i]], (unsigned)b->given[i]);
        t->deal.left[b->payer[i]]--;
        t->deal.left[b->receiver[i]]++;
    }
    t->asked = 0;
    ask_card(t, GD_ASK_RETURN, b->receiver[0]);
    gd_table_tell(t, GD_TRIBUTE_PAID);
}

void gd_table_give(gd_table *t, unsigned index)
{
    gd_tribute *b = &t->tribute;
    assert(index < t->view.n);
    int8_t card = (int8_t)t->options[index];
    t->last_shape = GD_PASS;
    t->last_cards = (gd_cards){0, 0};
    gd_cards_add(&t->last_cards, gd_lane_bit(t->options[index]));
    unsigned i = t->asked++;
    t->decisions++;
    if (t->ask == GD_ASK_TRIBUTE) {
        b->given[i] = card;
        if (t->asked < b->n)
            ask_tribute(t);
        else
            hand_over(t);
        return;
    }
    assert(t->ask == GD_ASK_RETURN);
    b->returned[i] = card;
    if (t->asked < b->n) {
        ask_card(t, GD_ASK_RETURN, b->receiver[t->asked]);
        return;
    }
    for (i = 0; i < b->n; i++) /* returned cards are shown together */
        gd_move_card(&t->cards[b->receiver[i]], &t->cards[b->payer[i]], (unsigned)b->returned[i]);
    t->shown = *b;
    begin_play(t, gd_tribute_leader(b, t->rules, t->match.order, gd_match_level(&t->match)));
    gd_table_tell(t, GD_TRIBUTE_RETURNED);
}

/* The four hands and the cards played are the two packs, every card twice. Only asserted. */
static inline int is_whole(const gd_deal *d)
{
    gd_cards all = d->gone;
    unsigned n = gd_cards_size(all);
    for (unsigned s = 0; s < 4; s++) {
        gd_cards hand = gd_hand_cards(&d->hand[s], d->level);
        n += gd_cards_size(hand);
        all = gd_cards_sum(all, hand);
    }
    return n == GD_DECK && gd_bits(all.two) == GD_CARDS;
}

/* Enter what the deal has just taken, and ask on. */
static inline void step(gd_table *t, unsigned seat)
{
    assert(is_whole(&t->deal) && t->n_steps < GD_MAX_STEPS);
    t->decisions++;
    t->steps[t->n_steps++] = (gd_step){.cards = t->last_cards, .shape = t->last_shape, .seat = (uint8_t)seat};
    show(t);
    gd_table_tell(t, GD_STEP_MADE);
}

static inline void pass(gd_table *t)
{
    unsigned seat = t->deal.turn;
    t->last_shape = GD_PASS;
    t->last_cards = (gd_cards){0, 0};
    gd_deal_pass(&t->deal);
    step(t, seat);
}

static inline void lay(gd_table *t, unsigned index, unsigned choice)
{
    gd_deal *d = &t->deal;
    assert(t->ask == GD_ASK_PLAY && index < t->view.n);
    unsigned seat = d->turn;
    gd_play shape = t->view.plays[index];
    if (shape == GD_PASS) {
        pass(t);
        return;
    }
    t->last_shape = shape;
    t->last_cards = gd_choice_cards(&d->hand[seat], d->level, shape, choice, t->rules->plays);
    gd_deal_play(d, shape, t->last_cards);
    step(t, seat);
}

void gd_table_play(gd_table *t, unsigned index, unsigned choice) { lay(t, index, choice); }

int gd_table_may_judge(const gd_table *t, enum gd_verdict verdict)
{
    if (t->ask == GD_ASK_PLAY || (t->ask == GD_DEAL_OVER && t->judged < 0)) return 1;
    return verdict == GD_JUDGED_DOUBLE_DOWN && (t->ask == GD_ASK_TRIBUTE || t->ask == GD_ASK_RETURN);
}

void gd_table_judge(gd_table *t, unsigned offender, enum gd_verdict verdict)
{
    assert(gd_table_may_judge(t, verdict));
    t->judged = (int)offender;
    t->verdict = verdict;
    if (verdict == GD_JUDGED_DOUBLE_DOWN) {
        gd_judged_order(offender, t->deal.order);
    } else {
        if (!t->deal.over) gd_deal_stop(&t->deal, (offender + 1u) & 3u);
        gd_judged_last_order(offender, t->deal.order);
    }
    t->ask = GD_DEAL_OVER;
}

gd_score gd_table_score(gd_table *t)
{
    assert(t->ask == GD_DEAL_OVER);
    const gd_deal *d = &t->deal;
    const uint8_t *cost = t->rules->seconds;
    gd_outcome end = {.aces = d->aces, .judged = (int8_t)t->judged};
    for (unsigned i = 0; i < 4; i++) end.order[i] = d->order[i];
    end.seconds = cost[0] + (uint32_t)cost[1] * d->tricks + (uint32_t)cost[2] * (uint32_t)(d->plays - d->tricks) +
                  (uint32_t)cost[3] * d->passed;
    t->scored = gd_match_score(&t->match, t->rules, &end);
    t->ask = t->match.end == GD_RUNNING ? GD_ASK_DEAL : GD_MATCH_OVER;
    t->decisions = 0; /* what fails from here on is a fault of the deal to come */
    gd_table_tell(t, GD_DEAL_ENDS);
    return t->scored;
}

void gd_table_forfeit(gd_table *t, unsigned team)
{
    if (t->ask != GD_ASK_DEAL) return;
    t->match.end = GD_FORFEIT;
    t->match.winner = (int8_t)(1u - team);
    t->ask = GD_MATCH_OVER;
}

/* The seat decides for the first time in this deal: key its stream. */
static void key_stream(gd_table *t, const gd_strategy *strategy, unsigned seat)
{
    if (t->has_stream >> seat & 1u || strategy->deterministic) return;
    t->has_stream |= (uint8_t)(1u << seat);
    t->streams[seat] = gd_stream_of(t->seed, GD_DOMAIN_SEAT, t->pair, t->leg, t->match.deals + 1u, seat);
}

uint32_t gd_table_ask(gd_table *t, const gd_strategy *strategy)
{
    gd_view *view = &t->view;
    uint32_t n = view->n;
    view->parameters = strategy->values;
    t->chosen = GD_NO_CHOICE;
    if (t->ask == GD_ASK_PLAY && strategy->list == GD_LIST_ALL) {
        view->starts = t->scratch->starts;
        gd_list_starts(view->hand, view->plays, n, t->rules->plays, t->scratch->starts);
        n = view->starts[n];
    }
    if (n > 1) key_stream(t, strategy, view->seat);
    return n;
}

static int refused(uint32_t index)
{
    return index == GD_NO_ANSWER ? GD_UNANSWERED : index == GD_NO_MEMORY ? GD_SHORT_OF_MEMORY : GD_OUT_OF_RANGE;
}

uint32_t gd_strategy_answer(const gd_strategy *strategy, enum gd_ask ask, const gd_view *view)
{
    return (ask == GD_ASK_PLAY      ? strategy->play
            : ask == GD_ASK_TRIBUTE ? strategy->tribute
                                    : strategy->return_tribute)(view);
}

/* Inlined where strategies play on, which is where nearly all answers come from. */
static inline __attribute__((always_inline)) int answer(gd_table *t, const gd_strategy *strategy, uint32_t index)
{
    const gd_view *view = &t->view;
    uint32_t n = view->n;
    if (t->ask != GD_ASK_PLAY) {
        if (index >= n) return refused(index);
        gd_table_give(t, index);
    } else if (strategy->list == GD_LIST_ALL) {
        if (index >= view->starts[n]) return refused(index);
        unsigned shape = gd_shape_at(view->starts, n, index);
        lay(t, shape, index - view->starts[shape]);
    } else {
        if (index >= n) return refused(index);
        lay(t, index, t->chosen != GD_NO_CHOICE ? t->chosen : gd_deal_choice(&t->deal, view->plays[index]));
    }
    return t->broken ? GD_BROKEN : GD_ENTERED;
}

int gd_table_answer(gd_table *t, const gd_strategy *strategy, uint32_t index) { return answer(t, strategy, index); }

static inline int decide(gd_table *t, const gd_strategy *strategy)
{
    uint32_t index = gd_table_ask(t, strategy) > 1 ? gd_strategy_answer(strategy, t->ask, &t->view) : 0;
    return answer(t, strategy, index);
}

int gd_table_decide(gd_table *t, const gd_strategy *strategy) { return decide(t, strategy); }

static inline __attribute__((always_inline)) int run(gd_table *t, gd_sights *sights)
{
    while (t->ask <= GD_ASK_PLAY) {
        const gd_strategy *strategy = t->player[t->view.seat];
        int entered;
        if (gd_must_pass(t)) {
            pass(t);
            entered = t->broken ? GD_BROKEN : GD_ENTERED;
        } else {
            if (!strategy->play) return GD_ELSEWHERE;
            if (sights && t->ask == GD_ASK_PLAY) gd_table_see(t, sights);
            entered = decide(t, strategy);
        }
        if (entered != GD_ENTERED) return entered;
    }
    return GD_ENTERED;
}

/* Twice the same loop, so that the usual one knows that nothing is noted. */
int gd_table_run(gd_table *t, gd_sights *sights) { return sights ? run(t, sights) : run(t, NULL); }
