#ifndef WAVE_H
#define WAVE_H
double energy(const double *x, double stiffness, int n);
#endif
