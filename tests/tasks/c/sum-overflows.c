/* The sum of two lengths overflows if both are large. */
extern int any(void);

int main(void) {
    int first = any(), second = any();
    if (first < 0 || second < 0)
        return 1;
    return first + second > 100;
}
