// The explorer: keeps what the server told, and shows it.
(function (rsi) {
  "use strict";
  const el = rsi.el;
  const VIEWS = [["overlay", "Over the photo"], ["heatmap", "Map alone"], ["through", "Photo through the map"]];
  const NORMALISE = [["own", "each by its range"], ["joint", "all by one range"], ["paper", "ε = 1e-8 (paper)"]];
  const FORGOTTEN = "This page is no longer known: the server was started again, or has had too many visitors since. Load the page again.";
  const SILENT = "The server does not answer. Is it still running?";
  const GRID = Array.from({ length: 19 }, (_, i) => (i + 1) / 20);

  rsi.Viewer = class {
    // page: {trigger, server, tables}
    constructor(root, page) {
      Object.assign(this, page);
      this.cells = new Map();
      this.state = { predictions: [], classes: [], run: null, photo: null };
      this.look = { colours: page.colours[0], opacity: 0.7, threshold: 0.5, contour: true, view: "overlay", normalise: "own" };
      this.decoded = Object.fromEntries(Object.entries(page.tables).map(([name, table]) => [name, rsi.bytes(table)]));
      this.stage = new rsi.Stage({ value: (text) => { this.value.textContent = text || " "; }, box: () => this.measure() });
      this.forming = new rsi.Forming((canvas, heat, shape) => this.paintSmall(canvas, heat, shape));
      this.build(root);
      this.grid = new rsi.Grid(this.gridRoot, (key) => { this.selected = key; this.draw(); });
      this.predictions = new rsi.Predictions(document.querySelector("#rsi-predictions"), (classes, name, beside) => {
        this.says.textContent = "waiting for its turn";
        this.trigger("chosen", { classes, name: name || "", beside: Boolean(beside) });
      });
      this.known = new Promise((done) => { this.greeted = done; }); // with the token
      this.catchFiles();
    }

    // A photo that is dropped or pasted anywhere on the page.
    catchFiles() {
      const send = async (files) => {
        const file = [...(files || [])].find((each) => each.type.startsWith("image/")) || (files || [])[0];
        if (!file) return;
        try { const { path } = await this.upload(file); this.trigger("dropped", { path }); }
        catch (error) { this.tell(`${file.name} could not be sent: ${error.message || error}`); }
      };
      const over = (on) => document.body.classList.toggle("rsi-over", on);
      document.addEventListener("dragover", (e) => { if (e.dataTransfer.types.includes("Files")) { e.preventDefault(); over(true); } });
      document.addEventListener("dragleave", (e) => { if (!e.relatedTarget) over(false); });
      document.addEventListener("drop", (e) => { over(false); if (e.defaultPrevented || !e.dataTransfer.files.length) return; e.preventDefault(); send(e.dataTransfer.files); });
      document.addEventListener("paste", (e) => { if (e.clipboardData.files.length) { e.preventDefault(); send(e.clipboardData.files); } });
    }

    build(root) {
      const range = (name, min, max, step) => {
        const says = el("output", {}, this.look[name].toFixed(2));
        const input = el("input", { type: "range", min, max, step, value: this.look[name], oninput: () => { this.look[name] = +input.value; says.textContent = (+input.value).toFixed(2); this.soon(); } });
        return [input, says];
      };
      const choose = (name, options) => {
        const input = el("select", { onchange: () => { this.look[name] = input.value; this.draw(); } }, ...options.map(([value, text]) => el("option", { value }, text)));
        return input;
      };
      const contour = el("input", { type: "checkbox", id: "rsi-contour", checked: true, onchange: () => { this.look.contour = contour.checked; this.draw(); } });
      const views = el("div", { class: "rsi-views", role: "radiogroup", "aria-label": "What is shown" }, ...VIEWS.map(([value, text]) =>
        el("label", {}, el("input", { type: "radio", name: "rsi-view", value, checked: value === "overlay", onchange: () => { this.look.view = value; this.draw(); } }), text)));
      this.progress = el("div", { class: "rsi-progress" },
        this.bar = el("progress", { max: 1, value: 0, "aria-label": "Progress of the maps" }),
        this.says = el("span", { role: "status", "aria-live": "polite" }, ""),
        this.stop = el("button", { type: "button", class: "rsi-stop", onclick: () => this.call("stop", {}) }, "Stop"));
      this.notice = el("p", { class: "rsi-notice", role: "alert" });
      this.value = el("p", { class: "rsi-value", "aria-live": "polite" }, " ");
      this.title = el("h3", { class: "rsi-title" });
      const panel = (name, extra, ...children) => el("details", { class: "rsi-panel" + extra, open: true }, el("summary", {}, name), ...children);
      this.empty = el("div", { class: "rsi-empty" }, el("p", {}, "Drop a photo, paste one, take one with the camera, or choose a sample."), el("p", { class: "rsi-hint" }, "The network says what it sees; the maps show where it looked for it. Nothing leaves this machine."));
      this.body = el("div", { class: "rsi-body", hidden: true },
        this.progress,
        this.gridRoot = el("div", {}),
        el("div", { class: "rsi-large" },
          el("div", { class: "rsi-picture" }, this.title, this.stage.canvas, this.value),
          el("div", { class: "rsi-looks" }, views,
            rsi.control("Colours", choose("colours", this.colours.map((c) => [c, c === "jet" || c === "turbo" ? `${c} (not for the colour-blind)` : c]))),
            rsi.control("Opacity", ...range("opacity", 0, 1, 0.01)),
            rsi.control("Threshold", ...range("threshold", 0.01, 0.99, 0.01)),
            el("div", { class: "rsi-check" }, contour, el("label", { for: "rsi-contour" }, "draw the threshold's contour")),
            rsi.control("Normalise", choose("normalise", NORMALISE)),
            el("h4", {}, "Box"), this.boxRoot = el("div", { class: "rsi-box", "aria-live": "polite" }))),
        el("div", { class: "rsi-panels" },
          panel("How sure is this map?", " rsi-wide", this.sureRoot = el("div", { class: "rsi-sure" })),
          panel("The photo seen through the map", "", el("div", { class: "rsi-seen" }, this.throughCanvas = el("canvas", { class: "rsi-small", role: "img", "aria-label": "The explanation map: the photo times the map" }), this.throughRoot = el("div", {}))),
          panel("Take it with you", "", this.takes())));
      rsi.fill(root, this.notice, this.empty, this.body);
    }

    takes() {
      const kinds = [["png", "PNG", "the picture as it is shown"], ["svg", "SVG", "the same with title and numbers"], ["npz", "NPZ", "all maps and their numbers"], ["script", "Script", "Python that makes all this again"]];
      return el("div", { class: "rsi-takes" }, ...kinds.map(([kind, name, what]) => el("button", { type: "button", "data-kind": kind, onclick: () => this.take(kind) }, el("b", {}, name), el("span", {}, what))));
    }

    async take(kind) {
      const given = await this.call("take", { kind, key: this.selected || "", look: this.look, box: this.stage.box });
      if (!given) return;
      if (given.fault) { this.tell(given.fault); return; }
      const url = URL.createObjectURL(new Blob([rsi.bytes(given.data)], { type: given.mime }));
      el("a", { href: url, download: given.name }).click();
      setTimeout(() => URL.revokeObjectURL(url), 10000);
    }

    // A function of the server; nothing if it does not answer.
    async call(name, asked) {
      try { return await this.server[name]({ token: await this.known, ...asked }); }
      catch { this.tell(SILENT); return null; }
    }

    tell(text) { this.notice.textContent = text || ""; this.notice.hidden = !text; }

    // A state from the server, whole each time.
    hear(text) {
      if (!text) return;
      const before = this.state.token;
      this.state = JSON.parse(text);
      this.greeted(this.state.token);
      if (before && before !== this.state.token) { this.tell(FORGOTTEN); return; }
      const { photo, run, notice } = this.state;
      this.tell(notice || (run && run.state === "failed" ? run.fault : ""));
      this.empty.hidden = Boolean(photo);
      this.body.hidden = !photo;
      this.predictions.show(this.state);
      this.drawProgress(run);
      this.pull();
    }

    drawProgress(run) {
      const running = Boolean(run && (run.state === "running" || run.state === "waiting"));
      this.progress.classList.toggle("rsi-running", running);
      this.stop.disabled = !running;
      this.bar.value = run ? run.share : 0;
      const error = run && run.error !== null ? ` · error ${rsi.short(run.error)}` : "";
      const words = { waiting: "waiting for its turn", running: "looking", done: "done", stopped: "stopped", failed: "failed" };
      const passes = running ? ` · ${run.passes} passes${error}` : "";
      this.says.textContent = run ? words[run.state] + passes : "";
    }

    // Fetches what is new. One request at a time; what came meanwhile is fetched after it.
    async pull() {
      if (this.pulling) { this.again = true; return; }
      this.pulling = true;
      try {
        do {
          this.again = false;
          const run = this.state.run, have = {};
          if (run && run.id === this.runId) for (const [key, cell] of this.cells) have[key] = cell.version;
          const lacks = run && Object.entries(run.cells).some(([key, version]) => have[key] !== version);
          const photo = this.info ? this.info.id : "";
          if (this.state.photo && (this.state.photo.id !== photo || lacks || (run && run.id !== this.runId))) await this.take_in(await this.call("pull", { have, photo }));
        } while (this.again);
      } finally { this.pulling = false; }
    }

    async take_in(found) {
      if (!found) return;
      if (found.photo) await this.newPhoto(found.photo);
      if (found.run !== this.runId) { this.runId = found.run; this.cells.clear(); this.heats = new Map(); }
      for (const cell of found.cells) {
        if (!cell.refusal) cell.raw = rsi.floats(cell.raw);
        if (cell.forming) cell.forming.maps = rsi.floats(cell.forming.maps);
        this.cells.set(cell.key, cell);
        this.heats.delete(cell.key);
      }
      this.draw();
    }

    async newPhoto(info) {
      const image = new Image();
      image.src = info.url;
      await image.decode();
      this.info = info;
      this.current = null;
      const scale = Math.min(2, Math.max(1, 900 / Math.max(image.naturalWidth, image.naturalHeight)));
      const [width, height] = [image.naturalWidth, image.naturalHeight].map((side) => Math.round(side * scale));
      const pen = el("canvas", { width, height }).getContext("2d", { willReadFrequently: true });
      pen.imageSmoothingQuality = "high";
      pen.drawImage(image, 0, 0, width, height);
      this.cells.clear();
      this.grid.photo(image, info);
      this.grid.shape = null;
      this.stage.photo(info, pen.getImageData(0, 0, width, height));
      this.mend();
    }

    mend() { if (this.unseen && this.info && this.state.photo && this.unseen.src !== this.info.url) this.unseen.src = this.info.url; }

    soon() {
      if (this.waiting) return;
      this.waiting = requestAnimationFrame(() => { this.waiting = 0; this.draw(); });
    }

    // The map as it is normalised now; made once for each way of normalising.
    values(key) {
      const cell = this.cells.get(key), how = this.look.normalise;
      if (cell.refusal) return null;
      this.heats = this.heats || new Map();
      const kept = this.heats.get(key), shown = kept ? kept.shown : rsi.shown(cell);
      const range = how === "joint" && cell.done ? this.jointRange() : kept ? kept.own : rsi.range(shown);
      if (kept && kept.how === how && String(kept.range) === String(range)) return kept;
      const epsilon = !cell.done ? 0 : how === "paper" ? 1e-8 : cell.epsilon;
      const made = { how, shown, range, own: how === "joint" ? rsi.range(shown) : range, heat: rsi.normalised(shown, range, epsilon), raw: cell.raw, shape: cell.shape };
      this.heats.set(key, made);
      return made;
    }

    jointRange() {
      const ranges = [...this.cells.values()].filter((c) => c.done && !c.refusal).map((c) => rsi.range(rsi.shown(c)));
      return [Math.min(...ranges.map((r) => r[0])), Math.max(...ranges.map((r) => r[1]))];
    }

    // Of two with the same method and layer the one that was looked at; else RSI-Grad-CAM, else the first.
    choose() {
      if (this.selected && this.cells.has(this.selected)) return;
      const keys = [...this.cells.keys()], [method, layer] = (this.selected || "rsi_grad_cam|").split("|");
      const near = keys.filter((k) => k.startsWith(method + "|"));
      const pick = near.find((k) => k.startsWith(`${method}|${layer}|`)) || near[0];
      if (pick) this.selected = pick;
      else if (!this.state.run || this.state.run.state === "done" || !this.selected) this.shownInstead = keys[0];
    }

    draw() {
      const run = this.state.run;
      if (!this.info || !run) return;
      this.choose();
      const key = this.cells.has(this.selected) ? this.selected : [...this.cells.keys()][0];
      const look = { ...this.look, table: this.decoded[this.look.colours] };
      const stamp = [look.colours, look.opacity, look.normalise, look.view, look.normalise === "joint" ? this.cells.size : ""].join();
      this.grid.show(run, this.cells, key, look, (each) => this.values(each), stamp);
      const cell = key ? this.cells.get(key) : null, values = cell ? this.values(key) : null;
      const before = this.current;
      this.current = { key, cell, values };
      const old = !cell && before && before.values; // until the first map of a new run is there, the last one stays
      this.stage.canvas.classList.toggle("rsi-old", Boolean(old));
      if (old) { this.current = before; this.title.textContent = "looking …"; return; }
      this.stage.show(values, look);
      this.title.textContent = cell && cell.refusal ? `${run.methods.find((m) => m.name === cell.method).title}: not possible here` : cell && cell.place ? `${cell.place} · ${this.className(cell.index)}` : cell ? "settling …" : "";
      this.measure();
      if (this.told !== `${key} ${cell && cell.version} ${stamp}`) {
        this.told = `${key} ${cell && cell.version} ${stamp}`;
        rsi.sure(this.sureRoot, cell, this.forming.root);
        this.forming.show(cell);
        rsi.through(this.throughRoot, cell);
        this.paintSmall(this.throughCanvas, values ? values.heat : null, values ? values.shape : null, "through");
      }
    }

    className(index) {
      const one = this.state.run.classes.find((c) => c.index === index);
      return one ? one.name.split(",")[0] : "";
    }

    paintSmall(canvas, heat, shape, view = "overlay") {
      const pixels = this.grid.pixels;
      canvas.hidden = !heat;
      if (!heat || !pixels) return;
      canvas.width = pixels.width;
      canvas.height = pixels.height;
      const pen = canvas.getContext("2d"), out = pen.createImageData(pixels.width, pixels.height);
      rsi.paint(out.data, pixels.data, rsi.place(heat, shape, this.grid.window, [pixels.width, pixels.height]), { ...this.look, view, table: this.decoded[this.look.colours] });
      pen.putImageData(out, 0, 0);
    }

    measure() {
      const box = this.stage && this.stage.box, values = this.current && this.current.values;
      if (!this.boxRoot) return;
      let found = null;
      if (box && values) {
        const heat = rsi.upsample(values.heat, values.shape, this.info.input);
        found = rsi.measure(heat, this.info.input, rsi.toInput(box, this.info.window, this.info.input), [...GRID, this.look.threshold]);
        found.at = found.curves.pop();
      }
      rsi.boxed(this.boxRoot, found, this.look.threshold, () => this.stage.clear());
    }
  };

  // Gradio's custom component hands over its element and its ways to the server.
  rsi.start = function (element, page, props, watch) {
    const viewer = new rsi.Viewer(element.querySelector(".rsi-explorer"), page);
    rsi.viewer = viewer;
    watch("value", () => viewer.hear(props.value));
    viewer.hear(props.value);
    mendPreview(viewer);
  };

  // Gradio's preview of a file that is no picture, or one that browsers do not know, such as TIFF.
  function mendPreview(viewer) {
    const own = (e) => (e.target.closest && e.target.closest("#rsi-photo") ? e.target : null);
    document.addEventListener("error", (e) => {
      const image = own(e);
      if (!image) return;
      image.style.visibility = "hidden";
      viewer.unseen = image;
      viewer.mend();
    }, true);
    document.addEventListener("load", (e) => { if (own(e)) { e.target.style.visibility = ""; viewer.unseen = null; } }, true);
  }
})(window.rsi);
