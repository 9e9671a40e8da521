from __future__ import annotations

from pathlib import Path

import pytest

import rsi_gradcam
from rsi_gradcam import baselines, catalog, methods, paths, targets
from rsi_gradcam.errors import ConfigurationError

TESTS = Path(__file__).parent
FOLDERS = {
    "methods": (catalog.methods, methods),
    "baselines": (catalog.baselines, baselines),
    "paths": (catalog.paths, paths),
}


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_file_of_a_folder_is_an_entry_under_its_own_name(folder):
    entries, module = FOLDERS[folder]
    files = {file.stem for file in Path(module.__file__).parent.glob("*.py")} - {"__init__", "base"}
    assert set(entries()) == files
    assert all(kind.name == name for name, kind in entries().items())


@pytest.mark.parametrize("folder", [*FOLDERS, "targets"])
def test_every_file_of_a_folder_has_its_test(folder):
    where = Path((FOLDERS | {"targets": (None, targets)})[folder][1].__file__).parent
    files = {file.stem for file in where.glob("*.py")} - {"__init__", "base"}
    tested = {file.stem.removeprefix("test_") for file in (TESTS / folder).glob("test_*.py")}
    assert files - tested == set()


def test_the_entries_cannot_be_changed_by_accident():
    with pytest.raises(TypeError):
        catalog.methods()["mine"] = None


@pytest.mark.parametrize("kind", catalog.methods().values(), ids=lambda kind: kind.name)
def test_every_method_can_be_imported_from_its_folder(kind):
    assert getattr(methods, kind.__name__) is kind


def test_what_is_no_method_cannot():
    with pytest.raises(AttributeError, match="has no attribute 'GradCam'"):
        _ = methods.GradCam


def test_every_public_name_is_there():
    for name in rsi_gradcam.__all__:
        assert getattr(rsi_gradcam, name) is not None


def test_a_configured_method_is_taken_as_it_is_also_with_the_paper_preset():
    configured = methods.RSIGradCAM(rule="left")
    assert catalog.method(configured, paper=True) is configured
    assert catalog.method("rsi_grad_cam", paper=True) == methods.RSIGradCAM(rule="right", units="positive")
    assert catalog.method("rsi_grad_cam") == methods.RSIGradCAM()


def test_nothing_said_is_black_and_straight():
    assert catalog.baseline(None) == baselines.Black()
    assert catalog.path(None) == paths.Straight()
    assert catalog.baseline("white") == baselines.White()
    assert catalog.path("unblur") == paths.Unblur()


@pytest.mark.parametrize("name", ["points", "curve"])
def test_a_path_that_needs_more_than_a_name_says_what(name):
    with pytest.raises(ConfigurationError, match="needs"):
        catalog.path(name)
