"""The pictures of the docs, made by the project itself from scikit-image's photos: python docs/images/make.py"""

from __future__ import annotations

from pathlib import Path

import skimage

from rsi_gradcam import Black, explain, explain_all
from rsi_gradcam.figures import comparison, course, one_relu_net, picture, save
from rsi_gradcam.images import read_photo
from rsi_gradcam.zoo import load

HERE = Path(__file__).parent
PHOTOS = Path(skimage.__file__).parent / "data"


def main() -> None:
    network = load()
    model, black = network.network, Black(network.preprocess.mean, network.preprocess.std)
    coffee, cat = read_photo(PHOTOS / "coffee.png"), read_photo(PHOTOS / "chelsea.png")
    x = network.preprocess(coffee)[None]
    e = explain(model, x, network.default_layer, baseline=black)
    save(picture(coffee, e, network=network, threshold=0.5), HERE / "coffee.png")
    save(course(e, network=network), HERE / "course.png")
    methods = ["grad_cam", "integrated_grad_cam", "rsi_grad_cam"]
    maps = explain_all(model, x, ["blocks.5", "bn2"], methods, baseline=black)
    save(comparison(coffee, maps, network=network), HERE / "methods.png")
    tabby, egyptian = network.index_of("tabby"), network.index_of("Egyptian cat")
    two = explain_all(
        model, network.preprocess(cat)[None], ["bn2"], methods, baseline=black, targets=[tabby, egyptian]
    )
    save(comparison(cat, two, network=network), HERE / "classes.png")
    save(one_relu_net(), HERE / "one_relu_net.png")


if __name__ == "__main__":
    main()
