#ifndef LSTM_H
#define LSTM_H
#include "real.h"

/* weights: 2l rows of 4b; extra: 3 rows of b; state: 2l rows of b; sequence: c rows of b. */
real lstm(int l, int c, int b, const real *weights, const real *extra, const real *state,
          const real *sequence);
real lstm_grad(int l, int c, int b, const real *weights, real *weights_bar, const real *extra,
               real *extra_bar, const real *state, const real *sequence);
real lstm_tan(int l, int c, int b, const real *weights, const real *weights_dot, const real *extra,
              const real *extra_dot, const real *state, const real *sequence);
real lstm_hand(int l, int c, int b, const real *weights, real *weights_bar, const real *extra,
               real *extra_bar, const real *state, const real *sequence);

#endif
