#!/usr/bin/env bash
# From a bare clone to copy against zero-copy: sets everything up, builds, and
# passes its arguments to `python -m harness bench`. Without arguments it
# measures the shipped models in both modes. Quick the second time.
#
#   scripts/bench.sh
#   scripts/bench.sh my_model.pte --inputs a.npy --report-dir reports
#   scripts/bench.sh --help
set -euo pipefail
# shellcheck source=scripts/lib/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/setup.sh"

answer_help bench "$@"
lock_setup
need_packages "${build_packages[@]}"
need_wheels "$root/requirements/bench.txt"
unlock_setup
build release
become bench "$@"
