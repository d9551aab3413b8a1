#include "packet.h"

#include "checksum.h"
#include "line.h"

int packet_read(struct packet *packet) {
    if (line_read() != PACKET_SYNC)
        return 0;
    int length = line_read();
    if (length < 0 || length > PACKET_BODY)
        return 0;
    packet->length = (uint8_t)length;
    for (int place = 0; place < length; place++) {
        int byte = line_read();
        if (byte < 0)
            return 0;
        packet->body[place] = (uint8_t)byte;
    }
    uint16_t sum = (uint16_t)(line_read() & 0xff);
    sum = (uint16_t)(sum << 8 | (line_read() & 0xff));
    return sum == checksum(packet->body, packet->length);
}
