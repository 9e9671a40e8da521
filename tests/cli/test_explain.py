from __future__ import annotations

import hashlib
import json
import shlex
from importlib.metadata import version

import numpy as np
import pytest
import torch

from rsi_gradcam import Black, Softmax, explain, zoo
from rsi_gradcam.figures.heatmap_picture import heatmap_picture
from rsi_gradcam.figures.overlay import overlay
from rsi_gradcam.images import read_photo
from tests.cli.conftest import loaded, picture_in, values_in

TINY = ("--model", "own_networks:tiny")


def made(folder, kind):
    return sorted((folder / "explanations").glob(f"*.{kind}"))


def recorded(folder):
    return [json.loads(path.read_text()) for path in made(folder, "json")]


def by_hand(path, **how):
    """The same explanation by the library alone."""
    net = loaded(zoo.DEFAULT)
    black = Black(net.preprocess.mean, net.preprocess.std)
    x = net.preprocess(read_photo(path))[None]
    return net, explain(net.network, x, how.pop("layer", net.default_layer), baseline=black, **how)


def test_four_files_hold_what_the_library_finds(photos, run):
    path = photos.add("cup.png", (300, 200))
    result = run("explain", path, "--steps", "2")
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    net, e = by_hand(path, steps=2)
    name = "explanations/cup.espresso.rsi_grad_cam"
    values = values_in(photos.folder / f"{name}.npz")
    assert sorted(values) == ["alphas", "raw", "scores", "signed", "weights"]
    torch.testing.assert_close(torch.from_numpy(values["raw"]), e.raw[0])
    torch.testing.assert_close(torch.from_numpy(values["signed"]), e.signed[0])
    torch.testing.assert_close(torch.from_numpy(values["weights"]), e.weights[0])
    assert values["alphas"].tolist() == [0, 0.5, 1]
    np.testing.assert_allclose(values["scores"], e.course[0].scores, rtol=1e-5)
    laid = picture_in(photos.folder / f"{name}.overlay.png")
    assert (laid.mode, laid.size) == ("RGB", (300, 200))
    assert laid.tobytes() == overlay(read_photo(path), e.normalised[0], preprocess=net.preprocess).tobytes()
    bare = picture_in(photos.folder / f"{name}.heatmap.png")
    assert bare.tobytes() == heatmap_picture(e.normalised[0], (224, 224)).tobytes()


