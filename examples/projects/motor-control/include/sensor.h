/* The speed as the sensor measures it. */
#ifndef SENSOR_H
#define SENSOR_H

#include <stdint.h>

extern uint16_t sensor_raw(void);  /* the count of the encoder */
extern uint8_t sensor_range(void); /* how far it is scaled: 0 to 7 on a healthy sensor */

int32_t sensor_speed(void); /* -1 if the sensor is broken */

#endif
