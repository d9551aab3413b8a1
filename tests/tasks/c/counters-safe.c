/* Two counters go up together for any number of rounds. */
extern void reach_error(void);
extern unsigned any(void);

int main(void) {
    unsigned limit = any(), first = 0, second = 0;
    while (first < limit) {
        first++;
        second++;
    }
    if (first != second)
        reach_error();
    return 0;
}
