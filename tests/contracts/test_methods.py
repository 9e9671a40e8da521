"""What every attribution method must satisfy. A new file in methods/ is covered by itself."""

from __future__ import annotations

import dataclasses
import inspect

import pytest
import torch

from rsi_gradcam import catalog, explain
from rsi_gradcam.methods import (
    LIME,
    EndpointMethod,
    ModelMethod,
    NeuronConductance,
    NeuronIntegratedGradients,
    PathMethod,
)
from rsi_gradcam.methods.base import INPUT
from rsi_gradcam.stieltjes import RULES
from tests.agreement import apart
from tests.networks import images, network, zeros
from tests.state import unchanged

# Of methods that take long, or whose default unit is silent here.
MADE = {
    "lime": LIME(superpixels=9, samples=12),
    "neuron_conductance": NeuronConductance((3, 4, 4)),
    "neuron_integrated_gradients": NeuronIntegratedGradients((3, 4, 4)),
}
METHODS = catalog.methods()
ON_PATH = [name for name, kind in METHODS.items() if issubclass(kind, PathMethod)]
each_method = pytest.mark.parametrize("name", METHODS)


def made(name):
    return MADE.get(name) or METHODS[name]()


def explained(name, x, dtype=torch.float64, **options):
    """By a network that every method can explain."""
    asked = {"target": 1, "baseline": zeros(), "steps": 2, **options}
    return explain(network("pooled", dtype=dtype), x, "relu2", made(name), **asked)


@each_method
def test_it_is_a_frozen_dataclass_whose_text_is_its_configuration(name):
    method = made(name)
    assert dataclasses.is_dataclass(method)
    assert eval(repr(method), {type(method).__name__: type(method)}) == method
    assert hash(method) == hash(dataclasses.replace(method))
    for field in dataclasses.fields(method):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(method, field.name, None)


@each_method
def test_it_says_in_a_line_what_it_is(name):
    kind = METHODS[name]
    assert kind.name == name
    assert kind.summary
    assert "\n" not in kind.summary
    assert len(kind.summary) < 100
    assert inspect.getdoc(kind)


@each_method
def test_it_belongs_to_one_family(name):
    assert sum(issubclass(METHODS[name], family) for family in (EndpointMethod, PathMethod, ModelMethod)) == 1
    assert not inspect.isabstract(METHODS[name])


@each_method
def test_the_papers_parameters_are_parameters_of_it(name):
    paper = catalog.method(name, paper=True)
    for parameter, value in METHODS[name].paper.items():
        assert getattr(paper, parameter) == value


@each_method
def test_it_makes_a_map_for_each_image(name):
    x = images(2)
    found = explained(name, x)
    assert found.raw.shape[0] == 2
    assert found.raw.shape[1:] in ((8, 8), (16, 16))
    assert found.raw.shape == found.signed.shape
    assert found.heatmap.shape == (2, 16, 16)
    assert torch.isfinite(found.raw).all()
    assert found.heatmap.min() >= 0
    assert found.heatmap.max() <= 1 + 1e-9
    assert found.raw.abs().max() > 0
    assert not found.raw.requires_grad
    assert found.method == made(name)
    assert found.layer in ("relu2", INPUT)
    assert (found.passes >= 1).all()


@each_method
def test_rectified_means_that_the_raw_map_is_the_signed_one_without_what_is_negative(name):
    found = explained(name, images(2))
    expected = found.signed.clamp(min=0) if METHODS[name].rectified else found.signed
    assert torch.equal(found.raw, expected)
    assert found.method.shown(found.raw).shape == found.raw.shape


@each_method
def test_a_batch_gives_what_its_images_give_alone(name):
    x = images(3)
    together = explained(name, x, target=[1, 0, 2])
    for row, index in enumerate((1, 0, 2)):
        alone = explained(name, x[row : row + 1], target=index)
        assert apart(together.signed[row], alone.signed[0]) < 1e-9


@each_method
def test_how_many_images_are_run_at_once_does_not_matter(name):
    x = images(3)
    assert apart(explained(name, x, batch_size=1).signed, explained(name, x, batch_size=50).signed) < 1e-9


@each_method
def test_the_same_again_gives_the_same(name):
    assert torch.equal(explained(name, images(2)).signed, explained(name, images(2)).signed)


@each_method
def test_it_keeps_the_dtype_and_gives_in_float32_what_it_gives_in_float64(name):
    wide, narrow = explained(name, images(2)), explained(name, images(2, dtype=torch.float32), torch.float32)
    assert wide.raw.dtype == torch.float64
    assert narrow.raw.dtype == torch.float32
    assert apart(narrow.signed.double(), wide.signed) < 1e-3


@each_method
def test_it_leaves_the_model_as_it_was(name):
    model = network("pooled", dtype=torch.float32).train()
    if name == "lime":
        explain(model, images(1, dtype=torch.float32), "relu2", made(name), 1, zeros(), steps=2)  # late imports
    with unchanged(model), torch.no_grad():
        explain(model, images(2, dtype=torch.float32), "relu2", made(name), 1, zeros(), steps=2)


@each_method
def test_the_score_is_that_of_the_image(name):
    x = images(2)
    found = explained(name, x)
    expected = network("pooled")(x).softmax(1)[:, 1].detach()
    if not name.startswith("neuron_integrated"):
        assert torch.allclose(found.score, expected, atol=1e-12)


@pytest.mark.parametrize("name", ON_PATH)
def test_a_method_on_a_path_has_a_rule_which_changes_the_map(name):
    x, maps = images(1), []
    for rule in RULES:
        method = dataclasses.replace(METHODS[name](), rule=rule)
        found = explain(network("smooth"), x, "tanh1", method, 1, zeros(), steps=2)
        assert torch.isfinite(found.raw).all()
        maps.append(found.signed)
    assert all(apart(maps[0], other) > 1e-6 for other in maps[1:])


@pytest.mark.parametrize("name", ON_PATH)
def test_a_method_on_a_path_converges_to_one_map_by_every_rule(name):
    x = images(1)
    left, right = (
        explain(
            network("smooth"), x, "tanh1", dataclasses.replace(METHODS[name](), rule=rule), 1, zeros(), steps=400
        ).signed
        for rule in ("left", "midpoint")
    )
    assert apart(left, right) < 0.04


@pytest.mark.parametrize("name", ON_PATH)
def test_a_method_on_a_path_tells_what_it_is_worth(name):
    found = explain(network("smooth"), images(2), "tanh1", METHODS[name](), 1, zeros(), steps=4)
    assert found.is_cut is True
    assert found.passes.tolist() in ([5, 5], [6, 6])
    assert (found.error >= 0).all()
    assert len(found.course) == 2
    assert found.course[0].alphas[0] == 0
    assert found.course[0].alphas[-1] == 1


@each_method
def test_a_wrong_rule_is_refused_when_the_method_is_made(name):
    if "rule" in {field.name for field in dataclasses.fields(METHODS[name])}:
        with pytest.raises(ValueError, match="is not a rule"):
            METHODS[name](rule="rihgt")
