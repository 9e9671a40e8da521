from __future__ import annotations

import numpy as np
import pytest
import quantus
import torch
from torchcam.metrics import DeletionInsertionMetric

from rsi_gradcam.errors import ConfigurationError
from rsi_gradcam.images.preprocess import Preprocess
from rsi_gradcam.metrics.deletion_insertion import DeletionInsertion, area
from rsi_gradcam.metrics.order import leading, places
from tests.metrics.asking import PREPROCESS, PixelSum, measured, model, pixels, seeing, some_map
from tests.metrics.torchcam_given import SOFTMAX, Given
from tests.oracles import removals as oracle

PRESETS = DeletionInsertion.presets
PLAIN = Preprocess((8, 8), mean=(0, 0, 0), std=(1, 1, 1))
DIFFERENCES = ("insertion_minus_deletion", "least_minus_most")


def sigmoid(score: float) -> float:
    return 1 / (1 + np.exp(-score))


@pytest.mark.parametrize("fill", ["black", "zero", "mean"])
def test_it_is_the_curves_as_loops(fill):
    network, photo = model(), pixels(2)
    L = (some_map(2) * 20).round() / 20  # with ties
    x = PREPROCESS.normalise(photo)
    behind = oracle.filled(x, photo, PREPROCESS.mean, PREPROCESS.std, fill)
    counts = [round(256 * step / 5) for step in range(6)]
    most, least = (oracle.order_of(L, most_first=first) for first in (True, False))
    deletion = oracle.curve(network, x, behind, most, 3, counts)
    removal = oracle.curve(network, x, behind, least, 3, counts)
    found = measured(DeletionInsertion(5, fill), seeing(network, photo, L, 3), network)
    shares = [step / 5 for step in range(6)]
    assert found["deletion_curve"] == pytest.approx(deletion, abs=1e-5)
    assert found["insertion_curve"] == pytest.approx(removal[::-1], abs=1e-5)
    assert found["deletion"] == pytest.approx(oracle.area(shares, deletion), abs=1e-5)
    lead = oracle.area(shares, removal) - oracle.area(shares, deletion)
    assert found["least_minus_most"] == pytest.approx(lead, abs=1e-5)
    assert found["insertion_minus_deletion"] == pytest.approx(lead, abs=1e-5)


def test_insertion_is_pixels_put_back_the_most_important_first():
    network, photo, L = model(), pixels(2), some_map(2)
    x, black = PREPROCESS.normalise(photo), PREPROCESS.normalise(torch.zeros_like(photo))
    counts = [round(256 * step / 4) for step in range(5)]
    back = oracle.curve(network, black, x, oracle.order_of(L, most_first=True), 1, counts)
    found = measured(DeletionInsertion(4), seeing(network, photo, L), network)
    assert found["insertion_curve"] == pytest.approx(back, abs=1e-5)


def test_insertion_upon_a_fill_of_its_own():
    network, photo, L = model(), pixels(2), some_map(2)
    x = PREPROCESS.normalise(photo)
    grey = oracle.filled(x, photo, PREPROCESS.mean, PREPROCESS.std, "mean")
    counts = [round(256 * step / 4) for step in range(5)]
    back = oracle.curve(network, grey, x, oracle.order_of(L, most_first=True), 1, counts)
    found = measured(DeletionInsertion(4, "black", "mean"), seeing(network, photo, L), network)
    alone = measured(DeletionInsertion(4, "black"), seeing(network, photo, L), network)
    assert found["insertion_curve"] == pytest.approx(back, abs=1e-5)
    assert found["least_minus_most"] == pytest.approx(alone["least_minus_most"])
    assert found["deletion_curve"] == alone["deletion_curve"]


def test_the_curves_of_a_sum_of_pixels_by_hand():
    adding, photo = PixelSum(1 / 24), torch.zeros(3, 8, 8)
    photo[:, :, :4] = 1  # 32 bright pixels, which are 96 numbers: the logit is 4
    L = photo[0] * 0.9 + torch.linspace(0, 0.1, 64).reshape(8, 8)
    found = measured(DeletionInsertion(4), seeing(adding, photo, L, 0, preprocess=PLAIN), adding)
    falling = [sigmoid(4), sigmoid(2), 0.5, 0.5, 0.5]
    staying = [sigmoid(4), sigmoid(4), sigmoid(4), sigmoid(2), 0.5]
    assert found["deletion_curve"] == pytest.approx(falling, 1e-6)
    assert found["insertion_curve"] == pytest.approx(staying[::-1], 1e-6)
    assert found["deletion"] == pytest.approx((sigmoid(4) / 2 + sigmoid(2) + 1.25) / 4, 1e-6)
    assert found["least_minus_most"] == pytest.approx((2 * sigmoid(4) - 1) / 4, 1e-6)


def test_area_by_hand():
    assert area([1, 0, 0]) == 0.25
    assert area([1, 1]) == 1


def test_ties_stand_in_reading_order_both_ways():
    L = torch.tensor([[0.5, 0.0], [0.5, 1.0]])
    assert places(L, "most").tolist() == [[1, 3], [2, 0]]
    assert places(L, "least").tolist() == [[1, 0], [2, 3]]
    assert leading(L, 2, "least").tolist() == [[True, True], [False, False]]


