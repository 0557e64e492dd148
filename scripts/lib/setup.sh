# Shared by the scripts: brings a bare Debian machine to the point where the
# harness runs. Each step looks first and does nothing where nothing is missing.
# Sourced, never run; expects `set -euo pipefail`.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
venv=$root/.venv

say() { printf '%s\n' "$*" >&2; }
fail() {
  say "$1"
  exit "${2:-1}"
}

# need_packages NAME...: installs what is missing as root; otherwise prints the
# one command that does.
need_packages() {
  local missing=() name
  for name in "$@"; do
    dpkg-query -W -f '${Status}' "$name" 2>/dev/null | grep -q 'ok installed' || missing+=("$name")
  done
  ((${#missing[@]})) || return 0
  if [[ $(id -u) -ne 0 ]]; then
    say "Debian packages are missing; run this and start again:"
    fail "  sudo apt-get install --no-install-recommends ${missing[*]}" 2
  fi
  say "Installing Debian packages: ${missing[*]}"
  local log
  log=$(mktemp)
  if ! { apt-get update -qq &&
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
      "${missing[@]}"; } >"$log" 2>&1; then
    cat "$log" >&2
    fail "apt-get failed; mend what it says above and start again"
  fi
  rm -f "$log"
}

python_packages=(python3 python3-venv)
build_packages=(g++ libvulkan1 libvulkan-dev mesa-vulkan-drivers libgflags-dev nlohmann-json3-dev)
test_packages=(libgtest-dev libgmock-dev)

# find_python: the interpreter for the environment, 3.10 or newer.
find_python() {
  local candidate
  for candidate in "${PYTHON:-python3}" python3.13 python3.12 python3.11 python3.10; do
    if "$candidate" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' \
      >/dev/null 2>&1; then
      command -v "$candidate"
      return 0
    fi
  done
  return 1
}

# need_wheels FILE...: the environment with the pinned wheels of these files. A
# stamp per file saves asking pip again.
need_wheels() {
  local python file stamp sum log
  if [[ ! -x $venv/bin/python ]] || ! "$venv/bin/python" -c '' 2>/dev/null; then
    find_python >/dev/null || need_packages "${python_packages[@]}"
    python=$(find_python) || fail "Python 3.10 or newer with venv is needed; set PYTHON to one" 2
    rm -rf "$venv"
    "$python" -m venv "$venv"
  fi
  for file in "$@"; do
    stamp=$venv/.installed-$(basename "$file")
    sum=$(sha256sum <"$file")
    [[ -f $stamp && $(<"$stamp") == "$sum" ]] && continue
    say "Installing the Python packages of ${file#"$root"/}"
    log=$(mktemp)
    if ! "$venv/bin/python" -m pip install --disable-pip-version-check --no-input \
      --no-deps -r "$file" >"$log" 2>&1; then
      cat "$log" >&2
      fail "pip failed; mend what it says above and start again"
    fi
    rm -f "$log"
    printf '%s\n' "$sum" >"$stamp"
  done
}

# harness ARGUMENT...: the command line of this checkout, in its environment.
harness() {
  (cd "$root" && PATH=$venv/bin:$PATH PYTHONPATH=$root "$venv/bin/python" -m harness "$@")
}
