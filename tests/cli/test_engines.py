"""Where `evaluate run` has its work done."""

from __future__ import annotations

import importlib
import warnings
from pathlib import Path

import pytest

from rsi_gradcam.cli.choices import EvaluationChoice, NetworkChoice, RunChoice
from rsi_gradcam.cli.evaluating import Evaluating
from rsi_gradcam.evaluation.engines.local import Local
from rsi_gradcam.evaluation.plan import Shard
from tests.evaluation.small import network


def asked(device="cpu", **work):
    choice = NetworkChoice("small", None, None, device)
    return Evaluating("mosaic", (), choice, EvaluationChoice(), RunChoice(**work), Path("store"), False)


def test_the_local_engine_has_the_network_that_is_here():
    assert asked().engine(network()).network is network()
    assert isinstance(asked().engine(network()), Local)


def test_ray_gets_the_address_and_a_card_for_each_worker_where_one_is_asked_for():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pytest.importorskip("ray")
        on_ray = importlib.import_module("rsi_gradcam.evaluation.engines.on_ray")
    assert asked(engine="ray", ray_address="head:6379").engine(network()) == on_ray.OnRay("head:6379", gpus=0)
    assert asked("cuda", engine="ray").engine(network()) == on_ray.OnRay(None, gpus=1)


def test_ray_deals_out_the_work_itself_whatever_slurm_says(monkeypatch):
    monkeypatch.setenv("SLURM_PROCID", "1")
    monkeypatch.setenv("SLURM_NTASKS", "4")
    assert asked().shard() == Shard(2, 4, "SLURM")
    assert asked(engine="ray").shard() == Shard()
    assert asked(engine="ray", shard="3/5").shard() == Shard(3, 5)


def test_the_asker_of_ray_needs_no_graphics_card(monkeypatch):
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    assert asked(engine="ray").device_here("cuda") == "cpu"
    assert asked().device_here("cuda") == "cuda"
    monkeypatch.setattr("torch.cuda.is_available", lambda: True)
    assert asked(engine="ray").device_here("cuda:1") == "cuda:1"
