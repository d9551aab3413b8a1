/* Fills and empties the buffer of ring.c in any order. */
#include <assert.h>
#include "ring.h"

extern int has_input(void);       /* the line: anything at any time */
extern unsigned char input(void);

static struct ring ring;

int main(void) {
    for (;;) {
        if (has_input())
            ring_put(&ring, input());
        else
            ring_take(&ring);
        assert(0 <= ring.count && ring.count <= CAPACITY);
    }
}
