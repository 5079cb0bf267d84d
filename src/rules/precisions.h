/* Includes the file TEXT once for each of the three precisions, with
 *   T, S, MODE      type, suffix, and letter in names such as __muldc3
 *   TINY, HUGE_     the normal numbers that are neither so small nor so large that their squares are inexact or overflow
 *   SMALLEST        the smallest normal number
 *   LARGEST         the largest number
 *   UP              a power of two that makes any denormal number normal */
#include "rule.h"
#include <float.h>

#define T double
#define S
#define MODE d
#define TINY 0x1p-480
#define HUGE_ 0x1p+500
#define SMALLEST DBL_MIN
#define LARGEST DBL_MAX
#define UP 0x1p+200
#include TEXT
#undef T
#undef S
#undef MODE
#undef TINY
#undef HUGE_
#undef SMALLEST
#undef LARGEST
#undef UP

#define T float
#define S f
#define MODE s
#define TINY 0x1p-50F
#define HUGE_ 0x1p+60F
#define SMALLEST FLT_MIN
#define LARGEST FLT_MAX
#define UP 0x1p+60F
#include TEXT
#undef T
#undef S
#undef MODE
#undef TINY
#undef HUGE_
#undef SMALLEST
#undef LARGEST
#undef UP

#define T long double
#define S l
#define MODE x
#define TINY 0x1p-8000L
#define HUGE_ 0x1p+8000L
#define SMALLEST LDBL_MIN
#define LARGEST LDBL_MAX
#define UP 0x1p+200L
#include TEXT
#undef T
#undef S
#undef MODE
#undef TINY
#undef HUGE_
#undef SMALLEST
#undef LARGEST
#undef UP
#undef TEXT
