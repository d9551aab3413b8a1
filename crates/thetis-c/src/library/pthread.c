/* pthread.h. Threads take turns at single accesses of memory; what waits is not scheduled (lower/threads). */

/* Starts a thread that evaluates one of the arguments, the first that no other thread is evaluating. */
unsigned long __thetis_spawn(void *, void *, void *, void *, void *, void *, void *, void *);
/* Waits for a thread and gives what it returned. */
void *__thetis_await(unsigned long thread);
void __thetis_detach_thread(unsigned long thread);
void __thetis_end_thread(void *result);
unsigned long __thetis_own_thread(void);
void __thetis_lock(void *mutex);
void __thetis_unlock(void *mutex);
int __thetis_try_lock(void *mutex);
void __thetis_enter_atomic(void);
void __thetis_leave_atomic(void);

int __thetis_pthread_create(unsigned long *thread, const void *attributes, void *(*start)(void *), void *argument) {
  unsigned long number = __thetis_spawn(start(argument), start(argument), start(argument), start(argument),
                                        start(argument), start(argument), start(argument), start(argument));
  *thread = number;
  return 0;
}
int __thetis_pthread_join(unsigned long thread, void **result) {
  void *returned = __thetis_await(thread);
  if (result) *result = returned;
  return 0;
}
int __thetis_pthread_detach(unsigned long thread) {
  __thetis_detach_thread(thread);
  return 0;
}
void __thetis_pthread_exit(void *result) { __thetis_end_thread(result); }
unsigned long __thetis_pthread_self(void) { return __thetis_own_thread(); }
int __thetis_pthread_equal(unsigned long left, unsigned long right) { return left == right; }
int __thetis_pthread_yield(void) { return 0; }

/* Mutexes. A static initialiser makes a free one, so there is nothing to initialise. */
int __thetis_pthread_mutex_init(void *mutex, const void *attributes) {
  if (attributes) __thetis_limit("a mutex has attributes");
  return 0;
}
int __thetis_pthread_mutex_destroy(void *mutex) { return 0; }
int __thetis_pthread_mutex_lock(void *mutex) {
  __thetis_lock(mutex);
  return 0;
}
int __thetis_pthread_mutex_unlock(void *mutex) {
  __thetis_unlock(mutex);
  return 0;
}
int __thetis_pthread_mutex_trylock(void *mutex) { return __thetis_try_lock(mutex) ? 0 : 16; }

/* A condition variable may wake a thread at any time without a signal (POSIX), so signals say nothing. */
int __thetis_pthread_cond_init(void *condition, const void *attributes) { return 0; }
int __thetis_pthread_cond_destroy(void *condition) { return 0; }
int __thetis_pthread_cond_signal(void *condition) { return 0; }
int __thetis_pthread_cond_broadcast(void *condition) { return 0; }
int __thetis_pthread_cond_wait(void *condition, void *mutex) {
  __thetis_unlock(mutex);
  __thetis_lock(mutex);
  return 0;
}

/* Attributes of threads: stack sizes, priorities and the like. A thread that is created detached is never joined. */
int __thetis_pthread_attr_init(void *attributes) { return 0; }
int __thetis_pthread_attr_destroy(void *attributes) { return 0; }
int __thetis_pthread_attr_setdetachstate(void *attributes, int state) { return 0; }
int __thetis_pthread_attr_setstacksize(void *attributes, unsigned long size) { return 0; }

/* The competition on software verification: what is between these functions is one step. */
void __thetis___VERIFIER_atomic_begin(void) { __thetis_enter_atomic(); }
void __thetis___VERIFIER_atomic_end(void) { __thetis_leave_atomic(); }
