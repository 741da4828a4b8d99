/* View: what a strategy written in Python may know while it is asked. A window on a gd_view, shut after the call. */
#include "py_core.h"

static const gd_view *open_view(ViewObject *self)
{
    if (!self->table) PyErr_SetString(PyExc_ValueError, "a view is valid only while the strategy is asked");
    return self->table ? &self->table->view : NULL;
}

#define NUMBER(name) \
    static PyObject *view_##name(ViewObject *self, void *unused) \
    { \
        (void)unused; \
        const gd_view *v = open_view(self); \
        return v ? PyLong_FromLong((long)v->name) : NULL; \
    }
NUMBER(seat)
NUMBER(level)
NUMBER(holder)
NUMBER(declarer)
NUMBER(deal)
NUMBER(deals_left)
NUMBER(seconds_left)
NUMBER(n_steps)

static PyObject *view_to_beat(ViewObject *self, void *unused)
{
    (void)unused;
    const gd_view *v = open_view(self);
    return v ? PyLong_FromUnsignedLong(v->to_beat) : NULL;
}

static PyObject *view_n(ViewObject *self, void *unused)
{
    (void)unused;
    return open_view(self) ? PyLong_FromUnsignedLong(self->n) : NULL;
}

static PyObject *view_first_ends(ViewObject *self, void *unused)
{
    (void)unused;
    const gd_view *v = open_view(self);
    return v ? PyBool_FromLong(v->first_ends) : NULL;
}

/* A tuple of small numbers. */
static PyObject *bytes_to_tuple(const uint8_t *from, Py_ssize_t n)
{
    PyObject *out = PyTuple_New(n);
    for (Py_ssize_t i = 0; out && i < n; i++) {
        PyObject *number = PyLong_FromLong(from[i]);
        if (!number || PyTuple_SetItem(out, i, number)) Py_CLEAR(out);
    }
    return out;
}

#define NUMBERS(name, many) \
    static PyObject *view_##name(ViewObject *self, void *unused) \
    { \
        (void)unused; \
        const gd_view *v = open_view(self); \
        return v ? bytes_to_tuple(v->name, many) : NULL; \
    }
NUMBERS(left, 4)
NUMBERS(levels, 2)
NUMBERS(a_fails, 2)
NUMBERS(order, v->declarer < 0 ? 0 : 4)

static PyObject *view_hand(ViewObject *self, void *unused)
{
    (void)unused;
    const gd_view *v = open_view(self);
    return v ? py_cards_to(gd_hand_cards(v->hand, v->level)) : NULL;
}

static PyObject *view_planes(ViewObject *self, void *unused)
{
    (void)unused;
    const gd_view *v = open_view(self);
    if (!v) return NULL;
    return Py_BuildValue("(KKK)", (unsigned long long)v->hand->counts, (unsigned long long)v->hand->one,
                         (unsigned long long)v->hand->two);
}

static PyObject *view_gone(ViewObject *self, void *unused)
{
    (void)unused;
    const gd_view *v = open_view(self);
    return v ? py_cards_to(*v->gone) : NULL;
}

static PyObject *view_plays(ViewObject *self, void *unused)
{
    (void)unused;
    const gd_view *v = open_view(self);
    if (!v) return NULL;
    Py_ssize_t n = self->table->ask == GD_ASK_PLAY ? v->n : 0;
    PyObject *out = PyTuple_New(n);
    for (Py_ssize_t i = 0; out && i < n; i++) {
        PyObject *code = PyLong_FromUnsignedLong(v->plays[i]);
        if (!code || PyTuple_SetItem(out, i, code)) Py_CLEAR(out);
    }
    return out;
}

static PyObject *view_options(ViewObject *self, void *unused)
{
    (void)unused;
    const gd_view *v = open_view(self);
    if (!v) return NULL;
    return PyBytes_FromStringAndSize((const char *)v->options, self->table->ask == GD_ASK_PLAY ? 0 : v->n);
}

