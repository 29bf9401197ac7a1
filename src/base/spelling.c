#include "base/spelling.h"

#include <ctype.h>
#include <limits.h>
#include <stddef.h>
#include <string.h>

enum { CASE_COST = 1, EDIT_COST = 2 };

nearest nearest_start(const char *wanted)
{
    return (nearest){.wanted = wanted, .cost = INT_MAX};
}

static int min3(int a, int b, int c)
{
    int m = a < b ? a : b;
    return m < c ? m : c;
}

static int replace_cost(char a, char b)
{
    if (a == b)
        return 0;
    return tolower((unsigned char)a) == tolower((unsigned char)b) ? CASE_COST : EDIT_COST;
}

// Edit distance with swaps of neighbours (optimal string alignment), a wrong case costing half.
static int edit_cost(const char *a, int na, const char *b, int nb)
{
    int rows[3][NEAREST_NAME_MAX + 1];
    int *before = rows[0], *above = rows[1], *row = rows[2];
    for (int j = 0; j <= nb; j++)
        above[j] = j * EDIT_COST;
    for (int i = 1; i <= na; i++) {
        row[0] = i * EDIT_COST;
        for (int j = 1; j <= nb; j++) {
            row[j] = min3(above[j] + EDIT_COST, row[j - 1] + EDIT_COST,
                          above[j - 1] + replace_cost(a[i - 1], b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                before[j - 2] + EDIT_COST < row[j])
                row[j] = before[j - 2] + EDIT_COST;
        }
        int *spare = before;
        before = above;
        above = row;
        row = spare;
    }
    return above[nb];
}

void nearest_offer(nearest *n, const char *candidate)
{
    size_t na = strnlen(n->wanted, NEAREST_NAME_MAX);
    size_t nb = strnlen(candidate, NEAREST_NAME_MAX);
    if (na == NEAREST_NAME_MAX || nb == NEAREST_NAME_MAX)
        return;
    int cost = edit_cost(n->wanted, (int)na, candidate, (int)nb);
    if (cost >= n->cost)
        return;
    n->cost = cost;
    memcpy(n->best, candidate, nb + 1);
}

const char *nearest_found(const nearest *n)
{
    int length = (int)strnlen(n->wanted, NEAREST_NAME_MAX);
    int edits = length < 3 ? 1 : (length + 1) / 3;
    int limit = length < 2 ? CASE_COST : edits * EDIT_COST;
    return n->cost <= limit ? n->best : NULL;
}
