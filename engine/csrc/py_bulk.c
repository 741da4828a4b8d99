/* The bulk loop, its buffers, and the names and types of their columns. */
#include "py_core.h"

#define COUNT_COLUMN(type, name) +1
enum {
    N_PAIR = 0 GD_PAIR_COLUMNS(COUNT_COLUMN),
    N_MATCH = 0 GD_MATCH_COLUMNS(COUNT_COLUMN),
    N_DEAL = 0 GD_DEAL_COLUMNS(COUNT_COLUMN),
    N_FAULT = 0 GD_FAULT_COLUMNS(COUNT_COLUMN),
    N_BUFFERS = N_PAIR + N_MATCH + N_DEAL + N_FAULT
};

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
    if (ok) ok = (to = take_column(columns, i++, sizeof *to, rows, buffers, &taken)) != NULL;
#define TAKE_PAIR(type, name) TAKE(bulk.pair.name, bulk.n_pairs)
#define TAKE_MATCH(type, name) TAKE(bulk.match.name, bulk.n_pairs *bulk.legs)
#define TAKE_DEAL(type, name) TAKE(bulk.deal.name, bulk.deal_room)
#define TAKE_FAULT(type, name) TAKE(faults.rows.name, faults.room)

static int right_size(PyObject *columns, Py_ssize_t n)
{
    if (PyTuple_Check(columns) && PyTuple_Size(columns) == n) return 1;
    PyErr_Format(PyExc_ValueError, "expected a tuple of %zd columns", n);
    return 0;
}

/* Faults that are inputs: records of gd_known_fault. */
static int take_known(const Py_buffer *b, gd_faults *faults)
{
    faults->known = b->buf;
    faults->n_known = (int64_t)(b->len / (Py_ssize_t)sizeof(gd_known_fault));
    int right = b->len % (Py_ssize_t)sizeof(gd_known_fault) == 0 && (uintptr_t)b->buf % _Alignof(gd_known_fault) == 0;
    for (int64_t i = 0; right && i < faults->n_known; i++)
        right = faults->known[i].reason >= 0 && faults->known[i].reason < GD_FAULT_REASONS;
    if (!right) PyErr_SetString(PyExc_ValueError, "known faults: expected records of 24 bytes, with a reason there is");
    return right;
}

