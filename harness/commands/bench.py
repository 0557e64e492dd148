"""`python -m harness bench`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from harness import locations
from harness.commands import arguments, suite
from harness.errors import InvalidRequestError

if TYPE_CHECKING:
    from harness.bench import BenchConfig, BenchResult

EPILOG = """\
Without a mode, copy and zero-copy are run interleaved in one process and compared.

examples:
  python -m harness bench
  python -m harness bench model.pte --inputs a.npy,b.bin --json result.json
  python -m harness bench model.pte --html result.html --report-dir reports
  python -m harness bench model.pte --zero-copy --require-zero-copy --json zero_copy.json
  python -m harness bench model.pte --runner build-elsewhere/executor_runner
  python -m harness bench --config suite.toml --report-dir reports

--json writes the report where one model runs in one mode, and else one object with the
reports of all; "-" writes it to stdout and nothing else.
"""
_BOTH = ("copy", "zero_copy")
_STDOUT = Path("-")
_RUN_FAILED, _INTERRUPTED = 1, 130


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of the command."""
    parser.epilog = EPILOG
    parser.add_argument(
        "models",
        nargs="*",
        type=Path,
        metavar="MODEL",
        help=".pte files, or names of shipped models (default: the demos)",
    )
    _add_mode(parser)
    _add_work(parser)
    _add_timing(parser)
    _add_session(parser)
    _add_output(parser)
    suite.add_arguments(parser)
    arguments.add_runner(parser)
    arguments.add_library(parser)


def _add_mode(parser: argparse.ArgumentParser) -> None:
    mode = parser.add_mutually_exclusive_group()
    for name in ("copy", "zero-copy"):
        mode.add_argument(
            f"--{name}",
            dest="io",
            action="store_const",
            const=(name,),
            help=f"short for --io {name}",
        )
    mode.add_argument(
        "--io",
        type=arguments.io_modes,
        metavar="MODE[,MODE]",
        help=f"these modes, interleaved: {', '.join(arguments.IO_MODES)}; or auto, the fastest "
        "of copy, zero-copy and staged in a short trial",
    )


