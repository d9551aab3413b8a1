#define CLASS(f) CHECK(!__thetis_##f(c) == !f(c))

int main(void) {
  for (int c = -1; c < 256; c++) {
    CLASS(isdigit);
    CLASS(isupper);
    CLASS(islower);
    CLASS(isalpha);
    CLASS(isalnum);
    CLASS(isspace);
    CLASS(isblank);
    CLASS(isxdigit);
    CLASS(isprint);
    CLASS(isgraph);
    CLASS(iscntrl);
    CLASS(ispunct);
    CLASS(isascii);
    CHECK(__thetis_tolower(c) == tolower(c));
    CHECK(__thetis_toupper(c) == toupper(c));
    CHECK(__thetis_toascii(c) == toascii(c));
  }
  for (int c = -128; c < 256; c++) {
    CHECK((*__thetis___ctype_b_loc())[c] == (*__ctype_b_loc())[c]);
    CHECK((*__thetis___ctype_tolower_loc())[c] == (*__ctype_tolower_loc())[c]);
    CHECK((*__thetis___ctype_toupper_loc())[c] == (*__ctype_toupper_loc())[c]);
  }
  return finish();
}
