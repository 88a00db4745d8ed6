#!/usr/bin/env bash
# Runs the portable kernels and the casts of records under Miri, which detects undefined behaviour.
# No other unsafe code can run under it. Needs a nightly toolchain with the component miri.
set -euo pipefail
cd "$(dirname "$0")/.."
export MIRIFLAGS="-Zmiri-disable-isolation -Zmiri-tree-borrows -Zmiri-ignore-leaks"
# Use a separate target folder, because stable builds cannot use files of the nightly compiler.
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-target}/miri"
cargo +nightly miri test --locked --lib -- kernels:: cases::record
