/* Keyed random streams: nothing is drawn that a key does not fix. */
#ifndef GD_RNG_H
#define GD_RNG_H

#include "guandan_strategy.h"

/* What a stream is for; part of its key. */
enum gd_domain {
    GD_DOMAIN_CARDS = 1, /* cards and first leader of a deal: (pair, deal) */
    GD_DOMAIN_SEAT = 2,  /* a strategy's own numbers: (pair, leg, deal, seat) */
    GD_DOMAIN_COIN = 3,  /* coin-flip deals: (pair, leg, deal) */
    GD_DOMAIN_BOARD = 4, /* contexts of boards: (number of the board) */
    GD_DOMAIN_PROBE = 5  /* hidden cards dealt anew for a question: () */
};

/* Stream of a key. The run's seed keys a SipHash-2-4 with 128 bits out (Aumasson and Bernstein 2012), so a stream tells
 * nothing of the seed, of the pair or of any other stream. */
gd_stream gd_stream_of(uint64_t seed, enum gd_domain domain, uint64_t pair, unsigned leg, unsigned deal, unsigned seat);

/* SipHash-2-4-128 of `words` 64-bit words, little-endian as bytes, key (k0, k1). */
void gd_siphash128(uint64_t k0, uint64_t k1, const uint64_t *in, unsigned words, uint64_t out[2]);

#endif
