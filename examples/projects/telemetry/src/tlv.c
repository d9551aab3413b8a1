#include "tlv.h"

int tlv_next(const struct packet *packet, unsigned *offset, struct element *element) {
    if (*offset + 2 > packet->length)
        return 0;
    element->tag = packet->body[*offset];
    element->length = packet->body[*offset + 1];
    element->value = &packet->body[*offset + 2];
#ifdef FIXED
    if (*offset + 2 + element->length > packet->length)
        return 0;
#endif
    /* Mistake 1: the element may say that it is longer than the packet. */
    *offset += 2 + element->length;
    return 1;
}
