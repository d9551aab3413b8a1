/* stdio.h but for formats: input is arbitrary, output is read. Streams are pointers to what the program cannot see. */

/* For rules about memory: how many streams the program has opened, and which of the first ones it has closed. */
static int __thetis_num_opened;
static int __thetis_closed[4];
/* Streams 4 to 6 are those that a program starts with. */
static int __thetis_is_standard(void *stream) {
  return __thetis_is_stream(stream, 4) || __thetis_is_stream(stream, 5) || __thetis_is_stream(stream, 6);
}
/* What the first four streams that are open are for: input only (1), output only, or of a file that is empty (2), both (3), or nothing since they
   are closed (0). */
static int __thetis_use_of_streams[4];
static int __thetis_place_of(void *stream) {
  return __thetis_is_stream(stream, 0) ? 0 : __thetis_is_stream(stream, 1) ? 1 : __thetis_is_stream(stream, 2) ? 2 : __thetis_is_stream(stream, 3) ? 3 : 4;
}
static int __thetis_is_only_for(void *stream, int use) {
  int place = __thetis_place_of(stream);
  return place < 4 && __thetis_use_of_streams[place] == use;
}
/* Whether a stream may be that of another file by now. */
static int __thetis_has_moved;
/* A stream that is open is none of the others; one that was closed may be used again. Of a fifth one, it is not kept which it is. */
static void *__thetis_open_place(int use) {
  int place = __thetis_has_moved ? __thetis_int_between(0, 3) : 0;
  while (place < 4 && __thetis_use_of_streams[place] != 0) place++;
  if (place < 4) __thetis_use_of_streams[place] = use;
  if (place == 0) return __thetis_stream_at(0);
  if (place == 1) return __thetis_stream_at(1);
  if (place == 2) return __thetis_stream_at(2);
  if (place == 3) return __thetis_stream_at(3);
  __thetis_approximate();
  void *stream = __thetis_outside_pointer();
  return __thetis_is_standard(stream) ? 0 : stream;
}
static void *__thetis_open_stream(int use) {
  if (__thetis_any_int()) return 0;
  if (!__thetis_checks_memory()) return __thetis_open_place(use);
  int number = __thetis_num_opened++;
  __thetis_use_of_streams[number < 4 ? number : 3] = use;
  if (number == 0) return __thetis_stream_at(0);
  if (number == 1) return __thetis_stream_at(1);
  if (number == 2) return __thetis_stream_at(2);
  if (number > 3) __thetis_limit("more than four streams are opened");
  return __thetis_stream_at(3);
}
/* A stream has to be there, and open. */
static void __thetis_see_stream(void *stream) {
  if (!__thetis_checks_memory()) return;
  if (stream == 0) __thetis_require(stream, 1);
  if ((__thetis_closed[0] && __thetis_is_stream(stream, 0)) || (__thetis_closed[1] && __thetis_is_stream(stream, 1)) ||
      (__thetis_closed[2] && __thetis_is_stream(stream, 2)) || (__thetis_closed[3] && __thetis_is_stream(stream, 3)))
    __thetis_require(stream, 1);
}
static void __thetis_close_stream(void *stream) {
  __thetis_see_stream(stream);
  if (!__thetis_checks_memory()) return;
  if (__thetis_is_stream(stream, 0)) __thetis_closed[0] = 1;
  if (__thetis_is_stream(stream, 1)) __thetis_closed[1] = 1;
  if (__thetis_is_stream(stream, 2)) __thetis_closed[2] = 1;
  if (__thetis_is_stream(stream, 3)) __thetis_closed[3] = 1;
}

