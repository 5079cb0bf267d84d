#!/bin/sh
# Adds 1e-6 of it to the first number of a section of a golden file: spoil.sh FILE SECTION
chmod u+w "$1"
awk -v section="$2" '
    wrong { $0 = sprintf("%.17g", $1 * 1.000001); wrong = 0 }
    { print }
    $1 == "real" && $2 == section { wrong = 1 }' "$1" >"$1.new" && mv "$1.new" "$1"
