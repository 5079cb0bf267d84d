/* What a program can see of the tape of its gradients. Generated code uses these functions if the program defines
 * them; it needs neither. C11 and C++17. */
#ifndef COFACTOR_TAPE_H
#define COFACTOR_TAPE_H
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Called when a gradient finds no memory for `bytes` more bytes of tape (SIZE_MAX: more than can be addressed). It may
 * leave by exit or longjmp (the tape's memory is lost then); when it returns, a message is printed and the program
 * aborts. It must not throw. Called in the thread of the gradient. */
void cofactor_out_of_memory(size_t bytes);

/* Called at the end of each gradient with the most heap memory that its tape held at once, in bytes. The first few
 * KiB of a tape lie on the machine stack and do not count. Called in the thread of the gradient. */
void cofactor_tape_ended(size_t peak_bytes);

#ifdef __cplusplus
}
#endif
#endif