/* Which stream came to its end: none, one that is known, or others. */
static int __thetis_ends;
static void *__thetis_ended;
static void __thetis_end_stream(void *stream) {
  __thetis_ends = __thetis_ends == 0 || (__thetis_ends == 1 && __thetis_ended == stream) ? 1 : 2;
  __thetis_ended = stream;
}
/* The two streams that have given EOF last, and whether others have: unless the program starts them again, they give nothing else. */
static void *__thetis_over;
static void *__thetis_over_before;
static int __thetis_more_over;
static void __thetis_note_over(void *stream) {
  if (stream == __thetis_over || stream == __thetis_over_before) return;
  if (__thetis_over_before != 0) __thetis_more_over = 1;
  __thetis_over_before = __thetis_over;
  __thetis_over = stream;
}
/* It may also have failed. */
static void __thetis_see_end(void *stream) {
  __thetis_end_stream(stream);
  __thetis_note_over(stream);
  __thetis_may_set_errno();
}
static void __thetis_see_input(void *stream) {
  if (stream == __thetis_over || (__thetis_over_before != 0 && stream == __thetis_over_before) || __thetis_more_over)
    __thetis_approximate();
}
/* The stream that was just moved to its end, or before it, if the program cannot know where that is. */
static void *__thetis_at_end;
static void __thetis_restart_stream(void *stream) {
  if (__thetis_ends == 1 && __thetis_ended == stream) __thetis_ends = 0;
  if (__thetis_over == stream) {
    __thetis_over = __thetis_over_before;
    __thetis_over_before = 0;
  }
  if (__thetis_over_before == stream) __thetis_over_before = 0;
  if (__thetis_at_end == stream) __thetis_at_end = 0;
}
/* The state of streams is not kept after several have ended. */
static int __thetis_may_have_ended(void *stream) {
  if (__thetis_ends == 0 || (__thetis_ends == 1 && __thetis_ended != stream)) return 0;
  if (__thetis_ends == 2) __thetis_approximate();
  if (__thetis_any_int()) {
    __thetis_note_over(stream);
    return __thetis_unspecified_truth(1);
  }
  /* It has failed instead. */
  __thetis_approximate();
  return 0;
}
static void __thetis_follow(int c) {
  if (__thetis_after == 1) __thetis_assume(c < '0' || c > '9');
  if (__thetis_after == 2) __thetis_assume(c < 0 || c == ' ' || (c >= '\t' && c <= '\r'));
  if (__thetis_after == 3) __thetis_approximate();
  __thetis_after = 0;
}
/* Something else than the next character is read. */
static void __thetis_follow_otherwise(void) {
  if (__thetis_after != 0) __thetis_approximate();
  __thetis_after = 0;
}
/* Whether a stream was read or written. What is in it when it is read again is not kept. */
static int __thetis_is_used;
static int __thetis_is_known;
static int __thetis_is_standard_input_known;
static void __thetis_read_again(void *stream) {
  __thetis_after = 0;
  if (__thetis_is_used) __thetis_is_known = 1;
  if (__thetis_is_stream(stream, 4)) __thetis_is_standard_input_known = 1;
}
/* Whether the number of a stream was asked for, by which its file may be closed; and whether a stream was made for a file with a number. */
static int __thetis_asked_streams;
static int __thetis_has_numbered;
static void __thetis_use(void *stream) {
  __thetis_is_used = 1;
  __thetis_at_end = 0;
  __thetis_see_standard_files();
  if (__thetis_has_closed && (__thetis_asked_streams || __thetis_has_numbered)) __thetis_approximate();
  if (__thetis_is_known || __thetis_has_pipe || __thetis_reads_own_output(0)) __thetis_approximate();
  /* Nothing comes from a stream for output. */
  if (__thetis_is_only_for(stream, 2) || __thetis_is_stream(stream, 5) || __thetis_is_stream(stream, 6)) __thetis_approximate();
}
/* The same for functions that have no stream as an argument. */
static void __thetis_use_standard_input(void) {
  __thetis_see_standard_files();
  if (__thetis_is_standard_input_known || __thetis_reads_own_output(0)) __thetis_approximate();
}
/* Output to a stream: one for input takes nothing. */
static void __thetis_see_output(void *stream) {
  __thetis_see_stream(stream);
  __thetis_is_used = 1;
  __thetis_see_standard_files();
  if (__thetis_has_closed && (__thetis_asked_streams || __thetis_has_numbered)) __thetis_approximate();
  if (__thetis_is_only_for(stream, 1) || __thetis_is_stream(stream, 4)) __thetis_approximate();
}
int __thetis_feof(void *stream) {
  __thetis_see_stream(stream);
  return __thetis_may_have_ended(stream);
}
/* Streams hardly ever fail: a violation after a failure is not reported. */
int __thetis_ferror(void *stream) {
  __thetis_see_stream(stream);
  if (!__thetis_any_int()) return 0;
  __thetis_approximate();
  return __thetis_unspecified_truth(1);
}
/* More may come then, also to standard input whose end has ended a number. */
void __thetis_clearerr(void *stream) {
  __thetis_see_stream(stream);
  __thetis_restart_stream(stream);
  if (__thetis_after != 0 && __thetis_is_stream(stream, 4)) __thetis_after = 3;
}
void __thetis_clearerr_unlocked(void *stream) { __thetis_clearerr(stream); }
int __thetis_feof_unlocked(void *stream) { return __thetis_feof(stream); }
int __thetis_ferror_unlocked(void *stream) { return __thetis_ferror(stream); }
/* The stream whose number was asked for last, and how many there were; of the third one, whether it is one of the others is not kept. */
static void *__thetis_asked_stream;
static int __thetis_number_of_stream;
int __thetis_fileno(void *stream) {
  __thetis_see_stream(stream);
  if (__thetis_is_standard(stream) && !__thetis_has_moved)
    return __thetis_is_stream(stream, 4) ? 0 : __thetis_is_stream(stream, 5) ? 1 : 2;
  if (__thetis_has_moved) __thetis_approximate();
  if (__thetis_asked_streams == 0 || stream != __thetis_asked_stream) {
    int number = __thetis_number_of_file();
    if (__thetis_asked_streams > 1 || __thetis_has_numbered) __thetis_approximate();
    __thetis_asked_streams = __thetis_asked_streams == 0 ? 1 : 2;
    __thetis_asked_stream = stream;
    __thetis_number_of_stream = number;
  }
  return __thetis_number_of_stream;
}

