#include "mesh/compact.h"

#include <math.h>
#include <stdbool.h>

// Of equal ones the first point, so that there is but one order.
static bool comes_before(const double (*point)[3], int axis, int a, int b)
{
    return point[a][axis] < point[b][axis] || (point[a][axis] == point[b][axis] && a < b);
}

static int longest_axis(int n, const double (*point)[3], const int *order)
{
    int longest = 0;
    double most = -1;
    for (int axis = 0; axis < 3; axis++) {
        double low = INFINITY, high = -INFINITY;
        for (int i = 0; i < n; i++) {
            low = fmin(low, point[order[i]][axis]);
            high = fmax(high, point[order[i]][axis]);
        }
        if (high - low > most) {
            most = high - low;
            longest = axis;
        }
    }
    return longest;
}

static void swap(int *a, int *b)
{
    int before = *a;
    *a = *b;
    *b = before;
}

// Brings the first k of n points along an axis to the front [hoare1961].
static void select_first(int n, const double (*point)[3], int axis, int k, int *order)
{
    int first = 0, last = n - 1;
    while (first < last) {
        int pivot = order[first + (last - first) / 2], i = first, j = last;
        while (i <= j) {
            while (comes_before(point, axis, order[i], pivot))
                i++;
            while (comes_before(point, axis, pivot, order[j]))
                j--;
            if (i <= j)
                swap(&order[i++], &order[j--]);
        }
        if (k <= j)
            last = j;
        else if (k >= i)
            first = i;
        else
            return;
    }
}

static void halve(int n, const double (*point)[3], int grain, int *order)
{
    if (n <= grain)
        return;
    int unit = n > 8 * grain ? 4 * grain : grain, half = (n / 2 + unit - 1) / unit * unit;
    select_first(n, point, longest_axis(n, point, order), half, order);
    halve(half, point, grain, order);
    halve(n - half, point, grain, order + half);
}

void compact_order(int n, const double (*point)[3], int grain, int *order)
{
    for (int i = 0; i < n; i++)
        order[i] = i;
    halve(n, point, grain, order);
}
