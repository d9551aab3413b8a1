/* How long ago the last frame was sent. */
#ifndef RATE_H
#define RATE_H

#include <stdint.h>

#define RATE_PAUSE 100 /* microseconds between two frames */

void rate_sent(int32_t now);
int rate_may_send(int32_t now);

#endif