/* Opening and closing. A file that the program has written may be one that it reads. */
static int __thetis_note_mode(const char *mode) {
  int is_read = mode[0] == 'r' || mode[0] == 0, is_changed = mode[0] != 0 && mode[1] != 0 && (mode[1] == '+' || mode[2] == '+');
  if (is_read && __thetis_has_written) __thetis_is_known = 1;
  if (!is_read || is_changed) __thetis_has_written = 1;
  if (mode[0] != 'r' && mode[0] != 'w' && mode[0] != 'a') __thetis_limit("a stream is opened in a mode that is not known");
  return is_changed && mode[0] != 'w' ? 3 : is_read ? 1 : 2;
}
static void *__thetis_open_file(const char *mode) {
  __thetis_see_text(mode);
  int use = __thetis_note_mode(mode);
  void *stream = __thetis_open_stream(use);
  if (stream == 0) __thetis_failure();
  return stream;
}
void *__thetis_fopen(const char *path, const char *mode) {
  if (__thetis_has_no_name(path)) return 0;
  __thetis_note_name(path);
  return __thetis_open_file(mode);
}
void *__thetis_fopen64(const char *path, const char *mode) { return __thetis_fopen(path, mode); }
/* A pipe has no positions. */
static int __thetis_has_command;
void *__thetis_popen(const char *command, const char *mode) {
  __thetis_has_command = 1;
  __thetis_see_text(command);
  return __thetis_open_file(mode);
}
/* It fails if the file was opened for something else, which is not kept. */
void *__thetis_fdopen(int file, const char *mode) {
  if (__thetis_is_bad(file)) {
    __thetis_bad_file();
    return 0;
  }
  __thetis_has_numbered = 1;
  if (__thetis_has_one_way && mode[0] != 'r') __thetis_approximate();
  return __thetis_open_file(mode);
}
void *__thetis_tmpfile(void) { return __thetis_open_file("w+"); }
void *__thetis_freopen(const char *path, const char *mode, void *stream) {
  if (__thetis_checks_memory()) __thetis_limit("whether a stream can be opened again is not followed");
  __thetis_restart_stream(stream);
  __thetis_has_moved = 1;
  __thetis_has_other_input = 1;
  __thetis_terminals = 0;
  __thetis_after = 0;
  if (__thetis_note_mode(mode) == 2) __thetis_is_known = 1;
  if (__thetis_any_int()) {
    __thetis_failure();
    return 0;
  }
  return stream;
}
void *__thetis_freopen64(const char *path, const char *mode, void *stream) { return __thetis_freopen(path, mode, stream); }
/* Its number may be that of another file by now. */
static void __thetis_leave_stream(void *stream) {
  __thetis_close_stream(stream);
  __thetis_restart_stream(stream);
  int place = __thetis_place_of(stream);
  if (place < 4) __thetis_use_of_streams[place] = 0;
  __thetis_has_moved = 1;
  __thetis_terminals = 0;
}
/* What becomes of output after standard output was closed is not followed. */
int __thetis_fclose(void *stream) {
  __thetis_leave_stream(stream);
  if (__thetis_is_stream(stream, 5) || __thetis_is_stream(stream, 6)) __thetis_approximate();
  return __thetis_success_or_failure();
}
int __thetis_pclose(void *stream) {
  __thetis_leave_stream(stream);
  int status = __thetis_any_int();
  return status == -1 ? __thetis_failure() : status;
}
int __thetis_fcloseall(void) {
  __thetis_limit("`fcloseall` closes all streams");
  return 0;
}
int __thetis_fflush(void *stream) {
  if (stream != 0) __thetis_see_stream(stream);
  return __thetis_success_or_failure();
}
void __thetis_setbuf(void *stream, char *buffer) {
  __thetis_see_stream(stream);
  if (buffer != 0) __thetis_limit("a stream uses a buffer of the program");
}
int __thetis_setvbuf(void *stream, char *buffer, int mode, unsigned long size) {
  __thetis_see_stream(stream);
  if (buffer != 0) __thetis_limit("a stream uses a buffer of the program");
  if (mode >= 0 && mode <= 2 && __thetis_any_int()) return 0;
  if (mode >= 0 && mode <= 2) __thetis_approximate();
  __thetis_may_set_errno();
  return __thetis_unspecified_truth(1);
}
void __thetis_setbuffer(void *stream, char *buffer, unsigned long size) {
  __thetis_see_stream(stream);
  if (buffer != 0) __thetis_limit("a stream uses a buffer of the program");
}
/* Streams into memory write it with every output. */
void *__thetis_fmemopen(void *buffer, unsigned long size, const char *mode) {
  __thetis_limit("a stream uses a buffer of the program");
  return 0;
}
void *__thetis_open_memstream(char **text, unsigned long *size) {
  __thetis_limit("a stream uses a buffer of the program");
  return 0;
}
void *__thetis_open_wmemstream(void *text, unsigned long *size) {
  __thetis_limit("a stream uses a buffer of the program");
  return 0;
}
void __thetis_flockfile(void *stream) { __thetis_see_stream(stream); }
void __thetis_funlockfile(void *stream) { __thetis_see_stream(stream); }

