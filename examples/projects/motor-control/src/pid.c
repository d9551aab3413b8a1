#include "pid.h"

fixed_t pid_step(struct pid *pid, fixed_t error) {
    error = fixed_clamp(error, -PID_LIMIT, PID_LIMIT);
    pid->sum = fixed_clamp(pid->sum + error, -PID_LIMIT, PID_LIMIT);
    fixed_t change = error - pid->last;
    pid->last = error;
    int64_t total = (int64_t)fixed_mul(pid->p, error) + fixed_mul(pid->i, pid->sum) + fixed_mul(pid->d, change);
    if (total > PID_LIMIT)
        return PID_LIMIT;
    return total < -PID_LIMIT ? -PID_LIMIT : (fixed_t)total;
}
