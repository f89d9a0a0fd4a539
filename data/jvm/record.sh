#!/usr/bin/env bash
# Makes the two JVM recordings again: logs in data/jvm, CSVs in data/pauses.
# Needs a JDK 17, Python 3 and 9 GB of free memory; takes a little over 3 minutes.
# Usage: data/jvm/record.sh ["the machine in a few words"]
set -euo pipefail
export LC_ALL=C # a point in every number
cd "$(dirname "$0")"

seconds=90
live_gib=6.5
machine=${1:-$(nproc) cores, $(uname -s)}

classes=$(mktemp -d)
trap 'rm -rf "$classes"' EXIT
javac -d "$classes" Allocate.java
java_version=$(java -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java.version = //p')

# Seconds in which the machine's cores were busy since it started, all processes together.
busy() {
    awk -v ticks="$(getconf CLK_TCK)" \
        '/^cpu / { printf "%.2f", ($2 + $3 + $4 + $7 + $8) / ticks }' /proc/stat
}

# record NAME OPTION...: runs Allocate with these JVM options.
record() {
    local name=$1 busy_before said others
    shift
    busy_before=$(busy)
    # filecount=0: a second run writes the log anew, and does not set the old one aside.
    said=$(
        TIMEFORMAT='%R %U %S'
        {
            time timeout 240 java "$@" \
                -Xlog:safepoint:file="$name-safepoint.log":uptimenanos,level,tags:filecount=0 \
                -cp "$classes" Allocate "$seconds" "$live_gib" 2>&3
        } 3>&2 2> "$classes/times"
    )
    # What the cores did beside this JVM, as a share of all they could do.
    others=$(echo "$(cat "$classes/times") $(busy) $busy_before $(nproc)" |
        awk '{ o = 100 * ($4 - $5 - $2 - $3) / ($6 * $1); printf "%.0f", (o > 0) ? o : 0 }')
    python3 to_csv.py "$name-safepoint.log" \
        "Stops of a JVM at safepoints: OpenJDK $java_version, $*" \
        "Program: data/jvm/Allocate.java $seconds $live_gib; log: data/jvm/$name-safepoint.log" \
        "It said at its end: $said" \
        "Machine: $machine; other processes used about $others % of its cores meanwhile" \
        "Recorded on $(date -u +%F) with data/jvm/record.sh" \
        "start_s: seconds since the JVM started; length_ms: the whole stop (Total in the log)" \
        > "../pauses/jvm-$name.csv"
}

record g1 -Xms8g -Xmx8g -XX:+UseG1GC
# The default young generation is a third of the heap; a small one is collected more often.
record parallel -Xms8g -Xmx8g -Xmn256m -XX:+UseParallelGC

python3 ../summary.py ../pauses/jvm-g1.csv ../pauses/jvm-parallel.csv
