/* ctype.h. In another locale than "C" more characters are letters, and others are the lower case of a letter; which, is not modelled. */

static int __thetis_truth_of_locale(int truth) {
  if (!__thetis_has_locale) return __thetis_unspecified_truth(truth);
  __thetis_approximate();
  return __thetis_any_int();
}
int __thetis_isdigit(int c) { return __thetis_unspecified_truth(c >= '0' && c <= '9'); }
int __thetis_isupper(int c) { return __thetis_truth_of_locale(c >= 'A' && c <= 'Z'); }
int __thetis_islower(int c) { return __thetis_truth_of_locale(c >= 'a' && c <= 'z'); }
int __thetis_isalpha(int c) {
  return __thetis_truth_of_locale((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'));
}
int __thetis_isalnum(int c) {
  return __thetis_truth_of_locale((c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'));
}
int __thetis_isspace(int c) { return __thetis_truth_of_locale(c == ' ' || (c >= '\t' && c <= '\r')); }
int __thetis_isblank(int c) { return __thetis_truth_of_locale(c == ' ' || c == '\t'); }
int __thetis_isxdigit(int c) {
  return __thetis_unspecified_truth((c >= '0' && c <= '9') || (c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f'));
}
int __thetis_isprint(int c) { return __thetis_truth_of_locale(c >= ' ' && c <= '~'); }
int __thetis_isgraph(int c) { return __thetis_truth_of_locale(c > ' ' && c <= '~'); }
int __thetis_iscntrl(int c) { return __thetis_truth_of_locale((c >= 0 && c < ' ') || c == 127); }
int __thetis_ispunct(int c) {
  return __thetis_truth_of_locale((c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') ||
                                    (c >= '{' && c <= '~'));
}
int __thetis_isascii(int c) { return __thetis_unspecified_truth(c >= 0 && c < 128); }
int __thetis_toascii(int c) { return c & 127; }
/* Of a negative character, some libraries return the character as an unsigned one. */
static int __thetis_case_of_locale(int c) {
  if (!__thetis_has_locale) return c < -1 && c >= -128 && __thetis_unspecified_int() ? c + 256 : c;
  __thetis_approximate();
  return __thetis_any_int();
}
int __thetis_tolower(int c) { return __thetis_case_of_locale(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c); }
int __thetis_toupper(int c) { return __thetis_case_of_locale(c >= 'a' && c <= 'z' ? c - ('a' - 'A') : c); }

/* The tables behind the macros of glibc, from character -128 on. */
static const unsigned short __thetis_classes[384] = {
  [128 ... 136] = 2, [137] = 8195, [138 ... 141] = 8194, [142 ... 159] = 2, [160] = 24577, [161 ... 175] = 49156,
  [176 ... 185] = 55304, [186 ... 192] = 49156, [193 ... 198] = 54536, [199 ... 218] = 50440, [219 ... 224] = 49156,
  [225 ... 230] = 54792, [231 ... 250] = 50696, [251 ... 254] = 49156, [255] = 2,
};
static const int __thetis_lower_case[384] = {
  128, 129, 130, 131, 132, 133, 134, 135, 136, 137, 138, 139, 140, 141, 142, 143, 144, 145, 146, 147, 148, 149, 150,
  151, 152, 153, 154, 155, 156, 157, 158, 159, 160, 161, 162, 163, 164, 165, 166, 167, 168, 169, 170, 171, 172, 173,
  174, 175, 176, 177, 178, 179, 180, 181, 182, 183, 184, 185, 186, 187, 188, 189, 190, 191, 192, 193, 194, 195, 196,
  197, 198, 199, 200, 201, 202, 203, 204, 205, 206, 207, 208, 209, 210, 211, 212, 213, 214, 215, 216, 217, 218, 219,
  220, 221, 222, 223, 224, 225, 226, 227, 228, 229, 230, 231, 232, 233, 234, 235, 236, 237, 238, 239, 240, 241, 242,
  243, 244, 245, 246, 247, 248, 249, 250, 251, 252, 253, 254, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14,
  15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43,
  44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 97, 98, 99, 100, 101, 102, 103,
  104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115, 116, 117, 118, 119, 120, 121, 122, 91, 92, 93, 94, 95,
  96, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115, 116, 117, 118, 119,
  120, 121, 122, 123, 124, 125, 126, 127, 128, 129, 130, 131, 132, 133, 134, 135, 136, 137, 138, 139, 140, 141, 142,
  143, 144, 145, 146, 147, 148, 149, 150, 151, 152, 153, 154, 155, 156, 157, 158, 159, 160, 161, 162, 163, 164, 165,
  166, 167, 168, 169, 170, 171, 172, 173, 174, 175, 176, 177, 178, 179, 180, 181, 182, 183, 184, 185, 186, 187, 188,
  189, 190, 191, 192, 193, 194, 195, 196, 197, 198, 199, 200, 201, 202, 203, 204, 205, 206, 207, 208, 209, 210, 211,
  212, 213, 214, 215, 216, 217, 218, 219, 220, 221, 222, 223, 224, 225, 226, 227, 228, 229, 230, 231, 232, 233, 234,
  235, 236, 237, 238, 239, 240, 241, 242, 243, 244, 245, 246, 247, 248, 249, 250, 251, 252, 253, 254, 255,
};
static const int __thetis_upper_case[384] = {
  128, 129, 130, 131, 132, 133, 134, 135, 136, 137, 138, 139, 140, 141, 142, 143, 144, 145, 146, 147, 148, 149, 150,
  151, 152, 153, 154, 155, 156, 157, 158, 159, 160, 161, 162, 163, 164, 165, 166, 167, 168, 169, 170, 171, 172, 173,
  174, 175, 176, 177, 178, 179, 180, 181, 182, 183, 184, 185, 186, 187, 188, 189, 190, 191, 192, 193, 194, 195, 196,
  197, 198, 199, 200, 201, 202, 203, 204, 205, 206, 207, 208, 209, 210, 211, 212, 213, 214, 215, 216, 217, 218, 219,
  220, 221, 222, 223, 224, 225, 226, 227, 228, 229, 230, 231, 232, 233, 234, 235, 236, 237, 238, 239, 240, 241, 242,
  243, 244, 245, 246, 247, 248, 249, 250, 251, 252, 253, 254, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14,
  15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43,
  44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72,
  73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95, 96, 65, 66, 67, 68, 69,
  70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 123, 124, 125, 126, 127, 128,
  129, 130, 131, 132, 133, 134, 135, 136, 137, 138, 139, 140, 141, 142, 143, 144, 145, 146, 147, 148, 149, 150, 151,
  152, 153, 154, 155, 156, 157, 158, 159, 160, 161, 162, 163, 164, 165, 166, 167, 168, 169, 170, 171, 172, 173, 174,
  175, 176, 177, 178, 179, 180, 181, 182, 183, 184, 185, 186, 187, 188, 189, 190, 191, 192, 193, 194, 195, 196, 197,
  198, 199, 200, 201, 202, 203, 204, 205, 206, 207, 208, 209, 210, 211, 212, 213, 214, 215, 216, 217, 218, 219, 220,
  221, 222, 223, 224, 225, 226, 227, 228, 229, 230, 231, 232, 233, 234, 235, 236, 237, 238, 239, 240, 241, 242, 243,
  244, 245, 246, 247, 248, 249, 250, 251, 252, 253, 254, 255,
};
static const unsigned short *const __thetis_class_table = __thetis_classes + 128;
static const int *const __thetis_lower_table = __thetis_lower_case + 128;
static const int *const __thetis_upper_table = __thetis_upper_case + 128;
static void __thetis_see_locale(void) {
  if (__thetis_has_locale) __thetis_limit("the classes of characters in another locale than \"C\"");
}
const unsigned short **__thetis___ctype_b_loc(void) {
  __thetis_see_locale();
  return (const unsigned short **)&__thetis_class_table;
}
const int **__thetis___ctype_tolower_loc(void) {
  __thetis_see_locale();
  return (const int **)&__thetis_lower_table;
}
const int **__thetis___ctype_toupper_loc(void) {
  __thetis_see_locale();
  return (const int **)&__thetis_upper_table;
}
