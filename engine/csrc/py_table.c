/* Table: one match, a decision at a time. */
#include "py_core.h"

#include <string.h>

/* A watcher that failed: its seat's exception. One that is known to fail has none. */
static int report(py_table *self, const char *where)
{
    gd_table *t = &self->table;
    unsigned seat = t->broken - 1u;
    if (!t->broken || !self->host.sittings[0].seat[seat].raised) return 0;
    t->broken = 0;
    py_host_report(&self->host, 0, seat, t->player[seat], where);
    return -1;
}

/* The strategies that were handed over sit down; a batch needs somebody who gathers its questions. */
static int seat_players(py_table *self, PyObject *players, PyObject *rules)
{
    gd_table *t = &self->table;
    const gd_strategy *strategy[2][2];
    if (!PyTuple_Check(players) || PyTuple_Size(players) != 2) {
        PyErr_SetString(PyExc_TypeError, "players: expected a tuple (x, y)");
        return -1;
    }
    if (py_host_begin(&self->host, PyTuple_GetItem(players, 0), PyTuple_GetItem(players, 1), rules, 1, strategy))
        return -1;
    for (unsigned s = 0; s < 4; s++) t->player[s] = strategy[gd_side_of(t, s)][s >> 1];
    if (!self->host.sittings) return 0;
    if (self->has_known) self->host.faults = &self->faults;
    py_host_sit(&self->host, 0, t);
    return report(self, "as the match begins");
}

static PyObject *table_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    PyObject *rules_arg, *context_arg = Py_None, *players = Py_None, *known = Py_None;
    uint64_t seed;
    int64_t pair;
    unsigned leg;
    gd_rules rules;
    gd_context *context = NULL;
    int64_t contexts = 1;
    static char *names[] = {"rules", "seed", "pair", "leg", "context", "players", "known", NULL};
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OO&O&O&|OOO", names, &rules_arg, py_u64, &seed, py_count, &pair,
                                     py_u32, &leg, &context_arg, &players, &known))
        return NULL;
    if (py_rules_from(rules_arg, &rules)) return NULL;
    if (leg != 1 && leg != 2) return PyErr_Format(PyExc_ValueError, "leg is 1 or 2, not %u", leg);
    if (context_arg != Py_None && py_contexts_from(context_arg, &context, &contexts)) return NULL;
    if (contexts != 1) {
        PyMem_Free(context);
        return PyErr_Format(PyExc_ValueError, "one context, not %lld", (long long)contexts);
    }
    py_table *self = (py_table *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
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
    if (known != Py_None) {
        self->has_known = !PyObject_GetBuffer(known, &self->known, PyBUF_SIMPLE);
        if (!self->has_known || !py_known_from(&self->known, &self->faults)) {
            Py_DecRef((PyObject *)self);
            return NULL;
        }
    }
    if (players != Py_None && seat_players(self, players, rules_arg)) {
        Py_DecRef((PyObject *)self);
        return NULL;
    }
    return (PyObject *)self;
}

static void table_dealloc(PyObject *self)
{
    py_table *table = (py_table *)self;
    py_host_clear(&table->host);
    if (table->has_known) PyBuffer_Release(&table->known);
    if (table->origin)
        PyMem_Free(table->scratch);
    else
        py_free_scratch(table->scratch);
    Py_XDECREF(table->origin);
    py_plain_dealloc(self);
}

static int expect(const py_table *self, int ok)
{
    if (!ok) PyErr_Format(PyExc_ValueError, "the table does not wait for that (it asks %d)", (int)self->table.ask);
    return ok;
}

/* It waits for a decision. What it may choose from is shown from its own memory, whatever a batch has shown since. */
static int expect_question(py_table *self)
{
    gd_table *t = &self->table;
    t->view.plays = self->scratch->plays;
    return expect(self, t->ask == GD_ASK_TRIBUTE || t->ask == GD_ASK_RETURN || t->ask == GD_ASK_PLAY);
}

int py_table_check(py_table *self) { return report(self, "as it was told of an event"); }

static PyObject *table_deal(py_table *self, PyObject *unused)
{
    (void)unused;
    if (!expect(self, self->table.ask == GD_ASK_DEAL)) return NULL;
    gd_table_deal(&self->table);
    if (py_table_check(self)) return NULL;
    Py_RETURN_NONE;
}

static PyObject *made(py_table *self)
{
    if (py_table_check(self)) return NULL;
    PyObject *cards = py_cards_to(self->table.last_cards);
    return cards ? Py_BuildValue("(IN)", self->table.last_shape, cards) : NULL;
}

