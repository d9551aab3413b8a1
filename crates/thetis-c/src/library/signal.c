/* signal.h and the end of the program. Handlers may run between any two steps, which is not modelled. */

typedef void __thetis_handler(int);

/* SIG_DFL is 0, SIG_IGN is 1; both as the last setting may be returned. */
static int __thetis_ignores_signals;
__thetis_handler *__thetis_signal(int number, __thetis_handler *handler) {
  if (handler == (__thetis_handler *)1) __thetis_ignores_signals = 1;
  else if (handler != 0) __thetis_limit("a handler of a signal may run at any time");
  if (__thetis_any_int()) {
    __thetis_failure();
    return (__thetis_handler *)-1;
  }
  return __thetis_any_int() ? (__thetis_handler *)1 : 0;
}
__thetis_handler *__thetis_bsd_signal(int number, __thetis_handler *handler) { return __thetis_signal(number, handler); }
__thetis_handler *__thetis_sysv_signal(int number, __thetis_handler *handler) { return __thetis_signal(number, handler); }
int __thetis_sigaction(int number, const void *action, void *old) {
  __thetis_limit("a handler of a signal may run at any time");
  return 0;
}

__thetis_handler *__thetis_sigset(int number, __thetis_handler *handler) { return __thetis_signal(number, handler); }
__thetis_handler *__thetis_ssignal(int number, __thetis_handler *handler) { return __thetis_signal(number, handler); }

/* A signal that is not ignored ends the program, and SIGKILL always does. Some are ignored by default, and some only stop the program for a
   while. */
int __thetis_raise(int number) {
  if (number < 0 || number > 64) return __thetis_failure();
  if (number == 9) __builtin_abort();
  int is_harmless = number == 0 || (number >= 17 && number <= 23) || number == 28;
  if (!is_harmless && !(__thetis_ignores_signals && __thetis_any_int())) __builtin_abort();
  return 0;
}
int __thetis_kill(int process, int number) {
  if (number != 0 && !__thetis_any_int()) __builtin_abort();
  return __thetis_success_or_failure();
}

/* Functions that run at the end of the program. */
int __thetis_atexit(void (*handler)(void)) {
  __thetis_limit("a function is to run at the end of the program");
  return 0;
}
int __thetis_on_exit(void (*handler)(int, void *), void *argument) {
  __thetis_limit("a function is to run at the end of the program");
  return 0;
}
int __thetis_at_quick_exit(void (*handler)(void)) {
  __thetis_limit("a function is to run at the end of the program");
  return 0;
}

int __thetis___cxa_atexit(void (*handler)(void *), void *argument, void *library) {
  __thetis_limit("a function is to run at the end of the program");
  return 0;
}

/* Other threads. */
int __thetis_thrd_create(void *thread, int (*start)(void *), void *argument) {
  __thetis_limit("`thrd_create` starts a thread");
  return 0;
}
int __thetis_clone(int (*start)(void *), void *stack, int flags, void *argument) {
  __thetis_limit("`clone` starts a thread");
  return 0;
}
