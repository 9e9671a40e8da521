from __future__ import annotations

import pytest

from rsi_gradcam import White
from rsi_gradcam.errors import BaselineError
from tests.networks import images, network


def test_white_is_white_before_normalisation():
    found = White((0.5, 0.25, 0.0), (0.5, 0.25, 2.0)).images(images(2), network("plain"))
    assert found[0, :, 3, 4].tolist() == [1.0, 3.0, 0.5]
    assert found.shape == (1, 3, 16, 16)


def test_without_a_normalisation_there_is_no_white():
    with pytest.raises(BaselineError, match=r"White\(mean="):
        White().images(images(1), network("plain"))