/* Positions. */
int __thetis_fseek(void *stream, long offset, int origin) {
  __thetis_see_stream(stream);
  __thetis_read_again(stream);
  if (!__thetis_any_int()) return __thetis_failure();
  if (__thetis_has_command || __thetis_has_pipe || origin < 0 || origin > 2 || (origin == 0 && offset < 0)) __thetis_approximate();
  __thetis_restart_stream(stream);
  if (origin == 2 && offset <= 0 && !__thetis_has_written && !__thetis_has_command) __thetis_at_end = stream;
  return 0;
}
int __thetis_fseeko(void *stream, long offset, int origin) { return __thetis_fseek(stream, offset, origin); }
/* The size of a file is anything, when it is asked for the first time; other positions are not kept. */
long __thetis_ftell(void *stream) {
  __thetis_see_stream(stream);
  if (stream != __thetis_at_end) __thetis_approximate();
  __thetis_at_end = 0;
  return __thetis_any_int() ? __thetis_long_from(0) : __thetis_failure();
}
long __thetis_ftello(void *stream) { return __thetis_ftell(stream); }
void __thetis_rewind(void *stream) {
  __thetis_see_stream(stream);
  __thetis_read_again(stream);
  __thetis_restart_stream(stream);
}
int __thetis_fgetpos(void *stream, void *position) {
  __thetis_limit("positions in streams are not modelled");
  return 0;
}
int __thetis_fsetpos(void *stream, const void *position) {
  __thetis_limit("positions in streams are not modelled");
  return 0;
}

