from __future__ import annotations

import torch

from rsi_gradcam import Margin, explain
from tests.agreement import agree
from tests.networks import images, network, zeros


def test_by_hand():
    y, v = Margin().score(torch.tensor([[1.0, 5.0, 2.0]]), torch.tensor([1]), torch.tensor([2]))
    assert y.tolist() == [3.0]
    assert v.tolist() == [[0.0, 1.0, -1.0]]


def test_the_score_is_by_how_much_the_class_beats_the_best_other():
    model, x = network("plain"), images(4)
    logits = model(x).detach()
    best, second = logits.topk(2).values.T
    agree(explain(model, x, "features.5", "grad_cam", Margin()).score, best - second, 1e-12)
    rivals = logits.clone()
    rivals[:, 3] = -torch.inf
    agree(explain(model, x, "features.5", "grad_cam", Margin(3)).score, logits[:, 3] - rivals.amax(1), 1e-12)


def test_the_rival_is_the_images_own_all_along_its_path():
    model, x = network("plain"), images(4)
    classes, rivals = model(x).topk(2).indices.T
    start = model(zeros()[None]).detach()[0]
    assert (start.topk(2).indices[1] != rivals).any()
    found = explain(model, x, "features.5", "rsi_grad_cam", Margin(), zeros(), steps=3)
    agree(found.baseline_score, start[classes] - start[rivals], 1e-12)
