// The one large picture: the map over the photo, the value under the pointer, the box.
(function (rsi) {
  "use strict";
  const el = rsi.el;

  rsi.Stage = class {
    // told: {value(text), box(box or null)}
    constructor(told) {
      this.told = told;
      this.box = null;
      this.corner = null;
      this.cross = null;
      this.canvas = el("canvas", {
        class: "rsi-stage", tabindex: 0, role: "application",
        "aria-label": "The map over the photo. Arrow keys move a cross and tell its value, Enter sets a corner of a box, Escape removes the box.",
        onpointerdown: (e) => this.down(e), onpointermove: (e) => this.move(e), onpointerup: (e) => this.up(e),
        onpointerleave: () => { if (!this.drag) this.point(null); }, onkeydown: (e) => this.key(e),
      });
      this.pen = this.canvas.getContext("2d", { willReadFrequently: true });
    }

    photo(photo, pixels) {
      this.info = photo;
      this.pixels = pixels;
      this.canvas.width = pixels.width;
      this.canvas.height = pixels.height;
      this.canvas.style.maxWidth = `calc(72vh * ${(pixels.width / pixels.height).toFixed(4)})`; // all of it on the screen
      this.out = this.pen.createImageData(pixels.width, pixels.height);
      this.box = this.corner = this.cross = null;
      this.placed = null;
      this.told.box(null);
      this.draw();
    }

    // values: {heat, raw, shape} of the chosen map, or null; look: {table, opacity, view, threshold, contour}
    show(values, look) {
      if (values !== this.values) { this.values = values; this.placed = null; }
      this.look = look;
      this.draw();
      this.point(this.cross);
    }

    draw() {
      if (!this.pixels) return;
      const { width, height } = this.canvas, size = [width, height];
      if (!this.values) this.pen.putImageData(this.pixels, 0, 0);
      else {
        this.placed = this.placed || rsi.place(this.values.heat, this.values.shape, this.scaled(this.info.window), size);
        rsi.paint(this.out.data, this.pixels.data, this.placed, this.look);
        this.pen.putImageData(this.out, 0, 0);
        if (this.look.contour) this.lines(rsi.contour(this.placed, size, this.look.threshold, Math.max(2, Math.round(width / 240))));
      }
      if (this.box) this.frame(this.scaled(this.box));
      if (this.cross) this.drawCross(this.cross);
    }

    get unit() { return Math.max(1, this.canvas.width / Math.max(1, this.canvas.clientWidth || this.canvas.width)); }

    scaled(box) {
      const across = this.canvas.width / this.info.size[0], down = this.canvas.height / this.info.size[1];
      return [box[0] * across, box[1] * down, box[2] * across, box[3] * down];
    }

    lines(lines) {
      for (const [colour, width] of [["rgba(0,0,0,.65)", 3.6], ["#fff", 1.8]]) {
        this.pen.strokeStyle = colour;
        this.pen.lineWidth = width * this.unit;
        this.pen.beginPath();
        for (const [a, b] of lines) { this.pen.moveTo(...a); this.pen.lineTo(...b); }
        this.pen.stroke();
      }
    }

    frame([left, top, right, bottom]) {
      for (const [colour, width] of [["#000", 4.5], ["#40e0ff", 2.2]]) {
        this.pen.strokeStyle = colour;
        this.pen.lineWidth = width * this.unit;
        this.pen.strokeRect(left, top, right - left, bottom - top);
      }
    }

    drawCross([x, y]) {
      const [a, b] = this.scaled([x, y, x, y]), r = 9 * this.unit;
      for (const [colour, width] of [["#000", 3.5], ["#fff", 1.5]]) {
        this.pen.strokeStyle = colour;
        this.pen.lineWidth = width * this.unit;
        this.pen.beginPath();
        this.pen.moveTo(a - r, b); this.pen.lineTo(a + r, b); this.pen.moveTo(a, b - r); this.pen.lineTo(a, b + r);
        this.pen.stroke();
      }
    }

    // Pointer → the photo's own pixels.
    at(e) {
      const seen = this.canvas.getBoundingClientRect(), [w, h] = this.info.size;
      const clip = (v, most) => Math.min(Math.max(v, 0), most);
      return [clip(((e.clientX - seen.left) / seen.width) * w, w), clip(((e.clientY - seen.top) / seen.height) * h, h)];
    }

    down(e) {
      if (!this.info || e.button) return;
      this.canvas.setPointerCapture(e.pointerId);
      const at = this.at(e);
      if (this.corner) { this.finish(at); return; }
      this.drag = { from: at, moved: false };
    }

    move(e) {
      if (!this.info) return;
      const at = this.at(e), from = this.drag ? this.drag.from : this.corner;
      if (this.drag && Math.hypot(at[0] - from[0], at[1] - from[1]) * (this.canvas.clientWidth / this.info.size[0]) > 4) this.drag.moved = true;
      if (from && (this.corner || this.drag.moved)) this.put(from, at);
      if (!this.drag) this.cross = null;
      this.point(at, true);
    }

    up(e) {
      if (!this.drag) return;
      const { from, moved } = this.drag;
      this.drag = null;
      if (moved) this.put(from, this.at(e));
      else { this.corner = from; this.cross = from; this.draw(); this.point(from); }
    }

    finish(at) {
      this.put(this.corner, at);
      this.corner = this.cross = null;
      this.draw();
    }

    put(a, b) {
      const box = [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[0], b[0]), Math.max(a[1], b[1])];
      this.set(box[2] - box[0] >= 1 && box[3] - box[1] >= 1 ? box : null);
    }

    set(box) {
      this.box = box;
      this.told.box(box);
      this.draw();
    }

    clear() { this.corner = this.cross = null; this.set(null); }

    key(e) {
      if (!this.info) return;
      const step = (e.shiftKey ? 0.1 : 0.02) * Math.max(...this.info.size), [w, h] = this.info.size;
      const moves = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] };
      if (moves[e.key]) {
        const [x, y] = this.cross || [w / 2, h / 2];
        this.cross = [Math.min(w, Math.max(0, x + moves[e.key][0])), Math.min(h, Math.max(0, y + moves[e.key][1]))];
        if (this.corner) this.put(this.corner, this.cross); else this.draw();
        this.point(this.cross);
      } else if (e.key === "Enter" && this.cross) {
        if (this.corner) this.finish(this.cross); else { this.corner = this.cross; this.told.value("First corner set: move on, and press Enter for the second."); }
      } else if (e.key === "Escape") this.clear();
      else return;
      e.preventDefault();
    }

    // The value of the map at a place of the photo.
    point(at) {
      if (!at || !this.values) { this.told.value(""); return; }
      const [w, h] = this.info.size, x = Math.min(w - 1, Math.floor(at[0])), y = Math.min(h - 1, Math.floor(at[1]));
      const window_ = this.info.window, one = [window_[0] - x, window_[1] - y, window_[2] - x, window_[3] - y];
      const heat = rsi.place(this.values.heat, this.values.shape, one, [1, 1])[0];
      const raw = rsi.place(this.values.raw, this.values.shape, one, [1, 1])[0];
      const told = Number.isNaN(heat) ? "the network did not see this part" : `${heat.toFixed(3)} · raw ${rsi.short(raw)}`;
      this.told.value(`${told} · at ${x}, ${y}`);
    }
  };
})(window.rsi);
