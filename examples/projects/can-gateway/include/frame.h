/* A frame of the bus, and what may be wrong with one. */
#ifndef FRAME_H
#define FRAME_H

#include <stdint.h>

#define FRAME_BYTES 8
#define FRAME_LAST_ID 0x7ff

struct frame {
    uint16_t id;
    uint8_t length; /* of the data, at most FRAME_BYTES */
    uint8_t data[FRAME_BYTES];
};

enum frame_error { FRAME_OK, FRAME_BAD_ID, FRAME_TOO_LONG };

/* Takes a frame out of the registers of the controller. */
enum frame_error frame_read(struct frame *frame);

#endif
