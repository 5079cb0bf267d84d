#!/bin/sh
# Compiles one test at every level and runs it:  run.sh "CLANG OPTIONS" FILE OUT [LIBRARIES]
#
# -O0 to -O3 and -g, with inlining and, as pairs of functions, without (COFACTOR_NO_INLINE). The program says what is
# wrong and returns 1. Stops at the first level that fails, and names it.
ad=$1 file=$2 out=$3
shift 3
here=$(cd "$(dirname "$0")" && pwd)
for how in -O0 -O1 "-O2 -g" -O3 "-O0 -g apart" "-O2 apart"; do
    options=${how%apart}
    [ "$options" = "$how" ] && unset COFACTOR_NO_INLINE || export COFACTOR_NO_INLINE=1
    # shellcheck disable=SC2086
    $ad -Wall -Wextra $options "$file" "-I$here" "$@" -lm -pthread -o "$out" && "$out" || {
        echo "failed: $how"
        exit 1
    }
done
