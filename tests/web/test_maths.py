"""The browser's formulas are the library's: each is run in Chromium on the same numbers."""

from __future__ import annotations

import base64
from pathlib import Path

import numpy as np
import pytest
import torch

from rsi_gradcam.figures import overlay
from rsi_gradcam.figures.colours import table
from rsi_gradcam.heatmap import normalise, upsample
from rsi_gradcam.images import Box, Preprocess, place
from rsi_gradcam.metrics.energy import energy
from rsi_gradcam.metrics.overlap import overlap
from rsi_gradcam.web.telling import array
from rsi_gradcam.web.viewer import STATIC
from tests.web.fakes import picture

SIZE = (53, 41)  # width, height


@pytest.fixture(scope="module")
def js(chromium):
    """Runs an expression with the library's scripts at hand."""
    page = chromium.new_page()
    page.set_content("<html></html>")
    page.add_script_tag(content=Path(STATIC, "maths.js").read_text())
    yield lambda expression, argument=None: page.evaluate(expression, argument)
    page.close()


def blob(shape, seed=0):
    return torch.rand(shape, generator=torch.Generator().manual_seed(seed)) * 3 - 1


def test_floats_come_over_to_the_bit(js):
    values = blob((7, 5))
    assert js("(b) => Array.from(rsi.floats(b))", array(values)) == values.flatten().tolist()


@pytest.mark.parametrize("evidence", ["positive", "signed", "absolute"])
@pytest.mark.parametrize("epsilon", [0.0, 0.01])
def test_normalising(js, evidence, epsilon):
    raw = blob((7, 7))
    shown = {"positive": raw.relu(), "signed": raw, "absolute": raw.abs()}[evidence]
    found = js(
        "([b, evidence, e]) => {const s = rsi.shown({raw: rsi.floats(b), evidence});"
        "return Array.from(rsi.normalised(s, rsi.range(s), e))}",
        [array(raw), evidence, epsilon],
    )
    np.testing.assert_allclose(found, normalise(shown[None], epsilon)[0].flatten(), atol=1e-6)


def test_a_map_without_range_is_dark(js):
    assert js("rsi.normalised(new Float32Array([2, 2]), [2, 2], 0)") == [0, 0]


@pytest.mark.parametrize("window", [(0, 0, 53, 41), (6.3, -2.5, 47.1, 43.5), (10, 5, 30, 25)])
def test_placing_a_map_over_the_photo(js, window):
    values = blob((7, 7)).clamp(0, 1)
    found = js(
        "([b, window, size]) => "
        "Array.from(rsi.place(rsi.floats(b), [7, 7], window, size), (v) => v === v ? v : null)",
        [array(values), list(window), list(SIZE)],
    )
    inside = Box(*window).within(Box.whole(SIZE))
    if inside == Box(*window):
        wanted = place(values, Box(*window), SIZE)
    else:  # the library keeps to photos that hold the window
        pad = 5
        large = place(values, Box(*(edge + pad for edge in window)), (SIZE[0] + 2 * pad, SIZE[1] + 2 * pad))
        wanted = large[pad:-pad, pad:-pad]
    wanted = [None if np.isnan(v) else v for v in wanted.flatten().tolist()]
    assert [v is None for v in found] == [v is None for v in wanted]
    pairs = [(a, b) for a, b in zip(found, wanted, strict=True) if a is not None]
    np.testing.assert_allclose(*zip(*pairs, strict=True), atol=1e-6)


@pytest.mark.parametrize("window", [(5, 5, 9, 9), (-9, -9, -5, -5), (0, 3, 1, 9), (-4, 0, -1, 1)])
def test_a_pixel_outside_the_window_has_no_value(js, window):
    heat = "new Float32Array(49).fill(1)"
    assert js(f"(window) => Number.isNaN(rsi.place({heat}, [7, 7], window, [1, 1])[0])", list(window))
    assert js(f"() => rsi.place({heat}, [7, 7], [-3, -3, 4, 4], [1, 1])[0]") == 1


