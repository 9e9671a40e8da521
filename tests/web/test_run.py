from __future__ import annotations

import time

import pytest
import torch

from rsi_gradcam import explain_all
from rsi_gradcam.heatmap import upsample
from rsi_gradcam.web.progress import Progress
from rsi_gradcam.web.run import small
from rsi_gradcam.web.telling import cell_of
from tests.web.fakes import LAYER, run


def test_the_maps_are_the_librarys():
    made = run(("grad_cam", "rsi_grad_cam", "integrated_gradients"), classes=(1, 2))
    made.work()
    assert made.state == "done", made.fault
    network = made.loaded.network
    wanted = explain_all(
        network.network, made.x, [LAYER], ["grad_cam", "rsi_grad_cam", "integrated_gradients"], targets=[1, 2],
        baseline=made.choice.start(network.preprocess), steps=10,
    )  # fmt: skip
    assert set(made.cells) == set(wanted)
    for key, e in wanted.items():
        torch.testing.assert_close(made.cells[key].explanation.raw, e.raw, rtol=0, atol=0)


def test_the_photo_is_seen_through_each_map():
    made = run()
    made.work()
    network = made.loaded.network
    pixels = network.preprocess.pixels(made.photo.image())
    for cell in made.cells.values():
        L = upsample(cell.explanation.normalised, cell.explanation.size)[0]
        E = torch.stack([L * colour for colour in pixels])
        p = network.network(network.preprocess.normalise(E)[None]).softmax(1)[0, 1]
        assert cell.probability == pytest.approx(p.item(), rel=1e-4)


def test_the_class_is_the_one_that_was_asked_for_also_where_a_method_explains_a_unit():
    made = run(("neuron_integrated_gradients", "grad_cam"), classes=(3,))
    made.work()
    assert made.state == "done", made.fault
    with torch.no_grad():
        p = made.loaded.network.network(made.x).softmax(1)[0, 3].item()
    assert [cell.before for cell in made.cells.values()] == [pytest.approx(p, rel=1e-4)] * 2


def test_a_method_that_cannot_do_it_says_so_and_spoils_no_other():
    """CAM needs a linear layer right after the mean of the layer, which this network has not."""
    made = run(("cam", "grad_cam", "rsi_grad_cam"), layers=("features.2", LAYER), classes=(1, 2))
    made.work()
    assert made.state == "done", made.fault
    refused = {key for key, cell in made.cells.items() if cell.refusal}
    assert refused == {("cam", layer, index) for layer in ("features.2", LAYER) for index in (1, 2)}
    assert all("cam needs" in made.cells[key].refusal for key in refused)
    assert all(made.cells[key].explanation is not None for key in set(made.cells) - refused)
    assert len(made.cells) == 12
    told = cell_of(("cam", "features.2", 1), made.cells["cam", "features.2", 1], made.loaded)
    assert told["done"]
    assert told["refusal"] == made.cells["cam", "features.2", 1].refusal


def test_all_that_share_a_path_walk_it_once(monkeypatch):
    calls = []

    def spy(model, x, layers, methods, **how):
        calls.append((list(layers), list(methods)))
        return explain_all(model, x, layers, methods, **how)

    monkeypatch.setattr("rsi_gradcam.web.run.explain_all", spy)
    made = run(("rsi_grad_cam", "eigen_cam", "grad_cam", "cam", "integrated_gradients"), layers=("features.2", LAYER))
    made.work()
    sharing = ["rsi_grad_cam", "eigen_cam", "grad_cam", "integrated_gradients"]
    assert calls[0] == (["features.2", LAYER], sharing)
    assert calls[1:] == [(["features.2"], ["cam"]), ([LAYER], ["cam"])]


def test_every_map_is_told_as_soon_as_it_is_there():
    made = run(exactness="tolerance 0.01")
    seen = []
    put = made.put

    def spy(key, cell):
        seen.append((key[0], cell.explanation is not None))
        put(key, cell)

    made.put = spy
    made.work()
    assert seen[0] == ("grad_cam", True)
    assert ("rsi_grad_cam", False) in seen  # as it settles
    assert seen.index(("rsi_grad_cam", False)) < seen.index(("rsi_grad_cam", True))


def test_a_run_that_is_stopped_shows_the_network_nothing_more():
    made = run(("rsi_grad_cam",), exactness="200 steps")
    shown = []
    handle = made.loaded.network.network.register_forward_hook(lambda *_: shown.append(1))
    looked = made.looked

    def stop_after_a_look(images):
        looked(images)
        made.stop()

    made.looked = stop_after_a_look
    made.work()
    handle.remove()
    assert made.state == "stopped"
    before_the_path = 4
    assert len(shown) <= before_the_path + 2
    assert not any(cell.explanation for cell in made.cells.values())


def test_a_run_in_its_thread_ends_soon_after_it_is_stopped():
    made = run(("score_cam", "rsi_grad_cam"), exactness="512 steps")
    made.start()
    made.stop()
    end = time.monotonic() + 20
    while not made.over and time.monotonic() < end:
        time.sleep(0.01)
    assert made.state == "stopped"


def test_what_a_network_raises_is_a_fault_of_the_run():
    made = run()
    made.x = torch.zeros(1, 3, 2, 2)
    made.work()
    assert made.state == "failed"
    assert made.fault


def test_the_bar_never_goes_back_and_knows_the_steps():
    progress = Progress.of(run(("rsi_grad_cam",), "10 steps").choice)
    shares = []
    for _ in range(11):
        progress.looked(1)
        shares.append(progress.share)
    assert shares == sorted(shares)
    assert shares[0] == pytest.approx(0.9 / 11)
    assert shares[-1] == pytest.approx(0.9)


def test_with_a_tolerance_the_bar_goes_by_the_error():
    progress = Progress.of(run(("rsi_grad_cam",), "tolerance 0.01").choice)
    progress.refined(float("inf"))
    assert progress.share == 0
    progress.refined(0.1)
    half_way = progress.share
    progress.refined(0.3)
    assert progress.share == half_way > 0.3
    progress.refined(0.01)
    assert progress.share == pytest.approx(0.9)


def test_a_map_that_forms_is_made_small_by_its_means():
    maps = torch.arange(2 * 112 * 112, dtype=torch.float32).reshape(2, 112, 112)
    found = small(maps)
    assert found.shape == (2, 56, 56)
    assert float(found[1, 3, 5]) == float(maps[1, 6:8, 10:12].mean())
    assert small(maps[:, :7, :7]).shape == (2, 7, 7)
