/* The bulk loop, its buffers, and the names and types of their columns. */
#include "py_core.h"

/* Take the next column's buffer: writable, of this item size, with at least `rows` items. */
static void *take_column(PyObject *columns, Py_ssize_t i, size_t item, int64_t rows, Py_buffer *buffers, int *taken)
{
    PyObject *column = PyTuple_GetItem(columns, i);
    Py_buffer *b = &buffers[*taken];
    if (!column || PyObject_GetBuffer(column, b, PyBUF_WRITABLE)) return NULL;
    ++*taken;
    if ((int64_t)b->len >= rows * (int64_t)item && b->itemsize == (Py_ssize_t)item) return b->buf;
    PyErr_Format(PyExc_ValueError, "column %zd: %zd bytes of %zd a row are too few or of the wrong type", i, b->len,
                 b->itemsize);
    return NULL;
}

#define TAKE(to, rows) \
    if (ok) ok = (to = take_column(columns, i++, sizeof *to, rows, p->buffers, &p->taken)) != NULL;
#define TAKE_PAIR(type, name) TAKE(b->pair.name, b->n_pairs)
#define TAKE_MATCH(type, name) TAKE(b->match.name, b->n_pairs * b->legs)
#define TAKE_DEAL(type, name) TAKE(b->deal.name, b->deal_room)
#define TAKE_FAULT(type, name) TAKE(p->faults.rows.name, p->faults.room)

static int right_size(PyObject *columns, Py_ssize_t n)
{
    if (PyTuple_Check(columns) && PyTuple_Size(columns) == n) return 1;
    PyErr_Format(PyExc_ValueError, "expected a tuple of %zd columns", n);
    return 0;
}

/* Faults that are inputs: records of gd_known_fault. */
int py_known_from(const Py_buffer *b, gd_faults *faults)
{
    faults->known = b->buf;
    faults->n_known = (int64_t)(b->len / (Py_ssize_t)sizeof(gd_known_fault));
    int right = b->len % (Py_ssize_t)sizeof(gd_known_fault) == 0 && (uintptr_t)b->buf % _Alignof(gd_known_fault) == 0;
    for (int64_t i = 0; right && i < faults->n_known; i++)
        right = faults->known[i].reason >= 0 && faults->known[i].reason < GD_FAULT_REASONS;
    if (!right) PyErr_SetString(PyExc_ValueError, "known faults: expected records of 32 bytes, with a reason there is");
    return right;
}

static int take_coin(py_bulk *p, PyObject *obj)
{
    gd_coin *coin = &p->coin;
    if (!PyTuple_Check(obj)) {
        PyErr_SetString(PyExc_TypeError, "a coin is a tuple (x_wins, memory, (one, two, three))");
        return 0;
    }
    p->bulk.coin = coin;
    return PyArg_ParseTuple(obj, "dd(ddd)", &coin->x_wins, &coin->memory, &coin->steps[0], &coin->steps[1],
                            &coin->steps[2]);
}

/* Sums of style, and the counts of `pairs` pairs that are under way at once. */
static int take_style(py_bulk *p, PyObject *obj, unsigned pairs)
{
    if (PyObject_GetBuffer(obj, &p->style, PyBUF_WRITABLE)) return 0;
    p->has_style = 1;
    if (p->style.itemsize != sizeof(int64_t) || p->style.len != sizeof(gd_style_sums)) {
        PyErr_Format(PyExc_ValueError, "style: expected %zu numbers of 8 bytes", sizeof(gd_style_sums) / 8);
        return 0;
    }
    if (p->bulk.coin) {
        PyErr_SetString(PyExc_ValueError, "style: coins lay no cards");
        return 0;
    }
    if (!(p->bulk.style = PyMem_Malloc(pairs * sizeof *p->bulk.style))) {
        PyErr_NoMemory();
        return 0;
    }
    for (unsigned i = 0; i < pairs; i++) gd_style_init(&p->bulk.style[i], p->style.buf);
    return 1;
}

static int take_stop(py_bulk *p, PyObject *obj)
{
    if (PyObject_GetBuffer(obj, &p->stop, PyBUF_SIMPLE)) return 0;
    p->has_stop = 1;
    if (p->stop.len < 1) PyErr_SetString(PyExc_ValueError, "stop holds no byte");
    p->bulk.stop = p->stop.buf;
    return p->stop.len >= 1;
}

