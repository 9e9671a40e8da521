"""Names to things: the methods, baselines and paths that can be asked for by name.

A folder's files are its entries: what a new file defines is found by itself.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Mapping
from dataclasses import MISSING, fields
from functools import cache
from types import MappingProxyType, ModuleType
from typing import TypeVar

from torch import Tensor

from rsi_gradcam import baselines as baselines_folder
from rsi_gradcam import configured
from rsi_gradcam import methods as methods_folder
from rsi_gradcam import paths as paths_folder
from rsi_gradcam.baselines import BaselineLike, Black, Given
from rsi_gradcam.baselines.base import Baseline
from rsi_gradcam.errors import ConfigurationError, did_you_mean
from rsi_gradcam.methods.base import Method
from rsi_gradcam.paths.base import Path
from rsi_gradcam.paths.straight import Straight

Thing = TypeVar("Thing")


def entries(folder: ModuleType, kind: type[Thing]) -> Mapping[str, type[Thing]]:
    """The one public class of each file of the folder, by the file's name."""
    found: dict[str, type[Thing]] = {}
    for file in sorted(module.name for module in pkgutil.iter_modules(folder.__path__)):
        module = importlib.import_module(f"{folder.__name__}.{file}")
        for thing in vars(module).values():
            if inspect.isclass(thing) and issubclass(thing, kind) and getattr(thing, "name", None) == file:
                found[file] = thing
    return MappingProxyType(found)


@cache
def methods() -> Mapping[str, type[Method]]:
    """Every attribution method by its name."""
    return entries(methods_folder, Method)


@cache
def baselines() -> Mapping[str, type[Baseline]]:
    """Every baseline by its name."""
    return entries(baselines_folder, Baseline)  # type: ignore[type-abstract]


@cache
def paths() -> Mapping[str, type[Path]]:
    """Every path by its name."""
    return entries(paths_folder, Path)  # type: ignore[type-abstract]


def look_up(known: Mapping[str, type[Thing]], name: str, what: str) -> type[Thing]:
    if name not in known:
        raise ConfigurationError(f"{name!r} is no {what}: {did_you_mean(name, known)}")
    return known[name]


def method(name: str | Method, *, paper: bool = False) -> Method:
    """A method by its name, with the paper's parameters where asked; a configured one is returned as it is.

    Parameters may stand behind the name: `rsi_grad_cam(units=relu, rule=right)`.
    """
    if isinstance(name, Method):
        return name
    if not isinstance(name, str):
        raise ConfigurationError(f"a method is a name or a configured Method such as RSIGradCAM(), not {name!r}")
    plain, parameters = configured.parse(name)
    kind = look_up(methods(), plain, "method")
    found: Method = configured.made(kind, name, parameters, kind.paper if paper else {})
    return found


def name_of(which: Method, *, paper: bool = False) -> str:
    """The text by which `method` gives this one: its name, and its parameters where they are not as usual."""
    return configured.canonical(which, method(which.name, paper=paper))


def baseline(which: BaselineLike) -> Baseline:
    """A baseline from what a user writes: None is black."""
    if which is None:
        return Black()
    if isinstance(which, Baseline):
        return which
    if isinstance(which, Tensor):
        return Given(which)
    if isinstance(which, str):
        return made(look_up(baselines(), which, "baseline"), which)
    raise ConfigurationError(f"a baseline is a name, a Baseline or a tensor, not {which!r}")


def path(which: str | Path | None) -> Path:
    """A path from what a user writes: None is straight."""
    if which is None:
        return Straight()
    if isinstance(which, Path):
        return which
    if isinstance(which, str):
        return made(look_up(paths(), which, "path"), which)
    raise ConfigurationError(f"a path is a name or a Path, not {which!r}")


def made(kind: type[Thing], name: str) -> Thing:
    """The thing with nothing set, where that is possible."""
    needed = [each.name for each in fields(kind) if each.default is MISSING]  # type: ignore[arg-type]
    if needed:
        raise ConfigurationError(f"{name!r} needs {', '.join(needed)}: give it as {kind.__name__}({needed[0]}=…)")
    return kind()
