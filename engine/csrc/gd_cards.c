#include "gd_cards.h"

gd_hand gd_hand_of(gd_cards cards, unsigned level)
{
    uint64_t wild = (uint64_t)1 << gd_lane_bit(gd_wild_card(level));
    uint64_t wilds = (uint64_t)!!(cards.one & wild) + (uint64_t)!!(cards.two & wild);
    gd_hand h = {wilds << 60, cards.one & ~wild, cards.two & ~wild};
    for (unsigned lane = 0; lane < 64; lane += 16)
        h.counts += gd_nibbles_of(h.one >> lane) + gd_nibbles_of(h.two >> lane);
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
