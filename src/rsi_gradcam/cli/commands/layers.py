"""`rsi-gradcam layers`: where in a network a map can lie."""

from __future__ import annotations

from typing import Annotated

import typer

from rsi_gradcam.cli import options
from rsi_gradcam.cli.choices import NetworkChoice


def layers(
    model: options.Model = options.MODEL,
    weights: options.Weights = None,
    preprocess: options.Preprocess = None,
    every: Annotated[
        bool, typer.Option("--all", help="Also those inside blocks, where a map makes no sense.")
    ] = False,
    json: options.Json = False,
    debug: options.Debug = False,  # noqa: ARG001 - seen by the group
) -> None:
    """List a network's layers: name, module, kind, shape, and where a map makes sense."""
    from rsi_gradcam.cli.listing import listing
    from rsi_gradcam.cli.network import network_of

    network = network_of(NetworkChoice(model, weights, preprocess))
    friendly = {path: name for name, path in network.layers.items()}
    listing(
        [
            {
                "name": friendly.get(layer.name, layer.name),
                "module": layer.name,
                "kind": layer.kind,
                "shape": list(layer.shape),
                "makes_sense": layer.makes_sense,
                "default": layer.name == network.default_layer,
            }
            for layer in network.spatial_layers()
            if every or layer.makes_sense
        ],
        json=json,
    )
