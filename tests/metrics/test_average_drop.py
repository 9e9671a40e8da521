from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from pytorch_grad_cam.metrics.cam_mult_image import DropInConfidence, IncreaseInConfidence
from pytorch_grad_cam.utils.model_targets import ClassifierOutputSoftmaxTarget
from torchcam.metrics import ClassificationMetric

from rsi_gradcam.errors import ConfigurationError
from rsi_gradcam.metrics.average_drop import AverageDrop, drop, gain, increase
from rsi_gradcam.metrics.explanation_map import ExplanationMap
from tests.metrics.asking import PREPROCESS, PixelSum, measured, model, pixels, seeing, some_map
from tests.metrics.torchcam_given import SOFTMAX, Given
from tests.networks import CLASSES
from tests.oracles import explanation_maps as oracle

PRESETS = AverageDrop.presets


def test_the_paper_by_hand():
    assert drop(0.8, 0.2) == pytest.approx(0.75)
    assert drop(0.8, 0.9) == 0
    assert gain(0.8, 0.9) == pytest.approx(0.5)
    assert gain(0.8, 0.2) == 0
    assert [increase(0.8, o) for o in (0.7, 0.8, 0.9)] == [0, 0, 1]
    assert [increase(0.8, o, strict=False) for o in (0.7, 0.8, 0.9)] == [0, 1, 1]
    assert (drop(0.8, 0.2, "absolute"), gain(0.8, 0.9, "absolute")) == pytest.approx((0.6, 0.1))


def test_certainty_cannot_be_gained_upon_and_nothing_cannot_drop():
    assert gain(1.0, 1.0) == 0
    assert drop(0.0, 0.0) == 0


@pytest.mark.parametrize("space", ["pixel", "normalised"])
def test_it_is_the_formula_as_loops(space):
    network, metric = model(), AverageDrop(space=space)
    Y, O, found = [], [], []  # noqa: E741
    for number in range(6):
        photo, L = pixels(number), some_map(number)
        E = oracle.explanation_map(photo, L, PREPROCESS.mean, PREPROCESS.std, before=space == "pixel")
        O.append(oracle.probability_of(network, E, 2))
        Y.append(oracle.probability_of(network, PREPROCESS.normalise(photo).tolist(), 2))
        found.append(measured(metric, seeing(network, photo, L, 2), network))
    assert [row["explained"] for row in found] == pytest.approx(O, abs=1e-5)
    assert 100 * np.mean([row["drop"] for row in found]) == pytest.approx(oracle.percentage_average_drop(Y, O), 1e-4)
    assert np.mean([row["increase"] for row in found]) == oracle.increase_in_confidence(Y, O)
    assert 0 < oracle.increase_in_confidence(Y, O) < 1
    assert oracle.percentage_average_drop(Y, O) > 0


def test_a_sum_of_pixels_that_loses_half_of_them():
    adding, photo = PixelSum(1 / 96), torch.ones(3, 8, 8)
    half = torch.zeros(8, 8)
    half[:4] = 1
    plain = type(PREPROCESS)((8, 8), mean=(0, 0, 0), std=(1, 1, 1))
    found = measured(AverageDrop(), seeing(adding, photo, half, 0, preprocess=plain), adding)
    Y, O = 1 / (1 + math.exp(-2)), 1 / (1 + math.exp(-1))  # noqa: E741
    assert found["explained"] == pytest.approx(O, 1e-6)
    assert found["drop"] == pytest.approx((Y - O) / Y, 1e-6)
    assert (found["increase"], found["gain"]) == (0, 0)


def test_hiding_black_pixels_changes_nothing_in_pixel_space_but_does_in_the_normalised():
    photo, L = pixels(), (some_map() > 0.5).float()
    photo = photo * L
    network = model()
    assert measured(AverageDrop(), seeing(network, photo, L), network)["drop"] == pytest.approx(0, abs=1e-6)
    probe = ExplanationMap("normalised")
    assert not torch.allclose(probe.inputs(seeing(network, photo, L))[0], PREPROCESS.normalise(photo))


def test_the_normalised_space_is_the_pixel_space_with_the_mean_colour_behind():
    seen = seeing(model(), pixels(), some_map())
    torch.testing.assert_close(ExplanationMap("normalised").inputs(seen), ExplanationMap(fill="zero").inputs(seen))
    torch.testing.assert_close(ExplanationMap("pixel").inputs(seen), ExplanationMap(fill="black").inputs(seen))


@pytest.mark.parametrize("fill", ["mean", "blur", "lowest"])
def test_a_fill_makes_the_space_no_matter(fill):
    seen = seeing(model(), pixels(), some_map())
    one, other = ExplanationMap("pixel", fill).inputs(seen), ExplanationMap("normalised", fill).inputs(seen)
    assert torch.equal(one, other)
    hidden = seeing(model(), pixels(), torch.zeros(16, 16))
    assert ExplanationMap("pixel", fill).inputs(hidden).std() < PREPROCESS.normalise(pixels()).std()


