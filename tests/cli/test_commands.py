"""The commands beside `explain`."""

from __future__ import annotations

import json

import pytest

from rsi_gradcam import catalog, zoo
from tests.cli.conftest import loaded, picture_in

TINY = ("--model", "own_networks:tiny")


def rows(result):
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_a_comparison_is_one_picture_from_one_sweep(photos, run, monkeypatch):
    from rsi_gradcam.cli import question

    sweeps, sweep = [], question.explain_all

    def explain_all(*rest, **more):
        sweeps.append(rest)
        return sweep(*rest, **more)

    monkeypatch.setattr(question, "explain_all", explain_all)
    result = run(
        *("compare", photos.add("cup.png"), *TINY, "--methods", "grad_cam,rsi_grad_cam", "--layers", "0.1,0.3"),
        *("--target", "red cat", "--target", "dog", "--steps", "2", "--show", "both"),
    )
    assert result.exit_code == 0, result.output
    assert len(sweeps) == 1
    assert result.stdout.splitlines()[-1] == "→ explanations/cup.comparison.png"
    picture = picture_in(photos.folder / "explanations/cup.comparison.png")
    assert picture.mode == "RGB"
    assert min(picture.size) > 400
    said = json.loads((photos.folder / "explanations/cup.comparison.json").read_text())
    assert {(each["method"], each["layer"], each["category"]) for each in said} == {
        (method, layer, category)
        for method in ("grad_cam", "rsi_grad_cam")
        for layer in ("0.1", "0.3")
        for category in ("red cat", "dog")
    }


def test_a_comparison_can_be_made_again(photos, run):
    import shlex

    said = rows(run("compare", photos.add("cup.png"), *TINY, "--target", "top-2", "--json"))
    again = shlex.split(said[0]["made_by"]["again"])[1:]
    repeated = rows(run(*again, "--json"))
    assert [each["residual"] for each in repeated] == [each["residual"] for each in said]


def test_layers_are_those_of_the_zoo(run):
    net = loaded(zoo.DEFAULT)
    said = rows(run("layers", "--json"))
    assert {each["name"]: each["module"] for each in said}.items() >= net.layers.items()
    assert [each["module"] for each in said if each["default"]] == [net.default_layer]
    assert all(each["makes_sense"] for each in said)
    every = rows(run("layers", "--all", "--json"))
    assert [tuple(each["shape"]) for each in every] == [layer.shape for layer in net.spatial_layers()]


def test_layers_are_a_table_for_people(run):
    result = run("layers", *TINY)
    (line,) = [line for line in result.stdout.splitlines() if "yes" in line and line.split()[-2:] == ["yes", "yes"]]
    assert "4×4" in line


def test_methods_are_those_of_the_catalog(run):
    said = rows(run("methods", "--json"))
    assert [each["name"] for each in said] == list(catalog.methods())
    assert {each["name"]: each["extra"] for each in said}["lime"] == "captum"
    table = run("methods").stdout
    assert all(f"{name} " in table for name in catalog.methods())


def test_models_are_those_of_the_zoo(run, monkeypatch):
    monkeypatch.setattr(zoo, "names", lambda: {"built-in": ("small",), "torchvision": ("Large", "larger")})
    assert rows(run("models", "--json")) == [
        {"name": "small", "source": "built-in"},
        {"name": "Large", "source": "torchvision"},
        {"name": "larger", "source": "torchvision"},
    ]
    assert [each["name"] for each in rows(run("models", "large", "--json"))] == ["Large", "larger"]


@pytest.mark.parametrize("json", [True, False])
def test_diagnose_says_what_is_wrong_and_what_to_try(photos, run, json):
    options = ("--model", "own_networks:sure", "--method", "grad_cam", *(["--json"] if json else []))
    result = run("diagnose", photos.add("cup.png"), *options)
    assert result.exit_code == 0, result.output
    if json:
        assert "saturated output" in [found["cause"] for found in rows(result)[0]["diagnosis"]]
        return
    said = result.stdout.splitlines()
    (at,) = [index for index, line in enumerate(said) if line.startswith("saturated output: ")]
    assert "1.000000" in said[at]
    assert said[at + 1].startswith("  Try: ")
    assert "rsi_grad_cam" in said[at + 1]


