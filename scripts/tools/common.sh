# To be sourced by scripts, in the folder of the project.

# in_work: makes the folder `work`, which is removed when the script ends, with a cache of its own.
in_work() {
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    export XDG_CACHE_HOME="$work/cache"
}

# built [OPTION ..]: sets `fairdeal` to the program that FAIRDEAL names, or builds it.
built() {
    [ "${FAIRDEAL-}" ] || cargo build --release --locked --quiet "$@"
    fairdeal=$(realpath "${FAIRDEAL:-${CARGO_TARGET_DIR:-target}/release/fairdeal}")
}

# reported NAME TEXT: prints standard input below a line with TEXT, commit, date and machine; with
# SAVE=1 it also writes them to reports/NAME/DATE.txt.
reported() {
    local kept=/dev/null
    if [ "${SAVE-}" ]; then
        mkdir -p "reports/$1"
        kept=reports/$1/$(date -u +%F).txt
    fi
    {
        echo "# $2, $(date -u +%F), commit $(git rev-parse --short HEAD 2>/dev/null || echo unknown)," \
            "on $(nproc) x $(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -1), load $(cut -d' ' -f1 /proc/loadavg)"
        cat
    } | tee "$kept"
}

# wine_library FOLDER: writes there the library of Windows 10 that Rust asks for random bytes and that
# Wine 8 lacks.
wine_library() {
    x86_64-w64-mingw32-gcc -shared -O2 -x c - -o "$1/bcryptprimitives.dll" -ladvapi32 <<'LIBRARY'
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T size) {
    return SystemFunction036(data, (ULONG)size);
}
LIBRARY
}