static PyObject *view_steps(ViewObject *self, void *unused)
{
    (void)unused;
    const gd_view *v = open_view(self);
    if (!v) return NULL;
    PyObject *out = PyTuple_New(v->n_steps);
    for (Py_ssize_t i = 0; out && i < (Py_ssize_t)v->n_steps; i++) {
        PyObject *step = py_step_to(self->faces, &v->steps[i]);
        if (!step || PyTuple_SetItem(out, i, step)) Py_CLEAR(out);
    }
    return out;
}

static PyObject *view_tribute(ViewObject *self, void *unused)
{
    (void)unused;
    const gd_view *v = open_view(self);
    if (!v) return NULL;
    const gd_tribute *b = v->shown;
    int n = b->n;
    PyObject *given = PyTuple_New(n), *returned = PyTuple_New(n), *out = NULL;
    for (Py_ssize_t i = 0; given && returned && i < n; i++) {
        PyObject *a = PyLong_FromLong(b->given[i]), *c = PyLong_FromLong(b->returned[i]);
        if (!a || PyTuple_SetItem(given, i, a)) Py_CLEAR(given);
        if (!c || PyTuple_SetItem(returned, i, c)) Py_CLEAR(returned);
    }
    if (given && returned)
        out = py_named(self->faces->tribute, Py_BuildValue("(iNNOO)", b->kind, bytes_to_tuple(b->payer, n),
                                                           bytes_to_tuple(b->receiver, n), given, returned));
    Py_XDECREF(given);
    Py_XDECREF(returned);
    return out;
}

static PyObject *view_rules(ViewObject *self, void *unused)
{
    (void)unused;
    return open_view(self) ? Py_NewRef(self->rules) : NULL;
}

static PyObject *view_parameters(ViewObject *self, void *unused)
{
    (void)unused;
    return open_view(self) ? Py_NewRef(self->parameters) : NULL;
}

/* entry(index) -> (code, cards): an entry of the list that is chosen from, in play. */
static PyObject *view_entry(ViewObject *self, PyObject *arg)
{
    const gd_view *v = open_view(self);
    unsigned index;
    if (!v || !py_u32(arg, &index)) return NULL;
    if (self->table->ask != GD_ASK_PLAY) return PyErr_Format(PyExc_ValueError, "there are options, no plays");
    if (index >= self->n) return PyErr_Format(PyExc_ValueError, "there are %u plays, not %u", self->n, index);
    unsigned shape = self->all ? gd_shape_at(v->starts, v->n, index) : index, choice = 0;
    gd_play code = v->plays[shape];
    gd_cards cards = {0, 0};
    if (code != GD_PASS) {
        choice = self->all ? index - v->starts[shape] : gd_best_choice(v->hand, code, v->rules->plays);
        cards = gd_choice_cards(v->hand, v->level, code, choice, v->rules->plays);
    }
    PyObject *bytes = py_cards_to(cards);
    return bytes ? Py_BuildValue("(IN)", code, bytes) : NULL;
}

static PyObject *view_value(ViewObject *self, PyObject *arg)
{
    const gd_view *v = open_view(self);
    unsigned result;
    if (!v || !py_u32(arg, &result)) return NULL;
    if (result > GD_THEY_LAST) return PyErr_Format(PyExc_ValueError, "results are 0..5, not %u", result);
    return PyLong_FromLong(v->api->value(v, (enum gd_result)result));
}

/* The seat's stream, which a strategy that calls itself deterministic has not. */
static gd_stream *stream_of(ViewObject *self)
{
    if (!open_view(self)) return NULL;
    if (self->draws) return self->table->view.random;
    PyErr_SetString(PyExc_ValueError, "a strategy that draws random numbers must not be called deterministic");
    return NULL;
}

static PyObject *view_bits(ViewObject *self, PyObject *unused)
{
    (void)unused;
    gd_stream *r = stream_of(self);
    return r ? PyLong_FromUnsignedLongLong(gd_random64(r)) : NULL;
}

