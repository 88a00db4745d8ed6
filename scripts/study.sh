#!/usr/bin/env bash
# Audits the world's dealing programs: every program and shuffle in scripts/study/subjects.csv, from
# Debian, PyPI, npm and crates.io, with one battery, and simulations of the mechanisms that make some
# of them unfair. Writes a page and tables to reports/study/. Installs what is missing; a program
# that cannot be had is listed as NOT RUN. Takes two hours or less on two processors.
#
#   scripts/study.sh [--quick] [--only NAME] [--work FOLDER] [--out FOLDER]
#
# --quick takes a minute or two: installed programs only, up to a million deals. --only repeats one
# subject, by its name or package. --work keeps programs and results (default: target/study); a study
# that was interrupted continues there. STUDY_BIGDEAL, STUDY_REDEAL, STUDY_DEALER3,
# STUDY_DEALER_SUOKKO and STUDY_DEALERV2 name programs that no registry has, if you have them;
# subjects.csv says how each is asked. FAIRDEAL names the program that audits; by default it is built.
set -euo pipefail
cd "$(dirname "$0")/.."
quick='' only=() out=reports/study work=${CARGO_TARGET_DIR:-target}/study
while [ $# -gt 0 ]; do
    case $1 in
    --quick) quick=--quick ;;
    --only) only=(--only "${2:?--only needs a name}") && shift ;;
    --work) work=${2:?--work needs a folder} && shift ;;
    --out) out=${2:?--out needs a folder} && shift ;;
    *) echo "unknown option: $1" >&2 && exit 64 ;;
    esac
    shift
done
mkdir -p "$work" "$out"
work=$(realpath "$work")
export CARGO_TERM_QUIET=true
if [ -z "${FAIRDEAL:-}" ]; then
    cargo build --release --locked
    FAIRDEAL=${CARGO_TARGET_DIR:-target}/release/fairdeal
fi
FAIRDEAL=$(realpath "$FAIRDEAL")
PATH=$PATH:/usr/games

# attempt WHAT COMMAND..: runs a command; if it fails, the study goes on without it.
attempt() {
    local what=$1
    shift
    timeout 1200 "$@" >"$work/install.log" 2>&1 || echo "not installed: $what: $(tail -n 1 "$work/install.log")" >&2
}

debian() {
    local missing=()
    declare -A packages=([/usr/games/dealer]=dealer [/usr/games/deal]=deal [php]=php-cli [ruby]=ruby [go]=golang-go
        [gawk]=gawk [mawk]=mawk [perl]=perl [node]=nodejs [npm]=npm [javac]=default-jdk-headless [gcc]=gcc
        [python3]=python3-venv)
    for program in "${!packages[@]}"; do
        command -v "$program" >/dev/null || missing+=("${packages[$program]}")
    done
    [ ${#missing[@]} -gt 0 ] && command -v apt-get >/dev/null || return 0
    attempt "Debian's lists" apt-get update -qq
    for package in "${missing[@]}"; do
        attempt "$package" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$package"
    done
}

# suite NAME: unpacks dealer and deal of another of Debian's suites, with package lists of its own.
suite() {
    local folder=$work/suites/$1
    command -v apt-get >/dev/null || return 0
    [ ! -e "$folder/dealer.version" ] || return 0
    mkdir -p "$folder/lists/partial" "$folder/cache/archives/partial"
    local mirror
    mirror=$(apt-get indextargets --format '$(CODENAME) $(REPO_URI)' |
        awk -v code="$(. /etc/os-release && echo "$VERSION_CODENAME")" '$1 == code && !n++ { print $2 }')
    echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $1 main" >"$folder/sources.list"
    local apt=(-qq -o "Dir::Etc::SourceList=$folder/sources.list" -o Dir::Etc::SourceParts=/dev/null
        -o "Dir::State::Lists=$folder/lists" -o "Dir::Cache=$folder/cache" -o APT::Sandbox::User=root)
    attempt "lists of $1" apt-get "${apt[@]}" update
    for package in dealer deal; do
        (cd "$folder" && attempt "$package of $1" apt-get "${apt[@]}" download "$package")
        for file in "$folder/$package"_*.deb; do
            [ -e "$file" ] || continue
            dpkg-deb -x "$file" "$folder"
            dpkg-deb -f "$file" Version >"$folder/$package.version"
        done
    done
}

compiled() {
    mkdir -p "$work/c" "$work/java" "$work/go"
    attempt "deal.c" gcc -O2 -o "$work/c/deal" scripts/study/deal.c
    attempt "Deal.java" javac -d "$work/java" scripts/study/Deal.java
    attempt "deal.go" env GO111MODULE=off GOCACHE="$work/go/cache" go build -o "$work/go/deal" scripts/study/deal.go
}

# packages RUNNER: prints the packages of subjects.csv that a runner needs.
packages() {
    python3 - "$1" <<'PY'
import csv, sys
with open("scripts/study/subjects.csv", newline="") as file:
    rows = [row for row in csv.DictReader(file) if row["runner"] == sys.argv[1] and row["package"]]
print("\n".join(sorted({row["package"] for row in rows})))
PY
}

registries() {
    mkdir -p "$work/npm"
    cp scripts/study/package.json scripts/study/package-lock.json "$work/npm/" 
    attempt "npm packages" npm ci --prefix "$work/npm" --ignore-scripts --no-audit --no-fund --silent
    attempt "PyPI packages" "$work/python/bin/pip" install --quiet --disable-pip-version-check \
        -r scripts/study/requirements.txt
    attempt "crates" env CARGO_TARGET_DIR="$work/rust" cargo build --release --locked \
        --manifest-path scripts/study/rust/Cargo.toml
}

if [ ! -x "$work/python/bin/python" ]; then
    attempt "a Python environment" python3 -m venv "$work/python"
fi
if [ -z "$quick" ]; then
    debian
    suite trixie
    suite sid
fi
compiled
[ "$quick" ] || registries
python3 scripts/study/run.py "$work" "$FAIRDEAL" $quick "${only[@]}"
python3 scripts/study/report.py "$work" "$out" $quick
