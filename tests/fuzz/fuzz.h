/* What the fuzz targets share: bytes read as small decisions, and checks that end the process.
 *
 * A target reads an input byte by byte; where it has ended, zeros follow, so every input is a valid one. */
#ifndef GD_FUZZ_H
#define GD_FUZZ_H

#include "gd_bulk.h"

#include <stdio.h>
#include <stdlib.h>

#define CHECK(what) ((what) ? (void)0 : fuzz_fail(#what, __FILE__, __LINE__))

static inline _Noreturn void fuzz_fail(const char *what, const char *file, int line)
{
    fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, what);
    abort();
}

typedef struct {
    const uint8_t *at, *end;
} fuzz_input;

static inline int more(const fuzz_input *in) { return in->at < in->end; }
static inline unsigned byte(fuzz_input *in) { return more(in) ? *in->at++ : 0; }

/* A number below n >= 1; one byte where that is enough. */
static inline uint32_t below(fuzz_input *in, uint32_t n)
{
    uint32_t value = byte(in);
    for (uint32_t reach = 256; reach < n; reach <<= 8) {
        value = value << 8 | byte(in);
        if (reach >= 1u << 24) break;
    }
    return value % n;
}

/* n cards that `taken` does not hold twice; they are added to it. They lie in a run of ids, so that short runs give many
 * of a kind. */
gd_cards draw_cards(fuzz_input *in, unsigned n, gd_cards *taken);

/* Rules as py_rules_from takes them: national with some fields changed. More than engine.rules lets through. */
gd_rules draw_rules(fuzz_input *in);

/* A code that py_is_play takes: one of `plays`, or any other. */
gd_play draw_code(fuzz_input *in, const gd_play *plays, unsigned n);

/* A finishing order. */
void draw_order(fuzz_input *in, uint8_t order[4]);

static inline int same_cards(gd_cards a, gd_cards b) { return a.one == b.one && a.two == b.two; }
static inline int holds(gd_cards hand, gd_cards part)
{
    return !(part.one & ~hand.one) && !(part.two & ~hand.two) && !(part.two & ~part.one);
}
static inline int is_order(const uint8_t order[4])
{
    unsigned seen = 0;
    for (unsigned i = 0; i < 4; i++) seen |= order[i] < 4 ? 1u << order[i] : 0;
    return seen == 15;
}

/* The targets. */
void fuzz_plays(fuzz_input *in);
void fuzz_deal(fuzz_input *in);
void fuzz_table(fuzz_input *in);
void fuzz_match(fuzz_input *in);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
