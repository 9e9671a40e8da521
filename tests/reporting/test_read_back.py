from __future__ import annotations

from pathlib import PosixPath

import pytest

from rsi_gradcam.datasets.manifest import Manifest
from rsi_gradcam.datasets.mosaic import Mosaic
from rsi_gradcam.errors import ConfigurationError
from rsi_gradcam.images import Preprocess
from rsi_gradcam.reporting.read_back import read_back

KINDS = {"Mosaic": Mosaic, "Manifest": Manifest, "Preprocess": Preprocess, "PosixPath": PosixPath}


@pytest.mark.parametrize(
    "thing",
    [Preprocess.keras_vgg(), Preprocess.imagenet(), Mosaic(grid=3), Mosaic(Manifest("a'b.csv", inclusive=True))],
    ids=repr,
)
def test_what_a_manifest_holds_is_read_back(thing):
    assert read_back(repr(thing), KINDS) == thing


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os').getcwd()",
        "open('/etc/passwd')",
        "Mosaic(grid=1 + 1)",
        "[each for each in ()]",
        "Mosaic(",
        "",
    ],
)
def test_nothing_else_of_it_is_run(text):
    with pytest.raises(ConfigurationError, match="cannot be read back"):
        read_back(text, KINDS)
