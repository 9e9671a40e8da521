from __future__ import annotations

import numpy as np
import pytest
import quantus
import torch
from pytorch_grad_cam.metrics.perturbation_confidence import RemoveMostRelevantFirst
from pytorch_grad_cam.metrics.road import NoisyLinearImputer, ROADCombined, ROADMostRelevantFirstAverage
from pytorch_grad_cam.utils.model_targets import ClassifierOutputSoftmaxTarget
from quantus.functions.perturb_func import noisy_linear_imputation
from torch import nn

from rsi_gradcam.errors import ConfigurationError, MissingExtra
from rsi_gradcam.images.preprocess import Preprocess
from rsi_gradcam.metrics import imputation
from rsi_gradcam.metrics.imputation import impute
from rsi_gradcam.metrics.imputed import Imputed, grain
from rsi_gradcam.metrics.order import leading
from rsi_gradcam.metrics.road import ROAD, combined
from tests.agreement import agree
from tests.metrics.asking import PREPROCESS, measured, model, pixels, seeing, some_map
from tests.oracles import imputation as oracle
from tests.oracles import removals
from tests.oracles.explanation_maps import probability_of

# What pytorch-grad-cam's imputer does to a tensor, NumPy 2 warns of.
their_numpy = pytest.mark.filterwarnings("ignore:__array_wrap__ must accept context:DeprecationWarning")


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_imputing_is_the_fixed_point_as_loops(share):
    x, missing = pixels(size=8).double(), leading(some_map(1, size=8), round(share * 64), "most")
    agree(impute(x, missing), oracle.impute(x, missing), 1e-8)


def test_one_missing_pixel_by_hand():
    x = torch.tensor([[[12.0, 6.0, 0.0], [6.0, 99.0, 0.0], [0.0, 0.0, 12.0]]])
    inner, corner = torch.zeros(3, 3, dtype=torch.bool), torch.zeros(3, 3, dtype=torch.bool)
    inner[1, 1] = corner[0, 0] = True
    assert impute(x, inner)[0, 1, 1].item() == pytest.approx(12 / 6 + 24 / 12)
    assert impute(x, corner)[0, 0, 0].item() == pytest.approx((12 / 6 + 99 / 12) / (5 / 12))


def test_what_is_known_stays_and_a_slope_is_continued():
    slope = torch.arange(16.0).expand(3, 16, 16)
    missing = torch.zeros(16, 16, dtype=torch.bool)
    missing[4:9, 3:12] = True
    torch.testing.assert_close(impute(slope, missing), slope, atol=1e-5, rtol=1e-5)
    x = pixels()
    assert torch.equal(impute(x, missing)[:, ~missing], x[:, ~missing])
    assert impute(x, torch.zeros_like(missing)) is x


def test_each_colour_is_imputed_by_itself():
    x, missing = pixels(), leading(some_map(), 100, "most")
    for colour in range(3):
        assert torch.equal(impute(x, missing)[colour], impute(x[colour : colour + 1], missing)[0])


def test_the_whole_metric_as_loops():
    network, photo, L = model(), pixels(4, size=16), some_map(4)
    x, noise = PREPROCESS.normalise(photo), 0.1 * grain(photo, 7)
    curves = {}
    for most_first in (True, False):
        order = removals.order_of(L, most_first=most_first)
        curves[most_first] = []
        for share in (0.25, 0.5):
            missing = torch.zeros(16, 16, dtype=torch.bool)
            for place in order[: int(256 * share)]:
                missing[place] = True
            filled = torch.tensor(oracle.impute(x, missing)) + noise * missing
            curves[most_first].append(probability_of(network, filled.tolist(), 2))
    found = measured(ROAD((25, 50), noise=0.1, seed=7), seeing(network, photo, L, 2), network)
    assert found["most_curve"] == pytest.approx(curves[True], abs=1e-5)
    assert found["least_curve"] == pytest.approx(curves[False], abs=1e-5)
    assert found["least"] == pytest.approx(sum(curves[False]) / 2, abs=1e-5)
    assert found[""] == pytest.approx((sum(curves[False]) - sum(curves[True])) / 4, abs=1e-5)
    assert combined([0.25, 0.5], [1.0, 0.75]) == 0.25


def test_the_opposite_map_has_the_opposite_value():
    network, photo, L = model(), pixels(1), some_map(1)
    one, other = (measured(ROAD(), seeing(network, photo, M), network) for M in (L, 1 - L))
    assert one[""] == pytest.approx(-other[""], abs=1e-6)
    assert abs(one[""]) > 1e-3


def test_the_noise_belongs_to_the_photo_and_the_seed_alone():
    assert torch.equal(grain(pixels(1)), grain(pixels(1).clone()))
    assert not torch.equal(grain(pixels(1)), grain(pixels(2)))
    assert not torch.equal(grain(pixels(1)), grain(pixels(1), seed=1))
    assert grain(pixels(1)).std().item() == pytest.approx(1, abs=0.1)


