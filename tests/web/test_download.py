from __future__ import annotations

import base64
import io

import numpy as np
import pytest
from PIL import Image

from rsi_gradcam.errors import ConfigurationError
from rsi_gradcam.figures import overlay
from rsi_gradcam.heatmap import upsample
from rsi_gradcam.images import Box
from rsi_gradcam.web.download import Look, take
from tests.web.fakes import LAYER, run


@pytest.fixture(scope="module")
def made():
    done = run()
    done.work()
    return done


def data(told):
    return base64.b64decode(told["data"])


def test_the_picture_is_the_librarys_with_what_is_set_on_the_page(made):
    look = Look("viridis", 0.4, 0.6, "overlay", Box(3, 4, 20, 22))
    told = take(made, "png", f"rsi_grad_cam|{LAYER}|1", look)
    assert told["name"] == f"photo.rsi_grad_cam.{LAYER}.png"
    e = made.cells["rsi_grad_cam", LAYER, 1].explanation
    wanted = overlay(
        made.photo.image(), e.normalised[0], preprocess=made.loaded.network.preprocess, colours="viridis", alpha=0.4,
        threshold=0.6, boxes=[(3, 4, 20, 22)],
    )  # fmt: skip
    np.testing.assert_array_equal(Image.open(io.BytesIO(data(told))), wanted)


def test_the_values_are_the_explanations(made):
    with np.load(io.BytesIO(data(take(made, "npz", "", Look())))) as file:
        for key, cell in made.cells.items():
            name, e = ".".join(map(str, key)), cell.explanation
            np.testing.assert_array_equal(file[f"{name}/raw"], e.raw[0])
            np.testing.assert_array_equal(file[f"{name}/heatmap"], upsample(e.normalised, e.size)[0])
            assert float(file[f"{name}/score"]) == pytest.approx(e.score.item())
            assert float(file[f"{name}/residual"]) == pytest.approx(e.residual.item(), nan_ok=True)
        course = made.cells["rsi_grad_cam", LAYER, 1].explanation.course[0]
        np.testing.assert_allclose(file[f"rsi_grad_cam.{LAYER}.1/alphas"], course.alphas)


def test_the_drawing_has_the_maps_title(made):
    pytest.importorskip("matplotlib")
    told = take(made, "svg", f"rsi_grad_cam|{LAYER}|1", Look())
    assert told["mime"] == "image/svg+xml"
    assert b"</svg>" in data(told)


@pytest.mark.parametrize("kind", ["exe", "", "../png", "PNG"])
def test_other_kinds_are_refused(made, kind):
    with pytest.raises(ConfigurationError, match="can"):
        take(made, kind, "", Look())


def test_before_a_map_is_finished_there_is_nothing_to_take():
    with pytest.raises(ConfigurationError, match="wait"):
        take(run(), "png", "", Look())


def test_the_look_is_what_a_page_may_say():
    said = {"colours": "jet", "opacity": 0.25, "threshold": 0.9, "contour": True, "view": "heatmap"}
    assert Look.of(said, [1, 2, 3, 4]) == Look("jet", 0.25, 0.9, "heatmap", Box(1, 2, 3, 4))
    odd = {"colours": "../x", "opacity": 7, "threshold": "a", "contour": True, "view": "<b>"}
    assert Look.of(odd, ["a"]) == Look(threshold=0.5)
    for box in ([4, 4, 1, 1], [1, 2, 3], [0, 0, float("nan"), 1], "abcd", None, [0, 0, float("inf"), 1]):
        assert Look.of({}, box).box is None


@pytest.mark.parametrize("name", ["../../x.png", "a/b.png", 'a"b.png', "Ж.png", ".png", ""])
def test_the_name_that_is_suggested_has_no_folders(made, name):
    other = run()
    other.cells.update(made.cells)
    object.__setattr__(other.photo, "name", name)
    suggested = take(other, "npz", "", Look())["name"]
    assert suggested.endswith(".npz")
    assert not set(suggested) & set('/\\"<>:')
