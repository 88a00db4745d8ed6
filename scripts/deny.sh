#!/usr/bin/env bash
# Holds the dependency tree against deny.toml: licences, sources, versions, and known
# vulnerabilities and unmaintained crates where their database can be fetched. Installs
# cargo-deny if it is not there, which takes about three minutes of one core's time.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! cargo deny --version >/dev/null 2>&1 &&
    ! timeout 900 cargo install --quiet --locked cargo-deny; then
    echo "no cargo-deny here, and it cannot be installed: NOT RUN"
    exit 0
fi
cargo deny --locked check --hide-inclusion-graph licenses bans sources
if timeout 120 cargo deny --locked fetch db >/dev/null 2>&1; then
    cargo deny --locked check --disable-fetch advisories
else
    echo "the database of advisories cannot be fetched: advisories NOT RUN"
fi
