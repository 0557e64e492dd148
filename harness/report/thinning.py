"""Fewer points for a plot, with every spike still in it."""

from __future__ import annotations

import itertools

import numpy as np
import numpy.typing as npt

from harness.statistics import Samples


def kept(samples: Samples, most: int) -> npt.NDArray[np.int64]:
    """Which samples to draw: the smallest and the largest of each of equally long stretches.

    Args:
        samples: Shape (n,), without NaN.
        most: Upper bound on how many are kept, at least 2.
    Returns:
        Ascending indices; all of them where there are not more than `most`.
    """
    if samples.size <= most:
        return np.arange(samples.size)
    edges = np.linspace(0, samples.size, most // 2 + 1).astype(np.int64)
    extremes = [
        begin + int(found(samples[begin:end]))
        for begin, end in itertools.pairwise(edges)
        for found in (np.argmin, np.argmax)
    ]
    return np.unique(np.array(extremes, np.int64))
