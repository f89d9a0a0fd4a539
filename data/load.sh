#!/usr/bin/env bash
# Keeps the machine busy: N loops that do nothing useful, for S seconds.
# Usage: data/load.sh N S
set -euo pipefail

loops=${1:-}
seconds=${2:-}
if ! [[ $loops =~ ^[1-9][0-9]?$ && $seconds =~ ^[1-9][0-9]{0,3}$ && $# -eq 2 ]]; then
    echo "usage: data/load.sh N S   (N busy loops, 1 to 99, for S seconds, 1 to 9999)" >&2
    exit 2
fi

ids=()
# Only what was started here is ended, each by its id; also on Ctrl-C.
end_all() {
    kill "${ids[@]}" 2>/dev/null || true
    wait
}
trap end_all EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# SECONDS counts in bash itself. Each loop has its own bound, should this script be killed.
SECONDS=0
for ((i = 0; i < loops; i++)); do
    (
        trap - EXIT INT TERM
        while ((SECONDS < seconds + 2)); do :; done
    ) &
    ids+=("$!")
done
echo "$loops busy loops for $seconds seconds"
sleep "$seconds" &
ids+=("$!")
wait "$!"
