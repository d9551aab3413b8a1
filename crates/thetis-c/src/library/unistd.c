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

/* No file has a negative number. Those that were closed are not open either, unless other parts of the program have opened them since: the one
   that was closed last, one of those that a program starts with, or another. */
static int __thetis_last_closed = -1;
static int __thetis_standard_closed;
static int __thetis_others_closed;
static int __thetis_is_bad(int file) {
  if (file < 0) return 1;
  if (file == __thetis_last_closed || (file < 3 ? __thetis_standard_closed : __thetis_others_closed)) __thetis_approximate();
  return 0;
}
static void __thetis_see_standard_files(void) {
  if (__thetis_standard_closed) __thetis_approximate();
}
static int __thetis_bad_file(void) {
  __thetis_errno = 9;
  return -1;
}

/* What was written into a pipe, or is read again, is not kept. */
static int __thetis_has_pipe;
/* Nor is what the program has written into files, which it may read, also as standard input if that is another file by now. */
static int __thetis_has_written;
static int __thetis_has_other_input;
/* Whether a file may only be read, or only be written; and whether a file may have the number of another one. */
static int __thetis_has_one_way;
static int __thetis_has_copies;
static int __thetis_has_closed;
static int __thetis_reads_own_output(int file) {
  if (file == 0 && !__thetis_has_other_input) return 0;
  return __thetis_has_pipe || __thetis_has_written;
}
/* What scanf has just read ends before the next character: it was a number (1), a word (2), or something else (3). */
static int __thetis_after;
long __thetis_read(int file, void *to, unsigned long n) {
  if (__thetis_is_bad(file)) return __thetis_bad_file();
  if (__thetis_has_pipe || __thetis_reads_own_output(file) || __thetis_after != 0) __thetis_approximate();
  __thetis_after = 0;
  long count = __thetis_transfer(n);
  if (count > 0) __thetis_fill(to, count);
  return count;
}
static int __thetis_is_bad_offset(long offset) {
  if (offset < 0) __thetis_errno = 22;
  return offset < 0;
}
long __thetis_pread(int file, void *to, unsigned long n, long offset) {
  return file >= 0 && __thetis_is_bad_offset(offset) ? -1 : __thetis_read(file, to, n);
}
long __thetis_recv(int socket, void *to, unsigned long n, int flags) { return __thetis_read(socket, to, n); }
long __thetis_getrandom(void *to, unsigned long n, unsigned flags) {
  long count = __thetis_transfer(n);
  if (count > 0) __thetis_fill(to, count);
  return count;
}
int __thetis_getentropy(void *to, unsigned long n) {
  if (n > 256 || __thetis_any_int()) return __thetis_failure();
  __thetis_fill(to, n);
  return 0;
}
long __thetis_write(int file, const void *from, unsigned long n) {
  if (__thetis_is_bad(file)) return __thetis_bad_file();
  __thetis_see_bytes(from, n);
  /* Nothing can be written into a file that is only read, or into a pipe that nobody reads. */
  if (__thetis_has_one_way && (file > 2 || __thetis_has_copies)) __thetis_approximate();
  if (__thetis_has_pipe && __thetis_has_closed) __thetis_approximate();
  return __thetis_transfer(n);
}
long __thetis_pwrite(int file, const void *from, unsigned long n, long offset) {
  return file >= 0 && __thetis_is_bad_offset(offset) ? -1 : __thetis_write(file, from, n);
}
long __thetis_send(int socket, const void *from, unsigned long n, int flags) { return __thetis_write(socket, from, n); }
/* The file that was looked at last to see whether it is a terminal, and how many there were; of the third one, whether it is one of the others is
   not kept. */
