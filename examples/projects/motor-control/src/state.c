#include "state.h"

enum state state_next(enum state state, enum event event) {
    if (event == OVERLOAD)
        return FAULT;
    switch (state) {
    case STOPPED:
        return event == START ? RUNNING : STOPPED;
    case RUNNING:
        return event == STOP ? BRAKING : RUNNING;
    case BRAKING:
        return event == STANDSTILL ? STOPPED : BRAKING;
    case FAULT:
#ifdef FIXED
        return event == RESET ? STOPPED : FAULT;
#else
        /* Mistake 4: a start leaves the fault without a reset. */
        return event == RESET ? STOPPED : event == START ? RUNNING : FAULT;
#endif
    }
    return FAULT;
}
