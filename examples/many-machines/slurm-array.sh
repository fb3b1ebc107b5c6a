#!/bin/sh
# Four shards on four nodes, each alone on its node and never started again by itself:
#   sbatch examples/many-machines/slurm-array.sh my-plan.yaml /net/lab
# What is ended early goes on with `h2h3 run --resume DIR` on the node on which it began. Then:
#   npx h2h3 merge /net/lab/part-1 /net/lab/part-2 /net/lab/part-3 /net/lab/part-4 --out results/night
#SBATCH --job-name=h2h3
#SBATCH --array=1-4
#SBATCH --nodes=1
#SBATCH --exclusive
#SBATCH --no-requeue
#SBATCH --time=12:00:00
set -eu
plan=$1
shared=$2
exec srun npx h2h3 run "$plan" \
  --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" \
  --host "$SLURMD_NODENAME" \
  --out "$shared/part-$SLURM_ARRAY_TASK_ID"
