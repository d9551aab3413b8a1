// Assembly without instructions, which only compilers notice, and with some, which nobody models.

//== memory-barrier: both
int main(void) { int x = 3; __asm__ volatile ("" : : : "memory"); asm (""); finally(x == 3); }
//== in-and-out: both
int main(void) { int x = 3, n = 0; asm volatile ("" : "+r" (x) : "r" (n++), "m" (x) : "memory"); finally(x == 3 && n == 1); }
//== input-in-the-place-of-an-output: both
int main(void) { int x; long y; asm ("" : "=r" (x) : "0" (7)); asm ("" : [out] "=r" (y) : "[out]" (9L)); finally(x == 7 && y == 9); }
//== pointer-behind-a-barrier: both
int main(void) { int x = 1, *p; asm ("" : "=r" (p) : "0" (&x)); *p = 2; finally(x == 2); }
//== output-of-nobody-knows-what: unsafe? reasoned
int main(void) { int x = 3; asm ("" : "=r" (x)); check(x == 3); }
//== two-outputs-with-inputs: safe?
int main(void) { int x = 1, y = 2; asm ("" : "=r" (x), "=r" (y) : "0" (y), "1" (x)); check(x == 2 && y == 1); }
//== an-instruction: safe?
int main(void) { int x = 3; asm volatile ("nop" : "+r" (x)); check(x == 3); }
//== an-instruction-that-writes: unsafe?
int main(void) { int x = 3; asm volatile ("" "incl %0" : "+r" (x)); check(x == 3); }
