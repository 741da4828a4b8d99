/* Speed of the core on one processor, without Python: compiled and run by `python -m benchmarks`.
 *
 * Times are processor time of this process, the best of several rounds. The first line is a fixed loop that has nothing to
 * do with the engine: divide by it to compare machines, or one machine under different loads.
 * With an argument `NAME` only that workload runs, once: that is what callgrind is given.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "gd_bulk.h"
#include "natives.h"

enum { ROUNDS = 7, HANDS = 20000, POSITIONS = 60000, PAIRS = 300 };

static const gd_rules national = {
    .plays = GD_WILD_SINGLE | GD_NINE_AND_TEN,
    .wild_takes_wind = 1,
    .steps = {3, 2, 1},
    .pass_a_partner = 2,
    .tribute = 1,
};
static gd_values values;
static gd_scratch scratch = {.values = &values};

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- the yardstick: 50 million dependent steps of xorshift64 */
static uint64_t yardstick(void)
{
    uint64_t x = 88172645463325252u;
    for (long i = 0; i < 50000000; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
    }
    return x;
}

/* ---- lists */
typedef struct {
    gd_hand hand;
    gd_play to_beat;
    unsigned level;
} position;

static position hands[HANDS], leads[POSITIONS], follows[POSITIONS];

static void deal_hands(void)
{
    gd_cards dealt[4];
    for (unsigned i = 0; i < HANDS; i++) {
        gd_deal_cards(7, i / 4, 1, dealt);
        hands[i] = (position){gd_hand_of(dealt[i % 4], i % 13), GD_PASS, i % 13};
    }
}

static unsigned n_leads, n_follows;

/* A strategy that plays like random and notes the positions it meets. */
static uint32_t note(const gd_view *view)
{
    position p = {*view->hand, view->to_beat, view->level};
    if (view->to_beat == GD_PASS && n_leads < POSITIONS) leads[n_leads++] = p;
    if (view->to_beat != GD_PASS && n_follows < POSITIONS) follows[n_follows++] = p;
    return gd_random_below(view->random, view->n);
}

static uint64_t list_all(const position *p, unsigned n)
{
    uint64_t plays = 0;
    for (unsigned i = 0; i < n; i++)
        plays += gd_list_plays(&p[i].hand, p[i].level, p[i].to_beat, GD_WILD_SINGLE | GD_NINE_AND_TEN, scratch.plays);
    return plays;
}

/* ---- matches */
static uint32_t any_shape(const gd_view *view) { return gd_random_below(view->random, view->n); }

static const gd_strategy random_shape = {
    .abi = GD_STRATEGY_ABI,
    .list = GD_LIST_SHAPES,
    .name = "random over shapes",
    .play = any_shape,
    .tribute = any_shape,
    .return_tribute = any_shape,
};
static const gd_strategy noting = {
    .abi = GD_STRATEGY_ABI,
    .list = GD_LIST_SHAPES,
    .name = "noting",
    .play = note,
    .tribute = any_shape,
    .return_tribute = any_shape,
};

static gd_pair_columns pair_columns;
static gd_deal_columns deal_columns;
static int64_t deals, matches;

static void make_columns(void)
{
#define MAKE_PAIR(type, name) pair_columns.name = malloc(sizeof(type) * PAIRS);
#define MAKE_DEAL(type, name) deal_columns.name = malloc(sizeof(type) * 65536);
    GD_PAIR_COLUMNS(MAKE_PAIR)
    GD_DEAL_COLUMNS(MAKE_DEAL)
}

/* greedy, but for a weight: then a pair is two matches. Of equal players the second would repeat the first, which flatters
 * whatever guesses branches; such pairs are one match here, as in a run. */
static const int32_t other_values[] = {60, 60, 10};
static gd_strategy other_greedy;

static gd_faults faults = {.stop = 1};
static gd_style style;
static gd_style_sums style_sums;

static void play(const gd_strategy *x, const gd_strategy *y, int64_t pairs, int with_deals, int counted)
{
    gd_style_init(&style, &style_sums);
    gd_bulk b = {.player = {{x, x}, {y, y}},
                 .rules = &national,
                 .scratch = &scratch,
                 .seed = 3,
                 .n_pairs = pairs,
                 .legs = x == y && x->deterministic ? 1 : 2,
                 .pair = pair_columns,
                 .deal = deal_columns,
                 .deal_room = 65536,
                 .faults = &faults,
                 .with_deals = with_deals,
                 .style = counted ? &style : NULL};
    if (gd_bulk_play(&b) != GD_BULK_DONE) exit(3);
    deals = 0;
    matches = b.legs * pairs;
    for (int64_t i = 0; i < pairs; i++) deals += pair_columns.deals[i];
}

/* ---- workloads */
static uint64_t sink;
static void run_yardstick(void) { sink += yardstick(); }
static void run_hands(void) { sink += list_all(hands, HANDS); }
static void run_leads(void) { sink += list_all(leads, n_leads); }
static void run_follows(void) { sink += list_all(follows, n_follows); }
static void run_random(void) { play(&guandan_random, &guandan_random, PAIRS, 0, 0); }
static void run_shapes(void) { play(&random_shape, &random_shape, PAIRS, 0, 0); }
static void run_greedy(void) { play(&guandan_greedy, &other_greedy, PAIRS, 0, 0); }
static void run_demo(void) { play(&guandan_greedy, &guandan_random, PAIRS, 0, 0); }
static void run_counted(void) { play(&guandan_greedy, &other_greedy, PAIRS, 0, 1); }
static void run_solid(void) { play(&guandan_solid, &guandan_solid, PAIRS, 0, 0); }
static void run_rows(void) { play(&guandan_greedy, &other_greedy, PAIRS, 1, 0); }

static const struct {
    const char *name;
    void (*run)(void);
    int matches; /* 1: a rate of deals and matches; 0: a time an item */
} workloads[] = {
    {"yardstick", run_yardstick, 0},    {"lead_27", run_hands, 0},      {"lead_in_play", run_leads, 0},
    {"follow_in_play", run_follows, 0}, {"random", run_random, 1},      {"random_shapes", run_shapes, 1},
    {"greedy", run_greedy, 1},          {"greedy_random", run_demo, 1}, {"greedy_rows", run_rows, 1},
    {"greedy_counted", run_counted, 1}, {"solid", run_solid, 1},
};

int main(int argc, char **argv)
{
    other_greedy = guandan_greedy;
    other_greedy.values = other_values;
    make_columns();
    deal_hands();
    while (n_leads < POSITIONS || n_follows < POSITIONS) play(&noting, &noting, 100, 0, 0);
    for (unsigned w = 0; w < sizeof workloads / sizeof *workloads; w++) {
        if (argc > 1 && strcmp(argv[1], workloads[w].name)) continue;
        double best = 1e9;
        for (int round = 0; round < (argc > 1 ? 1 : ROUNDS); round++) {
            double t = seconds();
            workloads[w].run();
            t = seconds() - t;
            if (t < best) best = t;
        }
        double items = w == 0 ? 5e7 : w == 1 ? HANDS : w < 4 ? POSITIONS : (double)deals;
        printf("%s %.9g %.0f %.0f\n", workloads[w].name, best, items, workloads[w].matches ? (double)matches : 0.0);
    }
    return sink == 1; /* keeps the sums from being optimised away */
}
