/* Python objects to C values and back. */
#include "py_core.h"

#include <stddef.h>
#include <string.h>

/* A whole number from 0 to `most`; objects that stand for one (numpy's integers) are taken. */
static int number_from(PyObject *obj, unsigned long long most, unsigned long long *to)
{
    PyObject *number = PyNumber_Index(obj);
    if (!number) return 0;
    *to = PyLong_AsUnsignedLongLong(number);
    if (*to == (unsigned long long)-1 && PyErr_Occurred()) {
        if (PyErr_ExceptionMatches(PyExc_OverflowError)) PyErr_Clear();
    } else if (*to <= most) {
        Py_DECREF(number);
        return 1;
    }
    if (!PyErr_Occurred()) PyErr_Format(PyExc_ValueError, "%S is not in 0..%llu", number, most);
    Py_DECREF(number);
    return 0;
}

int py_u64(PyObject *obj, void *to)
{
    unsigned long long n;
    if (!number_from(obj, UINT64_MAX, &n)) return 0;
    *(uint64_t *)to = n;
    return 1;
}

int py_u32(PyObject *obj, void *to)
{
    unsigned long long n;
    if (!number_from(obj, UINT32_MAX, &n)) return 0;
    *(unsigned *)to = (unsigned)n;
    return 1;
}

int py_count(PyObject *obj, void *to)
{
    unsigned long long n;
    if (!number_from(obj, 1ULL << 40, &n)) return 0;
    *(int64_t *)to = (int64_t)n;
    return 1;
}

/* A buffer of bytes: wider items would be read as several. */
static int bytes_from(PyObject *obj, Py_buffer *b)
{
    if (PyObject_GetBuffer(obj, b, PyBUF_SIMPLE)) return -1;
    if (b->itemsize == 1) return 0;
    PyErr_Format(PyExc_ValueError, "expected bytes, not items of %zd bytes", b->itemsize);
    PyBuffer_Release(b);
    return -1;
}

int py_cards_from(PyObject *obj, gd_cards *out)
{
    Py_buffer b;
    *out = (gd_cards){0, 0};
    if (bytes_from(obj, &b)) return -1;
    const uint8_t *ids = b.buf;
    for (Py_ssize_t i = 0; i < b.len; i++) {
        if (ids[i] >= GD_CARDS || gd_copies(*out, ids[i]) == 2) {
            PyErr_Format(PyExc_ValueError,
                         ids[i] >= GD_CARDS ? "card id %d is not in 0..53" : "card id %d occurs more than twice",
                         ids[i]);
            PyBuffer_Release(&b);
            return -1;
        }
        gd_cards_add(out, gd_lane_bit(ids[i]));
    }
    PyBuffer_Release(&b);
    return 0;
}

int py_hands_from(PyObject *obj, gd_cards hands[4])
{
    /* A tuple, whose items stay alive while they are read. */
    if (!PyTuple_Check(obj)) {
        PyErr_SetString(PyExc_TypeError, "expected a tuple of four hands");
        return -1;
    }
    if (PyTuple_Size(obj) != 4) {
        PyErr_Format(PyExc_ValueError, "expected four hands, not %zd", PyTuple_Size(obj));
        return -1;
    }
    for (Py_ssize_t s = 0; s < 4; s++)
        if (py_cards_from(PyTuple_GetItem(obj, s), &hands[s])) return -1;
    return 0;
}

int py_level_from(unsigned level)
{
    if (level < 13) return 0;
    PyErr_Format(PyExc_ValueError, "level rank %u is not in 0..12", level);
    return -1;
}

int py_play_rules_from(unsigned rules)
{
    if (rules < 16) return 0;
    PyErr_Format(PyExc_ValueError, "rules of plays are four bits, not %u", rules);
    return -1;
}

/* The bytes of gd_rules in order, and the greatest value of each: the order of engine.rules.Rules.core(). */
#define RULE(name, most) {offsetof(gd_rules, name), most}
static const struct {
    size_t at;
    unsigned most;
} rule_bytes[] = {
    RULE(plays, 15),
    RULE(wild_takes_wind, 1),
    RULE(wind_to_next, 1),
    RULE(steps[0], 12),
    RULE(steps[1], 12),
    RULE(steps[2], 12),
    RULE(a_plus, 1),
    RULE(win_on_reaching_a, 1),
    RULE(pass_a_partner, 3),
    RULE(a_fail_limit, 200),
    RULE(a_fail_own_last, 1),
    RULE(a_drop_level, GD_LEVEL_A),
    RULE(ace_last_play, 1),
    RULE(tribute, 1),
    RULE(last_is_partner, 2),
    RULE(receiver_chooses, 1),
    RULE(double_by_seat, 1),
    RULE(larger_payer_leads, 1),
    RULE(equal_tribute, 2),
    RULE(return_level_card, 1),
    RULE(refuse_small, 1),
    RULE(payer_leads_refused, 1),
    RULE(tie_break, 1),
    RULE(seconds[0], 255),
    RULE(seconds[1], 255),
    RULE(seconds[2], 255),
    RULE(seconds[3], 255),
    RULE(first_lead, 2),
    RULE(start_level[0], GD_LEVEL_A),
    RULE(start_level[1], GD_LEVEL_A),
};
#undef RULE

