#!/bin/sh
# Prints the second model's rows of results.csv for the lines of runs.txt, or for those that are named.
#   ./count.sh                   all of them, some two minutes
#   ./count.sh 38-same-version
set -eu
cd "$(dirname "$0")"
model=$(mktemp)
trap 'rm -f "$model"' EXIT
g++ -std=c++17 -O2 -Wall -Wextra -o "$model" model.cpp
grep -v -e '^#' -e '^$' runs.txt | while read -r name options; do
    case " $* " in "  " | *" $name "*) ;; *) continue ;; esac
    # The last of two options of one name counts.
    # shellcheck disable=SC2086 # options are words
    "$model" --grants 20000 --repeats 20 $options --csv "$name"
done
