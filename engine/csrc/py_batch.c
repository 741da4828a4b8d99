/* Batch: the questions that many tables wait with, as columns; Lockstep: the loop in which they come together. */
#include "py_core.h"

#include <stdlib.h>
#include <string.h>

/* What a row tells: type, name, numbers a row. engine/batch.py describes each. */
#define BATCH_COLUMNS(X) \
    X(int32_t, table, 1) \
    X(uint32_t, n, 1) \
    X(int32_t, offsets, 1) \
    X(uint8_t, seat, 1) \
    X(uint8_t, level, 1) \
    X(uint32_t, to_beat, 1) \
    X(int8_t, holder, 1) \
    X(uint8_t, left, 4) \
    X(uint64_t, hand, 3) \
    X(uint64_t, gone, 2) \
    X(uint8_t, levels, 2) \
    X(int8_t, declarer, 1) \
    X(uint8_t, a_fails, 2) \
    X(uint8_t, order, 4) \
    X(uint16_t, deal, 1) \
    X(uint16_t, deals_left, 1) \
    X(int32_t, seconds_left, 1) \
    X(uint8_t, first_ends, 1) \
    X(uint8_t, tribute, 1) \
    X(int8_t, payers, 2) \
    X(int8_t, receivers, 2) \
    X(int8_t, given, 2) \
    X(int8_t, returned, 2) \
    X(uint32_t, n_steps, 1)

#define COUNT_ROW(type, name, width) +1
enum { N_COLUMNS = 0 BATCH_COLUMNS(COUNT_ROW), MOST_ROWS = 1 << 20 };

/* What rows may choose from. */
typedef struct {
    uint32_t *at;            /* [room + 1] where the list of each row begins */
    uint32_t *list, *starts; /* shapes or options, and where their entries begin in *all* */
    size_t room;
} lists;

typedef struct {
    PyObject_HEAD uint32_t room, size, filled; /* rows; of them those whose columns are written */
    int all;
    PyObject *owner; /* of the tables, where nobody else sees to it that the batch is cleared in time */
    gd_table **tables;
    lists now, asked; /* of the rows; and of those that are being answered while new ones come in */
    Py_buffer buffers[N_COLUMNS];
    int taken;
    gd_stream *before; /* [room] streams of the rows before the first draw, so that it can be taken back */
    int drawn;
#define COLUMN(type, name, width) type *name;
    struct {
        BATCH_COLUMNS(COLUMN)
    } to;
} BatchObject;

static int grow(lists *l, size_t need, int all)
{
    if (need <= l->room) return 0;
    size_t room = 2 * need;
    uint32_t *list = realloc(l->list, room * sizeof *list);
    if (list) l->list = list;
    uint32_t *starts = list && all ? realloc(l->starts, room * sizeof *starts) : NULL;
    if (starts) l->starts = starts;
    if (!list || (all && !starts)) return -1;
    l->room = room;
    return 0;
}

/* May run without the GIL. What most strategies read is written at once, the rest by fill() when it is asked for: the
 * tables stand still while they wait. */
int py_batch_add(PyObject *batch, gd_table *t, unsigned table)
{
    BatchObject *b = (BatchObject *)batch;
    const gd_view *v = &t->view;
    lists *l = &b->now;
    uint32_t i = b->size, at = l->at[i], n = v->n;
    int in_play = t->ask == GD_ASK_PLAY, lists = b->all && in_play;
    if (i == b->room || grow(l, at + n + 1u, b->all)) return -1;
    if (in_play)
        memcpy(l->list + at, v->plays, n * sizeof *l->list);
    else
        for (uint32_t k = 0; k < n; k++) l->list[at + k] = v->options[k];
    if (lists) memcpy(l->starts + at, v->starts, (n + 1u) * sizeof *l->starts);
    /* The end of the starts of one row lies where the next row's begin: each row has one entry more. */
    l->at[i + 1] = at + n + (b->all ? 1u : 0u);
    b->tables[i] = t;
    b->size++;
    b->to.table[i] = (int32_t)table;
    b->to.n[i] = lists ? v->starts[n] : n;
    b->to.offsets[i + 1] = b->to.offsets[i] + (int32_t)n;
    return 0;
}

