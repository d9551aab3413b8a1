/* A counter that goes up by three meets 21. */
extern void reach_error(void);

int main(void) {
    unsigned counter = 0;
    for (int round = 0; round < 10; round++) {
        counter += 3;
        if (counter == 21)
            reach_error();
    }
    return 0;
}
