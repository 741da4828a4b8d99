/* engine._core: its functions and the module itself. */
#include "py_core.h"

static PyObject *core_readings(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *cards_arg;
    unsigned level, rules = GD_NATIONAL_PLAYS;
    gd_cards cards;
    if (!PyArg_ParseTuple(args, "OO&|O&", &cards_arg, py_u32, &level, py_u32, &rules) || py_level_from(level) ||
        py_cards_from(cards_arg, &cards) || py_play_rules_from(rules))
        return NULL;
    PyObject *out = PyList_New(0);
    unsigned size = gd_cards_size(cards);
    if (!out || size == 0 || size > 10) return out;
    gd_play plays[GD_MAX_PLAYS];
    gd_hand hand = gd_hand_of(cards, level);
    unsigned n = gd_list_plays(&hand, level, GD_PASS, rules, plays);
    for (unsigned i = 0; out && i < n; i++) {
        if (gd_size(plays[i]) != size) continue;
        PyObject *code = PyLong_FromUnsignedLong(plays[i]);
        if (!code || PyList_Append(out, code)) Py_CLEAR(out);
        Py_XDECREF(code);
    }
    return out;
}

static PyObject *core_beats(PyObject *module, PyObject *args)
{
    (void)module;
    unsigned play, over;
    if (!PyArg_ParseTuple(args, "O&O&", py_u32, &play, py_u32, &over) || !py_is_play(play) || !py_is_play(over))
        return NULL;
    if (!play || !over) return PyErr_Format(PyExc_ValueError, "PASS is not compared");
    return PyBool_FromLong(gd_beats(play, over));
}

static PyObject *core_deal_cards(PyObject *module, PyObject *args)
{
    (void)module;
    uint64_t seed;
    int64_t pair;
    unsigned deal;
    if (!PyArg_ParseTuple(args, "O&O&O&", py_u64, &seed, py_count, &pair, py_u32, &deal)) return NULL;
    gd_cards hands[4];
    uint64_t number = gd_deal_cards(seed, (uint64_t)pair, deal, hands);
    PyObject *out = py_hands_to(hands);
    return out ? Py_BuildValue("(NI)", out, (unsigned)(number >> 62)) : NULL;
}

static PyObject *core_stream(PyObject *module, PyObject *args)
{
    (void)module;
    uint64_t seed;
    int64_t pair;
    unsigned domain, leg, deal, seat, n;
    if (!PyArg_ParseTuple(args, "O&O&O&O&O&O&O&", py_u64, &seed, py_u32, &domain, py_count, &pair, py_u32, &leg, py_u32,
                          &deal, py_u32, &seat, py_u32, &n))
        return NULL;
    if (domain < GD_DOMAIN_CARDS || domain > GD_DOMAIN_BOARD || leg > 2 || seat > 3 || n > 1u << 20)
        return PyErr_Format(PyExc_ValueError, "domain is 1..4, leg 0..2, seat 0..3, n at most 2**20");
    gd_stream s = gd_stream_of(seed, (enum gd_domain)domain, (uint64_t)pair, leg, deal, seat);
    PyObject *out = PyList_New(0);
    for (unsigned i = 0; out && i < n; i++) {
        PyObject *v = PyLong_FromUnsignedLongLong(gd_random64(&s));
        if (!v || PyList_Append(out, v)) Py_CLEAR(out);
        Py_XDECREF(v);
    }
    return out;
}

