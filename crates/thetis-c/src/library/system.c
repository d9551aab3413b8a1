/* Calls of the operating system that programs may well have functions of their own for: only if a header of the system declares them, these are
   meant. What the system answers is arbitrary in its range. */

/* Only a handler of a signal ends the wait, which other parts of the program may have installed. */
int __thetis_pause(void) {
  __thetis_approximate();
  return __thetis_failure();
}

/* fcntl.h */
static int __thetis_open_path(const char *path, int flags) {
  if (__thetis_has_no_name(path)) return -1;
  __thetis_note_name(path);
  /* 0 is O_RDONLY, 1 is O_WRONLY. */
  if ((flags & 3) != 0) __thetis_has_written = 1;
  if ((flags & 3) < 2) __thetis_has_one_way = 1;
  return __thetis_new_file();
}
int __thetis_open(const char *path, int flags, ...) { return __thetis_open_path(path, flags); }
int __thetis_open64(const char *path, int flags, ...) { return __thetis_open_path(path, flags); }
int __thetis_openat(int folder, const char *path, int flags, ...) { return __thetis_open_path(path, flags); }
/* Duplicates, flags; all else has structures as arguments. */
int __thetis_fcntl(int file, int command, ...) {
  if (__thetis_is_bad(file)) return __thetis_bad_file();
  if (command == 0) {
    /* Its number is at least the argument, which is not looked at. */
    __thetis_approximate();
    return __thetis_new_file();
  }
  /* What was set, also when the file was opened, is not kept. */
  if (command == 1 || command == 3) __thetis_approximate();
  if (command == 1 || command == 3) return __thetis_any_int() ? __thetis_int_between(0, 2147483647) : __thetis_failure();
  if (command != 2 && command != 4) __thetis_limit("`fcntl` with this command");
  return __thetis_success_or_failure();
}

/* Files and folders. */
int __thetis_mkfifo(const char *path, unsigned mode) { return __thetis_path(path); }
int __thetis_truncate(const char *path, long size) {
  __thetis_has_written = 1;
  return __thetis_path(path);
}
int __thetis_chroot(const char *path) { return __thetis_path(path); }
int __thetis_lchown(const char *path, unsigned owner, unsigned group) { return __thetis_path(path); }
int __thetis_fchmod(int file, unsigned mode) { return __thetis_fsync(file); }
int __thetis_fchown(int file, unsigned owner, unsigned group) { return __thetis_fsync(file); }
int __thetis_fchdir(int file) { return __thetis_fsync(file); }
int __thetis_fdatasync(int file) { return __thetis_fsync(file); }
int __thetis_flock(int file, int operation) { return __thetis_fsync(file); }
int __thetis_lockf(int file, int operation, long length) { return __thetis_fsync(file); }
void __thetis_sync(void) {}
/* It is the same each time for one path, which is not kept. */
long __thetis_fpathconf(int file, int name) {
  __thetis_approximate();
  long value = __thetis_long_from(-1);
  return value >= 0 ? value : __thetis_any_int() ? -1 : __thetis_failure();
}
long __thetis_pathconf(const char *path, int name) {
  __thetis_see_text(path);
  return __thetis_fpathconf(0, name);
}

struct __thetis_file_status {
  unsigned long dev, ino, nlink;
  unsigned mode, uid, gid, unused;
  unsigned long rdev;
  long size, blksize, blocks;
  long asec, anano, msec, mnano, csec, cnano;
};
static int __thetis_look_up(struct __thetis_file_status *to) {
  if (sizeof(long) != 8) __thetis_limit("`stat` on a machine of 32 bits");
  /* Of a file that the program has written, it may know the size. */
  __thetis_see_changes();
  if (__thetis_any_int()) return __thetis_failure();
  to->dev = __thetis_any_ulong();
  to->ino = __thetis_any_ulong();
  to->nlink = __thetis_any_ulong();
  to->mode = __thetis_any_uint() & 0177777;
  to->uid = __thetis_any_uint();
  to->gid = __thetis_any_uint();
  to->rdev = __thetis_any_ulong();
  to->size = __thetis_long_from(0);
  to->blksize = __thetis_long_from(1);
  to->blocks = __thetis_long_from(0);
  to->asec = __thetis_any_long();
  to->msec = __thetis_any_long();
  to->csec = __thetis_any_long();
  to->anano = __thetis_int_between(0, 999999999);
  to->mnano = __thetis_int_between(0, 999999999);
  to->cnano = __thetis_int_between(0, 999999999);
  return 0;
}
int __thetis_lstat(const char *path, struct __thetis_file_status *to) {
  return __thetis_has_no_name(path) ? -1 : __thetis_look_up(to);
}
/* What a link leads to is no link. */
int __thetis_stat(const char *path, struct __thetis_file_status *to) {
  if (__thetis_lstat(path, to) != 0) return -1;
  if ((to->mode & 0170000) == 0120000) __thetis_approximate();
  return 0;
}
/* An open file stays the same, which is not kept. */
static int __thetis_has_seen_file;
int __thetis_fstat(int file, struct __thetis_file_status *to) {
  if (__thetis_is_bad(file)) return __thetis_bad_file();
  if (__thetis_has_seen_file) __thetis_approximate();
  __thetis_has_seen_file = 1;
  if (__thetis_look_up(to) != 0) return -1;
  if ((to->mode & 0170000) == 0120000) __thetis_approximate();
  return 0;
}

