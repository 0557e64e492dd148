"""How many inferences to measure, and in which blocks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from harness.errors import InvalidRequestError

if TYPE_CHECKING:
    from harness.bench import BenchConfig

# More blocks make no interval narrower, and the means of all their pairs are many.
MAX_BLOCKS = 1000


def check(config: BenchConfig) -> None:
    """Refuses numbers that cannot be.

    Raises:
        InvalidRequestError: Says which flag to change.
    """
    if config.iterations < 1 or config.warmup < 0 or config.profile_iterations < 0:
        raise InvalidRequestError(
            "--iterations must be at least 1, --warmup and --profile-iterations not negative"
        )
    if not 1 <= config.buffers <= 4096:
        raise InvalidRequestError("--buffers must lie between 1 and 4096")
    most = min(config.iterations, MAX_BLOCKS)
    if not 1 <= config.blocks <= most:
        raise InvalidRequestError(
            f"--blocks must lie between 1 and {most} for {config.iterations} iterations"
        )
    if not 1 <= config.processes <= 1000:
        raise InvalidRequestError("--processes must lie between 1 and 1000")
    if not 0 <= config.pace <= 1e6:
        raise InvalidRequestError("--pace must lie between 0 and 1000000 inferences per second")
    _check_times(config)


def _check_times(config: BenchConfig) -> None:
    if not 0 <= config.min_time < math.inf:
        raise InvalidRequestError("--min-time must be a number of seconds, not negative")
    if config.max_time is not None and not 0 < config.max_time < math.inf:
        raise InvalidRequestError("--max-time must be a number of seconds above 0")
    if config.max_time is not None and config.max_time < config.min_time:
        raise InvalidRequestError("--max-time is shorter than --min-time; change one of them")
    if (config.min_time or config.max_time) and config.warmup < 1:
        raise InvalidRequestError(
            "--min-time and --max-time need --warmup of at least 1, which tells how long an "
            "inference takes"
        )


def blocks(config: BenchConfig, latencies_ns: Sequence[float]) -> tuple[int, ...]:
    """Measured inferences of each block, the same for every mode.

    At least `iterations`, and as many as fill the minimum time in the fastest mode; but no
    more than fit into the maximum time in the slowest.

    Args:
        config: What was asked for.
        latencies_ns: Of each mode, from its warm-up; only looked at for the times.
    """
    wanted = config.iterations
    steps = [max(latency, 1e9 / config.pace if config.pace else 1.0) for latency in latencies_ns]
    if config.min_time:
        wanted = max(wanted, math.ceil(config.min_time * 1e9 / min(steps)))
    if config.max_time is not None:
        wanted = min(wanted, max(1, math.floor(config.max_time * 1e9 / max(steps))))
    return _even(wanted, min(config.blocks, wanted))


def out_of_time(max_time: float | None, spent_ns: Sequence[int], done: int) -> bool:
    """Whether another round of blocks would take some mode beyond the maximum time.

    Args:
        max_time: In seconds; None for no limit.
        spent_ns: By each mode so far.
        done: Rounds so far; the first one always runs.
    """
    if max_time is None or done == 0:
        return False
    return max(spent_ns) * (done + 1) / done > max_time * 1e9


def _even(total: int, parts: int) -> tuple[int, ...]:
    base, extra = divmod(total, parts)
    return tuple(base + (part < extra) for part in range(parts))
