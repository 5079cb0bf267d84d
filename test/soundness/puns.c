// RUN: %S/../hazards/run.sh "%ad" %s %t
// Numbers in memory that is declared to hold integers: what types say of a place is no proof that no number's bits go through it,
// also where the number is put there and read from there in other functions than those that move it.
#include "hazard.h"

/* In slots of a type of integers, from one function to the next. */
APART void put(unsigned long *to, const unsigned long *from, int n) { if (n > 1) put(to+1, from+1, n-1); *to = *from; }
static double f(double *x, int n) { 
  unsigned long *w = malloc(sizeof *w * n), *v = malloc(sizeof *w * n); double *y = malloc(sizeof *y * n);
  for (int i = 0; i < n; i++) { double t = x[i]*x[i]; memcpy(&w[i], &t, 8); }
  put(v, w, n);
  double s = 0;
  for (int i = 0; i < n; i++) { double t; memcpy(&t, &v[i], 8); s += t; }
  free(w), free(v), free(y);
  return s; }
GRADIENT(f);
static unsigned long ws[4], vs[4];
static double g(double *x, int n) { 
  for (int i = 0; i < n; i++) { double t = x[i]*x[i]; memcpy(&ws[i], &t, 8); }
  put(vs, ws, n);
  double s = 0;
  for (int i = 0; i < n; i++) { double t; memcpy(&t, &vs[i], 8); s += t; }
  return s; }
GRADIENT(g);
struct holder { unsigned long *w; };
APART void in(struct holder *h, int i, double t) { if (i < 0) in(h, i+1, t); memcpy(&h->w[i], &t, 8); }
APART double out(struct holder *h, int i) { double t; if (i < 0) return out(h, i+1); memcpy(&t, &h->w[i], 8); return t; }
APART void mv(struct holder *h, struct holder *k, int i) { if (i < 0) mv(h, k, i+1); h->w[i] = k->w[i]; }
static double h(double *x, int n) { 
  unsigned long *w = malloc(sizeof *w * n), *v = malloc(sizeof *w * n); 
  struct holder a = {w}, b = {v};
  for (int i = 0; i < n; i++) in(&a, i, x[i]*x[i]);
  for (int i = 0; i < n; i++) mv(&b, &a, i);
  double s = 0;
  for (int i = 0; i < n; i++) s += out(&b, i);
  free(w), free(v);
  return s; }
GRADIENT(h);
int main(void) { CHECK_SAME(f,2,LIST(3,4),25,LIST(6,8)); CHECK_SAME(g,2,LIST(3,4),25,LIST(6,8));CHECK_SAME(h,2,LIST(3,4),25,LIST(6,8)); return wrong; }
