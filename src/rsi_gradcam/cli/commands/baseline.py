"""`rsi-gradcam baseline`: an image in which the network sees nothing in particular."""

from __future__ import annotations

from pathlib import Path

from rsi_gradcam.cli import options
from rsi_gradcam.cli.choices import NetworkChoice


def baseline(
    model: options.Model = options.MODEL,
    weights: options.Weights = None,
    preprocess: options.Preprocess = None,
    device: options.Device = "cpu",
    out: options.Out = Path("explanations"),
    json: options.Json = False,
    debug: options.Debug = False,  # noqa: ARG001 - seen by the group
) -> None:
    """Make and keep the `uncertain` baseline of a network: near black, all classes as likely as can be made."""
    from rsi_gradcam.cli.unsettling import unsettle

    unsettle(NetworkChoice(model, weights, preprocess, device), out, json=json)
