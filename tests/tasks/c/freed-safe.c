/* A block is read before it is freed. */
#include <stdlib.h>

int main(void) {
    int *block = malloc(sizeof *block);
    if (!block)
        return 0;
    *block = 3;
    int value = *block;
    free(block);
    return value;
}
