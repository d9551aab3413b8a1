/* Copies a text that a caller may not have. The mistake: on the early way out the copy is lost.
 * Ask for it with --property valid-memsafety. */
#include <stdlib.h>
#include <string.h>

static int shout(const char *text) {
    char *copy = malloc(strlen(text) + 1);
    if (copy == NULL)
        return -1;
    strcpy(copy, text);
    if (copy[0] == '#')
        return 0;
    copy[0] = '!';
    free(copy);
    return 1;
}

int main(void) {
    shout("one");
    shout("#two");
    return 0;
}
