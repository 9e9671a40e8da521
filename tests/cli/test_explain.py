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
    name = "explanations/cup.espresso.rsi_grad_cam.bn2"
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
        (
            "--path",
            "unblur",
            "--tolerance",
            "0.05",
            "--preprocess",
            "imagenet",
            "--max-passes",
            "20",
            "--resize",
            "squash",
        ),
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
    assert line.endswith("→ explanations/cup.espresso.rsi_grad_cam.bn2.overlay.png")


def test_classes_go_by_loose_names_numbers_and_rank(photos, run):
    path = photos.add("cup.png")
    for target in ("Coffee-Mug", "504"):
        (said,) = [json.loads(run("explain", path, "--method", "grad_cam", "--target", target, "--json").stdout)]
        assert (said["class"], said["category"]) == (504, "coffee mug")
        assert said["files"]["overlay"].endswith("cup.coffee_mug.grad_cam.bn2.overlay.png")


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
        assert made(photos.folder, f"{name}.*.overlay.png")


def test_a_bad_photo_does_not_stop_the_rest(photos, run):
    for name in "abcdef":
        photos.add(f"folder/{name}.png")
    photos.spoil("folder/b.png", b"not a photo")
    result = run("explain", "folder", *TINY, "--steps", "2")
    assert result.exit_code == 1
    (complaint,) = result.stderr.splitlines()
    assert complaint.startswith("error: folder/b.png is no photo")
    assert len(made(photos.folder, "overlay.png")) == 5
    assert result.stdout.splitlines()[-1] == (
        "5 of 6 photos explained, in explanations; not: folder/b.png (why is said above)"
    )


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


def lines(result):
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_a_second_run_does_not_explain_what_the_first_has_made(photos, run):
    photos.add("cup.png")
    for _ in range(2):
        result = run("explain", ".", *TINY, "--steps", "2", "--out", ".", "--titled", "--json")
        assert [said["photo"] for said in lines(result)] == ["cup.png"], result.output
    everything = sorted(path.name for path in photos.folder.glob("*.png"))
    result = run("explain", *everything, *TINY, "--steps", "2", "--json")  # as a shell gives them for *.png
    assert [said["photo"] for said in lines(result)] == ["cup.png"]


def test_an_empty_name_is_refused_in_one_line(photos, run):
    photos.add("cup.png")
    result = run("explain", "", *TINY)
    assert (result.exit_code, result.stderr.count("\n")) == (1, 1)
    assert "a photo's name is empty" in result.stderr


def test_a_photo_without_numbers_does_not_stop_the_rest(photos, run):
    from PIL import Image

    for name in "abc":
        photos.add(f"folder/{name}.png")
    Image.new("RGB", (20, 20), "white").save(photos.folder / "folder/b.png")
    model = ("--model", "own_networks:nan_for_white", "--steps", "2")
    result = run("explain", "folder", *model, "--json")
    assert result.exit_code == 1
    wrong = "the network's output for folder/b.png is not finite: check its weights and preprocessing"
    assert result.stderr == f"error: {wrong}\n"
    assert [said for said in lines(result) if "error" in said and "class" not in said] == [
        {"photo": "folder/b.png", "error": wrong}
    ]
    assert {said["photo"] for said in lines(result)} == {f"folder/{name}.png" for name in "abc"}
    assert run("explain", "folder", *model).stdout.splitlines()[-1] == (
        "2 of 3 photos explained, in explanations; not: folder/b.png (why is said above)"
    )


@pytest.mark.filterwarnings("default")
def test_outputs_that_are_probabilities_already_are_warned_of_once(photos, run):
    path, model = photos.add("cup.png"), ("--model", "own_networks:softmax", "--steps", "2")
    result = run("explain", path, photos.add("other.png"), *model, "--json")
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith("warning: the network's outputs are probabilities already")
    assert "--score logit" in result.stderr
    result = run("explain", path, *model, "--score", "logit", "--json")
    (said,) = lines(result)
    assert result.stderr == ""
    assert said["score"] == pytest.approx(said["predicted"][0]["probability"])
    assert sum(each["probability"] for each in said["predicted"]) == pytest.approx(1)


def test_classes_of_one_first_name_do_not_overwrite_each_other(photos, run):
    run("explain", photos.add("cup.png"), "--model", "own_networks:alike", "--steps", "2", "--target", "top-4")
    names = {path.name for path in made(photos.folder, "json")}
    assert names == {f"cup.{name}.rsi_grad_cam.0_3.json" for name in ("crane_0", "crane_1", "crane_2", "house")}


def test_layers_and_unusual_parameters_do_not_overwrite_each_other(photos, run):
    path = photos.add("cup.png")
    for options in (
        ("--layer", "0.1"),
        ("--layer", "0.3"),
        ("--layer", "0.3", "--method", "rsi_grad_cam(units=relu)"),
    ):
        run("explain", path, *TINY, "--steps", "2", "--target", "dog", *options)
    assert [path.name for path in made(photos.folder, "json")] == [
        "cup.dog.rsi_grad_cam.0_1.json",
        "cup.dog.rsi_grad_cam.0_3.json",
        "cup.dog.rsi_grad_cam_units_relu.0_3.json",
    ]


