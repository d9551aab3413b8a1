#!/bin/sh
# Proves that the README's commands work on a machine with nothing but a C/C++ compiler, make, Python 3
# with pip, and Rust: builds such a Debian system in a folder, puts a clean copy of a revision into it,
# and runs `make demo` and `make test` there, each twice. The second runs have no network and must not
# compile anything. At last the installed program runs without the source tree's solver.
#
#   sudo contrib/bare-env.sh [REVISION]     (default: HEAD)
#
# Needs a Debian-like Linux with debootstrap, git and a Rust toolchain; takes 3 GB in BARE_ENV_DIR (default
# /var/tmp/thetis-bare-env), whose base system is kept for the next time. CARGO_BUILD_JOBS is honoured.
set -eu

repository=$(cd "$(dirname "$0")/.." && pwd)
revision=${1:-HEAD}
suite=bookworm
packages=gcc,g++,make,python3,python3-pip
work=${BARE_ENV_DIR:-/var/tmp/thetis-bare-env}
base=$work/base-$suite
root=$work/root
log=$work/log

main() {
    if [ "$(id -u)" != 0 ]; then
        die "a bare system can only be built by root"
    fi
    for tool in debootstrap git rustc unshare; do
        command -v $tool >/dev/null || die "needs $tool"
    done
    mkdir -p "$log"
    make_base
    make_root
    inside check_bareness 'for tool in cmake ninja meson pkg-config clang git z3 rustup; do
        if command -v $tool; then echo "this system is not bare: it has $tool"; exit 1; fi
    done
    gcc --version | head -n 1; python3 --version; cargo --version'

    inside demo-1 'make demo'
    inside test-1 'make test'
    offline demo-2 'make demo'
    offline test-2 'make test'
    no_work_in demo-2 test-2

    offline install 'make install PREFIX=/tmp/prefix && mv third_party aside &&
        mv /tmp/prefix /tmp/elsewhere && cd / &&
        { /tmp/elsewhere/bin/thetis check /src/examples/traffic-light.cfa || [ $? -eq 10 ]; }'
    say "without a solver (for the eye; the exit code is not judged):"
    offline no-solver 'target/release/thetis check examples/traffic-light.cfa || echo "exit code $?"'
    say "everything passed; the logs are in $log"
}

say() {
    echo "bare-env: $*"
}

die() {
    say "$*" >&2
    exit 1
}

# The base system, from the mirror that this machine's apt uses.
make_base() {
    if [ -e "$base/.complete" ]; then
        say "base system: $base, made earlier"
        return
    fi
    rm -rf "$base"
    say "making a $suite system with $packages"
    mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null | head -n 1)
    # shellcheck disable=SC2086 # no mirror is no argument
    debootstrap --variant=minbase --include="$packages" "$suite" "$base" ${mirror:-} >"$log/debootstrap" 2>&1 ||
        die "debootstrap failed, see $log/debootstrap"
    touch "$base/.complete"
}

# A fresh copy of the base with the toolchain, this machine's way to the registries, and the revision.
make_root() {
    say "making a fresh copy with Rust and $(git -C "$repository" rev-parse --short "$revision")"
    rm -rf "$root"
    cp -a --reflink=auto "$base" "$root"
    mkdir -p "$root/opt" "$root/src" "$root/tmp/home"
    cp -a "$(rustc --print sysroot)" "$root/opt/rust"
    rm -rf "$root/opt/rust/share"
    for file in /etc/resolv.conf /etc/hosts /etc/pip.conf /etc/ssl/certs/ca-certificates.crt; do
        if [ -e "$file" ]; then
            mkdir -p "$root$(dirname "$file")"
            cp -L "$file" "$root$file"
        fi
    done
    mkdir -p "$root/tmp/home/.cargo"
    for file in config config.toml; do
        [ ! -e "${CARGO_HOME:-$HOME/.cargo}/$file" ] ||
            cp "${CARGO_HOME:-$HOME/.cargo}/$file" "$root/tmp/home/.cargo/"
    done
    git -C "$repository" archive "$revision" | tar -x -C "$root/src"
}

inside() {
    run_in_root --mount "$@"
}

offline() {
    run_in_root --net "$@"
}

# run_in_root UNSHARE-OPTION NAME COMMANDS: runs shell commands in /src of the bare system.
run_in_root() {
    option=$1
    name=$2
    say "$name$([ "$option" = --net ] && echo ' (no network)'): $3" | head -n 1
    start=$(date +%s)
    status=0
    unshare --mount --pid --fork --mount-proc="$root/proc" "$option" chroot "$root" /usr/bin/env -i \
        PATH=/opt/rust/bin:/usr/local/bin:/usr/bin:/bin HOME=/tmp/home LANG=C.UTF-8 \
        $(passed_on) /bin/sh -euc "cd /src; $3" >"$log/$name" 2>&1 || status=$?
    tail -n "${TAIL:-6}" "$log/$name" | sed 's/^/    /'
    say "$name: exit code $status after $(($(date +%s) - start)) s"
    [ $status = 0 ] || die "see $log/$name"
}

# The variables by which this machine's clients reach the registries, and the number of jobs.
passed_on() {
    if [ -e /etc/ssl/certs/ca-certificates.crt ]; then
        echo SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt
    fi
    env | grep -E '^((https?|no|all)_proxy|(HTTPS?|NO|ALL)_PROXY|PIP_INDEX_URL|CARGO_BUILD_JOBS)=' || true
}

# no_work_in NAME...: those runs neither fetched nor compiled.
no_work_in() {
    for name; do
        if grep -nE '^ *(Compiling|Downloading|Downloaded|Updating)|setup: (fetching|unpacked)' "$log/$name"; then
            die "$name did work again, see above"
        fi
    done
    say "the second runs fetched nothing and compiled nothing"
}

main "$@"
