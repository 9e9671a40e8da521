"""A run's configuration in plain values: what decides whether two runs may be mixed."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from rsi_gradcam import catalog
from rsi_gradcam.datasets import Dataset, Example
from rsi_gradcam.errors import ConfigurationError
from rsi_gradcam.evaluation.protocol import Protocol
from rsi_gradcam.figures.captions import SPELT
from rsi_gradcam.methods.base import Method
from rsi_gradcam.metrics import Metric
from rsi_gradcam.zoo import Network


def configuration_of(protocol: Protocol, network: Network, dataset: Dataset, limit: int | None) -> dict[str, Any]:
    """All that the rows depend on, but for the machine."""
    return {
        "dataset": dataset_of(dataset, limit),
        "network": {
            "name": network.name,
            "weights": network.weights,
            "weights_hash": network.weights_hash,
            "preprocess": repr(network.preprocess),
            "categories": len(network.categories),
        },
        "layers": layers_of(protocol, network),
        "methods": [
            {"name": name, "configuration": repr(method), "title": title(name, method)}
            for name, method in protocol.methods.items()
        ],
        "controls": [
            {"name": control.name, "configuration": repr(control), "boxed": control.boxed}
            for control in protocol.controls
        ],
        "metrics": [metric_of(metric, protocol.metric_preset) for metric in protocol.metrics],
        "explain": explain_of(protocol, network),
        "selection": {"name": protocol.selection.name, "largest_box": protocol.selection.largest_box},
        "seed": protocol.seed,
        "threads": protocol.threads,
    }


def layers_of(protocol: Protocol, network: Network) -> dict[str, str]:
    """Path of the module → the name that people know it by, the earliest in the network first.

    In whatever order they were asked for: the last one here is the last layer wherever one is said to be.
    """
    friendly = {path: name for name, path in network.layers.items()}
    paths = [network.path_of(name) for name in protocol.layers] or [network.default_layer]
    return {path: friendly.get(path, path) for path in in_network_order(paths, network)}


def in_network_order(paths: Sequence[str], network: Network) -> list[str]:
    """As they end in a pass of the network; what carries no map there stays where it was asked for, at the end."""
    if len(paths) < 2:
        return list(paths)
    place = {layer.name: number for number, layer in enumerate(network.spatial_layers())}
    return sorted(paths, key=lambda path: place.get(path, len(place)))


def explain_of(protocol: Protocol, network: Network) -> dict[str, Any]:
    settings = protocol.settings
    return {
        "steps": settings.steps,
        "tolerance": settings.tolerance,
        "max_passes": settings.max_passes,
        "precision": settings.precision,
        "epsilon": settings.epsilon,
        "baseline": repr(network.baseline(protocol.baseline)),
        "path": repr(catalog.path(protocol.path)),
        "score": protocol.score,
        "preset": protocol.preset,
    }


def metric_of(metric: Metric, preset: str) -> dict[str, Any]:
    points, worst = metric.points(), metric.worst()
    return {
        "name": metric.name,
        "configuration": repr(metric),
        "preset": preset,
        "summary": metric.summary,
        "better": metric.better,
        "boxed": metric.boxed,
        "points": None if points is None else [float(point) for point in points],
        "columns": [
            {
                "name": column_name(metric, column),
                "headline": column in metric.headline,
                "curve": not isinstance(worst.get(column, 0.0), int | float),
                "better": metric.direction(column),
            }
            for column in metric.columns
        ],
    }


def column_name(metric: Metric, column: str) -> str:
    """In the store."""
    return f"{metric.name}_{column}" if column else metric.name


def title(name: str, method: Method) -> str:
    """As its paper spells it, and what is not as usual."""
    spelt = SPELT.get(method.name, method.name.replace("_", " ").capitalize())
    return f"{spelt} {name.removeprefix(method.name)}".strip()


def dataset_of(dataset: Dataset, limit: int | None) -> Mapping[str, Any]:
    """Which data set, and what it held: names, labels and boxes in their order."""
    examples = dataset.examples()
    count = size_of(examples, limit)
    digest, seen = hashlib.sha256(), set[str]()
    for index in range(count):
        example = examples[index]
        if example.name in seen:
            raise ConfigurationError(f"the data set has two photos called {example.name!r}: give each its own name")
        seen.add(example.name)
        digest.update(repr((example.name, example.label, [tuple(map(float, box)) for box in example.boxes])).encode())
    return {
        "name": dataset.name,
        "configuration": repr(dataset),
        "examples": count,
        "digest": digest.hexdigest(),
    }


def size_of(examples: Sequence[Example], limit: int | None) -> int:
    """How many of the photos are meant."""
    if limit is not None and limit < 1:
        raise ConfigurationError(f"limit must be 1 or more, got {limit}")
    if not len(examples):
        raise ConfigurationError("the data set has no photos: see that its folder or file is the right one")
    return len(examples) if limit is None else min(limit, len(examples))
