from __future__ import annotations

import pytest
import torch

from rsi_gradcam import Black, explain
from rsi_gradcam.baselines import UnknownNormalisation
from rsi_gradcam.errors import BaselineError
from tests.agreement import agree
from tests.networks import images, network, zeros

MEAN, STD = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)


def photo(count=1, dtype=torch.float64):
    """Inputs as a preprocessing makes them from pixels in [0, 1]."""
    pixels = torch.rand(count, 3, 16, 16, dtype=dtype, generator=torch.Generator().manual_seed(1))
    mean, std = (torch.tensor(values, dtype=dtype).view(3, 1, 1) for values in (MEAN, STD))
    return (pixels - mean) / std


def timm_like(**config):
    model = network("plain")
    model.default_cfg = config
    return model


def test_black_is_black_before_normalisation():
    found = Black(MEAN, STD).images(photo(2), network("plain"))
    assert found.shape == (1, 3, 16, 16)
    for channel in range(3):
        assert (found[0, channel] == -MEAN[channel] / STD[channel]).all()


@pytest.mark.parametrize("name", ["default_cfg", "pretrained_cfg"])
def test_a_model_that_carries_its_normalisation_is_recognised(name):
    model = network("plain")
    setattr(model, name, {"mean": MEAN, "std": STD, "input_size": (3, 16, 16)})
    found = Black().images(photo(), model)
    agree(found, Black(MEAN, STD).images(photo(), model), 1e-14)
    explain(model, photo(), "features.5", "rsi_grad_cam", steps=1)  # no warning


def test_of_two_configurations_the_one_of_the_weights_counts():
    model = timm_like(mean=(0.5,) * 3, std=(0.5,) * 3)
    model.pretrained_cfg = {"mean": MEAN, "std": STD}
    agree(Black().images(photo(), model), Black(MEAN, STD).images(photo(), model), 1e-14)


def test_inputs_that_cannot_have_been_normalised_so_are_not_taken_for_it():
    with pytest.warns(UnknownNormalisation):
        found = Black().images(3 * photo(), timm_like(mean=MEAN, std=STD))
    assert (found == 0).all()


@pytest.mark.parametrize("config", [{}, {"mean": None, "std": None}, {"mean": MEAN}])
def test_where_the_normalisation_is_not_known_it_is_zeros_and_says_so_once(config):
    model = timm_like(**config)
    with pytest.warns(UnknownNormalisation) as caught:
        found = explain(model, images(3), ["features.2", "features.5"], "rsi_grad_cam", 1, steps=2, batch_size=1)
    assert len(caught) == 1
    message = str(caught[0].message)
    assert "\n" not in message
    for words in ("zeros", "mean grey", "Black(mean=", "tensor"):
        assert words in message
    expected = explain(model, images(3), ["features.2", "features.5"], "rsi_grad_cam", 1, zeros(), steps=2)
    agree(found[1].signed, expected[1].signed, 1e-12)


def test_the_warning_points_at_the_line_that_asked():
    with pytest.warns(UnknownNormalisation) as caught:
        explain(network("plain"), images(1), "features.5", "rsi_grad_cam", 1, steps=2)
    assert caught[0].filename == __file__


@pytest.mark.parametrize("method", ["grad_cam", "hires_cam", "score_cam"])
def test_a_method_without_a_path_does_not_warn(method):
    explain(network("plain"), images(1), "features.5", method, 1)


def test_a_baseline_of_its_own_is_no_reason_to_warn():
    explain(network("plain"), images(1), "features.5", "rsi_grad_cam", 1, zeros(), steps=2)


@pytest.mark.parametrize("given", [{"mean": MEAN}, {"std": STD}])
def test_half_a_normalisation_is_refused(given):
    with pytest.raises(BaselineError, match="mean and std together"):
        Black(**given).images(photo(), network("plain"))


def test_a_normalisation_for_another_number_of_colours_is_refused():
    with pytest.raises(BaselineError, match="colours"):
        Black((0.5,), (0.5,)).images(photo(), network("plain"))


@pytest.mark.parametrize("std", [(0.0, 1.0, 1.0), (1.0, 1.0), (-1.0, 1.0, 1.0)])
def test_an_impossible_normalisation_is_refused(std):
    with pytest.raises(BaselineError, match="std"):
        Black(MEAN, std).images(photo(), network("plain"))