def _add_work(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("work")
    group.add_argument(
        "--inputs",
        action="append",
        default=[],
        metavar="FILE[,FILE]",
        help=".bin or .npy, one per input; may be repeated (default: seeded random data)",
    )
    for flag, kind, default, text in (
        ("--iterations", arguments.positive, 200, "measured inferences per mode"),
        ("--warmup", arguments.not_negative, 20, "inferences before them"),
        ("--blocks", arguments.positive, 10, "pieces in which the modes take turns"),
        ("--profile-iterations", arguments.not_negative, 20, "inferences with device timestamps"),
        ("--seed", arguments.not_negative, 0, "of random data and of the order of blocks"),
        ("--processes", arguments.positive, 1, "fresh processes that measure in turn"),
    ):
        group.add_argument(
            flag, type=kind, default=default, metavar="N", help=f"{text} (default: {default})"
        )


def _add_timing(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("timing")
    for flag, text in (
        ("--min-time", "measure each mode at least that long, beside --iterations"),
        ("--max-time", "and at most that long, also if that is fewer iterations"),
    ):
        group.add_argument(flag, type=arguments.seconds, metavar="SECONDS", help=text)
    group.add_argument(
        "--pace",
        type=arguments.rate,
        default=0.0,
        metavar="FPS",
        help="start inferences at this rate and measure from the scheduled start",
    )
    group.add_argument(
        "--end-to-end",
        action="store_true",
        help="measure filling the inputs and reading the outputs too",
    )


def _add_session(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("session")
    group.add_argument("--method", default="", metavar="NAME", help="default: the first one")
    group.add_argument("--data", type=Path, metavar="FILE", help="weights apart from the model")
    group.add_argument("--device", metavar="NAME", help="part of its name, or its index")
    group.add_argument(
        "--wait", choices=arguments.WAITS, default="adaptive", help="for the device (%(default)s)"
    )
    group.add_argument(
        "--copy-memory",
        choices=arguments.COPY_MEMORIES,
        default="auto",
        help="memory that copy mode copies to and from (%(default)s: cached, not behind a bus)",
    )
    group.add_argument(
        "--buffers",
        type=arguments.positive,
        default=1,
        metavar="N",
        help="sets of buffers bound in turn, as a frame pipeline has (default: 1)",
    )
    group.add_argument(
        "--io-alignment",
        type=arguments.alignment,
        default=0,
        metavar="BYTES",
        help="of inputs and outputs (default: what the device asks for)",
    )
    group.add_argument(
        "--require-zero-copy", action="store_true", help="fail where a tensor has to be copied"
    )
    group.add_argument(
        "--allow-planned-io", action="store_true", help="accept memory-planned inputs and outputs"
    )


def _add_output(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("output")
    group.add_argument("--json", type=Path, metavar="FILE", help="write the result; - for stdout")
    group.add_argument(
        "--report-dir", type=Path, metavar="DIR", help="write one report per model and mode"
    )
    group.add_argument("--html", type=Path, metavar="FILE", help="write a page with plots")
    group.add_argument(
        "--strict", action="store_true", help="warnings about the numbers are errors"
    )


def main(args: argparse.Namespace) -> int:
    """Measures, shows and writes."""
    if args.config is not None:
        return _suite(args)
    if args.restart:
        raise InvalidRequestError("--restart belongs to a suite; name its file with --config")
    config = _config(args)
    from harness import bench, progress
    from harness.report import text

    _check_outputs(args)
    with progress.bar() as report:
        results = bench.run(config, report)
    if args.json != _STDOUT and any(result.reports for result in results):
        print(text.bench_table(results), end="")
    _write(args, config, results)
    return _exit_code(results, strict=args.strict)


def _suite(args: argparse.Namespace) -> int:
    _check_outputs(args)
    results, whole = suite.run(args)
    from harness.report import text

    print(text.bench_table(results), end="")
    page = args.report_dir / "index.html"
    plots = f"{page} has the plots" if page.exists() else "no page with plots: pip install plotly"
    print(f"\n{plots}")
    code = _exit_code(results, strict=args.strict)
    return code if whole else _INTERRUPTED


def _config(args: argparse.Namespace) -> BenchConfig:
    models = [_model(path) for path in args.models] or _demo_models()
    if args.inputs and len(models) != 1:
        raise InvalidRequestError("--inputs belongs to one model; name that model")
    library = _library(args)
    from harness.bench import BenchConfig

    return BenchConfig(
        models=models,
        modes=_BOTH if args.io is None else args.io,
        inputs=args.inputs,
        iterations=args.iterations,
        warmup=args.warmup,
        blocks=min(args.blocks, args.iterations),
        profile_iterations=args.profile_iterations,
        seed=args.seed,
        method=args.method,
        data=args.data,
        device=args.device,
        wait=args.wait,
        io_alignment=args.io_alignment,
        require_zero_copy=args.require_zero_copy,
        allow_planned_io=args.allow_planned_io,
        library=library,
        copy_memory=args.copy_memory,
        buffers=args.buffers,
        min_time=args.min_time or 0.0,
        max_time=args.max_time,
        processes=args.processes,
        pace=args.pace,
        end_to_end=args.end_to_end,
        runner=args.runner,
        launcher=args.launcher,
    )


def _library(args: argparse.Namespace) -> Path | None:
    """The native library; None where a runner measures, which has all of it inside."""
    if args.runner is None:
        return locations.find_library(arguments.library(args))
    named = {"--runner-lib": args.library, "--preset": args.preset}
    for flag in (flag for flag, value in named.items() if value is not None):
        raise InvalidRequestError(
            f"{flag} has no meaning with --runner, which has that library's code inside; "
            "leave one of them out"
        )
    return None


def _demo_models() -> list[Path]:
    from harness.exporting.catalog import MODELS

    return [locations.shipped_model(spec.name) for spec in MODELS if spec.demo]


def _model(path: Path) -> Path:
    """A file, or the shipped model of that name."""
    shipped = locations.shipped_model(str(path))
    return shipped if not path.exists() and shipped.is_file() else path


def _check_outputs(args: argparse.Namespace) -> None:
    """Fails before the run where its result could not be written after it."""
    from harness.report import html
    from harness.results import check_writable

    if args.json not in (None, _STDOUT):
        check_writable(args.json)
    if args.html is not None:
        check_writable(args.html)
        for package in html.PACKAGES:  # a missing one fails here, not after the work
            import_module(package)
    if args.report_dir is not None:
        try:
            args.report_dir.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InvalidRequestError(
                f"cannot write into {args.report_dir}: {error.strerror}"
            ) from error
        check_writable(args.report_dir / "report.json")


def _write(args: argparse.Namespace, config: BenchConfig, results: Sequence[BenchResult]) -> None:
    from harness.commands import documents
    from harness.results import save, write_text

    if args.report_dir is not None:
        for name, report in documents.report_names(results):
            save(report, args.report_dir / name)
    if args.html is not None:
        from harness.report import html

        write_text(args.html, html.page(results))
    if args.json is None:
        return
    single = len(config.models) == len(config.modes) == 1
    if single and not results[0].reports:
        print(f"{args.json} is not written: there is nothing to report", file=sys.stderr)
        return
    document = documents.single(results) if single else documents.several(results)
    if args.json == _STDOUT:
        sys.stdout.write(document)
    else:
        write_text(args.json, document)


def _exit_code(results: Sequence[BenchResult], *, strict: bool) -> int:
    """The first failure's; else that of an interruption, or of warnings that are errors."""
    from harness import validity

    code = 0
    for result in results:
        if result.error is not None:
            print(f"error: {result.model}: {result.error.message}", file=sys.stderr)
            code = code or result.error.exit_code
    if any(result.interrupted for result in results) or not results:
        return _INTERRUPTED
    reports = (report for result in results for report in result.reports.values())
    doubts = [doubt for report in reports for doubt in validity.errors(report.document)]
    if strict and doubts and not code:
        print(f"error: --strict: {doubts[0]['message']}; {doubts[0]['remedy']}", file=sys.stderr)
        return _RUN_FAILED
    return code
