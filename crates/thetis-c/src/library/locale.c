/* locale.h: only whether it is the "C" locale is known. */

/* Whether the program has set another locale than "C". */
static int __thetis_has_locale;
extern char __thetis_name_of_locale[256];
char *__thetis_setlocale(int category, const char *locale) {
  if (locale == 0) __thetis_approximate();
  else {
    int is_plain = locale[0] == 'C' && locale[1] == 0, is_all = category == 6;
    if (!is_plain && __thetis_any_int()) return 0;
    if (!is_plain) __thetis_has_locale = 1;
    if (is_plain && is_all) __thetis_has_locale = 0;
    if (is_plain) __thetis_name_of_locale[0] = 'C';
    if (is_plain) __thetis_name_of_locale[1] = 0;
  }
  __thetis_name_of_locale[255] = 0;
  return __thetis_name_of_locale;
}
void *__thetis_uselocale(void *locale) {
  __thetis_has_locale = 1;
  __thetis_approximate();
  return __thetis_outside_pointer();
}