/* Faults: how they are kept, which are known, who watches. */
static int take_faults(py_bulk *p, PyObject *columns, PyObject *known, PyObject *watch)
{
    gd_faults *f = &p->faults;
    int ok = 1;
    Py_ssize_t i = 0;
    p->bulk.faults = f;
    f->stop = columns == Py_None;
    if (!f->stop) {
        ok = right_size(columns, N_FAULT);
        GD_FAULT_COLUMNS(TAKE_FAULT)
    }
    if (ok && known != Py_None) {
        ok = p->has_known = !PyObject_GetBuffer(known, &p->known, PyBUF_SIMPLE);
        if (ok && !py_known_from(&p->known, f)) ok = 0;
    }
    if (ok && watch != Py_None) {
        ok = p->has_watch = !PyObject_GetBuffer(watch, &p->watch, PyBUF_WRITABLE);
        if (ok && (p->watch.len < (Py_ssize_t)sizeof(gd_watch) || (uintptr_t)p->watch.buf % _Alignof(gd_watch))) {
            PyErr_Format(PyExc_ValueError, "watch: expected %zu bytes of whole numbers of 8", sizeof(gd_watch));
            ok = 0;
        }
        if (ok) f->watch = p->watch.buf;
    }
    return ok;
}

static int take_columns(py_bulk *p, PyObject *pairs, PyObject *matches, PyObject *deals)
{
    gd_bulk *b = &p->bulk;
    PyObject *columns = pairs;
    Py_ssize_t i = 0;
    int ok = right_size(columns, N_PAIR);
    GD_PAIR_COLUMNS(TAKE_PAIR)
    if (ok && b->with_matches) {
        columns = matches, i = 0;
        ok = right_size(columns, N_MATCH);
        GD_MATCH_COLUMNS(TAKE_MATCH)
    }
    if (ok && b->with_deals) {
        columns = deals, i = 0;
        ok = right_size(columns, N_DEAL);
        GD_DEAL_COLUMNS(TAKE_DEAL)
    }
    return ok;
}

int py_bulk_open(py_bulk *p, PyObject *args, unsigned tables, unsigned pairs)
{
    PyObject *x, *y, *rules, *coin, *pair_columns, *match_columns, *deal_columns, *style, *stop,
        *contexts = Py_None, *fault_columns = Py_None, *known = Py_None, *watch = Py_None;
    gd_bulk *b = &p->bulk;
    *p = (py_bulk){.taken = 0};
    if (!PyArg_ParseTuple(args, "OOOOO&O&O&O&OOOO&OO|OOO&OO", &x, &y, &coin, &rules, py_u64, &b->seed, py_count,
                          &b->first_pair, py_count, &b->n_pairs, py_u32, &b->legs, &pair_columns, &match_columns,
                          &deal_columns, py_count, &b->deal_room, &style, &stop, &contexts, &fault_columns, py_count,
                          &p->faults.room, &known, &watch) ||
        py_rules_from(rules, &p->rules))
        return -1;
    if (b->first_pair + b->n_pairs > (int64_t)1 << 40 || b->legs < 1 || b->legs > 2) {
        PyErr_SetString(PyExc_ValueError, "pair ids are below 2**40, legs are 1 or 2");
        return -1;
    }
    b->rules = &p->rules;
    b->host = &p->host;
    b->with_matches = match_columns != Py_None;
    b->with_deals = deal_columns != Py_None;
    if (coin != Py_None ? !take_coin(p, coin) : py_host_begin(&p->host, x, y, rules, tables, b->player)) return -1;
    if (p->host.sittings) b->sit = py_host_sit;
    b->interrupted = &p->host.interrupted;
    if (contexts != Py_None && py_contexts_from(contexts, &p->contexts, &b->n_contexts)) return -1;
    b->contexts = p->contexts;
    if (!take_columns(p, pair_columns, match_columns, deal_columns)) return -1;
    if (!take_faults(p, fault_columns, known, watch)) return -1;
    p->host.faults = &p->faults;
    p->pairs = pairs < b->n_pairs ? pairs : b->n_pairs ? (unsigned)b->n_pairs : 1u;
    if (style != Py_None && !take_style(p, style, p->pairs)) return -1;
    if (stop != Py_None && !take_stop(p, stop)) return -1;
    return (b->scratch = py_new_scratch()) ? 0 : -1;
}

void py_bulk_close(py_bulk *p)
{
    py_free_scratch(p->bulk.scratch);
    PyMem_Free(p->bulk.style);
    PyMem_Free(p->contexts);
    if (p->has_style) PyBuffer_Release(&p->style);
    if (p->has_stop) PyBuffer_Release(&p->stop);
    if (p->has_known) PyBuffer_Release(&p->known);
    if (p->has_watch) PyBuffer_Release(&p->watch);
    while (p->taken) PyBuffer_Release(&p->buffers[--p->taken]);
    py_host_clear(&p->host);
    *p = (py_bulk){.taken = 0};
}

