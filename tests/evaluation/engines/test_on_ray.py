"""Stores made on a Ray cluster of two nodes in this machine, undisturbed and not."""

from __future__ import annotations

import importlib
import logging
import os
import signal
import sys
import time
import warnings
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from rsi_gradcam.errors import ConfigurationError, MissingExtra
from rsi_gradcam.evaluation.plan import pending
from rsi_gradcam.evaluation.running import Evaluation
from tests.evaluation.killed import LEAN
from tests.evaluation.small import Drawn, begun, everything, finished, network

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    ray = pytest.importorskip("ray")
    on_ray = importlib.import_module("rsi_gradcam.evaluation.engines.on_ray")
    Cluster = importlib.import_module("ray.cluster_utils").Cluster

pytestmark = [
    pytest.mark.timeout(600),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),  # Ray leaves the files and the processes of its logs open
    pytest.mark.filterwarnings("ignore::DeprecationWarning:ray"),
    pytest.mark.filterwarnings("ignore::FutureWarning:ray"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
PHOTOS = 16
ROOM = 100 << 20  # bytes of parts on each node
OnRay = on_ray.OnRay


@dataclass(frozen=True)
class Marked(Drawn):
    """Takes its time, and leaves a file that says on which node and by which process a photo was read."""

    count: int = PHOTOS
    marks: Path = Path()

    def photo(self, example):
        node = ray.get_runtime_context().get_node_id()
        (self.marks / f"{example.name}.{node}.{os.getpid()}").touch()
        time.sleep(0.2)
        return super().photo(example)

    def __repr__(self) -> str:
        return repr(Drawn(self.count))

    def readers(self) -> list[tuple[str, int]]:
        """Node and process of each photo that was read."""
        found = [path.name.rsplit(".", 2) for path in self.marks.iterdir()]
        return [(node, int(process)) for _, node, process in found]


@pytest.fixture(scope="module")
def cluster():
    os.environ |= {"RAY_USAGE_STATS_ENABLED": "0", "RAY_worker_niceness": "0"}  # workers as patient as the tests
    head = {"num_cpus": 1, "include_dashboard": False, "object_store_memory": ROOM}
    made = Cluster(initialize_head=True, head_node_args=head)
    ray.init(made.address, log_to_driver=False)
    on_ray.quiet()
    yield made
    ray.shutdown()
    made.shutdown()


@pytest.fixture(scope="module")
def second(cluster):
    return cluster.add_node(num_cpus=1, object_store_memory=ROOM)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    return everything(finished(tmp_path_factory.mktemp("local") / "store", Drawn(PHOTOS), part_size=1, **LEAN))


@pytest.fixture
def evaluation(tmp_path):
    marks = tmp_path / "marks"
    marks.mkdir()
    return begun(tmp_path / "store", Marked(marks=marks), part_size=1, **LEAN)


def test_the_store_is_the_local_one_and_every_photo_is_told_of(cluster, second, evaluation, undisturbed):
    told = []
    chunks = list(evaluation.run(OnRay(), pending(evaluation.store), told.append))
    assert sorted(chunks) == list(range(PHOTOS))
    assert everything(evaluation.store).equals(undisturbed)
    assert sorted(rows[0]["index"] for rows in told) == list(range(PHOTOS))
    assert all([row["kind"] for row in rows] == ["photo", "method", "method"] for rows in told)
    assert {node for node, _ in evaluation.recipe.dataset.readers()} == {node["NodeID"] for node in ray.nodes()}


def test_a_worker_killed_in_the_middle_changes_nothing(cluster, second, evaluation, undisturbed):
    killed = None
    for _ in evaluation.run(OnRay(), pending(evaluation.store)):
        if killed is None:
            killed = evaluation.recipe.dataset.readers()[0][1]
            os.kill(killed, signal.SIGKILL)
    assert everything(evaluation.store).equals(undisturbed)
    assert not Path(f"/proc/{killed}").exists()


def test_what_was_broken_off_goes_on(cluster, second, evaluation, undisturbed):
    run = evaluation.run(OnRay(), pending(evaluation.store))
    made = {next(run), next(run)}
    run.close()
    assert evaluation.store.done() == made
    assert set(evaluation.run(OnRay(), pending(evaluation.store))) == set(range(PHOTOS)) - made
    assert everything(evaluation.store).equals(undisturbed)


def test_an_error_of_a_worker_is_raised_here(cluster, second, evaluation):
    another = Evaluation(replace(evaluation.recipe, network=other_network), evaluation.store)
    with pytest.raises(ConfigurationError, match="the network here is another"):
        list(another.run(OnRay(), [0]))
    assert evaluation.store.done() == set()


def other_network():
    return network(seed=1)


def test_what_no_node_has_is_not_waited_for(cluster, second):
    with pytest.raises(ConfigurationError, match="no node of the cluster has 2 processors: take fewer --threads"):
        OnRay().workers(2)
    with pytest.raises(ConfigurationError, match="has 1 processors and 1 graphics cards"):
        OnRay(gpus=1).workers(1)
    assert OnRay().workers(1) == 2


def test_a_node_taken_down_changes_nothing(cluster, second, evaluation, undisturbed):
    gone = None
    for _ in evaluation.run(OnRay(), pending(evaluation.store)):
        busy = {node for node, _ in evaluation.recipe.dataset.readers()}
        if gone is None and second.node_id in busy:
            gone = second.node_id
            cluster.remove_node(second, allow_graceful=False)
    assert everything(evaluation.store).equals(undisturbed)
    assert [node["Alive"] for node in ray.nodes() if node["NodeID"] == gone] == [False]


def test_rays_errors_are_kept_from_the_screen_and_other_handlers_stay_as_they_are():
    logger, own = logging.getLogger("ray.data"), logging.StreamHandler()
    logger.addHandler(own)
    try:
        on_ray.quiet()
        assert own.level == logging.NOTSET
        of_ray = [each for each in logger.handlers if type(each).__module__ == "ray._private.log"]
        assert [each.level for each in of_ray] == [logging.CRITICAL] * len(of_ray)
        assert of_ray
    finally:
        logger.removeHandler(own)


def test_without_ray_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    monkeypatch.delitem(sys.modules, on_ray.__name__)
    with pytest.raises(MissingExtra, match=r'the engine ray needs the extra "ray": pip install "rsi-gradcam\[ray\]"'):
        importlib.import_module(on_ray.__name__)