PyObject *py_play_pairs(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *x, *y, *rules_arg, *coin_arg, *pair_columns, *match_columns, *deal_columns, *style_arg, *stop_arg,
        *contexts_arg = Py_None, *fault_columns = Py_None, *known_arg = Py_None, *watch_arg = Py_None;
    uint64_t seed;
    int64_t first, n, deal_room;
    gd_faults faults = {0};
    unsigned legs;
    gd_rules rules;
    gd_coin coin;
    if (!PyArg_ParseTuple(args, "OOOOO&O&O&O&OOOO&OO|OOO&OO", &x, &y, &coin_arg, &rules_arg, py_u64, &seed, py_count,
                          &first, py_count, &n, py_u32, &legs, &pair_columns, &match_columns, &deal_columns, py_count,
                          &deal_room, &style_arg, &stop_arg, &contexts_arg, &fault_columns, py_count, &faults.room,
                          &known_arg, &watch_arg))
        return NULL;
    if (py_rules_from(rules_arg, &rules)) return NULL;
    if (first + n > (int64_t)1 << 40 || legs < 1 || legs > 2)
        return PyErr_Format(PyExc_ValueError, "pair ids are below 2**40, legs are 1 or 2");
    gd_bulk bulk = {.rules = &rules,
                    .seed = seed,
                    .first_pair = first,
                    .n_pairs = n,
                    .legs = legs,
                    .deal_room = deal_room,
                    .faults = &faults,
                    .with_matches = match_columns != Py_None,
                    .with_deals = deal_columns != Py_None};
    if (coin_arg != Py_None) {
        if (!PyTuple_Check(coin_arg))
            return PyErr_Format(PyExc_TypeError, "a coin is a tuple (x_wins, memory, (one, two, three))");
        if (!PyArg_ParseTuple(coin_arg, "dd(ddd)", &coin.x_wins, &coin.memory, &coin.steps[0], &coin.steps[1],
                              &coin.steps[2]))
            return NULL;
        bulk.coin = &coin;
    } else if (!(bulk.side[0] = py_strategy_from(x)) || !(bulk.side[1] = py_strategy_from(y))) {
        return NULL;
    }
    gd_context *contexts = NULL;
    if (contexts_arg != Py_None && py_contexts_from(contexts_arg, &contexts, &bulk.n_contexts)) return NULL;
    bulk.contexts = contexts;
    Py_buffer buffers[N_BUFFERS], style, stop, known, watch;
    int taken = 0, ok = 1, have_style = 0, have_stop = 0, have_known = 0, have_watch = 0;
    faults.stop = fault_columns == Py_None;
    PyObject *columns = pair_columns, *result = NULL;
    Py_ssize_t i = 0;
    ok = right_size(columns, N_PAIR);
    GD_PAIR_COLUMNS(TAKE_PAIR)
    if (ok && bulk.with_matches) {
        columns = match_columns, i = 0;
        ok = right_size(columns, N_MATCH);
        GD_MATCH_COLUMNS(TAKE_MATCH)
    }
    if (ok && bulk.with_deals) {
        columns = deal_columns, i = 0;
        ok = right_size(columns, N_DEAL);
        GD_DEAL_COLUMNS(TAKE_DEAL)
    }
    if (ok && !faults.stop) {
        columns = fault_columns, i = 0;
        ok = right_size(columns, N_FAULT);
        GD_FAULT_COLUMNS(TAKE_FAULT)
    }
    if (ok && known_arg != Py_None) {
        ok = have_known = !PyObject_GetBuffer(known_arg, &known, PyBUF_SIMPLE);
        if (ok && !take_known(&known, &faults)) ok = 0;
    }
    if (ok && watch_arg != Py_None) {
        ok = have_watch = !PyObject_GetBuffer(watch_arg, &watch, PyBUF_WRITABLE);
        if (ok && (watch.len < (Py_ssize_t)sizeof(gd_watch) || (uintptr_t)watch.buf % _Alignof(gd_watch))) {
            PyErr_Format(PyExc_ValueError, "watch: expected %zu bytes of whole numbers of 8", sizeof(gd_watch));
            ok = 0;
        }
        if (ok) faults.watch = watch.buf;
    }
    if (ok && style_arg != Py_None) {
        ok = have_style = !PyObject_GetBuffer(style_arg, &style, PyBUF_WRITABLE);
        if (ok && (style.itemsize != sizeof(int64_t) || style.len != sizeof(gd_style_sums))) {
            PyErr_Format(PyExc_ValueError, "style: expected %zu numbers of 8 bytes", sizeof(gd_style_sums) / 8);
            ok = 0;
        }
        if (ok && bulk.coin) {
            PyErr_SetString(PyExc_ValueError, "style: coins lay no cards");
            ok = 0;
        }
        if (ok && !(bulk.style = PyMem_Malloc(sizeof *bulk.style))) {
            PyErr_NoMemory();
            ok = 0;
        }
        if (ok) gd_style_init(bulk.style, style.buf);
    }
    if (ok && stop_arg != Py_None) {
        ok = have_stop = !PyObject_GetBuffer(stop_arg, &stop, PyBUF_SIMPLE);
        if (ok && stop.len < 1) {
            PyErr_SetString(PyExc_ValueError, "stop holds no byte");
            ok = 0;
        }
        if (ok) bulk.stop = stop.buf;
    }
    if (ok && !(bulk.scratch = py_new_scratch())) ok = 0;
    if (ok) {
        enum gd_bulk_end end;
        Py_BEGIN_ALLOW_THREADS end = gd_bulk_play(&bulk);
        Py_END_ALLOW_THREADS PyObject *fault =
            end == GD_BULK_FAULT
                ? Py_BuildValue("(LIIIIi)", (long long)(first + bulk.pairs), bulk.fault_leg, bulk.fault_deal,
                                bulk.fault_decision, bulk.fault_seat, (int)bulk.fault_reason)
                : Py_NewRef(Py_None);
        if (fault)
            result = Py_BuildValue("(iLLLLN)", (int)end, (long long)bulk.pairs, (long long)bulk.matches,
                                   (long long)bulk.deals, (long long)faults.n, fault);
    }
    py_free_scratch(bulk.scratch);
    PyMem_Free(bulk.style);
    PyMem_Free(contexts);
    if (have_style) PyBuffer_Release(&style);
    if (have_stop) PyBuffer_Release(&stop);
    if (have_known) PyBuffer_Release(&known);
    if (have_watch) PyBuffer_Release(&watch);
    while (taken) PyBuffer_Release(&buffers[--taken]);
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
