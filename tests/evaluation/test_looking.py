from __future__ import annotations

import pytest
import torch

from rsi_gradcam.errors import LayerError, ModelError
from rsi_gradcam.evaluation.looking import Eye
from tests.evaluation.small import LAYERS, Drawn, network, small_protocol


@pytest.fixture
def eye():
    return Eye(network().network, network(), LAYERS, small_protocol())


def pixels(index=0):
    return network().preprocess.pixels(Drawn().photo(Drawn().examples()[index]))


def test_a_look_gives_the_answer_and_what_each_layer_shows(eye):
    logits, activations = eye.look(pixels())
    x = network().preprocess.normalise(pixels())[None]
    with torch.no_grad():
        assert torch.allclose(logits, network().network(x)[0], atol=1e-6)
        assert torch.allclose(activations["features.4"], network().network.features[:5](x)[0], atol=1e-6)
    assert not logits.requires_grad
    assert not activations["features.5"].requires_grad


@pytest.mark.parametrize("counts", [(), (1,), (3, 0, 2), (100, 1, 700), (1,) * 9])
def test_answers_are_those_of_each_input_in_order_however_they_are_grouped(eye, counts):
    generator = torch.Generator().manual_seed(0)
    inputs = [torch.rand((count, 3, 16, 16), generator=generator) for count in counts]
    answers = eye.answers(iter(inputs))
    assert [len(answer) for answer in answers] == list(counts)
    with torch.no_grad():
        for given, answer in zip(inputs, answers, strict=True):
            assert torch.allclose(answer, network().network(given), atol=1e-5)


def test_inputs_are_made_only_as_they_are_asked(eye):
    made, largest = [], []
    handle = (
        network().network.features[0].register_forward_hook(lambda _m, x, _y: largest.append((len(x[0]), len(made))))
    )

    def inputs():
        for index in range(5):
            made.append(index)
            yield torch.rand(512, 3, 16, 16)

    try:
        eye.answers(inputs())
    finally:
        handle.remove()
    assert [count for count, _ in largest] == [512] * 5
    assert [begun for _, begun in largest] == [1, 2, 3, 4, 5]


def test_what_is_found_once_for_a_network_does_not_wait_for_a_photo(eye):
    from rsi_gradcam.layers import _cuts

    _cuts.pop(network().network, None)
    eye.settle()
    found = dict(_cuts[network().network])
    assert {layer for layer, _ in found} == set(LAYERS)
    eye.maps(pixels(), 2)
    assert _cuts[network().network] == found


def test_a_layer_without_a_map_is_an_error_before_any_photo():
    with pytest.raises(LayerError, match="no spatial output"):
        Eye(network().network, network(), ("classifier.0",), small_protocol()).settle()


def test_an_answer_that_is_no_number_is_an_error(eye):
    with pytest.raises(ModelError, match="nan or infinite"):
        eye.look(torch.full((3, 16, 16), 1e38))