static int __thetis_terminal;
static int __thetis_is_terminal;
static int __thetis_terminals;
int __thetis_isatty(int file) {
  if (file < 0) return __thetis_failure() + 1;
  if (__thetis_terminals == 0 || __thetis_terminal != file) {
    if (__thetis_terminals > 1) __thetis_approximate();
    __thetis_terminals = __thetis_terminals == 0 ? 1 : 2;
    __thetis_is_terminal = __thetis_any_int();
    __thetis_terminal = file;
  }
  return __thetis_is_terminal ? 1 : __thetis_failure() + 1;
}
int __thetis_close(int file) {
  if (__thetis_is_bad(file)) return __thetis_bad_file();
  if (file < 3) __thetis_standard_closed = 1;
  if (__thetis_last_closed > 2 && file != __thetis_last_closed) __thetis_others_closed = 1;
  __thetis_terminals = 0;
  __thetis_has_closed = 1;
  if (file == 0) __thetis_has_other_input = 1;
  if (!__thetis_any_int()) return __thetis_failure();
  __thetis_last_closed = file;
  return 0;
}
long __thetis_lseek(int file, long offset, int origin) {
  if (__thetis_is_bad(file)) return __thetis_bad_file();
  /* A pipe has no positions. */
  int may_be_pipe = __thetis_has_pipe;
  if (origin != 2) __thetis_has_pipe = 1;
  if (__thetis_any_int()) return __thetis_failure();
  if (may_be_pipe) __thetis_approximate();
  if (origin == 0 && offset >= 0 && __thetis_any_int()) return offset;
  /* Devices have positions of their own; that of a file is not kept, nor is the size of what the program has written. */
  if (origin != 2 || offset > 0 || __thetis_has_written) __thetis_approximate();
  return __thetis_long_from(0);
}
/* Files that are open have different numbers. Each new one has a greater number than those before, and than those that a program starts with,
   which are hardly ever closed; that a number is used again, as that of a file that was closed is at once, is an approximation. */
static int __thetis_last_file = 2;
static int __thetis_number_of_file(void) {
  int file = __thetis_int_between(0, 2147483647);
  if (file <= __thetis_last_file || __thetis_has_closed) __thetis_approximate();
  __thetis_last_file = file;
  return file;
}
static int __thetis_new_number(void) {
  int file = __thetis_number_of_file();
  __thetis_last_closed = -1;
  if (file == 0) __thetis_has_other_input = 1;
  return file;
}
static int __thetis_new_file(void) { return __thetis_any_int() ? __thetis_new_number() : __thetis_failure(); }
/* There is no file without a name. */
static int __thetis_has_no_name(const char *path) {
  __thetis_see_text(path);
  if (path == 0 || path[0] != 0) return 0;
  __thetis_errno = 2;
  return 1;
}
/* What comes from /dev/null, /dev/zero and /dev/full is known, as if the program had written it. */
static void __thetis_note_name(const char *path) {
  if (path == 0 || path[0] != '/' || path[1] != 'd' || path[2] != 'e' || path[3] != 'v' || path[4] != '/') return;
  if (path[5] == 'n' || path[5] == 'z' || path[5] == 'f') __thetis_has_written = 1;
}
int __thetis_creat(const char *path, unsigned mode) {
  if (__thetis_has_no_name(path)) return -1;
  __thetis_has_written = 1;
  __thetis_has_one_way = 1;
  return __thetis_new_file();
}
int __thetis_dup(int file) {
  if (__thetis_is_bad(file)) return __thetis_bad_file();
  int copy = __thetis_new_file();
  if (copy == file) __thetis_approximate();
  return copy;
}
int __thetis_dup2(int file, int wanted) {
  if (__thetis_is_bad(file)) return __thetis_bad_file();
  __thetis_terminals = 0;
  __thetis_last_closed = -1;
  if (wanted == 0) __thetis_has_other_input = 1;
  __thetis_has_copies = 1;
  if (wanted < 0 || !__thetis_any_int()) return __thetis_failure();
  if (wanted > __thetis_last_file) __thetis_last_file = wanted;
  return wanted;
}
int __thetis_dup3(int file, int wanted, int flags) {
  if (file >= 0 && file == wanted) {
    __thetis_errno = 22;
    return -1;
  }
  return __thetis_dup2(file, wanted);
}
int __thetis_pipe(int *ends) {
  if (__thetis_any_int()) return __thetis_failure();
  __thetis_has_pipe = 1;
  __thetis_has_one_way = 1;
  ends[0] = __thetis_new_number();
  ends[1] = __thetis_new_number();
  return 0;
}
int __thetis_fsync(int file) { return __thetis_is_bad(file) ? __thetis_bad_file() : __thetis_success_or_failure(); }
int __thetis_ftruncate(int file, long size) {
  if (__thetis_is_bad(file)) return __thetis_bad_file();
  __thetis_has_written = 1;
  return __thetis_success_or_failure();
}

