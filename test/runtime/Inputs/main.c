#include <stdio.h>
#ifdef HANDLERS
#include <cofactor/tape.h>
void cofactor_tape_ended(size_t peak) { printf("peak %zu\n", peak); }
void cofactor_out_of_memory(size_t bytes) { printf("no memory for %zu\n", bytes); }
#endif

double sum(int n);
int main(void) {
    printf("%.0f\n", sum(1000000));
    return 0;
}
