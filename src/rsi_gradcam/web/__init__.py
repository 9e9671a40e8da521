"""The page: a photo explored in the browser. `serve` opens it; `page` is what is on it. Needs the extra "app"."""
