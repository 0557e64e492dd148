"""Every model that can be exported by name. A new one is a factory and an entry here."""

from __future__ import annotations

from harness.exporting.spec import ModelSpec, Quantization

_DEMO = "harness.exporting.demo"
_NETWORKS = "harness.exporting.networks"

MODELS: tuple[ModelSpec, ...] = (
    ModelSpec(
        "add_1x4x256x256",
        "one addition of two images: the boundary is nearly all there is (3 x 1 MiB)",
        f"{_DEMO}:add_large",
        shipped=True,
        demo=True,
    ),
    ModelSpec(
        "conv3_1x12x32x32",
        "three 3x3 convolutions, the head of a super-resolution network in small",
        f"{_DEMO}:conv3",
        shipped=True,
        demo=True,
    ),
    ModelSpec(
        "classifier_1x3x32x32",
        "a small image classifier: large input, ten numbers out",
        f"{_DEMO}:classifier",
        shipped=True,
        demo=True,
    ),
    ModelSpec(
        "conv3_int8_1x12x32x32",
        "the three convolutions quantized, int8 at the boundary too",
        f"{_DEMO}:conv3",
        quantization=Quantization.INT8_IO,
        shipped=True,
        demo=True,
    ),
    ModelSpec(
        "nss_1x12x544x960",
        "Neural Super Sampling's autoencoder for 960x540 frames (needs ng-model-gym)",
        f"{_NETWORKS}:nss",
    ),
    ModelSpec(
        "nss_int8_1x12x544x960",
        "the same quantized, int8 at the boundary too (needs ng-model-gym)",
        f"{_NETWORKS}:nss",
        quantization=Quantization.INT8_IO,
    ),
    ModelSpec(
        "nss_1x12x32x32",
        "Neural Super Sampling's autoencoder on a small tile (needs ng-model-gym)",
        f"{_NETWORKS}:nss_small",
    ),
    ModelSpec(
        "nss_int8_1x12x32x32",
        "the same quantized, int8 at the boundary too (needs ng-model-gym)",
        f"{_NETWORKS}:nss_small",
        quantization=Quantization.INT8_IO,
        shipped=True,
    ),
    ModelSpec(
        "mobilenet_1x3x96x96",
        "a classifier of inverted residuals with depthwise convolutions",
        f"{_NETWORKS}:mobilenet",
    ),
    ModelSpec(
        "mobilenet_int8_1x3x96x96",
        "the same quantized inside, float32 at the boundary",
        f"{_NETWORKS}:mobilenet",
        quantization=Quantization.INT8,
    ),
    ModelSpec("resnet_1x3x64x64", "a classifier of residual blocks", f"{_NETWORKS}:resnet"),
    ModelSpec("unet_1x3x64x64", "a segmenter with skip connections", f"{_NETWORKS}:unet"),
    ModelSpec(
        "transformer_1x64x64", "one encoder block with self-attention", f"{_NETWORKS}:transformer"
    ),
)


def find(name: str) -> ModelSpec | None:
    """The model of that name, or None."""
    return next((spec for spec in MODELS if spec.name == name), None)