def test_diagnose_says_so_when_nothing_is_wrong(photos, run):
    result = run("diagnose", photos.add("cup.png"))
    assert result.stdout.splitlines()[-1] == "Nothing is wrong with this map."
    assert "the score goes from 0.00" in result.stdout
    assert not list(photos.folder.glob("explanations"))


def test_a_baseline_is_made_once_and_then_used(photos, run, monkeypatch, tmp_path):
    monkeypatch.setenv("RSI_GRADCAM_CACHE", str(tmp_path / "kept"))
    result = run("baseline", *TINY)
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("own_networks:tiny: evenness ")
    (kept,) = (tmp_path / "kept").iterdir()
    before = kept.stat().st_mtime_ns
    assert picture_in(tmp_path / "explanations/own_networks_tiny.uncertain.png").size == (16, 16)
    (said,) = rows(run("baseline", *TINY, "--json"))
    assert 0.9 < said["evenness"] <= 1
    (used,) = rows(run("explain", photos.add("cup.png"), *TINY, "--baseline", "uncertain", "--json"))
    assert used["made_by"]["baseline"].startswith("Uncertain(")
    assert kept.stat().st_mtime_ns == before
    assert list((tmp_path / "kept").iterdir()) == [kept]


def test_a_baseline_of_a_network_without_numbers_is_not_kept(photos, run, monkeypatch, tmp_path):
    monkeypatch.setenv("RSI_GRADCAM_CACHE", str(tmp_path / "kept"))
    for _ in range(2):
        assert "is not finite" in run("baseline", "--model", "own_networks:nan").stderr
    assert not list((tmp_path / "kept").glob("*"))


def test_what_one_method_cannot_do_costs_no_other_its_map(photos, run):
    options = ("--methods", "cam,grad_cam", "--layers", "0.1,0.3", "--target", "dog", "--json")
    result = run("compare", photos.add("cup.png"), *TINY, *options)
    assert result.exit_code == 0, result.output
    said = [json.loads(line) for line in result.stdout.splitlines()]
    assert [(each["method"], each["layer"]) for each in said] == [
        ("cam", "0.3"),
        ("grad_cam", "0.1"),
        ("grad_cam", "0.3"),
    ]
    (line,) = result.stderr.splitlines()
    assert line.startswith("warning: no cam at 0.1: ")


def test_methods_that_share_a_walk_do_not_cost_each_other_their_maps_either(photos, run):
    options = ("--methods", "grad_cam,neuron_conductance(unit=(99,0,0))", "--layers", "0.1,0.3", "--json")
    result = run("compare", photos.add("cup.png"), *TINY, *options, "--steps", "2")
    assert [json.loads(line)["layer"] for line in result.stdout.splitlines()] == ["0.1", "0.3"]
    assert result.stderr.count("warning: no neuron_conductance(unit=(99, 0, 0)) at ") == 2


def test_where_no_method_has_a_map_it_is_an_error(photos, run):
    result = run("compare", photos.add("cup.png"), *TINY, "--methods", "cam", "--layers", "0.1")
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)


def test_a_class_that_is_named_twice_is_compared_once(photos, run):
    options = ("--target", "dog", "--target", "2", "--target", "top-4", "--methods", "grad_cam")
    said = rows(run("compare", photos.add("cup.png"), *TINY, *options, "--json"))
    assert sorted(each["class"] for each in said) == [0, 1, 2, 3]
    assert said[0]["class"] == 2


def test_variants_of_a_method_are_told_apart(photos, run):
    methods = "rsi_grad_cam,rsi_grad_cam(units=relu)"
    result = run("compare", photos.add("cup.png"), *TINY, "--methods", methods, "--steps", "2")
    first, second, _ = result.stdout.splitlines()
    assert ", rsi_grad_cam at " in first
    assert ", rsi_grad_cam(units=relu) at " in second
