#include "gd_rng.h"

static inline uint64_t rotl(uint64_t x, unsigned n) { return x << n | x >> (64 - n); }

static inline void sip_rounds(uint64_t v[4], unsigned n)
{
    while (n--) {
        v[0] += v[1];
        v[2] += v[3];
        v[1] = rotl(v[1], 13) ^ v[0];
        v[3] = rotl(v[3], 16) ^ v[2];
        v[0] = rotl(v[0], 32) + v[3];
        v[2] += v[1];
        v[3] = rotl(v[3], 21) ^ v[0];
        v[1] = rotl(v[1], 17) ^ v[2];
        v[2] = rotl(v[2], 32);
    }
}

void gd_siphash128(uint64_t k0, uint64_t k1, const uint64_t *in, unsigned words, uint64_t out[2])
{
    uint64_t v[4] = {k0 ^ 0x736f6d6570736575u, k1 ^ 0x646f72616e646f6du ^ 0xee, k0 ^ 0x6c7967656e657261u,
                     k1 ^ 0x7465646279746573u};
    for (unsigned i = 0; i <= words; i++) {
        uint64_t m = i < words ? in[i] : (uint64_t)(words * 8) << 56; /* the last word carries the length */
        v[3] ^= m;
        sip_rounds(v, 2);
        v[0] ^= m;
    }
    v[2] ^= 0xee;
    sip_rounds(v, 4);
    out[0] = v[0] ^ v[1] ^ v[2] ^ v[3];
    v[1] ^= 0xdd;
    sip_rounds(v, 4);
    out[1] = v[0] ^ v[1] ^ v[2] ^ v[3];
}

gd_stream gd_stream_of(uint64_t seed, enum gd_domain domain, uint64_t pair, unsigned leg, unsigned deal, unsigned seat)
{
    const uint64_t message[2] = {pair, (uint64_t)domain << 56 | (uint64_t)leg << 48 | (uint64_t)seat << 40 | deal};
    gd_stream s;
    gd_siphash128(seed, 0x6775616e64616e31u /* "guandan1" */, message, 2, s.s);
    if (!(s.s[0] | s.s[1])) s.s[0] = 1; /* the one state that xoroshiro never leaves */
    return s;
}
