#include "record.h"

#include <stdlib.h>

static int32_t number(const struct element *element) {
    uint32_t number = 0;
    for (unsigned place = 0; place < element->length && place < 4; place++)
        number = number << 8 | element->value[place];
    return (int32_t)number;
}

struct record *record_decode(const struct packet *packet) {
    struct record *record = malloc(sizeof *record);
    if (!record)
        return NULL;
    struct element element;
    unsigned offset = 0;
    int has_value = 0;
    record->sensor = 0;
    record->value = 0;
    record->next = NULL;
    while (tlv_next(packet, &offset, &element)) {
        if (element.tag == TAG_SENSOR && element.length == 1)
            record->sensor = element.value[0];
        if (element.tag == TAG_VALUE) {
            record->value = number(&element);
            has_value = 1;
        }
        if (element.tag == TAG_SCALE && element.length == 1) {
#ifdef FIXED
            if (element.value[0] != 0)
#endif
                /* Mistake 2: the scale may be 0. */
                record->value /= element.value[0];
        }
    }
    if (!has_value) {
#ifdef FIXED
        free(record);
#endif
        /* Mistake 3: a packet without a value loses the memory of its record. */
        return NULL;
    }
    return record;
}
