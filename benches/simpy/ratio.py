"""Medians and their ratios, from files with a line of JSON for each run: ours, then SimPy's."""

import json
import statistics
import sys


def runs(path):
    with open(path) as lines:
        return [json.loads(line) for line in lines]


def median(runs):
    return statistics.median(run["grants_per_s"] for run in runs)


def zombies_a_thousand(runs):
    """The rate and its standard error, from the spread over the runs."""
    rates = [1000 * run["zombie_writes"] / run["grants"] for run in runs]
    return statistics.mean(rates), statistics.stdev(rates) / len(rates) ** 0.5


ours, *theirs = (runs(path) for path in sys.argv[1:])
for name, its in zip(["fencing", "SimPy", "SimPy, direct"], [ours, *theirs]):
    rate, error = zombies_a_thousand(its)
    print(
        f"{name:14}{median(its):12,.0f} grants/s (median of {len(its)})"
        f"{median(ours) / median(its):7,.0f} times slower"
        f"{rate:8.2f} ± {error:.2f} zombie writes per 1,000 grants"
    )
