/* Plays: the legal plays of one position. */
#include "py_core.h"

typedef struct {
    PyObject_HEAD gd_hand hand;
    unsigned level, rules, n, all; /* all: list every choice of suits; rules: gd_play_rule bits */
    gd_play *plays;
    uint32_t *starts;
} PlaysObject;

static PyObject *plays_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    PyObject *hand_arg;
    unsigned level, to_beat = GD_PASS, rules = GD_NATIONAL_PLAYS;
    int all = 1;
    gd_cards cards;
    static char *names[] = {"hand", "level", "to_beat", "all", "rules", NULL};
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OO&|O&pO&", names, &hand_arg, py_u32, &level, py_u32, &to_beat,
                                     &all, py_u32, &rules))
        return NULL;
    if (py_level_from(level) || py_cards_from(hand_arg, &cards) || !py_is_play(to_beat) || py_play_rules_from(rules))
        return NULL;
    if (gd_cards_size(cards) > GD_HAND + 1) return PyErr_Format(PyExc_ValueError, "a hand holds at most 28 cards");
    gd_play buffer[GD_MAX_PLAYS];
    gd_hand hand = gd_hand_of(cards, level);
    unsigned n = gd_list_plays(&hand, level, to_beat, rules, buffer);
    PlaysObject *self = (PlaysObject *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (!self) return NULL;
    self->hand = hand;
    self->level = level;
    self->rules = rules;
    self->n = n;
    self->all = (unsigned)all;
    self->plays = PyMem_Malloc(sizeof(gd_play) * (n + 1));
    self->starts = PyMem_Malloc(sizeof(uint32_t) * (n + 1));
    if (!self->plays || !self->starts) {
        Py_DECREF(self);
        return PyErr_NoMemory();
    }
    for (unsigned i = 0; i < n; i++) self->plays[i] = buffer[i];
    gd_list_starts(&self->hand, self->plays, n, rules, self->starts);
    return (PyObject *)self;
}

static void plays_dealloc(PlaysObject *self)
{
    PyTypeObject *type = Py_TYPE((PyObject *)self);
    PyMem_Free(self->plays);
    PyMem_Free(self->starts);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static Py_ssize_t plays_length(PlaysObject *self) { return self->all ? self->starts[self->n] : self->n; }

static PyObject *plays_item(PlaysObject *self, Py_ssize_t i)
{
    if (i < 0 || i >= plays_length(self)) {
        PyErr_SetString(PyExc_IndexError, "no play of that number");
        return NULL;
    }
    unsigned shape = self->all ? gd_shape_at(self->starts, self->n, (uint32_t)i) : (unsigned)i;
    unsigned choice =
        self->all ? (unsigned)i - self->starts[shape] : gd_best_choice(&self->hand, self->plays[shape], self->rules);
    PyObject *cards = py_cards_to(gd_choice_cards(&self->hand, self->level, self->plays[shape], choice, self->rules));
    return cards ? Py_BuildValue("(IN)", self->plays[shape], cards) : NULL;
}

/* index_of(code, cards) -> int: place in the list, -1 if it is not there. With shapes the cards only have to fit. */
static PyObject *plays_index_of(PlaysObject *self, PyObject *args)
{
    unsigned code;
    PyObject *cards_arg;
    gd_cards cards;
    if (!PyArg_ParseTuple(args, "O&O", py_u32, &code, &cards_arg) || py_cards_from(cards_arg, &cards)) return NULL;
    long found = -1;
    for (unsigned i = 0; i < self->n && found < 0; i++) {
        if (self->plays[i] != code) continue;
        unsigned choice = gd_choice_of(&self->hand, self->level, code, cards, self->rules);
        if (choice == GD_NO_CHOICE) break;
        found = (long)(self->all ? self->starts[i] + choice : i);
    }
    return PyLong_FromLong(found);
}

static PyObject *plays_codes(PlaysObject *self, PyObject *unused)
{
    (void)unused;
    PyObject *out = PyTuple_New(self->n);
    for (unsigned i = 0; out && i < self->n; i++) {
        PyObject *code = PyLong_FromUnsignedLong(self->plays[i]);
        if (!code || PyTuple_SetItem(out, i, code)) Py_CLEAR(out);
    }
    return out;
}

static PyMethodDef plays_methods[] = {
    {"index_of", (PyCFunction)plays_index_of, METH_VARARGS,
     "index_of(code, cards) -> int\n\nPlace of a play in the list, -1 if it is not there."},
    {"codes", (PyCFunction)plays_codes, METH_NOARGS, "codes() -> tuple[int, ...]\n\nThe shapes, ascending."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot plays_slots[] = {
    {Py_tp_doc,
     "Plays(hand, level, to_beat=0, all=True, rules=9)\n\nLegal plays of one position: a sequence of (code, cards)."},
    {Py_tp_new, plays_new},
    {Py_tp_dealloc, plays_dealloc},
    {Py_tp_methods, plays_methods},
    {Py_sq_length, plays_length},
    {Py_sq_item, plays_item},
    {0, NULL},
};

PyType_Spec py_plays_spec = {"engine._core.Plays", sizeof(PlaysObject), 0, Py_TPFLAGS_DEFAULT, plays_slots};
