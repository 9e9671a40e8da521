"""The options that commands share."""

from __future__ import annotations

import pkgutil
from pathlib import Path
from typing import Annotated

import typer

import rsi_gradcam
from rsi_gradcam.cli.choices import Preprocessing, Preset, Score, Show
from rsi_gradcam.configured import split

NETWORK, MAP, PICTURE, OUTPUT = "Network", "Map", "Picture", "Output"
MODEL = "efficientnet_lite0"
METHOD = "rsi_grad_cam"
COMPARED = ("grad_cam", "integrated_grad_cam", "rsi_grad_cam")
COLOURS, ALPHA = "inferno", 0.7
NO_NAMES = ("base", "averaged", "given", "sample", "curve", "points")  # these need Python


def names_in(folder: str) -> list[str]:
    """The entries of a folder of the library, by their files: nothing is imported for it."""
    home = Path(rsi_gradcam.__path__[0], folder)
    return sorted(file.name for file in pkgutil.iter_modules([str(home)]) if file.name not in NO_NAMES)


def complete_method(incomplete: str) -> list[str]:
    return [name for name in names_in("methods") if name.startswith(incomplete)]


def complete_methods(incomplete: str) -> list[str]:
    """The last of a list with commas; each method once."""
    before, comma, last = incomplete.rpartition(",")
    return [f"{before}{comma}{name}" for name in complete_method(last) if name not in before.split(",")]


def complete_baseline(incomplete: str) -> list[str]:
    return [name for name in names_in("baselines") if name.startswith(incomplete)]


def complete_path(incomplete: str) -> list[str]:
    return [name for name in names_in("paths") if name.startswith(incomplete)]


def listed(given: list[str] | None) -> tuple[str, ...]:
    """What was given at once, with commas (but for those in brackets), or one after the other; each once."""
    return tuple(dict.fromkeys(name for each in given or () for name in split(each)))


Photos = Annotated[
    list[str] | None,
    typer.Argument(metavar="[PHOTO]...", help="Photos, folders of photos, or patterns. Without any: a sample photo."),
]
Photo = Annotated[str | None, typer.Argument(metavar="[PHOTO]", help="A photo. Without one: a sample photo.")]

Model = Annotated[
    str,
    typer.Option(
        rich_help_panel=NETWORK, metavar="NAME", help="A name from `models`, or module:factory for one of your own."
    ),
]
Weights = Annotated[
    Path | None,
    typer.Option(rich_help_panel=NETWORK, metavar="FILE", help="A state dict instead of its own weights."),
]
Preprocess = Annotated[
    Preprocessing | None, typer.Option(rich_help_panel=NETWORK, help="How photos become inputs, if not its own way.")
]
Device = Annotated[str, typer.Option(rich_help_panel=NETWORK, metavar="NAME", help="cpu, cuda, cuda:1, mps, …")]

Method = Annotated[
    str,
    typer.Option(rich_help_panel=MAP, metavar="NAME", autocompletion=complete_method, help="A name from `methods`."),
]
Methods = Annotated[
    list[str] | None,
    typer.Option(
        "--methods",
        "--method",
        rich_help_panel=MAP,
        metavar="A,B,…",
        autocompletion=complete_methods,
        help=f"Names from `methods`. Without: {', '.join(COMPARED)}.",
    ),
]
Layers = Annotated[
    list[str] | None,
    typer.Option(
        "--layers",
        "--layer",
        rich_help_panel=MAP,
        metavar="X,Y,…",
        help="Names from `layers`. Without: the last one before the head.",
    ),
]
Layer = Annotated[
    str | None,
    typer.Option(
        rich_help_panel=MAP, metavar="NAME", help="A name from `layers`. Without: the last one before the head."
    ),
]
Target = Annotated[
    list[str] | None,
    typer.Option(
        rich_help_panel=MAP,
        metavar="CLASS",
        help="A class by its name or index, or top-3 for the three likeliest. May be repeated. "
        "Without: the predicted class.",
    ),
]
ScoreOption = Annotated[
    Score | None, typer.Option(rich_help_panel=MAP, help="What of the class is explained. Without: its probability.")
]
Baseline = Annotated[
    str,
    typer.Option(
        rich_help_panel=MAP, metavar="NAME", autocompletion=complete_baseline, help=", ".join(names_in("baselines"))
    ),
]
PathOption = Annotated[
    str,
    typer.Option(
        rich_help_panel=MAP, metavar="NAME", autocompletion=complete_path, help=", ".join(names_in("paths"))
    ),
]
Steps = Annotated[int | None, typer.Option(rich_help_panel=MAP, metavar="N", help="So many steps along the path.")]
Tolerance = Annotated[
    float | None,
    typer.Option(
        rich_help_panel=MAP, metavar="T", help="As many steps as the map's mean error needs to be T. Without: 0.01."
    ),
]
MaxPasses = Annotated[
    int | None, typer.Option(rich_help_panel=MAP, metavar="N", help="At most so many passes of the network.")
]
PresetOption = Annotated[
    Preset | None, typer.Option(rich_help_panel=MAP, help="Everything as in the paper: 50 steps, its rule, its ε.")
]

ShowOption = Annotated[Show, typer.Option("--show", rich_help_panel=PICTURE, help="What lies side by side.")]
Colours = Annotated[
    str, typer.Option(rich_help_panel=PICTURE, metavar="NAME", help="The colour map; jet is the paper's.")
]
Alpha = Annotated[
    float, typer.Option(rich_help_panel=PICTURE, metavar="A", min=0, max=1, help="How much the map covers the photo.")
]
Threshold = Annotated[
    float | None,
    typer.Option(rich_help_panel=PICTURE, metavar="T", min=0, max=1, help="A contour where the map reaches T."),
]

Out = Annotated[Path, typer.Option(rich_help_panel=OUTPUT, metavar="FOLDER", help="Where the files go.")]
Json = Annotated[bool, typer.Option("--json", rich_help_panel=OUTPUT, help="Answer in JSON, one line for each.")]
Debug = Annotated[bool, typer.Option("--debug", rich_help_panel=OUTPUT, help="Show where an error came from.")]
