#!/bin/sh
# Builds the zoo and runs it.
#
#     run.sh [-c CLANG] [-p PLUGIN] [-b BUILD] [-l "O0 O1"] [-t "TOPIC ..."] [-D MACRO] [NAME ...]
#
# CLANG     clang-22
# PLUGIN    build/22/lib/cofactor-pass.so beside this source tree; "none" with -D ZOO_NUMERIC: any C compiler will do
# BUILD     where objects and executables go (a temporary folder)
# -l        levels, of O0 O1 O2 O3 and O0-g (default: all of them)
# NAME      cases or topics for the runner
#
# Each topic is compiled alone, some for float and long double too; one that does not compile is a failure, and the
# others still run. Exit status 1 where anything failed.
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
clang=clang-22 plugin=$root/build/22/lib/cofactor-pass.so build= levels="O0 O1 O2 O3 O0-g" topics= flags=
while getopts c:p:b:l:t:D: o; do
    case $o in
    c) clang=$OPTARG ;;
    p) plugin=$OPTARG ;;
    b) build=$OPTARG ;;
    l) levels=$OPTARG ;;
    t) topics=$OPTARG ;;
    D) flags="$flags -D$OPTARG" ;;
    *) sed -n '2,12p' "$0"; exit 2 ;;
    esac
done
shift $((OPTIND - 1))
[ -n "$build" ] || { build=$(mktemp -d) && trap 'rm -rf "$build"' EXIT; }
mkdir -p "$build"
[ -n "$topics" ] || topics=$(cd "$here" && ls *.c *.cpp 2>/dev/null | grep -v '^main\.c$' | sed 's/\.[a-z]*$//' | sort -u)
cc="$clang -I$root/include -I$here -Wall -Wextra $flags"
case $clang in *g++*|*gcc*) ;; *) cc="$cc -Wno-undefined-internal" ;; esac
with="$cc"
[ "$plugin" = none ] || with="$cc -fpass-plugin=$plugin"
failed=0

# compile LEVEL OPTIONS SOURCE TYPE: adds the object to $objects
compile() {
    object=$build/$(basename "$3").$1$4.o
    language="-std=gnu11"
    case $3 in *.cpp) language="-std=c++17" ;; esac
    language="$language $(sed -n 's/.*ZOO_FLAGS: //p' "$3")"
    # shellcheck disable=SC2086
    if $with $language $2 $4 -c "$3" -o "$object" 2>"$object.txt"; then
        objects="$objects $object"
        [ -s "$object.txt" ] && cat "$object.txt"
    else
        echo "FAIL to compile $(basename "$3") $4 at $1:"
        head -20 "$object.txt"
        failed=1
    fi
}

for level in $levels; do
    options=-$(echo "$level" | sed 's/-g/ -g/')
    objects=
    for t in $topics; do
        source=$here/$t.c
        [ -f "$source" ] || source=$here/$t.cpp
        compile "$level" "$options" "$source" ""
        if grep -q 'ZOO_EVERY_TYPE' "$source"; then
            compile "$level" "$options" "$source" "-DZOO_FLOAT"
            compile "$level" "$options" "$source" "-DZOO_LONG"
        fi
    done
    # shellcheck disable=SC2086
    $cc -std=gnu11 -O1 -c "$here/main.c" -o "$build/main.o" || exit 1
    # shellcheck disable=SC2086
    if $clang -pthread "$build/main.o" $objects -o "$build/zoo.$level" -lstdc++ -lm; then
        said=$("$build/zoo.$level" -q "$@" 2>&1) || failed=1
        echo "$level: $said"
    else
        echo "FAIL to link at $level"
        failed=1
    fi
done
exit $failed
