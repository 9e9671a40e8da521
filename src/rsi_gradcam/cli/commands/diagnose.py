"""`rsi-gradcam diagnose`: what is wrong with a map, in words."""

from __future__ import annotations

from rsi_gradcam.cli import options
from rsi_gradcam.cli.choices import MapChoice, NetworkChoice


def diagnose(
    photo: options.Photo = None,
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
    json: options.Json = False,
    debug: options.Debug = False,  # noqa: ARG001 - seen by the group
) -> None:
    """Say in words why a map is dark or cannot be trusted, with the numbers that show it, and what to try."""
    from rsi_gradcam.cli.diagnosing import Diagnosing

    layers, targets = () if layer is None else (layer,), tuple(target or ())
    Diagnosing(
        NetworkChoice(model, weights, preprocess, device, resize),
        MapChoice((method,), layers, targets, score, baseline, path, steps, tolerance, max_passes, preset),
        json,
    ).run(photo)
