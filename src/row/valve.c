#include "row/valve.h"

#include <math.h>

bool valve_lags(const row_valve *v)
{
    return v->time[0] > 0 || v->time[1] > 0 || isfinite(v->rate[0]) || isfinite(v->rate[1]);
}

double valve_after(const row_valve *v, double from, double told, double time)
{
    double way = fabs(told - from), sign = told < from ? -1 : 1;
    double tau = v->time[told > from], rate = v->rate[told > from];
    if (!isfinite(told)) // told to go as far as it can
        return isfinite(rate) ? from + sign * rate * time : told;
    // what is left to go when its own rate, left / tau, comes below the limit, and when that is
    double left = fmin(way, rate * tau), until = rate < INFINITY ? (way - left) / rate : 0;
    if (time < until)
        return from + sign * rate * time;
    return told - (tau > 0 ? sign * left * exp(-(time - until) / tau) : 0);
}
