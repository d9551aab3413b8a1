/* Packets as they come over the line: a sync byte, the length of the body, the body, its checksum. */
#ifndef PACKET_H
#define PACKET_H

#include <stdint.h>

#define PACKET_SYNC 0x7e
#define PACKET_BODY 12 /* at most */

struct packet {
    uint8_t length; /* of the body */
    uint8_t body[PACKET_BODY];
};

/* Reads a packet from the line. 0 if it was none. */
int packet_read(struct packet *packet);

#endif
