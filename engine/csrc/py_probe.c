/* Probes of a Table: positions by hand, and what strategies answer or score there without acting. */
#include "py_core.h"

#include "gd_probe.h"

static int is_asking(const py_table *self)
{
    enum gd_ask ask = self->table.ask;
    if (ask == GD_ASK_TRIBUTE || ask == GD_ASK_RETURN || ask == GD_ASK_PLAY) return 1;
    PyErr_SetString(PyExc_ValueError, "the table asks no seat");
    return 0;
}

/* The native strategy that is named, or who sits on the seat that is asked; NULL with an exception. */
static const gd_strategy *who(const py_table *self, PyObject *capsule)
{
    if (!is_asking(self)) return NULL;
    if (capsule != Py_None) return py_strategy_from(capsule);
    const gd_strategy *player = self->table.player[self->table.view.seat];
    if (!player) PyErr_SetString(PyExc_ValueError, "nobody sits at this table: say who is asked");
    return player;
}

static int redeal_by(gd_table *t, PyObject *seed_arg)
{
    uint64_t seed;
    if (!py_u64(seed_arg, &seed)) return -1;
    gd_stream random = gd_stream_of(seed, GD_DOMAIN_PROBE, 0, 0, 0, 0);
    gd_probe_redeal(t, &random);
    return 0;
}

