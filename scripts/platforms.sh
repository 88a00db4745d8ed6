#!/usr/bin/env bash
# Tests the code for other processors and systems.
#
#   scripts/platforms.sh miri
#       Runs the portable kernels and the casts of records under Miri, which detects undefined
#       behaviour. No other unsafe code can run under it. Needs a nightly toolchain with miri.
#   scripts/platforms.sh aarch64
#       Runs the tests of the kernels, of drawing and of tables for AArch64 under emulation, on the
#       portable path and with NEON. Then counts the instructions for an unconstrained deal with all
#       tables on both paths, and fails if NEON needs more than half as many as portable code. The
#       difference of two sample sizes leaves out the start of the program. Installs qemu-user and a
#       linker with apt and the target with rustup if they are missing; prints NOT RUN if it cannot.
#       SAVE=1 keeps the counts in reports/.
#   scripts/platforms.sh windows [FILTER ..]
#       Builds the program and its tests for Windows and runs the tests of commands, theory and audits
#       under wine. Installs MinGW and wine with apt and the target with rustup if they are missing;
#       prints NOT RUN if it cannot. Tests of what Unix alone has (signals, links, pipes) are left out
#       where they are written.
#   scripts/platforms.sh wasm [DEALS]
#       Solves the first DEALS (8) of the published double-dummy results in WebAssembly, by the library
#       compiled for wasm32-unknown-unknown (wasm/) under Node, and fails if a number of tricks differs.
#       Prints NOT RUN if clang, Node or the target is missing and cannot be installed.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/tools/common.sh

miri() {
    export MIRIFLAGS="-Zmiri-disable-isolation -Zmiri-tree-borrows -Zmiri-ignore-leaks"
    # Use a separate target folder, because stable builds cannot use files of the nightly compiler.
    export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-target}/miri"
    cargo +nightly miri test --locked --package fairdeal-kernels --lib
    cargo +nightly miri test --locked --package fairdeal-population --lib -- cases::record
}

target=aarch64-unknown-linux-gnu
packages="qemu-user gcc-aarch64-linux-gnu libc6-dev-arm64-cross"
has_tools() { command -v qemu-aarch64 && command -v aarch64-linux-gnu-gcc; }
has_target() { compgen -G "$(rustc --print sysroot)/lib/rustlib/$1/lib/libstd-*.rlib"; }

aarch64() {
    if ! { has_tools || { apt-get update -qq && timeout 900 apt-get install -y -qq --no-install-recommends $packages; }; } >/dev/null 2>&1 ||
        ! { has_target "$target" || timeout 300 rustup target add "$target"; } >/dev/null 2>&1; then
        echo "no emulator, linker or library for AArch64 here: NOT RUN"
        return 0
    fi
    emulator="qemu-aarch64 -L /usr/aarch64-linux-gnu -cpu max"
    export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
    export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER=$emulator
    local build=(--locked --no-default-features --target "$target")
    cargo test "${build[@]}" --release --package fairdeal-kernels --lib
    cargo test "${build[@]}" --release --package fairdeal-draw --lib -- --skip filter:: --skip sampler::
    cargo test "${build[@]}" --release --package fairdeal-tally --lib

    cargo build "${build[@]}" --release --bench count_deals
    program=$(cargo build "${build[@]}" --release --bench count_deals --message-format json 2>/dev/null |
        sed -n 's/.*"executable":"\([^"]*count_deals[^"]*\)".*/\1/p')
    # One instruction to a block, and a line for every block that is executed.
    single=-one-insn-per-tb
    qemu-aarch64 --help | grep -q -e $single || single=-singlestep
    # Up to a block, and whole packets of 128 deals.
    few=1280 many=13824
    local portable neon
    portable=$(per_deal portable)
    neon=$(per_deal neon)
    {
        echo "# instructions for an unconstrained deal with all tables, over $((many - few)) deals"
        printf '%-10s %8s\n' portable "$portable" neon "$neon"
        awk -v portable="$portable" -v neon="$neon" 'BEGIN { printf "%-10s %8.3f\n", "ratio", neon / portable }'
    } | reported neon "scripts/platforms.sh aarch64, $(qemu-aarch64 --version | head -1)"
    awk -v portable="$portable" -v neon="$neon" 'BEGIN { exit !(2 * neon <= portable) }'
}

