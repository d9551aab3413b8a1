/* Frames that wait to be sent. */
#ifndef QUEUE_H
#define QUEUE_H

#include "frame.h"

#define QUEUE_FRAMES 2

struct queue {
    struct frame frames[QUEUE_FRAMES];
    unsigned first; /* the oldest one */
    unsigned count;
};

int queue_put(struct queue *queue, const struct frame *frame); /* 0 if it is full */
int queue_take(struct queue *queue, struct frame *frame);      /* 0 if it is empty */

#endif
