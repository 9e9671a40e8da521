from __future__ import annotations

import pytest

from rsi_gradcam.errors import ConfigurationError
from rsi_gradcam.evaluation.engines.local import Local
from rsi_gradcam.evaluation.merging import merge
from rsi_gradcam.evaluation.plan import Shard, pending
from rsi_gradcam.evaluation.selection import CHOSEN
from tests.evaluation.small import Drawn, begun, everything, finished


def shard(folder, number, count, dataset=None, **said):
    evaluation = begun(folder, dataset, **said)
    list(evaluation.run(Local(), pending(evaluation.store, Shard(number, count))))
    return folder


def test_four_shards_in_four_stores_merged_are_one_run(tmp_path):
    whole = finished(tmp_path / "whole")
    merged = merge([shard(tmp_path / str(number), number, 4) for number in (1, 2, 3, 4)], tmp_path / "merged")
    assert everything(merged).equals(everything(whole))
    assert (merged.folder / CHOSEN).read_text() == (whole.folder / CHOSEN).read_text()


def test_what_no_shard_has_stays_missing_and_comes_later(tmp_path):
    merged = merge([shard(tmp_path / "1", 1, 4), shard(tmp_path / "3", 3, 4)], tmp_path / "merged")
    assert merged.missing() == [1, 3]
    merge([shard(tmp_path / "2", 2, 4), shard(tmp_path / "4", 4, 4)], tmp_path / "merged")
    assert merged.missing() == []


def test_of_two_parts_the_one_with_fewer_failures_is_taken(tmp_path):
    failed = finished(tmp_path / "failed", Drawn(6, broken=(1, 4)))
    good = finished(tmp_path / "good", Drawn(6))
    for store in (failed, good):  # the same photos, once on a bad day
        text = (good.folder / "manifest.json").read_text()
        (store.folder / "manifest.json").write_text(text)
    merged = merge([failed.folder, good.folder], tmp_path / "merged")
    assert merged.funnel()["failed"] == 0
    assert everything(merged).equals(everything(good))


def test_another_evaluation_and_other_parts_are_refused(tmp_path):
    begun(tmp_path / "one")
    begun(tmp_path / "other", steps=5)
    begun(tmp_path / "larger", part_size=5)
    with pytest.raises(ConfigurationError, match="explain.steps is 5 there and 4 here"):
        merge([tmp_path / "one", tmp_path / "other"], tmp_path / "merged")
    with pytest.raises(ConfigurationError, match="has parts of 5 photos"):
        merge([tmp_path / "one", tmp_path / "larger"], tmp_path / "merged")
    with pytest.raises(ConfigurationError, match="explain.steps is 5 there"):
        merge([tmp_path / "one"], tmp_path / "other")
    with pytest.raises(ConfigurationError, match="holds no evaluation"):
        merge([tmp_path / "nothing"], tmp_path / "merged")
    assert not (tmp_path / "merged").exists()