static void fill_row(BatchObject *b, uint32_t i)
{
    const gd_view *v = &b->tables[i]->view;
    const gd_tribute *shown = v->shown;
    b->to.seat[i] = v->seat;
    b->to.level[i] = v->level;
    b->to.to_beat[i] = v->to_beat;
    b->to.holder[i] = v->holder;
    memcpy(&b->to.left[4 * i], v->left, 4);
    b->to.hand[3 * i] = v->hand->counts;
    b->to.hand[3 * i + 1] = v->hand->one;
    b->to.hand[3 * i + 2] = v->hand->two;
    b->to.gone[2 * i] = v->gone->one;
    b->to.gone[2 * i + 1] = v->gone->two;
    memcpy(&b->to.levels[2 * i], v->levels, 2);
    b->to.declarer[i] = v->declarer;
    memcpy(&b->to.a_fails[2 * i], v->a_fails, 2);
    memcpy(&b->to.order[4 * i], v->order, 4);
    b->to.deal[i] = v->deal;
    b->to.deals_left[i] = v->deals_left;
    b->to.seconds_left[i] = v->seconds_left;
    b->to.first_ends[i] = v->first_ends;
    b->to.tribute[i] = shown->kind;
    for (uint32_t k = 0; k < 2; k++) {
        int is_there = k < shown->n;
        b->to.payers[2 * i + k] = is_there ? (int8_t)shown->payer[k] : -1;
        b->to.receivers[2 * i + k] = is_there ? (int8_t)shown->receiver[k] : -1;
        b->to.given[2 * i + k] = is_there ? shown->given[k] : -1;
        b->to.returned[2 * i + k] = is_there ? shown->returned[k] : -1;
    }
    b->to.n_steps[i] = v->n_steps;
}

static gd_table *show(BatchObject *b, const lists *l, uint32_t row)
{
    gd_table *t = b->tables[row];
    if (t->ask == GD_ASK_PLAY) {
        t->view.plays = l->list + l->at[row];
        if (b->all) t->view.starts = l->starts + l->at[row];
    }
    return t;
}

gd_table *py_batch_asked(PyObject *batch, uint32_t row)
{
    return show((BatchObject *)batch, &((BatchObject *)batch)->asked, row);
}

int py_batch_fits(PyObject *batch, const gd_strategy *strategy)
{
    return ((BatchObject *)batch)->all == (strategy->list == GD_LIST_ALL);
}

void py_batch_prefetch(PyObject *batch, uint32_t row, uint32_t size)
{
    const BatchObject *b = (const BatchObject *)batch;
    if (row + 8 < size) gd_table_prefetch(b->tables[row + 8]);
    if (row + 4 < size) __builtin_prefetch(&b->tables[row + 4]->steps[b->tables[row + 4]->n_steps], 1);
}

uint32_t py_batch_take(PyObject *batch)
{
    BatchObject *b = (BatchObject *)batch;
    uint32_t size = b->size;
    lists asked = b->now;
    b->now = b->asked;
    b->asked = asked;
    b->size = b->filled = 0;
    b->drawn = 0;
    return size;
}

uint32_t py_batch_size(PyObject *batch) { return ((BatchObject *)batch)->size; }
const gd_table *py_batch_first(PyObject *batch) { return ((BatchObject *)batch)->tables[0]; }

void py_batch_clear(PyObject *batch)
{
    ((BatchObject *)batch)->size = ((BatchObject *)batch)->filled = 0;
    ((BatchObject *)batch)->drawn = 0;
    Py_CLEAR(((BatchObject *)batch)->owner);
}

void py_batch_hold(PyObject *batch, PyObject *owner)
{
    py_batch_clear(batch);
    ((BatchObject *)batch)->owner = Py_NewRef(owner);
}

/* ---- the type --------------------------------------------------------------------------------------------------------- */
static void batch_dealloc(BatchObject *self)
{
    while (self->taken) PyBuffer_Release(&self->buffers[--self->taken]);
    for (int i = 0; i < 2; i++) {
        lists *l = i ? &self->now : &self->asked;
        free(l->list);
        free(l->starts);
        PyMem_Free(l->at);
    }
    PyMem_Free(self->tables);
    PyMem_Free(self->before);
    Py_XDECREF(self->owner);
    py_plain_dealloc((PyObject *)self);
}

int py_is_batch(PyObject *obj)
{
    return PyType_GetFlags(Py_TYPE(obj)) & Py_TPFLAGS_HEAPTYPE &&
           PyType_GetSlot(Py_TYPE(obj), Py_tp_dealloc) == (void *)(uintptr_t)batch_dealloc;
}

