"""What is on the page, and which of its events does what."""

from __future__ import annotations

import gradio as gr

from rsi_gradcam.web import choice
from rsi_gradcam.web.explorer import Explorer
from rsi_gradcam.web.photo_input import photo_input
from rsi_gradcam.web.samples import samples
from rsi_gradcam.web.viewer import explorer as viewer_of
from rsi_gradcam.web.viewer import place_of_predictions
from rsi_gradcam.web.wires import Wires

TITLE = "rsi-gradcam"
METHODS = ("grad_cam", "rsi_grad_cam")


def page(explorer: Explorer) -> gr.Blocks:
    with gr.Blocks(title=TITLE, analytics_enabled=False, delete_cache=(600, 3600), fill_width=True) as blocks:
        gr.HTML("<h1>rsi-gradcam</h1><p>Where did the network look, and how sure is that?</p>", elem_id="rsi-head")
        build(blocks, explorer)
    return blocks


def build(blocks: gr.Blocks, explorer: Explorer) -> None:
    start = explorer.networks.get(explorer.networks.start)
    with gr.Row(equal_height=False):
        with gr.Column(scale=3, min_width=290):
            photo = photo_input()
            if found := samples():
                gr.Examples([[str(path)] for path in found], [photo], label="Samples", elem_id="rsi-samples")
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
            with gr.Row():
                model = gr.Dropdown(
                    explorer.networks.names(), value=start.name, label="Network", elem_id="rsi-model", filterable=True
                )
                baseline = gr.Dropdown(
                    [(f"{name}: {what}", name) for name, what in choice.baselines().items()],
                    value="black", label="Baseline", elem_id="rsi-baseline",
                )  # fmt: skip
                exactness = gr.Dropdown(
                    list(choice.EXACTNESS), value=choice.USUAL, label="How exactly", allow_custom_value=True,
                    elem_id="rsi-exactness",
                )  # fmt: skip
            viewer = viewer_of([explorer.pull, explorer.stop, explorer.take])
    Wires(explorer, viewer, [methods, layers, baseline, exactness]).connect(blocks, photo, model, layers)
