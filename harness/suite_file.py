"""A suite file: many models and settings, as a list of cases. Reads and checks; runs nothing."""

from __future__ import annotations

import itertools
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any, get_type_hints

import tomli

from harness import locations, planning, runner_process
from harness.bench import AUTO, MODES, BenchConfig, are_modes
from harness.errors import InvalidRequestError

# Of BenchConfig, but not settings of a case.
_NOT_SETTINGS = frozenset({"models", "library", "process"})
_OTHER_NAMES = {"io": "modes"}
_CASE_KEYS = frozenset({"name", "models", "matrix", "repeats"})


@dataclass(frozen=True)
class Case:
    """One model with one combination of settings.

    Attributes:
        name: Different from that of every other case, and fit for a folder.
        config: What to measure, with absolute paths.
        settings: What differs from the defaults of the program, as JSON.
    """

    name: str
    config: BenchConfig
    settings: Mapping[str, Any]

    @property
    def model(self) -> Path:
        """The only model."""
        return self.config.models[0]


def load(path: Path, library: Path | None = None) -> list[Case]:
    """The cases of a suite file, in their order.

    Args:
        path: The file; relative paths in it are relative to its folder.
        library: The native library of all cases; None to find it.
    Raises:
        InvalidRequestError: Unreadable, no TOML, or a case is wrong; names case and key.
    """
    try:
        document = tomli.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InvalidRequestError(f"cannot read {path}: {error.strerror}") from error
    except ValueError as error:
        raise InvalidRequestError(f"{path} is no TOML: {error}") from error
    _refuse_unknown(document, {"defaults", "case"}, str(path))
    defaults = _settings(document.get("defaults", {}), f"{path}: defaults")
    tables = document.get("case", [])
    if not isinstance(tables, list) or not tables:
        raise InvalidRequestError(f"{path} has no case; write at least one [[case]]")
    cases = [
        case
        for number, table in enumerate(tables)
        for case in _cases(table, defaults, path, number, library)
    ]
    _check_names(cases, path)
    return cases


def _cases(
    table: Any, defaults: Mapping[str, Any], path: Path, number: int, library: Path | None
) -> Iterator[Case]:
    if not isinstance(table, dict) or not isinstance(table.get("name"), str) or not table["name"]:
        raise InvalidRequestError(f"{path}: case {number + 1} needs a name")
    name = table["name"]
    place = f"{path}: case {name!r}"
    models = table.get("models")
    if not isinstance(models, list) or not models or not all(isinstance(m, str) for m in models):
        raise InvalidRequestError(f"{place}: models must be a list of files or shipped models")
    repeats = table.get("repeats", 1)
    if type(repeats) is not int or not 1 <= repeats <= 1000:
        raise InvalidRequestError(f"{place}: repeats must be a number from 1 to 1000")
    own = _settings({k: v for k, v in table.items() if k not in _CASE_KEYS}, place)
    for model, combination, repeat in itertools.product(
        models, _combinations(table.get("matrix", {}), place), range(repeats)
    ):
        settings = {**defaults, **own, **combination}
        marks = [Path(model).stem] * (len(models) > 1)
        marks += [f"{key}={_mark(value)}" for key, value in combination.items()]
        marks += [f"run{repeat + 1}"] * (repeats > 1)
        config = _config(model, settings, path.resolve().parent, library, place)
        yield Case(_folder_name("-".join([name, *marks])), config, _as_json(config))


def _combinations(matrix: Any, place: str) -> list[dict[str, Any]]:
    """Every choice of one value per key."""
    if not isinstance(matrix, dict):
        raise InvalidRequestError(f"{place}: matrix must be a table of lists")
    for key, values in matrix.items():
        if not isinstance(values, list) or not values:
            raise InvalidRequestError(f"{place}: matrix.{key} must be a list with values")
    choices = itertools.product(*matrix.values())
    chosen = (dict(zip(matrix, values, strict=True)) for values in choices)
    return [_settings(settings, f"{place}: matrix") for settings in chosen]


