#include "gd_fault.h"

/* Between two deals it is the first decision of the one to come. */
static int look(const gd_faults *f, const gd_table *t, unsigned seat, int told)
{
    if (f->watch) {
        f->watch->pair = (int64_t)t->pair;
        f->watch->leg = (int64_t)t->leg;
        f->watch->deal = (int64_t)t->match.deals + 1;
        f->watch->decision = (int64_t)t->decisions;
        f->watch->seat = seat;
        f->watch->told = told;
    }
    for (int64_t i = 0; i < f->n_known; i++) {
        const gd_known_fault *k = &f->known[i];
        if (k->pair == (int64_t)t->pair && k->leg == (int32_t)t->leg && k->deal == (int32_t)t->match.deals + 1 &&
            k->decision == (int32_t)t->decisions && !k->told == !told && (!told || k->seat == (int32_t)seat))
            return k->reason;
    }
    return -1;
}

int gd_foreseen_made(const gd_faults *f, const gd_table *t, unsigned seat) { return look(f, t, seat, 1); }

int gd_foreseen(const gd_faults *f, const gd_table *t, unsigned seat, int told)
{
    int reason = look(f, t, seat, told);
    if (f->watch) f->watch->asked++;
    return reason;
}

gd_fault_row gd_row_of_fault(const gd_table *t, unsigned seat, int told, enum gd_fault_reason reason, int forfeits)
{
    const gd_deal *d = &t->deal;
    int in_play = t->ask == GD_ASK_PLAY || t->ask == GD_DEAL_OVER;
    gd_cards held[4];
    for (unsigned s = 0; s < 4; s++) held[s] = in_play ? gd_hand_cards(&d->hand[s], d->level) : t->cards[s];
    gd_fault_row row = {.pair = (int64_t)t->pair,
                        .leg = (int8_t)t->leg,
                        .deal = (int16_t)(t->match.deals + 1u),
                        .decision = (int16_t)t->decisions,
                        .seat = (int8_t)seat,
                        .side = (int8_t)gd_side_of(t, seat),
                        .asked = (int8_t)(told      ? GD_ASK_PLAY - GD_ASK_TRIBUTE + 1
                                          : in_play ? GD_ASK_PLAY - GD_ASK_TRIBUTE
                                                    : t->ask == GD_ASK_RETURN),
                        .reason = (int8_t)reason,
                        .forfeits = (int8_t)forfeits,
                        .turn = (int8_t)(t->ask == GD_DEAL_OVER ? -1
                                         : in_play              ? (int)d->turn
                                                                : (int)seat),
                        .level = (int8_t)d->level,
                        .n_out = (int8_t)d->n_out,
                        .out_1 = (int8_t)d->order[0],
                        .out_2 = (int8_t)d->order[1],
                        .holder = -1,
                        .hand_0_one = (int64_t)held[0].one,
                        .hand_0_two = (int64_t)held[0].two,
                        .hand_1_one = (int64_t)held[1].one,
                        .hand_1_two = (int64_t)held[1].two,
                        .hand_2_one = (int64_t)held[2].one,
                        .hand_2_two = (int64_t)held[2].two,
                        .hand_3_one = (int64_t)held[3].one,
                        .hand_3_two = (int64_t)held[3].two};
    for (unsigned i = t->n_steps; in_play && d->holder >= 0 && i-- > 0;) {
        if (t->steps[i].shape == GD_PASS) continue;
        row.holder = d->holder;
        row.passes = (int8_t)d->passes;
        row.shape = (int64_t)t->steps[i].shape;
        row.cards_one = (int64_t)t->steps[i].cards.one;
        row.cards_two = (int64_t)t->steps[i].cards.two;
        break;
    }
    return row;
}
