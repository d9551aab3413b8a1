int n(void); void reach_error(void);
int main(void) { int x = 0, y = 2;
  while (x < 4) { x++; if (x > 2) y++; }
  if (y != 4) reach_error(); return 0; }
