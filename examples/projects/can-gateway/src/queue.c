#include "queue.h"

static unsigned place(const struct queue *queue, unsigned offset) {
    return (queue->first + offset) % QUEUE_FRAMES;
}

int queue_put(struct queue *queue, const struct frame *frame) {
#ifdef FIXED
    if (queue->count >= QUEUE_FRAMES)
#else
    /* Mistake 2: a full queue takes one more, over the oldest frame. */
    if (queue->count > QUEUE_FRAMES)
#endif
        return 0;
    queue->frames[place(queue, queue->count)] = *frame;
    queue->count++;
    return 1;
}

int queue_take(struct queue *queue, struct frame *frame) {
    if (queue->count == 0)
        return 0;
    *frame = queue->frames[queue->first];
    queue->first = place(queue, 1);
    queue->count--;
    return 1;
}
