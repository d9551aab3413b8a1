/* The elements of a body: a tag, a length and that many bytes. */
#ifndef TLV_H
#define TLV_H

#include "packet.h"

struct element {
    uint8_t tag;
    uint8_t length;
    const uint8_t *value; /* inside the packet */
};

/* The element at an offset, which is moved to the next one. 0 if there is none. */
int tlv_next(const struct packet *packet, unsigned *offset, struct element *element);

#endif
