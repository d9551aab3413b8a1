int n(void); void reach_error(void);
int main(void) { int lock = 0, held = 0, waits = 0;
  while (n()) { if (lock == 0) { lock = 1; held = held + 1; } else { waits = 1; }
    if (n()) { waits = 0; lock = 0; held = 0; } }
  if (lock == 0 && held != 0) reach_error(); return 0; }
