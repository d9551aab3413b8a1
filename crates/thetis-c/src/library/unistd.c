/* unistd.h and what goes with it: what the operating system answers is arbitrary in its range. */

/* Bytes from outside. */
static void __thetis_fill(unsigned char *to, unsigned long n) {
  for (unsigned long i = 0; i < n; i++) to[i] = __thetis_any_uchar();
}
/* Bytes that go out: they have to be there. */
static void __thetis_see_bytes(const void *from, unsigned long n) { __thetis_require(from, n); }
/* A number from 0 to n, or -1 with an error number. */
static long __thetis_transfer(unsigned long n) {
  return __thetis_any_int() ? __thetis_ulong_up_to(n) : __thetis_failure();
}

/* What was written into a pipe, or is read again, is not kept. */
static int __thetis_has_pipe;
long __thetis_read(int file, void *to, unsigned long n) {
  if (__thetis_has_pipe) __thetis_approximate();
  long count = __thetis_transfer(n);
  if (count > 0) __thetis_fill(to, count);
  return count;
}
long __thetis_pread(int file, void *to, unsigned long n, long offset) { return __thetis_read(file, to, n); }
long __thetis_recv(int socket, void *to, unsigned long n, int flags) { return __thetis_read(socket, to, n); }
long __thetis_getrandom(void *to, unsigned long n, unsigned flags) { return __thetis_read(0, to, n); }
int __thetis_getentropy(void *to, unsigned long n) {
  if (n > 256 || __thetis_any_int()) return __thetis_failure();
  __thetis_fill(to, n);
  return 0;
}
long __thetis_write(int file, const void *from, unsigned long n) {
  __thetis_see_bytes(from, n);
  return __thetis_transfer(n);
}
long __thetis_pwrite(int file, const void *from, unsigned long n, long offset) {
  return __thetis_write(file, from, n);
}
long __thetis_send(int socket, const void *from, unsigned long n, int flags) { return __thetis_write(socket, from, n); }
int __thetis_close(int file) { return __thetis_success_or_failure(); }
long __thetis_lseek(int file, long offset, int origin) {
  if (origin != 2) __thetis_has_pipe = 1;
  return __thetis_any_int() ? __thetis_long_from(0) : __thetis_failure();
}
static int __thetis_new_file(void) { return __thetis_any_int() ? __thetis_int_between(0, 2147483647) : __thetis_failure(); }
int __thetis_creat(const char *path, unsigned mode) {
  __thetis_see_text(path);
  return __thetis_new_file();
}
int __thetis_dup(int file) { return __thetis_new_file(); }
int __thetis_dup2(int file, int wanted) { return __thetis_any_int() ? wanted : __thetis_failure(); }
int __thetis_pipe(int *ends) {
  if (__thetis_any_int()) return __thetis_failure();
  __thetis_has_pipe = 1;
  ends[0] = __thetis_int_between(0, 2147483647);
  ends[1] = __thetis_int_between(0, 2147483647);
  return 0;
}
int __thetis_fsync(int file) { return __thetis_success_or_failure(); }
int __thetis_ftruncate(int file, long size) { return __thetis_success_or_failure(); }
int __thetis_isatty(int file) { return __thetis_any_int() ? 1 : __thetis_failure() + 1; }

static int __thetis_path(const char *path) {
  __thetis_see_text(path);
  return __thetis_success_or_failure();
}
int __thetis_access(const char *path, int mode) { return __thetis_path(path); }
int __thetis_unlink(const char *path) { return __thetis_path(path); }
int __thetis_rmdir(const char *path) { return __thetis_path(path); }
int __thetis_mkdir(const char *path, unsigned mode) { return __thetis_path(path); }
int __thetis_chdir(const char *path) { return __thetis_path(path); }
int __thetis_chmod(const char *path, unsigned mode) { return __thetis_path(path); }
int __thetis_chown(const char *path, unsigned owner, unsigned group) { return __thetis_path(path); }
int __thetis_link(const char *path, const char *other) {
  __thetis_see_text(other);
  return __thetis_path(path);
}
int __thetis_symlink(const char *path, const char *other) { return __thetis_link(path, other); }
int __thetis_rename(const char *path, const char *other) { return __thetis_link(path, other); }
int __thetis_remove(const char *path) { return __thetis_path(path); }
long __thetis_readlink(const char *path, char *to, unsigned long n) {
  __thetis_see_text(path);
  return __thetis_read(0, to, n);
}