static void *take(BatchObject *self, PyObject *columns, Py_ssize_t i, size_t item, Py_ssize_t rows)
{
    PyObject *column = PyTuple_GetItem(columns, i);
    Py_buffer *b = &self->buffers[self->taken];
    if (!column || PyObject_GetBuffer(column, b, PyBUF_WRITABLE)) return NULL;
    self->taken++;
    if (b->len >= rows * (Py_ssize_t)item && (uintptr_t)b->buf % item == 0) return b->buf;
    PyErr_Format(PyExc_ValueError, "column %zd holds %zd bytes, too few for %zd numbers of %zd", i, b->len, rows,
                 (Py_ssize_t)item);
    return NULL;
}

/* One row more than there is room for: offsets has an end. */
#define TAKE(type, name, width) \
    if (ok) ok = (self->to.name = take(self, columns, i++, sizeof(type), ((Py_ssize_t)room + 1) * width)) != NULL;

static PyObject *batch_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"room", "columns", "all", NULL};
    unsigned room;
    PyObject *columns;
    int all = 0, ok = 1;
    Py_ssize_t i = 0;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O&O!|p", names, py_u32, &room, &PyTuple_Type, &columns, &all))
        return NULL;
    if (room < 1 || room > MOST_ROWS) return PyErr_Format(PyExc_ValueError, "rows are 1..%d, not %u", MOST_ROWS, room);
    if (PyTuple_Size(columns) != N_COLUMNS)
        return PyErr_Format(PyExc_ValueError, "expected a tuple of %d columns", N_COLUMNS);
    BatchObject *self = (BatchObject *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (!self) return NULL;
    self->room = room;
    self->all = all;
    BATCH_COLUMNS(TAKE)
    if (ok && (!(self->tables = PyMem_Calloc(room, sizeof *self->tables)) ||
               !(self->before = PyMem_Calloc(room, sizeof *self->before)) ||
               !(self->now.at = PyMem_Calloc((size_t)room + 1, sizeof *self->now.at)) ||
               !(self->asked.at = PyMem_Calloc((size_t)room + 1, sizeof *self->asked.at)))) {
        PyErr_NoMemory();
        ok = 0;
    }
    if (!ok) {
        Py_DECREF(self);
        return NULL;
    }
    self->to.offsets[0] = 0;
    return (PyObject *)self;
}

static PyObject *batch_size(BatchObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromUnsignedLong(self->size);
}

/* A writable buffer of at least `n` numbers of `item` bytes. */
static int take_out(PyObject *obj, Py_buffer *b, Py_ssize_t n, Py_ssize_t item)
{
    if (PyObject_GetBuffer(obj, b, PyBUF_WRITABLE)) return -1;
    if (b->itemsize == item && b->len >= n * item && (uintptr_t)b->buf % (size_t)item == 0) return 0;
    PyErr_Format(PyExc_ValueError, "expected room for %zd numbers of %zd bytes", n, item);
    PyBuffer_Release(b);
    return -1;
}

/* fill(): write the columns that are not written yet. */
static PyObject *batch_fill(BatchObject *self, PyObject *unused)
{
    (void)unused;
    while (self->filled < self->size) fill_row(self, self->filled++);
    Py_RETURN_NONE;
}

/* lists(list, starts=None): what the rows may choose from, row after row. */
static PyObject *batch_lists(BatchObject *self, PyObject *args)
{
    PyObject *list_arg, *starts_arg = Py_None;
    Py_buffer list, starts;
    Py_ssize_t n = self->size ? self->to.offsets[self->size] : 0;
    if (!PyArg_ParseTuple(args, "O|O", &list_arg, &starts_arg)) return NULL;
    if (starts_arg != Py_None && !self->all) return PyErr_Format(PyExc_ValueError, "shapes are chosen from, not all");
    if (take_out(list_arg, &list, n, 4)) return NULL;
    if (starts_arg != Py_None && take_out(starts_arg, &starts, n, 4)) {
        PyBuffer_Release(&list);
        return NULL;
    }
    uint32_t *to = list.buf, *starts_to = starts_arg != Py_None ? starts.buf : NULL;
    if (!self->all) memcpy(to, self->now.list, (size_t)n * sizeof *to);
    for (uint32_t i = 0; self->all && i < self->size; i++) {
        uint32_t at = self->now.at[i], from = at - i, many = self->now.at[i + 1] - 1u - at;
        memcpy(to + from, self->now.list + at, many * sizeof *to);
        if (starts_to) memcpy(starts_to + from, self->now.starts + at, many * sizeof *to);
    }
    PyBuffer_Release(&list);
    if (starts_arg != Py_None) PyBuffer_Release(&starts);
    Py_RETURN_NONE;
}

