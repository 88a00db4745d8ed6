#!/usr/bin/env bash
# Checks the Python package in a new virtual environment: the README's command, the tests with the
# examples of the docstrings, the guide, the analyses of the examples with few deals, mypy, the notebook.
# FAIRDEAL names the program whose deals the package must deal; by default it is built.
#
#   scripts/python.sh
#   scripts/python.sh wheel
#   scripts/python.sh speed
#
# wheel instead builds the wheel, and checks it by twine, abi3audit and the tests in other versions of
# Python.
#
# speed instead deals with fairdeal, endplay and redeal, one after the other in one process, and prints
# deals per second of processor time: unconstrained, 1NT opposite an invitational hand, and a condition
# that one deal in a million satisfies; and compares the masks of ten conditions on ten million deals
# with NumPy written by hand. SAVE=1 keeps them in reports/. endplay comes from PyPI. redeal
# has no package there: it is measured if REDEAL names a folder with its source, which need not be
# built. fairdeal deals arrays with AVX2, on all cores.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/tools/common.sh
in_work
# The crate of the package shares compiled dependencies with the program.
CARGO_TARGET_DIR=$(realpath -m "${CARGO_TARGET_DIR:-target}")
export CARGO_TARGET_DIR
if [ "${1-}" = speed ]; then
    python3 -m venv "$work/python"
    "$work/python/bin/pip" install --quiet --disable-pip-version-check ./python endplay
    FAIRDEAL_PATH=avx2 PYTHONPATH=${REDEAL:-} "$work/python/bin/python" scripts/python/speed.py |
        reported python "scripts/python.sh speed"
    exit
fi
built
export FAIRDEAL=$fairdeal
step() { printf -- '-- %s (after %d s)\n' "$*" "$SECONDS"; }

if [ "${1-}" = wheel ]; then
    step "tools"
    python3 -m venv "$work/python"
    PATH=$work/python/bin:$PATH
    pip install --quiet --disable-pip-version-check twine abi3audit "maturin>=1.9.4,<2"

    step "the wheel"
    maturin build --quiet --release --locked --manifest-path python/Cargo.toml --out "$work/wheels"
    ls "$work/wheels"
    twine check --strict "$work"/wheels/*.whl
    abi3audit --strict --report --summary "$work"/wheels/*.whl >"$work/abi3audit.json" || { cat "$work/abi3audit.json"; exit 1; }

    step "the wheel in other versions of Python"
    for version in 3.10 3.13; do
        for other in "python$version" "$HOME/.pyenv/versions/$version".*/bin/python; do
            if "$other" -m venv "$work/$version" >"$work/venv.log" 2>&1; then
                "$work/$version/bin/pip" install --quiet --disable-pip-version-check "$work"/wheels/*.whl \
                    pytest pytest-xdist joblib pandas polars pyarrow
                "$work/$version/bin/python" --version
                "$work/$version/bin/pytest" -q -p no:cacheprovider python/tests
                continue 2
            fi
        done
        echo "no Python $version here: NOT RUN"
    done
    exit
fi

step "the README's command"
python3 -m venv "$work/python"
PATH=$work/python/bin:$PATH
command=$(sed -n 's/.*`\(pip install \.\/python[^`]*\)`.*/\1/p' README.md)
[ -n "$command" ]
bash -euc "$command"

step "tools"
pip install --quiet --disable-pip-version-check pytest pytest-xdist joblib mypy pyright tqdm pandas polars pyarrow \
    endplay nbconvert ipykernel matplotlib

step "tests, and the examples of the docstrings"
pytest -q -p no:cacheprovider python/tests

step "the guide"
mkdir "$work/guide"
awk '/^```python/ { inside = 1; next } /^```/ { inside = 0 } inside' docs/guide/python.md >"$work/guide/guide.py"
(cd "$work/guide" && python guide.py | tail -n 3)

step "the examples"
mkdir "$work/examples"
for example in python/examples/*.py; do
    case $example in
        */notrump*) deals=16 ;; # which are solved
        *) deals=100000 ;;
    esac
    (cd "$work/examples" && MPLBACKEND=agg DEALS=$deals python "$OLDPWD/$example")
done
mkdir "$work/club"
(
    cd "$work/club"
    MPLBACKEND=agg CLUB_FILE=$OLDPWD/fixtures/records/sm0807.pbn python "$OLDPWD/python/examples/club_evening.py"
)
plots=("$work"/examples/*.png)
[ ${#plots[@]} = 5 ]

step "types"
(cd python && mypy --cache-dir "$work/mypy" python/fairdeal examples tests)
printf '[mypy]\nignore_missing_imports = True\ndisable_error_code = import-untyped\n' >"$work/stubtest.ini"
# Names of literals: to mypy they are unions, in Python they are not. Fields of structures of C.
printf '%s\n' 'fairdeal\._condition\.(Form|Sampler|Seat|Shares)' 'fairdeal\._arrow\._(Schema|Array|Stream)\..*' >"$work/allowed"
(cd "$work" && MYPY_CACHE_DIR=$work/stubtest python -m mypy.stubtest fairdeal --mypy-config-file stubtest.ini --allowlist allowed)

step "the notebook"
jupyter nbconvert --log-level ERROR --to notebook --execute --output-dir "$work" python/examples/fair_deals.ipynb
python - python/examples/fair_deals.ipynb <<'PY'
import json, sys
cells = json.load(open(sys.argv[1]))["cells"]
kept = [cell for cell in cells if cell.get("outputs") or cell.get("execution_count")]
assert not kept, "the notebook in git has output: clear it"
PY
