/* Deal: one deal from given hands. */
#include "py_core.h"

typedef struct {
    PyObject_HEAD gd_rules rules;
    gd_deal deal;
} DealObject;

/* (holder, code, passes) of a trick under way, with `turn` to act; `out`: mask of seats that are out. */
static int trick_from(PyObject *obj, unsigned out, unsigned turn, unsigned *holder, unsigned *to_beat, unsigned *passes)
{
    if (!PyTuple_Check(obj)) {
        PyErr_SetString(PyExc_TypeError, "a trick is a tuple (holder, code, passes)");
        return -1;
    }
    if (!PyArg_ParseTuple(obj, "O&O&O&", py_u32, holder, py_u32, to_beat, py_u32, passes) || !py_is_play(*to_beat))
        return -1;
    unsigned others = 0, between = 0; /* seats that must pass in all, and that have passed if they acted in turn */
    for (unsigned i = 1; i < 4; i++) {
        unsigned seat = (*holder + i) & 3u;
        if (out >> seat & 1u) continue;
        others++;
        if (seat == turn) between = others;
    }
    if (*to_beat && *holder < 4 && between && between == *passes + 1) return 0;
    PyErr_Format(PyExc_ValueError, "seat %u cannot be to act after a play of seat %u and %u passes", turn, *holder,
                 *passes);
    return -1;
}

static PyObject *deal_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    PyObject *hands_arg, *rules_arg = NULL, *trick_arg = Py_None;
    gd_rules rules = {.plays = GD_NATIONAL_PLAYS, .wild_takes_wind = 1};
    unsigned level;
    unsigned leader;
    const char *out = "";
    Py_ssize_t n_out = 0;
    gd_cards hands[4];
    static char *names[] = {"hands", "level", "turn", "out", "rules", "trick", NULL};
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OO&O&|y#OO", names, &hands_arg, py_u32, &level, py_u32, &leader,
                                     &out, &n_out, &rules_arg, &trick_arg))
        return NULL;
    if (py_level_from(level) || (rules_arg && py_rules_from(rules_arg, &rules))) return NULL;
    if (py_hands_from(hands_arg, hands)) return NULL;
    gd_cards all = {0, 0};
    unsigned total = 0;
    for (unsigned s = 0; s < 4; s++) {
        total += gd_cards_size(hands[s]);
        if (gd_cards_size(hands[s]) > GD_HAND + 1)
            return PyErr_Format(PyExc_ValueError, "seat %u holds more than 28 cards", s);
        all = gd_cards_sum(all, hands[s]);
    }
    if (gd_cards_size(all) != total)
        return PyErr_Format(PyExc_ValueError, "a card occurs more than twice in the four hands");
    unsigned mask = 0;
    for (Py_ssize_t i = 0; i < n_out; i++) {
        unsigned seat = (unsigned char)out[i];
        if (seat > 3 || mask >> seat & 1 || gd_cards_size(hands[seat]))
            return PyErr_Format(PyExc_ValueError, "seat %u cannot be out: it is named twice or holds cards", seat);
        mask |= 1u << seat;
    }
    for (unsigned s = 0; s < 4; s++)
        if (!gd_cards_size(hands[s]) && !(mask >> s & 1))
            return PyErr_Format(PyExc_ValueError, "seat %u holds no card: name it in `out`", s);
    if (n_out > 2 || (n_out == 2 && out[1] == (out[0] ^ 2)))
        return PyErr_Format(PyExc_ValueError, "the deal is over: nobody may lead");
    if (leader > 3 || mask >> leader & 1) return PyErr_Format(PyExc_ValueError, "seat %u may not lead", leader);
    unsigned holder = 0, to_beat = GD_PASS, passes = 0;
    if (trick_arg != Py_None && trick_from(trick_arg, mask, leader, &holder, &to_beat, &passes)) return NULL;
    gd_play plays[GD_MAX_PLAYS];
    gd_hand hand = gd_hand_of(hands[leader], level);
    if (!to_beat && !gd_list_plays(&hand, level, GD_PASS, rules.plays, plays))
        return PyErr_Format(PyExc_ValueError, "seat %u has nothing to lead: its one wild may not be played alone",
                            leader);
    DealObject *self = (DealObject *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (!self) return NULL;
    self->rules = rules;
    gd_deal_begin(&self->deal, &self->rules, hands, level, leader);
    gd_deal_set_out(&self->deal, (const uint8_t *)out, (unsigned)n_out);
    if (to_beat) gd_deal_set_trick(&self->deal, holder, to_beat, passes);
    return (PyObject *)self;
}

