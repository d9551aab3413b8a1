/* Controls the speed of a motor. */
#include <assert.h>

#include "board.h"
#include "pid.h"
#include "ramp.h"
#include "sensor.h"
#include "state.h"

static struct pid pid = { .p = 2 * FIXED_ONE, .i = FIXED_ONE / 8, .d = FIXED_ONE / 2 };
static struct ramp ramp;
static enum state state = STOPPED;

/* The duty of the motor for the difference between the wanted speed and the real one. */
static int32_t duty(int32_t speed) {
    int32_t difference = ramp.current - speed;
    difference = fixed_clamp(difference, -100, 100);
    return pid_step(&pid, difference * FIXED_ONE) / (PID_LIMIT / PWM_MOST);
}

static void cycle(void) {
    enum state before = state;
    int32_t speed = sensor_speed();
    enum event event = board_event() % (RESET + 1);
    state = state_next(state, speed < 0 ? OVERLOAD : event);
    assert(before != FAULT || state == FAULT || state == STOPPED);
    if (before == STOPPED && state == RUNNING)
        ramp_start(&ramp, board_wanted_speed(), board_ramp_steps());
    int32_t pwm = 0;
    if (state == RUNNING) {
        ramp_step(&ramp);
        pwm = duty(speed);
    }
    assert(-PWM_MOST <= pwm && pwm <= PWM_MOST);
    board_pwm(pwm);
}

int main(void) {
    for (;;)
        cycle();
}