/* decide(capsule=None) -> (code, cards): let a native strategy decide, or the player on the seat that is asked; what it did. */
static PyObject *table_decide(py_table *self, PyObject *args)
{
    gd_table *t = &self->table;
    PyObject *capsule = Py_None;
    if (!PyArg_ParseTuple(args, "|O", &capsule)) return NULL;
    const gd_strategy *strategy = capsule != Py_None ? py_strategy_from(capsule) : t->player[t->view.seat];
    if (capsule != Py_None && !strategy) return NULL;
    if (!expect_question(self)) return NULL;
    if (!strategy) return PyErr_Format(PyExc_ValueError, "nobody sits at this table: say who decides");
    if (!strategy->play) { /* answers in batches: one that has no choice is not asked */
        if (gd_table_ask(t, strategy) > 1)
            return PyErr_Format(PyExc_ValueError, "%s answers in batches", strategy->name);
        gd_table_answer(t, strategy, 0);
        return made(self);
    }
    unsigned seat = t->view.seat;
    int entered = gd_table_decide(t, strategy);
    if (entered == GD_ENTERED || entered == GD_BROKEN) return made(self);
    if (capsule == Py_None)
        py_host_report(&self->host, 0, seat, strategy, "at this table");
    else
        PyErr_Format(PyExc_ValueError, "strategy %s answered out of range", strategy->name);
    return NULL;
}

/* redeal(hands): give the seats that are not asked other cards, as many as they hold and the same in all. */
static PyObject *table_redeal(py_table *self, PyObject *hands_arg)
{
    gd_table *t = &self->table;
    gd_cards hands[4], had = {0, 0}, has = {0, 0};
    if (!expect_question(self) || py_hands_from(hands_arg, hands)) return NULL;
    unsigned same = 1, level = t->view.level;
    for (unsigned s = 0; s < 4; s++) {
        gd_cards now = t->ask == GD_ASK_PLAY ? gd_hand_cards(&t->deal.hand[s], level) : t->cards[s];
        same &= gd_cards_size(now) == gd_cards_size(hands[s]);
        same &= s != t->view.seat || (now.one == hands[s].one && now.two == hands[s].two);
        had = gd_cards_sum(had, now);
        same &= ((has.two & hands[s].one) | (has.one & hands[s].two)) == 0; /* at most two of each */
        has = gd_cards_sum(has, hands[s]);
    }
    if (!same || had.one != has.one || had.two != has.two)
        return PyErr_Format(PyExc_ValueError, "not the same cards, dealt to the seats that are not asked");
    for (unsigned s = 0; s < 4; s++) {
        if (t->ask == GD_ASK_PLAY)
            gd_deal_set_hand(&t->deal, s, hands[s]);
        else
            t->cards[s] = hands[s];
    }
    Py_RETURN_NONE;
}

/* gather(batch) -> int: put the question to a batch of one row; 1 where there is no choice, and no row. */
static PyObject *table_gather(py_table *self, PyObject *batch)
{
    gd_table *t = &self->table;
    if (!py_is_batch(batch)) return PyErr_Format(PyExc_TypeError, "expected a Batch");
    if (!expect_question(self)) return NULL;
    const gd_strategy *strategy = t->player[t->view.seat];
    if (!strategy) return PyErr_Format(PyExc_ValueError, "nobody sits at this table");
    if (t->ask == GD_ASK_PLAY && !py_batch_fits(batch, strategy))
        return PyErr_Format(PyExc_ValueError, "the batch is for another list than %s chooses from", strategy->name);
    uint32_t n = gd_table_ask(t, strategy);
    if (n > 1) {
        py_batch_hold(batch, (PyObject *)self);
        if (py_batch_add(batch, t, 0)) return PyErr_NoMemory();
    }
    return PyLong_FromUnsignedLong(n);
}

/* enter(index) -> (code, cards): the answer to the question that was gathered. */
static PyObject *table_enter(py_table *self, PyObject *arg)
{
    gd_table *t = &self->table;
    unsigned index;
    if (!py_u32(arg, &index)) return NULL;
    if (!expect_question(self)) return NULL;
    const gd_strategy *strategy = t->player[t->view.seat];
    if (!strategy) return PyErr_Format(PyExc_ValueError, "nobody sits at this table");
    gd_table_ask(t, strategy);
    int entered = gd_table_answer(t, strategy, index);
    if (entered == GD_ENTERED || entered == GD_BROKEN) return made(self);
    return PyErr_Format(PyExc_ValueError, "strategy %s answered out of range: at this table", strategy->name);
}

