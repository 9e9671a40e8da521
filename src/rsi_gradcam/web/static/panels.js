// What is said of the chosen map: how sure it is, how it forms, what is left of the photo through it.
(function (rsi) {
  "use strict";
  const el = rsi.el;

  function facts(pairs) {
    return el("dl", { class: "rsi-facts" }, ...pairs.filter((p) => p).flatMap(([name, value, why]) => [el("dt", { title: why || null }, name), el("dd", {}, value)]));
  }

  rsi.sure = function (root, cell, forming) {
    if (!cell || !cell.done) { rsi.fill(root, el("p", { class: "rsi-hint" }, "It is told once the map has settled.")); return; }
    if (cell.refusal) { rsi.fill(root, el("p", { class: "rsi-finding" }, cell.refusal)); return; }
    const change = cell.score !== null && cell.baselineScore !== null;
    const part = Math.abs(cell.residualShare), share = cell.residualShare === null ? "" : ` (${part < 0.001 ? "under 0.1" : (100 * part).toFixed(1)}% of the change)`;
    const words = cell.diagnosis.length
      ? cell.diagnosis.map((d) => el("p", { class: "rsi-finding" }, el("strong", {}, d.cause + ". "), d.message + " ", el("em", {}, d.advice)))
      : [el("p", { class: "rsi-finding rsi-good" }, el("strong", {}, "Nothing is wrong with this map. "), cell.dark ? "" : "It is not dark.")];
    rsi.fill(root, el("div", {}, ...words, facts([
      [cell.scoreName, change ? `${rsi.short(cell.baselineScore)} → ${rsi.short(cell.score)}` : rsi.short(cell.score), "of the class, at the baseline and at the photo"],
      cell.residual === null ? null : ["residual of completeness", rsi.short(cell.residual) + share, "what the integrals of all units miss of the score's change"],
      cell.course === null ? null : ["estimated error", cell.error === null ? "not known: the steps are odd" : rsi.short(cell.error) + (cell.tolerance ? (cell.converged ? ` ≤ ${cell.tolerance}, as asked` : ` > ${cell.tolerance}, not settled`) : ""), "mean absolute error of the heatmap, by too coarse a path"],
      ["passes of the network", String(cell.passes)],
      cell.isCut === null ? null : ["all ways pass the layer", cell.isCut ? "yes" : "no: the residual means nothing", "only then must the residual vanish"],
      cell.cancellation === null ? null : ["left after cancellation", (100 * cell.cancellation).toFixed(0) + "%", "of the channels' sum, after for and against are added up"],
      ["arithmetic", cell.precision],
    ])));
    if (cell.course) {
      const { alphas, scores } = cell.course, top = Math.max(...scores, 1e-12), isProbability = cell.scoreName === "probability";
      root.append(el("div", {}, el("h4", {}, "The score along the path"),
        rsi.chart({ series: [{ points: alphas.map((a, i) => [a, Math.max(0, scores[i])]), dots: true }], x: "α, from the baseline to the photo", y: cell.scoreName, top: isProbability ? nice(top) : top, title: `The score at ${alphas.length} points of the path, from ${rsi.short(scores[0])} to ${rsi.short(scores[scores.length - 1])}` }),
        el("p", { class: "rsi-hint" }, `${alphas.length} points, where the integration looked. Flat parts are where the output is saturated.`)), forming);
    }
  };

  const nice = (top) => [0.001, 0.01, 0.05, 0.1, 0.2, 0.5, 1].find((t) => t >= top) || top;

  // The map of the integral from the baseline up to a point of the path.
  rsi.Forming = class {
    constructor(draw) {
      this.canvas = el("canvas", { class: "rsi-small", role: "img", "aria-label": "The map as it forms along the path" });
      this.slider = el("input", { type: "range", min: 0, max: 1, step: 1, value: 1, oninput: () => this.draw() });
      this.says = el("output", {}, "");
      this.play = el("button", { type: "button", class: "rsi-quiet", onclick: () => this.run() }, "▶ Play");
      this.root = el("div", { class: "rsi-forming" }, el("h4", {}, "The map as it forms along the path"), this.canvas,
        rsi.control("Up to α", this.slider, this.says), this.play);
      this.paint = draw;
    }

    show(cell) {
      const has = Boolean(cell && cell.done && cell.forming);
      this.root.hidden = !has;
      if (!has) { this.cell = null; return; }
      if (this.cell !== cell) {
        this.cell = cell;
        const [points, h, w] = cell.forming.shape;
        this.maps = cell.forming.maps;
        this.shape = [h, w];
        this.top = rsi.range(rsi.shown({ raw: this.maps.slice((points - 1) * h * w), evidence: cell.evidence }));
        this.slider.max = points - 1;
        this.slider.value = points - 1;
      }
      this.draw();
    }

    draw() {
      if (!this.cell) return;
      const [h, w] = this.shape, i = +this.slider.value;
      const shown = rsi.shown({ raw: this.maps.slice(i * h * w, (i + 1) * h * w), evidence: this.cell.evidence });
      this.says.textContent = this.cell.forming.alphas[i].toFixed(3);
      this.slider.setAttribute("aria-valuetext", `α ${this.says.textContent}`);
      this.paint(this.canvas, rsi.normalised(shown, this.top, 0), this.shape); // on the finished map's scale
    }

    run() {
      clearInterval(this.timer);
      this.slider.value = 0;
      this.draw();
      this.timer = setInterval(() => {
        if (+this.slider.value >= +this.slider.max) { clearInterval(this.timer); return; }
        this.slider.value = +this.slider.value + 1;
        this.draw();
      }, 180);
    }
  };

  const exact = (p) => (p >= 0.001 ? (100 * p).toFixed(1) : (100 * p).toPrecision(1)) + "%";

  rsi.through = function (root, cell) {
    if (cell && cell.refusal) { rsi.fill(root, el("p", { class: "rsi-hint" }, "There is no map.")); return; }
    if (!cell || !cell.done || cell.explained === null || cell.explained === undefined) {
      rsi.fill(root, el("p", { class: "rsi-hint" }, "The photo seen through the map, L ⊙ I, is shown to the network once the maps are made."));
      return;
    }
    const before = cell.before, after = cell.explained, drop = (before - after) / before;
    const words = after > before ? `an increase of ${exact(after / before - 1)} of it` : `a drop of ${exact(Math.max(0, drop))} of it`;
    rsi.fill(root, el("p", { class: "rsi-through" }, "Through this map the class has ", el("b", { "data-explained": after }, exact(after)), " instead of ", el("b", {}, exact(before)), `: ${words}.`));
  };

  rsi.boxed = function (root, found, threshold, clear) {
    if (!found) {
      rsi.fill(root, el("p", { class: "rsi-hint" }, "Draw a box on the photo, by dragging or with two clicks, and see how much of the map lies in it."));
      return;
    }
    const at = found.at, cells = [["energy", found.energy], ["IoU", at.iou], ["IoB", at.iob], ["IoR", at.ior]];
    rsi.fill(root,
      el("dl", { class: "rsi-scores" }, ...cells.map(([name, v]) => el("div", {}, el("dt", {}, name), el("dd", { "data-score": name }, v.toFixed(3))))),
      el("p", { class: "rsi-hint" }, `The box is ${(100 * found.share).toFixed(1)}% of what the network sees; IoU, IoB and IoR at threshold ${threshold.toFixed(2)}.`),
      rsi.chart({ series: ["iou", "iob", "ior"].map((name) => ({ points: found.curves.map((c) => [c.t, c[name]]) })), x: "threshold", y: "", marker: threshold, title: "IoU, IoB and IoR by threshold" }),
      rsi.legend(["IoU", "IoB", "IoR"]),
      el("button", { type: "button", class: "rsi-quiet", onclick: clear }, "Remove the box"));
  };
})(window.rsi);
