/* Strategies written in Python: how to make one, the one that sits on a seat, what it answers and what it is told. */
#include "py_core.h"

#include <stddef.h>

/* ---- Player: a description, and a factory of the objects that sit at tables ------------------------------------------- */
static PyObject *player_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"factory",       "name",     "zh",    "en",         "all",
                            "deterministic", "observed", "batch", "parameters", NULL};
    PyObject *factory, *parameters = NULL;
    const char *name, *zh = "", *en = "";
    int all = 0, deterministic = 0, observed = 0, batch = 0;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "Os|ssppppO!", names, &factory, &name, &zh, &en, &all,
                                     &deterministic, &observed, &batch, &PyDict_Type, &parameters))
        return NULL;
    if (!PyCallable_Check(factory)) return PyErr_Format(PyExc_TypeError, "the factory of %s cannot be called", name);
    PlayerObject *self = (PlayerObject *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (!self) return NULL;
    self->factory = Py_NewRef(factory);
    self->parameters = parameters ? PyDict_Copy(parameters) : PyDict_New();
    self->texts = Py_BuildValue("(yyy)", name, zh, en);
    self->batch = batch;
    if (!self->parameters || !self->texts) {
        Py_DECREF(self);
        return NULL;
    }
    self->strategy = (gd_strategy){.abi = GD_STRATEGY_ABI,
                                   .list = all ? GD_LIST_ALL : GD_LIST_SHAPES,
                                   .deterministic = (uint32_t)deterministic,
                                   .observed = (uint32_t)observed,
                                   .name = PyBytes_AsString(PyTuple_GetItem(self->texts, 0)),
                                   .zh = PyBytes_AsString(PyTuple_GetItem(self->texts, 1)),
                                   .en = PyBytes_AsString(PyTuple_GetItem(self->texts, 2))};
    return (PyObject *)self;
}

static int player_traverse(PlayerObject *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE((PyObject *)self));
    Py_VISIT(self->factory);
    Py_VISIT(self->parameters);
    return 0;
}

static int player_clear(PlayerObject *self)
{
    Py_CLEAR(self->factory);
    Py_CLEAR(self->parameters);
    return 0;
}

static void player_dealloc(PlayerObject *self)
{
    PyObject_GC_UnTrack(self);
    player_clear(self);
    Py_XDECREF(self->texts);
    py_plain_dealloc((PyObject *)self);
}

static PyObject *player_factory(PlayerObject *self, void *unused)
{
    (void)unused;
    return Py_NewRef(self->factory);
}

static PyObject *player_batch(PlayerObject *self, void *unused)
{
    (void)unused;
    return PyBool_FromLong(self->batch);
}

