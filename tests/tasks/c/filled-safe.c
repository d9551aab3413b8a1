/* Every cell of a table has been filled. */
extern void reach_error(void);

int main(void) {
    int table[5];
    for (int i = 0; i < 5; i++)
        table[i] = 2 * i;
    for (int i = 0; i < 5; i++)
        if (table[i] % 2 != 0)
            reach_error();
    return 0;
}
