"""`rsi-gradcam compare`: methods, layers and classes side by side."""

from __future__ import annotations

from pathlib import Path

from rsi_gradcam.cli import options
from rsi_gradcam.cli.choices import MapChoice, NetworkChoice, TableChoice


def compare(
    photo: options.Photo = None,
    model: options.Model = options.MODEL,
    weights: options.Weights = None,
    preprocess: options.Preprocess = None,
    resize: options.ResizeOption = None,
    device: options.Device = "cpu",
    methods: options.Methods = None,
    layers: options.Layers = None,
    target: options.Target = None,
    score: options.ScoreOption = None,
    baseline: options.Start = None,
    path: options.PathOption = "straight",
    steps: options.Steps = None,
    tolerance: options.Tolerance = None,
    max_passes: options.MaxPasses = None,
    preset: options.PresetOption = None,
    show: options.ShowOption = "overlay",
    colours: options.Colours = options.COLOURS,
    alpha: options.Alpha = options.ALPHA,
    threshold: options.Threshold = None,
    box: options.Boxes = None,
    out: options.Out = Path("explanations"),
    json: options.Json = False,
    debug: options.Debug = False,  # noqa: ARG001 - seen by the group
) -> None:
    """Put methods, layers and classes side by side: one picture, from one walk of the network."""
    from rsi_gradcam.cli.comparing import Comparing

    chosen, at = options.listed(methods) or options.COMPARED, options.listed(layers)
    Comparing(
        NetworkChoice(model, weights, preprocess, device, resize),
        MapChoice(chosen, at, tuple(target or ()), score, baseline, path, steps, tolerance, max_passes, preset),
        TableChoice(colours, alpha, threshold, tuple(box or ()), show),
        out,
        json,
    ).run(photo)
