#!/usr/bin/env python3
"""Prints the main figures of recorded pauses as a table.

Usage: python3 summary.py CSV [CSV ...]

The median is the middle length (the mean of the two middle ones if their number is even). The p99
is the smallest recorded length that at least 99 % of the lengths do not exceed. "Merged" takes
stops less than 50 ms apart, from the end of one to the start of the next, for one: it lasts from
the start of the first to the end of the last.
"""

import csv
import statistics
import sys

APART_MS = 50.0

HEAD = (
    "| recording | stops | stopped in all s | median ms | p99 ms | longest ms"
    " | merged | longest merged ms |\n"
    "|---|---:|---:|---:|---:|---:|---:|---:|"
)


def read_stops(path):
    """The stops as pairs (start, length) in ms, by their start."""
    with open(path, encoding="utf-8", newline="") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        stops = [(float(row["start_s"]) * 1e3, float(row["length_ms"])) for row in rows]
    return sorted(stops)


def merged(stops):
    """The lengths in ms, with stops less than APART_MS apart taken for one."""
    spans = []
    for start, length in stops:
        if spans and start - spans[-1][1] < APART_MS:
            spans[-1][1] = max(spans[-1][1], start + length)
        else:
            spans.append([start, start + length])
    return [end - start for start, end in spans]


def p99(lengths):
    """The smallest length that at least 99 % do not exceed."""
    rank = -(-len(lengths) * 99 // 100)
    return sorted(lengths)[rank - 1]


def main(paths):
    if not paths:
        sys.exit("usage: python3 summary.py CSV [CSV ...]")
    print(HEAD)
    for path in paths:
        try:
            stops = read_stops(path)
        except (OSError, KeyError, TypeError, ValueError) as problem:
            sys.exit(f"{path} is not a list of pauses: {problem!r}")
        if not stops:
            sys.exit(f"{path} has no stops")
        lengths = [length for _, length in stops]
        spans = merged(stops)
        name = path.rsplit("/", 1)[-1]
        print(
            f"| {name} | {len(lengths)} | {sum(lengths) / 1e3:.1f}"
            f" | {statistics.median(lengths):.3f} | {p99(lengths):.3f}"
            f" | {max(lengths):.3f} | {len(spans)} | {max(spans):.3f} |"
        )


if __name__ == "__main__":
    main(sys.argv[1:])
