"""What every control must satisfy. A new file in controls/ is covered by itself."""

from __future__ import annotations

import dataclasses

import pytest
import torch

from rsi_gradcam import controls
from rsi_gradcam.errors import ConfigurationError
from tests.controls.views import view

each_control = pytest.mark.parametrize("name", controls.catalogue())


def test_the_six_are_there():
    assert set(controls.catalogue()) >= {"ones", "gaussian", "random", "edges", "activation", "box"}


def test_a_name_that_is_none_gets_a_hint():
    with pytest.raises(ConfigurationError, match="gaussian"):
        controls.by_name("gausian")
    with pytest.raises(ConfigurationError, match="width"):
        controls.by_name("gaussian", widht=0.5)
    with pytest.raises(ConfigurationError, match="it has none"):
        controls.by_name("ones", width=0.5)
    assert controls.by_name("gaussian", width=0.5) == controls.catalogue()["gaussian"](width=0.5)


@each_control
def test_it_says_in_a_line_what_it_is(name):
    kind = controls.catalogue()[name]
    assert kind.summary
    assert len(kind.summary) < 100
    assert dataclasses.is_dataclass(kind)
    assert repr(kind()) == repr(controls.by_name(name))


@each_control
def test_its_map_lies_at_the_layer_or_at_the_input_as_it_says(name):
    control, seen = controls.by_name(name), view()
    found = control.map(seen)
    assert found.shape == (seen.activations.shape[1:] if control.at_layer else seen.pixels.shape[1:])
    assert found.dtype == seen.pixels.dtype
    assert torch.isfinite(found).all()


@each_control
@pytest.mark.parametrize("epsilon", [0.0, 1e-8])
def test_its_heatmap_lies_in_0_to_1_at_the_inputs_size_and_is_not_dark(name, epsilon):
    control = controls.by_name(name)
    found = control.heatmap(control.map(view()), (12, 16), epsilon)
    assert found.shape == (12, 16)
    assert found.min() >= 0
    assert found.max() <= 1
    assert found.max() > 0.5


@each_control
def test_only_one_that_says_so_looks_at_the_boxes(name):
    control, seen = controls.by_name(name), view()
    other = dataclasses.replace(seen, inside=~seen.inside)
    assert torch.equal(control.map(seen), control.map(other)) != control.boxed
    if not control.boxed:
        control.map(dataclasses.replace(seen, inside=None))


@each_control
def test_only_one_that_is_at_the_layer_looks_at_it(name):
    control, seen = controls.by_name(name), view()
    other = dataclasses.replace(seen, activations=torch.randn(5, 3, 3))
    if not control.at_layer:
        assert torch.equal(control.map(seen), control.map(other))
    else:
        assert control.map(other).shape == (3, 3)


@each_control
def test_the_same_again_gives_the_same_and_draws_no_random_number_of_the_users(name):
    control = controls.by_name(name)
    before = torch.get_rng_state()
    assert torch.equal(control.map(view()), control.map(view()))
    assert torch.equal(torch.get_rng_state(), before)


@each_control
def test_it_changes_nothing_that_it_is_shown(name):
    seen = view()
    before = [each.clone() for each in (seen.pixels, seen.activations, seen.inside)]
    control = controls.by_name(name)
    control.heatmap(control.map(seen), (12, 16))
    assert all(
        torch.equal(one, other)
        for one, other in zip(before, (seen.pixels, seen.activations, seen.inside), strict=True)
    )
