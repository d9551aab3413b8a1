#include "ramp.h"

void ramp_start(struct ramp *ramp, int16_t target, uint8_t steps) {
    ramp->target = target;
    ramp->steps = steps;
}

void ramp_step(struct ramp *ramp) {
#ifdef FIXED
    if (ramp->steps == 0) {
        ramp->current = ramp->target;
        return;
    }
#endif
    /* Mistake 2: no steps are left after the last one, and the switch may say 0 at once. */
    ramp->current += (ramp->target - ramp->current) / ramp->steps;
    if (ramp->steps > 0)
        ramp->steps--;
}
