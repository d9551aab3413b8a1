/* The absolute value of any number but the least one is not negative. */
#include <limits.h>

extern void reach_error(void);
extern int any(void);

int main(void) {
    int number = any();
    if (number == INT_MIN)
        return 0;
    int absolute = number < 0 ? -number : number;
    if (absolute < 0)
        reach_error();
    return 0;
}
