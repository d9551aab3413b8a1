/* Searches a sorted table. The mistake: for a large table the sum of both ends overflows.
 * Ask for it with --property no-overflow. */
extern int at(int index); /* the table: any values */

static int search(int length, int wanted) {
    int low = 0, high = length - 1;
    while (low <= high) {
        int middle = (low + high) / 2;
        int value = at(middle);
        if (value == wanted)
            return middle;
        if (value < wanted)
            low = middle + 1;
        else
            high = middle - 1;
    }
    return -1;
}

extern int table_length(void);

int main(void) {
    int length = table_length();
    return length > 0 ? search(length, 7) : 0;
}