static void note_streams(BatchObject *self)
{
    for (uint32_t i = 0; !self->drawn && i < self->size; i++) self->before[i] = *self->tables[i]->view.random;
    self->drawn = 1;
}

/* rewind(): take back what was drawn for these questions. */
static PyObject *batch_rewind(BatchObject *self, PyObject *unused)
{
    (void)unused;
    for (uint32_t i = 0; self->drawn && i < self->size; i++) *self->tables[i]->view.random = self->before[i];
    self->drawn = 0;
    Py_RETURN_NONE;
}

/* alone(row, to): put the question of one row into another batch, which is cleared. */
static PyObject *batch_alone(BatchObject *self, PyObject *args)
{
    unsigned row;
    PyObject *to;
    if (!PyArg_ParseTuple(args, "O&O", py_u32, &row, &to)) return NULL;
    if (row >= self->size || !py_is_batch(to) || to == (PyObject *)self || ((BatchObject *)to)->all != self->all)
        return PyErr_Format(PyExc_ValueError, "there is no row %u for another batch of the same list", row);
    gd_table *t = show(self, &self->now, row);
    py_batch_clear(to);
    if (py_batch_add(to, t, (unsigned)self->to.table[row])) return PyErr_NoMemory();
    Py_RETURN_NONE;
}

/* random(out): a number of 64 bits for each row, from the stream of its seat. */
static PyObject *batch_random(BatchObject *self, PyObject *out)
{
    Py_buffer b;
    if (take_out(out, &b, self->size, 8)) return NULL;
    note_streams(self);
    for (uint32_t i = 0; i < self->size; i++) ((uint64_t *)b.buf)[i] = gd_random64(self->tables[i]->view.random);
    PyBuffer_Release(&b);
    Py_RETURN_NONE;
}

/* random_below(out): each number n of it becomes one in 0..n-1. */
static PyObject *batch_random_below(BatchObject *self, PyObject *out)
{
    Py_buffer b;
    if (take_out(out, &b, self->size, 4)) return NULL;
    uint32_t *n = b.buf;
    for (uint32_t i = 0; i < self->size; i++)
        if (!n[i]) {
            PyBuffer_Release(&b);
            return PyErr_Format(PyExc_ValueError, "row %u: there is no number below 0", i);
        }
    note_streams(self);
    for (uint32_t i = 0; i < self->size; i++) n[i] = gd_random_below(self->tables[i]->view.random, n[i]);
    PyBuffer_Release(&b);
    Py_RETURN_NONE;
}

/* steps(seats, codes, cards): the history of each row, n_steps of them, row after row. */
static PyObject *batch_steps(BatchObject *self, PyObject *args)
{
    PyObject *out[3];
    Py_buffer b[3];
    const Py_ssize_t item[3] = {1, 4, 8}, width[3] = {1, 1, 2};
    Py_ssize_t n = 0;
    int taken = 0;
    for (uint32_t i = 0; i < self->size; i++) n += self->tables[i]->view.n_steps;
    if (!PyArg_ParseTuple(args, "OOO", &out[0], &out[1], &out[2])) return NULL;
    while (taken < 3 && !take_out(out[taken], &b[taken], n * width[taken], item[taken])) taken++;
    if (taken == 3) {
        Py_ssize_t at = 0;
        for (uint32_t i = 0; i < self->size; i++) {
            const gd_view *v = &self->tables[i]->view;
            for (uint32_t k = 0; k < v->n_steps; k++, at++) {
                ((uint8_t *)b[0].buf)[at] = v->steps[k].seat;
                ((uint32_t *)b[1].buf)[at] = v->steps[k].shape;
                ((uint64_t *)b[2].buf)[2 * at] = v->steps[k].cards.one;
                ((uint64_t *)b[2].buf)[2 * at + 1] = v->steps[k].cards.two;
            }
        }
    }
    int ok = taken == 3;
    while (taken) PyBuffer_Release(&b[--taken]);
    return ok ? Py_NewRef(Py_None) : NULL;
}

static PyObject *batch_values(BatchObject *self, PyObject *args)
{
    unsigned result;
    PyObject *out;
    Py_buffer b;
    if (!PyArg_ParseTuple(args, "O&O", py_u32, &result, &out)) return NULL;
    if (result > GD_THEY_LAST) return PyErr_Format(PyExc_ValueError, "results are 0..5, not %u", result);
    if (take_out(out, &b, self->size, 4)) return NULL;
    for (uint32_t i = 0; i < self->size; i++) {
        const gd_view *v = &self->tables[i]->view;
        ((int32_t *)b.buf)[i] = v->api->value(v, (enum gd_result)result);
    }
    PyBuffer_Release(&b);
    Py_RETURN_NONE;
}

