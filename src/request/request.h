/* What a user asks for. Every way to ask (descriptor, __enzyme_ names, command line, library) yields this struct. */
#ifndef CF_REQUEST_H
#define CF_REQUEST_H
#include "support/diag.h"
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum cf_mode { CF_MODE_FORWARD, CF_MODE_REVERSE, CF_MODE_IDENTITY } cf_mode;

typedef struct cf_request {
    cf_mode mode;
    LLVMValueRef primal;   /* the function to differentiate */
    LLVMValueRef provided; /* the declared function that gets a body */
    const uint8_t *arg;    /* CF_ARG_ flags (analysis/key.h), one per IR parameter of the primal */
    unsigned n;
    unsigned width;
    bool seed, value, consume;
    cf_place place;
} cf_request;

#endif
