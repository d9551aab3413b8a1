/* locale.h: only whether it is the "C" locale is known. */

/* Whether the program has set another locale than "C" (1), or one for a thread (2), which comes before the others. */
static int __thetis_has_locale;
/* The names of the locale "C" and of the one that the environment asks for, and that of others. */
static const char __thetis_plain_locale[2] = "C";
static int __thetis_has_locale_of_environment;
extern char __thetis_locale_of_environment[256];
static char __thetis_other_locale[256];
static char *__thetis_name_other_locale(void) {
  __thetis_approximate();
  __thetis_fill_text(__thetis_other_locale, 256);
  return __thetis_other_locale;
}
char *__thetis_setlocale(int category, const char *locale) {
  /* 12 is LC_IDENTIFICATION. */
  if (category < 0 || category > 12) {
    __thetis_errno = 22;
    return 0;
  }
  if (locale == 0) return __thetis_has_locale ? __thetis_name_other_locale() : (char *)__thetis_plain_locale;
  if (locale[0] == 'C' && locale[1] == 0) {
    /* 6 is LC_ALL. */
    if (category == 6 && __thetis_has_locale == 1) __thetis_has_locale = 0;
    return (char *)__thetis_plain_locale;
  }
  if (__thetis_any_int()) {
    __thetis_failure();
    return 0;
  }
  if (__thetis_has_locale == 0) __thetis_has_locale = 1;
  if (locale[0] != 0 || __thetis_has_locale_of_environment) return __thetis_name_other_locale();
  __thetis_has_locale_of_environment = 1;
  __thetis_locale_of_environment[255] = 0;
  return __thetis_locale_of_environment;
}
void *__thetis_uselocale(void *locale) {
  __thetis_has_locale = 2;
  __thetis_approximate();
  return __thetis_outside_pointer();
}