def test_the_order_alone_counts():
    network, photo, L = model(), pixels(1), some_map(1)
    found, squared = (
        measured(DeletionInsertion(), seeing(network, photo, M), network) for M in (L, 1 - (1 - L) ** 2)
    )
    assert found == squared


def test_the_opposite_map_has_the_opposite_difference():
    network, photo, L = model(), pixels(1), some_map(1)
    one, other = (measured(DeletionInsertion(8), seeing(network, photo, M), network) for M in (L, 1 - L))
    assert one["least_minus_most"] == pytest.approx(-other["least_minus_most"])
    assert abs(one["least_minus_most"]) > 1e-3


@pytest.mark.parametrize("insertion_fill", [None, "blur"])
def test_a_map_of_one_value_has_no_difference(insertion_fill):
    network, metric = model(), DeletionInsertion(insertion_fill=insertion_fill)
    found = measured(metric, seeing(network, pixels(), torch.ones(16, 16)), network)
    assert [found[name] for name in DIFFERENCES] == [0, 0]
    assert area(found["deletion_curve"]) == found["deletion"] > 0


def test_a_blank_map_gets_the_worst():
    network, metric = model(), DeletionInsertion()
    assert measured(metric, seeing(network, pixels(), torch.zeros(16, 16)), network) == metric.worst()


def test_so_many_passes_as_it_says():
    seen = seeing(model(), pixels(), some_map())
    for metric, passes in ((DeletionInsertion(7), 13), (DeletionInsertion(7, insertion_fill="blur"), 20)):
        assert sum(len(probe.inputs(seen)) for probe in metric.probes()) == passes
    assert DeletionInsertion(7, insertion_fill="black").probes() == DeletionInsertion(7).probes()


@pytest.mark.parametrize("wrong", [{"steps": 1}, {"fill": "white"}, {"insertion_fill": "grey"}])
def test_a_wrong_convention_is_an_error(wrong):
    with pytest.raises(ConfigurationError):
        DeletionInsertion(**wrong)


def torchcams(network, photo, L, category, steps):
    theirs = DeletionInsertionMetric(Given(network, L), SOFTMAX, steps=steps)
    theirs.update(PREPROCESS.normalise(photo)[None], category)
    return theirs.summary()


def test_the_preset_torchcam_is_that_library():
    network = model()
    metric = DeletionInsertion(**{**PRESETS["torchcam"], "steps": 16})
    for number in range(3):
        photo, L = pixels(number), some_map(number)
        theirs = torchcams(network, photo, L, 2, 16)
        ours = measured(metric, seeing(network, photo, L, 2), network)
        assert ours["deletion"] == pytest.approx(theirs["deletion_auc"], abs=1e-6)
        assert ours["insertion"] == pytest.approx(theirs["insertion_auc"], abs=1e-6)


def test_torchcam_lets_a_map_of_one_value_differ_and_we_do_not():
    network = model()
    theirs = [torchcams(network, pixels(number), torch.ones(16, 16), 2, 16) for number in range(4)]
    gains = [each["insertion_auc"] - each["deletion_auc"] for each in theirs]
    assert max(map(abs, gains)) > 0.01  # ours: test_a_map_of_one_value_has_no_difference


def quantus_curve(network, photo, L, category):
    x = PREPROCESS.normalise(photo)[None].numpy()
    flipping = quantus.PixelFlipping(
        features_in_step=16, disable_warnings=True, normalise=False, perturb_baseline="black"
    )
    a = L.numpy()[None, None].repeat(3, 1)
    (curve,) = flipping(network, x, np.array([category]), a_batch=a, softmax=True, device="cpu")
    return curve[2::3]  # every sixteen pixels, which are 48 numbers


def test_the_preset_quantus_is_its_pixel_flipping_wherever_all_three_colours_are_flipped():
    network = model()
    metric = DeletionInsertion(**PRESETS["quantus"], steps=16)
    for number in range(3):
        photo, L = pixels(number), some_map(number)
        ours = measured(metric, seeing(network, photo, L, 2), network)
        assert ours["deletion_curve"][1:] == pytest.approx(quantus_curve(network, photo, L, 2), abs=1e-5)


def test_quantus_flips_colours_one_by_one():
    network, photo, L = model(), pixels(), some_map()
    x = PREPROCESS.normalise(photo)[None].numpy()
    flipping = quantus.PixelFlipping(features_in_step=256, disable_warnings=True, normalise=False)
    a = torch.stack([L + 2 * colour for colour in range(3)])[None].numpy()  # blue above green, green above red
    (theirs,) = flipping(network, x, np.array([2]), a_batch=a, softmax=True, device="cpu")
    flipped, curve = torch.from_numpy(x).clone(), []
    for colour in (2, 1, 0):
        flipped[0, colour] = float(x.min())
        with torch.no_grad():
            curve.append(network(flipped)[0].softmax(0)[2].item())
    assert theirs == pytest.approx(curve, abs=1e-5)
