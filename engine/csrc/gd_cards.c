#include "gd_cards.h"

/* Sixteen bits to the lowest bits of sixteen nibbles: the inverse of the gathering in gd_ranks_with. */
static inline uint64_t spread(uint64_t x)
{
    x &= 0xffffu;
    x = (x | x << 24) & 0x000000ff000000ffu;
    x = (x | x << 12) & 0x000f000f000f000fu;
    x = (x | x << 6) & 0x0303030303030303u;
    return (x | x << 3) & GD_NIBBLES;
}

gd_hand gd_hand_of(gd_cards cards, unsigned level)
{
    uint64_t wild = (uint64_t)1 << gd_lane_bit(gd_wild_card(level));
    uint64_t wilds = (uint64_t)!!(cards.one & wild) + (uint64_t)!!(cards.two & wild);
    gd_hand h = {wilds << 60, cards.one & ~wild, cards.two & ~wild};
    for (unsigned lane = 0; lane < 64; lane += 16) h.counts += spread(h.one >> lane) + spread(h.two >> lane);
    return h;
}

gd_cards gd_hand_cards(const gd_hand *hand, unsigned level)
{
    unsigned bit = gd_lane_bit(gd_wild_card(level)), wilds = gd_wilds_held(hand);
    gd_cards c = {hand->one, hand->two};
    while (wilds--) gd_cards_add(&c, bit);
    return c;
}

unsigned gd_card_ids(gd_cards c, uint8_t *ids)
{
    unsigned n = 0;
    for (unsigned card = 0; card < GD_CARDS; card++)
        for (unsigned copies = gd_copies(c, card); copies; copies--) ids[n++] = (uint8_t)card;
    return n;
}