static int rules_from_tuple(PyObject *obj, gd_rules *r)
{
    const Py_ssize_t bytes = sizeof rule_bytes / sizeof *rule_bytes;
    *r = (gd_rules){0};
    if (!PyTuple_Check(obj) || PyTuple_Size(obj) != bytes + 2) {
        PyErr_SetString(PyExc_TypeError, "rules must be the tuple that Rules.core() gives");
        return -1;
    }
    for (Py_ssize_t i = 0; i < bytes + 2; i++) {
        unsigned v, most = i < bytes ? rule_bytes[i].most : i == bytes ? GD_SAFETY_CAP - 1 : 10000;
        if (!py_u32(PyTuple_GetItem(obj, i), &v)) return -1;
        if (v > most) {
            PyErr_Format(PyExc_ValueError, "rules field %zd is %u, the most is %u", i, v, most);
            return -1;
        }
        if (i < bytes)
            ((unsigned char *)r)[rule_bytes[i].at] = (unsigned char)v;
        else
            *(i == bytes ? &r->limit_deals : &r->limit_minutes) = (uint16_t)v;
    }
    return 0;
}

int py_rules_from(PyObject *obj, gd_rules *r)
{
    if (PyTuple_Check(obj) || !PyObject_HasAttrString(obj, "core")) return rules_from_tuple(obj, r);
    PyObject *method = PyObject_GetAttrString(obj, "core");
    PyObject *tuple = method ? PyObject_CallObject(method, NULL) : NULL;
    int failed = !tuple || rules_from_tuple(tuple, r);
    Py_XDECREF(method);
    Py_XDECREF(tuple);
    return failed ? -1 : 0;
}

int py_order_from(PyObject *obj, uint8_t order[4])
{
    Py_buffer b;
    if (bytes_from(obj, &b)) return -1;
    const uint8_t *seats = b.buf;
    unsigned seen = 0;
    for (Py_ssize_t i = 0; i < b.len && i < 4; i++) {
        order[i] = seats[i];
        seen |= seats[i] < 4 ? 1u << seats[i] : 0;
    }
    int ok = b.len == 4 && seen == 15;
    PyBuffer_Release(&b);
    if (!ok) PyErr_SetString(PyExc_ValueError, "a finishing order holds each seat 0..3 once");
    return ok ? 0 : -1;
}

_Static_assert(sizeof(gd_context) == 11, "a record is what engine.context.Context.core() gives");

int py_contexts_from(PyObject *obj, gd_context **out, int64_t *n)
{
    Py_buffer b;
    *out = NULL;
    if (bytes_from(obj, &b)) return -1;
    *n = b.len / (Py_ssize_t)sizeof **out;
    if (b.len == 0 || b.len % (Py_ssize_t)sizeof **out)
        PyErr_Format(PyExc_ValueError, "%zd bytes are no contexts of %zd bytes", b.len, (Py_ssize_t)sizeof **out);
    else if (!(*out = PyMem_Malloc((size_t)b.len))) /* a copy: the caller's buffer may change while it is in use */
        PyErr_NoMemory();
    else
        memcpy(*out, b.buf, (size_t)b.len);
    PyBuffer_Release(&b);
    for (int64_t i = 0; *out && i < *n; i++) {
        const char *fault = gd_context_fault(&(*out)[i]);
        if (!fault) continue;
        PyErr_Format(PyExc_ValueError, "context %lld cannot be: %s", (long long)i, fault);
        PyMem_Free(*out);
        *out = NULL;
    }
    return *out ? 0 : -1;
}

gd_scratch *py_new_scratch(void)
{
    gd_scratch *scratch = PyMem_Malloc(sizeof *scratch);
    gd_values *values = PyMem_Malloc(sizeof *values);
    if (!scratch || !values) {
        PyMem_Free(scratch);
        PyMem_Free(values);
        PyErr_NoMemory();
        return NULL;
    }
    values->solved = 0;
    scratch->values = values;
    return scratch;
}

void py_free_scratch(gd_scratch *scratch)
{
    if (scratch) PyMem_Free(scratch->values);
    PyMem_Free(scratch);
}

/* A code as it would come out of a list at this level; PASS is one. */
int py_is_play(gd_play p)
{
    if (p == GD_PASS) return 1;
    unsigned kind = gd_kind_of(p);
    if (kind >= GD_SINGLE && kind <= GD_JOKER_BOMB && gd_size(p) && gd_size(p) <= 10 && gd_power(p) < 15 &&
        gd_rank(p) < 15)
        return 1;
    PyErr_Format(PyExc_ValueError, "%u is no play code", p);
    return 0;
}

PyObject *py_cards_to(gd_cards cards)
{
    uint8_t ids[GD_DECK];
    unsigned n = gd_card_ids(cards, ids);
    return PyBytes_FromStringAndSize((const char *)ids, n);
}

PyObject *py_hands_to(const gd_cards hands[4])
{
    PyObject *out = PyTuple_New(4);
    for (Py_ssize_t s = 0; out && s < 4; s++) {
        PyObject *cards = py_cards_to(hands[s]);
        if (!cards || PyTuple_SetItem(out, s, cards)) Py_CLEAR(out);
    }
    return out;
}

void py_plain_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}
