int n(void); void reach_error(void);
int main(void) { int a = 0, b = 100;
  while (a < b) { a++; b--; if (n()) break; }
  if (a + b != 100) reach_error(); return 0; }
