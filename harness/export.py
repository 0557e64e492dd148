"""`python -m harness export`: makes the demo and example programs. Only running needs torch."""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import logging
import sys
import traceback
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.errors import HarnessError, InvalidRequestError, RunFailedError
from harness.exporting import catalog, manifest, tools
from harness.exporting.spec import ModelSpec, Quantization

if TYPE_CHECKING:
    from harness.exporting.lowering import Lowered

EPILOG = """\
examples:
  python -m harness export --list
  python -m harness export conv3_1x12x32x32 --out /tmp/models
  python -m harness export my_models.py:upscaler --quantize int8 --out /tmp/models

FILE.py:FUNCTION is an own model: the function has no arguments and returns the torch.nn.Module
and a tuple of example inputs. Exported elsewhere, a model becomes benchmarkable by the same two
settings: VgfPartitioner, and MemoryPlanningPass(alloc_graph_input=False,
alloc_graph_output=False).
"""


@dataclass(frozen=True)
class ExportOptions:
    """What differs from the default export.

    Attributes:
        memory_planned: Put graph inputs and outputs into the method's planned memory, as
            ExecuTorch does by default; such a program cannot be benchmarked in place.
        keep_vgf: Also write what each delegate holds, as `NAME-INDEX.vgf`.
        quantization: Of own models; those of the catalog have theirs.
    """

    memory_planned: bool = False
    keep_vgf: bool = False
    quantization: Quantization = Quantization.NONE


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of the command to its parser."""
    parser.epilog = EPILOG
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help="models to make (see --list), or FILE.py:FUNCTION"
    )
    parser.add_argument(
        "--quantize",
        choices=[kind.value for kind in Quantization],
        default=Quantization.NONE.value,
        help="own models, calibrated with the inputs they come with: int8 inside, or also at "
        "the boundary (default: %(default)s)",
    )
    parser.add_argument("--out", type=Path, metavar="DIR", help="folder to write to")
    parser.add_argument("--all", action="store_true", help="make every model")
    parser.add_argument("--shipped", action="store_true", help="make those of this package")
    parser.add_argument("--list", action="store_true", help="say what there is and stop")
    parser.add_argument("--json", action="store_true", help="with --list: as JSON")
    parser.add_argument(
        "--memory-planned",
        action="store_true",
        help="graph inputs and outputs in planned memory (cannot be benchmarked in place)",
    )
    parser.add_argument("--vgf", action="store_true", help="also write each delegate's .vgf")


def main(args: argparse.Namespace) -> int:
    """Runs the command; errors are left to the caller."""
    if args.list:
        print(_list_json() if args.json else _list_text())
        return 0
    names = list(args.names)
    names += [spec.name for spec in catalog.MODELS if args.all or (args.shipped and spec.shipped)]
    if not names:
        raise InvalidRequestError("nothing to export: name models, or give --shipped or --all")
    if args.out is None:
        raise InvalidRequestError("where to? give a folder with --out DIR")
    options = ExportOptions(args.memory_planned, args.vgf, Quantization(args.quantize))
    for path in run(names, args.out, options):
        print(path)
    return 0


def run(names: Sequence[str], out_dir: Path, options: ExportOptions | None = None) -> list[Path]:
    """Makes programs by name, with a manifest (`models.toml`) beside them.

    Args:
        names: Of the catalog, or `file.py:function` for own ones; a repeated one is made once.
        out_dir: Made if missing. A program of the same name is replaced.
        options: The defaults if None.
    Returns:
        The .pte files, in the order of the names.
    Raises:
        InvalidRequestError: An unknown name, a missing package, a folder not writable.
        RunFailedError: The exporter or the converter refused a model.
    """
    options = options or ExportOptions()
    specs = [_find(name, options.quantization) for name in dict.fromkeys(names)]
    tools.require()
    try:
        out_dir.mkdir(parents=True, exist_ok=True)
        entries = [_export(spec, out_dir, options) for spec in specs]
        manifest.write(out_dir, manifest.merge(manifest.read(out_dir), entries))
    except OSError as error:
        raise InvalidRequestError(f"cannot write to {out_dir}: {error}") from error
    return [out_dir / entry.file for entry in entries]


def _find(name: str, quantization: Quantization) -> ModelSpec:
    source, _, function = name.rpartition(":")
    if source.endswith(".py"):
        return ModelSpec(function, f"{function} of {Path(source).name}", name, quantization)
    spec = catalog.find(name)
    if spec is None:
        known = ", ".join(model.name for model in catalog.MODELS)
        raise InvalidRequestError(
            f"there is no model {name!r}; name an own one as FILE.py:FUNCTION; there are: {known}"
        )
    return spec


def _export(spec: ModelSpec, out_dir: Path, options: ExportOptions) -> manifest.ModelEntry:
    lowered = _lower(spec, options)
    path = out_dir / f"{spec.name}.pte"
    path.write_bytes(lowered.program)
    if options.keep_vgf:
        for index, blob in enumerate(lowered.vgf_blobs()):
            (out_dir / f"{spec.name}-{index}.vgf").write_bytes(blob)
    return manifest.ModelEntry(
        name=spec.name,
        file=path.name,
        description=spec.description,
        quantization=spec.quantization.value,
        memory_planned=options.memory_planned,
        inputs=tuple(manifest.TensorEntry(*tensor) for tensor in lowered.inputs()),
        outputs=tuple(manifest.TensorEntry(*tensor) for tensor in lowered.outputs()),
        bytes=path.stat().st_size,
        sha256=manifest.digest(path),
        made_with=tools.versions(),
    )


def _lower(spec: ModelSpec, options: ExportOptions) -> Lowered:
    with _quiet():
        from harness.exporting.lowering import LoweringOptions, lower

        module, inputs = _build(spec)
        lowering = LoweringOptions(
            quantization=spec.quantization,
            plan_inputs=options.memory_planned,
            plan_outputs=options.memory_planned,
        )
        try:
            return lower(module, inputs, lowering)
        # The exporter raises many kinds of its own; each is a failed export of this model.
        except Exception as error:
            cause = _root_cause(error)
            first_line = (str(cause).splitlines() or [type(cause).__name__])[0]
            raise RunFailedError(f"cannot export {spec.name}: {first_line}", str(error)) from error


def _build(spec: ModelSpec) -> tuple[Any, tuple[Any, ...]]:
    try:
        return spec.build()
    except HarnessError:
        raise
    except Exception as error:  # whatever an own file raises
        raise RunFailedError(
            f"{spec.factory} failed: {type(error).__name__}: {error}", traceback.format_exc()
        ) from error


def _root_cause(error: BaseException) -> BaseException:
    """The first of the errors that led to this one; the exporter wraps each several times."""
    while error.__cause__ is not None:
        error = error.__cause__
    return error


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Keeps the exporter's chatter away from stdout and stderr; errors still come as errors."""
    level = logging.root.manager.disable
    logging.disable(logging.WARNING)
    try:
        with (
            warnings.catch_warnings(),
            contextlib.redirect_stdout(io.StringIO()),
            contextlib.redirect_stderr(io.StringIO()),
        ):
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(level)


def _list_text() -> str:
    width = max(len(spec.name) for spec in catalog.MODELS)
    return "\n".join(f"{spec.name:<{width}}  {spec.description}" for spec in catalog.MODELS)


def _list_json() -> str:
    return json.dumps(
        [
            {
                "name": spec.name,
                "description": spec.description,
                "quantization": spec.quantization.value,
                "shipped": spec.shipped,
            }
            for spec in catalog.MODELS
        ],
        indent=2,
    )


if __name__ == "__main__":
    _parser = argparse.ArgumentParser(prog="python -m harness.export")
    add_arguments(_parser)
    sys.exit(main(_parser.parse_args()))
