#!/usr/bin/env bash
# Uses the pages of `fairdeal serve` in headless Chromium as a person would, by Playwright: every
# page by mouse, by keyboard alone, at a phone's width and without scripts; files chosen, dropped
# and pasted; a run started, stopped, resumed and compared; wrong values in every form, with and
# without scripts; a page of another site that links here. Every state of a page is checked by
# axe-core in light and dark, wide and narrow, and by the Nu HTML checker; no page asks anything of
# another host or prints an error. Prints a line per check, and fails if a check fails. Installs
# what is missing, as page.sh does. --keep saves small pictures of the pages.
#
#   scripts/serve.sh [--keep FOLDER]
set -euo pipefail

keep=
if [ "${1-}" = --keep ]; then
    keep=$(realpath -m "${2:?--keep needs a folder}")
fi
cd "$(dirname "$0")/.."
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null || true; wait; rm -rf "$work"' EXIT
export XDG_CACHE_HOME="$work/cache"
[ "${FAIRDEAL-}" ] || cargo build --release --locked --quiet
fairdeal=${FAIRDEAL:-${CARGO_TARGET_DIR:-target}/release/fairdeal}

source scripts/page/tools.sh
mkdir "$work/pages"
browser_checks "$work/checks"

"$fairdeal" serve --port 0 --folder "$work/reports" --quiet >"$work/address" 2>"$work/log" &
server=$!
for _ in {1..100}; do
    [ -s "$work/address" ] && break
    sleep 0.1
done
address=$(grep -o 'http://[^ ]*' "$work/address" | head -n 1 | sed 's|/$||')
status=0
node "$work/checks/serve.mjs" "$work/pages" "$keep" "$address" "$PWD/fixtures" || status=$?
kill -INT "$server"
wait "$server" || true
server=
exit "$status"
