/* Functions of the compiler about the bits of numbers. */

int __thetis___builtin_popcountll(unsigned long long x) {
  x = (x & 0x5555555555555555ULL) + (x >> 1 & 0x5555555555555555ULL);
  x = (x & 0x3333333333333333ULL) + (x >> 2 & 0x3333333333333333ULL);
  x = (x & 0x0f0f0f0f0f0f0f0fULL) + (x >> 4 & 0x0f0f0f0f0f0f0f0fULL);
  x = (x & 0x00ff00ff00ff00ffULL) + (x >> 8 & 0x00ff00ff00ff00ffULL);
  x = (x & 0x0000ffff0000ffffULL) + (x >> 16 & 0x0000ffff0000ffffULL);
  return (x & 0xffffffffULL) + (x >> 32);
}
int __thetis___builtin_popcount(unsigned x) { return __thetis___builtin_popcountll(x); }
int __thetis___builtin_popcountl(unsigned long x) { return __thetis___builtin_popcountll(x); }

int __thetis___builtin_parity(unsigned x) { return __thetis___builtin_popcountll(x) & 1; }
int __thetis___builtin_parityl(unsigned long x) { return __thetis___builtin_popcountll(x) & 1; }
int __thetis___builtin_parityll(unsigned long long x) { return __thetis___builtin_popcountll(x) & 1; }

/* The bits that change from x - 1 to x are the lowest one that is set and those below it. */
int __thetis___builtin_ffsll(long long x) {
  unsigned long long bits = x;
  return bits == 0 ? 0 : __thetis___builtin_popcountll(bits ^ (bits - 1));
}
int __thetis___builtin_ffs(int x) { return __thetis___builtin_ffsll(x); }
int __thetis___builtin_ffsl(long x) { return __thetis___builtin_ffsll(x); }
