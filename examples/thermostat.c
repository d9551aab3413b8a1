/* A thermostat with four levels of heating. The mistake: a long cold spell turns the heating up beyond its highest level.
 * thermostat-fixed.c mends it. */
#include <assert.h>

extern int temperature(void); /* the sensor: any value */

int main(void) {
    int level = 0;
    for (;;) {
        int degrees = temperature();
        if (degrees < 18)
            level = level + 1;
        else if (degrees > 22 && level > 0)
            level = level - 1;
        assert(0 <= level && level <= 3);
    }
}
