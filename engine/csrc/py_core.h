/* What the files of engine._core share: Python objects to C values and back. These py_*.c files are the only ones that
 * include Python.h: they convert, check, call, convert. Limited API, multi-phase init, no mutable globals.
 *
 * Cards cross as bytes of card ids (0..53), plays as (code, cards). engine/_core.pyi holds the types.
 */
#ifndef PY_CORE_H
#define PY_CORE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "gd_pair.h"

/* Numbers, for the O& format: a value out of range is a ValueError, never wrapped. Return 1, or 0 with an exception. */
int py_u64(PyObject *obj, void *to);   /* uint64_t */
int py_u32(PyObject *obj, void *to);   /* unsigned */
int py_count(PyObject *obj, void *to); /* int64_t: 0..2**40, pair ids and numbers of rows */

/* From Python. Each returns 0, or -1 (NULL) with ValueError or TypeError set. */
int py_cards_from(PyObject *obj, gd_cards *out);                   /* buffer of card ids, at most two copies of each */
int py_level_from(unsigned level);                                 /* checks 0..12 */
int py_play_rules_from(unsigned rules);                            /* checks gd_play_rule bits */
int py_rules_from(PyObject *obj, gd_rules *rules);                 /* engine.rules.Rules, or its core() */
int py_hands_from(PyObject *obj, gd_cards hands[4]);               /* tuple of four hands */
int py_order_from(PyObject *obj, uint8_t order[4]);                /* buffer of four different seats */
int py_contexts_from(PyObject *obj, gd_context **out, int64_t *n); /* buffer of records; PyMem_Free *out */
const gd_strategy *py_strategy_from(PyObject *capsule);            /* native ones only */
gd_scratch *py_new_scratch(void); /* for tables of one set of rules; NULL with MemoryError set */
void py_free_scratch(gd_scratch *scratch);
int py_is_play(gd_play p); /* 1: may be a code of a list, or PASS; 0 with ValueError set */

/* To Python: new references. */
PyObject *py_cards_to(gd_cards cards);
PyObject *py_hands_to(const gd_cards hands[4]);

/* The deal in an engine._core.Deal; NULL with TypeError set for anything else. */
const gd_deal *py_deal_in(PyObject *obj);

/* The types, and deallocation of those that own nothing. */
extern PyType_Spec py_plays_spec, py_deal_spec, py_table_spec, py_view_spec, py_player_spec;
void py_plain_dealloc(PyObject *self);

/* Strategies (py_strategy.c). */
PyObject *py_strategy_info(PyObject *module, PyObject *capsule);
PyObject *py_strategy_with(PyObject *module, PyObject *args);
PyObject *py_strategy_of_functions(PyObject *module, PyObject *args, PyObject *kwargs);

/* ---- strategies written in Python ------------------------------------------------------------------------------------ */
/* What the core calls and makes of engine.view. */
typedef struct py_faces {
    PyObject *view, *step, *gift, *refused, *paid, *returned, *tribute, *match_info, *deal_info, *deal_end, *answer_of;
} py_faces;

/* A view (py_view.c). `table` is NULL while it is shut. */
typedef struct ViewObject {
    PyObject_HEAD gd_table *table;
    const py_faces *faces; /* of the host, which outlives the opening */
    uint32_t n;            /* answers in the list that is chosen from */
    uint8_t all, draws;
    PyObject *rules, *parameters;
} ViewObject;

/* Player (py_player.c): how to make a strategy. Many tables may hold it; what sits at a table is a py_seat. */
typedef struct PlayerObject {
    PyObject_HEAD gd_strategy strategy; /* what it says of itself; asked nothing */
    PyObject *factory;                  /* called without arguments: the object that is asked */
    PyObject *parameters;               /* dict of settings, for the view */
    PyObject *texts;                    /* keeps name, zh, en alive */
    int batch;                          /* asked for many tables at once, elsewhere */
} PlayerObject;

enum { PY_PLAY, PY_TRIBUTE, PY_RETURN, PY_BEGIN_MATCH, PY_BEGIN_DEAL, PY_OBSERVE, PY_END_DEAL, PY_METHODS };

/* A Python strategy on a seat for a match. The copy of the strategy leads back here by its `values`. */
typedef struct py_seat {
    gd_strategy strategy;
    int32_t link;
    struct py_host *host;
    PlayerObject *player;                         /* NULL: a native one sits here */
    PyObject *object, *method[PY_METHODS], *args; /* args: (view,) */
    ViewObject *view;
    PyObject *raised; /* exception that ended it */
} py_seat;

typedef struct py_sitting {
    gd_watcher watcher;
    py_seat seat[4];
} py_sitting;

/* Something was answered, but it is none of the answers. */
#define NO_SUCH_ANSWER (UINT32_MAX - 2u)

/* The players of a call, and those who sit at its tables. */
typedef struct py_host {
    py_faces faces;
    PyObject *rules;        /* as the view shows them */
    PyObject *player[2][2]; /* capsules, or Player */
    unsigned tables;
    gd_faults *faults;    /* those that are known, and who watches; NULL: neither */
    int interrupted;      /* by an exception that is no Exception: Ctrl-C, exit */
    py_sitting *sittings; /* [tables], NULL where all players are native or answer in batches */
} py_host;

