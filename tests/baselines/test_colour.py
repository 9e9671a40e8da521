from __future__ import annotations

import pytest

from rsi_gradcam.baselines import Colour
from rsi_gradcam.errors import BaselineError
from tests.networks import images, network

NONE = {"mean": (0.0,) * 3, "std": (1.0,) * 3}


def test_it_is_grey_where_none_is_given():
    assert (Colour(**NONE).images(images(1), network("plain")) == 0.5).all()


def test_each_channel_has_its_own():
    found = Colour(**NONE, colour=(0.1, 0.2, 0.3)).images(images(1), network("plain"))
    assert found[0, :, 0, 0].tolist() == [0.1, 0.2, 0.3]
    assert (found == found[:, :, :1, :1]).all()


def test_a_colour_for_another_number_of_channels_is_refused():
    with pytest.raises(BaselineError, match="2 values.*3 channels"):
        Colour(**NONE, colour=(0.1, 0.2)).images(images(1), network("plain"))
