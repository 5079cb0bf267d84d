#!/bin/sh
# Random programs through the plugin:  run.sh "CLANG OPTIONS" FOLDER FIRST LAST
#
# Each seed at one of six ways to compile; prints every seed that fails, with its way, and leaves its files in FOLDER.
here=$(cd "$(dirname "$0")" && pwd)
ad=$1 folder=$2 failed=0
mkdir -p "$folder"
for seed in $(seq "$3" "$4"); do
    case $((seed % 6)) in
    0) how="-O0" ;;
    1) how="-O1 apart" ;;
    2) how="-O2 -g1" ;;
    3) how="-O0 apart" ;;
    4) how="-O3" ;;
    5) how="-O2 apart" ;;
    esac
    options=${how%apart}
    [ "$options" = "$how" ] && unset COFACTOR_NO_INLINE || export COFACTOR_NO_INLINE=1
    python3 "$here/programs.py" "$seed" > "$folder/$seed.c"
    # shellcheck disable=SC2086
    $ad -w $options "-I$here" "$folder/$seed.c" -lm -o "$folder/$seed" > "$folder/$seed.txt" 2>&1 &&
        timeout 60 "$folder/$seed" >> "$folder/$seed.txt" 2>&1 && rm -f "$folder/$seed" "$folder/$seed.c" "$folder/$seed.txt" && continue
    failed=1
    echo "seed $seed ($how):"
    grep -m 5 . "$folder/$seed.txt" || echo "no message"
done
exit $failed
