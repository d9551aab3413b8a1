/* The registers of the bus controller. What they hold is up to the bus. */
#ifndef REGISTERS_H
#define REGISTERS_H

#include <stdint.h>

extern int reg_has_frame(void);
extern uint16_t reg_id(void);
extern uint8_t reg_length(void); /* the field has four bits */
extern uint8_t reg_data(void);   /* the next byte */
extern int32_t reg_time(void);   /* microseconds, wraps around */
extern int reg_can_send(void);
extern void reg_send(uint16_t id, uint8_t length, const uint8_t *data);

#endif