/* promote(rules, levels, declarer, fails, deals, order) -> (levels, declarer, fails, end, winner, steps, attempt) */
static PyObject *core_promote(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *rules_arg, *declarer_arg, *order_arg;
    unsigned level[2], fails[2], deals, aces = 0;
    long declarer;
    gd_rules rules;
    uint8_t order[4];
    if (!PyArg_ParseTuple(args, "O(O&O&)O(O&O&)O&O|O&", &rules_arg, py_u32, &level[0], py_u32, &level[1], &declarer_arg,
                          py_u32, &fails[0], py_u32, &fails[1], py_u32, &deals, &order_arg, py_u32, &aces))
        return NULL;
    if (py_rules_from(rules_arg, &rules) || py_level_from(level[0]) || py_level_from(level[1]) ||
        py_order_from(order_arg, order))
        return NULL;
    declarer = PyLong_AsLong(declarer_arg);
    if (declarer == -1 && PyErr_Occurred()) {
        if (!PyErr_ExceptionMatches(PyExc_OverflowError)) return NULL;
        PyErr_Clear();
        declarer = 2;
    }
    if (declarer < -1 || declarer > 1 || fails[0] > 200 || fails[1] > 200 || deals >= GD_SAFETY_CAP || aces > 15)
        return PyErr_Format(PyExc_ValueError,
                            "declarer is -1, 0 or 1; fails and deals are below the cap of %d; aces are four bits",
                            GD_SAFETY_CAP);
    gd_match m;
    gd_match_begin(&m, &rules, NULL);
    m.deals = (uint16_t)deals;
    m.declarer = (int8_t)declarer;
    for (unsigned side = 0; side < 2; side++) {
        m.level[side] = (uint8_t)level[side];
        m.fails[side] = (uint8_t)fails[side];
    }
    gd_outcome deal = {.aces = (uint8_t)aces, .judged = -1};
    for (unsigned i = 0; i < 4; i++) deal.order[i] = order[i];
    gd_score s = gd_match_score(&m, &rules, &deal);
    return Py_BuildValue("((ii)i(ii)iiii)", m.level[0], m.level[1], m.declarer, m.fails[0], m.fails[1], m.end, m.winner,
                         s.steps, s.attempt);
}

/* tribute_due(rules, order, hands) -> (kind, payers, receivers) */
static PyObject *core_tribute_due(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *rules_arg, *order_arg, *hands_arg;
    gd_rules rules;
    uint8_t order[4];
    gd_cards hands[4];
    if (!PyArg_ParseTuple(args, "OOO", &rules_arg, &order_arg, &hands_arg)) return NULL;
    if (py_rules_from(rules_arg, &rules) || py_order_from(order_arg, order) || py_hands_from(hands_arg, hands))
        return NULL;
    gd_tribute t = gd_tribute_due(&rules, order, hands);
    return Py_BuildValue("(iy#y#)", t.kind, (const char *)t.payer, (Py_ssize_t)t.n, (const char *)t.receiver,
                         (Py_ssize_t)t.n);
}

/* tribute_pair(rules, order, level, (card of the last, card of the third)) -> ((payer, receiver, card), ...), in the
 * order of gd_tribute: the first one's payer leads. */
static PyObject *core_tribute_pair(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *rules_arg, *order_arg;
    unsigned level;
    unsigned a, b;
    gd_rules rules;
    uint8_t order[4];
    if (!PyArg_ParseTuple(args, "OOO&(O&O&)", &rules_arg, &order_arg, py_u32, &level, py_u32, &a, py_u32, &b))
        return NULL;
    if (py_rules_from(rules_arg, &rules) || py_order_from(order_arg, order) || py_level_from(level)) return NULL;
    if (a >= GD_CARDS || b >= GD_CARDS) return PyErr_Format(PyExc_ValueError, "card ids are 0..53");
    gd_tribute t = {.kind = GD_TRIBUTE_DOUBLE,
                    .n = 2,
                    .payer = {order[3], order[2]},
                    .receiver = {order[0], order[1]},
                    .given = {(int8_t)a, (int8_t)b},
                    .returned = {-1, -1}};
    gd_tribute_pair(&t, &rules, order, level);
    return Py_BuildValue("((iii)(iii))", t.payer[0], t.receiver[0], t.given[0], t.payer[1], t.receiver[1], t.given[1]);
}

/* tribute_leader(rules, order, level, ((payer, given, returned), ...)): who leads after the exchange; moves in the order
 * of tribute_pair. */
