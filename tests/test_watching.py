from __future__ import annotations

import pytest
import torch

from rsi_gradcam import explain_all
from rsi_gradcam.watching import Watch
from tests.networks import Counting, images, network, zeros

METHODS = ["score_cam", "rsi_grad_cam", "grad_cam"]
LAYER = "features.5"


class Diary(Watch):
    def __init__(self, stop_at: int | None = None) -> None:
        self.said: list[tuple[str, object]] = []
        self.seen, self.stop_at = 0, stop_at

    def looked(self, images):
        self.seen += images
        self.said.append(("looked", images))
        if self.stop_at is not None and self.seen >= self.stop_at:
            raise Enough

    def refined(self, error, maps):
        self.said.append(("refined", (error, maps)))

    def made(self, key, explanation):
        self.said.append(("made", (key, explanation)))

    def of(self, kind):
        return [what for said, what in self.said if said == kind]


class Enough(Exception):
    pass


def ask(watch, model=None, count=1, **how):
    return explain_all(model or network("plain"), images(count), [LAYER], METHODS, 1, zeros(), watch=watch, **how)


def test_what_needs_the_image_alone_is_told_first_and_what_takes_longest_last():
    diary = Diary()
    found = ask(diary)
    assert [key[0] for key, _ in diary.of("made")] == ["grad_cam", "rsi_grad_cam", "score_cam"]
    for key, explanation in diary.of("made"):
        torch.testing.assert_close(explanation.raw, found[key].raw, rtol=0, atol=0)


def test_grad_cam_is_told_before_the_path_is_walked():
    diary = Diary()
    ask(diary)
    before = diary.said[: next(i for i, (kind, _) in enumerate(diary.said) if kind == "made")]
    assert [kind for kind, _ in before] == ["looked"]


@pytest.mark.parametrize("how", [{"steps": 6}, {"tolerance": 0.01}])
def test_every_image_on_the_path_is_told_of(how):
    diary = Diary()
    found = explain_all(network("plain"), images(1), [LAYER], ["rsi_grad_cam"], 1, zeros(), watch=diary, **how)
    passes = int(found["rsi_grad_cam", LAYER].passes[0])
    assert diary.seen == passes - 1  # the baseline that all images share is looked at once, before


def test_the_last_maps_told_of_are_those_of_the_explanation():
    diary = Diary()
    found = ask(diary, count=2)
    error, maps = diary.of("refined")[-1]
    e = found["rsi_grad_cam", LAYER]
    torch.testing.assert_close(maps["rsi_grad_cam", LAYER], e.normalised)
    assert error == pytest.approx(float(e.error.max()))


@pytest.mark.parametrize("how", [{"steps": 20}, {"tolerance": 0.001}])
@pytest.mark.parametrize("stop_at", [1, 5, 9])
def test_what_a_watch_raises_ends_the_work_and_leaves_the_model_as_it_was(stop_at, how):
    model = Counting(network("plain")).train()
    before_the_path = 3  # the baseline, which all images share, and what tells whether the layer is a cut
    with pytest.raises(Enough):
        explain_all(
            model, images(1), ["network.features.5"], METHODS, 1, zeros(), batch_size=4, watch=Diary(stop_at), **how
        )
    shown = model.images
    assert shown < stop_at + before_the_path + 4  # a batch is seen to its end
    assert model.training
    assert not any(module._forward_hooks for module in model.modules())
    assert all(parameter.grad is None for parameter in model.parameters())


def test_score_cam_can_be_stopped_between_its_passes():
    diary = Diary(stop_at=2)
    with pytest.raises(Enough):
        explain_all(network("plain"), images(1), [LAYER], ["score_cam"], 1, batch_size=1, watch=diary)
    assert diary.seen == 2
    assert not diary.of("made")


def test_with_several_groups_a_map_is_told_of_once_all_its_images_are_there():
    diary = Diary()
    found = ask(diary, count=3, batch_size=2)
    assert [len(explanation.raw) for _, explanation in diary.of("made")] == [3, 3, 3]
    torch.testing.assert_close(
        dict(diary.of("made"))["grad_cam", LAYER].raw, found["grad_cam", LAYER].raw, rtol=0, atol=0
    )
