/* What the drive does. */
#ifndef STATE_H
#define STATE_H

enum state { STOPPED, RUNNING, BRAKING, FAULT };
enum event { NOTHING, START, STOP, STANDSTILL, OVERLOAD, RESET };

enum state state_next(enum state state, enum event event);

#endif
