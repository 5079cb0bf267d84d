#!/bin/sh
# Builds the benchmark programs at one level and compares every case of size small with golden numbers.
#
#     run.sh BUILD LLVM hand|plugin|command LEVEL [float]
#
# BUILD    the build folder of the tests; programs go to BUILD/test/golden
# hand     the derivatives are those by hand, and LLVM is the name of a compiler
# command  the derivatives come from `cofactor grad`
# A problem that does not compile is a failure; the others still run.
build=$1 llvm=$2 door=$3 level=$4 kind=${5:-double}
cd "$(dirname "$0")/../.." || exit 2
out=$build/test/golden
mine=$out/$door-$(basename "$llvm")-$level-$kind
make="make -s -f bench/Makefile LEVEL=$level SHARED=$out/shared-$kind HAND_LEVEL=O1 KEEP_GOING=1"
[ "$kind" = float ] && make="$make FLOAT=1"
rm -rf "$mine"
mkdir -p "$out"
# Tests of several levels run at the same time; the first one builds what they share.
flock "$out/shared-$kind.lock" $make HAND=1 CC=cc OUT="$out/none" shared || exit 2
case $door in
hand) $make HAND=1 CC="$llvm" OUT="$mine" && "$mine/bench" check ;;
plugin) $make LLVM="$llvm" PLUGIN="$build/lib/cofactor-pass.so" OUT="$mine" && "$mine/bench" check --tool cofactor ;;
command) $make LLVM="$llvm" CLI=1 COFACTOR="$build/bin/cofactor" OUT="$mine" && "$mine/bench" check --tool cofactor ;;
esac
