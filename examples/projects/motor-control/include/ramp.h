/* Brings the wanted speed to its new value in steps. */
#ifndef RAMP_H
#define RAMP_H

#include <stdint.h>

struct ramp {
    int16_t current, target;
    uint8_t steps; /* that are left */
};

void ramp_start(struct ramp *ramp, int16_t target, uint8_t steps);
void ramp_step(struct ramp *ramp);

#endif
