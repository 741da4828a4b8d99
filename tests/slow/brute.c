/* List plays by brute force under the national rules: a stand-alone program that shares no code with the engine.
 *
 *   cc -std=c11 -O2 -o brute brute.c && ./brute < positions
 *
 * Reads one position a line: "<level> <cards, comma separated> <greater>", where greater is "-" when leading, else
 * "<KIND>:<key>:<number of cards>" of the play to beat. Example: "7 H7,S3,S4,S5,S6 STRAIGHT:2:5".
 * Writes one line a play, "<KIND> <key> <cards in text order, comma separated>", in no special order, and one empty
 * line after each position. When following, the first line is "PASS PASS -".
 * A line it can not read ends the program with status 2 and a message that names the line.
 *
 * Method: every sub-multiset of one to ten cards; in it every wild becomes each of the 52 cards that are no joker (only
 * the 13 ranks where suits can not matter); the concrete cards are then sorted and held against the ten definitions.
 * Time grows fast with the hand: a few milliseconds for 12 cards, up to seconds for 27.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SINGLE, PAIR, TRIPLE, TUBE, FULL_HOUSE, PLATE, STRAIGHT, STRAIGHT_FLUSH, BOMB, JOKER_BOMB, KINDS };
enum { ACE = 12, SMALL = 13, BIG = 14, FOUR = 15, KEYS = 16 }; /* ranks 0..12 are 2..A; FOUR is the key JOKER */
enum { MAX_HAND = 27, MAX_PLAY = 10, SMALL_JOKER = 52, BIG_JOKER = 53, CARDS = 54 };

static const char *const kind_names[KINDS] = {"SINGLE", "PAIR",     "TRIPLE",         "TUBE", "FULL_HOUSE",
                                              "PLATE",  "STRAIGHT", "STRAIGHT_FLUSH", "BOMB", "JOKER_BOMB"};
static const char key_letters[] = "23456789TJQKABR";
static const char suit_letters[] = "SHCD";

struct position {
    int level, wild;       /* rank; card id of the wild */
    int count[CARDS];      /* how many of each card the hand holds */
    bool following;
    int kind, key, size;   /* of the play to beat, if following */
};

struct readings {
    bool can[KINDS][KEYS];
};

static int rank_of(int card)
{
    return card < SMALL_JOKER ? card / 4 : card == SMALL_JOKER ? SMALL : BIG;
}

/* Hold concrete ranks, sorted ascending, against article 3. own_pair: the rank that wilds make a pair of by themselves,
 * or -1; flush: all cards show one suit. Adds what they are to `out`. */
static void classify(const int *r, int n, bool flush, int own_pair, int level, struct readings *out)
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
        if ((pair_first || pair_last) && (own_pair < 0 || pair != own_pair || own_pair == level))
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
            if (memcmp(wanted, held, sizeof wanted) == 0) out->can[kind][low < 0 ? ACE : low] = true;
        }
    }
}

