/* Python objects to C values and back. */
#include "py_core.h"

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

/* (steps 1-2, 1-3, 1-4, pass_a_partner, win_on_reaching_a, a_fail_limit, tribute, equal_tribute, return_level_card,
 * start_level 0, 1, limit_deals): the order of engine.rules.Rules.core(). */
int py_rules_from(PyObject *obj, gd_rules *r)
{
    unsigned char *f[11] = {&r->steps[0],          &r->steps[1],       &r->steps[2],      &r->pass_a_partner,
                            &r->win_on_reaching_a, &r->a_fail_limit,   &r->tribute,       &r->equal_tribute,
                            &r->return_level_card, &r->start_level[0], &r->start_level[1]};
    if (!PyTuple_Check(obj) || PyTuple_Size(obj) != 12) {
        PyErr_SetString(PyExc_TypeError, "rules must be the tuple that Rules.core() gives");
        return -1;
    }
    for (Py_ssize_t i = 0; i < 12; i++) {
        unsigned v;
        if (!py_u32(PyTuple_GetItem(obj, i), &v)) return -1;
        if (v > (i == 11 ? 0xffffu : 0xffu)) {
            PyErr_Format(PyExc_ValueError, "rules field %zd is out of range: %u", i, v);
            return -1;
        }
        if (i < 11)
            *f[i] = (unsigned char)v;
        else
            r->limit_deals = (uint16_t)v;
    }
    if (r->start_level[0] > GD_LEVEL_A || r->start_level[1] > GD_LEVEL_A || r->pass_a_partner > 3 ||
        r->equal_tribute > 1) {
        PyErr_SetString(PyExc_ValueError, "rules fields are out of range");
        return -1;
    }
    return 0;
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
    return s;
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
