/* Strategies as capsules: what they say of themselves, and copies with other parameters. */
#include "py_core.h"

const gd_strategy *py_strategy_from(PyObject *capsule)
{
    const gd_strategy *s = PyCapsule_GetPointer(capsule, GD_STRATEGY_CAPSULE);
    if (!s) return NULL;
    if (s->abi != GD_STRATEGY_ABI) {
        PyErr_Format(PyExc_ValueError, "strategy was compiled for interface %u, this engine speaks %u: recompile it",
                     s->abi, GD_STRATEGY_ABI);
        return NULL;
    }
    if (!s->name || !s->play || !s->tribute || !s->return_tribute || s->list > GD_LIST_ALL) {
        PyErr_SetString(PyExc_ValueError,
                        "strategy lacks a name, play, tribute or return_tribute, or asks for an unknown list");
        return NULL;
    }
    if (s->n_parameters && (!s->parameters || !s->values)) {
        PyErr_SetString(PyExc_ValueError, "strategy has parameters without their description or without values");
        return NULL;
    }
    for (uint32_t i = 0; i < s->n_parameters; i++) {
        const gd_parameter *p = &s->parameters[i];
        if (p->name && p->least <= s->values[i] && s->values[i] <= p->most) continue;
        PyErr_Format(PyExc_ValueError, "parameter %u of strategy %s has no name, or a value beyond its limits", i,
                     s->name);
        return NULL;
    }
    return s;
}

static PyObject *parameters_to(const gd_strategy *s)
{
    PyObject *out = PyTuple_New((Py_ssize_t)s->n_parameters);
    for (uint32_t i = 0; out && i < s->n_parameters; i++) {
        const gd_parameter *p = &s->parameters[i];
        PyObject *item = Py_BuildValue("(siiizz)", p->name, s->values[i], p->least, p->most, p->zh, p->en);
        if (!item || PyTuple_SetItem(out, (Py_ssize_t)i, item)) Py_CLEAR(out);
    }
    return out;
}

PyObject *py_strategy_info(PyObject *module, PyObject *capsule)
{
    (void)module;
    const gd_strategy *s = py_is_player(capsule) ? &((PlayerObject *)capsule)->strategy : py_strategy_from(capsule);
    PyObject *parameters = s ? parameters_to(s) : NULL;
    if (!parameters) return NULL;
    return Py_BuildValue(
        "{s:s,s:z,s:z,s:N,s:N,s:N,s:N,s:N,s:N}", "name", s->name, "zh", s->zh, "en", s->en, "deterministic",
        PyBool_FromLong(s->deterministic != 0), "observed", PyBool_FromLong(s->observed != 0), "all",
        PyBool_FromLong(s->list == GD_LIST_ALL), "ranks", PyBool_FromLong(s->rank != NULL), "batch",
        PyBool_FromLong(py_is_player(capsule) && ((PlayerObject *)capsule)->batch), "parameters", parameters);
}

/* Of a capsule that owns its struct; its context is what must live as long. */
static void free_copy(PyObject *capsule)
{
    Py_XDECREF((PyObject *)PyCapsule_GetContext(capsule));
    PyMem_Free(PyCapsule_GetPointer(capsule, GD_STRATEGY_CAPSULE));
}

/* A copy with its own values, which lie behind it. */
PyObject *py_strategy_with(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *capsule, *values;
    if (!PyArg_ParseTuple(args, "OO", &capsule, &values)) return NULL;
    const gd_strategy *s = py_strategy_from(capsule);
    if (!s) return NULL;
    if (!PyTuple_Check(values) || PyTuple_Size(values) != (Py_ssize_t)s->n_parameters)
        return PyErr_Format(PyExc_ValueError, "%s takes a tuple of %u values", s->name, s->n_parameters);
    gd_strategy *copy = PyMem_Malloc(sizeof *copy + s->n_parameters * sizeof(int32_t));
    if (!copy) return PyErr_NoMemory();
    int32_t *own = (int32_t *)(copy + 1);
    *copy = *s;
    copy->values = own;
    for (uint32_t i = 0; i < s->n_parameters; i++) {
        const gd_parameter *p = &s->parameters[i];
        int beyond = 0;
        PyObject *given = PyTuple_GetItem(values, (Py_ssize_t)i);
        long value = PyLong_AsLongAndOverflow(given, &beyond);
        if (!PyErr_Occurred() && (beyond || value < p->least || value > p->most))
            PyErr_Format(PyExc_ValueError, "%s of %s is %d to %d, not %S", p->name, s->name, p->least, p->most, given);
        if (PyErr_Occurred()) {
            PyMem_Free(copy);
            return NULL;
        }
        own[i] = (int32_t)value;
    }
    PyObject *out = PyCapsule_New(copy, GD_STRATEGY_CAPSULE, NULL);
    if (!out || PyCapsule_SetContext(out, capsule)) {
        Py_XDECREF(out);
        PyMem_Free(copy);
        return NULL;
    }
    Py_IncRef(capsule);
    PyCapsule_SetDestructor(out, free_copy);
    return out;
}

/* ---- functions by their address: numba's cfunc, ctypes, another library ------------------------------------------------ */
PyObject *py_strategy_of_functions(PyObject *module, PyObject *args, PyObject *kwargs)
{
    (void)module;
    static char *names[] = {"name", "play",          "tribute",  "return_tribute", "zh", "en",
                            "all",  "deterministic", "observed", "keep",           NULL};
    const char *name, *zh = "", *en = "";
    uint64_t play, tribute, back;
    int all = 0, deterministic = 0, observed = 0;
    PyObject *keep = Py_None;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "sO&O&O&|sspppO", names, &name, py_u64, &play, py_u64, &tribute,
                                     py_u64, &back, &zh, &en, &all, &deterministic, &observed, &keep))
        return NULL;
    if (!play || !tribute || !back) return PyErr_Format(PyExc_ValueError, "strategy %s: 0 is no address", name);
    PyObject *kept = Py_BuildValue("(yyyO)", name, zh, en, keep);
    gd_strategy *s = kept ? PyMem_Malloc(sizeof *s) : NULL;
    if (!s) {
        Py_XDECREF(kept);
        return kept ? PyErr_NoMemory() : NULL;
    }
    *s = (gd_strategy){.abi = GD_STRATEGY_ABI,
                       .list = all ? GD_LIST_ALL : GD_LIST_SHAPES,
                       .deterministic = (uint32_t)deterministic,
                       .observed = (uint32_t)observed,
                       .name = PyBytes_AsString(PyTuple_GetItem(kept, 0)),
                       .zh = PyBytes_AsString(PyTuple_GetItem(kept, 1)),
                       .en = PyBytes_AsString(PyTuple_GetItem(kept, 2)),
                       .play = (uint32_t (*)(const gd_view *))(uintptr_t)play,
                       .tribute = (uint32_t (*)(const gd_view *))(uintptr_t)tribute,
                       .return_tribute = (uint32_t (*)(const gd_view *))(uintptr_t)back};
    PyObject *out = PyCapsule_New(s, GD_STRATEGY_CAPSULE, NULL);
    if (!out || PyCapsule_SetContext(out, kept)) {
        Py_XDECREF(out);
        Py_DECREF(kept);
        PyMem_Free(s);
        return NULL;
    }
    PyCapsule_SetDestructor(out, free_copy);
    return out;
}
