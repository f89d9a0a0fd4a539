#!/bin/sh
# The baseline scenario here and in SimPy 4, turn about in one go on one thread: grants per second,
# and the ratio of the medians. Also compares what both counted, so that the same model is timed.
#
#     benches/pair.sh [rounds]
set -eu
cd "$(dirname "$0")/.."
rounds=${1:-5}
venv=${CARGO_TARGET_DIR:-target}/simpy

[ -x "$venv/bin/python" ] || python3 -m venv "$venv"
"$venv/bin/pip" install --quiet --requirement benches/simpy/requirements.txt
cargo bench --quiet --package fencing --bench once -- 1000 1 >/dev/null

runs=$(mktemp -d)
trap 'rm -rf "$runs"' EXIT
for seed in $(seq "$rounds"); do
    cargo bench --quiet --package fencing --bench once -- 10000000 "$seed" >>"$runs/ours"
    "$venv/bin/python" benches/simpy/baseline.py 100000 "$seed" >>"$runs/simpy"
    "$venv/bin/python" benches/simpy/baseline.py 100000 "$seed" --direct >>"$runs/direct"
done
"$venv/bin/python" benches/simpy/ratio.py "$runs/ours" "$runs/simpy" "$runs/direct"
