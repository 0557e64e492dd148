"""One process of several that measure: a configuration on stdin, the result on stdout."""

from __future__ import annotations

import sys

from harness import bench, processes
from harness.commands import documents


def main() -> None:
    """Measures what the parent asked for; failures are part of the result."""
    config = bench.BenchConfig(**processes.config_from_json(sys.stdin.read()))
    sys.stdout.write(documents.several(bench.run(config)))


if __name__ == "__main__":
    main()