#define ROW_ITEM(type, name) \
    if (out && ((item = PyLong_FromLongLong((long long)row.name)) == NULL || PyDict_SetItemString(out, #name, item))) \
        Py_CLEAR(out); \
    Py_CLEAR(item);

/* judge(offender, verdict): the deal is over as the verdict says. */
static PyObject *table_judge(py_table *self, PyObject *args)
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
    t->broken = 0;
    Py_RETURN_NONE;
}

/* score() -> dict: enter the finished deal; its row as the bulk loop writes it. */
static PyObject *table_score(py_table *self, PyObject *unused)
{
    (void)unused;
    gd_table *t = &self->table;
    if (!expect(self, t->ask == GD_DEAL_OVER)) return NULL;
    gd_match before = t->match;
    gd_score score = gd_table_score(t);
    if (py_table_check(self)) return NULL;
    gd_deal_row row = gd_row_of_deal(t, &before, score);
    PyObject *out = PyDict_New(), *item = NULL;
    GD_DEAL_COLUMNS(ROW_ITEM)
    return out;
}

static PyObject *table_dealt(py_table *self, void *unused)
{
    (void)unused;
    return py_hands_to(self->table.dealt);
}

static PyObject *table_hands(py_table *self, void *unused)
{
    (void)unused;
    const gd_table *t = &self->table;
    if (t->ask == GD_ASK_TRIBUTE || t->ask == GD_ASK_RETURN) return py_hands_to(t->cards);
    gd_cards hands[4];
    for (unsigned s = 0; s < 4; s++) hands[s] = gd_hand_cards(&t->deal.hand[s], t->deal.level);
    return py_hands_to(hands);
}

static PyObject *table_failed(py_table *self, void *unused)
{
    (void)unused;
    const gd_table *t = &self->table;
    return t->broken ? Py_BuildValue("(ii)", t->broken - 1, t->why) : Py_NewRef(Py_None);
}

static PyObject *table_state(py_table *self, void *unused)
{
    (void)unused;
    const gd_table *t = &self->table;
    const gd_match *m = &t->match;
    return Py_BuildValue("(iiiiiiii)", (int)t->ask, t->view.seat, (int)t->deal.turn, (int)t->deal.wind, m->level[0],
                         m->level[1], m->declarer, m->deals);
}

static PyObject *table_tribute(py_table *self, void *unused)
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
    {"decide", (PyCFunction)table_decide, METH_VARARGS,
     "decide(strategy=None) -> tuple[int, bytes]\n\nLet a native strategy decide, or the player on the seat."},
    {"redeal", (PyCFunction)table_redeal, METH_O,
     "redeal(hands) -> None\n\nDeal the cards that the seat which is asked cannot see to the others anew."},
    {"gather", (PyCFunction)table_gather, METH_O,
     "gather(batch) -> int\n\nPut the question into a batch of one row; number of answers, 1: there is no row."},
    {"enter", (PyCFunction)table_enter, METH_O, "enter(index) -> tuple[int, bytes]\n\nEnter an answer from elsewhere."},
    {"judge", (PyCFunction)table_judge, METH_VARARGS,
     "judge(offender, verdict='double_down') -> None\n\nJudge the deal: 'double_down' against the side, or 'last'."},
    {"score", (PyCFunction)table_score, METH_NOARGS, "score() -> dict[str, int]\n\nEnter the finished deal; its row."},
    {"copy", py_table_copy, METH_VARARGS,
     "copy(redeal=None) -> Table\n\nA table that stands where this one stands and goes on by itself; who watches this "
     "one is not told. redeal: a seed by "
     "which "
     "the cards that the seat asked cannot see are dealt anew."},
    {"ask", py_table_ask, METH_VARARGS,
     "ask(strategy=None, redeal=None) -> tuple[int, int, bool]\n\nWhat a native strategy, or the player on the seat, "
     "would "
     "answer here, of how many answers, and whether it drew from its stream; nothing is done. redeal: as of copy."},
    {"rank", py_table_rank, METH_VARARGS,
     "rank(strategy=None) -> tuple[int, ...] | None\n\nIts score for each answer here; None if it has none."},
    {"place", py_table_place, METH_VARARGS,
     "place(deal, laid=b'') -> None\n\nPut a Deal here in the place of this one; laid: cards of the play to beat."},
    {"lay", py_table_lay, METH_VARARGS,
     "lay(code, cards) -> None\n\nThe seat in turn lays these cards, or passes with code 0."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef table_getset[] = {
    {"dealt", (getter)table_dealt, NULL, "Hands before tribute.", NULL},
    {"hands", (getter)table_hands, NULL, "Hands now.", NULL},
    {"failed", (getter)table_failed, NULL, "(seat, reason) of a known fault of one that was told of something; None.",
     NULL},
    {"question", py_table_question, NULL,
     "(seat asked, level, seats out, holder, code to beat, its cards, passes, options of tribute or return).", NULL},
    {"state", (getter)table_state, NULL, "(ask, seat asked, turn, wind, level 0, level 1, declarer, deals done).",
     NULL},
    {"tribute", (getter)table_tribute, NULL, "(payer, receiver, card given, card returned) of each payer; -1: none.",
     NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot table_slots[] = {
    {Py_tp_doc,
     "Table(rules, seed, pair, leg, context=None, players=None)\n\nOne match, or a board, a decision at a time."},
    {Py_tp_new, table_new},
    {Py_tp_dealloc, table_dealloc},
    {Py_tp_methods, table_methods},
    {Py_tp_getset, table_getset},
    {0, NULL},
};

PyType_Spec py_table_spec = {"engine._core.Table", sizeof(py_table), 0, Py_TPFLAGS_DEFAULT, table_slots};
