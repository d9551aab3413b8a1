#include "sensor.h"

int32_t sensor_speed(void) {
    uint8_t range = sensor_range();
#ifdef FIXED
    if (range > 7)
        return -1;
#endif
    /* Mistake 3: a broken sensor reports any range. */
    return (int32_t)((uint32_t)sensor_raw() << range);
}
