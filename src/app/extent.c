#include "app/extent.h"

#include <math.h>

// Between two orders as many periods have passed as they count, also where some were lost.
void extents_note(extents *e, const wire_message *order)
{
    double passed = e->period * fmax((double)(order->number - e->last), 1);
    bool first = e->n++ == 0, anew = first || e->paused;
    e->paused = false;
    e->nvalue = order->n;
    e->last = order->number;
    for (int i = 0; i < order->n; i++) {
        double value = order->value[i], last = anew ? value : e->of[i].last;
        e->of[i].lowest = first ? value : fmin(e->of[i].lowest, value);
        e->of[i].highest = first ? value : fmax(e->of[i].highest, value);
        e->of[i].fastest = fmax(e->of[i].fastest, fabs(value - last) / passed);
        e->of[i].last = value;
    }
}

void extents_pause(extents *e)
{
    e->paused = true;
}

void extents_write(const extents *e, json *j)
{
    json_begin_array(j, "orders");
    for (int i = 0; i < e->nvalue; i++) {
        json_begin_object(j, NULL);
        json_number(j, "lowest", e->of[i].lowest);
        json_number(j, "highest", e->of[i].highest);
        json_number(j, "fastest", e->of[i].fastest);
        json_end_object(j);
    }
    json_end_array(j);
}
