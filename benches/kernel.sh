#!/bin/sh
# How long a reader waits: from kernel start to the first picture of a notebook, and from running a
# changed cell to its picture. Measures notebook 01, or the notebooks named.
#
# The aims, on two cores: 10 s and 1 s. Let nothing else run meanwhile.
set -eu
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- notebooks/01_*.ipynb
exec cargo lab run --timings "$@"