def test_the_record_says_how_it_was_made_and_how_sure_it_is(photos, run):
    path = photos.add("cup.png")
    run("explain", path, "--steps", "2", "--layer", "stage5")
    (said,) = recorded(photos.folder)
    net, e = by_hand(path, layer="blocks.4", steps=2)
    assert (said["class"], said["category"], said["layer"]) == (
        e.classes[0],
        net.categories[e.classes[0]],
        "blocks.4",
    )
    assert said["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()
    for name in ("score", "baseline_score", "residual", "error"):
        assert said[name] == pytest.approx(float(getattr(e, name)[0]), rel=1e-3, abs=1e-6)
    probabilities = net.network(net.preprocess(read_photo(path))[None]).softmax(1)[0]
    assert [each["class"] for each in said["predicted"]] == probabilities.topk(5).indices.tolist()
    assert said["predicted"][0]["probability"] == pytest.approx(float(probabilities.max()), rel=1e-4)
    how = said["made_by"]
    assert how["weights_sha256"] == net.weights_hash
    assert how["baseline"] == "Black(mean=(0.5, 0.5, 0.5), std=(0.5, 0.5, 0.5))"
    assert how["method"] == repr(e.method)
    assert how["preprocess"] == repr(net.preprocess)
    assert how["settings"]["steps"] == 2
    assert how["versions"]["torch"] == version("torch")


@pytest.mark.parametrize(
    "options",
    [
        (),
        ("--target", "top-3", "--tolerance", "0.02", "--score", "logit"),
        ("--preset", "paper", "--steps", "4", "--target", "dog", "--colours", "jet", "--threshold", "0.5"),
        ("--method", "layer_cam", "--layer", "0.1", "--baseline", "noise", "--weights", "tiny weights.pth"),
        ("--path", "unblur", "--steps", "3", "--preprocess", "imagenet", "--max-passes", "20"),
    ],
)
def test_a_record_can_be_made_again_to_the_same_values(photos, run, options):
    torch.save(zoo.load("own_networks:tiny").network.state_dict(), photos.folder / "tiny weights.pth")
    result = run("explain", photos.add("a cup.png"), *TINY, *options)
    assert result.exit_code == 0, result.output
    for said in recorded(photos.folder):
        _, *again = shlex.split(said["made_by"]["again"])
        assert run(*again[:-1], "again").exit_code == 0
        before = values_in(photos.folder / said["files"]["values"])
        after = values_in(photos.folder / said["files"]["values"].replace("explanations", "again"))
        assert sorted(before) == sorted(after)
        for name in before:
            np.testing.assert_array_equal(before[name], after[name])


def test_a_photo_gives_the_same_alone_and_in_a_folder(photos, run):
    for index, of in enumerate(["coffee", "chelsea", "astronaut", "rocket.jpg", "coffee"]):
        photos.add(f"folder/{index}.png", (90 + index, 80), of.removesuffix(".jpg") if of != "rocket.jpg" else "cell")
    run("explain", photos.folder / "folder", *TINY)
    together = {said["photo"]: values_in(said["files"]["values"]) for said in recorded(photos.folder)}
    assert len(together) == 5
    for photo, values in together.items():
        result = run("explain", photo, *TINY, "--out", "alone", "--json")
        alone = values_in(json.loads(result.stdout)["files"]["values"])
        np.testing.assert_allclose(values["raw"], alone["raw"], rtol=1e-4, atol=1e-7)


def test_json_lines_are_the_records(photos, run):
    result = run("explain", photos.add("a.png"), photos.add("b.png"), *TINY, "--target", "top-2", "--json")
    assert result.exit_code == 0
    said = [json.loads(line) for line in result.stdout.splitlines()]
    assert len(said) == 4
    assert said == [json.loads((photos.folder / each["files"]["record"]).read_text()) for each in said]


def test_a_person_gets_one_line_for_each_photo(photos, run):
    result = run("explain", photos.add("cup.png"), "--steps", "2")
    (line,) = result.stdout.splitlines()
    assert line.startswith("cup.png: espresso ")
    assert "%, rsi_grad_cam at bn2, error " in line
    assert " in 3 passes" in line
    assert line.endswith("→ explanations/cup.espresso.rsi_grad_cam.overlay.png")


def test_classes_go_by_loose_names_numbers_and_rank(photos, run):
    path = photos.add("cup.png")
    for target in ("Coffee-Mug", "504"):
        (said,) = [json.loads(run("explain", path, "--method", "grad_cam", "--target", target, "--json").stdout)]
        assert (said["class"], said["category"]) == (504, "coffee mug")
        assert said["files"]["overlay"].endswith("cup.coffee_mug.grad_cam.overlay.png")


def test_the_likeliest_come_in_their_order_and_each_once(photos, run):
    result = run("explain", photos.add("cup.png"), *TINY, "--target", "top-3", "--target", "top1", "--json")
    said = [json.loads(line) for line in result.stdout.splitlines()]
    assert [each["class"] for each in said] == [each["class"] for each in said[0]["predicted"][:3]]
    assert all(each["score"] == pytest.approx(said[0]["predicted"][i]["probability"]) for i, each in enumerate(said))


def test_the_margin_of_a_lesser_class_is_to_the_likeliest(photos, run):
    result = run("explain", photos.add("cup.png"), *TINY, "--target", "top-2", "--score", "margin", "--json")
    first, second = [json.loads(line)["score"] for line in result.stdout.splitlines()]
    assert first > 0
    assert second == pytest.approx(-first, rel=1e-4)


def test_the_paper_preset_is_the_papers(photos, run):
    said = json.loads(run("explain", photos.add("cup.png"), *TINY, "--preset", "paper", "--json").stdout)
    assert said["score_of"].startswith(Softmax.__name__)
    assert "rule='right', units='positive'" in said["made_by"]["method"]
    assert (said["made_by"]["settings"]["steps"], said["passes"]) == (50, 51)


def test_every_method_that_needs_no_extra_can_be_asked_for(photos, run):
    from rsi_gradcam import catalog

    path = photos.add("cup.png")
    for name, kind in catalog.methods().items():
        if name == "cam" or getattr(kind, "requires", None):
            continue
        result = run("explain", path, *TINY, "--layer", "0.3", "--method", name, "--steps", "2")
        assert result.exit_code == 0, (name, result.output)
        assert made(photos.folder, f"{name}.overlay.png")


def test_a_bad_photo_does_not_stop_the_rest(photos, run):
    for name in "abcdef":
        photos.add(f"folder/{name}.png")
    photos.spoil("folder/b.png", b"not a photo")
    result = run("explain", "folder", *TINY, "--steps", "2")
    assert result.exit_code == 1
    (complaint,) = result.stderr.splitlines()
    assert complaint.startswith("error: folder/b.png is no photo")
    assert len(made(photos.folder, "overlay.png")) == 5
    assert result.stdout.splitlines()[-1] == "5 of 6 photos explained, in explanations"


def test_photos_of_the_same_name_do_not_overwrite_each_other(photos, run):
    photos.add("here/cup.png")
    photos.add("there/cup.png", of="chelsea")
    photos.add("there/cup.jpg", of="astronaut")
    result = run("explain", "here", "there", *TINY, "--steps", "2")
    assert result.exit_code == 0
    assert len(made(photos.folder, "json")) == 3
    assert len({said["sha256"] for said in recorded(photos.folder)}) == 3


def test_patterns_are_taken_where_the_shell_does_not(photos, run):
    photos.add("one.png")
    photos.add("two.jpg")
    result = run("explain", "*.png", *TINY, "--steps", "2")
    assert [said["photo"] for said in recorded(photos.folder)] == ["one.png"], result.output


def test_without_a_photo_there_is_coffee(run, here):
    result = run("explain", *TINY, "--steps", "2")
    assert result.stdout.startswith("coffee.png: ")
    assert recorded(here)[0]["size"] == [600, 400]


def test_warnings_are_one_line_too(photos, run):
    (photos.folder / "warns.py").write_text(
        "import warnings\nfrom own_networks import tiny\n"
        "from rsi_gradcam.baselines import UnknownNormalisation\n"
        "def net():\n    warnings.simplefilter('always')\n"
        "    warnings.warn('not known', UnknownNormalisation)\n    warnings.warn('old', DeprecationWarning)\n"
        "    return tiny()\n"
    )
    result = run("explain", photos.add("cup.png"), "--model", "warns:net", "--steps", "2")
    assert (result.exit_code, result.stderr) == (0, "warning: not known\n")
