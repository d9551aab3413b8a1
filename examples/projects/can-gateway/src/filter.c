#include "filter.h"

/* Whether frames of a class are for the other side. */
#ifdef FIXED
static const uint8_t passes[FILTER_CLASSES] = { 0, 1, 1, 0, 0, 1, 0, 1 };
#else
/* Mistake 1: identifiers have eight classes, the table has six. */
static const uint8_t passes[] = { 0, 1, 1, 0, 0, 1 };
#endif

int filter_accepts(const struct frame *frame) { return passes[frame->id >> 8]; }
