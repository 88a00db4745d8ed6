#!/usr/bin/env bash
# Runs the portable kernels, the drawing and counting made of them, and the
# casts of records under Miri, which finds undefined behaviour. Needs a nightly
# toolchain with the component miri.
set -euo pipefail
cd "$(dirname "$0")/.."
export MIRIFLAGS="-Zmiri-disable-isolation -Zmiri-tree-borrows -Zmiri-ignore-leaks"
# A folder of its own: the nightly compiler's files are no use to the other.
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-target}/miri"
cargo +nightly miri test --locked --lib -- kernels:: tally:: cases::record
