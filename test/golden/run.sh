#!/bin/sh
# Builds the benchmark programs at one level and compares every case of size small with golden numbers.
#
#     run.sh BUILD LLVM PLUGIN LEVEL [float]
#
# BUILD    the build folder of the tests; programs go to BUILD/test/golden
# PLUGIN   or "hand": LLVM is then the name of a compiler, and the derivatives are those by hand
# A problem that does not compile is a failure; the others still run.
build=$1 llvm=$2 plugin=$3 level=$4 kind=${5:-double}
cd "$(dirname "$0")/../.." || exit 2
out=$build/test/golden
make="make -s -f bench/Makefile SHARED=$out/shared-$kind HAND_LEVEL=O1 KEEP_GOING=1"
[ "$kind" = float ] && make="$make FLOAT=1"
mkdir -p "$out"
# Tests of several levels run at the same time; the first one builds what they share.
flock "$out/shared-$kind.lock" $make HAND=1 CC=cc OUT="$out/none" shared || exit 2
if [ "$plugin" = hand ]; then
    $make HAND=1 CC="$llvm" LEVEL="$level" OUT="$out/hand-$(basename "$llvm")-$level-$kind" || exit 1
    exec "$out/hand-$(basename "$llvm")-$level-$kind/bench" check
fi
$make LLVM="$llvm" PLUGIN="$plugin" LEVEL="$level" OUT="$out/$level-$kind" || exit 1
exec "$out/$level-$kind/bench" check --tool cofactor