def _settings(table: Any, place: str) -> dict[str, Any]:
    """Settings by the names of BenchConfig, of the right types."""
    import msgspec

    if not isinstance(table, dict):
        raise InvalidRequestError(f"{place} must be a table")
    found: dict[str, Any] = {}
    for key, value in table.items():
        name = _OTHER_NAMES.get(key) or key.replace("-", "_")
        if name not in _kinds():
            raise InvalidRequestError(
                f"{place}: there is no setting {key!r}; there are {', '.join(sorted(_kinds()))}"
            )
        if name == "modes" and isinstance(value, str):
            value = [mode.strip() for mode in value.split(",")]
        try:
            if name == "launcher" and isinstance(value, str):
                value = shlex.split(value)
            found[name] = msgspec.convert(value, _kinds()[name], dec_hook=_path)
        except ValueError as error:  # msgspec's are too
            raise InvalidRequestError(f"{place}: {key}: {error}") from error
    return found


@cache
def _kinds() -> dict[str, Any]:
    hints = get_type_hints(BenchConfig)
    names = (field.name for field in fields(BenchConfig))
    return {name: hints[name] for name in names if name not in _NOT_SETTINGS}


def _path(kind: type, value: Any) -> Any:
    if kind is Path and isinstance(value, str):
        return Path(value)
    raise TypeError(f"expected a path, got {value!r}")


def _config(
    model: str, settings: Mapping[str, Any], folder: Path, library: Path | None, place: str
) -> BenchConfig:
    chosen = dict(settings)
    chosen["modes"] = tuple(mode.replace("-", "_") for mode in chosen.get("modes", MODES[:2]))
    if not are_modes(chosen["modes"]):
        raise InvalidRequestError(
            f"{place}: io: name each of {', '.join((*MODES, AUTO))} at most once"
        )
    chosen["inputs"] = tuple(
        str(folder / file) for files in chosen.get("inputs", ()) for file in files.split(",")
    )
    for name in ("data", "runner"):
        if chosen.get(name) is not None:
            chosen[name] = folder / chosen[name]
    blocks, iterations = chosen.get("blocks"), chosen.get("iterations", BenchConfig.iterations)
    if blocks is None:
        chosen["blocks"] = min(BenchConfig.blocks, max(1, iterations))
    shipped = locations.shipped_model(model)
    file = shipped if shipped.is_file() and not (folder / model).exists() else folder / model
    own_code = chosen.get("runner") is not None
    config = BenchConfig(models=(file,), library=None if own_code else library, **chosen)
    try:
        planning.check(config)
        if config.runner is not None or config.launcher:
            runner_process.check(config)
    except InvalidRequestError as error:
        raise InvalidRequestError(f"{place}: {error.message}") from error
    return config


def _as_json(config: BenchConfig) -> dict[str, Any]:
    """What differs from the defaults, in types that JSON keeps."""
    plain = BenchConfig(models=())
    return {
        name: str(value) if isinstance(value, Path) else _listed(value)
        for name, value in asdict(config).items()
        if name not in _NOT_SETTINGS and _listed(value) != _listed(getattr(plain, name))
    }


def _listed(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _mark(value: Any) -> str:
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "+".join(map(str, value))
    return str(value)


def _folder_name(name: str) -> str:
    return re.sub(r"[^\w.=+-]", "_", name).lstrip(".")


def _check_names(cases: Sequence[Case], path: Path) -> None:
    seen: set[str] = set()
    for case in cases:
        if case.name in seen or case.name in ("", "index"):
            raise InvalidRequestError(
                f"{path}: two cases are called {case.name!r}; give each a name of its own"
            )
        seen.add(case.name)


def _refuse_unknown(table: Mapping[str, Any], known: set[str], place: str) -> None:
    for key in table:
        if key not in known:
            raise InvalidRequestError(
                f"{place}: there is no table {key!r}; write [defaults] and [[case]]"
            )
