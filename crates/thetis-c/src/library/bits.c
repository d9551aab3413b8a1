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
int __thetis_ffs(int x) { return __thetis___builtin_ffsll(x); }
int __thetis_ffsl(long x) { return __thetis___builtin_ffsll(x); }
int __thetis_ffsll(long long x) { return __thetis___builtin_ffsll(x); }

/* The number of zeros below the lowest bit that is set; of zero it is undefined. */
int __thetis___builtin_ctzll(unsigned long long x) {
  if (x == 0) return __thetis_unspecified_int();
  return __thetis___builtin_popcountll(x ^ (x - 1)) - 1;
}
int __thetis___builtin_ctz(unsigned x) { return __thetis___builtin_ctzll(x); }
int __thetis___builtin_ctzl(unsigned long x) { return __thetis___builtin_ctzll(x); }

/* All bits below the highest one that is set are set, then counted. */
int __thetis___builtin_clzll(unsigned long long x) {
  if (x == 0) return __thetis_unspecified_int();
  x |= x >> 1;
  x |= x >> 2;
  x |= x >> 4;
  x |= x >> 8;
  x |= x >> 16;
  x |= x >> 32;
  return 64 - __thetis___builtin_popcountll(x);
}
int __thetis___builtin_clz(unsigned x) {
  return x == 0 ? __thetis_unspecified_int() : __thetis___builtin_clzll(x) - 32;
}
int __thetis___builtin_clzl(unsigned long x) {
  return x == 0 ? __thetis_unspecified_int() : __thetis___builtin_clzll(x) - (64 - 8 * (int)sizeof(long));
}

/* How many bits after the sign are equal to it. */
int __thetis___builtin_clrsbll(long long x) {
  unsigned long long bits = x < 0 ? ~x : x;
  return bits == 0 ? 63 : __thetis___builtin_clzll(bits) - 1;
}
int __thetis___builtin_clrsb(int x) { return __thetis___builtin_clrsbll(x) - 32; }
int __thetis___builtin_clrsbl(long x) { return __thetis___builtin_clrsbll(x) - (64 - 8 * (int)sizeof(long)); }

unsigned short __thetis___builtin_bswap16(unsigned short x) { return x << 8 | x >> 8; }
unsigned __thetis___builtin_bswap32(unsigned x) {
  return x << 24 | (x & 0xff00) << 8 | (x >> 8 & 0xff00) | x >> 24;
}
unsigned long long __thetis___builtin_bswap64(unsigned long long x) {
  return (unsigned long long)__thetis___builtin_bswap32(x) << 32 | __thetis___builtin_bswap32(x >> 32);
}
unsigned short __thetis_htons(unsigned short x) { return __thetis___builtin_bswap16(x); }
unsigned short __thetis_ntohs(unsigned short x) { return __thetis___builtin_bswap16(x); }
unsigned __thetis_htonl(unsigned x) { return __thetis___builtin_bswap32(x); }
unsigned __thetis_ntohl(unsigned x) { return __thetis___builtin_bswap32(x); }
