/* time.h: what the clock says. */

long __thetis_time(long *where) {
  long now = __thetis_any_int() ? __thetis_long_from(0) : __thetis_rare_failure();
  if (where != 0) *where = now;
  return now;
}

/* The time that the process has used only grows, until it cannot be told any more. */
static long __thetis_clock_before;
long __thetis_clock(void) {
  if (__thetis_any_int()) return __thetis_rare_failure();
  __thetis_clock_before = __thetis_long_from(__thetis_clock_before);
  return __thetis_clock_before;
}
/* The difference is rounded once. */
double __thetis_difftime(long after, long before) {
  return after >= before ? (double)((unsigned long)after - (unsigned long)before) : -(double)((unsigned long)before - (unsigned long)after);
}

struct __thetis_timespec { long sec, part; };
static struct __thetis_timespec __thetis_last_time;
/* Clock 0 may be set, clock 1 only goes forward; others are not followed. */
int __thetis_clock_gettime(int clock, struct __thetis_timespec *where) {
  if (__thetis_any_int()) return __thetis_rare_failure();
  struct __thetis_timespec now;
  now.sec = __thetis_long_from(0);
  now.part = __thetis_int_between(0, 999999999);
  if (clock == 1) {
    struct __thetis_timespec last = __thetis_last_time;
    if (last.part < 0 || last.part > 999999999) last.part = 0;
    if (now.sec < last.sec || (now.sec == last.sec && now.part < last.part)) now = last;
    __thetis_last_time = now;
  } else if (clock != 0) {
    __thetis_approximate();
  }
  where->sec = now.sec;
  where->part = now.part;
  return 0;
}
int __thetis_clock_getres(int clock, struct __thetis_timespec *where) {
  if (where == 0) return __thetis_success_or_failure();
  /* It is the same each time, which is not kept. */
  __thetis_approximate();
  return __thetis_clock_gettime(0, where);
}
int __thetis_timespec_get(struct __thetis_timespec *where, int base) {
  return base == 1 && __thetis_clock_gettime(0, where) == 0 ? base : 0;
}
int __thetis_gettimeofday(struct __thetis_timespec *where, void *zone) {
  if (zone != 0) __thetis_limit("`gettimeofday` writes a time zone");
  if (__thetis_any_int()) return __thetis_rare_failure();
  if (where != 0) {
    where->sec = __thetis_long_from(0);
    where->part = __thetis_int_between(0, 999999);
  }
  return 0;
}
int __thetis_nanosleep(const struct __thetis_timespec *wanted, struct __thetis_timespec *left) {
  long sec = wanted->sec, part = wanted->part;
  if (sec < 0 || part < 0 || part > 999999999) {
    __thetis_errno = 22;
    return -1;
  }
  if (__thetis_any_int()) return 0;
  /* Only a handler of a signal ends the wait early. */
  __thetis_approximate();
  if (left != 0) {
    left->sec = __thetis_long_from(0);
    left->part = __thetis_int_between(0, 999999999);
    if (left->sec > sec || (left->sec == sec && left->part > part)) {
      left->sec = sec;
      left->part = part;
    }
  }
  return __thetis_failure();
}

struct __thetis_tm {
  int sec, min, hour, mday, mon, year, wday, yday, isdst;
  long gmtoff;
  const char *zone;
};
static void __thetis_fill_date(struct __thetis_tm *date) {
  date->sec = __thetis_int_between(0, 60);
  date->min = __thetis_int_between(0, 59);
  date->hour = __thetis_int_between(0, 23);
  date->mday = __thetis_int_between(1, 31);
  date->mon = __thetis_int_between(0, 11);
  date->year = __thetis_any_int();
  date->wday = __thetis_int_between(0, 6);
  date->yday = __thetis_int_between(0, 365);
  date->isdst = __thetis_int_between(-1, 1);
  date->gmtoff = __thetis_any_int();
  date->zone = __thetis_outside_pointer();
}
/* What is read of a date. */
static void __thetis_see_date(const struct __thetis_tm *date) {
  int read = date->sec;
  read = date->min;
  read = date->hour;
  read = date->mday;
  read = date->mon;
  read = date->year;
}
/* Functions that know local time set variables. */
static void __thetis_set_zone(void) {
  if (__thetis_sees_variable("timezone") || __thetis_sees_variable("tzname") || __thetis_sees_variable("daylight"))
    __thetis_limit("the variables of the time zone change");
}
/* Calendars are not modelled. */
struct __thetis_tm *__thetis_gmtime_r(const long *time, struct __thetis_tm *date) {
  long seconds = *time;
  __thetis_approximate();
  if (__thetis_any_int()) {
    __thetis_failure();
    return 0;
  }
  __thetis_fill_date(date);
  return date;
}
struct __thetis_tm *__thetis_localtime_r(const long *time, struct __thetis_tm *date) {
  __thetis_set_zone();
  return __thetis_gmtime_r(time, date);
}
static struct __thetis_tm __thetis_date;
struct __thetis_tm *__thetis_gmtime(const long *time) { return __thetis_gmtime_r(time, &__thetis_date); }
struct __thetis_tm *__thetis_localtime(const long *time) { return __thetis_localtime_r(time, &__thetis_date); }
long __thetis_mktime(struct __thetis_tm *date) {
  __thetis_set_zone();
  __thetis_see_date(date);
  int is_summer = date->isdst;
  __thetis_approximate();
  if (__thetis_any_int()) {
    __thetis_may_set_errno();
    return -1;
  }
  __thetis_fill_date(date);
  return __thetis_any_long();
}
long __thetis_timegm(struct __thetis_tm *date) { return __thetis_mktime(date); }

/* Years may have more than four digits, and some dates have no text. */
static char __thetis_date_text[128];
static char *__thetis_text_of_date(void) {
  __thetis_approximate();
  if (__thetis_any_int()) {
    __thetis_failure();
    return 0;
  }
  __thetis_fill_text(__thetis_date_text, 128);
  return __thetis_date_text;
}
char *__thetis_asctime(const struct __thetis_tm *date) {
  __thetis_see_date(date);
  int day = date->wday;
  return __thetis_text_of_date();
}
/* It is asctime of localtime, so it writes the date, too. */
char *__thetis_ctime(const long *time) { return __thetis_localtime(time) == 0 ? 0 : __thetis_text_of_date(); }
unsigned long __thetis_strftime(char *to, unsigned long size, const char *format, const struct __thetis_tm *date) {
  __thetis_require(date, sizeof *date);
  __thetis_see_text(format);
  __thetis_approximate();
  /* The format says what is read. */
  __thetis_see_date(date);
  __thetis_set_zone();
  __thetis_may_set_errno();
  if (size == 0) return 0;
  if (__thetis_any_int()) {
    /* What has been written of a text that is too long has no end. */
    __thetis_fill((unsigned char *)to, __thetis_ulong_up_to(size));
    return 0;
  }
  __thetis_fill_text(to, size);
  return __thetis_strlen(to);
}
