/* Counting what is out. */
#include "gd_cards.h"
#include "solid.h"

/* Ranks to powers and back: the level moves above A. */
static uint32_t by_power(uint32_t ranks, unsigned level)
{
    uint32_t suited = ranks & 0x1fffu, below = suited & ((1u << level) - 1u);
    return below | (suited >> (level + 1)) << level | (suited >> level & 1u) << GD_LEVEL_POWER | (ranks & 0x6000u);
}

static uint32_t by_rank(uint32_t powers, unsigned level)
{
    uint32_t below = powers & ((1u << level) - 1u), above = (powers & 0xfffu) >> level;
    return below | above << (level + 1) | (powers >> GD_LEVEL_POWER & 1u) << level | (powers & 0x6000u);
}

/* Adding up masks, a plane a binary digit. */
typedef struct {
    uint32_t bit[4];
} counter;

static inline void count(counter *c, uint32_t x)
{
    for (unsigned i = 0; i < 4; i++) {
        uint32_t carry = c->bit[i] & x;
        c->bit[i] ^= x, x = carry;
    }
}

outlook look_out(const gd_view *v)
{
    gd_cards mine = {v->hand->one, v->hand->two}, seen = gd_cards_sum(*v->gone, mine);
    uint64_t wild = (uint64_t)1 << (16 * GD_HEARTS + v->level), deck = GD_SUITED | 0x6000u;
    uint64_t one = deck & ~seen.two & ~wild, two = deck & ~seen.one & ~wild;
    counter c = {{0}};
    for (unsigned suit = 0; suit < 4; suit++) {
        count(&c, (uint32_t)(one >> (16 * suit)) & 0xffffu);
        count(&c, (uint32_t)(two >> (16 * suit)) & 0xffffu);
    }
    outlook out = {.wilds = 2 - gd_wilds_held(v->hand) - (unsigned)((v->gone->one & wild) != 0) -
                            (unsigned)((v->gone->two & wild) != 0)};
    for (unsigned i = 0; i < 4; i++) out.bit[i] = by_power(c.bit[i], v->level);
    uint32_t four = out.bit[2] | out.bit[3];
    out.power[0] = out.bit[0] | out.bit[1] | four;
    out.power[1] = out.bit[1] | four;
    out.power[2] = (out.bit[0] & out.bit[1]) | four;
    return out;
}

int cards_above(const outlook *out, unsigned power)
{
    uint32_t above = ~1u << power;
    return (int)(gd_ones(out->bit[0] & above) + 2 * gd_ones(out->bit[1] & above) + 4 * gd_ones(out->bit[2] & above) +
                 8 * gd_ones(out->bit[3] & above) + out->wilds * (power < GD_LEVEL_POWER));
}

/* Powers above which at most `n` of the mask lie. */
static uint32_t topmost(uint32_t mask, unsigned n)
{
    while (n-- && mask) mask ^= 1u << (31 - __builtin_clz(mask));
    return mask ? ~0u << (31 - __builtin_clz(mask)) : ~0u;
}

void set_outlook(gd_weights *w, const outlook *out, unsigned level)
{
    uint32_t low = by_rank(0x7fu, level); /* seven lowest powers */
    w->low_at[GD_OUT_SINGLE] = w->low_at[GD_OUT_PAIR] = low, w->low_at[GD_OUT_TRIPLE] = by_rank(0x1fu, level);
    w->low_at[GD_OUT_SEQUENCE] = 0;
    uint32_t high = topmost(out->power[0], 0);
    for (unsigned p = 14; p > 7 && cards_above(out, p - 1) <= 2; p--) high |= 1u << (p - 1);
    w->top_at[GD_OUT_SINGLE] = by_rank(high & 0x7fffu, level);
    w->top_at[GD_OUT_PAIR] = by_rank(topmost(out->power[1], 1) & 0x7fffu, level);
    w->top_at[GD_OUT_TRIPLE] = by_rank(topmost(out->power[2] & 0x1fffu, 1) & 0x1fffu, level);
    w->top_at[GD_OUT_SEQUENCE] = 0x1f80u;
}
