/* The bitcode that belongs to Cofactor, embedded when it is built: whole bitcode files of the LLVM version that
 * Cofactor is linked with. Rules: src/rules. Runtime (the tape), check (checked requests), context
 * (callbacks in contexts): src/runtime. */
#ifndef CF_EMBED_H
#define CF_EMBED_H
#include <stddef.h>

extern const unsigned char cf_rules_bitcode[];
extern const size_t cf_rules_bitcode_size;
extern const unsigned char cf_runtime_bitcode[];
extern const size_t cf_runtime_bitcode_size;
extern const unsigned char cf_check_bitcode[];
extern const size_t cf_check_bitcode_size;
extern const unsigned char cf_context_bitcode[];
extern const size_t cf_context_bitcode_size;

#endif
