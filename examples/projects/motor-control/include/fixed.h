/* Numbers with 16 bits after the point. */
#ifndef FIXED_H
#define FIXED_H

#include <stdint.h>

typedef int32_t fixed_t;

#define FIXED_ONE ((fixed_t)1 << 16)

fixed_t fixed_mul(fixed_t a, fixed_t b);                       /* saturates */
fixed_t fixed_clamp(fixed_t value, fixed_t low, fixed_t high); /* low <= high */

#endif
