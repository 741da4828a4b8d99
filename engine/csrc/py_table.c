/* Table: one match, a decision at a time. */
#include "py_core.h"

#include <string.h>

typedef struct {
    PyObject_HEAD gd_rules rules;
    gd_context context;
    gd_table table;
    gd_scratch *scratch;
} TableObject;

static PyObject *table_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    PyObject *rules_arg, *context_arg = Py_None;
    uint64_t seed;
    int64_t pair;
    unsigned leg;
    gd_rules rules;
    gd_context *context = NULL;
    int64_t contexts = 1;
    static char *names[] = {"rules", "seed", "pair", "leg", "context", NULL};
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OO&O&O&|O", names, &rules_arg, py_u64, &seed, py_count, &pair,
                                     py_u32, &leg, &context_arg))
        return NULL;
    if (py_rules_from(rules_arg, &rules)) return NULL;
    if (leg != 1 && leg != 2) return PyErr_Format(PyExc_ValueError, "leg is 1 or 2, not %u", leg);
    if (context_arg != Py_None && py_contexts_from(context_arg, &context, &contexts)) return NULL;
    if (contexts != 1) {
        PyMem_Free(context);
        return PyErr_Format(PyExc_ValueError, "one context, not %lld", (long long)contexts);
    }
    TableObject *self = (TableObject *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (self && context) self->context = *context;
    PyMem_Free(context);
    if (!self) return NULL;
    if (!(self->scratch = py_new_scratch())) {
        Py_DecRef((PyObject *)self);
        return NULL;
    }
    self->rules = rules;
    gd_table_begin(&self->table, &self->rules, self->scratch, seed, (uint64_t)pair, leg,
                   context_arg != Py_None ? &self->context : NULL);
    return (PyObject *)self;
}

static void table_dealloc(PyObject *self)
{
    py_free_scratch(((TableObject *)self)->scratch);
    py_plain_dealloc(self);
}

static int expect(const TableObject *self, int ok)
{
    if (!ok) PyErr_Format(PyExc_ValueError, "the table does not wait for that (it asks %d)", (int)self->table.ask);
    return ok;
}

static PyObject *table_deal(TableObject *self, PyObject *unused)
{
    (void)unused;
    if (!expect(self, self->table.ask == GD_ASK_DEAL)) return NULL;
    gd_table_deal(&self->table);
    Py_RETURN_NONE;
}

/* decide(capsule) -> (code, cards): let a native strategy decide; what it did. */
static PyObject *table_decide(TableObject *self, PyObject *capsule)
{
    gd_table *t = &self->table;
    const gd_strategy *strategy = py_strategy_from(capsule);
    if (!strategy) return NULL;
    if (!expect(self, t->ask == GD_ASK_TRIBUTE || t->ask == GD_ASK_RETURN || t->ask == GD_ASK_PLAY)) return NULL;
    if (gd_table_decide(t, strategy))
        return PyErr_Format(PyExc_ValueError, "strategy %s answered out of range", strategy->name);
    PyObject *cards = py_cards_to(t->last_cards);
    return cards ? Py_BuildValue("(IN)", t->last_shape, cards) : NULL;
}

