/* A controller with proportional, integral and derivative part. */
#ifndef PID_H
#define PID_H

#include "fixed.h"

#define PID_LIMIT (100 * FIXED_ONE)

struct pid {
    fixed_t p, i, d; /* the gains */
    fixed_t sum;     /* of the errors, between -PID_LIMIT and PID_LIMIT */
    fixed_t last;    /* the last error */
};

fixed_t pid_step(struct pid *pid, fixed_t error);

#endif
