#ifndef VOLUME_H
#define VOLUME_H
double volume(const double *side);
double volume_gradient(const double *side, double *side_bar);
double volume_change(const double *side, const double *side_dot);
#endif