/* A text of at most size - 1 characters. */
static void __thetis_fill_text(char *to, unsigned long size) {
  unsigned long n = __thetis_ulong_up_to(size - 1);
  for (unsigned long i = 0; i < n; i++) {
    to[i] = __thetis_any_uchar();
    if (to[i] == 0) to[i] = 'x';
  }
  to[n] = 0;
}
char *__thetis_getcwd(char *to, unsigned long size) {
  if (to == 0) {
    __thetis_limit("`getcwd` allocates memory");
    return 0;
  }
  if (size == 0 || __thetis_any_int()) {
    __thetis_failure();
    return 0;
  }
  __thetis_fill_text(to, size);
  return to;
}
int __thetis_gethostname(char *to, unsigned long size) {
  if (size == 0 || __thetis_any_int()) return __thetis_failure();
  __thetis_fill_text(to, size);
  return 0;
}
char *__thetis_getlogin(void) { return __thetis_outside_pointer(); }

static int __thetis_process;
int __thetis_getpid(void) {
  if (__thetis_process == 0) __thetis_process = __thetis_int_between(1, 2147483647);
  return __thetis_process;
}
int __thetis_getppid(void) { return __thetis_int_between(0, 2147483647); }
unsigned __thetis_getuid(void) { return __thetis_any_uint(); }
unsigned __thetis_geteuid(void) { return __thetis_any_uint(); }
unsigned __thetis_getgid(void) { return __thetis_any_uint(); }
unsigned __thetis_getegid(void) { return __thetis_any_uint(); }
long __thetis_sysconf(int name) { return __thetis_any_int() ? __thetis_long_from(-1) : __thetis_failure(); }
int __thetis_getpagesize(void) { return __thetis_int_between(1, 2147483647); }
unsigned __thetis_alarm(unsigned seconds) { return __thetis_any_uint(); }
unsigned __thetis_sleep(unsigned seconds) {
  unsigned left = __thetis_any_uint();
  return left <= seconds ? left : 0;
}
int __thetis_usleep(unsigned microseconds) { return __thetis_success_or_failure(); }
int __thetis_sched_yield(void) { return 0; }
unsigned __thetis_umask(unsigned mask) {
  unsigned old = __thetis_any_uint();
  return old <= 0777 ? old : 022;
}

/* Bytes in pairs, exchanged. */
void __thetis_swab(const void *from, void *to, long n) {
  const unsigned char *source = from;
  unsigned char *target = to;
  for (long i = 0; i + 1 < n; i += 2) {
    unsigned char first = source[i];
    target[i] = source[i + 1];
    target[i + 1] = first;
  }
}

/* The status of another process. */
int __thetis_wait(int *status) {
  if (__thetis_any_int()) return __thetis_failure();
  if (status != 0) *status = __thetis_any_int();
  return __thetis_int_between(1, 2147483647);
}
int __thetis_waitpid(int process, int *status, int options) {
  int found = __thetis_wait(status);
  return found > 0 && (options & 1) && __thetis_any_int() ? 0 : found;
}

/* Other processes and other programs. */
int __thetis_fork(void) {
  __thetis_limit("`fork` starts another process");
  return 0;
}
int __thetis_vfork(void) {
  __thetis_limit("`vfork` starts another process");
  return 0;
}
int __thetis_execve(const char *path, char *const *arguments, char *const *environment) {
  __thetis_limit("`execve` runs another program");
  return -1;
}
int __thetis_execv(const char *path, char *const *arguments) { return __thetis_execve(path, arguments, 0); }
int __thetis_execvp(const char *path, char *const *arguments) { return __thetis_execve(path, arguments, 0); }
