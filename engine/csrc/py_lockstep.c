/* Lockstep: the loop over many tables, which stops when strategies that answer in batches are to be asked. */
#include "py_core.h"

#include <stddef.h>

enum { PAIRS_A_LANE = 4 /* under way or waiting to be stored; few matches are longer than four others together */ };

/* A player and the batches of its questions: plays, tribute, return. */
typedef struct {
    const gd_strategy *strategy;
    PyObject *batch[3];
} asked;

typedef struct {
    PyObject_HEAD py_bulk call;
    gd_lockstep loop;
    PyObject *batches; /* keeps them alive */
    asked players[4];
    int n_players, full; /* full: a batch had no room or memory */
    int failed;          /* lane of the fault that ended it, -1 */
} LockstepObject;

static void collect(void *host, gd_lane *lane)
{
    LockstepObject *self = (LockstepObject *)((char *)host - offsetof(LockstepObject, call.host));
    gd_table *t = &lane->table;
    const gd_strategy *strategy = t->player[t->view.seat];
    for (int i = 0; i < self->n_players; i++) {
        if (self->players[i].strategy != strategy) continue;
        self->full |= py_batch_add(self->players[i].batch[GD_ASK_PLAY - t->ask], t, lane->number) != 0;
        return;
    }
    self->full = 1;
}

static void lockstep_dealloc(LockstepObject *self)
{
    for (int i = 0; i < 3 * self->n_players; i++)
        if (self->players[i / 3].batch[i % 3]) py_batch_clear(self->players[i / 3].batch[i % 3]);
    py_bulk_close(&self->call);
    PyMem_Free(self->loop.lanes);
    PyMem_Free(self->loop.pairs);
    Py_XDECREF(self->batches);
    py_plain_dealloc((PyObject *)self);
}

/* ((player, plays, returns, tributes), ...) of every player that answers in batches. */
static int take_batches(LockstepObject *self, PyObject *batches)
{
    self->batches = Py_NewRef(batches);
    Py_ssize_t n = PyTuple_Size(batches);
    if (n > 4) return -1;
    for (Py_ssize_t i = 0; i < n; i++) {
        asked *a = &self->players[self->n_players++];
        PyObject *item = PyTuple_GetItem(batches, i);
        if (!PyTuple_Check(item) || PyTuple_Size(item) != 4 || !py_is_player(PyTuple_GetItem(item, 0))) return -1;
        a->strategy = &((PlayerObject *)PyTuple_GetItem(item, 0))->strategy;
        for (int k = 0; k < 3; k++) {
            PyObject *batch = PyTuple_GetItem(item, k + 1);
            if (!py_is_batch(batch) || (k == 0 && !py_batch_fits(batch, a->strategy))) return -1;
            py_batch_clear(batch);
            a->batch[k] = batch;
        }
    }
    for (int i = 0; i < 4; i++) {
        const gd_strategy *strategy = self->call.bulk.player[i >> 1][i & 1];
        int found = strategy->play != NULL || (py_is_player(self->call.host.player[i >> 1][i & 1]) &&
                                               !((PlayerObject *)self->call.host.player[i >> 1][i & 1])->batch);
        for (int k = 0; k < self->n_players; k++) found |= self->players[k].strategy == strategy;
        if (!found) return -1;
    }
    return 0;
}

static PyObject *lockstep_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"call", "tables", "batches", NULL};
    PyObject *call, *batches;
    unsigned tables;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O!O&O!", names, &PyTuple_Type, &call, py_u32, &tables,
                                     &PyTuple_Type, &batches))
        return NULL;
    if (tables < 1 || tables > 1u << 16) return PyErr_Format(PyExc_ValueError, "tables are 1..65536, not %u", tables);
    LockstepObject *self = (LockstepObject *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (!self) return NULL;
    gd_lockstep *l = &self->loop;
    if (py_bulk_open(&self->call, call, tables, PAIRS_A_LANE * tables)) {
        Py_DECREF(self);
        return NULL;
    }
    if (self->call.bulk.coin || take_batches(self, batches)) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_ValueError, "batches: expected (player, plays, returns, tributes) of each");
        Py_DECREF(self);
        return NULL;
    }
    self->failed = -1;
    l->bulk = &self->call.bulk;
    l->n_lanes = tables;
    l->n_pairs = self->call.pairs;
    l->collect = collect;
    if (!(l->lanes = PyMem_Calloc(tables, sizeof *l->lanes)) ||
        !(l->pairs = PyMem_Calloc(l->n_pairs, sizeof *l->pairs))) {
        Py_DECREF(self);
        return PyErr_NoMemory();
    }
    for (unsigned i = 0; i < tables; i++) l->lanes[i].number = i;
    for (unsigned i = 0; self->call.bulk.style && i < l->n_pairs; i++) l->pairs[i].style = &self->call.bulk.style[i];
    return (PyObject *)self;
}