instructions() { # instructions PATH DEALS
    FAIRDEAL_PATH=$1 $emulator $single -d nochain,exec -D /dev/fd/2 "$program" "$2" 2>&1 >/dev/null | grep -c '^Trace'
}
per_deal() { # per_deal PATH
    local less more
    less=$(instructions "$1" $few)
    more=$(instructions "$1" $many)
    awk -v less="$less" -v more="$more" -v deals=$((many - few)) 'BEGIN { printf "%.1f", (more - less) / deals }'
}

windows() {
    local target=x86_64-pc-windows-gnu
    local packages="gcc-mingw-w64-x86-64 wine64 wine"
    if ! { { command -v x86_64-w64-mingw32-gcc && command -v wine; } ||
        { apt-get update -qq && timeout 900 apt-get install -y -qq --no-install-recommends $packages; }; } >/dev/null 2>&1 ||
        ! { has_target "$target" || timeout 300 rustup target add "$target"; } >/dev/null 2>&1; then
        echo "no compiler or library for Windows, or no wine, here: NOT RUN"
        return 0
    fi
    local built
    built=$(realpath -m "${CARGO_TARGET_DIR:-target}")/$target/debug
    export WINEPREFIX=$built/wine WINEDEBUG=-all CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER=wine
    mkdir -p "$built/deps"
    wine_library "$built"
    cp "$built/bcryptprimitives.dll" "$built/deps"
    [ $# -gt 0 ] || set -- program:: theory:: audits::
    cargo test --locked --target "$target" --test suite -- "$@"
}

wasm() {
    local target=wasm32-unknown-unknown deals=${1:-8} packages="clang llvm nodejs" built
    if ! { { command -v clang && command -v llvm-ar && command -v node; } ||
        { apt-get update -qq && timeout 900 apt-get install -y -qq --no-install-recommends $packages; }; } >/dev/null 2>&1 ||
        ! { has_target "$target" || timeout 300 rustup target add "$target"; } >/dev/null 2>&1; then
        echo "no clang, Node or library for WebAssembly here: NOT RUN"
        return 0
    fi
    built=$(realpath -m "${CARGO_TARGET_DIR:-target}")/wasm
    cp Cargo.lock scripts/wasm/Cargo.lock
    CC_wasm32_unknown_unknown=clang AR_wasm32_unknown_unknown=llvm-ar \
        RUSTFLAGS="--cfg getrandom_backend=\"custom\" -C link-arg=-zstack-size=$((16 << 20))" \
        cargo build --release --quiet --target "$target" --target-dir "$built" --manifest-path scripts/wasm/Cargo.toml
    rm scripts/wasm/Cargo.lock
    node - "$built/$target/release/wasm.wasm" "$deals" <<'SOLVE'
const [program, deals] = [require("fs").readFileSync(process.argv[2]), Number(process.argv[3])];
WebAssembly.instantiate(program, {}).then(({ instance }) => {
    const begun = performance.now();
    const differing = instance.exports.differing(deals);
    const time = (performance.now() - begun) / deals;
    const memory = instance.exports.memory.buffer.byteLength / 2 ** 20;
    console.log(`${deals} published deals, ${20 * deals} numbers of tricks, ${differing} differ`);
    console.log(`${time.toFixed(0)} ms a deal, ${memory.toFixed(0)} MiB of memory`);
    process.exitCode = differing === 0 ? 0 : 1;
});
SOLVE
}

case ${1-} in
miri | aarch64) "$1" ;;
windows | wasm) "$1" "${@:2}" ;;
*) sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2 && exit 64 ;;
esac
