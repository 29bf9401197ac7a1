#include "drive/faults.h"

#include "drive/tolerances.h"

#include <math.h>

// SplitMix64, by Steele, Lea and Flood.
static uint64_t roll(dice *d)
{
    uint64_t z = d->state += 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

double dice_uniform(dice *d)
{
    return (double)(roll(d) >> 11) * DICE_BIT;
}

// Box and Muller.
double dice_normal(dice *d)
{
    double radius = sqrt(-2 * log(1 - dice_uniform(d)));
    return radius * cos(6.283185307179586 * dice_uniform(d));
}

double faults_backlash(double follower, double leader, double width)
{
    return fmin(fmax(follower, leader - width / 2), leader + width / 2);
}

double faults_capstan(double behind, double before, double friction, double wrap)
{
    double factor = exp(friction * wrap);
    double least = fmin(before / factor, before * factor);
    double most = fmax(before / factor, before * factor);
    return fmin(fmax(behind, least), most);
}

double faults_quantize(double value, double quantum)
{
    return quantum > 0 ? quantum * round(value / quantum) : value;
}

void faulty_actuator_reset(faulty_actuator *f, double at)
{
    f->accepted = f->moved = f->played = f->output = at;
}

double faulty_actuator_step(faulty_actuator *f, double command, double dt)
{
    const lithe_plant_actuator_def *d = f->def;
    if (!d)
        return f->output = command;
    if (fabs(command - f->accepted) >= d->dead_band)
        f->accepted = command;
    double share = d->lag > 0 ? -expm1(-dt / d->lag) : 1; // exact for a command that stays
    double change = share * (f->accepted - f->moved), most = d->rate * dt;
    f->moved += fmin(fmax(change, -most), most);
    f->played = faults_backlash(f->played, f->moved, d->backlash);
    f->output = faults_capstan(f->output, f->played, d->friction, d->wrap);
    return f->output;
}
