#include "store.h"

#include <stdlib.h>

static struct record *newest;
static unsigned count;

void store_add(struct record *record) {
    if (count == STORE_MOST)
        store_clear();
    record->next = newest;
    newest = record;
    count++;
}

int32_t store_mean(void) {
    if (count == 0)
        return 0;
#ifdef FIXED
    int64_t sum = 0;
#else
    /* Mistake 4: the sum of two values may need more bits than one. */
    int32_t sum = 0;
#endif
    for (const struct record *record = newest; record; record = record->next)
        sum += record->value;
    return (int32_t)(sum / (int32_t)count);
}

void store_clear(void) {
    while (newest) {
        struct record *record = newest;
        newest = record->next;
        free(record);
    }
    count = 0;
}