@pytest.mark.parametrize("category", range(CLASSES))
def test_a_dark_heatmap_is_never_a_hit(category):
    network = model()
    for L in (torch.zeros(16, 16), 0.49 * some_map()):
        seen = seeing(network, pixels(3), L, category)
        found = measured(AverageDrop(strict=False), seen, network)
        assert (found["increase"], found["gain"]) == (0, 0)
    black = measured(AverageDrop(), seeing(network, pixels(3), torch.zeros(16, 16), category), network)
    assert black["drop"] == AverageDrop().worst()["drop"]
    with torch.no_grad():
        answer = network(PREPROCESS.normalise(torch.zeros(1, 3, 16, 16)))[0].softmax(0)[category]
    assert black["explained"] == pytest.approx(answer.item(), 1e-5)


def test_a_map_that_is_one_everywhere_neither_loses_nor_wins_whatever_rounding_says():
    seen = seeing(model(), pixels(), torch.ones(16, 16))
    (probe,) = AverageDrop().probes()
    rounded = {probe: seen.logits[None] + 1e-3 * torch.arange(CLASSES)}
    found = AverageDrop().measure(seen, rounded)
    assert (found["drop"], found["increase"], found["gain"]) == (0, 0, 0)


def test_of_a_logit_there_is_no_gain_and_the_drop_is_relative_to_its_size():
    found = measured(AverageDrop(score="logit"), seeing(model(), pixels(), some_map()), model())
    assert math.isnan(found["gain"])
    assert drop(-2.0, -3.0) == pytest.approx(0.5)


def test_metrics_that_ask_the_same_share_their_probe():
    assert AverageDrop().probes() == AverageDrop(strict=False, score="logit").probes()
    assert AverageDrop().probes() != AverageDrop(space="normalised").probes()


@pytest.mark.parametrize("wrong", [{"space": "pixels"}, {"fill": "white"}, {"score": "p"}, {"change": "ratio"}])
def test_a_word_that_is_no_convention_is_an_error_that_names_its_field(wrong):
    with pytest.raises(ConfigurationError, match=f"{next(iter(wrong))} "):
        AverageDrop(**wrong)


def test_the_preset_pytorch_grad_cam_is_that_library():
    network, metric = model(), AverageDrop(**PRESETS["pytorch-grad-cam"])
    for number in range(5):
        photo, L = pixels(number), some_map(number)
        x, target = PREPROCESS.normalise(photo)[None], [ClassifierOutputSoftmaxTarget(2)]
        theirs = [
            measure()(x, L.numpy()[None], target, network)[0] for measure in (DropInConfidence, IncreaseInConfidence)
        ]
        ours = measured(metric, seeing(network, photo, L, 2), network)
        assert [ours["drop"], ours["increase"]] == pytest.approx(theirs, abs=1e-6)


def torchcams(network, photo, L, category, logits_fn=SOFTMAX):
    theirs = ClassificationMetric(Given(network, L), logits_fn)
    theirs.update(PREPROCESS.normalise(photo)[None], category)
    return theirs


def test_the_preset_torchcam_is_that_library():
    network, metric = model(), AverageDrop(**PRESETS["torchcam"])
    for number in range(5):
        photo, L = pixels(number), some_map(number)
        theirs = torchcams(network, photo, L, 2).summary()
        ours = measured(metric, seeing(network, photo, L, 2), network)
        assert ours["drop"] == pytest.approx(theirs["avg_drop"], abs=1e-5)
        assert ours["increase"] == theirs["conf_increase"]


def test_torchcam_divides_by_a_negative_logit_and_so_rewards_a_drop():
    network, metric = model(), AverageDrop(space="normalised", score="logit")
    maps = [(pixels(number), some_map(number), category) for number in range(4) for category in range(CLASSES)]
    both = [
        (
            measured(metric, seeing(network, *one), network)["drop"],
            torchcams(network, *one, None).summary()["avg_drop"],
        )
        for one in maps
        if seeing(network, *one).logits[one[2]] < 0
    ]
    assert [ours for ours, _ in both] == pytest.approx([-theirs for _, theirs in both], rel=1e-4)
    assert max(ours for ours, _ in both) > 0.1


def test_torchcam_leaves_a_dark_map_out_of_its_mean_and_we_count_it():
    network, photo = model(), pixels()
    assert torchcams(network, photo, torch.full((16, 16), torch.nan), 2).total == 0  # 0/0 of its normalisation
    assert measured(AverageDrop(), seeing(network, photo, torch.zeros(16, 16), 2), network)["drop"] == 1