/* Characters in. */
static int __thetis_next_character(void *stream) {
  __thetis_see_stream(stream);
  __thetis_use(stream);
  int c = __thetis_int_between(-1, 255);
  __thetis_follow_otherwise();
  if (c < 0) __thetis_see_end(stream);
  else __thetis_see_input(stream);
  return c;
}
int __thetis_fgetc(void *stream) { return __thetis_next_character(stream); }
int __thetis_getc(void *stream) { return __thetis_next_character(stream); }
int __thetis__IO_getc(void *stream) { return __thetis_next_character(stream); }
int __thetis_getc_unlocked(void *stream) { return __thetis_next_character(stream); }
int __thetis_fgetc_unlocked(void *stream) { return __thetis_next_character(stream); }
int __thetis_getchar(void) {
  __thetis_use_standard_input();
  int c = __thetis_int_between(-1, 255);
  __thetis_follow(c);
  if (c < 0) __thetis_see_end(__thetis_stream_at(4));
  else __thetis_see_input(__thetis_stream_at(4));
  return c;
}
int __thetis_getchar_unlocked(void) { return __thetis_getchar(); }

/* What is pushed back comes again, which is not modelled. */
int __thetis_ungetc(int c, void *stream) {
  __thetis_see_stream(stream);
  if (c == -1) return -1;
  __thetis_approximate();
  __thetis_after = 0;
  if (!__thetis_any_int()) return -1;
  __thetis_restart_stream(stream);
  return (unsigned char)c;
}

char *__thetis_fgets(char *to, int size, void *stream) {
  int n = 0;
  __thetis_see_stream(stream);
  if (size <= 0) return 0;
  while (n < size - 1) {
    int c = __thetis_next_character(stream);
    if (c < 0) {
      if (n == 0) return 0;
      if (!__thetis_any_int()) break;
      __thetis_approximate();
      return 0;
    }
    to[n++] = c;
    if (c == '\n') break;
  }
  to[n] = 0;
  return to;
}
char *__thetis_fgets_unlocked(char *to, int size, void *stream) { return __thetis_fgets(to, size, stream); }
char *__thetis_gets(char *to) {
  unsigned long n = 0;
  for (;;) {
    int c = __thetis_getchar();
    if (c < 0 && n == 0) return 0;
    if (c < 0 && __thetis_any_int()) {
      __thetis_approximate();
      return 0;
    }
    if (c < 0 || c == '\n') break;
    to[n++] = c;
  }
  to[n] = 0;
  return to;
}

/* Makes the block of a line larger. */
static unsigned long __thetis_make_room(char **line, unsigned long *size, unsigned long least) {
  unsigned long wanted = __thetis_any_ulong();
  *size = wanted >= least && wanted < 2147483648 ? wanted : least;
  *line = __builtin_realloc(*line, *size);
  return *size;
}
long __thetis_getdelim(char **line, unsigned long *size, int delimiter, void *stream) {
  unsigned long n = 0, room = *line == 0 ? 0 : *size;
  /* There may be a block even if there is no line. */
  if (room == 0 && __thetis_any_int()) room = __thetis_make_room(line, size, 1);
  for (;;) {
    int c = __thetis_next_character(stream);
    if (c < 0) {
      if (n == 0) return -1;
      if (!__thetis_any_int()) break;
      __thetis_approximate();
      return -1;
    }
    if (n + 2 > room) room = __thetis_make_room(line, size, n + 2);
    (*line)[n++] = c;
    if (c == (unsigned char)delimiter) break;
  }
  (*line)[n] = 0;
  return n;
}
long __thetis_getline(char **line, unsigned long *size, void *stream) {
  return __thetis_getdelim(line, size, '\n', stream);
}

unsigned long __thetis_fread(void *to, unsigned long size, unsigned long n, void *stream) {
  if (size == 0 || n == 0) return 0;
  __thetis_see_stream(stream);
  __thetis_use(stream);
  __thetis_follow_otherwise();
  unsigned long count = __thetis_ulong_up_to(n);
  __thetis_fill(to, count * size);
  if (count > 0) __thetis_see_input(stream);
  if (count < n) {
    __thetis_see_end(stream);
    /* A part of the next element may have been read. */
    __thetis_fill((unsigned char *)to + count * size, __thetis_ulong_up_to(size - 1));
  }
  return count;
}
unsigned long __thetis_fread_unlocked(void *to, unsigned long size, unsigned long n, void *stream) {
  return __thetis_fread(to, size, n, stream);
}