def test_noise_falls_on_missing_pixels_alone():
    seen = seeing(model(), pixels(), some_map())
    (noisy,), (clean,) = (Imputed("most", (0.5,), noise).inputs(seen) for noise in (0.2, 0.0))
    missing = leading(seen.heatmap, 128, "most")
    assert torch.equal(noisy[:, ~missing], PREPROCESS.normalise(seen.pixels)[:, ~missing])
    torch.testing.assert_close((noisy - clean)[:, missing], 0.2 * grain(seen.pixels)[:, missing])


def test_a_map_of_one_value_is_worth_nothing_and_a_blank_one_the_worst():
    network = model()
    assert measured(ROAD(), seeing(network, pixels(), torch.ones(16, 16)), network)[""] == 0
    assert measured(ROAD(), seeing(network, pixels(), torch.zeros(16, 16)), network) == ROAD().worst()


def test_percentages_given_as_a_range_are_kept_as_plain_numbers():
    assert ROAD(range(20, 100, 20)) == ROAD()
    assert "percentages=(10, 40)" in repr(ROAD(range(10, 70, 30)))


@pytest.mark.parametrize(
    "wrong", [{"percentages": (50, 100)}, {"percentages": ()}, {"noise": -1}, {"score": "logit"}]
)
def test_a_wrong_convention_is_an_error(wrong):
    with pytest.raises(ConfigurationError, match=next(iter(wrong))):
        ROAD(**wrong)


def test_without_scipy_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "scipy.sparse", None)
    with pytest.raises(MissingExtra, match="evaluation"):
        imputation.scipy()


@their_numpy
def test_imputing_is_pytorch_grad_cams_and_quantus():
    x, missing = PREPROCESS.normalise(pixels()), leading(some_map(), 150, "most")
    ours = impute(x, missing)
    torch.testing.assert_close(ours, NoisyLinearImputer(0.0)(x, (~missing).float()), atol=1e-5, rtol=1e-5)
    indices = np.flatnonzero(missing.numpy())
    torch.testing.assert_close(ours, torch.from_numpy(noisy_linear_imputation(x.numpy(), indices, 0.0)))


@their_numpy
def test_the_preset_pytorch_grad_cam_is_that_library_but_for_its_noise(monkeypatch):
    monkeypatch.setattr(torch, "randn_like", torch.zeros_like)
    network, percentages = model(), (10, 30, 50, 70, 90)
    assert set(percentages) <= set(ROAD.presets["pytorch-grad-cam"]["percentages"])
    for number in range(3):
        photo, L = pixels(number), some_map(number)
        seen = seeing(network, photo, L, 2)
        asked = (PREPROCESS.normalise(photo)[None], L.numpy()[None], [ClassifierOutputSoftmaxTarget(2)], network)
        ours = measured(ROAD(percentages, noise=0.0), seen, network)
        assert ours[""] == pytest.approx(ROADCombined(list(percentages))(*asked)[0], abs=1e-5)
        theirs = ROADMostRelevantFirstAverage(list(percentages))(*asked)[0]
        assert ours["most"] - seen.probability == pytest.approx(theirs, abs=1e-5)


class Grey(nn.Module):
    """A network for one colour."""

    def __init__(self, network):
        super().__init__()
        self.network = network

    def forward(self, x):
        return self.network(x.expand(-1, 3, -1, -1))


def test_the_preset_quantus_is_its_road_on_pictures_of_one_colour():
    network, percentages = model(), [25, 50, 75]
    even = Preprocess((16, 16), mean=(0.5,) * 3, std=(0.25,) * 3)
    curves = []
    for number in range(6):
        photo, L = pixels(number)[:1].expand(3, -1, -1).contiguous(), some_map(number)
        seen = seeing(network, photo, L, preprocess=even)
        x, category = even.normalise(photo)[None, :1].numpy(), int(seen.logits.argmax())
        road = quantus.ROAD(percentages, noise=0.0, normalise=False, disable_warnings=True)
        theirs = road(Grey(network).eval(), x, np.array([category]), a_batch=L.numpy()[None, None], device="cpu")
        seen = seeing(network, photo, L, category, preprocess=even)
        ours = measured(ROAD(tuple(percentages), noise=0.0, score="accuracy"), seen, network)
        assert ours["most_curve"] == [theirs[percent] for percent in percentages]
        curves.append(tuple(ours["most_curve"]))
    assert len(set(curves)) > 1


def test_quantus_road_cannot_do_pictures_of_three_colours():
    x, L = PREPROCESS.normalise(pixels())[None].numpy(), some_map().numpy()[None, None]
    road = quantus.ROAD([50], noise=0.0, normalise=False, disable_warnings=True)
    with pytest.raises(IndexError):  # it takes places among three colours for places of pixels
        road(model(), x, np.array([1]), a_batch=L, device="cpu")


@their_numpy
def test_pytorch_grad_cam_removes_all_pixels_that_tie_and_we_so_many_as_are_asked_for():
    x, L = PREPROCESS.normalise(pixels()), some_map().clamp_min(0.5)  # half of it is the smallest value
    theirs = RemoveMostRelevantFirst(30, NoisyLinearImputer(0.0))(x, L)  # the threshold is that value: all go
    assert not (theirs == x).any()
    (ours,) = Imputed("most", (0.7,), noise=0.0).inputs(seeing(model(), pixels(), L))
    assert (ours == x).all(0).sum() == 256 - round(0.7 * 256)
