from __future__ import annotations

import pytest

from rsi_gradcam.errors import ConfigurationError
from rsi_gradcam.evaluation.plan import Shard, pending
from tests.evaluation.synthetic import synthetic_store


@pytest.mark.parametrize("count", [1, 2, 3, 7])
def test_shards_share_the_chunks_between_them(count):
    owned = [chunk for number in range(1, count + 1) for chunk in range(20) if Shard(number, count).has(chunk)]
    assert sorted(owned) == list(range(20))


def test_a_shard_is_every_nth_chunk():
    assert [chunk for chunk in range(10) if Shard.parse("2/4").has(chunk)] == [1, 5, 9]


@pytest.mark.parametrize("text", ["0/4", "5/4", "1", "a/b", "1/0", "-1/4", ""])
def test_what_is_no_shard_is_refused(text):
    with pytest.raises(ConfigurationError, match="a shard is i/n"):
        Shard.parse(text)


def test_torchrun_and_slurm_say_which_shard():
    assert Shard.of_environment({}) == Shard(1, 1)
    assert Shard.of_environment({"RANK": "2", "WORLD_SIZE": "8", "LOCAL_RANK": "1"}) == Shard(3, 8, "torchrun", 1)
    assert Shard.of_environment({"SLURM_PROCID": "0", "SLURM_NTASKS": "4"}) == Shard(1, 4, "SLURM", 0)
    assert Shard.of_environment({"RANK": "2"}) == Shard(1, 1)
    with pytest.raises(ConfigurationError, match="whole numbers"):
        Shard.of_environment({"RANK": "x", "WORLD_SIZE": "8"})


def test_each_process_of_a_machine_has_its_own_card():
    assert Shard(3, 8, "torchrun", 1).device("cuda") == "cuda:1"
    assert Shard(3, 8, "torchrun", 1).device("cpu") == "cpu"
    assert Shard(3, 8).device("cuda") == "cuda"


def test_pending_is_what_is_missing_of_ones_own(tmp_path):
    store = synthetic_store(tmp_path / "store", 40)
    assert pending(store) == []
    for chunk in (0, 1, 4):
        store.part(chunk).unlink()
    assert pending(store) == [0, 1, 4]
    assert pending(store, Shard(1, 4)) == [0, 4]
    assert pending(store, Shard(3, 4)) == []


def test_with_retry_chunks_with_failed_photos_are_pending(tmp_path):
    store = synthetic_store(tmp_path / "store", 40)
    store.part(4).unlink()
    assert pending(store, retry=True) == [0, 4]  # photo 3 failed
    assert pending(store, Shard(2, 4), retry=True) == []