/* What the program has changed about files may show when it looks at them. */
static int __thetis_has_changed;
static void __thetis_see_changes(void) {
  if (__thetis_has_changed || __thetis_has_written) __thetis_approximate();
}
static int __thetis_path(const char *path) {
  if (__thetis_has_no_name(path)) return -1;
  __thetis_has_changed = 1;
  return __thetis_success_or_failure();
}
int __thetis_access(const char *path, int mode) {
  if (__thetis_has_no_name(path)) return -1;
  __thetis_see_changes();
  return __thetis_success_or_failure();
}
int __thetis_unlink(const char *path) { return __thetis_path(path); }
int __thetis_rmdir(const char *path) { return __thetis_path(path); }
int __thetis_mkdir(const char *path, unsigned mode) { return __thetis_path(path); }
int __thetis_chdir(const char *path) { return __thetis_path(path); }
int __thetis_chmod(const char *path, unsigned mode) { return __thetis_path(path); }
int __thetis_chown(const char *path, unsigned owner, unsigned group) { return __thetis_path(path); }
int __thetis_link(const char *path, const char *other) { return __thetis_has_no_name(other) ? -1 : __thetis_path(path); }
int __thetis_symlink(const char *path, const char *other) { return __thetis_link(path, other); }
int __thetis_rename(const char *path, const char *other) { return __thetis_link(path, other); }
int __thetis_remove(const char *path) { return __thetis_path(path); }
long __thetis_readlink(const char *path, char *to, unsigned long n) {
  if (__thetis_has_no_name(path)) return -1;
  if (n == 0) {
    __thetis_errno = 22;
    return -1;
  }
  __thetis_see_changes();
  long count = __thetis_transfer(n);
  if (count == 0) count = 1;
  for (long i = 0; i < count; i++) {
    char c = __thetis_any_uchar();
    to[i] = c != 0 ? c : 'x';
  }
  return count;
}

char *__thetis_getcwd(char *to, unsigned long size) {
  if (to == 0) {
    __thetis_limit("`getcwd` allocates memory");
    return 0;
  }
  if (size < 2 || __thetis_any_int()) {
    __thetis_failure();
    return 0;
  }
  to[0] = '/';
  __thetis_fill_text(to + 1, size - 1);
  return to;
}
int __thetis_gethostname(char *to, unsigned long size) {
  if (size == 0 || __thetis_any_int()) return __thetis_failure();
  __thetis_fill_text(to, size);
  return 0;
}
char *__thetis_getlogin(void) { return __thetis_outside_pointer(); }

