#!/bin/sh
# Measures the seven portfolios of Imeri (2025) and the predictors of timeouts, and renews docs/results/portfolios.md.
#
#     contrib/evaluate-portfolios.sh THETIS BENCHMARKS [JOBS]
#
# THETIS is a release build, BENCHMARKS the folder of the task list (manifest.csv), both relative to the project; JOBS is how many
# runs go on at a time (1). Interrupted, the same command goes on where it was; a new build starts anew once the old result files are
# removed. To renew the tables only: `thetis bench document docs/results/portfolios.md`.
#
# The sample is every second row of each set of loops, event-condition-action systems, locks, protocols, drivers and code2inv. Limits
# are in CPU time, so that other work on the machine does not decide what is solved.
set -eu

if [ $# -lt 2 ] || [ $# -gt 3 ]; then
    echo "usage: $0 THETIS BENCHMARKS [JOBS]" >&2
    exit 1
fi
thetis=$1
benchmarks=$2
jobs=${3:-1}
cd "$(dirname "$0")/.."

sample() {
    for set in locks loops loop-acceleration loop-invgen loop-lit loop-new eca-rers2012 ssh ssh-simplified ntdrivers-simplified; do
        printf -- '--set svcomp15/%s ' "$set"
    done
    printf -- '--set code2inv --family c --verdict safe --verdict unsafe --every 2'
}

# $1: result file; the other arguments: configurations.
measure() {
    output=$1
    shift
    # The words of the sample are arguments of their own.
    # shellcheck disable=SC2046
    "$thetis" bench run "$benchmarks" $(sample) $(printf -- '--config %s ' "$@") \
        --cpu-time 15s --time 600s --memory 4G --jobs "$jobs" -o "$output"
}

measure docs/results/iterations.jsonl configs/prediction/*.toml
measure docs/results/portfolios.jsonl configs/portfolios/*.toml
"$thetis" bench document docs/results/portfolios.md