static PyObject *core_tribute_leader(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *rules_arg, *order_arg, *moves;
    unsigned level;
    gd_rules rules;
    uint8_t order[4];
    if (!PyArg_ParseTuple(args, "OOO&O!", &rules_arg, &order_arg, py_u32, &level, &PyTuple_Type, &moves)) return NULL;
    if (py_rules_from(rules_arg, &rules) || py_order_from(order_arg, order) || py_level_from(level)) return NULL;
    Py_ssize_t n = PyTuple_Size(moves);
    if (n < 1 || n > 2) return PyErr_Format(PyExc_ValueError, "one or two payers, not %zd", n);
    gd_tribute t = {.n = (uint8_t)n};
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *move = PyTuple_GetItem(moves, i);
        unsigned payer, given, returned;
        if (!PyTuple_Check(move)) return PyErr_Format(PyExc_TypeError, "a move is a tuple (payer, given, returned)");
        if (!PyArg_ParseTuple(move, "O&O&O&", py_u32, &payer, py_u32, &given, py_u32, &returned)) return NULL;
        if (payer > 3 || given >= GD_CARDS || returned >= GD_CARDS)
            return PyErr_Format(PyExc_ValueError, "seats are 0..3, card ids 0..53");
        t.payer[i] = (uint8_t)payer;
        t.given[i] = (int8_t)given;
        t.returned[i] = (int8_t)returned;
    }
    if (n == 2 && t.payer[0] == t.payer[1]) return PyErr_Format(PyExc_ValueError, "seat %d pays once", t.payer[0]);
    return PyLong_FromUnsignedLong(gd_tribute_leader(&t, &rules, order, level));
}

static PyObject *options_to(const uint8_t *ids, unsigned n) { return PyBytes_FromStringAndSize((const char *)ids, n); }

static PyObject *core_tribute_options(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *hand_arg;
    unsigned level;
    gd_cards hand;
    uint8_t ids[GD_CARDS];
    if (!PyArg_ParseTuple(args, "OO&", &hand_arg, py_u32, &level) || py_level_from(level) ||
        py_cards_from(hand_arg, &hand))
        return NULL;
    return options_to(ids, gd_tribute_options(hand, level, ids));
}

static PyObject *core_return_options(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *rules_arg, *hand_arg;
    unsigned level;
    gd_rules rules;
    gd_cards hand;
    uint8_t ids[GD_CARDS];
    if (!PyArg_ParseTuple(args, "OOO&", &rules_arg, &hand_arg, py_u32, &level)) return NULL;
    if (py_rules_from(rules_arg, &rules) || py_level_from(level) || py_cards_from(hand_arg, &hand)) return NULL;
    return options_to(ids, gd_return_options(&rules, hand, level, ids));
}

static PyObject *core_result_values(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *rules_arg, *contexts_arg;
    gd_rules rules;
    gd_context *contexts;
    int64_t n;
    if (!PyArg_ParseTuple(args, "OO", &rules_arg, &contexts_arg)) return NULL;
    if (py_rules_from(rules_arg, &rules) || py_contexts_from(contexts_arg, &contexts, &n)) return NULL;
    gd_values *values = PyMem_Malloc(sizeof *values);
    PyObject *out = values ? PyTuple_New((Py_ssize_t)n) : PyErr_NoMemory();
    if (values) values->solved = 0;
    for (int64_t i = 0; out && i < n; i++) {
        gd_match m;
        int32_t v[6];
        gd_match_begin(&m, &rules, &contexts[i]);
        for (unsigned r = 0; r < 6; r++) {
            uint8_t order[4];
            gd_order_with(r / 3, r % 3 + 1, order);
            v[r] = gd_value_of(values, &rules, &m, 0, order);
        }
        PyObject *row = Py_BuildValue("(iiiiii)", v[0], v[1], v[2], v[3], v[4], v[5]);
        if (!row || PyTuple_SetItem(out, (Py_ssize_t)i, row)) Py_CLEAR(out); /* SetItem takes row */
    }
    PyMem_Free(values);
    PyMem_Free(contexts);
    return out;
}