#define ROW_ITEM(type, name) \
    if (out && ((item = PyLong_FromLongLong((long long)row.name)) == NULL || PyDict_SetItemString(out, #name, item))) \
        Py_CLEAR(out); \
    Py_CLEAR(item);

/* judge(offender, verdict): the deal is over as the verdict says. */
static PyObject *table_judge(TableObject *self, PyObject *args)
{
    gd_table *t = &self->table;
    unsigned offender;
    const char *word = "double_down";
    if (!PyArg_ParseTuple(args, "O&|s", py_u32, &offender, &word)) return NULL;
    if (offender > 3) return PyErr_Format(PyExc_ValueError, "seats are 0..3, not %u", offender);
    int last = strcmp(word, "last") == 0;
    if (!last && strcmp(word, "double_down") != 0)
        return PyErr_Format(PyExc_ValueError, "verdict %s: write double_down or last", word);
    enum gd_verdict verdict = last ? GD_JUDGED_LAST : GD_JUDGED_DOUBLE_DOWN;
    if (!expect(self, gd_table_may_judge(t, verdict))) return NULL;
    gd_table_judge(t, offender, verdict);
    Py_RETURN_NONE;
}

/* score() -> dict: enter the finished deal; its row as the bulk loop writes it. */
static PyObject *table_score(TableObject *self, PyObject *unused)
{
    (void)unused;
    gd_table *t = &self->table;
    if (!expect(self, t->ask == GD_DEAL_OVER)) return NULL;
    gd_match before = t->match;
    gd_deal_row row = gd_row_of_deal(t, &before, gd_table_score(t));
    PyObject *out = PyDict_New(), *item = NULL;
    GD_DEAL_COLUMNS(ROW_ITEM)
    return out;
}

static PyObject *table_dealt(TableObject *self, void *unused)
{
    (void)unused;
    return py_hands_to(self->table.dealt);
}

static PyObject *table_hands(TableObject *self, void *unused)
{
    (void)unused;
    const gd_table *t = &self->table;
    if (t->ask == GD_ASK_TRIBUTE || t->ask == GD_ASK_RETURN) return py_hands_to(t->cards);
    gd_cards hands[4];
    for (unsigned s = 0; s < 4; s++) hands[s] = gd_hand_cards(&t->deal.hand[s], t->deal.level);
    return py_hands_to(hands);
}

static PyObject *table_state(TableObject *self, void *unused)
{
    (void)unused;
    const gd_table *t = &self->table;
    const gd_match *m = &t->match;
    return Py_BuildValue("(iiiiiiii)", (int)t->ask, t->view.seat, (int)t->deal.turn, (int)t->deal.wind, m->level[0],
                         m->level[1], m->declarer, m->deals);
}

static PyObject *table_tribute(TableObject *self, void *unused)
{
    (void)unused;
    const gd_tribute *b = &self->table.tribute;
    PyObject *out = PyTuple_New(b->n);
    for (Py_ssize_t i = 0; out && i < b->n; i++) {
        PyObject *move = Py_BuildValue("(iiii)", b->payer[i], b->receiver[i], b->given[i], b->returned[i]);
        if (!move || PyTuple_SetItem(out, i, move)) Py_CLEAR(out);
    }
    return out;
}

static PyMethodDef table_methods[] = {
    {"deal", (PyCFunction)table_deal, METH_NOARGS, "deal() -> None\n\nDeal the next deal."},
    {"decide", (PyCFunction)table_decide, METH_O,
     "decide(strategy) -> tuple[int, bytes]\n\nLet a native strategy decide."},
    {"judge", (PyCFunction)table_judge, METH_VARARGS,
     "judge(offender, verdict='double_down') -> None\n\nJudge the deal: 'double_down' against the side, or 'last'."},
    {"score", (PyCFunction)table_score, METH_NOARGS, "score() -> dict[str, int]\n\nEnter the finished deal; its row."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef table_getset[] = {
    {"dealt", (getter)table_dealt, NULL, "Hands before tribute.", NULL},
    {"hands", (getter)table_hands, NULL, "Hands now.", NULL},
    {"state", (getter)table_state, NULL, "(ask, seat asked, turn, wind, level 0, level 1, declarer, deals done).",
     NULL},
    {"tribute", (getter)table_tribute, NULL, "(payer, receiver, card given, card returned) of each payer; -1: none.",
     NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot table_slots[] = {
    {Py_tp_doc,
     "Table(rules, seed, pair, leg, context=None)\n\nOne match of native strategies, or a board, a decision at a "
     "time."},
    {Py_tp_new, table_new},
    {Py_tp_dealloc, table_dealloc},
    {Py_tp_methods, table_methods},
    {Py_tp_getset, table_getset},
    {0, NULL},
};

PyType_Spec py_table_spec = {"engine._core.Table", sizeof(TableObject), 0, Py_TPFLAGS_DEFAULT, table_slots};