static PyObject *view_below(ViewObject *self, PyObject *arg)
{
    gd_stream *r = stream_of(self);
    unsigned n;
    if (!r || !py_u32(arg, &n)) return NULL;
    if (!n) return PyErr_Format(PyExc_ValueError, "there is no number below 0");
    return PyLong_FromUnsignedLong(gd_random_below(r, n));
}

static PyObject *view_random(ViewObject *self, PyObject *unused)
{
    (void)unused;
    gd_stream *r = stream_of(self);
    return r ? PyFloat_FromDouble((double)(gd_random64(r) >> 11) * 0x1p-53) : NULL;
}

static void view_dealloc(ViewObject *self)
{
    Py_XDECREF(self->rules);
    Py_XDECREF(self->parameters);
    py_plain_dealloc((PyObject *)self);
}

static PyMethodDef view_methods[] = {
    {"entry", (PyCFunction)view_entry, METH_O,
     "entry(index) -> tuple[int, bytes]\n\nCode and cards of an entry of the list that is chosen from."},
    {"value", (PyCFunction)view_value, METH_O,
     "value(result) -> int\n\nChance in millionths that the own side wins the match if the deal ends so: 0 we first "
     "and "
     "second, 1 first and third, 2 first and last, 3 to 5 the same for them."},
    {"random_bits", (PyCFunction)view_bits, METH_NOARGS, "random_bits() -> int\n\n64 random bits from the own stream."},
    {"random_below", (PyCFunction)view_below, METH_O,
     "random_below(n) -> int\n\nUniform in 0..n-1, n from 1 to 2**32 - 1, from the own stream."},
    {"random", (PyCFunction)view_random, METH_NOARGS,
     "random() -> float\n\nUniform in [0, 1), a multiple of 2**-53, from the own stream."},
    {NULL, NULL, 0, NULL},
};

#define GETTER(name, text) {#name, (getter)view_##name, NULL, text, NULL}
static PyGetSetDef view_getset[] = {
    GETTER(seat, "Own seat."),
    GETTER(level, "Rank of the level card."),
    GETTER(n, "Number of answers."),
    GETTER(to_beat, "Code of the play to beat, 0 when leading."),
    GETTER(holder, "Seat of the play to beat, -1 when leading."),
    GETTER(left, "Cards each seat holds."),
    GETTER(levels, "Rank each side stands at."),
    GETTER(declarer, "Side that won the deal before, -1 in the first."),
    GETTER(a_fails, "Failed tries at A that count, by side."),
    GETTER(order, "Finishing order of the deal before, empty in the first."),
    GETTER(deal, "Number of the deal in the match, from 1."),
    GETTER(deals_left, "Deals the match can still have, this one included; 0: no limit."),
    GETTER(seconds_left, "Of the time limit, before this deal; -1: none."),
    GETTER(first_ends, "The deal is over as soon as one seat is out."),
    GETTER(hand, "Own cards."),
    GETTER(planes, "Own cards as (counts, one, two) of gd_hand."),
    GETTER(gone, "Cards played in this deal by anybody."),
    GETTER(plays, "Codes of the legal shapes, list order; empty in tribute and return."),
    GETTER(options, "Cards to choose from in tribute and return."),
    GETTER(n_steps, "Number of steps."),
    GETTER(steps, "Plays and passes of this deal, in order."),
    GETTER(tribute, "Tribute of this deal as all have seen it."),
    GETTER(rules, "Rules in force."),
    GETTER(parameters, "Settings of the strategy by name."),
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot view_slots[] = {
    {Py_tp_doc, "What a seat may know while it is asked. Made by the engine only."},
    {Py_tp_dealloc, view_dealloc},
    {Py_tp_methods, view_methods},
    {Py_tp_getset, view_getset},
    {0, NULL},
};

PyType_Spec py_view_spec = {"engine._core.View", sizeof(ViewObject), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                            view_slots};
