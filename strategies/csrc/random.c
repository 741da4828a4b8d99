/* random: every play as likely as every other.
 *
 * Uniform over the list of *all* plays (every kind, key and multiset of cards once) without the plain straights whose
 * natural cards are of one suit: these are straight flushes declared weaker than they are. Uniform over the cards that
 * may be paid or returned. It is the yardstick to which published figures of random play refer.
 */
#include "natives.h"

/* Do these cards lie in one suit, once the wild is set aside? */
static int one_suited(gd_cards cards, unsigned level)
{
    uint64_t x = cards.one & ~((uint64_t)1 << (16 + level)), lane = 0x1fff;
    for (unsigned suit = 0; suit < 4; suit++, lane <<= 16)
        if (!(x & ~lane)) return 1;
    return 0;
}

static uint32_t play(const gd_view *view)
{
    for (;;) {
        uint32_t index = gd_random_below(view->random, view->starts[view->n]), at = view->api->shape_at(view, index);
        gd_play shape = view->plays[at];
        int weak = gd_kind_of(shape) == GD_STRAIGHT && gd_wilds(shape) &&
                   one_suited(view->api->cards(view, shape, index - view->starts[at]), view->level);
        if (!weak) return index; /* the straight flush of the same cards is in the list, so this ends */
    }
}

static uint32_t any_card(const gd_view *view) { return gd_random_below(view->random, view->n); }

const gd_strategy guandan_random = {
    .abi = GD_STRATEGY_ABI,
    .list = GD_LIST_ALL,
    .name = "random",
    .zh = "在全部合法出牌中等概率选择",
    .en = "every legal play is equally likely",
    .play = play,
    .tribute = any_card,
    .return_tribute = any_card,
};
