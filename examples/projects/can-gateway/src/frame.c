#include "frame.h"
#include "registers.h"

enum frame_error frame_read(struct frame *frame) {
    uint16_t id = reg_id();
    uint8_t length = reg_length() & 0xf;
    if (id > FRAME_LAST_ID)
        return FRAME_BAD_ID;
    if (length > FRAME_BYTES)
        return FRAME_TOO_LONG;
    frame->id = id;
    frame->length = length;
    for (uint8_t byte = 0; byte < length; byte++)
        frame->data[byte] = reg_data();
    return FRAME_OK;
}
