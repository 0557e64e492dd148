"""Every model that can be exported by name. A new one is a factory and an entry here."""

from __future__ import annotations

from harness.exporting.spec import ModelSpec, Quantization

_DEMO = "harness.exporting.demo"

MODELS: tuple[ModelSpec, ...] = (
    ModelSpec(
        "add_1x4x256x256",
        "one addition of two images: the boundary is nearly all there is (3 x 1 MiB)",
        f"{_DEMO}:add_large",
        shipped=True,
    ),
    ModelSpec(
        "conv3_1x12x64x64",
        "three 3x3 convolutions, the head of a super-resolution network in small",
        f"{_DEMO}:conv3",
        shipped=True,
    ),
    ModelSpec(
        "classifier_1x3x32x32",
        "a small image classifier: large input, ten numbers out",
        f"{_DEMO}:classifier",
        shipped=True,
    ),
    ModelSpec(
        "conv3_int8_1x12x64x64",
        "the three convolutions quantized, int8 at the boundary too",
        f"{_DEMO}:conv3",
        quantization=Quantization.INT8_IO,
        shipped=True,
    ),
)


def find(name: str) -> ModelSpec | None:
    """The model of that name, or None."""
    return next((spec for spec in MODELS if spec.name == name), None)
