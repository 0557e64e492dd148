# shellcheck shell=bash disable=SC2034  # what the sourcing scripts use
# Shared by the scripts: brings a bare Debian machine to the point where the
# harness runs. Each step looks first and does nothing where nothing is missing.
# Sourced, never run; expects `set -euo pipefail`.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
venv=$root/.venv

build_packages=(g++ libvulkan1 libvulkan-dev mesa-vulkan-drivers libgflags-dev nlohmann-json3-dev)
test_packages=(libgtest-dev libgmock-dev chromium)
python_wanted="Python 3.11, 3.12 or 3.13 with venv is needed; name one in PYTHON"

say() { printf '%s\n' "$*" >&2; }

# fail MESSAGE [CODE]: ends the script; 1 the step failed, 2 the caller must act.
fail() {
  say "error: $1"
  exit "${2:-1}"
}

# asks_for_help ARGUMENT...: whether one of them is -h or --help.
asks_for_help() {
  local word
  for word in "$@"; do
    [[ $word == -h || $word == --help ]] && return 0
  done
  return 1
}

# quietly WHAT COMMAND...: runs a command; shows what it printed only if it fails.
quietly() {
  local what=$1 log
  shift
  log=$(mktemp)
  if ! "$@" >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    fail "$what failed; mend what it says above and start again"
  fi
  rm -f "$log"
}

# lock_setup: waits for another script that sets up this checkout. Released when
# the set-up is done, by unlock_setup.
lock_setup() {
  mkdir -p "$root/build"
  exec 9>"$root/build/.setup-lock"
  flock 9
}
unlock_setup() { exec 9>&-; }

# need_packages NAME...: installs what is missing as root; otherwise prints the
# one command that does.
need_packages() {
  local missing=() name
  if ! command -v dpkg-query >/dev/null; then
    say "This is no Debian system: the build names what it misses, by its Debian name"
    return 0
  fi
  for name in "$@"; do
    # shellcheck disable=SC2016  # a format of dpkg-query
    [[ $(dpkg-query -W -f '${db:Status-Status}' "$name" 2>/dev/null) == *installed ]] ||
      missing+=("$name")
  done
  ((${#missing[@]})) || return 0
  if [[ $(id -u) -ne 0 ]]; then
    say "sudo apt-get install --no-install-recommends ${missing[*]}"
    fail "Debian packages are missing; run the line above and start again" 2
  fi
  say "Installing Debian packages: ${missing[*]}"
  quietly "apt-get update" apt-get update -qq
  DEBIAN_FRONTEND=noninteractive quietly "apt-get install" \
    apt-get install -y -qq --no-install-recommends "${missing[@]}"
}

# find_python: an interpreter that the pinned wheels exist for and that can make
# an environment.
find_python() {
  local candidate
  for candidate in "${PYTHON:-python3}" python3.13 python3.12 python3.11; do
    if "$candidate" -c 'import sys, venv, ensurepip
sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' >/dev/null 2>&1; then
      command -v "$candidate"
      return 0
    fi
  done
  return 1
}

# need_environment: .venv of this checkout; made again if the checkout or the
# interpreter has moved, since its programs hold absolute paths.
need_environment() {
  local python note=$venv/.made-in
  if [[ -f $note && $(<"$note") == "$root" ]] && "$venv/bin/python" -c '' 2>/dev/null; then
    return 0
  fi
  find_python >/dev/null || need_packages python3 python3-venv
  python=$(find_python) || fail "$python_wanted" 2
  rm -rf "$venv"
  quietly "making $venv" "$python" -m venv "$venv"
  printf '%s\n' "$root" >"$note"
}

pip() {
  quietly pip "$venv/bin/python" -m pip install --disable-pip-version-check --no-input "$@"
}

# need_wheels FILE...: the environment with the pinned wheels of these files. A
# stamp per file saves asking pip again.
need_wheels() {
  local file stamp sum
  need_environment
  for file in "$@"; do
    stamp=$venv/.installed-$(basename "$file")
    sum=$(sha256sum <"$file")
    [[ -f $stamp && $(<"$stamp") == "$sum" ]] && continue
    say "Installing the Python packages of ${file#"$root"/}"
    pip --no-deps -r "$file"
    printf '%s\n' "$sum" >"$stamp"
  done
}

# need_torch: torch as it was installed, which is complete where it is a CPU
# build; a CUDA build wants its libraries too, some gigabytes.
need_torch() {
  local stamp=$venv/.torch-runs
  [[ $stamp -nt $venv/.installed-test.txt ]] && return 0
  if ! "$venv/bin/python" -c 'import torch' 2>/dev/null; then
    say "pip brought a CUDA build of torch; installing its libraries (a CPU build does: see README)"
    pip "$(grep '^torch==' "$root/requirements/test.txt")"
    quietly "import torch" "$venv/bin/python" -c 'import torch'
  fi
  touch "$stamp"
}

# harness ARGUMENT...: the command line of this checkout, in its environment.
harness() {
  (cd "$root" && PATH=$venv/bin:$PATH PYTHONPATH=$root "$venv/bin/python" -m harness "$@")
}

# answer_help COMMAND ARGUMENT...: shows the command's help and ends the script if an
# argument asks for it. Needs nothing but Python, so that help comes before any download.
answer_help() {
  local command=$1 python
  shift
  asks_for_help "$@" || return 0
  python=$(find_python) || fail "$python_wanted" 2
  PYTHONPATH=$root exec "$python" -m harness "$command" --help
}

# become COMMAND ARGUMENT...: the rest of the script is this command. In the caller's
# folder, so that relative paths mean what the caller means.
become() {
  PATH=$venv/bin:$PATH PYTHONPATH=$root exec "$venv/bin/python" -m harness "$@"
}

# build PRESET [ARGUMENT...]: quick where nothing changed; a progress bar on a
# terminal, and the compiler's output if it fails.
build() {
  [[ -d $root/build/$1 ]] || say "Building $1, a minute or two the first time"
  harness build --preset "$@" >/dev/null
}
