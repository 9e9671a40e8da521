from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from pytorch_grad_cam.metrics.arcc import Coherency, Complexity

from rsi_gradcam.metrics.adcc import ADCC, adcc, coherency, complexity
from rsi_gradcam.metrics.average_drop import AverageDrop
from tests.metrics.asking import PREPROCESS, measured, model, pixels, seeing, some_map
from tests.metrics.remade import Remade
from tests.oracles import correlation as oracle
from tests.oracles import explanation_maps


class Given:
    """The explanation map's map, given; and what it was asked of."""

    def __init__(self, raw):
        self.raw, self.pixels = raw, None

    def of(self, pixels):
        self.pixels = pixels
        return self.raw


@pytest.mark.parametrize("space", ["pixel", "normalised"])
def test_it_is_the_formula_as_loops(space):
    network, photo, L, category = model(), pixels(0), some_map(0), 2
    again = Given(L + some_map(1))
    seen = seeing(network, photo, L, category, again)
    found = measured(ADCC(space), seen, network)
    E = explanation_maps.explanation_map(photo, L, PREPROCESS.mean, PREPROCESS.std, before=space == "pixel")
    Y = explanation_maps.probability_of(network, PREPROCESS.normalise(photo).tolist(), category)
    O = explanation_maps.probability_of(network, E, category)  # noqa: E741
    drop = max(0, Y - O) / Y
    coherent = (oracle.pearson(L.flatten().tolist(), again.raw.flatten().tolist()) + 1) / 2
    simple = 1 - sum(L.flatten().tolist()) / 256
    assert found["coherency"] == pytest.approx(coherent, 1e-5)
    assert found["complexity"] == pytest.approx(1 - simple, 1e-5)
    assert found["drop"] == pytest.approx(drop, abs=1e-5)
    assert found[""] == pytest.approx(3 / (1 / coherent + 1 / simple + 1 / (1 - drop)), 1e-4)
    torch.testing.assert_close(again.pixels, PREPROCESS.denormalise(torch.tensor(E)), atol=1e-6, rtol=1e-6)


def test_by_hand():
    assert adcc(0.5, 0.5, 0.5) == pytest.approx(0.5)
    assert adcc(0.0, 1.0, 0.25) == pytest.approx(3 / (2 + 4 / 3))
    assert adcc(1.0, 1.0, 0.0) == adcc(0.0, 0.0, 0.0) == adcc(0.0, 1.0, 1.0) == 0
    L = torch.tensor([[0.0, 1.0], [0.5, 0.5]])
    assert complexity(L) == 0.5
    assert coherency(L, 3 * L + 2) == pytest.approx(1)
    assert coherency(L, -L) == pytest.approx(0)
    assert coherency(L, torch.tensor([[0.0, 0.0], [1.0, 0.0]])) == pytest.approx(0.5)


def test_a_map_that_is_found_again_at_any_scale_is_coherent():
    network, L = model(), some_map()
    found = measured(ADCC(), seeing(network, pixels(), L, again=Given(1e-6 * L)), network)
    assert found["coherency"] == pytest.approx(1)


def test_of_which_nothing_is_found_again_is_not():
    found = measured(ADCC(), seeing(model(), pixels(), some_map(), again=Given(-some_map())), model())
    assert found["coherency"] == found[""] == 0


def test_it_needs_one_explanation_and_the_pass_of_average_drop():
    again = Remade(model("residual"), pixels(1), "stage2", 2)
    seen = again.seen()
    found = measured(ADCC(), seen, again.network)
    assert again.asked == 1
    assert ADCC().probes() == AverageDrop().probes()
    assert found["drop"] == measured(AverageDrop(), seen, again.network)["drop"]
    assert 0 < found[""] < 1
    assert math.isfinite(found["coherency"])


def test_a_map_that_is_one_everywhere_is_not_simple_and_a_blank_one_is_the_worst():
    network, ones = model(), torch.ones(16, 16)
    full = measured(ADCC(), seeing(network, pixels(), ones, again=Given(ones)), network)
    assert (full[""], full["complexity"], full["drop"]) == (0, 1, 0)
    blank = measured(ADCC(), seeing(network, pixels(), 0 * ones, again=Given(ones)), network)
    assert blank == ADCC().worst()


def test_coherency_and_complexity_of_its_preset_are_pytorch_grad_cams():
    network, photo, L = model(), pixels(0), some_map(0)
    again = some_map(0) + some_map(1)
    asked = []

    def given(input_tensor, targets):
        asked.append(input_tensor)
        return again.numpy()[None]

    x = PREPROCESS.normalise(photo)[None]
    theirs = Coherency()(x, L.numpy()[None], [None], network, given)[0], Complexity()(L.numpy()[None])[0]
    seen = seeing(network, photo, L, 2, Given(again))
    found = measured(ADCC(**ADCC.presets["pytorch-grad-cam"]), seen, network)
    assert (found["coherency"], found["complexity"]) == pytest.approx(theirs, abs=1e-5)
    torch.testing.assert_close(PREPROCESS.normalise(seen.again.pixels), asked[0][0], atol=1e-5, rtol=1e-5)
    assert not np.isnan(found[""])