PyObject *py_bulk_end(py_bulk *p, enum gd_bulk_end end, unsigned lane)
{
    const gd_bulk *b = &p->bulk;
    PyObject *fault = NULL;
    if (end == GD_BULK_FAULT) {
        PyObject *raised = py_host_raised(&p->host, lane, b->fault_seat);
        if (raised && !PyObject_IsInstance(raised, PyExc_Exception)) /* Ctrl-C, exit: nobody's fault */
            PyErr_SetObject((PyObject *)Py_TYPE(raised), raised);
        else
            fault = Py_BuildValue("(LIIIIiO)", (long long)(b->first_pair + b->pairs), b->fault_leg, b->fault_deal,
                                  b->fault_decision, b->fault_seat, (int)b->fault_reason, raised ? raised : Py_None);
        Py_XDECREF(raised);
    } else {
        fault = Py_NewRef(Py_None);
    }
    if (!fault) return NULL;
    return Py_BuildValue("(iLLLLN)", (int)end, (long long)b->pairs, (long long)b->matches, (long long)b->deals,
                         (long long)p->faults.n, fault);
}

PyObject *py_play_pairs(PyObject *module, PyObject *args)
{
    (void)module;
    py_bulk p;
    PyObject *result = NULL;
    if (py_bulk_open(&p, args, 1, 1)) {
        /* an exception is set */
    } else if (py_host_has_batch(&p.host)) {
        PyErr_SetString(PyExc_ValueError, "strategies that answer in batches are asked by Lockstep");
    } else {
        enum gd_bulk_end end;
        if (p.bulk.sit) /* strategies written in Python are called: the GIL is kept */
            end = gd_bulk_play(&p.bulk);
        else {
            Py_BEGIN_ALLOW_THREADS end = gd_bulk_play(&p.bulk);
            Py_END_ALLOW_THREADS
        }
        result = py_bulk_end(&p, end, 0);
    }
    py_bulk_close(&p);
    return result;
}

#define TYPE_CODE(type) _Generic((type)0, int8_t: "b", int16_t: "h", int32_t: "i", int64_t: "q")
#define ADD_COLUMN(type, name) \
    if (out && (!(pair = Py_BuildValue("(ss)", #name, TYPE_CODE(type))) || PyTuple_SetItem(out, i++, pair))) \
        Py_CLEAR(out);

#define ADD_OCCASION(name) \
    if (out && (!(pair = PyUnicode_FromString(#name)) || PyTuple_SetItem(out, i++, pair))) Py_CLEAR(out);
#define ADD_RATE(name, of) \
    if (out && (!(pair = Py_BuildValue("(ss)", #name, #of)) || PyTuple_SetItem(out, i++, pair))) Py_CLEAR(out);

static int add_style(PyObject *module)
{
    PyObject *out = PyTuple_New(GD_OCCASIONS), *pair;
    Py_ssize_t i = 0;
    GD_STYLE_OCCASIONS(ADD_OCCASION)
    if (!out || PyModule_AddObjectRef(module, "STYLE_OCCASIONS", out)) goto fail;
    Py_CLEAR(out);
    out = PyTuple_New(GD_RATES), i = 0;
    GD_STYLE_RATES(ADD_RATE)
    if (!out || PyModule_AddObjectRef(module, "STYLE_RATES", out)) goto fail;
    Py_CLEAR(out);
    return 0;
fail:
    Py_XDECREF(out);
    return -1;
}

int py_add_columns(PyObject *module)
{
    if (add_style(module)) return -1;
    PyObject *out, *pair;
    Py_ssize_t i = 0;
    out = PyTuple_New(N_PAIR);
    GD_PAIR_COLUMNS(ADD_COLUMN)
    if (!out || PyModule_AddObjectRef(module, "PAIR_COLUMNS", out)) goto fail;
    Py_CLEAR(out);
    out = PyTuple_New(N_MATCH), i = 0;
    GD_MATCH_COLUMNS(ADD_COLUMN)
    if (!out || PyModule_AddObjectRef(module, "MATCH_COLUMNS", out)) goto fail;
    Py_CLEAR(out);
    out = PyTuple_New(N_DEAL), i = 0;
    GD_DEAL_COLUMNS(ADD_COLUMN)
    if (!out || PyModule_AddObjectRef(module, "DEAL_COLUMNS", out)) goto fail;
    Py_CLEAR(out);
    out = PyTuple_New(N_FAULT), i = 0;
    GD_FAULT_COLUMNS(ADD_COLUMN)
    if (!out || PyModule_AddObjectRef(module, "FAULT_COLUMNS", out)) goto fail;
    Py_CLEAR(out);
    return 0;
fail:
    Py_XDECREF(out);
    return -1;
}
