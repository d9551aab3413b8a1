/* fenv.h. Numbers are rounded to nearest; other modes are limits. Which exceptions were raised is not kept. */

int __thetis_fegetround(void) { return 0; }
int __thetis_fesetround(int mode) {
  if (mode != 0) __thetis_limit("numbers are to be rounded otherwise than to nearest");
  return 0;
}
int __thetis_feclearexcept(int exceptions) { return 0; }
int __thetis_feraiseexcept(int exceptions) { return 0; }
int __thetis_fetestexcept(int exceptions) {
  __thetis_approximate();
  return __thetis_any_int() & exceptions;
}

/* An exception that is enabled ends the program. */
int __thetis_feenableexcept(int exceptions) {
  __thetis_approximate();
  return __thetis_any_int();
}
int __thetis_fedisableexcept(int exceptions) {
  __thetis_approximate();
  return __thetis_any_int();
}
int __thetis_fegetexcept(void) {
  __thetis_approximate();
  return __thetis_any_int();
}

/* What a program does with a whole environment is not followed. */
int __thetis_fegetenv(void *environment) {
  __thetis_limit("the environment of floating-point numbers is read");
  return 0;
}
int __thetis_fesetenv(const void *environment) {
  __thetis_limit("the environment of floating-point numbers is changed");
  return 0;
}
int __thetis_feholdexcept(void *environment) {
  __thetis_limit("the environment of floating-point numbers is read");
  return 0;
}
int __thetis_feupdateenv(const void *environment) {
  __thetis_limit("the environment of floating-point numbers is changed");
  return 0;
}
int __thetis_fegetexceptflag(void *flags, int exceptions) {
  __thetis_limit("the environment of floating-point numbers is read");
  return 0;
}
int __thetis_fesetexceptflag(const void *flags, int exceptions) {
  __thetis_limit("the environment of floating-point numbers is changed");
  return 0;
}