/* Other functions that read from streams. */
int __thetis_getw(void *stream) {
  int word = -1;
  return __thetis_fread(&word, sizeof word, 1, stream) == 1 ? word : -1;
}
int __thetis_vscanf(const char *format, __builtin_va_list list) {
  __thetis_limit("`vscanf` is not modelled");
  return 0;
}
int __thetis_vfscanf(void *stream, const char *format, __builtin_va_list list) {
  __thetis_limit("`vfscanf` is not modelled");
  return 0;
}
unsigned __thetis_fgetwc(void *stream) {
  __thetis_limit("wide characters are not supported");
  return 0;
}
unsigned __thetis_getwc(void *stream) { return __thetis_fgetwc(stream); }
unsigned __thetis_getwchar(void) { return __thetis_fgetwc(0); }
unsigned __thetis_fgetwc_unlocked(void *stream) { return __thetis_fgetwc(stream); }
unsigned __thetis_getwc_unlocked(void *stream) { return __thetis_fgetwc(stream); }
unsigned __thetis_getwchar_unlocked(void) { return __thetis_fgetwc(0); }
unsigned __thetis_ungetwc(unsigned c, void *stream) { return __thetis_fgetwc(stream); }
int *__thetis_fgetws(int *to, int size, void *stream) {
  __thetis_limit("wide characters are not supported");
  return 0;
}
int *__thetis_fgetws_unlocked(int *to, int size, void *stream) { return __thetis_fgetws(to, size, stream); }
int __thetis_wscanf(const int *format, ...) {
  __thetis_limit("wide characters are not supported");
  return 0;
}
int __thetis_fwscanf(void *stream, const int *format, ...) {
  __thetis_limit("wide characters are not supported");
  return 0;
}
int __thetis_vwscanf(const int *format, __builtin_va_list list) {
  __thetis_limit("wide characters are not supported");
  return 0;
}
int __thetis_vfwscanf(void *stream, const int *format, __builtin_va_list list) {
  __thetis_limit("wide characters are not supported");
  return 0;
}

/* Characters out. */
static int __thetis_written(int c) {
  __thetis_see_standard_files();
  return __thetis_any_int() ? (unsigned char)c : __thetis_rare_failure();
}
static int __thetis_written_to(int c, void *stream) {
  __thetis_see_output(stream);
  return __thetis_written(c);
}
int __thetis_putchar(int c) { return __thetis_written(c); }
int __thetis_putchar_unlocked(int c) { return __thetis_written(c); }
int __thetis_putc(int c, void *stream) { return __thetis_written_to(c, stream); }
int __thetis__IO_putc(int c, void *stream) { return __thetis_written_to(c, stream); }
int __thetis_fputc(int c, void *stream) { return __thetis_written_to(c, stream); }
int __thetis_putc_unlocked(int c, void *stream) { return __thetis_written_to(c, stream); }
int __thetis_fputc_unlocked(int c, void *stream) { return __thetis_written_to(c, stream); }
static int __thetis_text_out(const char *s) {
  __thetis_see_text(s);
  __thetis_see_standard_files();
  return __thetis_any_int() ? __thetis_int_between(0, 2147483647) : __thetis_rare_failure();
}
int __thetis_puts(const char *s) { return __thetis_text_out(s); }
int __thetis_fputs(const char *s, void *stream) {
  __thetis_see_output(stream);
  return __thetis_text_out(s);
}
int __thetis_fputs_unlocked(const char *s, void *stream) { return __thetis_fputs(s, stream); }
void __thetis_perror(const char *s) {
  if (s != 0) __thetis_see_text(s);
  __thetis_unseen_output();
}
unsigned long __thetis_fwrite(const void *from, unsigned long size, unsigned long n, void *stream) {
  if (size == 0 || n == 0) return 0;
  __thetis_see_output(stream);
  __thetis_see_bytes(from, size * n);
  unsigned long count = __thetis_ulong_up_to(n);
  if (count < n) __thetis_rare_failure();
  return count;
}
