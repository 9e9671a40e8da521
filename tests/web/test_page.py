"""A person at the page, from the drop of a photo to what they take home."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
import torch
from PIL import Image

from rsi_gradcam import Black, explain_all
from rsi_gradcam.diagnosis import diagnose
from rsi_gradcam.figures import overlay
from rsi_gradcam.images import Box, read_photo
from rsi_gradcam.metrics.energy import energy
from rsi_gradcam.metrics.overlap import overlap
from rsi_gradcam.zoo import load
from tests.web.watcher import ALL, choose, drop, maps, paste, picture, remove, wait, watched


@pytest.fixture(scope="module")
def network():
    return load()


@pytest.fixture(scope="module")
def asked(network):
    """The same question to the library."""

    def ask(path, methods, layers, classes, **how):
        x = network.preprocess(read_photo(path))[None]
        black = Black(network.preprocess.mean, network.preprocess.std)
        return explain_all(network.network, x, layers, methods, targets=classes, baseline=black, **how)

    return ask


@pytest.fixture(scope="module")
def coffee(chromium, address, sample):
    """One visit that most tests look at: the cup of coffee was dropped on the page."""
    with watched(chromium, address) as page:
        drop(page, sample / "coffee.png")
        wait(page)
        yield page


def test_the_predictions_are_the_networks(coffee, network, sample):
    p = network.network(network.preprocess(read_photo(sample / "coffee.png"))[None]).softmax(1)[0]
    rows = coffee.locator(".rsi-prediction")
    best = p.topk(10)
    for row, value, index in zip(rows.all(), best.values.tolist(), best.indices.tolist(), strict=True):
        name, share = row.inner_text().split("\n")
        assert name == network.categories[index].split(",")[0]
        assert float(share.rstrip("%")) / 100 == pytest.approx(value, rel=0.3, abs=0.006)
    assert rows.first.get_attribute("aria-pressed") == "true"


def test_the_maps_and_their_numbers_are_the_librarys(coffee, network, asked, sample):
    espresso = network.index_of("espresso")
    wanted = asked(sample / "coffee.png", ["grad_cam", "rsi_grad_cam"], ["bn2"], [espresso])
    found = maps(coffee)
    assert set(found) == {f"{m}|bn2|{espresso}" for m in ("grad_cam", "rsi_grad_cam")}
    for key, e in wanted.items():
        cell = found["|".join(map(str, key))]
        np.testing.assert_allclose(cell["raw"], e.raw[0].flatten(), rtol=1e-3, atol=float(e.raw.max()) * 1e-3)
        assert cell["score"] == pytest.approx(e.score.item(), rel=1e-3)
        assert cell["passes"] == e.passes.item()
        assert [each["cause"] for each in cell["diagnosis"]] == [each.cause for each in diagnose(e)]
    rsi, e = found[f"rsi_grad_cam|bn2|{espresso}"], wanted["rsi_grad_cam", "bn2", espresso]
    assert rsi["residual"] == pytest.approx(e.residual.item(), rel=0.05, abs=1e-5)
    assert rsi["error"] == pytest.approx(e.error.item(), rel=0.05)
    assert rsi["course"]["alphas"] == pytest.approx(e.course[0].alphas)
    assert rsi["course"]["scores"] == pytest.approx(e.course[0].scores, rel=1e-2, abs=1e-4)
    sure = coffee.locator(".rsi-sure").inner_text()
    assert "residual of completeness" in sure
    assert "Nothing is wrong with this map" in sure
    assert coffee.locator(".rsi-sure circle").count() == len(e.course[0].alphas)


PHOTO_ALONE = """(() => {
    const {pixels} = rsi.viewer.stage, canvas = document.createElement("canvas");
    canvas.width = pixels.width;
    canvas.height = pixels.height;
    canvas.getContext("2d").putImageData(pixels, 0, 0);
    return canvas;
})()"""


def test_the_large_picture_is_the_librarys_overlay(coffee, network, sample):
    """Pixel by pixel, over the same photo in the same size."""
    set_range(coffee, "opacity", 0.8)
    coffee.get_by_label("draw the threshold's contour").uncheck()
    shown = picture(coffee, "rsi.viewer.stage.canvas")
    under = Image.fromarray(picture(coffee, PHOTO_ALONE))
    raw = next(cell for key, cell in maps(coffee).items() if key.startswith("rsi_grad_cam"))
    heat = torch.tensor(raw["raw"]).reshape(raw["shape"])
    heat = (heat - heat.min()) / (heat.max() - heat.min())
    wanted = np.asarray(overlay(under, heat, preprocess=network.preprocess, alpha=0.8))
    away = np.abs(shown.astype(int) - wanted.astype(int)).max(2)
    assert np.mean(away <= 2) > 0.995  # the window's rim may fall on another pixel
    coffee.get_by_label("draw the threshold's contour").check()


def test_opacity_threshold_colours_and_normalisation_ask_the_server_nothing(coffee):
    requests = []
    coffee.on("request", lambda request: requests.append(request.url))
    before = coffee.evaluate("rsi.viewer.stage.canvas.toDataURL()")
    set_range(coffee, "opacity", 0.3)
    set_range(coffee, "threshold", 0.7)
    coffee.get_by_label("Colours").select_option("viridis")
    coffee.get_by_label("Normalise").select_option("joint")
    coffee.get_by_role("radio", name="Map alone").check()
    assert coffee.evaluate("rsi.viewer.stage.canvas.toDataURL()") != before
    coffee.get_by_role("radio", name="Over the photo").check()
    coffee.get_by_label("Colours").select_option("inferno")
    coffee.get_by_label("Normalise").select_option("own")
    assert requests == []


@pytest.mark.parametrize("name", ["opacity", "threshold"])
def test_a_change_of_a_slider_is_seen_within_a_frame_or_two(coffee, name):
    seconds = coffee.evaluate(
        """(name) => new Promise((done) => {
            const slider = document.querySelector("#rsi-" + name), begin = performance.now();
            slider.value = 0.42;
            slider.dispatchEvent(new Event("input"));
            requestAnimationFrame(() => requestAnimationFrame(() => done((performance.now() - begin) / 1000)));
        })""",
        name,
    )
    assert coffee.evaluate(f"rsi.viewer.look.{name}") == 0.42
    assert seconds < 1  # a tenth, where nothing else runs: benchmarks/page.py


def test_the_pointer_tells_the_value_under_it(coffee, network, sample):
    canvas = coffee.locator(".rsi-stage")
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    raw = next(cell for key, cell in maps(coffee).items() if key.startswith("rsi_grad_cam"))
    heat = torch.tensor(raw["raw"]).reshape(raw["shape"])
    placed = network.preprocess.place((heat - heat.min()) / (heat.max() - heat.min()), (600, 400))
    for across, down in ((0.5, 0.5), (0.35, 0.4), (0.6, 0.8)):
        coffee.mouse.move(box["x"] + across * box["width"], box["y"] + down * box["height"])
        said = coffee.locator(".rsi-value").inner_text()
        x, y = (int(each) for each in said.rsplit("at ", 1)[1].split(", "))
        assert (x, y) == (pytest.approx(600 * across, abs=2), pytest.approx(400 * down, abs=2))
        assert float(said.split(" ·")[0]) == pytest.approx(placed[y, x].item(), abs=2e-3)
    coffee.mouse.move(box["x"] + 3, box["y"] + 3)
    assert "did not see" in coffee.locator(".rsi-value").inner_text()


@pytest.mark.parametrize("how", ["drag", "two clicks"])
def test_a_box_is_drawn_and_its_numbers_are_the_librarys(coffee, network, how):
    coffee.get_by_label("Threshold", exact=True).evaluate(
        "(s) => {s.value = 0.4; s.dispatchEvent(new Event('input'))}"
    )
    canvas = coffee.locator(".rsi-stage")
    canvas.scroll_into_view_if_needed()
    at = canvas.bounding_box()
    corners = [(at["x"] + a * at["width"], at["y"] + b * at["height"]) for a, b in ((0.3, 0.25), (0.62, 0.7))]
    coffee.mouse.move(*corners[0])
    coffee.mouse.down()
    if how == "two clicks":
        coffee.mouse.up()
        coffee.mouse.move(*corners[1], steps=3)
        coffee.mouse.down()
    coffee.mouse.move(*corners[1], steps=3)
    coffee.mouse.up()
    box = coffee.evaluate("rsi.viewer.stage.box")
    assert box == pytest.approx([180, 100, 372, 280], abs=2)
    check_scores(coffee, network, box)
    coffee.get_by_role("button", name="Remove the box").click()
    assert "Draw a box" in coffee.locator(".rsi-box").inner_text()


def test_a_box_is_drawn_by_the_keyboard_alone(coffee, network):
    coffee.locator(".rsi-stage").focus()
    for key in ["ArrowLeft"] * 3 + ["ArrowUp"] * 2 + ["Enter"] + ["Shift+ArrowRight", "Shift+ArrowDown", "Enter"]:
        coffee.keyboard.press(key)
    box = coffee.evaluate("rsi.viewer.stage.box")
    assert box == pytest.approx([264, 176, 324, 236], abs=1)
    check_scores(coffee, network, box)
    coffee.keyboard.press("Escape")
    assert coffee.evaluate("rsi.viewer.stage.box") is None


def check_scores(page, network, box):
    raw = next(cell for key, cell in maps(page).items() if key.startswith("rsi_grad_cam"))
    heat = torch.tensor(raw["raw"]).reshape(1, 1, *raw["shape"])
    heat = torch.nn.functional.interpolate(
        (heat - heat.min()) / (heat.max() - heat.min()), (224, 224), mode="bilinear"
    )
    edges = network.preprocess.box_to_input(Box(*box), (600, 400))
    centres = torch.arange(224) + 0.5
    inside = ((centres >= edges.top) & (centres < edges.bottom))[:, None] & (
        (centres >= edges.left) & (centres < edges.right)
    )[None]
    threshold = page.evaluate("rsi.viewer.look.threshold")
    iou, iob, ior = overlap(heat[0, 0], inside, (threshold,))
    wanted = {"energy": energy(heat[0, 0], inside), "IoU": iou.item(), "IoB": iob.item(), "IoR": ior.item()}
    shown = {name: float(page.locator(f"[data-score={name}]").inner_text()) for name in wanted}
    assert shown == pytest.approx(wanted, abs=6e-4)
    assert page.locator(".rsi-box polyline").count() == 3


def test_the_photo_seen_through_the_map_has_its_new_probability(coffee, network, asked, sample):
    espresso = network.index_of("espresso")
    e = asked(sample / "coffee.png", ["rsi_grad_cam"], ["bn2"], [espresso])["rsi_grad_cam", "bn2", espresso]
    pixels = network.preprocess.pixels(read_photo(sample / "coffee.png"))
    with torch.no_grad():
        p = network.network(network.preprocess.normalise(e.heatmap[0] * pixels)[None]).softmax(1)[0, espresso].item()
    found = float(coffee.locator("[data-explained]").get_attribute("data-explained"))
    assert found == pytest.approx(p, rel=0.02)
    assert (
        "drop" in coffee.locator(".rsi-through").inner_text()
        or "increase" in coffee.locator(".rsi-through").inner_text()
    )


def test_the_map_forms_along_the_path(coffee):
    slider = coffee.locator(".rsi-forming input")
    pictures = set()
    for step in range(int(slider.get_attribute("max")) + 1):
        slider.evaluate(f"(s) => {{s.value = {step}; s.dispatchEvent(new Event('input'))}}")
        pictures.add(coffee.evaluate("rsi.viewer.forming.canvas.toDataURL()"))
    assert len(pictures) > 5
    assert float(coffee.locator(".rsi-forming output").inner_text()) == 1


@pytest.fixture
def taken(coffee, tmp_path):
    def take(kind):
        with coffee.expect_download() as download:
            coffee.locator(f"[data-kind={kind}]").click()
        path = tmp_path / download.value.suggested_filename
        download.value.save_as(path)
        return path

    return take


def test_the_picture_that_is_taken_home_is_the_librarys(coffee, taken, network, asked, sample):
    coffee.get_by_label("Colours").select_option("cividis")
    path = taken("png")
    coffee.get_by_label("Colours").select_option("inferno")
    found = Image.open(path)
    espresso = network.index_of("espresso")
    e = asked(sample / "coffee.png", ["grad_cam", "rsi_grad_cam"], ["bn2"], [espresso])[
        "rsi_grad_cam", "bn2", espresso
    ]
    look = coffee.evaluate("rsi.viewer.look")
    wanted = overlay(
        read_photo(sample / "coffee.png"), e.normalised[0], preprocess=network.preprocess, colours="cividis",
        alpha=look["opacity"], threshold=look["threshold"],
    )  # fmt: skip
    assert np.abs(np.asarray(found).astype(int) - np.asarray(wanted).astype(int)).mean() < 0.5
    assert path.name == "coffee.rsi_grad_cam.bn2.png"


def test_a_picture_with_its_words_can_be_taken_home(taken):
    pytest.importorskip("matplotlib")
    text = taken("svg").read_text()
    assert text.startswith("<?xml")
    assert "</svg>" in text


def test_the_script_makes_again_what_is_on_the_screen(taken, sample, tmp_path):
    script = taken("script")
    values = arrays(taken("npz"))
    subprocess.run(
        [sys.executable, script, sample / "coffee.png", tmp_path], check=True, capture_output=True, cwd=tmp_path
    )
    again = arrays(tmp_path / "maps.npz")
    assert set(again) <= set(values)
    assert len(again) == 4
    for name in again:
        np.testing.assert_allclose(again[name], values[name], rtol=1e-3, atol=1e-3 * np.abs(values[name]).max())
    assert {path.name for path in tmp_path.glob("*.png")} == {
        f"{m}.bn2.967.png" for m in ("grad_cam", "rsi_grad_cam")
    }


def arrays(path):
    with np.load(path) as file:
        return dict(file)


def set_range(page, name, value):
    page.locator(f"#rsi-{name}").evaluate(f"(s) => {{s.value = {value}; s.dispatchEvent(new Event('input'))}}")
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def test_one_visit_through_everything_else(chromium, address, sample, network, asked):
    """A sample, another class, two classes, more methods and layers, a pasted photo, a class by its name."""
    with watched(chromium, address) as page:
        page.get_by_role("button", name="Sample photo: chelsea").click()
        wait(page, "rsi.viewer.state.photo?.name.startsWith('chelsea')")
        wait(page)
        tiger, egyptian = network.index_of("tiger cat"), network.index_of("Egyptian cat")
        assert page.evaluate("rsi.viewer.state.classes") == [tiger]

        page.get_by_role("button", name="Egyptian cat").click()
        wait(page, f"{ALL} && rsi.viewer.cells.has('rsi_grad_cam|bn2|{egyptian}')")
        assert "Egyptian cat" in page.locator(".rsi-title").inner_text()

        page.get_by_role("button", name="Compare two classes").click()
        page.get_by_role("button", name="tabby").click()
        wait(page, f"{ALL} && rsi.viewer.cells.size === 4")
        assert page.locator(".rsi-grid tbody tr").count() == 2

        page.get_by_role("button", name="Explain one class").click()
        wait(page, f"{ALL} && rsi.viewer.cells.size === 2")
        choose(page, "rsi-methods", "LayerCAM")
        wait(page, f"{ALL} && rsi.viewer.cells.size === 3")
        choose(page, "rsi-layers", "stage6")
        wait(page, f"{ALL} && rsi.viewer.cells.size === 6")
        found = maps(page)
        wanted = asked(
            sample / "chelsea.png", ["grad_cam", "rsi_grad_cam", "layer_cam"], ["bn2", "blocks.5"], [egyptian]
        )
        for key, e in wanted.items():
            cell = found["|".join(map(str, key))]
            np.testing.assert_allclose(cell["raw"], e.raw[0].flatten(), rtol=1e-3, atol=float(e.raw.max()) * 2e-3)
        page.locator(f"[data-key='layer_cam|blocks.5|{egyptian}']").click()
        assert page.locator(".rsi-title").inner_text().startswith("LayerCAM at stage6")

        paste(page, sample / "coffee.png")
        wait(page, "rsi.viewer.state.photo?.name.startsWith('coffee')")
        wait(page)
        page.get_by_placeholder("another class, by name").fill("soup bowl")
        page.get_by_role("button", name="Explain", exact=True).click()
        wait(page, f"{ALL} && rsi.viewer.cells.has('rsi_grad_cam|bn2|{network.index_of('soup bowl')}')")
        page.get_by_placeholder("another class, by name").fill("no such thing")
        page.get_by_role("button", name="Explain", exact=True).click()
        page.locator(".rsi-notice").filter(has_text="no such thing").wait_for()


def test_stop_ends_the_work_and_the_page_goes_on(chromium, address, sample):
    with watched(chromium, address) as page:
        drop(page, sample / "coffee.png")
        wait(page)
        choose(page, "rsi-methods", "Score-CAM")
        wait(page, "rsi.viewer.state.run?.state === 'running' && rsi.viewer.state.run.passes > 20")
        page.get_by_role("button", name="Stop").click()
        wait(page, "rsi.viewer.state.run?.state === 'stopped'")
        passes = page.evaluate("rsi.viewer.state.run.passes")
        assert passes < 1280
        page.wait_for_timeout(700)
        assert page.evaluate("rsi.viewer.state.run.passes") == passes
        remove(page, "rsi-methods", "Score-CAM")
        wait(page)


def test_the_camera_takes_a_photo(chromium, address):
    with watched(chromium, address, permissions=["camera"]) as page:
        page.get_by_role("button", name="Capture from camera").click()
        page.locator("#rsi-photo").get_by_role("button", name="Click to Access Webcam").click()
        page.locator("#rsi-photo video").wait_for()
        page.wait_for_function("document.querySelector('#rsi-photo video').readyState >= 2")
        page.get_by_role("button", name="capture photo").click()
        wait(page)
        assert page.locator(".rsi-prediction").count() == 10


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_telephone_everything_is_within_reach(chromium, address, sample, scheme):
    phone = {"viewport": {"width": 390, "height": 844}, "color_scheme": scheme, "has_touch": True}
    with watched(chromium, address, **phone) as page:
        drop(page, sample / "coffee.png")
        wait(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        wide = page.evaluate(
            "[...document.querySelectorAll('.rsi-explorer :is(button, input, select, canvas, summary)')]"
            ".filter((e) => e.offsetParent && !e.closest('.rsi-grid-scroll'))"
            ".filter((e) => e.getBoundingClientRect().right > 391).map((e) => e.outerHTML.slice(0, 80))"
        )
        assert wide == []
        assert page.evaluate(CONTRAST) == []


# Words whose contrast to what lies behind them is below 4.5, as WCAG AA has it.
CONTRAST = """() => {
    const parse = (c) => (c.match(/[\\d.]+/g) || []).map(Number);
    const light = ([r, g, b]) => [r, g, b].map((v) => v / 255)
        .map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
        .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
    const behind = (e) => {
        for (; e; e = e.parentElement) {
            const c = parse(getComputedStyle(e).backgroundColor);
            if (c.length && (c[3] === undefined || c[3] > 0.5)) return c;
        }
        return [255, 255, 255];
    };
    return [...document.querySelectorAll(".rsi-explorer *, #rsi-predictions *, #rsi-head *")]
        .filter((e) => e.offsetParent && !e.disabled)
        .filter((e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim()))
        .map((e) => {
            const [a, b] = [light(parse(getComputedStyle(e).color)), light(behind(e))];
            return [(Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), e.className, e.textContent.slice(0, 30)];
        })
        .filter(([ratio]) => ratio < 4.5);
}"""


def test_everything_can_be_reached_and_has_a_name(coffee):
    nameless = coffee.evaluate(
        "[...document.querySelectorAll(['.rsi-explorer', '#rsi-predictions', '#rsi-samples']"
        ".map((at) => at + ' :is(button, input, select, canvas)').join())].filter((e) => e.offsetParent)"
        ".filter((e) => !e.getAttribute('aria-label') && !e.textContent.trim() && !e.labels?.length)"
        ".filter((e) => e.matches('button') || !e.closest('button'))"
        ".map((e) => e.outerHTML.slice(0, 100))"
    )
    assert nameless == []
    coffee.locator("[data-key^=grad_cam]").focus()
    coffee.keyboard.press("Enter")
    assert coffee.locator("[data-key^=grad_cam]").get_attribute("aria-pressed") == "true"
    assert coffee.locator(".rsi-title").inner_text().startswith("Grad-CAM")
    coffee.locator("[data-key^=rsi_grad_cam]").click()