static void classify_cards(const int *cards, int n, int wild_pair, int level, struct readings *out)
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
    classify(ranks, n, flush, wild_pair, level, out);
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
        out->can[n == 1 ? SINGLE : PAIR][p->level] = true;
        return;
    }
    bool one_rank = true;
    for (int i = 1; i < naturals; i++) one_rank = one_rank && rank_of(work[i]) == rank_of(work[0]);
    if (n > 6 && !one_rank) return; /* only bombs are larger than six */
    int step = n == 5 ? 1 : 4; /* suits matter in straights alone */
    if (wilds == 0) {
        classify_cards(work, n, -1, p->level, out);
    } else if (wilds == 1) {
        for (int a = 0; a < SMALL_JOKER; a += step) {
            work[naturals] = a;
            classify_cards(work, n, -1, p->level, out);
        }
    } else {
        for (int a = 0; a < SMALL_JOKER; a += step) {
            for (int b = a; b < SMALL_JOKER; b += step) {
                work[naturals] = a;
                work[naturals + 1] = b;
                bool together = one_rank && naturals == 3 && a / 4 == b / 4;
                classify_cards(work, n, together ? a / 4 : -1, p->level, out);
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

static void card_text(int card, char text[3])
{
    if (card >= SMALL_JOKER) {
        memcpy(text, card == SMALL_JOKER ? "SB" : "HR", 3);
        return;
    }
    text[0] = suit_letters[card % 4];
    text[1] = key_letters[card / 4];
    text[2] = '\0';
}

static int by_text(const void *left, const void *right)
{
    char a[3], b[3];
    card_text(*(const int *)left, a);
    card_text(*(const int *)right, b);
    return strcmp(a, b);
}

static void print_plays(const struct position *p, const int *cards, int n)
{
    struct readings found;
    read_cards(p, cards, n, &found);
    for (int kind = 0; kind < KINDS; kind++) {
        for (int key = 0; key < KEYS; key++) {
            if (!found.can[kind][key] || (p->following && !is_greater(p, kind, key, n))) continue;
            if (key == FOUR)
                printf("%s JOKER ", kind_names[kind]);
            else
                printf("%s %c ", kind_names[kind], key_letters[key]);
            for (int i = 0; i < n; i++) {
                char text[3];
                card_text(cards[i], text);
                printf(i == 0 ? "%s" : ",%s", text);
            }
            putchar('\n');
        }
    }
}

/* Choose 0..count copies of each of the cards different[at..many-1] in all ways, after the n cards chosen so far. */
static void choose(const struct position *p, const int *different, int many, int at, int *cards, int n)
{
    if (at == many) {
        if (n > 0) print_plays(p, cards, n);
        return;
    }
    choose(p, different, many, at + 1, cards, n);
    for (int taken = 1; taken <= p->count[different[at]] && n + taken <= MAX_PLAY; taken++) {
        cards[n + taken - 1] = different[at];
        choose(p, different, many, at + 1, cards, n + taken);
    }
}

static int find_letter(const char *letters, char letter)
{
    const char *at = letter == '\0' ? NULL : strchr(letters, letter);
    return at == NULL ? -1 : (int)(at - letters);
}

static int parse_card(const char *text)
{
    if (strlen(text) != 2) return -1;
    if (strcmp(text, "SB") == 0) return SMALL_JOKER;
    if (strcmp(text, "HR") == 0) return BIG_JOKER;
    int suit = find_letter(suit_letters, text[0]), rank = find_letter(key_letters, text[1]);
    return suit < 0 || rank < 0 || rank > ACE ? -1 : 4 * rank + suit;
}

static bool parse_greater(char *text, struct position *p)
{
    p->following = strcmp(text, "-") != 0;
    if (!p->following) return true;
    char *key = strchr(text, ':'), *size = key == NULL ? NULL : strchr(key + 1, ':');
    if (size == NULL) return false;
    *key++ = '\0';
    *size++ = '\0';
    for (p->kind = 0; p->kind < KINDS && strcmp(text, kind_names[p->kind]) != 0; p->kind++) continue;
    p->key = strcmp(key, "JOKER") == 0 ? FOUR : strlen(key) == 1 ? find_letter(key_letters, key[0]) : -1;
    p->size = atoi(size);
    return p->kind < KINDS && p->key >= 0 && p->size > 0 && p->size <= MAX_PLAY;
}

static bool parse_position(char *line, struct position *p)
{
    char level[3], cards[3 * MAX_HAND + 1], greater[40];
    memset(p, 0, sizeof *p);
    if (sscanf(line, "%2s %81s %39s", level, cards, greater) != 3 || strlen(level) != 1) return false;
    p->level = find_letter(key_letters, level[0]);
    if (p->level < 0 || p->level > ACE) return false;
    p->wild = 4 * p->level + find_letter(suit_letters, 'H');
    for (char *text = strtok(cards, ","); text != NULL; text = strtok(NULL, ",")) {
        int card = parse_card(text);
        if (card < 0 || ++p->count[card] > 2) return false;
    }
    return parse_greater(greater, p);
}

int main(void)
{
    char line[512];
    struct position p;
    for (long number = 1; fgets(line, sizeof line, stdin) != NULL; number++) {
        if (!parse_position(line, &p)) {
            fprintf(stderr, "line %ld: write \"<level> <cards> <greater or ->\", e.g. \"7 H7,S3,S4 PAIR:2:2\"\n", number);
            return 2;
        }
        int different[CARDS], many = 0, cards[MAX_PLAY];
        for (int card = 0; card < CARDS; card++)
            if (p.count[card] > 0) different[many++] = card;
        qsort(different, (size_t)many, sizeof *different, by_text);
        if (p.following) puts("PASS PASS -");
        choose(&p, different, many, 0, cards, 0);
        putchar('\n');
    }
    return 0;
}
