#!/bin/sh
# Differentiates code that was optimised before:  optimised.sh CLANG OPT PLUGIN INCLUDE FILE OUT [OPTIONS]
#
# At -O1 to -O3, by opt with the plugin. The program says what is wrong and returns 1.
clang=$1 opt=$2 plugin=$3 include=$4 file=$5 out=$6
shift 6
here=$(cd "$(dirname "$0")" && pwd)
for level in -O1 -O2 -O3; do
    "$clang" $level -w "-I$include" "-I$here" "$@" -c -emit-llvm "$file" -o "$out.bc" &&
        "$opt" "-load-pass-plugin=$plugin" '-passes=default<O2>' "$out.bc" -o "$out.ad.bc" &&
        "$clang" -w "$out.ad.bc" -lm -o "$out" && "$out" || {
        echo "failed: $level, optimised before"
        exit 1
    }
done
