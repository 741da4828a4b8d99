/* What a set of cards can be played as, and whether it beats another: by the ten definitions, sharing no code with the
 * engine. Included by brute.c and deals.c beside this file.
 *
 * Method: every wild becomes each of the 52 cards that are no joker (only the 13 ranks where suits can not matter); the
 * concrete cards are then sorted and held against the definitions.
 */
#ifndef READINGS_H
#define READINGS_H

#include <stdbool.h>
#include <string.h>

enum { SINGLE, PAIR, TRIPLE, TUBE, FULL_HOUSE, PLATE, STRAIGHT, STRAIGHT_FLUSH, BOMB, JOKER_BOMB, KINDS };
enum { ACE = 12, SMALL = 13, BIG = 14, FOUR = 15, KEYS = 16 }; /* ranks 0..12 are 2..A; FOUR is the key JOKER */
enum { MAX_HAND = 27, MAX_PLAY = 10, SMALL_JOKER = 52, BIG_JOKER = 53, CARDS = 54 };

struct switches {
    bool wild_single;   /* a wild may be played alone */
    bool wild_pair_any; /* two wilds are a pair of any rank but jokers */
    bool suited_plain;  /* five naturals of one suit are a plain straight as well */
    bool beyond_deck;   /* nine and ten of a rank */
};

struct position {
    struct switches rules;
    int level, wild;  /* rank; card id of the wild */
    int count[CARDS]; /* how many of each card the hand holds */
    bool following;
    int kind, key, size; /* of the play to beat, if following */
};

struct readings {
    bool can[KINDS][KEYS];
};

static int rank_of(int card) { return card < SMALL_JOKER ? card / 4 : card == SMALL_JOKER ? SMALL : BIG; }

/* Hold concrete ranks, sorted ascending, against article 3. own_pair: the rank that wilds make a pair of by themselves,
 * or -1; flush: all cards show one suit. Adds what they are to `out`. */
static void classify(const struct position *p, const int *r, int n, bool flush, int own_pair, struct readings *out)
{
    bool same = r[0] == r[n - 1];
    if (same) {
        if (n == 1) out->can[SINGLE][r[0]] = true;
        if (n == 2) out->can[PAIR][r[0]] = true;
        if (n == 3) out->can[TRIPLE][r[0]] = true;
        if (n >= 4) out->can[BOMB][r[0]] = true;
        return;
    }
    if (n == 4 && r[0] == SMALL && r[1] == SMALL && r[2] == BIG && r[3] == BIG) out->can[JOKER_BOMB][FOUR] = true;
    if (n == 5) {
        bool pair_first = r[0] == r[1] && r[2] == r[4];
        bool pair_last = r[0] == r[2] && r[3] == r[4];
        int pair = pair_first ? r[0] : r[4];
        if ((pair_first || pair_last) && (own_pair < 0 || pair != own_pair || own_pair == p->level))
            out->can[FULL_HOUSE][pair_first ? r[4] : r[0]] = true;
    }
    if (r[n - 1] > ACE) return; /* no joker in a sequence */
    int copies = n == 5 ? 1 : 0, kind = flush ? STRAIGHT_FLUSH : STRAIGHT;
    for (int attempt = 0; attempt < 2; attempt++) {
        if (n == 6) {
            copies = attempt == 0 ? 2 : 3;
            kind = attempt == 0 ? TUBE : PLATE;
        } else if (n != 5 || attempt > 0) {
            break;
        }
        int steps = n / copies;
        for (int low = -1; low + steps - 1 <= ACE; low++) { /* -1 is the ace that counts 1 */
            int wanted[15] = {0}, held[15] = {0};
            for (int i = 0; i < steps; i++) wanted[low + i < 0 ? ACE : low + i] += copies;
            for (int i = 0; i < n; i++) held[r[i]]++;
            if (memcmp(wanted, held, sizeof wanted) != 0) continue;
            out->can[kind][low < 0 ? ACE : low] = true;
            if (kind == STRAIGHT_FLUSH && p->rules.suited_plain) out->can[STRAIGHT][low < 0 ? ACE : low] = true;
        }
    }
}

static void classify_cards(const struct position *p, const int *cards, int n, int wild_pair, struct readings *out)
{
    int ranks[MAX_PLAY];
    bool flush = true;
    for (int i = 0; i < n; i++) {
        int rank = rank_of(cards[i]), at = i;
        while (at > 0 && ranks[at - 1] > rank) {
            ranks[at] = ranks[at - 1];
            at--;
        }
        ranks[at] = rank;
        if (cards[i] >= SMALL_JOKER || cards[i] % 4 != cards[0] % 4) flush = false;
    }
    classify(p, ranks, n, flush, wild_pair, out);
}

/* Fill `out` with every (kind, key) that these n cards can be, the wilds among them being replaced in all ways. */
static void read_cards(const struct position *p, const int *cards, int n, struct readings *out)
{
    int work[MAX_PLAY], naturals = 0;
    memset(out, 0, sizeof *out);
    for (int i = 0; i < n; i++)
        if (cards[i] != p->wild) work[naturals++] = cards[i];
    int wilds = n - naturals;
    if (naturals == 0) { /* alone they stand for themselves */
        if (n == 1) out->can[SINGLE][p->level] = p->rules.wild_single;
        for (int rank = 0; n == 2 && rank <= ACE; rank++)
            out->can[PAIR][rank] = rank == p->level || p->rules.wild_pair_any;
        return;
    }
    if (n > 8 && !p->rules.beyond_deck) return; /* the deck has eight of a rank, the wilds among them */
    bool one_rank = true, one_suit = true;
    for (int i = 1; i < naturals; i++) {
        one_rank = one_rank && rank_of(work[i]) == rank_of(work[0]);
        one_suit = one_suit && work[i] % 4 == work[0] % 4;
    }
    if (n > 6 && !one_rank) return; /* only bombs are larger than six */
    int step =
        n == 5 && one_suit ? 1 : 4; /* suits matter in straights alone, and there only where the rest is suited */
    if (wilds == 0) {
        classify_cards(p, work, n, -1, out);
    } else if (wilds == 1) {
        for (int a = 0; a < SMALL_JOKER; a += step) {
            work[naturals] = a;
            classify_cards(p, work, n, -1, out);
        }
    } else {
        for (int a = 0; a < SMALL_JOKER; a += step) {
            for (int b = a; b < SMALL_JOKER; b += step) {
                work[naturals] = a;
                work[naturals + 1] = b;
                bool together = one_rank && naturals == 3 && a / 4 == b / 4;
                classify_cards(p, work, n, together ? a / 4 : -1, out);
            }
        }
    }
}

/* Strength of a kind across kinds: four jokers, bombs above five, straight flush, five, four, ordinary. */
static int class_of(int kind, int size)
{
    if (kind == JOKER_BOMB) return 1000;
    if (kind == STRAIGHT_FLUSH) return 55;
    return kind == BOMB ? 10 * size : 0;
}

static int weight(int kind, int key, int level)
{
    if (kind == STRAIGHT || kind == STRAIGHT_FLUSH || kind == TUBE || kind == PLATE) return key == ACE ? -1 : key;
    if (key == level) return 100; /* above the ace, below the jokers */
    return key > ACE ? 100 + key : key;
}

static bool is_greater(const struct position *p, int kind, int key, int size)
{
    int mine = class_of(kind, size), theirs = class_of(p->kind, p->size);
    if (mine != theirs) return mine > theirs;
    return kind == p->kind && size == p->size && weight(kind, key, p->level) > weight(p->kind, p->key, p->level);
}

#endif
