int n(void); void reach_error(void);
int main(void) { int in = 0, out = 0, size = 0;
  while (n()) { if (size < 8 && n()) { in++; size++; } else if (size > 0) { out++; size--; }
    if (in > 100) { in = size; out = 0; } }
  if (in - out != size) reach_error(); return 0; }
