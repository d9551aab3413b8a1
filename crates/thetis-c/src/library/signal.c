/* signal.h and the end of the program. Handlers may run between any two steps, which is not modelled. */

typedef void __thetis_handler(int);

/* SIG_DFL is 0, SIG_IGN is 1; the program may start with either. Only the signal that was set last is kept, and which others were set. */
static int __thetis_last_signal;
static __thetis_handler *__thetis_last_handler;
static unsigned long long __thetis_set_signals;
static __thetis_handler *__thetis_handler_of(int number) {
  if (number == __thetis_last_signal) return __thetis_last_handler;
  if ((__thetis_set_signals >> (number - 1)) & 1) __thetis_approximate();
  return __thetis_any_int() ? (__thetis_handler *)1 : 0;
}
__thetis_handler *__thetis_signal(int number, __thetis_handler *handler) {
  if (handler != 0 && handler != (__thetis_handler *)1) __thetis_limit("a handler of a signal may run at any time");
  /* SIGKILL and SIGSTOP cannot be changed, nor can signals that the library uses itself. */
  int is_fixed = number < 1 || number > 64 || number == 9 || number == 19 || (number > 31 && __thetis_any_int());
  if (is_fixed) {
    __thetis_errno = 22;
    return (__thetis_handler *)-1;
  }
  __thetis_handler *before = __thetis_handler_of(number);
  __thetis_last_signal = number;
  __thetis_last_handler = handler;
  __thetis_set_signals |= 1ULL << (number - 1);
  return before;
}
__thetis_handler *__thetis_bsd_signal(int number, __thetis_handler *handler) { return __thetis_signal(number, handler); }
__thetis_handler *__thetis_sysv_signal(int number, __thetis_handler *handler) { return __thetis_signal(number, handler); }
int __thetis_sigaction(int number, const void *action, void *old) {
  __thetis_limit("a handler of a signal may run at any time");
  return 0;
}

__thetis_handler *__thetis_sigset(int number, __thetis_handler *handler) { return __thetis_signal(number, handler); }
__thetis_handler *__thetis_ssignal(int number, __thetis_handler *handler) { return __thetis_signal(number, handler); }

/* Signals that are blocked wait; which ones are, is not kept. */
static int __thetis_has_mask;
static int __thetis_change_mask(const void *set, void *old) {
  __thetis_approximate();
  if (set != 0) {
    __thetis_see_bytes(set, 128);
    __thetis_has_mask = 1;
  }
  if (old != 0) __thetis_fill(old, 128);
  return __thetis_any_int();
}
int __thetis_sigprocmask(int how, const void *set, void *old) {
  return __thetis_change_mask(set, old) ? 0 : __thetis_failure();
}
int __thetis_pthread_sigmask(int how, const void *set, void *old) {
  return __thetis_change_mask(set, old) ? 0 : __thetis_int_between(1, 133);
}
int __thetis_sighold(int number) {
  __thetis_has_mask = 1;
  return __thetis_success_or_failure();
}
int __thetis_sigblock(int mask) {
  __thetis_approximate();
  __thetis_has_mask = 1;
  return __thetis_any_int();
}
int __thetis_sigsetmask(int mask) { return __thetis_sigblock(mask); }
int __thetis_sigignore(int number) { return __thetis_signal(number, (__thetis_handler *)1) == (__thetis_handler *)-1 ? -1 : 0; }

/* A signal that is not ignored ends the program, and SIGKILL always does. Some are ignored by default, and some only stop the program for a
   while. Programs seldom start with a signal ignored: a violation after it is not reported. */
int __thetis_raise(int number) {
  if (number < 0 || number > 64) return __thetis_failure();
  if (number == 9) __builtin_abort();
  if (__thetis_has_mask && __thetis_any_int()) {
    __thetis_approximate();
    return 0;
  }
  int is_harmless = number == 0 || (number >= 17 && number <= 23) || number == 28;
  if (is_harmless) return 0;
  if (__thetis_handler_of(number) == 0) __builtin_abort();
  if (number != __thetis_last_signal) __thetis_approximate();
  return 0;
}
/* Signals to this process or to its group arrive before the function returns. */
int __thetis_kill(int process, int number) {
  if (process == 0 || process == __thetis_getpid()) return __thetis_raise(number);
  if (number < 0 || number > 64) return __thetis_failure();
  if (process < 0) __thetis_approximate();
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
