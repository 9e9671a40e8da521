"""`rsi-gradcam explain`: from photos to pictures."""

from __future__ import annotations

from pathlib import Path

from rsi_gradcam.cli import options
from rsi_gradcam.cli.choices import MapChoice, MapPictureChoice, NetworkChoice


def explain(
    photos: options.Photos = None,
    model: options.Model = options.MODEL,
    weights: options.Weights = None,
    preprocess: options.Preprocess = None,
    resize: options.ResizeOption = None,
    device: options.Device = "cpu",
    method: options.Method = options.METHOD,
    layer: options.Layer = None,
    target: options.Target = None,
    score: options.ScoreOption = None,
    baseline: options.Start = None,
    path: options.PathOption = "straight",
    steps: options.Steps = None,
    tolerance: options.Tolerance = None,
    max_passes: options.MaxPasses = None,
    preset: options.PresetOption = None,
    colours: options.Colours = options.COLOURS,
    alpha: options.Alpha = options.ALPHA,
    threshold: options.Threshold = None,
    box: options.Boxes = None,
    titled: options.Titled = False,
    out: options.Out = Path("explanations"),
    json: options.Json = False,
    debug: options.Debug = False,  # noqa: ARG001 - seen by the group
) -> None:
    """Show where a network looked in each photo: an overlay, the bare heatmap, its numbers, and how to repeat it."""
    from rsi_gradcam.cli.explaining import Explaining

    layers, targets = () if layer is None else (layer,), tuple(target or ())
    Explaining(
        NetworkChoice(model, weights, preprocess, device, resize),
        MapChoice((method,), layers, targets, score, baseline, path, steps, tolerance, max_passes, preset),
        MapPictureChoice(colours, alpha, threshold, tuple(box or ()), titled),
        out,
        json,
    ).run(photos)
