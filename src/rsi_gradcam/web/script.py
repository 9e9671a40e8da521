"""A script that makes again, with the library alone, what is on the screen."""

from __future__ import annotations

from rsi_gradcam import __version__
from rsi_gradcam.baselines.base import PixelBaseline
from rsi_gradcam.web.run import Run

TEMPLATE = '''"""Made by rsi-gradcam {version}: the maps of {photo}, as they were on the page.

    python this_script.py [PHOTO [FOLDER]]

Writes an overlay of each map, and all of them into maps.npz.
"""

import sys
from pathlib import Path

import numpy as np

from rsi_gradcam import explain_all
{imports}
from rsi_gradcam.figures import overlay
from rsi_gradcam.images import read_photo
from rsi_gradcam.zoo import load

photo = read_photo(sys.argv[1] if len(sys.argv) > 1 else {photo!r})
folder = Path(sys.argv[2] if len(sys.argv) > 2 else ".")
network = load({network})
x = network.preprocess(photo)[None]

maps = explain_all(
    network.network,
    x,
    layers={layers!r},
    methods={methods!r},
    targets={classes!r},  # {names}
    baseline={baseline},
{how})

arrays = {{}}
for (method, layer, index), e in maps.items():
    name = f"{{method}}.{{layer}}.{{index}}"
    picture = overlay(photo, e.normalised[0], preprocess=network.preprocess, {look})
    picture.save(folder / f"{{name}}.png")
    arrays[f"{{name}}/raw"] = e.raw[0].numpy()
    arrays[f"{{name}}/heatmap"] = e.heatmap[0].numpy()
    print(f"{{name}}: score {{float(e.score[0]):.4g}}, error {{float(e.error[0]):.2g}}, {{int(e.passes[0])}} passes")
np.savez(folder / "maps.npz", **arrays)
'''


def script(run: Run, look: str) -> str:
    """`look` are keywords of `overlay`, as they are written."""
    choice, loaded = run.choice, run.loaded
    start = choice.start(loaded.network.preprocess)
    kind = type(start).__name__
    weights = "" if loaded.weights is None else f", weights={str(loaded.weights.absolute())!r}"
    return TEMPLATE.format(
        version=__version__,
        photo=plain(run.photo.name),
        imports=f"from rsi_gradcam.baselines import {kind}",
        network=f"{loaded.name!r}{weights}",
        layers=list(choice.layers),
        methods=list(choice.methods),
        classes=list(choice.classes),
        names=", ".join(plain(loaded.network.categories[index].split(",")[0]) for index in choice.classes),
        baseline=repr(start) if isinstance(start, PixelBaseline) else f"{kind}()",
        how="".join(f"    {name}={value!r},\n" for name, value in choice.how.items()),
        look=look,
    )


def plain(text: str) -> str:
    """Without what would end a string or a comment: the name of a file is a stranger's."""
    return "".join(letter for letter in text if letter.isprintable() and letter not in "\"'\\{}")
