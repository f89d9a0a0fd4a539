#!/usr/bin/env python3
"""Turns a JDK 17 safepoint log into a list of stops.

Usage: python3 to_csv.py LOG [NOTE ...] > CSV

LOG was written with -Xlog:safepoint:file=LOG:uptimenanos,level,tags (or uptime in place of
uptimenanos, which is less fine). Each NOTE becomes a line "# NOTE" at the top of the CSV: say
there on what the log was made. The columns are start_s (seconds since the JVM started) and
length_ms.
"""

import re
import sys

# One stop in the log, decorators first:
# [11938273ns][info][safepoint] Safepoint "Cleanup", Time since last: 1 ns,
#   Reaching safepoint: 2 ns, Cleanup: 3 ns, At safepoint: 4 ns, Total: 9 ns      (on one line)
STOP = re.compile(
    r'(?P<decorators>(?:\[[^\]]*\])*) ?Safepoint "[^"]+", Time since last: \d+ ns,'
    r" Reaching safepoint: (?P<reaching>\d+) ns, Cleanup: (?P<cleanup>\d+) ns,"
    r" At safepoint: (?P<at>\d+) ns, Total: (?P<total>\d+) ns"
)
# Any line of the JVM's log, also one that tells of no stop.
LOG_LINE = re.compile(r"(?:\[[^\]]*\])+ ?[^\[].*\n")
# Some languages write 1,234s.
UPTIME = re.compile(r"\[\s*(?:(?P<ns>\d+)ns|(?P<s>\d+)[.,](?P<ms>\d{3})s)\s*\]")
# The tag alone. [safepoint,stats] and the like repeat the same stops and are passed over, and so
# are the [gc] lines: a collection happens inside a safepoint, to add it would count it twice.
SAFEPOINT_TAG = re.compile(r"\[safepoint\s*\]")


class BadLog(Exception):
    """The log cannot be used; the text says why."""


def uptime_ns(decorators):
    """The time on a line, in ns since the JVM started; None if the line has none."""
    found = UPTIME.search(decorators)
    if found is None:
        return None
    if found["ns"]:
        return int(found["ns"])
    return int(found["s"]) * 1_000_000_000 + int(found["ms"]) * 1_000_000


def read_stops(lines):
    """The stops as pairs (start, length) in ns, in the order of the log."""
    stops = []
    last_end = 0
    for number, line in enumerate(lines, start=1):
        if not LOG_LINE.fullmatch(line):
            raise BadLog(f"line {number} is not a whole line of a JVM's log")
        found = STOP.fullmatch(line.rstrip("\n"))
        if found is None:
            if SAFEPOINT_TAG.search(line):
                raise BadLog(f"line {number} is not a whole safepoint line of JDK 17")
            continue
        end = uptime_ns(found["decorators"])
        if end is None:
            raise BadLog(f"line {number} has no uptime; log with the decorator uptimenanos")
        if end < last_end:
            raise BadLog(f"line {number} is earlier than the line before it")
        # Total is the whole stop as the program feels it: from the request to stop, through the
        # wait until every thread has stopped, to the moment they may go on.
        length = int(found["total"])
        if length != int(found["reaching"]) + int(found["cleanup"]) + int(found["at"]):
            raise BadLog(f"the parts on line {number} do not add up to its total")
        # The line is written when the stop is over, so its time is the END of the stop.
        if length > end:
            raise BadLog(f"line {number} tells of a stop that began before the JVM did")
        stops.append((end - length, length))
        last_end = end
    if not stops:
        raise BadLog("it has no safepoint line; was it written with -Xlog:safepoint?")
    return stops


def main(arguments):
    if not arguments or arguments[0].startswith("-"):
        sys.exit("usage: python3 to_csv.py LOG [NOTE ...] > CSV")
    path, notes = arguments[0], arguments[1:]
    try:
        with open(path, encoding="utf-8") as log:
            stops = read_stops(log)
    except (OSError, UnicodeDecodeError) as problem:
        sys.exit(f"{path} cannot be read: {problem}")
    except BadLog as problem:
        sys.exit(f"{path} cannot be used: {problem}")
    for note in notes:
        print(f"# {note}")
    print("start_s,length_ms")
    for start, length in stops:
        print(f"{start / 1e9:.6f},{length / 1e6:.6f}")


if __name__ == "__main__":
    main(sys.argv[1:])
