#include "fixed.h"

fixed_t fixed_clamp(fixed_t value, fixed_t low, fixed_t high) {
    if (value < low)
        return low;
    return value > high ? high : value;
}

fixed_t fixed_mul(fixed_t a, fixed_t b) {
#ifdef FIXED
    int64_t product = (int64_t)a * b / FIXED_ONE;
    if (product > INT32_MAX)
        return INT32_MAX;
    if (product < INT32_MIN)
        return INT32_MIN;
    return (fixed_t)product;
#else
    /* Mistake 1: the product needs 64 bits before it is scaled back. */
    return a * b / FIXED_ONE;
#endif
}
