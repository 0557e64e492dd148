#!/usr/bin/env bash
# Runs ExecuTorch's own VGF tests, unchanged, on this project's executor_runner.
#
#   scripts/upstream_vgf_tests.sh                          all of ops/ and runtime/ with vgf in the name
#   scripts/upstream_vgf_tests.sh -k "vgf and conv2d"      any pytest arguments
#   scripts/upstream_vgf_tests.sh --selection FILE         the node ids in FILE, one a line
#   scripts/upstream_vgf_tests.sh --path models            another folder (or file) of the tests
#
# Settings by environment variable:
#   PYTHON           with executorch, torch, pytest, pytest-xdist and the converter (.venv/bin/python)
#   RUNNER           the executor_runner (build/release/bin/executor_runner)
#   OUT              where everything is written: junit.xml, summary.md, outcomes.json
#                    (build/upstream_tests)
#   WORKERS          tests at a time (2)
#   EXECUTORCH_ROOT  a source checkout; its GLSL files are used, which the wheel leaves out
#   SAVE_FAILING     a folder: every program that the runner refuses is kept there with its inputs
#
# Exit code: 0 all passed, 1 some failed, 2 something is missing.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
PYTHON=${PYTHON:-$root/.venv/bin/python}
RUNNER=${RUNNER:-$root/build/release/bin/executor_runner}
OUT=${OUT:-$root/build/upstream_tests}
WORKERS=${WORKERS:-2}

fail() {
  echo "upstream_vgf_tests: $1" >&2
  exit 2
}

case "${1:-}" in
  -h | --help)
    sed -n '2,/^set -/{/^#/s/^# \{0,1\}//p}' "${BASH_SOURCE[0]}"
    exit 0
    ;;
esac

[ -x "$PYTHON" ] || fail "no Python at $PYTHON; run scripts/test.sh first or set PYTHON"
[ -x "$RUNNER" ] || fail "no runner at $RUNNER; build it or set RUNNER"
RUNNER=$(realpath "$RUNNER")
"$PYTHON" -c 'import executorch, torch, pytest, xdist, emulation_layer, tosa_serializer' ||
  fail "$PYTHON lacks a package (above); see requirements/test.txt"
site=$("$PYTHON" -c 'import pathlib, emulation_layer as e; print(pathlib.Path(e.__file__).parents[1])')
tests=$site/executorch/backends/arm/test
[ -d "$tests/ops" ] || fail "the installed executorch has no backends/arm/test; use the PyPI wheel 1.5.1"

paths=()
selection=()
while [ $# -gt 0 ]; do
  case "$1" in
    --path) paths+=("$tests/$2"); shift 2 ;;
    --selection) export VGFIO_SELECTION; VGFIO_SELECTION=$(realpath "$2"); shift 2 ;;
    *) selection+=("$1"); shift ;;
  esac
done
[ ${#paths[@]} -gt 0 ] || paths=("$tests/ops" "$tests/runtime")
[ ${#selection[@]} -gt 0 ] || selection=(-k vgf)

mkdir -p "$OUT"
OUT=$(realpath "$OUT")
# Where the tests look for a runner, relative to the working directory. They cut their command
# lines at blanks, so neither this folder nor the runner's path in it may have one.
work=$(mktemp -d /tmp/upstream-vgf-tests.XXXXXX)
trap 'rm -rf "$work"' EXIT
bin=$work/arm_test/arm_executor_runner_vkml
mkdir -p "$bin" "$work/bin" "$work/tmp"
ln -s arm_executor_runner_vkml "$work/arm_test/arm_executor_runner_portable-ops_vkml"
if [ -n "${SAVE_FAILING:-}" ]; then
  mkdir -p "$SAVE_FAILING"
  export SAVE_FAILING RUNNER
  cp "$root/scripts/upstream/saving_runner" "$bin/executor_runner"
else
  printf '#!/bin/sh\nexec "%s" "$@"\n' "$RUNNER" >"$bin/executor_runner"
  chmod +x "$bin/executor_runner"
fi

# A glslc that knows GL_ARM_tensors, and the GLSL files.
export ARM_GLSLC=$site/scenario_runner/binaries/bin/glslc
if [ -x "$ARM_GLSLC" ]; then
  ln -s "$root/scripts/upstream/glslc" "$work/bin/glslc"
fi
if [ -n "${EXECUTORCH_ROOT:-}" ]; then
  export VGFIO_GLSL_ASSETS=$EXECUTORCH_ROOT/backends/arm/test/assets
  [ -d "$VGFIO_GLSL_ASSETS" ] || fail "$EXECUTORCH_ROOT is no ExecuTorch checkout (no backends/arm/test/assets)"
fi
unset EXECUTORCH_ROOT GITHUB_WORKSPACE BUILD_WORKSPACE_DIRECTORY # else looked into for a runner

# What the tests take as proof that the layers are there.
layers=$site/emulation_layer/deploy
export VK_INSTANCE_LAYERS=VK_LAYER_ML_Graph_Emulation:VK_LAYER_ML_Tensor_Emulation
export VK_LAYER_PATH=$layers/share/vulkan/explicit_layer.d
export LD_LIBRARY_PATH=$layers/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export PATH=$work/bin:$(dirname "$PYTHON"):$PATH
export PYTHONPATH=$root/scripts/upstream${PYTHONPATH:+:$PYTHONPATH}
export TMPDIR=$work/tmp # the tests leave their programs behind
export OMP_NUM_THREADS=1

cd "$work"
status=0
"$PYTHON" -m pytest --rootdir="$tests" -c /dev/null -p plugin -p no:cacheprovider \
  -n "$WORKERS" --dist worksteal --maxprocesses="$WORKERS" -q --no-header --tb=long \
  -o junit_logging=no -o junit_family=xunit1 --junitxml="$OUT/junit.xml" \
  "${selection[@]}" "${paths[@]}" >"$OUT/pytest.log" 2>&1 || status=$?
# 1: some failed, which the summary says better
[ "$status" -le 1 ] || { tail -n 20 "$OUT/pytest.log" >&2; fail "pytest ended with $status; see $OUT/pytest.log"; }

"$PYTHON" "$root/scripts/upstream/summary.py" "$OUT/junit.xml" --json "$OUT/outcomes.json" \
  --label "ExecuTorch's VGF tests, $(date -u +%Y-%m-%d)" >"$OUT/summary.md" || status=1
cat "$OUT/summary.md"
exit "$status"
