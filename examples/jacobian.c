/* The Jacobian of a map from N numbers to M numbers, all columns in one call of a forward request with `width=N`.
 *
 *     clang-22 -O2 -Iinclude -fpass-plugin=build/22/lib/cofactor-pass.so examples/jacobian.c -lm -o jacobian */
#include <cofactor/ad.h>
#include <math.h>
#include <stdio.h>

enum { N = 3, M = 2 };

/* A camera that looks along the third axis: where a point of space is seen. */
static void project(const double *point, double *image) {
    double distance = sqrt(point[0] * point[0] + point[1] * point[1] + point[2] * point[2]);
    image[0] = 500 * point[0] / point[2] + 0.1 * distance;
    image[1] = 500 * point[1] / point[2] - 0.1 * distance;
}

/* Each shadow is an array of N pointers: direction k of the point, and what it makes of the image. */
void project_tan(const double *point, double *const point_dot[N], double *image, double *const image_dot[N]);
CF_FORWARD(project_tan, project, "dup dup width=3");

int main(void) {
    double point[N] = {1, 2, 4}, image[M], direction[N][N] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, column[N][M];
    double *const point_dot[N] = {direction[0], direction[1], direction[2]};
    double *const image_dot[N] = {column[0], column[1], column[2]};
    project_tan(point, point_dot, image, image_dot);
    printf("image (%.4f, %.4f)\n", image[0], image[1]);
    for (int i = 0; i < M; i++) {
        for (int k = 0; k < N; k++) printf("%10.4f", column[k][i]);
        printf("\n");
    }
}