/* play(code, cards): the seat in turn lays them, or passes with code 0; ValueError if that is not legal. */
static PyObject *deal_play(DealObject *self, PyObject *args)
{
    unsigned code;
    PyObject *cards_arg;
    gd_cards cards;
    gd_deal *d = &self->deal;
    if (!PyArg_ParseTuple(args, "O&O", py_u32, &code, &cards_arg) || py_cards_from(cards_arg, &cards)) return NULL;
    if (d->over) return PyErr_Format(PyExc_ValueError, "the deal is over");
    gd_play plays[GD_MAX_PLAYS];
    gd_hand *hand = &d->hand[d->turn];
    unsigned n = gd_list_plays(hand, d->level, d->to_beat, d->rules->plays, plays), i = 0;
    while (i < n && plays[i] != code) i++;
    if (i == n) return PyErr_Format(PyExc_ValueError, "seat %d may not make this play now", d->turn);
    if (gd_choice_of(hand, d->level, code, cards, d->rules->plays) == GD_NO_CHOICE)
        return PyErr_Format(PyExc_ValueError, "seat %d cannot make this play of these cards", d->turn);
    if (code == GD_PASS) {
        gd_deal_pass(d);
        Py_RETURN_NONE;
    }
    gd_deal_play(d, code, cards);
    Py_RETURN_NONE;
}

static PyObject *deal_hands(DealObject *self, void *unused)
{
    (void)unused;
    gd_cards hands[4];
    for (unsigned s = 0; s < 4; s++) hands[s] = gd_hand_cards(&self->deal.hand[s], self->deal.level);
    return py_hands_to(hands);
}

static PyObject *deal_state(DealObject *self, void *unused)
{
    (void)unused;
    const gd_deal *d = &self->deal;
    return Py_BuildValue("(iIiiy#Ii)", d->over ? -1 : d->turn, d->to_beat, d->holder, d->over, (const char *)d->order,
                         (Py_ssize_t)d->n_out, d->passes, d->wind);
}

const gd_deal *py_deal_in(PyObject *obj)
{
    if (PyType_GetSlot(Py_TYPE(obj), Py_tp_new) == (void *)(uintptr_t)deal_new) return &((DealObject *)obj)->deal;
    PyErr_SetString(PyExc_TypeError, "expected an engine._core.Deal");
    return NULL;
}

static PyMethodDef deal_methods[] = {
    {"play", (PyCFunction)deal_play, METH_VARARGS,
     "play(code, cards) -> None\n\nThe seat in turn lays these cards, or passes with code 0."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef deal_getset[] = {
    {"hands", (getter)deal_hands, NULL, "Cards each seat holds.", NULL},
    {"state", (getter)deal_state, NULL, "(turn, to_beat, holder, over, order, passes, wind): -1 where there is none.",
     NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot deal_slots[] = {
    {Py_tp_doc, "Deal(hands, level, turn, out=b'', rules=national, trick=None)\n\nOne deal in play from given hands."},
    {Py_tp_new, deal_new},
    {Py_tp_dealloc, py_plain_dealloc},
    {Py_tp_methods, deal_methods},
    {Py_tp_getset, deal_getset},
    {0, NULL},
};

PyType_Spec py_deal_spec = {"engine._core.Deal", sizeof(DealObject), 0, Py_TPFLAGS_DEFAULT, deal_slots};