static PyGetSetDef player_getset[] = {
    {"factory", (getter)player_factory, NULL, "Called without arguments: the object that is asked.", NULL},
    {"batch", (getter)player_batch, NULL, "Is it asked for many tables at once?", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot player_slots[] = {
    {Py_tp_doc, "Player(factory, name, zh='', en='', all=False, deterministic=False, observed=False, batch=False, "
                "parameters={})\n\nA strategy written in Python, wherever a capsule of a native one may stand."},
    {Py_tp_new, player_new},
    {Py_tp_dealloc, player_dealloc},
    {Py_tp_traverse, player_traverse},
    {Py_tp_clear, player_clear},
    {Py_tp_getset, player_getset},
    {0, NULL},
};

PyType_Spec py_player_spec = {"engine._core.Player", sizeof(PlayerObject), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
                              player_slots};

/* The module's Player type is found by its dealloc: it cannot be subclassed. */
int py_is_player(PyObject *obj)
{
    return PyType_GetFlags(Py_TYPE(obj)) & Py_TPFLAGS_HEAPTYPE &&
           PyType_GetSlot(Py_TYPE(obj), Py_tp_dealloc) == (void *)(uintptr_t)player_dealloc;
}

/* ---- answers ---------------------------------------------------------------------------------------------------------- */
/* Take the exception that is set. */
static PyObject *take_raised(void)
{
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    PyErr_NormalizeException(&type, &value, &trace);
    if (trace) PyException_SetTraceback(value, trace);
    Py_XDECREF(type);
    Py_XDECREF(trace);
    return value;
}

static void keep_raised(py_seat *seat)
{
    PyObject *before = seat->raised;
    seat->raised = take_raised();
    if (!PyObject_IsInstance(seat->raised, PyExc_Exception)) {
        seat->host->interrupted = 1;
        if (seat->host->faults) seat->host->faults->watch = NULL; /* it keeps what it says of this seat */
    }
    Py_XDECREF(before);
}

/* Index of a play in the list that is chosen from, GD_NO_ANSWER with ValueError. Where it is chosen from shapes the cards
 * themselves are noted beside it; NULL: the engine picks them. */
static uint32_t place_of(gd_table *t, int all, unsigned long code, const gd_cards *cards)
{
    const gd_view *v = &t->view;
    for (uint32_t i = 0; i < v->n; i++) {
        if (v->plays[i] != code) continue;
        unsigned choice = 0;
        if (code == GD_PASS) {
            if (cards && cards->one) break;
        } else if (cards) {
            choice = gd_choice_of(v->hand, v->level, v->plays[i], *cards, v->rules->plays);
            if (choice == GD_NO_CHOICE) break;
        } else {
            choice = gd_best_choice(v->hand, v->plays[i], v->rules->plays);
        }
        if (all) return v->starts[i] + choice;
        t->chosen = choice;
        return i;
    }
    PyErr_Format(PyExc_ValueError, "the play answered (code %lu) is not legal here", code);
    return GD_NO_ANSWER;
}

static uint32_t place_of_card(const gd_view *v, unsigned long card)
{
    for (uint32_t i = 0; i < v->n; i++)
        if (v->options[i] == card) return i;
    PyErr_Format(PyExc_ValueError, "card id %lu is none of the options", card);
    return GD_NO_ANSWER;
}

/* An index below 2**28, or from there on a code. */
static uint32_t place_of_number(gd_table *t, uint32_t n, int all, PyObject *number)
{
    int overflow;
    long long index = PyLong_AsLongLongAndOverflow(number, &overflow);
    if (!overflow && index >= 0 && index < n) return (uint32_t)index;
    if (!overflow && t->ask == GD_ASK_PLAY && index >> 28 > 0 && index <= UINT32_MAX)
        return place_of(t, all, (unsigned long)index, NULL);
    if (!PyErr_Occurred()) PyErr_Format(PyExc_ValueError, "the answer %S is not in 0..%u", number, n - 1);
    return GD_NO_ANSWER - 1;
}

/* Index of any other answer; GD_NO_ANSWER with an exception. `shown` is open. */
static uint32_t place_of_object(const py_seat *seat, gd_table *t, uint32_t n, PyObject *answer)
{
    int all = seat->strategy.list == GD_LIST_ALL;
    if (PyIndex_Check(answer) && !PyBool_Check(answer)) {
        PyObject *number = PyNumber_Index(answer);
        uint32_t index = number ? place_of_number(t, n, all, number) : GD_NO_ANSWER;
        Py_XDECREF(number);
        return index;
    }
    int is_pair = PyTuple_CheckExact(answer) && PyTuple_Size(answer) == 2;
    PyObject *read =
        is_pair ? Py_NewRef(answer)
                : PyObject_CallFunctionObjArgs(seat->host->faces.answer_of, (PyObject *)seat->view, answer, NULL);
    uint32_t index = GD_NO_ANSWER;
    unsigned code;
    PyObject *ids;
    gd_cards cards;
    if (read && PyLong_Check(read)) {
        if (t->ask != GD_ASK_PLAY)
            index = place_of_card(&t->view, PyLong_AsUnsignedLong(read));
        else
            PyErr_SetString(PyExc_ValueError, "a card is no answer in play");
    } else if (read && t->ask != GD_ASK_PLAY) {
        PyErr_SetString(PyExc_ValueError, "a play is no answer in tribute");
    } else if (read && PyArg_ParseTuple(read, "O&O", py_u32, &code, &ids) && !py_cards_from(ids, &cards)) {
        index = place_of(t, all, code, &cards);
    }
    Py_XDECREF(read);
    return index;
}

static gd_table *table_of(const gd_view *view) { return (gd_table *)((uintptr_t)view - offsetof(gd_table, view)); }

static uint32_t ask(const gd_view *view, int method)
{
    py_seat *seat = (py_seat *)((uintptr_t)view->parameters - offsetof(py_seat, link));
    gd_table *t = table_of(view);
    int all = seat->strategy.list == GD_LIST_ALL;
    if (!seat->args) return GD_NO_ANSWER; /* it could not be made; what it raised then is kept */
    uint32_t n = all && t->ask == GD_ASK_PLAY ? view->starts[view->n] : view->n;
    seat->view->table = t;
    seat->view->n = n;
    PyObject *answer = PyObject_Call(seat->method[method], seat->args, NULL);
    uint32_t index;
    if (!answer) {
        index = PyErr_ExceptionMatches(PyExc_MemoryError) ? GD_NO_MEMORY : GD_NO_ANSWER;
    } else {
        index = PyLong_CheckExact(answer) ? place_of_number(t, n, all, answer) : place_of_object(seat, t, n, answer);
        if (index >= n) index = NO_SUCH_ANSWER;
    }
    seat->view->table = NULL;
    Py_XDECREF(answer);
    if (index >= n) keep_raised(seat);
    return index;
}

static uint32_t ask_play(const gd_view *view) { return ask(view, PY_PLAY); }
static uint32_t ask_tribute(const gd_view *view) { return ask(view, PY_TRIBUTE); }
static uint32_t ask_return(const gd_view *view) { return ask(view, PY_RETURN); }

/* ---- events ----------------------------------------------------------------------------------------------------------- */
PyObject *py_named(PyObject *type, PyObject *tuple)
{
    PyObject *args = tuple ? PyTuple_New(1) : NULL;
    if (!args) {
        Py_XDECREF(tuple);
        return NULL;
    }
    PyTuple_SetItem(args, 0, tuple);
    /* The name of each field is known: what NamedTuple's own constructor does beyond tuple's is to collect arguments. */
    newfunc new_tuple = (newfunc)PyType_GetSlot(&PyTuple_Type, Py_tp_new);
    PyObject *out = new_tuple((PyTypeObject *)type, args, NULL);
    Py_DECREF(args);
    return out;
}

PyObject *py_step_to(const py_faces *faces, const gd_step *step)
{
    return py_named(faces->step, Py_BuildValue("(IIN)", step->seat, step->shape, py_cards_to(step->cards)));
}

/* What all see is made once and told to each. */
static PyObject *gifts_to(const py_faces *faces, const gd_tribute *b, int returned)
{
    PyObject *gifts = PyTuple_New(b->n);
    for (Py_ssize_t i = 0; gifts && i < b->n; i++) {
        PyObject *gift =
            py_named(faces->gift, returned ? Py_BuildValue("(iii)", b->receiver[i], b->payer[i], b->returned[i])
                                           : Py_BuildValue("(iii)", b->payer[i], b->receiver[i], b->given[i]));
        if (!gift || PyTuple_SetItem(gifts, i, gift)) Py_CLEAR(gifts);
    }
    if (!gifts) return NULL;
    return py_named(returned ? faces->returned : faces->paid, Py_BuildValue("(N)", gifts));
}

static PyObject *refused_to(const py_faces *faces, const gd_tribute *b)
{
    PyObject *payers = b->n == 2 ? Py_BuildValue("(ii)", b->payer[0], b->payer[1]) : Py_BuildValue("(i)", b->payer[0]);
    return payers ? py_named(faces->refused, Py_BuildValue("(N)", payers)) : NULL;
}

static PyObject *rest_to(const gd_table *t)
{
    PyObject *rest = PyList_New(0), *out = NULL;
    for (int s = 0; rest && s < 4; s++) {
        gd_cards cards = t->deal.rules ? gd_hand_cards(&t->deal.hand[s], t->deal.level) : t->cards[s];
        PyObject *item = cards.one ? Py_BuildValue("(iN)", s, py_cards_to(cards)) : NULL;
        if (item && PyList_Append(rest, item)) Py_CLEAR(rest);
        Py_XDECREF(item);
        if (cards.one && !item) Py_CLEAR(rest);
    }
    if (rest) out = PyList_AsTuple(rest);
    Py_XDECREF(rest);
    return out;
}

static PyObject *deal_end_to(const py_faces *faces, const gd_table *t)
{
    const gd_match *m = &t->match;
    return py_named(faces->deal_end, Py_BuildValue("(ii(iiii)Nii(ii)(ii)iNi)", t->view.deal, t->view.level, m->order[0],
                                                   m->order[1], m->order[2], m->order[3], rest_to(t), t->scored.winner,
                                                   t->scored.steps, m->level[0], m->level[1], m->fails[0], m->fails[1],
                                                   t->judged, PyBool_FromLong(m->end != GD_RUNNING), m->winner));
}

static PyObject *deal_info_to(const py_faces *faces, const gd_table *t, int seat)
{
    const gd_view *v = &t->view;
    PyObject *order =
        v->declarer < 0 ? PyTuple_New(0) : Py_BuildValue("(iiii)", v->order[0], v->order[1], v->order[2], v->order[3]);
    return py_named(faces->deal_info,
                    Py_BuildValue("(iii(ii)i(ii)NiiNN)", v->deal, seat, v->level, v->levels[0], v->levels[1],
                                  v->declarer, v->a_fails[0], v->a_fails[1], order, v->deals_left, v->seconds_left,
                                  PyBool_FromLong(v->first_ends), py_cards_to(t->dealt[seat])));
}

static PyObject *match_info_to(const py_host *host, const gd_table *t, int seat)
{
    return py_named(host->faces.match_info, Py_BuildValue("(iO(ii)N)", seat, host->rules, t->match.level[0],
                                                          t->match.level[1], PyBool_FromLong(t->match.board)));
}

/* What of the event everybody is told alike; NULL and no exception where each is told something of its own. */
static PyObject *shared_event(const py_faces *faces, const gd_table *t, enum gd_event what)
{
    switch (what) {
    case GD_STEP_MADE: return py_step_to(faces, &t->steps[t->n_steps - 1]);
    case GD_TRIBUTE_PAID: return gifts_to(faces, &t->shown, 0);
    case GD_TRIBUTE_RETURNED: return gifts_to(faces, &t->shown, 1);
    case GD_TRIBUTE_REFUSED: return refused_to(faces, &t->shown);
    case GD_DEAL_ENDS: return deal_end_to(faces, t);
    default: return NULL;
    }
}

static unsigned tell(gd_watcher *watcher, const gd_table *t, enum gd_event what)
{
    static const uint8_t method_of[] = {PY_BEGIN_MATCH, PY_BEGIN_DEAL, PY_OBSERVE, PY_OBSERVE,
                                        PY_OBSERVE,     PY_OBSERVE,    PY_END_DEAL};
    py_sitting *sitting = (py_sitting *)((uintptr_t)watcher - offsetof(py_sitting, watcher));
    PyObject *shared = NULL;
    unsigned failed = 0;
    for (int s = 0; s < 4 && !failed; s++) {
        py_seat *seat = &sitting->seat[s];
        PyObject *method = seat->player ? seat->method[method_of[what]] : NULL, *event;
        if (!method) continue;
        int known = seat->host->faults ? gd_foreseen(seat->host->faults, t, (unsigned)s, 1) : -1;
        if (known >= 0) {
            watcher->why = (uint8_t)known;
            failed = 1u + (unsigned)s;
            continue;
        }
        if (what == GD_MATCH_BEGINS)
            event = match_info_to(seat->host, t, s);
        else if (what == GD_DEAL_BEGINS)
            event = deal_info_to(&seat->host->faces, t, s);
        else
            event = shared ? Py_NewRef(shared) : Py_XNewRef(shared = shared_event(&seat->host->faces, t, what));
        PyObject *done = event ? PyObject_CallFunctionObjArgs(method, event, NULL) : NULL;
        Py_XDECREF(event);
        if (!done) {
            watcher->why = PyErr_ExceptionMatches(PyExc_MemoryError) ? GD_FAULT_MEMORY : GD_FAULT_RAISED;
            keep_raised(seat);
            failed = 1u + (unsigned)s;
        }
        Py_XDECREF(done);
    }
    Py_XDECREF(shared);
    return failed;
}

/* ---- sitting down ----------------------------------------------------------------------------------------------------- */
static const char *const method_names[PY_METHODS] = {"play",       "tribute", "return_tribute", "begin_match",
                                                     "begin_deal", "observe", "end_deal"};

static void get_up(py_seat *seat)
{
    for (int i = 0; i < PY_METHODS; i++) Py_CLEAR(seat->method[i]);
    Py_CLEAR(seat->args);
    Py_CLEAR(seat->view);
    Py_CLEAR(seat->object);
    Py_CLEAR(seat->raised);
    seat->player = NULL;
}

static void take_seat(py_seat *seat, py_host *host, PlayerObject *player)
{
    seat->host = host;
    seat->player = player;
    seat->strategy = player->strategy;
    seat->strategy.values = &seat->link;
    seat->strategy.play = ask_play;
    seat->strategy.tribute = ask_tribute;
    seat->strategy.return_tribute = ask_return;
}

/* Make the object. Returns 0, or -1 with an exception. */
static int sit_down(py_seat *seat, const py_host *host, const PlayerObject *player)
{
    if (PyErr_CheckSignals() || !(seat->object = PyObject_CallObject(player->factory, NULL))) return -1;
    for (int i = 0; i < PY_METHODS; i++) {
        seat->method[i] = PyObject_GetAttrString(seat->object, method_names[i]);
        if (seat->method[i]) continue;
        if (i <= PY_RETURN || !PyErr_ExceptionMatches(PyExc_AttributeError)) return -1;
        PyErr_Clear();
    }
    PyTypeObject *type = (PyTypeObject *)host->faces.view;
    if (!(seat->view = (ViewObject *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0))) return -1;
    seat->view->faces = &host->faces;
    seat->view->all = player->strategy.list == GD_LIST_ALL;
    seat->view->draws = !player->strategy.deterministic;
    seat->view->rules = Py_NewRef(host->rules);
    seat->view->parameters = Py_NewRef(player->parameters);
    return (seat->args = Py_BuildValue("(O)", seat->view)) ? 0 : -1;
}

void py_host_sit(void *host_arg, unsigned lane, gd_table *t)
{
    py_host *host = host_arg;
    py_sitting *sitting = &host->sittings[lane];
    int watched = 0;
    for (unsigned s = 0; s < 4; s++) get_up(&sitting->seat[s]);
    for (unsigned s = 0; s < 4; s++) {
        py_seat *seat = &sitting->seat[s];
        PyObject *player = host->player[gd_side_of(t, s)][s >> 1];
        if (!py_is_player(player) || ((PlayerObject *)player)->batch) continue;
        take_seat(seat, host, (PlayerObject *)player);
        int why = host->faults ? gd_foreseen_made(host->faults, t, s) : -1;
        if (why < 0 && sit_down(seat, host, (PlayerObject *)player)) {
            why = PyErr_ExceptionMatches(PyExc_MemoryError) ? GD_FAULT_MEMORY : GD_FAULT_RAISED;
            keep_raised(seat);
        }
        if (why >= 0 && !t->broken) {
            t->broken = (uint8_t)(1 + s);
            t->why = (uint8_t)why;
        }
        t->player[s] = &seat->strategy;
        for (int i = PY_BEGIN_MATCH; i < PY_METHODS; i++) watched |= seat->method[i] != NULL;
    }
    sitting->watcher.tell = tell;
    if (watched && !t->broken) gd_table_watch(t, &sitting->watcher);
}

/* ---- the host --------------------------------------------------------------------------------------------------------- */
static int import_faces(py_faces *f)
{
    PyObject *module = PyImport_ImportModule("engine.view");
    if (!module) return -1;
    const struct {
        PyObject **to;
        const char *name;
    } all[] = {{&f->view, "View"},          {&f->step, "Step"},
               {&f->gift, "Gift"},          {&f->refused, "Refused"},
               {&f->paid, "Paid"},          {&f->returned, "Returned"},
               {&f->tribute, "Tribute"},    {&f->match_info, "MatchInfo"},
               {&f->deal_info, "DealInfo"}, {&f->deal_end, "DealEnd"},
               {&f->answer_of, "answer_of"}};
    int failed = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all && !failed; i++)
        failed = !(*all[i].to = PyObject_GetAttrString(module, all[i].name));
    Py_DECREF(module);
    return failed ? -1 : 0;
}

int py_host_begin(py_host *host, PyObject *x, PyObject *y, PyObject *rules, unsigned tables,
                  const gd_strategy *strategy[2][2])
{
    PyObject *sides[2] = {x, y};
    int sits = 0;
    *host = (py_host){.rules = Py_NewRef(rules), .tables = tables};
    for (int side = 0; side < 2; side++) {
        int two = PyTuple_Check(sides[side]);
        if (two && PyTuple_Size(sides[side]) != 2) {
            PyErr_SetString(PyExc_ValueError, "a side is one strategy, or a tuple of two");
            return -1;
        }
        for (int i = 0; i < 2; i++) {
            PyObject *player = two ? PyTuple_GetItem(sides[side], i) : sides[side];
            if (!py_is_player(player)) {
                if (!(strategy[side][i] = py_strategy_from(player))) return -1;
            } else {
                strategy[side][i] = &((PlayerObject *)player)->strategy;
                sits |= !((PlayerObject *)player)->batch;
            }
            host->player[side][i] = Py_NewRef(player);
        }
    }
    if (!sits) return 0;
    if (import_faces(&host->faces)) return -1;
    host->sittings = PyMem_Calloc(tables, sizeof *host->sittings);
    if (host->sittings) return 0;
    PyErr_NoMemory();
    return -1;
}

void py_host_clear(py_host *host)
{
    for (unsigned i = 0; host->sittings && i < host->tables; i++)
        for (int s = 0; s < 4; s++) get_up(&host->sittings[i].seat[s]);
    PyMem_Free(host->sittings);
    host->sittings = NULL;
    for (int i = 0; i < 4; i++) Py_CLEAR(host->player[i >> 1][i & 1]);
    py_faces *f = &host->faces;
    PyObject **faces[] = {&f->view,    &f->step,       &f->gift,      &f->refused,  &f->paid,     &f->returned,
                          &f->tribute, &f->match_info, &f->deal_info, &f->deal_end, &f->answer_of};
    for (size_t i = 0; i < sizeof faces / sizeof *faces; i++) Py_CLEAR(*faces[i]);
    Py_CLEAR(host->rules);
}

int py_host_has_batch(const py_host *host)
{
    for (int i = 0; i < 4; i++) {
        PyObject *player = host->player[i >> 1][i & 1];
        if (player && py_is_player(player) && ((PlayerObject *)player)->batch) return 1; /* none with a coin */
    }
    return 0;
}

PyObject *py_host_raised(py_host *host, unsigned lane, unsigned seat)
{
    if (!host->sittings) return NULL;
    PyObject *raised = host->sittings[lane].seat[seat].raised;
    host->sittings[lane].seat[seat].raised = NULL; /* its frames may hold the table */
    return raised;
}

void py_host_report(py_host *host, unsigned lane, unsigned seat, const gd_strategy *strategy, const char *where)
{
    PyObject *raised = py_host_raised(host, lane, seat);
    if (!raised) {
        PyErr_Format(PyExc_ValueError, "strategy %s answered out of range %s", strategy->name, where);
        return;
    }
    if (PyErr_GivenExceptionMatches(raised, PyExc_KeyboardInterrupt)) { /* not the strategy's */
        PyErr_SetObject((PyObject *)Py_TYPE(raised), raised);
        Py_DECREF(raised);
        return;
    }
    PyObject *kind = PyObject_GetAttrString((PyObject *)Py_TYPE(raised), "__name__");
    if (kind) PyErr_Format(PyExc_ValueError, "strategy %s failed %s: %U: %S", strategy->name, where, kind, raised);
    Py_XDECREF(kind);
    PyObject *error = take_raised();
    PyException_SetCause(error, raised); /* steals */
    PyErr_SetObject((PyObject *)Py_TYPE(error), error);
    Py_DECREF(error);
}
