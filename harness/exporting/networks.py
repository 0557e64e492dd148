"""Networks of the kinds that run on these devices, with random weights: made for timing.

Sizes are those of the example inputs; each factory says what it gives.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import torch
from torch import Tensor, nn

from harness.errors import InvalidRequestError

Example = tuple[nn.Module, tuple[Tensor, ...]]


def nss() -> Example:
    """The autoencoder of Neural Super Sampling for a frame of 960x540, as Arm trains it.

    Input (1, 12, 544, 960); outputs are the filter kernels and the temporal features.
    """
    return _nss_autoencoder(), (torch.rand(1, 12, 544, 960),)


def nss_small() -> Example:
    """The same network on a tile: input (1, 12, 32, 32)."""
    return _nss_autoencoder(), (torch.rand(1, 12, 32, 32),)


def mobilenet() -> Example:
    """Inverted residuals with depthwise convolutions: (1, 3, 96, 96) to (1, 100)."""
    module = nn.Sequential(
        _conv(3, 16, stride=2, activation=nn.ReLU6()),
        InvertedResidual(16, 16, expansion=1, stride=1),
        InvertedResidual(16, 24, expansion=4, stride=2),
        InvertedResidual(24, 24, expansion=4, stride=1),
        InvertedResidual(24, 40, expansion=4, stride=2),
        InvertedResidual(40, 40, expansion=4, stride=1),
        _conv(40, 160, kernel=1, activation=nn.ReLU6()),
        MeanOverImage(),
        nn.Linear(160, 100),
    )
    return module, (torch.rand(1, 3, 96, 96),)


def resnet() -> Example:
    """Residual blocks: (1, 3, 64, 64) to (1, 100)."""
    module = nn.Sequential(
        _conv(3, 16, activation=nn.ReLU()),
        ResidualBlock(16, 16, stride=1),
        ResidualBlock(16, 32, stride=2),
        ResidualBlock(32, 32, stride=1),
        ResidualBlock(32, 64, stride=2),
        MeanOverImage(),
        nn.Linear(64, 100),
    )
    return module, (torch.rand(1, 3, 64, 64),)


def unet() -> Example:
    """Two levels down and up again, with skip connections: (1, 3, 64, 64) to (1, 2, 64, 64)."""
    return UNet(), (torch.rand(1, 3, 64, 64),)


def transformer() -> Example:
    """One encoder block on 64 tokens of 64 features: (1, 64, 64) to the same."""
    return TransformerBlock(features=64, heads=4), (torch.randn(1, 64, 64),)


class MeanOverImage(nn.Module):
    """One number per channel."""

    def forward(self, x: Tensor) -> Tensor:
        """(N, C, H, W) to (N, C)."""
        return x.mean(dim=(2, 3))


class InvertedResidual(nn.Module):
    """Expansion, depthwise convolution, projection; a skip where the shape stays."""

    def __init__(self, inputs: int, outputs: int, expansion: int, stride: int) -> None:
        super().__init__()
        hidden = inputs * expansion
        self.body = nn.Sequential(
            _conv(inputs, hidden, kernel=1, activation=nn.ReLU6()),
            _conv(hidden, hidden, stride=stride, groups=hidden, activation=nn.ReLU6()),
            _conv(hidden, outputs, kernel=1),
        )
        self.skips = stride == 1 and inputs == outputs

    def forward(self, x: Tensor) -> Tensor:
        """(N, inputs, H, W) to (N, outputs, H / stride, W / stride)."""
        result: Tensor = self.body(x)
        return x + result if self.skips else result


class ResidualBlock(nn.Module):
    """Two convolutions beside a shortcut."""

    def __init__(self, inputs: int, outputs: int, stride: int) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _conv(inputs, outputs, stride=stride, activation=nn.ReLU()), _conv(outputs, outputs)
        )
        same = stride == 1 and inputs == outputs
        self.shortcut = nn.Identity() if same else _conv(inputs, outputs, kernel=1, stride=stride)

    def forward(self, x: Tensor) -> Tensor:
        """(N, inputs, H, W) to (N, outputs, H / stride, W / stride)."""
        return torch.relu(self.body(x) + self.shortcut(x))


class UNet(nn.Module):
    """A small U-Net."""

    def __init__(self) -> None:
        super().__init__()
        self.first = _conv(3, 16, activation=nn.ReLU())
        self.second = _conv(16, 32, activation=nn.ReLU())
        self.bottom = _conv(32, 32, activation=nn.ReLU())
        self.up_second = _conv(64, 16, activation=nn.ReLU())
        self.up_first = _conv(32, 16, activation=nn.ReLU())
        self.head = nn.Conv2d(16, 2, 1)
        self.pool = nn.MaxPool2d(2)
        self.up = nn.UpsamplingNearest2d(scale_factor=2)

    def forward(self, x: Tensor) -> Tensor:
        """(N, 3, H, W) to (N, 2, H, W), H and W divisible by 4."""
        first = self.first(x)
        second = self.second(self.pool(first))
        bottom = self.bottom(self.pool(second))
        up_second = self.up_second(torch.cat([self.up(bottom), second], dim=1))
        up_first = self.up_first(torch.cat([self.up(up_second), first], dim=1))
        result: Tensor = self.head(up_first)
        return result


class TransformerBlock(nn.Module):
    """Self-attention and a feed-forward part, each normalised before and added after."""

    def __init__(self, features: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.attention_norm = nn.LayerNorm(features)
        self.query_key_value = nn.Linear(features, 3 * features)
        self.projection = nn.Linear(features, features)
        self.feed_forward = nn.Sequential(
            nn.LayerNorm(features),
            nn.Linear(features, 4 * features),
            nn.GELU(),
            nn.Linear(4 * features, features),
        )

    def forward(self, x: Tensor) -> Tensor:
        """(N, tokens, features) to the same."""
        x = x + self._attention(self.attention_norm(x))
        result: Tensor = x + self.feed_forward(x)
        return result

    def _attention(self, x: Tensor) -> Tensor:
        batch, tokens, features = x.shape
        split = (batch, tokens, self.heads, features // self.heads)
        query, key, value = (
            part.reshape(split).transpose(1, 2) for part in self.query_key_value(x).chunk(3, dim=-1)
        )
        scores = query @ key.transpose(-2, -1) * (features // self.heads) ** -0.5
        mixed = torch.softmax(scores, dim=-1) @ value
        result: Tensor = self.projection(mixed.transpose(1, 2).reshape(batch, tokens, features))
        return result


def _conv(
    inputs: int,
    outputs: int,
    kernel: int = 3,
    stride: int = 1,
    groups: int = 1,
    activation: nn.Module | None = None,
) -> nn.Sequential:
    """A convolution that keeps the size but for the stride, normalised, and an activation."""
    layers: list[nn.Module] = [
        nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, groups=groups, bias=False),
        nn.BatchNorm2d(outputs),
    ]
    return nn.Sequential(*layers, *([activation] if activation else []))


def _nss_autoencoder() -> nn.Module:
    """Arm's network from the package ng-model-gym (Apache-2.0).

    Only two of its files are needed, and those need nothing but torch; importing them the
    usual way would run the package's own imports, which ask for much more.
    """
    package = importlib.util.find_spec("ng_model_gym")
    if package is None or package.origin is None:
        raise InvalidRequestError(
            "the NSS network is in the package ng-model-gym; "
            "install it with: pip install --no-deps ng-model-gym==0.4.0"
        )
    root = Path(package.origin).parent
    _load(root, "core.model.layers.conv_block")
    blocks = _load(root, "usecases.nss.model.model_blocks_v1")
    module: nn.Module = blocks.AutoEncoderV1()
    return module


def _load(root: Path, name: str) -> ModuleType:
    """Runs one file of a package under its full name, and none of its parents."""
    full_name = f"{root.name}.{name}"
    if full_name in sys.modules:
        return sys.modules[full_name]
    spec = importlib.util.spec_from_file_location(
        full_name, root.joinpath(*name.split(".")).with_suffix(".py")
    )
    if spec is None or spec.loader is None:
        raise InvalidRequestError(f"{root} has no {name}; pip install ng-model-gym==0.4.0")
    module = importlib.util.module_from_spec(spec)
    sys.modules[full_name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[full_name]
        raise
    return module
