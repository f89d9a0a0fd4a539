#!/usr/bin/env bash
#SBATCH --job-name=lease-and-check
#SBATCH --array=1-16
#SBATCH --cpus-per-task=2
#SBATCH --mem=1G
#SBATCH --time=01:00:00
#SBATCH --output=%x-%a.log
set -euo pipefail

sweep=data/sweeps/lease-and-check.toml
# As many as the array has tasks. Not SLURM_ARRAY_TASK_COUNT: where a few tasks are submitted again,
# that is how many these are.
shards=16

cd "$SLURM_SUBMIT_DIR"
mkdir -p parts
target/debug/lab sweep "$sweep" --shard "$SLURM_ARRAY_TASK_ID/$shards" \
  --threads "$SLURM_CPUS_PER_TASK" --out "parts/$SLURM_ARRAY_TASK_ID.csv"