PyObject *py_table_copy(PyObject *obj, PyObject *args)
{
    py_table *self = (py_table *)obj;
    PyObject *redeal = Py_None;
    if (!PyArg_ParseTuple(args, "|O", &redeal) || !is_asking(self)) return NULL;
    PyTypeObject *type = Py_TYPE(obj);
    py_table *copy = (py_table *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (!copy) return NULL;
    copy->rules = self->rules;
    copy->context = self->context;
    copy->origin = Py_NewRef(self->origin ? self->origin : obj);
    if (!(copy->scratch = PyMem_Malloc(sizeof *copy->scratch))) {
        Py_DECREF(copy);
        return PyErr_NoMemory();
    }
    *copy->scratch = *self->scratch; /* its plays are its own; what results are worth is the same for both */
    gd_probe_copy(&copy->table, &self->table);
    copy->table.scratch = copy->scratch;
    copy->table.view.plays = copy->scratch->plays;
    copy->table.view.starts = copy->scratch->starts;
    copy->table.rules = copy->table.view.rules = copy->table.deal.rules = &copy->rules;
    if (copy->table.context) copy->table.context = &copy->context;
    if (redeal != Py_None && redeal_by(&copy->table, redeal)) Py_CLEAR(copy);
    return (PyObject *)copy;
}

PyObject *py_table_ask(PyObject *obj, PyObject *args)
{
    py_table *self = (py_table *)obj;
    PyObject *capsule = Py_None, *redeal = Py_None;
    uint32_t n, index;
    int drew;
    if (!PyArg_ParseTuple(args, "|OO", &capsule, &redeal)) return NULL;
    const gd_strategy *strategy = who(self, capsule);
    if (!strategy) return NULL;
    gd_table copy;
    gd_probe_copy(&copy, &self->table);
    if (redeal != Py_None && redeal_by(&copy, redeal)) return NULL;
    if (!strategy->play) return PyErr_Format(PyExc_ValueError, "%s answers in batches", strategy->name);
    index = gd_probe_ask(&copy, strategy, &n, &drew);
    py_host *host = self->origin ? &((py_table *)self->origin)->host : &self->host;
    unsigned seat = copy.view.seat;
    if (index >= n && capsule == Py_None && host->sittings && host->sittings[0].seat[seat].player) {
        py_host_report(host, 0, seat, strategy, "at this position");
        return NULL;
    }
    return PyErr_Occurred() ? NULL : Py_BuildValue("(IIN)", index, n, PyBool_FromLong(drew));
}

PyObject *py_table_rank(PyObject *obj, PyObject *args)
{
    py_table *self = (py_table *)obj;
    PyObject *capsule = Py_None;
    if (!PyArg_ParseTuple(args, "|O", &capsule)) return NULL;
    const gd_strategy *strategy = who(self, capsule);
    if (!strategy) return NULL;
    if (!strategy->rank) Py_RETURN_NONE;
    gd_table copy;
    gd_probe_copy(&copy, &self->table);
    uint32_t n = gd_table_ask(&copy, strategy);
    int32_t *scores = PyMem_Calloc(n, sizeof *scores);
    if (!scores) return PyErr_NoMemory();
    gd_probe_rank(&copy, strategy, scores);
    PyObject *out = PyErr_Occurred() ? NULL : PyTuple_New((Py_ssize_t)n);
    for (uint32_t i = 0; out && i < n; i++) {
        PyObject *score = PyLong_FromLong(scores[i]);
        if (!score || PyTuple_SetItem(out, (Py_ssize_t)i, score)) Py_CLEAR(out);
    }
    PyMem_Free(scores);
    return out;
}

PyObject *py_table_place(PyObject *obj, PyObject *args)
{
    py_table *self = (py_table *)obj;
    PyObject *deal_arg, *laid_arg = NULL;
    gd_cards laid = {0, 0};
    if (!PyArg_ParseTuple(args, "O|O", &deal_arg, &laid_arg)) return NULL;
    const gd_deal *deal = py_deal_in(deal_arg);
    if (!deal || (laid_arg && py_cards_from(laid_arg, &laid)) || !is_asking(self)) return NULL;
    unsigned level = gd_match_level(&self->table.match);
    if (deal->over || deal->level != level)
        return PyErr_Format(PyExc_ValueError, "a deal that is over or of level %u cannot lie where %u is played",
                            deal->level, level);
    gd_cards all = laid;
    unsigned total = gd_cards_size(laid);
    for (unsigned s = 0; s < 4; s++) {
        gd_cards hand = gd_hand_cards(&deal->hand[s], deal->level);
        total += gd_cards_size(hand);
        all = gd_cards_sum(all, hand);
    }
    if (gd_cards_size(laid) != gd_size(deal->to_beat) || gd_cards_size(all) != total)
        return PyErr_Format(PyExc_ValueError, "these are not the cards of the play to beat");
    gd_probe_place(&self->table, deal, laid);
    if (py_table_check(self)) return NULL;
    Py_RETURN_NONE;
}

PyObject *py_table_lay(PyObject *obj, PyObject *args)
{
    gd_table *t = &((py_table *)obj)->table;
    unsigned code, index = 0, choice;
    PyObject *cards_arg;
    gd_cards cards;
    if (!PyArg_ParseTuple(args, "O&O", py_u32, &code, &cards_arg) || py_cards_from(cards_arg, &cards)) return NULL;
    if (t->ask != GD_ASK_PLAY) return PyErr_Format(PyExc_ValueError, "the table waits for no play");
    gd_table_show(t); /* a probe may have used the scratch */
    while (index < t->view.n && t->view.plays[index] != code) index++;
    if (index == t->view.n) return PyErr_Format(PyExc_ValueError, "seat %d may not make this play now", t->view.seat);
    choice = gd_choice_of(t->view.hand, t->view.level, code, cards, t->rules->plays);
    if (choice == GD_NO_CHOICE)
        return PyErr_Format(PyExc_ValueError, "seat %d cannot make this play of these cards", t->view.seat);
    gd_table_play(t, index, choice);
    if (py_table_check((py_table *)obj)) return NULL;
    Py_RETURN_NONE;
}

PyObject *py_table_question(PyObject *obj, void *unused)
{
    (void)unused;
    py_table *self = (py_table *)obj;
    const gd_table *t = &self->table;
    const gd_deal *d = &t->deal;
    if (!is_asking(self)) return NULL;
    int playing = t->ask == GD_ASK_PLAY, trick = playing && d->to_beat != GD_PASS;
    gd_cards laid = {0, 0};
    for (unsigned i = t->n_steps; trick && i-- > 0;)
        if (t->steps[i].shape != GD_PASS) {
            laid = t->steps[i].cards;
            break;
        }
    PyObject *cards = py_cards_to(laid);
    if (!cards) return NULL;
    return Py_BuildValue("(iiy#iINiy#)", t->view.seat, d->level, (const char *)d->order, (Py_ssize_t)d->n_out,
                         trick ? d->holder : -1, trick ? d->to_beat : GD_PASS, cards, trick ? d->passes : 0,
                         (const char *)t->options, (Py_ssize_t)(playing ? 0 : t->view.n));
}