/* Take players of x and y, each one for the whole side or a tuple of two. Fills `strategy`; 0, or -1 with an exception. A
 * host is cleared in any case. */
int py_host_begin(py_host *host, PyObject *x, PyObject *y, PyObject *rules, unsigned tables,
                  const gd_strategy *strategy[2][2]);
void py_host_clear(py_host *host);
int py_is_player(PyObject *obj);
int py_host_has_batch(const py_host *host);

/* gd_bulk.sit. Needs the GIL. */
void py_host_sit(void *host, unsigned lane, gd_table *t);

/* The exception by which who sits on that seat of table `lane` ended, taken over by the caller; NULL. */
PyObject *py_host_raised(py_host *host, unsigned lane, unsigned seat);

/* Raise ValueError for a fault of that seat; `where` says of which decision. */
void py_host_report(py_host *host, unsigned lane, unsigned seat, const gd_strategy *strategy, const char *where);

/* engine._core.Table */
typedef struct py_table {
    PyObject_HEAD gd_rules rules;
    gd_context context;
    gd_table table;
    gd_scratch *scratch;
    py_host host;     /* of `players`, if they were given */
    gd_faults faults; /* those of its watchers that are known */
    Py_buffer known;
    int has_known;
    PyObject *origin; /* of a copy: the table that it was taken from, whose players and values it shows; else NULL */
} py_table;

/* A watcher of the table that failed since: 0, or -1 with its exception. One whose failing was known stays in table.broken. */
int py_table_check(py_table *self);

/* Its probes (py_probe.c). */
PyObject *py_table_copy(PyObject *self, PyObject *args);
PyObject *py_table_ask(PyObject *self, PyObject *args);
PyObject *py_table_rank(PyObject *self, PyObject *args);
PyObject *py_table_place(PyObject *self, PyObject *args);
PyObject *py_table_lay(PyObject *self, PyObject *args);
PyObject *py_table_question(PyObject *self, void *unused);

PyObject *py_named(PyObject *type, PyObject *tuple); /* steals the tuple, which may be NULL */
PyObject *py_step_to(const py_faces *faces, const gd_step *step);

/* Known faults from a buffer: 1, or 0 with an exception. */
int py_known_from(const Py_buffer *b, gd_faults *faults);

/* The bulk loop (py_bulk.c). */
PyObject *py_play_pairs(PyObject *module, PyObject *args);

#define COUNT_COLUMN(type, name) +1
enum {
    N_PAIR = 0 GD_PAIR_COLUMNS(COUNT_COLUMN),
    N_MATCH = 0 GD_MATCH_COLUMNS(COUNT_COLUMN),
    N_DEAL = 0 GD_DEAL_COLUMNS(COUNT_COLUMN),
    N_FAULT = 0 GD_FAULT_COLUMNS(COUNT_COLUMN),
    N_BUFFERS = N_PAIR + N_MATCH + N_DEAL + N_FAULT
};

/* A call of either loop with all that it holds on to. */
typedef struct py_bulk {
    gd_bulk bulk;
    gd_rules rules;
    gd_coin coin;
    gd_context *contexts;
    gd_faults faults;
    py_host host;
    Py_buffer buffers[N_BUFFERS], style, stop, known, watch;
    int taken, has_style, has_stop, has_known, has_watch;
    unsigned pairs; /* that may be under way at once: bulk.style is [pairs] */
} py_bulk;

/* Take the arguments of play_pairs, for so many tables and at most so many pairs under way at once. Returns 0, or -1 with an
 * exception. To be closed in any case, where it stands: it points into itself. */
int py_bulk_open(py_bulk *p, PyObject *args, unsigned tables, unsigned pairs);
void py_bulk_close(py_bulk *p);
PyObject *py_bulk_end(py_bulk *p, enum gd_bulk_end end, unsigned lane); /* what play_pairs returns; lane: of a fault */

/* Questions of many tables (py_batch.c). */
extern PyType_Spec py_batch_spec, py_lockstep_spec;
int py_add_batch_columns(PyObject *module);
int py_is_batch(PyObject *obj);
int py_batch_fits(PyObject *batch, const gd_strategy *strategy); /* it holds lists of the kind that is chosen from */
int py_batch_add(PyObject *batch, gd_table *t, unsigned table);  /* t has been asked; 0, or -1: no room, no exception */
uint32_t py_batch_take(PyObject *batch); /* answer the rows that are there: their number; new ones may come */
gd_table *py_batch_asked(PyObject *batch,
                         uint32_t row); /* the table of a row that is answered; it shows its list again */
void py_batch_prefetch(PyObject *batch, uint32_t row, uint32_t size); /* the tables of rows to come, of `size` rows */
uint32_t py_batch_size(PyObject *batch);
const gd_table *py_batch_first(PyObject *batch); /* of rows that there are */
void py_batch_clear(PyObject *batch);            /* before its tables go */
void py_batch_hold(PyObject *batch,
                   PyObject *owner); /* clear it; the owner of the tables to come stays until it is cleared */
int py_add_columns(PyObject *module);

#endif
