#!/usr/bin/env bash
# From a bare clone to a program that can be measured: sets up what exporting
# needs (torch and Arm's model converter among it) and passes its arguments to
# `python -m harness export`. Quick the second time.
#
#   scripts/export.sh --list
#   scripts/export.sh my_models.py:upscaler --out models
#   scripts/bench.sh models/upscaler.pte
set -euo pipefail
# shellcheck source=scripts/lib/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/setup.sh"

answer_help export "$@"
lock_setup
need_wheels "$root/requirements/bench.txt" "$root/requirements/test.txt"
need_torch
unlock_setup
become export "$@"