/* Users, groups of processes and terminals. */
static int __thetis_become(void) {
  __thetis_has_other_user = 1;
  return __thetis_success_or_failure();
}
int __thetis_setuid(unsigned user) { return __thetis_become(); }
int __thetis_setgid(unsigned group) { return __thetis_become(); }
int __thetis_seteuid(unsigned user) { return __thetis_become(); }
int __thetis_setegid(unsigned group) { return __thetis_become(); }
int __thetis_setreuid(unsigned user, unsigned other) { return __thetis_become(); }
int __thetis_setresuid(unsigned user, unsigned other, unsigned saved) { return __thetis_become(); }
int __thetis_setresgid(unsigned group, unsigned other, unsigned saved) { return __thetis_become(); }
int __thetis_setregid(unsigned group, unsigned other) { return __thetis_become(); }
/* The group of this process, until the program moves it. */
static int __thetis_has_other_group;
extern const int __thetis_group;
int __thetis_getpgrp(void) {
  if (!__thetis_has_other_group) return __thetis_group >= 0 ? __thetis_group : 0;
  __thetis_approximate();
  return __thetis_int_between(0, 2147483647);
}
int __thetis_setpgid(int process, int group) {
  __thetis_has_other_group = 1;
  return __thetis_success_or_failure();
}
static int __thetis_process_or_failure(void) {
  return __thetis_any_int() ? __thetis_int_between(0, 2147483647) : __thetis_failure();
}
int __thetis_setpgrp(void) { return __thetis_setpgid(0, 0); }
int __thetis_setsid(void) {
  __thetis_has_other_group = 1;
  return __thetis_process_or_failure();
}
int __thetis_getpgid(int process) {
  return process == 0 || process == __thetis_getpid() ? __thetis_getpgrp() : __thetis_process_or_failure();
}
/* The session stays the same, which is not kept. */
int __thetis_getsid(int process) {
  __thetis_approximate();
  return __thetis_process_or_failure();
}
int __thetis_tcgetpgrp(int file) { return __thetis_process_or_failure(); }
int __thetis_tcsetpgrp(int file, int group) { return __thetis_success_or_failure(); }
int __thetis_daemon(int stays, int keeps) {
  __thetis_limit("`daemon` starts another process");
  return 0;
}

/* sys/socket.h. What was sent may be received again. */
int __thetis_socket(int domain, int type, int protocol) { return __thetis_new_file(); }
int __thetis_listen(int socket, int length) { return __thetis_success_or_failure(); }
int __thetis_shutdown(int socket, int how) { return __thetis_success_or_failure(); }
int __thetis_bind(int socket, const void *address, unsigned length) {
  __thetis_see_bytes(address, length);
  return __thetis_success_or_failure();
}
int __thetis_connect(int socket, const void *address, unsigned length) { return __thetis_bind(socket, address, length); }
int __thetis_setsockopt(int socket, int level, int name, const void *value, unsigned length) {
  return __thetis_bind(socket, value, length);
}
long __thetis_sendto(int socket, const void *from, unsigned long n, int flags, const void *address, unsigned length) {
  if (address != 0) __thetis_see_bytes(address, length);
  return __thetis_write(socket, from, n);
}
int __thetis_socketpair(int domain, int type, int protocol, int *ends) { return __thetis_pipe(ends); }
int __thetis_accept(int socket, void *address, unsigned *length) {
  if (address != 0) __thetis_limit("`accept` writes an address");
  return __thetis_new_file();
}

/* poll.h */
struct __thetis_pollfd {
  int file;
  short wanted, found;
};
int __thetis_poll(struct __thetis_pollfd *files, unsigned long n, int timeout) {
  int count = 0;
  if (__thetis_any_int()) {
    /* Only a handler of a signal ends the wait for nothing. */
    if (n == 0) __thetis_approximate();
    return __thetis_failure();
  }
  for (unsigned long i = 0; i < n; i++) {
    short found = __thetis_any_int() & (files[i].wanted | 8 | 16 | 32);
    if (files[i].file < 0) found = 0;
    files[i].found = found;
    if (found != 0) count++;
  }
  /* Without a limit of time, it waits until there is something. */
  if (count == 0 && timeout < 0) __thetis_approximate();
  return count;
}

/* syslog.h: what is written is not seen, except for bad pointers. */
void __thetis_openlog(const char *name, int options, int facility) {
  if (name != 0) __thetis_see_text(name);
}
void __thetis_closelog(void) {}
void __thetis_syslog(int priority, const char *format, ...) {
  if (__thetis_checks_memory()) __thetis_limit("`syslog` reads its arguments");
}

/* A name for a file that does not exist yet: letters and digits in place of the last six characters. */
static char __thetis_letter_or_digit(void) {
  char c = __thetis_any_uchar();
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ? c : 'a';
}
int __thetis_mkstemp(char *name) {
  unsigned long length = __thetis_strlen(name);
  char *end = name + length;
  int is_template = length >= 6;
  for (int i = 1; is_template && i <= 6; i++) is_template = end[-i] == 'X';
  if (!is_template) {
    __thetis_errno = 22;
    return -1;
  }
  for (int i = 1; i <= 6; i++) end[-i] = __thetis_letter_or_digit();
  __thetis_has_written = 1;
  return __thetis_new_file();
}