/* entry(row, index) -> (code, cards) */
static PyObject *batch_entry(BatchObject *self, PyObject *args)
{
    unsigned row, index;
    if (!PyArg_ParseTuple(args, "O&O&", py_u32, &row, py_u32, &index)) return NULL;
    const gd_view *v = row < self->size ? &show(self, &self->now, row)->view : NULL;
    if (!v || self->tables[row]->ask != GD_ASK_PLAY || index >= (self->all ? v->starts[v->n] : v->n))
        return PyErr_Format(PyExc_ValueError, "there is no play %u in row %u", index, row);
    unsigned shape = self->all ? gd_shape_at(v->starts, v->n, index) : index;
    gd_play code = v->plays[shape];
    gd_cards cards = {0, 0};
    if (code != GD_PASS) {
        unsigned choice = self->all ? index - v->starts[shape] : gd_best_choice(v->hand, code, v->rules->plays);
        cards = gd_choice_cards(v->hand, v->level, code, choice, v->rules->plays);
    }
    PyObject *bytes = py_cards_to(cards);
    return bytes ? Py_BuildValue("(IN)", code, bytes) : NULL;
}

static PyObject *batch_clear(PyObject *self, PyObject *unused)
{
    (void)unused;
    py_batch_clear(self);
    Py_RETURN_NONE;
}

static PyMethodDef batch_methods[] = {
    {"rewind", (PyCFunction)batch_rewind, METH_NOARGS, "rewind() -> None\n\nTake back what was drawn."},
    {"alone", (PyCFunction)batch_alone, METH_VARARGS, "alone(row, to) -> None\n\nPut one row into another batch."},
    {"clear", (PyCFunction)batch_clear, METH_NOARGS, "clear() -> None\n\nForget the rows."},
    {"fill", (PyCFunction)batch_fill, METH_NOARGS, "fill() -> None\n\nWrite the columns but table, n and offsets."},
    {"lists", (PyCFunction)batch_lists, METH_VARARGS,
     "lists(list, starts=None) -> None\n\nWhat may be chosen, into buffers."},
    {"random", (PyCFunction)batch_random, METH_O, "random(out) -> None\n\nA number of each row's own stream."},
    {"random_below", (PyCFunction)batch_random_below, METH_O,
     "random_below(out) -> None\n\nBelow each number that is there."},
    {"steps", (PyCFunction)batch_steps, METH_VARARGS, "steps(seats, codes, cards) -> None\n\nHistory of each row."},
    {"values", (PyCFunction)batch_values, METH_VARARGS, "values(result, out) -> None\n\nView.value of each row."},
    {"entry", (PyCFunction)batch_entry, METH_VARARGS, "entry(row, index) -> tuple[int, bytes]\n\nCode and cards."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef batch_getset[] = {
    {"size", (getter)batch_size, NULL, "Rows.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot batch_slots[] = {
    {Py_tp_doc, "Batch(room, columns, all=False)\n\nQuestions of many tables. Use engine.batch."},
    {Py_tp_new, batch_new},
    {Py_tp_dealloc, batch_dealloc},
    {Py_tp_methods, batch_methods},
    {Py_tp_getset, batch_getset},
    {0, NULL},
};

PyType_Spec py_batch_spec = {"engine._core.Batch", sizeof(BatchObject), 0, Py_TPFLAGS_DEFAULT, batch_slots};

#define CODE(type) \
    _Generic((type)0, int8_t: "b", uint8_t: "B", uint16_t: "H", int32_t: "i", uint32_t: "I", uint64_t: "Q")
#define ADD_COLUMN(type, name, width) \
    if (out && (!(item = Py_BuildValue("(ssi)", #name, CODE(type), width)) || PyTuple_SetItem(out, i++, item))) \
        Py_CLEAR(out);

int py_add_batch_columns(PyObject *module)
{
    PyObject *out = PyTuple_New(N_COLUMNS), *item;
    Py_ssize_t i = 0;
    BATCH_COLUMNS(ADD_COLUMN)
    int failed = !out || PyModule_AddObjectRef(module, "BATCH_COLUMNS", out);
    Py_XDECREF(out);
    return failed ? -1 : 0;
}