/* run(): what play_pairs returns; end 4 says that some batch is to be answered. */
static PyObject *lockstep_run(LockstepObject *self, PyObject *unused)
{
    (void)unused;
    enum gd_bulk_end end;
    if (PyErr_CheckSignals()) return NULL;
    if (self->call.bulk.sit)
        end = gd_lockstep_run(&self->loop);
    else {
        Py_BEGIN_ALLOW_THREADS end = gd_lockstep_run(&self->loop);
        Py_END_ALLOW_THREADS
    }
    if (self->full) return PyErr_NoMemory();
    unsigned lane = 0;
    const gd_pair *next = &self->loop.pairs[self->call.bulk.pairs % self->loop.n_pairs];
    while (end == GD_BULK_FAULT && self->loop.lanes[lane].pair != next) lane++;
    self->failed = end == GD_BULK_FAULT ? (int)lane : -1;
    return py_bulk_end(&self->call, end, lane);
}

static void enter_all(LockstepObject *self, PyObject *batch, const int64_t *index)
{
    uint32_t size = py_batch_take(batch);
    for (uint32_t i = 0; i < size; i++) {
        py_batch_prefetch(batch, i, size);
        gd_table *t = py_batch_asked(batch, i);
        gd_lane *lane = (gd_lane *)((char *)t - offsetof(gd_lane, table));
        int is_number = index[i] >= 0 && index[i] <= GD_NO_ANSWER;
        gd_lockstep_answer(&self->loop, lane, is_number ? (uint32_t)index[i] : NO_SUCH_ANSWER);
    }
}

/* answer(batch, answers): enter an index for each row. The tables play on: the batch then has the next questions. */
static PyObject *lockstep_answer(LockstepObject *self, PyObject *args)
{
    PyObject *batch, *answers;
    Py_buffer b;
    if (!PyArg_ParseTuple(args, "OO", &batch, &answers)) return NULL;
    uint32_t size = 0;
    int known = 0;
    for (int i = 0; i < 3 * self->n_players; i++) known |= self->players[i / 3].batch[i % 3] == batch;
    if (!known) return PyErr_Format(PyExc_ValueError, "no batch of this loop");
    size = py_batch_size(batch);
    if (PyObject_GetBuffer(answers, &b, PyBUF_SIMPLE)) return NULL;
    if (b.itemsize != 8 || b.len != (Py_ssize_t)size * 8) {
        PyErr_Format(PyExc_ValueError, "expected %u answers of 8 bytes", size);
        PyBuffer_Release(&b);
        return NULL;
    }
    const int64_t *index = b.buf;
    if (self->call.bulk.sit)
        enter_all(self, batch, index);
    else {
        Py_BEGIN_ALLOW_THREADS enter_all(self, batch, index);
        Py_END_ALLOW_THREADS
    }
    PyBuffer_Release(&b);
    Py_RETURN_NONE;
}

/* note(batch): its first table, and how many there are, are what the call waits for now. */
static PyObject *lockstep_note(LockstepObject *self, PyObject *batch)
{
    if (!py_is_batch(batch) || !py_batch_size(batch)) return PyErr_Format(PyExc_ValueError, "no batch with rows");
    const gd_table *t = py_batch_first(batch);
    gd_foreseen(&self->call.faults, t, t->view.seat, py_batch_size(batch) > 1 ? 2 : 0);
    Py_RETURN_NONE;
}

static PyMethodDef lockstep_methods[] = {
    {"note", (PyCFunction)lockstep_note, METH_O, "note(batch) -> None\n\nTell the watcher that it is asked now."},
    {"run", (PyCFunction)lockstep_run, METH_NOARGS,
     "run() -> tuple\n\nPlay on until questions wait or all is done; what play_pairs returns."},
    {"answer", (PyCFunction)lockstep_answer, METH_VARARGS,
     "answer(batch, answers) -> None\n\nEnter an index for each row."},
    {NULL, NULL, 0, NULL},
};

static PyObject *lockstep_failed(LockstepObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromLong(self->failed);
}

static PyGetSetDef lockstep_getset[] = {
    {"failed", (getter)lockstep_failed, NULL, "Table of the fault that ended it, -1.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot lockstep_slots[] = {
    {Py_tp_doc,
     "Lockstep(call, tables, batches)\n\nplay_pairs with `call`, on so many tables at once. Use engine.batch."},
    {Py_tp_new, lockstep_new},
    {Py_tp_dealloc, lockstep_dealloc},
    {Py_tp_methods, lockstep_methods},
    {Py_tp_getset, lockstep_getset},
    {0, NULL},
};

PyType_Spec py_lockstep_spec = {"engine._core.Lockstep", sizeof(LockstepObject), 0, Py_TPFLAGS_DEFAULT, lockstep_slots};