def test_bringing_a_map_to_the_inputs_size(js):
    values = blob((14, 14))
    found = js("([b]) => Array.from(rsi.upsample(rsi.floats(b), [14, 14], [56, 48]))", [array(values)])
    np.testing.assert_allclose(found, upsample(values[None], (48, 56))[0].flatten(), atol=5e-6)


@pytest.mark.parametrize("box", [(3.2, 4.9, 20.5, 17.0), (0, 0, 48, 40), (30, 30, 31, 31), (9.5, 9.5, 9.6, 9.6)])
def test_energy_and_overlap_are_those_of_the_metrics(js, box):
    heat = upsample(normalise(blob((7, 7))[None].relu()), (40, 48))[0]
    grid = [0.05, 0.3, 0.5, 0.85]
    found = js("([b, box, grid]) => rsi.measure(rsi.floats(b), [48, 40], box, grid)", [array(heat), list(box), grid])
    x, y = torch.arange(48) + 0.5, torch.arange(40) + 0.5
    inside = ((y >= box[1]) & (y < box[3]))[:, None] & ((x >= box[0]) & (x < box[2]))[None]
    assert found["energy"] == pytest.approx(energy(heat, inside), abs=1e-6)
    assert found["share"] == pytest.approx(float(inside.double().mean()))
    if not inside.any():
        assert [curve["iob"] for curve in found["curves"]] == [0] * 4
        return
    iou, iob, ior = overlap(heat, inside, tuple(grid))
    for name, wanted in (("iou", iou), ("iob", iob), ("ior", ior)):
        assert [curve[name] for curve in found["curves"]] == pytest.approx(wanted.tolist(), abs=1e-9)


def test_a_box_of_the_photo_in_the_inputs_pixels(js):
    preprocess, size, box = Preprocess((32, 32), crop_pct=0.875), (300, 200), (20.0, 10.0, 190.0, 90.0)
    found = js("([box, window]) => rsi.toInput(box, window, [32, 32])", [list(box), list(preprocess.window(size))])
    assert found == pytest.approx(list(preprocess.box_to_input(box, size)))


@pytest.mark.parametrize(("alpha", "colours"), [(0.7, "inferno"), (1.0, "jet"), (0.0, "viridis"), (0.35, "cividis")])
def test_the_picture_is_the_librarys_overlay(js, alpha, colours):
    photo, heat = picture(3, SIZE), normalise(blob((7, 7))[None].relu())[0]
    preprocess = Preprocess((16, 16), crop_pct=0.8)
    found = js(
        "([pixels, table, heat, window, size, opacity]) => {"
        "const out = new Uint8ClampedArray(size[0] * size[1] * 4);"
        "const placed = rsi.place(rsi.floats(heat), [7, 7], window, size);"
        "rsi.paint(out, rsi.bytes(pixels), placed, {table: rsi.bytes(table), opacity, view: 'overlay'});"
        "return Array.from(out)}",
        [
            base64.b64encode(np.asarray(photo.convert("RGBA")).tobytes()).decode(),
            base64.b64encode(table(colours).tobytes()).decode(),
            array(heat),
            list(preprocess.window(SIZE)),
            list(SIZE),
            alpha,
        ],
    )
    pixels = np.array(found).reshape(SIZE[1], SIZE[0], 4)[..., :3]
    wanted = np.asarray(overlay(photo, heat, preprocess=preprocess, colours=colours, alpha=alpha))
    assert np.abs(pixels - wanted.astype(int)).max() <= 2  # both round, at other places


def test_the_contour_lies_where_the_map_crosses_the_level(js):
    heat = normalise(blob((7, 7))[None].relu())[0]
    placed = place(heat, Box.whole(SIZE), SIZE)
    lines = js("([b, size]) => rsi.contour(rsi.floats(b), size, 0.5, 1)", [array(placed), list(SIZE)])
    assert lines
    for x, y in (point for line in lines for point in line):
        near = placed[int(y) : int(y) + 2, int(x) : int(x) + 2]
        assert float(near.min()) <= 0.5 <= float(near.max())
