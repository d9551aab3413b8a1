#include "checksum.h"

uint16_t checksum(const uint8_t *bytes, unsigned length) {
    uint16_t low = 0, high = 0;
    for (unsigned place = 0; place < length; place++) {
        low = (uint16_t)((low + bytes[place]) % 255);
        high = (uint16_t)((high + low) % 255);
    }
    return (uint16_t)(high << 8 | low);
}