static PyMethodDef core_methods[] = {
    {"readings", core_readings, METH_VARARGS,
     "readings(cards, level, rules=9) -> list[int]\n\nCodes of every reading of exactly these cards, ascending."},
    {"beats", core_beats, METH_VARARGS, "beats(play, over) -> bool\n\nDoes one code beat the other?"},
    {"deal_cards", core_deal_cards, METH_VARARGS,
     "deal_cards(seed, pair, deal) -> tuple[tuple[bytes, bytes, bytes, bytes], int]\n\nHands before tribute, "
     "first-leader number."},
    {"stream", core_stream, METH_VARARGS,
     "stream(seed, domain, pair, leg, deal, seat, n) -> list[int]\n\nFirst n numbers of a keyed stream."},
    {"promote", core_promote, METH_VARARGS,
     "promote(rules, levels, declarer, fails, deals, order, aces=0) -> tuple\n\n(levels, declarer, fails, end, winner, "
     "steps, "
     "attempt) after a deal."},
    {"tribute_due", core_tribute_due, METH_VARARGS,
     "tribute_due(rules, order, hands) -> tuple[int, bytes, bytes]\n\nKind, payers, receivers."},
    {"tribute_pair", core_tribute_pair, METH_VARARGS,
     "tribute_pair(rules, order, level, cards) -> tuple\n\nWho pays whom when both of a side pay."},
    {"tribute_leader", core_tribute_leader, METH_VARARGS,
     "tribute_leader(rules, order, level, moves) -> int\n\nWho leads after the exchange."},
    {"tribute_options", core_tribute_options, METH_VARARGS,
     "tribute_options(hand, level) -> bytes\n\nCards that may be paid."},
    {"return_options", core_return_options, METH_VARARGS,
     "return_options(rules, hand, level) -> bytes\n\nCards that may be returned."},
    {"result_values", core_result_values, METH_VARARGS,
     "result_values(rules, contexts) -> tuple\n\nChances of seats 0 and 2 to win the match after each of the six "
     "results, in millionths, a tuple a context."},
    {"play_pairs", py_play_pairs, METH_VARARGS,
     "play_pairs(x, y, coin, rules, seed, first, n, legs, pairs, matches, deals, deal_room, stop, contexts=None) -> "
     "tuple[int, int, int, int]\n\nBulk loop; (end, pairs, matches, deals)."},
    {"strategy_info", py_strategy_info, METH_O,
     "strategy_info(capsule) -> dict[str, Any]\n\nWhat a strategy says of itself, and its parameters."},
    {"strategy_with", py_strategy_with, METH_VARARGS,
     "strategy_with(capsule, values) -> capsule\n\nThe same strategy with other values of its parameters."},
    {"strategy_of_functions", (PyCFunction)(void (*)(void))py_strategy_of_functions, METH_VARARGS | METH_KEYWORDS,
     "strategy_of_functions(name, play, tribute, return_tribute, zh='', en='', all=False, deterministic=False, "
     "observed=False, keep=None) -> capsule\n\nA native strategy from the addresses of its functions."},
    {NULL, NULL, 0, NULL},
};

static int add_type(PyObject *module, PyType_Spec *spec)
{
    PyObject *type = PyType_FromModuleAndSpec(module, spec, NULL);
    int failed = !type || PyModule_AddType(module, (PyTypeObject *)type);
    Py_XDECREF(type);
    return failed ? -1 : 0;
}

static int core_exec(PyObject *module)
{
    return add_type(module, &py_plays_spec) || add_type(module, &py_deal_spec) || add_type(module, &py_table_spec) ||
                   add_type(module, &py_view_spec) || add_type(module, &py_player_spec) ||
                   add_type(module, &py_batch_spec) || add_type(module, &py_lockstep_spec) || py_add_columns(module) ||
                   py_add_batch_columns(module) || PyModule_AddIntConstant(module, "SAFETY_CAP", GD_SAFETY_CAP) ||
                   PyModule_AddIntConstant(module, "FAULTS_A_PAIR", GD_FAULTS_A_PAIR) ||
                   PyModule_AddIntConstant(module, "STRATEGY_ABI", (long)GD_STRATEGY_ABI)
               ? -1
               : 0;
}

static PyModuleDef_Slot core_slots[] = {{Py_mod_exec, core_exec}, {0, NULL}};

static struct PyModuleDef core_module = {
    PyModuleDef_HEAD_INIT,
    "engine._core",
    "The engine in C. Use engine.plays, engine.deal, engine.match, engine.bulk.",
    0,
    core_methods,
    core_slots,
    NULL,
    NULL,
    NULL,
};

PyMODINIT_FUNC PyInit__core(void) { return PyModuleDef_Init(&core_module); }
