#define EACH(f, type)                                                            \
  CHECK(__thetis___builtin_##f((unsigned)x) == __builtin_##f((unsigned)x));      \
  CHECK(__thetis___builtin_##f##l((unsigned long)x) == __builtin_##f##l(x));     \
  CHECK(__thetis___builtin_##f##ll(x) == __builtin_##f##ll(x))

static void compare(unsigned long long x) {
  EACH(popcount, unsigned);
  EACH(parity, unsigned);
  EACH(ffs, int);
  EACH(clrsb, int);
  CHECK(__thetis___builtin_bswap16(x) == __builtin_bswap16(x));
  CHECK(__thetis___builtin_bswap32(x) == __builtin_bswap32(x));
  CHECK(__thetis___builtin_bswap64(x) == __builtin_bswap64(x));
  CHECK(__thetis_ffs(x) == ffs(x) && __thetis_ffsl(x) == ffsl(x) && __thetis_ffsll(x) == ffsll(x));
  if ((unsigned)x == 0) return;
  EACH(clz, unsigned);
  EACH(ctz, unsigned);
}

int main(void) {
  for (int i = 0; i < 64; i++)
    for (int j = 0; j < 64; j++) {
      compare(1ULL << i | 1ULL << j);
      compare((1ULL << i) - (1ULL << j));
      compare(~(1ULL << i) ^ (1ULL << j));
    }
  unsigned long long x = 88172645463325252ULL;
  for (int i = 0; i < 10000; i++) {
    compare(x);
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
  }
  return finish();
}
