"""`rsi-gradcam evaluate run`: fill a store."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rsi_gradcam.cli import options
from rsi_gradcam.cli.choices import EvaluationChoice, Kept, Measured, MetricPreset, NetworkChoice, RunChoice, Where

MEASURE, WORK = "Measure", "Work"


def run(
    data: Annotated[
        str,
        typer.Argument(
            metavar="[DATA]",
            help="mosaic, or KIND:PATH with imagenet, voc, coco, manifest or folder, or a path. Without: mosaic.",
        ),
    ] = "mosaic",
    given: Annotated[
        list[str] | None,
        typer.Option("--with", rich_help_panel=MEASURE, metavar="NAME=VALUE", help="A field of the data set's kind."),
    ] = None,
    model: options.Model = options.MODEL,
    weights: options.Weights = None,
    preprocess: options.Preprocess = None,
    device: options.Device = "cpu",
    methods: options.Methods = None,
    layers: options.Layers = None,
    score: options.ScoreOption = None,
    baseline: options.Baseline = "black",
    path: options.PathOption = "straight",
    steps: options.Steps = None,
    tolerance: options.Tolerance = None,
    max_passes: options.MaxPasses = None,
    preset: Annotated[
        Measured, typer.Option(rich_help_panel="Map", help="The paper's steps, rule, units, softmax and ε, or ours.")
    ] = "paper",
    metrics: Annotated[
        list[str] | None,
        typer.Option(
            "--metrics", "--metric", rich_help_panel=MEASURE, metavar="A,B,…", help="Or all. Without: the paper's."
        ),
    ] = None,
    metric_preset: Annotated[
        MetricPreset, typer.Option(rich_help_panel=MEASURE, help="Whose conventions the metrics follow.")
    ] = "paper",
    controls: Annotated[
        bool, typer.Option(rich_help_panel=MEASURE, help="Trivial maps measured beside the methods.")
    ] = True,
    select: Annotated[
        Kept | None,
        typer.Option(
            rich_help_panel=MEASURE,
            help="paper: predicted right, one box, under half of the photo. Without: what fits the data.",
        ),
    ] = None,
    limit: Annotated[
        int | None, typer.Option(rich_help_panel=MEASURE, metavar="N", help="Only the first N photos of the data.")
    ] = None,
    seed: Annotated[int, typer.Option(rich_help_panel=MEASURE, metavar="N", help="Of whatever is drawn.")] = 0,
    shard: Annotated[
        str | None,
        typer.Option(
            rich_help_panel=WORK,
            metavar="I/N",
            help="Only the I-th of N equal parts. Without: as torchrun or SLURM says, or all.",
        ),
    ] = None,
    engine: Annotated[
        Where, typer.Option(rich_help_panel=WORK, help="In this process, or on a Ray cluster.")
    ] = "local",
    ray_address: Annotated[
        str | None,
        typer.Option(
            rich_help_panel=WORK,
            metavar="HOST:PORT",
            envvar="RAY_ADDRESS",
            help="The Ray cluster. Without: a Ray of its own on this machine.",
        ),
    ] = None,
    part_size: Annotated[
        int, typer.Option(rich_help_panel=WORK, metavar="N", help="Photos that are written at once.")
    ] = 8,
    threads: Annotated[
        int | None,
        typer.Option(rich_help_panel=WORK, metavar="N", help="Of the processor. Without: as the store, or all."),
    ] = None,
    retry: Annotated[
        bool, typer.Option("--retry", rich_help_panel=WORK, help="Photos that failed once more.")
    ] = False,
    out: Annotated[Path, typer.Option(rich_help_panel=options.OUTPUT, metavar="STORE", help="The folder.")] = Path(
        "evaluation"
    ),
    json: options.Json = False,
    debug: options.Debug = False,  # noqa: ARG001 - seen by the group
) -> None:
    """Measure maps on every photo of a data set. Broken off, the same command goes on where it stopped."""
    from rsi_gradcam.cli.evaluating import Evaluating

    Evaluating(
        data,
        tuple(given or ()),
        NetworkChoice(model, weights, preprocess, device),
        EvaluationChoice(
            options.listed(methods),
            options.listed(layers),
            score,
            baseline,
            path,
            steps,
            tolerance,
            max_passes,
            preset,
            options.listed(metrics),
            metric_preset,
            controls,
            select,
            seed,
        ),
        RunChoice(limit, shard, engine, part_size, threads, retry, ray_address),
        out,
        json,
    ).run()
