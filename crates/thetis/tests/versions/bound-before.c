int n(void); void reach_error(void);
int main(void) { int i = 0, s = 0, t = 0;
  while (i < 3) { i++; if (n()) { s += 2; t++; } }
  if (s != 2 * t) reach_error(); return 0; }
