"""The demo models: small programs, each with a boundary of another kind."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class Add(nn.Module):
    """Sum of two tensors of one shape."""

    def forward(self, a: Tensor, b: Tensor) -> Tensor:
        """Adds element by element."""
        return a + b


def conv_stack(channels: int, hidden: int) -> nn.Module:
    """Three 3x3 convolutions that keep the size: (1, channels, H, W) to the same."""
    return nn.Sequential(
        nn.Conv2d(channels, hidden, 3, padding=1),
        nn.ReLU(),
        nn.Conv2d(hidden, hidden, 3, padding=1),
        nn.ReLU(),
        nn.Conv2d(hidden, channels, 3, padding=1),
    )


def add_large() -> tuple[nn.Module, tuple[Tensor, ...]]:
    """Two inputs and one output of 1 MiB each, float32."""
    return Add(), (torch.randn(1, 4, 256, 256), torch.randn(1, 4, 256, 256))


def conv3() -> tuple[nn.Module, tuple[Tensor, ...]]:
    """Input and output (1, 12, 32, 32)."""
    return conv_stack(12, 16), (torch.randn(1, 12, 32, 32),)


def classifier() -> tuple[nn.Module, tuple[Tensor, ...]]:
    """Input (1, 3, 32, 32), output (1, 10)."""
    module = nn.Sequential(
        nn.Conv2d(3, 8, 3, stride=2, padding=1),
        nn.ReLU(),
        nn.Conv2d(8, 16, 3, stride=2, padding=1),
        nn.ReLU(),
        nn.AvgPool2d(8),
        nn.Flatten(),
        nn.Linear(16, 10),
    )
    return module, (torch.randn(1, 3, 32, 32),)
