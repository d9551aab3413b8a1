int n(void); void reach_error(void);
int main(void) { int x = 0, y = 0;
  while (n()) { x = x + 1; y = y + 2; if (x > 1000) { x = 0; y = 0; } }
  if (y != 2 * x) reach_error(); return 0; }
