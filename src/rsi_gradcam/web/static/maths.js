// The library's formulas again, for the browser: what is shown changes without asking the network.
window.rsi = window.rsi || {};
(function (rsi) {
  "use strict";

  // As in figures/overlay.py.
  const SHADE = 0.45, GREY = 0.85, VEIL = 0.6;

  rsi.bytes = function (base64) {
    const text = atob(base64), found = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) found[i] = text.charCodeAt(i);
    return found;
  };

  rsi.floats = (base64) => new Float32Array(rsi.bytes(base64).buffer);

  const evidence = { positive: (v) => Math.max(v, 0), absolute: Math.abs, signed: (v) => v };

  // What of a raw map is shown, before it is normalised.
  rsi.shown = (cell) => cell.raw.map(evidence[cell.evidence]);

  rsi.range = function (values) {
    let low = Infinity, high = -Infinity;
    for (const v of values) { if (v < low) low = v; if (v > high) high = v; }
    return [low, high];
  };

  // eq. normeps; a map without range is 0 everywhere.
  rsi.normalised = function (values, [low, high], epsilon) {
    const whole = high - low + epsilon;
    return values.map((v) => (whole === 0 ? 0 : Math.min(1, Math.max(0, (v - low) / whole))));
  };

  // Where the centres of pixels first…last−1 lie among `cells` cells spread from start to end.
  function places(first, last, start, end, cells) {
    const before = new Int32Array(last - first), after = new Int32Array(last - first), part = new Float64Array(last - first);
    for (let i = first; i < last; i++) {
      const at = Math.min(cells - 1, Math.max(0, (i + 0.5 - start) * (cells / (end - start)) - 0.5));
      before[i - first] = Math.floor(at);
      after[i - first] = Math.min(cells - 1, Math.floor(at) + 1);
      part[i - first] = at - Math.floor(at);
    }
    return { before, after, part };
  }

  // images/place.py: a map (h, w) spread over a window of a picture (width, height); nan where it says nothing.
  rsi.place = function (values, [h, w], [left, top, right, bottom], [width, height]) {
    const placed = new Float32Array(width * height).fill(NaN);
    const within = (v, most) => Math.min(most, Math.max(0, Math.ceil(v - 0.5))); // the window may lie outside
    const x0 = within(left, width), x1 = within(right, width), y0 = within(top, height), y1 = within(bottom, height);
    const across = places(x0, x1, left, right, w), down = places(y0, y1, top, bottom, h);
    for (let y = y0; y < y1; y++) {
      const a = down.before[y - y0] * w, b = down.after[y - y0] * w, q = down.part[y - y0];
      for (let x = x0; x < x1; x++) {
        const i = across.before[x - x0], j = across.after[x - x0], p = across.part[x - x0];
        const upper = values[a + i] + p * (values[a + j] - values[a + i]);
        const lower = values[b + i] + p * (values[b + j] - values[b + i]);
        placed[y * width + x] = upper + q * (lower - upper);
      }
    }
    return placed;
  };

  // heatmap.upsample: to the network's input, where the numbers are taken.
  rsi.upsample = (values, shape, [width, height]) => rsi.place(values, shape, [0, 0, width, height], [width, height]);

  // figures/overlay.py, pixel by pixel. `look` has table, opacity and view: "overlay", "heatmap" or "through".
  rsi.paint = function (out, photo, placed, look) {
    const { table, opacity, view } = look, over = opacity * GREY;
    for (let i = 0, k = 0; i < placed.length; i++, k += 4) {
      const r = photo[k], g = photo[k + 1], b = photo[k + 2], v = placed[i];
      if (view === "through") {
        const m = Number.isNaN(v) ? 0 : v;
        out[k] = r * m; out[k + 1] = g * m; out[k + 2] = b * m; out[k + 3] = 255;
        continue;
      }
      const grey = (r * 19595 + g * 38470 + b * 7471 + 32768) >> 16;
      let share, cr, cg, cb;
      if (Number.isNaN(v)) {
        share = view === "heatmap" ? 1 : Math.min(1, 2 * opacity);
        cr = cg = cb = grey * (1 - VEIL) + 255 * VEIL;
      } else {
        share = view === "heatmap" ? 1 : opacity * (SHADE + (1 - SHADE) * v);
        const at = 3 * Math.round(Math.min(1, Math.max(0, v)) * 255);
        cr = table[at]; cg = table[at + 1]; cb = table[at + 2];
      }
      out[k] = (r + (grey - r) * over) * (1 - share) + cr * share;
      out[k + 1] = (g + (grey - g) * over) * (1 - share) + cg * share;
      out[k + 2] = (b + (grey - b) * over) * (1 - share) + cb * share;
      out[k + 3] = 255;
    }
  };

  // A box of the photo in the input's pixels, cut at its rim: Preprocess.box_to_input.
  rsi.toInput = function (box, [left, top, right, bottom], [width, height]) {
    const across = width / (right - left), down = height / (bottom - top);
    const clip = (v, most) => Math.min(Math.max(v, 0), most);
    return [clip((box[0] - left) * across, width), clip((box[1] - top) * down, height),
      clip((box[2] - left) * across, width), clip((box[3] - top) * down, height)];
  };

  // metrics/energy.py and metrics/overlap.py: of a heatmap at the input's size and a box there, by its edges.
  // A pixel lies inside if its centre does; the region is what is above the threshold.
  rsi.measure = function (heatmap, [width, height], box, thresholds) {
    const inside = new Uint8Array(width * height);
    let B = 0, light = 0, total = 0;
    for (let y = 0, i = 0; y < height; y++) {
      for (let x = 0; x < width; x++, i++) {
        const isIn = x + 0.5 >= box[0] && x + 0.5 < box[2] && y + 0.5 >= box[1] && y + 0.5 < box[3];
        inside[i] = isIn ? 1 : 0; B += inside[i]; total += heatmap[i];
        if (isIn) light += heatmap[i];
      }
    }
    const curves = thresholds.map((t) => {
      let R = 0, both = 0;
      for (let i = 0; i < heatmap.length; i++) if (heatmap[i] > t) { R++; both += inside[i]; }
      const union = R + B - both;
      return { t, iou: union ? both / union : 0, iob: B ? both / B : 0, ior: R ? both / R : 0 };
    });
    return { energy: total ? light / total : 0, share: B / heatmap.length, curves };
  };

  // The lines where a placed map crosses a level, sampled every `step` pixels.
  rsi.contour = function (placed, [width, height], level, step) {
    const lines = [], at = (x, y) => placed[Math.min(y, height - 1) * width + Math.min(x, width - 1)];
    for (let y = 0; y < height - 1; y += step) {
      for (let x = 0; x < width - 1; x += step) {
        const X = Math.min(x + step, width - 1), Y = Math.min(y + step, height - 1);
        const a = at(x, y), b = at(X, y), c = at(X, Y), d = at(x, Y);
        if (Number.isNaN(a + b + c + d)) continue;
        const cut = (p, q) => (level - p) / (q - p), points = [];
        if (a >= level !== b >= level) points.push([x + (X - x) * cut(a, b), y]);
        if (b >= level !== c >= level) points.push([X, y + (Y - y) * cut(b, c)]);
        if (d >= level !== c >= level) points.push([x + (X - x) * cut(d, c), Y]);
        if (a >= level !== d >= level) points.push([x, y + (Y - y) * cut(a, d)]);
        for (let i = 0; i + 1 < points.length; i += 2) lines.push([points[i], points[i + 1]]);
      }
    }
    return lines;
  };

  rsi.percent = (p) => (p >= 0.0995 ? (100 * p).toFixed(0) : p >= 0.001 ? (100 * p).toFixed(1) : (100 * p).toPrecision(1)) + "%";
  rsi.short = (v) => (v === null || v === undefined ? "–" : v === 0 ? "0" : Math.abs(v) >= 0.001 && Math.abs(v) < 1e4 ? String(+v.toPrecision(3)) : v.toExponential(1));
})(window.rsi);
