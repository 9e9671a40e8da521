"""The options that commands share."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

import rsi_gradcam
from rsi_gradcam.cli.choices import Preprocessing, Preset, Resize, Score, Show
from rsi_gradcam.configured import split

NETWORK, MAP, PICTURE, OUTPUT = "Network", "Map", "Picture", "Output"
MODEL = "efficientnet_lite0"
MODEL_LAYERS = (*(f"stage{number}" for number in range(1, 8)), "bn2")  # here too, so that no network is loaded
COLOUR_NAMES = ("inferno", "magma", "viridis", "cividis", "turbo", "jet")  # and no numpy
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
    return last_of_list(incomplete, names_in("methods"))


def last_of_list(incomplete: str, names: Iterable[str]) -> list[str]:
    """The last of a list with commas; each name once."""
    before, comma, last = incomplete.rpartition(",")
    fitting = [name for name in names if name.startswith(last) and name not in before.split(",")]
    return [f"{before}{comma}{name}" for name in fitting]


def complete_model(incomplete: str) -> list[str]:
    """The built-in one, and those of torchvision and timm, which take a moment to be asked."""
    from rsi_gradcam.zoo import names

    known = dict.fromkeys(name for names_of_one in names().values() for name in names_of_one)
    return [name for name in known if name.startswith(incomplete)]


def complete_layer(incomplete: str) -> list[str]:
    return [name for name in MODEL_LAYERS if name.startswith(incomplete)]


def complete_layers(incomplete: str) -> list[str]:
    return last_of_list(incomplete, MODEL_LAYERS)


def complete_colours(incomplete: str) -> list[str]:
    return [name for name in COLOUR_NAMES if name.startswith(incomplete)]


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
        rich_help_panel=NETWORK,
        metavar="NAME",
        autocompletion=complete_model,
        help="A name from `models`, or module:factory for one of your own.",
    ),
]
Weights = Annotated[
    Path | None,
    typer.Option(rich_help_panel=NETWORK, metavar="FILE", help="A state dict instead of its own weights."),
]
Preprocess = Annotated[
    Preprocessing | None, typer.Option(rich_help_panel=NETWORK, help="How photos become inputs, if not its own way.")
]
ResizeOption = Annotated[
    Resize | None,
    typer.Option(
        "--resize",
        rich_help_panel=NETWORK,
        help="How photos are made to fit: squash shows the network all of it, crop its middle. Without: its own way.",
    ),
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
        autocompletion=complete_layers,
        help="Names from `layers`. Without: the last one before the head.",
    ),
]
Layer = Annotated[
    str | None,
    typer.Option(
        rich_help_panel=MAP,
        metavar="NAME",
        autocompletion=complete_layer,
        help="A name from `layers`. Without: the last one before the head.",
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
Start = Annotated[
    str | None,
    typer.Option(
        "--baseline",
        rich_help_panel=MAP,
        metavar="NAME",
        autocompletion=complete_baseline,
        help=f"{', '.join(names_in('baselines'))}; parameters in brackets, as blur(sigma=5). Without: black.",
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
    str,
    typer.Option(
        rich_help_panel=PICTURE,
        metavar="NAME",
        autocompletion=complete_colours,
        help="The colour map; jet is the paper's.",
    ),
]
Alpha = Annotated[
    float, typer.Option(rich_help_panel=PICTURE, metavar="A", min=0, max=1, help="How much the map covers the photo.")
]
Threshold = Annotated[
    float | None,
    typer.Option(rich_help_panel=PICTURE, metavar="T", min=0, max=1, help="A contour where the map reaches T."),
]
Boxes = Annotated[
    list[str] | None,
    typer.Option(
        "--box",
        rich_help_panel=PICTURE,
        metavar="XMIN,YMIN,XMAX,YMAX",
        help="A rectangle to draw, in the photo's pixels. May be repeated.",
    ),
]
Titled = Annotated[
    bool,
    typer.Option(
        "--titled",
        rich_help_panel=PICTURE,
        help="Also a figure of photo and map, with method, layer, class, its probability and a colour bar.",
    ),
]

Out = Annotated[Path, typer.Option(rich_help_panel=OUTPUT, metavar="FOLDER", help="Where the files go.")]
Json = Annotated[bool, typer.Option("--json", rich_help_panel=OUTPUT, help="Answer in JSON, one line for each.")]
Debug = Annotated[bool, typer.Option("--debug", rich_help_panel=OUTPUT, help="Show where an error came from.")]
