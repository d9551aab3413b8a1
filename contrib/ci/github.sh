#!/usr/bin/env bash
# The step of action.yml that checks: github.sh PROGRAM, with the inputs of the action in THETIS_*.
#
# Standard output gets the lines of the checks, GITHUB_OUTPUT the exit code, THETIS_SARIF the log. Ends with 0 unless a check fails, is
# unknown and that counts, or the input is rejected.
set -uo pipefail

program=$1
read -ra arguments <<<"$THETIS_ARGUMENTS"
read -ra files <<<"$THETIS_FILES"
if [ -n "$THETIS_PROJECT" ]; then
    arguments+=(--project "$THETIS_PROJECT")
fi
if [ -n "$THETIS_PROPERTY" ]; then
    arguments+=(--property "$THETIS_PROPERTY")
fi
"$program" check --time "$THETIS_TIME" --format sarif "${arguments[@]}" -- "${files[@]}" >"$THETIS_SARIF"
code=$?
echo "exit-code=$code" >>"${GITHUB_OUTPUT:-/dev/null}"
case $code in
    0) echo "safe" ;;
    10) echo "unsafe: $THETIS_SARIF says what fails" ;;
    5) echo "unknown: some checks are undecided" ;;
esac
if [ "$code" = 5 ] && [ "$THETIS_FAIL_ON_UNKNOWN" != true ]; then
    exit 0
fi
exit "$code"
