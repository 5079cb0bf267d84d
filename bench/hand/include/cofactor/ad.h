/* Stands in for Cofactor's header in builds without Cofactor: requests ask for nothing, so that the programs
 * and the derivatives by hand build with any C compiler. */
#ifndef COFACTOR_AD_H
#define COFACTOR_AD_H
#define CF_FORWARD(name, f, words) struct cf_none_##name
#define CF_REVERSE(name, f, words) struct cf_none_##name
#endif
