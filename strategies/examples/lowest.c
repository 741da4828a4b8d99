/* A strategy in C: lay the lowest play, keep bombs for opponents who are close to going out.
 *
 *     cc -std=c11 -O2 -shared -fPIC -I"$(python -c 'import engine; print(engine.__path__[0])')/csrc" lowest.c -o lowest.so
 *     guandan check ./lowest.so:lowest
 */
#include "guandan_strategy.h"

enum { NEAR }; /* its parameters, in the order of the table below */

static const gd_parameter settings[] = {
    [NEAR] = {"near", 1, 27, "对手剩几张算快走完", "cards with which an opponent is close to going out"}};
static const int32_t defaults[] = {[NEAR] = 5};

static uint32_t play(const gd_view *view)
{
    uint32_t first = view->to_beat != GD_PASS; /* the list begins with the pass when there is something to beat */
    if (first && view->holder == (view->seat ^ 2)) return 0; /* the partner's play stands */
    int fewest = 28;
    for (unsigned seat = 0; seat < 4; seat++)
        if ((seat ^ view->seat) & 1 && view->left[seat] && view->left[seat] < fewest) fewest = view->left[seat];
    return gd_is_bomb(view->plays[first]) && fewest > view->parameters[NEAR] ? 0 : first;
}

static uint32_t first_card(const gd_view *view)
{
    (void)view;
    return 0;
}

const gd_strategy lowest = {
    .abi = GD_STRATEGY_ABI,
    .list = GD_LIST_SHAPES,
    .deterministic = 1,
    .name = "lowest",
    .zh = "出最小的，对手快走完才用炸弹",
    .en = "lays the lowest, bombs an opponent who is close to going out",
    .n_parameters = 1,
    .parameters = settings,
    .values = defaults,
    .play = play,
    .tribute = first_card,
    .return_tribute = first_card,
};
