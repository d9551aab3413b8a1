#!/bin/sh
# Checks the C project whose compile_commands.json is in the current folder: project.sh. The time goes into THETIS_TIME,
# further options of `thetis check` into THETIS_OPTIONS, the program into THETIS. Ends with 1 if a check fails or the project is rejected; `unknown` is only named.
set -u

# Options are words.
# shellcheck disable=SC2086
"${THETIS:-thetis}" check --project . --property all --time "${THETIS_TIME:-60s}" ${THETIS_OPTIONS-}
case $? in
    0 | 5) exit 0 ;;
    *) exit 1 ;;
esac
