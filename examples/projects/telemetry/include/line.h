/* The line: bytes, and -1 if it is silent. */
#ifndef LINE_H
#define LINE_H

extern int line_read(void);

#endif
