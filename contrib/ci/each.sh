#!/bin/sh
# Checks files one after the other: each.sh FILE... The time for each goes into THETIS_TIME, further options of `thetis check` into
# THETIS_OPTIONS, the program into THETIS.
# Ends with 1 if one of them is unsafe or rejected; `unknown` is only named.
set -u

worst=0
for file; do
    # Options are words.
    # shellcheck disable=SC2086
    verdict=$("${THETIS:-thetis}" check --time "${THETIS_TIME:-20s}" ${THETIS_OPTIONS-} -- "$file")
    code=$?
    # A name may have line breaks, which would look like other lines.
    printf '%s: %s\n' "$(printf %s "$file" | tr '[:cntrl:]' '?')" "$verdict"
    case $code in
        0 | 5) ;;
        *) worst=1 ;;
    esac
done
exit $worst
