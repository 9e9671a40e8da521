"""One's own network: `my_module:factory` or `path/to/file.py:factory`.

The factory takes nothing and gives a torch.nn.Module, or (module, Preprocess, categories), or a Network.
"""

from __future__ import annotations

import dataclasses
import importlib
import importlib.util
import sys
import warnings
from functools import reduce
from pathlib import Path
from types import ModuleType

from torch import nn

from rsi_gradcam.baselines.base import levels_to_the_user
from rsi_gradcam.errors import ModelError, RSIGradCAMError, did_you_mean
from rsi_gradcam.images import Preprocess
from rsi_gradcam.zoo.network import Network, adopt
from rsi_gradcam.zoo.sources.base import Order
from rsi_gradcam.zoo.weights_file import fit, read_weights


class UnknownPreprocessing(UserWarning):
    """How this network's inputs are made of photos was not said."""


def names() -> tuple[str, ...]:
    return ()


def knows(name: str) -> bool:
    return ":" in name


def load(order: Order) -> Network:
    made = adopted(called(order.name), order)
    if order.weights is None:
        return made
    fit(made.network, read_weights(order.weights), str(order.weights))
    return dataclasses.replace(made, weights=f"file {order.weights}")


def called(name: str) -> object:
    """What the factory gives."""
    place, _, factory = name.rpartition(":")
    module = imported(place, name)
    try:
        found: object = reduce(getattr, factory.split("."), module)
    except AttributeError as error:
        public = [each for each in vars(module) if not each.startswith("_")]
        raise ModelError(f"{place} has no {factory!r}: {did_you_mean(factory, public)}") from error
    if isinstance(found, nn.Module) or not callable(found):
        return found
    try:
        return found()
    except RSIGradCAMError:
        raise
    except (Exception, SystemExit) as error:  # the user's own code may raise anything, and leave
        raise ModelError(f"{name} failed ({told(error)}): it is called without arguments") from error


def imported(place: str, name: str) -> ModuleType:
    """The module, also from the folder one is in."""
    if not place:
        raise ModelError(f"{name!r} names no module: write my_module:factory or path/to/file.py:factory")
    here = str(Path.cwd())
    sys.path.insert(0, here)
    try:
        return from_file(Path(place)) if place.endswith(".py") else importlib.import_module(place)
    except (Exception, SystemExit) as error:  # the user's own code may raise anything, and leave
        raise ModelError(f"{place} cannot be imported ({told(error)}): check its name and the folder") from error
    finally:
        sys.path.remove(here)


def from_file(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def adopted(given: object, order: Order) -> Network:
    if isinstance(given, Network):
        return dataclasses.replace(given, preprocess=order.preprocess or given.preprocess)
    if isinstance(given, nn.Module):
        if order.preprocess is None:
            warn_of_a_bare_module(order.name)
        return adopt(given, order.preprocess, name=order.name)
    match given:
        case (nn.Module() as module, Preprocess() as preprocess, [*categories]):
            named = [str(category) for category in categories]
            return adopt(module, order.preprocess or preprocess, named, name=order.name)
    raise ModelError(
        f"{order.name} gives {type(given).__name__}: it should give a torch.nn.Module, "
        f"(module, Preprocess, categories) or a Network"
    )


def warn_of_a_bare_module(name: str) -> None:
    warnings.warn(
        f"{name} gives a network alone: it gets ImageNet's usual preprocessing (224×224) and no names for its "
        f"classes; to say its own, return (network, Preprocess(…), categories)",
        UnknownPreprocessing,
        stacklevel=levels_to_the_user(),
    )


def told(error: BaseException) -> str:
    return f"{type(error).__name__}: {(str(error).splitlines() or [''])[0]}"
