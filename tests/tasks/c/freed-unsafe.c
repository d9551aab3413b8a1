/* A block is read after it was freed. */
#include <stdlib.h>

int main(void) {
    int *block = malloc(sizeof *block);
    if (!block)
        return 0;
    *block = 3;
    free(block);
    return *block;
}
