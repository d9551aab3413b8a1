int n(void); void reach_error(void);
int log_level = 3;

/* A comment that moves everything. */
int main(void) { int unused = log_level; int x = 0, y = 0;
  unused++;
  while (n()) { x = x + 1; y = y + 2; if (x > 1000) { x = 0; y = 0; } }
  if (y != 2 * x) reach_error(); return 0; }
