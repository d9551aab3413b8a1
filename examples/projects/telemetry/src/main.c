/* Collects measurements that come as packets over a line. */
#include <assert.h>
#include <stddef.h>

#include "packet.h"
#include "store.h"

extern void show(int32_t mean);
extern int is_on(void);

int main(void) {
    while (is_on()) {
        struct packet packet;
        if (!packet_read(&packet))
            continue;
        assert(packet.length <= PACKET_BODY);
        struct record *record = record_decode(&packet);
        if (record != NULL)
            store_add(record);
        show(store_mean());
    }
    store_clear();
    return 0;
}