def test_photos_of_one_stem_go_by_their_whole_names(photos, run):
    photos.add("IMG_1.png")
    photos.add("IMG_1.jpg")
    run("explain", ".", *TINY, "--steps", "2", "--target", "dog")
    assert [path.name.split(".dog")[0] for path in made(photos.folder, "json")] == ["IMG_1.jpg", "IMG_1.png"]


def test_names_that_would_be_too_long_are_cut(photos, run):
    photos.add(f"{'x' * 240}.png")
    result = run("explain", ".", "--model", "own_networks:long", "--steps", "2", "--target", "top-2", "--json")
    assert result.exit_code == 0, result.output
    assert len({said["files"]["overlay"] for said in lines(result)}) == 2
    assert len(made(photos.folder, "overlay.png")) == 2
    assert run("compare", f"{'x' * 240}.png", "--model", "own_networks:long", "--steps", "2").exit_code == 0


def test_a_neuron_is_told_in_words(photos, run):
    path = photos.add("cup.png")
    options = ("--layer", "0.3", "--steps", "2", "--target", "dog")
    method = ("--method", "neuron_integrated_gradients(unit=(3,2,2))")
    result = run("explain", path, *TINY, *options, *method)
    assert result.stdout.startswith("cup.png: unit (3, 2, 2) of 0.3 score 0.")
    (said,) = lines(run("explain", path, *TINY, *options, *method, "--json"))
    assert said["score_of"] == "Unit(layer='0.3', unit=(3, 2, 2))"
    method = ("--method", "neuron_conductance(unit=(3,2,2))")
    assert "% through unit (3, 2, 2) of 0.3, neuron_cond" in run("explain", path, *TINY, *options, *method).stdout
    (said,) = lines(run("explain", path, *TINY, *options, *method, "--json"))
    assert said["score_of"] == "ThroughUnit(of=Probability(classes=2), layer='0.3', unit=(3, 2, 2))"


def test_an_error_is_told_for_paths_only(photos, run):
    path, options = photos.add("cup.png"), ("--layer", "0.3", "--method", "score_cam")
    (said,) = lines(run("explain", path, *TINY, *options, "--json"))
    assert (said["error"], said["converged"]) == (None, None)
    line = run("explain", path, *TINY, *options).stdout
    assert "error" not in line
    assert f"{said['passes']} passes" in line


def test_a_path_with_a_start_of_its_own_has_no_baseline_in_its_record(photos, run):
    (said,) = lines(run("explain", photos.add("cup.png"), *TINY, "--path", "unblur", "--steps", "2", "--json"))
    assert said["made_by"]["baseline"] is None


def test_a_baseline_may_have_parameters(photos, run):
    (said,) = lines(
        run("explain", photos.add("cup.png"), *TINY, "--baseline", "blur(sigma=5)", "--steps", "2", "--json")
    )
    assert said["made_by"]["baseline"] == "Blur(sigma=5)"


def test_a_titled_picture_comes_where_it_is_asked_for(photos, run):
    (said,) = lines(run("explain", photos.add("cup.png"), *TINY, "--steps", "2", "--titled", "--json"))
    (path,) = made(photos.folder, "titled.png")
    assert said["files"]["titled"] == str(path.relative_to(photos.folder))
    assert picture_in(path).size[0] > 400
    assert "--titled --out" in said["made_by"]["again"]


def test_a_box_is_drawn_on_the_overlay(photos, run):
    path = photos.add("cup.png", (300, 200))
    (plain,) = lines(run("explain", path, "--steps", "2", "--json"))
    before = picture_in(plain["files"]["overlay"])
    (boxed,) = lines(run("explain", path, "--steps", "2", "--json", "--box", "40,30,200,150", "--out", "boxed"))
    after = picture_in(boxed["files"]["overlay"])
    different = np.argwhere((np.asarray(before) != np.asarray(after)).any(2))
    assert np.abs(different.min(0) - [30, 40]).max() <= 2
    assert np.abs(different.max(0) - [150, 200]).max() <= 2


def test_the_record_says_which_part_of_the_photo_was_seen(photos, run):
    path = photos.add("cup.png", (300, 200))
    (said,) = lines(run("explain", path, "--steps", "2", "--json"))
    assert said["seen"] == pytest.approx([62.5, 12.5, 237.5, 187.5], abs=1)
    (said,) = lines(run("explain", path, "--steps", "2", "--json", "--resize", "squash"))
    assert said["seen"] == [0, 0, 300, 200]


@pytest.mark.filterwarnings("default")
def test_a_bare_network_is_told_what_it_gets(photos, run):
    result = run("explain", photos.add("cup.png"), "--model", "own_networks:bare", "--steps", "2")
    assert result.stderr.count("\n") == 1
    assert "own_networks:bare gives a network alone: it gets ImageNet's usual preprocessing" in result.stderr
