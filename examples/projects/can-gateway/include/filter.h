/* Which frames pass the gateway. */
#ifndef FILTER_H
#define FILTER_H

#include "frame.h"

#define FILTER_CLASSES 8 /* the upper three bits of an identifier */

int filter_accepts(const struct frame *frame);

#endif
