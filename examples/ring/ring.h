/* A buffer of bytes between an interrupt and the main loop. */
#define CAPACITY 4

struct ring {
    unsigned char bytes[CAPACITY];
    int first, count;
};

void ring_put(struct ring *ring, unsigned char byte);
int ring_take(struct ring *ring); /* -1 if there is none */
