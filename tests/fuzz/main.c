/* The harness without libFuzzer: replays files, or makes inputs from a seed.
 *
 *     fuzz FILE...                            run each file once
 *     fuzz SEED INPUTS SECONDS FAULT FILE...  then make INPUTS inputs (0: any number) within SECONDS (0: any time)
 *
 * Inputs are mutations of those which reached new code (the files, at first); the same seed makes the same ones. An input
 * that ends the process, or takes more than ten seconds, is left in the file FAULT. This file alone is compiled without
 * the hook that tells where the code has been. */
#include "guandan_strategy.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
void __sanitizer_cov_trace_pc(void);
void __sanitizer_set_death_callback(void (*callback)(void));

enum { LONGEST = 4096, KEPT = 4096, PLACES = 1 << 16, SLOW = 10 };

static uint8_t been[PLACES];
static uint32_t last_place;
static int is_new;

/* Called at every branch: the step from the place before to this one is a place of the map. */
void __sanitizer_cov_trace_pc(void)
{
    uint32_t here = (uint32_t)((uintptr_t)__builtin_return_address(0) - (uintptr_t)&LLVMFuzzerTestOneInput);
    uint32_t at = (here * 2654435761u >> 16 ^ last_place) & (PLACES - 1);
    last_place = here * 2654435761u >> 17;
    if (been[at]) return;
    been[at] = is_new = 1;
}

typedef struct {
    uint8_t *data;
    size_t size;
} input;

static input kept[KEPT];
static unsigned n_kept;
static uint8_t now[LONGEST];
static size_t now_size;
static const char *fault_file;

static void keep_fault(void)
{
    FILE *f = fault_file ? fopen(fault_file, "wb") : NULL;
    if (!f) return;
    fwrite(now, 1, now_size, f);
    fclose(f);
}

static void on_signal(int number)
{
    if (number == SIGALRM) fprintf(stderr, "an input takes more than %d seconds\n", SLOW);
    keep_fault();
    _exit(1);
}

static void run(void)
{
    is_new = 0;
    last_place = 0;
    alarm(SLOW);
    LLVMFuzzerTestOneInput(now, now_size);
    alarm(0);
    if (!is_new || n_kept == KEPT) return;
    input *copy = &kept[n_kept++];
    copy->data = malloc(now_size + 1);
    copy->size = now_size;
    memcpy(copy->data, now, now_size);
}

static void read_file(const char *name)
{
    FILE *f = fopen(name, "rb");
    if (!f) {
        fprintf(stderr, "%s cannot be read\n", name);
        exit(2);
    }
    now_size = fread(now, 1, LONGEST, f);
    fclose(f);
}

/* Bytes with small ones more often: most choices are among few. */
static uint8_t any_byte(gd_stream *r)
{
    uint8_t b = (uint8_t)gd_random64(r);
    return gd_random_below(r, 4) ? b : b & 7u;
}

static void grow(gd_stream *r)
{
    size_t most = gd_random_below(r, 3) ? 256 : LONGEST, size = 1 + gd_random_below(r, (uint32_t)most);
    while (now_size < size) now[now_size++] = any_byte(r);
}

static void mutate_once(gd_stream *r)
{
    size_t at = now_size ? gd_random_below(r, (uint32_t)now_size) : 0;
    const input *other = &kept[gd_random_below(r, n_kept)];
    switch (gd_random_below(r, 6)) {
    case 0: now[at] = any_byte(r); break;
    case 1: now[at] ^= (uint8_t)(1u << gd_random_below(r, 8)); break;
    case 2: /* insert */
        if (now_size == LONGEST) break;
        memmove(now + at + 1, now + at, now_size - at);
        now[at] = any_byte(r);
        now_size++;
        break;
    case 3: /* delete */
        if (now_size < 2) break;
        memmove(now + at, now + at + 1, now_size - at - 1);
        now_size--;
        break;
    case 4: /* end as another one does */
        if (other->size <= at) break;
        memcpy(now + at, other->data + at, other->size - at);
        now_size = other->size;
        break;
    default: grow(r); break;
    }
}

static void make_inputs(uint64_t seed, unsigned long inputs, unsigned long seconds)
{
    gd_stream r = {{seed * 0x9e3779b97f4a7c15u + 1, 0x2545f4914f6cdd1du}};
    for (unsigned i = 0; i < 20; i++) gd_random64(&r);
    time_t end = time(NULL) + (time_t)seconds;
    unsigned long made = 0;
    for (; (!inputs || made < inputs) && (!seconds || time(NULL) < end); made++) {
        now_size = 0;
        if (!n_kept || !gd_random_below(&r, 8)) {
            grow(&r);
        } else {
            const input *from = &kept[gd_random_below(&r, n_kept)];
            memcpy(now, from->data, now_size = from->size);
            for (unsigned n = 1u << gd_random_below(&r, 5); n; n--) mutate_once(&r);
        }
        run();
    }
    unsigned places = 0;
    for (unsigned i = 0; i < PLACES; i++) places += been[i];
    printf("%lu inputs, %u kept, %u places\n", made, n_kept, places);
}

int main(int argc, char **argv)
{
    char *end = "";
    uint64_t seed = argc > 4 ? strtoull(argv[1], &end, 10) : 0;
    int makes = argc > 4 && !*end;
    signal(SIGABRT, on_signal);
    signal(SIGALRM, on_signal);
    __sanitizer_set_death_callback(keep_fault);
    if (makes) fault_file = argv[4];
    for (int i = makes ? 5 : 1; i < argc; i++) {
        read_file(argv[i]);
        run();
    }
    if (makes) make_inputs(seed, strtoul(argv[2], NULL, 10), strtoul(argv[3], NULL, 10));
    return 0;
}
