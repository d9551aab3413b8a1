/* Passes frames from one bus to another. */
#include <assert.h>

#include "filter.h"
#include "queue.h"
#include "rate.h"
#include "registers.h"

static struct queue queue;

static void receive(void) {
    struct frame frame;
    if (frame_read(&frame) == FRAME_OK && filter_accepts(&frame))
        queue_put(&queue, &frame);
    assert(queue.count <= QUEUE_FRAMES);
}

static void send(void) {
    int32_t now = reg_time();
    struct frame frame;
    if (rate_may_send(now) && queue_take(&queue, &frame)) {
        assert(frame.id <= FRAME_LAST_ID);
        reg_send(frame.id, frame.length, frame.data);
        rate_sent(now);
    }
}

int main(void) {
    for (;;) {
        if (reg_has_frame())
            receive();
        if (reg_can_send())
            send();
    }
}
