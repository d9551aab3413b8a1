/* A measurement. */
#ifndef RECORD_H
#define RECORD_H

#include "tlv.h"

enum { TAG_SENSOR = 1, TAG_VALUE = 2, TAG_SCALE = 3 };

struct record {
    uint8_t sensor;
    int32_t value;
    struct record *next;
};

/* The record in a packet, in memory of its own; null if there is none. */
struct record *record_decode(const struct packet *packet);

#endif
