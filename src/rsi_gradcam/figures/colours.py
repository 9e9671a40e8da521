"""Colour maps as 256 colours, without matplotlib.

The first five are given by 32 of matplotlib's own 256 colours, evenly spaced (its tables are CC0); what lies
between is linear, at most 6/255 off. They are by van der Walt and Smith (viridis, inferno, magma), Nuñez,
Anderton and Renslow (cividis) and Mikhailov (turbo). Jet is the paper's; its bends are not evenly spaced.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from rsi_gradcam.errors import ConfigurationError, did_you_mean

Pixels = npt.NDArray[np.uint8]
Values = npt.NDArray[np.float32]

DEFAULT = "inferno"  # uniform, and dark at its low end: what the network passed over recedes into shade

ANCHORS = {
    "inferno": (
        "0000040403130b0725160b39220c4c310a5c3f0a664d0c6b5a116e67166e741b6e811f6c8e24699b2964a82e5fb53358"
        "c13a51cc4248d74b3fe05536e8612cef6d22f57b17f8890cfb9806fca80dfbb81cf9c830f6d847f2e763f3f585fcffa4"
    ),
    "magma": (
        "0000040403120b0823140e351e11492a115d38106d46107754137d6018806d1e817a2382872781942c80a2307eaf347b"
        "bd3977ca3e72d6456ce24d66ec5860f3655cf8745cfb8360fd9366fea26ffeb27afec185fed093fddfa1fceeb0fcfdbf"
    ),
    "viridis": (
        "440154470d6048196b482474472e7c4538824142863e4b893a548c365d8d32658e2e6d8e2b758e287d8e25858e228c8d"
        "20948c1e9c8920a38625ab822db27d39ba7648c16e58c7656acd5b7ed34f92d742a8db34bedf26d4e21be9e41afde725"
    ),
    "cividis": (
        "00224e00285c002e6b0733701c396f293f6e33446c3d4a6c45506c4d556c555b6d5c616e6367706b6d72727274797877"
        "807e78888578908b78989177a09775a89e73b0a471b9ab6dc1b26acab965d3c060dcc859e5cf52eed748f8df3cfee838"
    ),
    "turbo": (
        "30123b3a2a744042a44558ca476ee64683f84097ff34acf825c0e71ad2d218e0bd24eca83bf58f59fb7379fe5997fe44"
        "aefa37c3f234d7e535e8d639f4c63afcb437fe9e2ffc8624f76d1aee5610e2430ad43305c22403ad1801950d017a0403"
    ),
}
JET = (  # where red, green and blue bend, and to what
    ((0, 0.35, 0.66, 0.89, 1), (0, 0, 1, 1, 0.5)),
    ((0, 0.125, 0.375, 0.64, 0.91, 1), (0, 0, 1, 1, 0, 0)),
    ((0, 0.11, 0.34, 0.65, 1), (0.5, 1, 1, 0, 0)),
)
COLOUR_MAPS = (*ANCHORS, "jet")


@cache
def table(name: str) -> Pixels:
    """(256, 3): the colours from a map's 0 to its 1. It cannot be written to."""
    if name not in COLOUR_MAPS:
        raise ConfigurationError(f"{name!r} is no colour map: {did_you_mean(name, COLOUR_MAPS)}")
    at = np.linspace(0, 1, 256)
    bends = JET if name == "jet" else tuple(even_bends(ANCHORS[name]))
    colours = np.stack([np.interp(at, where, value) for where, value in bends], axis=1)
    made: Pixels = (colours * 255).round().astype(np.uint8)
    made.setflags(write=False)
    return made


def even_bends(anchors: str) -> list[tuple[Values, Values]]:
    """Where each colour bends, and to what, from anchors written as rrggbb."""
    colours = np.frombuffer(bytes.fromhex(anchors), np.uint8).reshape(-1, 3).astype(np.float32) / 255
    return [(np.linspace(0, 1, len(colours), dtype=np.float32), colour) for colour in colours.T]


def colour(values: Values, name: str = DEFAULT) -> Pixels:
    """(…, 3): the colour of each value in [0, 1]; beyond, that of the nearer end."""
    index: Pixels = (values.clip(0, 1) * 255).round().astype(np.uint8)
    return table(name)[index]
