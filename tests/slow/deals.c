/* Play random deals with the engine's own table and look over its shoulder: a program for tests, compiled with `assert` on.
 *
 *   deals SEED FIRST_PAIR DEALS LIST CHECK RULES...
 *
 * Plays both legs of pairs from FIRST_PAIR on until DEALS deals are done, at random over LIST, "all" or "shapes". RULES
 * are the numbers of engine.rules.Rules.core(). The engine asserts after each play that the 108 cards are whole. Of every
 * CHECK-th deal (0: of none) each play is judged slowly besides, by readings.h, which shares no code with the engine: its
 * seat holds the cards, they can be read as what they are called, they beat what lies there, and nobody laid a card
 * that was gone. Writes one line: pairs, matches, deals, plays, passes, plays judged. The first fault ends the program
 * with status 1 and a message that names where it was.
 */
#include <stdio.h>
#include <stdlib.h>

#include "gd_bulk.h"
#include "natives.h"
#include "numbers.h"
#include "readings.h"

static uint32_t any_shape(const gd_view *view) { return gd_random_below(view->random, view->n); }

static const gd_strategy random_shapes = {.abi = GD_STRATEGY_ABI,
                                          .list = GD_LIST_SHAPES,
                                          .name = "random shapes",
                                          .play = any_shape,
                                          .tribute = any_shape,
                                          .return_tribute = any_shape};

/* The deal as the judge sees it: what each seat holds, and what lies on the table. */
struct judge {
    struct position lies;
    int held[4][CARDS];
};

static void fail(const gd_table *t, const char *what)
{
    fprintf(stderr, "pair %llu leg %u deal %u, play %u of seat %u (code %08x at level %u): %s\n",
            (unsigned long long)t->pair, t->leg, t->match.deals + 1u, t->deal.plays, (unsigned)t->deal.holder,
            t->last_shape, t->deal.level, what);
    exit(1);
}

/* Ids of cards, read from the lanes by hand. */
static int ids_of(gd_cards cards, int *ids)
{
    int n = 0;
    for (int copy = 0; copy < 2; copy++)
        for (int bit = 0; bit < 64; bit++)
            if ((copy ? cards.two : cards.one) >> bit & 1)
                ids[n++] = bit % 16 < 13 ? 4 * (bit % 16) + bit / 16 : bit % 16 + 39;
    return n;
}

static void look_on(struct judge *j, const gd_table *t)
{
    unsigned plays = t->rules->plays;
    memset(j, 0, sizeof *j);
    j->lies.level = t->deal.level;
    j->lies.wild = 4 * t->deal.level + 1;
    j->lies.rules = (struct switches){plays & 1, plays & 2, plays & 4, plays & 8};
    for (int seat = 0; seat < 4; seat++) {
        int ids[108], n = ids_of(t->cards[seat], ids);
        if (n != 27) fail(t, "a hand of other than 27 cards at the first lead");
        for (int i = 0; i < n; i++) j->held[seat][ids[i]]++;
    }
}

/* The seat has laid something: `following` says that there was a play to beat. */
static void judge_play(struct judge *j, const gd_table *t, unsigned seat, bool following)
{
    int ids[108], n = ids_of(t->last_cards, ids);
    int kind = (int)gd_kind_of(t->last_shape) - 1, key = kind == JOKER_BOMB ? FOUR : (int)gd_rank(t->last_shape);
    struct readings can;
    if (n < 1 || n > MAX_PLAY) fail(t, "no play has so many cards");
    for (int i = 0; i < n; i++)
        if (--j->held[seat][ids[i]] < 0) fail(t, "the seat does not hold the cards");
    read_cards(&j->lies, ids, n, &can);
    if (!can.can[kind][key]) fail(t, "the cards are not what they are called");
    if (following && !is_greater(&j->lies, kind, key, n)) fail(t, "it does not beat what lies there");
    j->lies.kind = kind;
    j->lies.key = key;
    j->lies.size = n;
}

struct counts {
    long long matches, deals, plays, passes, judged;
};

static void play_deal(gd_table *t, const gd_strategy *strategy, int judged, struct counts *count)
{
    struct judge j;
    gd_table_deal(t);
    while (t->ask == GD_ASK_TRIBUTE || t->ask == GD_ASK_RETURN)
        if (gd_table_decide(t, strategy)) fail(t, "answer out of range");
    if (judged) look_on(&j, t);
    while (t->ask == GD_ASK_PLAY) {
        unsigned seat = t->view.seat;
        gd_play over = t->view.to_beat;
        if (gd_table_decide(t, strategy)) fail(t, "answer out of range");
        if (t->last_shape == GD_PASS && over == GD_PASS) fail(t, "a pass on lead");
        if (t->last_shape == GD_PASS || !judged) continue;
        if (over != GD_PASS && !gd_beats(t->last_shape, over)) fail(t, "gd_beats says that it does not beat");
        judge_play(&j, t, seat, over != GD_PASS);
        count->judged++;
    }
    for (int seat = 0; judged && seat < 4; seat++) {
        int left = 0;
        for (int card = 0; card < CARDS; card++) left += j.held[seat][card];
        if (left != t->deal.left[seat]) fail(t, "a seat holds other than it should at the end");
    }
    count->deals++;
    count->plays += t->deal.plays;
    count->passes += t->deal.passed;
}

int main(int argc, char **argv)
{
    if (argc != 6 + NUMBERS) {
        fprintf(stderr, "deals SEED FIRST_PAIR DEALS all|shapes CHECK and %d numbers of rules, not %d\n", NUMBERS,
                argc - 6);
        return 2;
    }
    static gd_values values;
    static gd_scratch scratch = {.values = &values};
    uint64_t seed = strtoull(argv[1], NULL, 10), first = strtoull(argv[2], NULL, 10), pair = first;
    long long deals = atoll(argv[3]), check = atoll(argv[5]);
    const gd_strategy *strategy = strcmp(argv[4], "all") == 0 ? &guandan_random : &random_shapes;
    gd_rules rules = rules_of(argv + 6);
    struct counts count = {0};
    for (; count.deals < deals; pair++) {
        for (unsigned leg = 1; leg <= 2; leg++) {
            gd_table t;
            gd_table_begin(&t, &rules, &scratch, seed, pair, leg, NULL);
            while (t.ask == GD_ASK_DEAL) {
                play_deal(&t, strategy, check > 0 && count.deals % check == 0, &count);
                gd_table_score(&t);
            }
            count.matches++;
        }
    }
    printf("%llu %lld %lld %lld %lld %lld\n", (unsigned long long)(pair - first), count.matches, count.deals,
           count.plays, count.passes, count.judged);
    return 0;
}
