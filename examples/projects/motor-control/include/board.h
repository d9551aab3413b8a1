/* What the board offers. */
#ifndef BOARD_H
#define BOARD_H

#include <stdint.h>

#define PWM_MOST 1000

extern uint8_t board_event(void);
extern int16_t board_wanted_speed(void);
extern uint8_t board_ramp_steps(void); /* a switch: 0 to 255 */
extern void board_pwm(int32_t duty);

#endif
