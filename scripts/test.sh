#!/usr/bin/env bash
# From a bare clone to a passed test suite: linters, native tests (also with the
# sanitizers), the build without statistics, Python tests on the device.
# Arguments go to pytest, and then only pytest runs:
#
#   scripts/test.sh
#   scripts/test.sh tests/python/test_bench.py -k outputs
set -euo pipefail
# shellcheck source=scripts/lib/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/setup.sh"

need_packages "${build_packages[@]}" "${test_packages[@]}"
need_wheels "$root/requirements/bench.txt" "$root/requirements/test.txt"
cd "$root"
export PATH=$venv/bin:$PATH PYTHONPATH=$root

step() { printf '\n== %s\n' "$*" >&2; }

# build PRESET [ARGUMENT...]
build() {
  step "build $1"
  harness build --preset "$@" >&2
}

build release
if (($#)); then
  exec python -m pytest "$@"
fi

step "ruff and mypy"
ruff check harness tests
ruff format --check harness tests
mypy

build no-stats
build debug --tests
step "native tests"
ctest --test-dir build/debug --output-on-failure -j 2
build sanitize --tests
step "native tests under AddressSanitizer and UndefinedBehaviorSanitizer"
LSAN_OPTIONS=suppressions=$root/tests/native/lsan.supp:print_suppressions=0 \
  ctest --test-dir build/sanitize --output-on-failure -j 2

step "Python tests"
python -m pytest
