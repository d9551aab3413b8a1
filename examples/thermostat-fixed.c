/* A thermostat with four levels of heating. The heating is never turned up beyond its highest level: in every round
 * the level stays between 0 and 3, whatever the sensor says. */
#include <assert.h>

extern int temperature(void); /* the sensor: any value */

int main(void) {
    int level = 0;
    for (;;) {
        int degrees = temperature();
        if (degrees < 18 && level < 3)
            level = level + 1;
        else if (degrees > 22 && level > 0)
            level = level - 1;
        assert(0 <= level && level <= 3);
    }
}
