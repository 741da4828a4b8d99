/* What the files of engine._core share: Python objects to C values and back. These py_*.c files are the only ones that
 * include Python.h: they convert, check, call, convert. Limited API, multi-phase init, no mutable globals.
 *
 * Cards cross as bytes of card ids (0..53), plays as (code, cards). engine/_core.pyi holds the types.
 */
#ifndef PY_CORE_H
#define PY_CORE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "gd_bulk.h"

/* Numbers, for the O& format: a value out of range is a ValueError, never wrapped. Return 1, or 0 with an exception. */
int py_u64(PyObject *obj, void *to);   /* uint64_t */
int py_u32(PyObject *obj, void *to);   /* unsigned */
int py_count(PyObject *obj, void *to); /* int64_t: 0..2**40, pair ids and numbers of rows */

/* From Python. Each returns 0, or -1 (NULL) with ValueError or TypeError set. */
int py_cards_from(PyObject *obj, gd_cards *out);                   /* buffer of card ids, at most two copies of each */
int py_level_from(unsigned level);                                 /* checks 0..12 */
int py_play_rules_from(unsigned rules);                            /* checks gd_play_rule bits */
int py_rules_from(PyObject *obj, gd_rules *rules);                 /* the tuple of engine.rules.Rules.core() */
int py_hands_from(PyObject *obj, gd_cards hands[4]);               /* tuple of four hands */
int py_order_from(PyObject *obj, uint8_t order[4]);                /* buffer of four different seats */
int py_contexts_from(PyObject *obj, gd_context **out, int64_t *n); /* buffer of records; PyMem_Free *out */
const gd_strategy *py_strategy_from(PyObject *capsule);
gd_scratch *py_new_scratch(void); /* for tables of one set of rules; NULL with MemoryError set */
void py_free_scratch(gd_scratch *scratch);
int py_is_play(gd_play p); /* 1: may be a code of a list, or PASS; 0 with ValueError set */

/* To Python: new references. */
PyObject *py_cards_to(gd_cards cards);
PyObject *py_hands_to(const gd_cards hands[4]);

/* The types, and deallocation of those that own nothing. */
extern PyType_Spec py_plays_spec, py_deal_spec, py_table_spec;
void py_plain_dealloc(PyObject *self);

/* Strategies (py_strategy.c). */
PyObject *py_strategy_info(PyObject *module, PyObject *capsule);
PyObject *py_strategy_with(PyObject *module, PyObject *args);

/* The bulk loop (py_bulk.c). */
PyObject *py_play_pairs(PyObject *module, PyObject *args);
int py_add_columns(PyObject *module);

#endif
