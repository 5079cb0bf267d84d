#!/bin/sh
# contents.sh COMPILER T FIRST LAST: programs FIRST to LAST of contents.py, each at one level of optimisation.
here=$(dirname "$0")
for seed in $(seq "$3" "$4"); do
    inline=
    case $((seed % 5)) in
    0) flags=-O0 ;;
    1) flags=-O2 ;;
    2) flags="-O1 -g" ;;
    3) flags=-O3 ;;
    4) flags=-O2 inline=1 ;;
    esac
    python3 "$here/contents.py" "$seed" 4 >"$2.c"
    env ${inline:+COFACTOR_NO_INLINE=1} sh -c "$1 -w $flags -I $here/../../contents $2.c -lm -o $2.out" && "$2.out" ||
        { echo "contents.sh: seed $seed, $flags"; exit 1; }
done
