/* strategies._native: hands the built-in strategies to Python as capsules, as any other extension would. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "natives.h"

static int add(PyObject *module, const gd_strategy *strategy)
{
    PyObject *capsule = PyCapsule_New((void *)(uintptr_t)strategy, GD_STRATEGY_CAPSULE, NULL);
    int failed = !capsule || PyModule_AddObjectRef(module, strategy->name, capsule);
    Py_XDECREF(capsule);
    return failed ? -1 : 0;
}

#define ADD_NATIVE(strategy) || add(module, &strategy)

static int native_exec(PyObject *module) { return 0 NATIVES(ADD_NATIVE) ? -1 : 0; }

static PyModuleDef_Slot native_slots[] = {{Py_mod_exec, native_exec}, {0, NULL}};

static struct PyModuleDef native_module = {
    PyModuleDef_HEAD_INIT,
    "strategies._native",
    "Built-in native strategies, a capsule each.",
    0,
    NULL,
    native_slots,
    NULL,
    NULL,
    NULL,
};

PyMODINIT_FUNC PyInit__native(void) { return PyModuleDef_Init(&native_module); }
