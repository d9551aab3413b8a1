/* Fletcher's checksum with 16 bits. */
#ifndef CHECKSUM_H
#define CHECKSUM_H

#include <stdint.h>

uint16_t checksum(const uint8_t *bytes, unsigned length);

#endif
