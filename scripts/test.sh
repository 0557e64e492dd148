#!/usr/bin/env bash
# From a bare clone to a passed test suite: linters, native tests (also with the
# sanitizers), the build without statistics, Python tests on the device, and a
# slice of ExecuTorch's own VGF tests on this project's runner.
# Arguments go to pytest, and then only pytest runs:
#
#   scripts/test.sh
#   scripts/test.sh tests/python/test_bench.py -k outputs
set -euo pipefail
# shellcheck source=scripts/lib/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/setup.sh"

if asks_for_help "$@"; then
  sed -n '2,/^set /{ s/^# \{0,1\}//p }' "${BASH_SOURCE[0]}"
  exit 0
fi

lock_setup
need_packages "${build_packages[@]}" "${test_packages[@]}"
need_wheels "$root/requirements/bench.txt" "$root/requirements/test.txt"
need_torch
unlock_setup
cd "$root"
export PATH=$venv/bin:$PATH PYTHONPATH=$root

step() { say "== $*"; }

# native_tests PRESET: builds it and runs its native tests.
native_tests() {
  step "native tests, $1"
  build "$1" --tests
  ctest --test-dir "build/$1" --output-on-failure -j 2
}

build release
if (($#)); then
  exec python -m pytest "$@"
fi

step "ruff and mypy"
ruff check
ruff format --check
mypy

# The sanitize build has the assertions too, so the debug build would show nothing more.
native_tests no-stats
# A test asks for more memory than there is, which must be an error and not an abort.
ASAN_OPTIONS=allocator_may_return_null=1 native_tests sanitize

step "Python tests"
python -m pytest

step "ExecuTorch's own VGF tests, a slice"
scripts/upstream_vgf_tests.sh --selection scripts/upstream/slice.txt
