/* The last measurements, newest first. */
#ifndef STORE_H
#define STORE_H

#include "record.h"

#define STORE_MOST 2

void store_add(struct record *record);
int32_t store_mean(void);
void store_clear(void);

#endif
