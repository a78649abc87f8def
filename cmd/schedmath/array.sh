#!/bin/bash
# A comparison as an array of 16 jobs of Slurm: sbatch array.sh. When all have ended,
#   schedmath whatif -html whatif.html -join part*.json
# shows what one run would have shown. A part that failed is made again by its number: sbatch --array=3 array.sh. With
# figures for whatif, figures -out figures -join part*.json writes the pages.
#SBATCH --array=1-16
#SBATCH --cpus-per-task=1
set -eu
parts=16 # as in --array
schedmath whatif -trace jobs.csv -seeds 20 -part "$SLURM_ARRAY_TASK_ID/$parts" -out "part$SLURM_ARRAY_TASK_ID.json"
