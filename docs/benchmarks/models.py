"""The models of the GPU benchmarks, for `scripts/export.sh docs/benchmarks/models.py:NAME`."""

from __future__ import annotations

import torch
from torch import Tensor, nn

Example = tuple[nn.Module, tuple[Tensor, ...]]


class Add(nn.Module):
    """All boundary and next to no work."""

    def forward(self, a: Tensor, b: Tensor) -> Tensor:
        """Elementwise, of the same shape."""
        return a + b


def _add(*shape: int) -> Example:
    return Add(), (torch.rand(shape), torch.rand(shape))


def add_1x1x64x64() -> Example:
    """3 x 16 KiB."""
    return _add(1, 1, 64, 64)


def add_1x4x1080x1920() -> Example:
    """3 x 32 MiB."""
    return _add(1, 4, 1080, 1920)


def add_1x4x2048x2048() -> Example:
    """3 x 64 MiB."""
    return _add(1, 4, 2048, 2048)


def add_1x4x8192x8192() -> Example:
    """3 x 1 GiB."""
    return _add(1, 4, 8192, 8192)


def conv3_1x12x544x960() -> Example:
    """Three convolutions on a frame."""
    layers = [_conv(12, 16), nn.ReLU(), _conv(16, 16), nn.ReLU(), _conv(16, 12)]
    return nn.Sequential(*layers), (torch.rand(1, 12, 544, 960),)


def long1_1x1x64x64() -> Example:
    """16 KiB in and out, and some milliseconds of work."""
    return _long(1)


def long10_1x1x64x64() -> Example:
    """16 KiB in and out, and as much work as adding tensors of 1 GiB."""
    return _long(10)


def long20_1x1x64x64() -> Example:
    """16 KiB in and out, and twice that work."""
    return _long(20)


def _long(convolutions: int) -> Example:
    """Convolutions on an image that is enlarged 16 times, and made small again."""
    layers = [
        nn.Upsample(scale_factor=16, mode="nearest"),
        _conv(1, 16),
        *(_conv(16, 16) for _ in range(convolutions)),
        nn.AvgPool2d(16),
        nn.Conv2d(16, 1, 1),
    ]
    return nn.Sequential(*layers), (torch.rand(1, 1, 64, 64),)


def _conv(inputs: int, outputs: int) -> nn.Module:
    return nn.Conv2d(inputs, outputs, 3, padding=1)
