from __future__ import annotations

from rsi_gradcam.evaluation.manifest import digest
from tests.evaluation.small import LAYERS, begun


def test_layers_stand_in_the_networks_order_however_they_were_asked_for(tmp_path):
    manifests = [
        begun(tmp_path / str(number), layers=layers).store.manifest
        for number, layers in enumerate((LAYERS, LAYERS[::-1]))
    ]
    for manifest in manifests:
        assert list(manifest["configuration"]["layers"]) == list(LAYERS)
    assert digest(manifests[0]["configuration"]) == manifests[1]["hash"]
