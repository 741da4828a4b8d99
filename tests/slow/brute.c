/* List plays by brute force: a stand-alone program that shares no code with the engine.
 *
 *   cc -std=c11 -O2 -o brute brute.c && ./brute [0101] < positions
 *
 * The four digits switch wild_single, wild_pair_any, suited_straight_is_plain and copies_beyond_deck; 1001 is national
 * and the default. Reads one position a line: "<level> <cards, comma separated> <greater>", where greater is "-" when
 * leading, else "<KIND>:<key>:<number of cards>" of the play to beat. Example: "7 H7,S3,S4,S5,S6 STRAIGHT:2:5".
 * Writes one line a play, "<KIND> <key> <cards in text order, comma separated>", in no special order, and one empty
 * line after each position. When following, the first line is "PASS PASS -".
 * A line it can not read ends the program with status 2 and a message that names the line.
 *
 * Method: every sub-multiset of one to ten cards is read as readings.h says. Time grows fast with the hand: a few
 * milliseconds for 12 cards, up to seconds for 27.
 */
#include "readings.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const kind_names[KINDS] = {"SINGLE", "PAIR",     "TRIPLE",         "TUBE", "FULL_HOUSE",
                                              "PLATE",  "STRAIGHT", "STRAIGHT_FLUSH", "BOMB", "JOKER_BOMB"};
static const char key_letters[] = "23456789TJQKABR";
static const char suit_letters[] = "SHCD";

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

int main(int argc, char **argv)
{
    char line[512];
    struct position p;
    const char *on = argc > 1 ? argv[1] : "1001";
    if (strspn(on, "01") != 4 || strlen(on) != 4) {
        fprintf(stderr, "\"%s\": write four digits, 0 or 1\n", on);
        return 2;
    }
    for (long number = 1; fgets(line, sizeof line, stdin) != NULL; number++) {
        if (!parse_position(line, &p)) {
            fprintf(stderr, "line %ld: write \"<level> <cards> <greater or ->\", e.g. \"7 H7,S3,S4 PAIR:2:2\"\n",
                    number);
            return 2;
        }
        p.rules = (struct switches){on[0] == '1', on[1] == '1', on[2] == '1', on[3] == '1'};
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