/* What stays the same while a process runs. */
extern const int __thetis_process;
extern const int __thetis_size_of_pages;
extern const unsigned __thetis_users[4];
int __thetis_getpid(void) { return __thetis_process >= 1 ? __thetis_process : 1; }
int __thetis_getpagesize(void) {
  int size = __thetis_size_of_pages;
  return size >= 1 && (size & (size - 1)) == 0 ? size : 4096;
}
int __thetis_getppid(void) { return __thetis_int_between(0, 2147483647); }
/* Users, until the program becomes another one. */
static int __thetis_has_other_user;
static unsigned __thetis_user(int kind) {
  if (!__thetis_has_other_user) return __thetis_users[kind];
  __thetis_approximate();
  return __thetis_any_uint();
}
unsigned __thetis_getuid(void) { return __thetis_user(0); }
unsigned __thetis_geteuid(void) { return __thetis_user(1); }
unsigned __thetis_getgid(void) { return __thetis_user(2); }
unsigned __thetis_getegid(void) { return __thetis_user(3); }
/* The setting that the program has asked for last, and how many there were; of the third one, whether it is one of the others is not kept. */
static int __thetis_setting;
static long __thetis_value_of_setting;
static int __thetis_settings;
long __thetis_sysconf(int name) {
  if (name < 0 || name > 300) {
    __thetis_errno = 22;
    return -1;
  }
  /* The size of pages has a function of its own. */
  if (name == 30) return __thetis_getpagesize();
  /* Memory, processors and limits of processes come and go: 0, 1 and 4 are _SC_ARG_MAX, _SC_CHILD_MAX and _SC_OPEN_MAX, 83 to 86 from
     _SC_NPROCESSORS_CONF to _SC_AVPHYS_PAGES. */
  int changes = name == 0 || name == 1 || name == 4 || (name >= 83 && name <= 86);
  if (changes || __thetis_settings == 0 || __thetis_setting != name) {
    if (__thetis_settings > 1) __thetis_approximate();
    __thetis_settings = __thetis_settings == 0 ? 1 : 2;
    __thetis_setting = name;
    __thetis_value_of_setting = __thetis_long_from(-1);
    /* Few settings can be zero. */
    if (__thetis_value_of_setting == 0) __thetis_approximate();
  }
  long value = __thetis_value_of_setting;
  return value >= 0 ? value : __thetis_any_int() ? -1 : __thetis_failure();
}
/* What is left of the alarm before, which the program hardly ever has inherited: a violation after it is not reported. */
static int __thetis_has_alarm;
static unsigned __thetis_seconds;
unsigned __thetis_alarm(unsigned seconds) {
  unsigned left = __thetis_any_uint(), before = __thetis_seconds;
  int is_known = __thetis_has_alarm;
  __thetis_has_alarm = 1;
  __thetis_seconds = seconds;
  if (!is_known && left != 0) __thetis_approximate();
  return is_known && left > before ? before : left;
}
/* Other ways to set the same alarm. */
struct __thetis_timer { long interval_sec, interval_part, sec, part; };
int __thetis_setitimer(int which, const struct __thetis_timer *wanted, struct __thetis_timer *before) {
  __thetis_approximate();
  if (wanted != 0) __thetis_see_bytes(wanted, sizeof *wanted);
  if (before != 0) {
    before->interval_sec = __thetis_long_from(0);
    before->interval_part = __thetis_int_between(0, 999999);
    before->sec = __thetis_long_from(0);
    before->part = __thetis_int_between(0, 999999);
  }
  __thetis_has_alarm = 0;
  return __thetis_success_or_failure();
}
unsigned __thetis_ualarm(unsigned microseconds, unsigned interval) {
  __thetis_approximate();
  __thetis_has_alarm = 0;
  return __thetis_any_uint();
}
/* Only a handler of a signal ends a wait early, which other parts of the program may have installed. */
unsigned __thetis_sleep(unsigned seconds) {
  unsigned left = __thetis_any_uint();
  if (left == 0 || left > seconds) return 0;
  __thetis_approximate();
  return left;
}
int __thetis_usleep(unsigned microseconds) {
  if (__thetis_any_int()) return 0;
  if (microseconds < 1000000) __thetis_approximate();
  return __thetis_failure();
}
int __thetis_sched_yield(void) { return 0; }
/* The mask that the program has set, or a number that is none. */
static unsigned __thetis_mask = 01000;
unsigned __thetis_umask(unsigned mask) {
  unsigned old = __thetis_mask <= 0777 ? __thetis_mask : __thetis_any_uint();
  __thetis_mask = mask & 0777;
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

/* The status of another process, which other parts of the program have started. */
int __thetis_wait(int *status) {
  if (__thetis_any_int()) return __thetis_failure();
  __thetis_approximate();
  if (status != 0) *status = __thetis_any_int();
  return __thetis_int_between(1, 2147483647);
}
int __thetis_waitpid(int process, int *status, int options) {
  int found = __thetis_wait(status);
  if (found > 0 && (options & 1) && __thetis_any_int()) return 0;
  return found > 0 && process > 0 ? process : found;
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
