/* The mistake: a full buffer takes one byte more. Compile with -D FIXED to have it right. */
#include "ring.h"

static int place(const struct ring *ring, int offset) { return (ring->first + offset) % CAPACITY; }

void ring_put(struct ring *ring, unsigned char byte) {
#ifdef FIXED
    if (ring->count < CAPACITY) {
#else
    if (ring->count <= CAPACITY) {
#endif
        ring->bytes[place(ring, ring->count)] = byte;
        ring->count = ring->count + 1;
    }
}

int ring_take(struct ring *ring) {
    if (ring->count == 0)
        return -1;
    unsigned char byte = ring->bytes[ring->first];
    ring->first = place(ring, 1);
    ring->count = ring->count - 1;
    return byte;
}
