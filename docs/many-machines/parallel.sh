#!/usr/bin/env bash
# All shards of a sweep with GNU parallel, from the folder of the checkout. Started again after it
# was interrupted, it runs what is missing.
set -euo pipefail

sweep=data/sweeps/lease-and-check.toml
shards=8

mkdir -p parts
seq "$shards" |
  parallel --jobs 2 --joblog parts/jobs.log --resume-failed \
    target/debug/lab sweep "$sweep" --shard "{}/$shards" --threads 1 --out "parts/{}.csv"

target/debug/lab gather parts/*.csv --out all.csv
