# What page.sh and serve.sh need, to be sourced by them and by .ci/run.

# needs PROGRAM PACKAGE: installs the package if the program is missing.
needs() {
    command -v "$1" >/dev/null && return
    apt-get update -qq >/dev/null &&
        DEBIAN_FRONTEND=noninteractive timeout 900 apt-get install -y -qq --no-install-recommends "$2" >/dev/null
}

# Installs a browser and what the checks run.
browser_tools() {
    needs chromium chromium && needs pdftoppm poppler-utils && needs pngquant pngquant &&
        needs node nodejs && needs npm npm && needs java default-jre-headless
}

# browser_checks FOLDER: puts the checks and their npm packages in a folder.
browser_checks() {
    browser_tools
    mkdir "$1"
    cp scripts/page/* "$1/"
    (cd "$1" && npm ci --silent --ignore-scripts --no-audit --no-fund)
}
