"""What is on the page, and which of its events does what."""

from __future__ import annotations

from typing import Any

import gradio as gr

from rsi_gradcam.web import choice
from rsi_gradcam.web.explorer import Explorer
from rsi_gradcam.web.photo_input import photo_input
from rsi_gradcam.web.samples import samples
from rsi_gradcam.web.viewer import explorer as viewer_of
from rsi_gradcam.web.viewer import place_of_predictions, sample_list, stores
from rsi_gradcam.web.wires import EXPLORE, QUIET, Wires

TITLE = "rsi-gradcam"
HEAD = "<h1>rsi-gradcam</h1><p>Where did the network look, and how sure is that?</p>"
METHODS = ("grad_cam", "rsi_grad_cam")


def page(explorer: Explorer) -> gr.Blocks:
    with gr.Blocks(title=TITLE, analytics_enabled=False, delete_cache=(600, 3600), fill_width=True) as blocks:
        gr.HTML(HEAD, elem_id="rsi-head")
        with gr.Tabs() as tabs:
            with gr.Tab("Explore a photo", id=EXPLORE):
                wires, photo = build(blocks, explorer)
            with gr.Tab("Look at an evaluation", id="evaluation", render_children=True):
                evaluation = stores(explorer.stores.names(), [explorer.study, explorer.gallery])
        wires.connect_stores(evaluation, photo, tabs)
    return blocks


def build(blocks: gr.Blocks, explorer: Explorer) -> tuple[Wires, Any]:
    start = explorer.networks.get(explorer.networks.start)
    with gr.Row(equal_height=False):
        with gr.Column(scale=3, min_width=290):
            photo = photo_input()
            begin = sample_list(samples())
            place_of_predictions()
        with gr.Column(scale=9, min_width=320):
            with gr.Row(elem_id="rsi-choices"):
                methods = gr.Dropdown(
                    [(title, name) for name, title in choice.methods().items()],
                    value=list(METHODS), multiselect=True, label="Methods", elem_id="rsi-methods",
                )  # fmt: skip
                layers = gr.Dropdown(
                    start.layers,
                    value=[start.network.default_layer],
                    multiselect=True,
                    label="Layers",
                    elem_id="rsi-layers",
                )
            with gr.Row(elem_id="rsi-settings"):
                model = gr.Dropdown(
                    explorer.networks.names(), value=start.name, label="Network", elem_id="rsi-model", filterable=True
                )
                baseline = gr.Dropdown(
                    list(choice.baselines()),
                    value="black", label="Baseline", elem_id="rsi-baseline",
                )  # fmt: skip
                exactness = gr.Dropdown(
                    list(choice.EXACTNESS), value=choice.USUAL, label="How exactly", allow_custom_value=True,
                    elem_id="rsi-exactness",
                )  # fmt: skip
            viewer = viewer_of([explorer.pull, explorer.stop, explorer.take])
    wires = Wires(explorer, viewer, [methods, layers, baseline, exactness])
    wires.connect(blocks, photo, model, layers)
    begin.picked(wires.pick, None, photo, queue=False, **QUIET)
    return wires, photo
