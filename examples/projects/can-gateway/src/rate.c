#include "rate.h"

static int32_t last;

void rate_sent(int32_t now) { last = now; }

int rate_may_send(int32_t now) {
#ifdef FIXED
    /* The distance on the circle, which is right when the timer has wrapped around. */
    return (uint32_t)now - (uint32_t)last >= RATE_PAUSE;
#else
    /* Mistake 3: the difference of two times does not fit if the timer has wrapped around in between. */
    return now - last >= RATE_PAUSE;
#endif
}
