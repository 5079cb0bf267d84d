# usage: newer.sh COFACTOR FILECHECK TEST SOURCE STEM
for kind in bc ll; do
    /usr/lib/llvm-22/bin/clang -O1 -g0 -S -emit-llvm "$4" -o "$5.ll" || exit 1
    [ $kind = ll ] || /usr/lib/llvm-22/bin/llvm-as "$5.ll" -o "$5.bc" || exit 1
    "$1" grad "$5.$kind" -f f -o "$5.o" > "$5.text" 2>&1 && { echo "$kind was taken"; exit 1; }
    "$2" --check-prefix="$(echo $kind | tr a-z A-Z)" "$3" < "$5.text" || exit 1
done
