// Every map of the run, methods across, layers and classes down.
(function (rsi) {
  "use strict";
  const el = rsi.el, SIDE = 220;

  rsi.Grid = class {
    constructor(root, chosen) {
      this.root = root;
      this.chosen = chosen;
      this.painted = new Map();
    }

    photo(image, info) {
      const scale = SIDE / Math.max(image.naturalWidth, image.naturalHeight);
      const size = [Math.max(1, Math.round(image.naturalWidth * scale)), Math.max(1, Math.round(image.naturalHeight * scale))];
      const pen = el("canvas", { width: size[0], height: size[1] }).getContext("2d", { willReadFrequently: true });
      pen.drawImage(image, 0, 0, ...size);
      this.pixels = pen.getImageData(0, 0, ...size);
      this.window = info.window.map((edge, i) => (edge * size[i % 2]) / info.size[i % 2]);
      this.painted.clear();
    }

    // The rows: {title, cells: [key or null for each method]}.
    rows(run, cells) {
      const rows = [], first = run.layers[0] && run.layers[0].path;
      for (const layer of run.layers) for (const one of run.classes) {
        const keys = run.methods.map(({ name }) => {
          const own = `${name}|${layer.path}|${one.index}`, aside = `${name}|input|${one.index}`;
          if (run.cells[aside] || cells.has(aside)) return layer.path === first ? aside : null;
          return own;
        });
        const name = run.classes.length > 1 ? ` · ${one.name.split(",")[0]}` : "";
        if (keys.some(Boolean)) rows.push({ title: layer.title + name, layer, one, keys });
      }
      return rows;
    }

    build(run, cells) {
      const shape = JSON.stringify([run.id, run.methods, run.layers, run.classes, Object.keys(run.cells).filter((k) => k.includes("|input|"))]);
      if (shape === this.shape) return;
      this.shape = shape;
      this.buttons = new Map();
      this.painted.clear();
      const head = el("tr", {}, el("td", {}), ...run.methods.map((m) => el("th", { scope: "col" }, m.title)));
      const body = this.rows(run, cells).map((row) => el("tr", {}, el("th", { scope: "row" }, row.title), ...row.keys.map((key) => (key ? el("td", {}, this.button(key)) : el("td", {})))));
      rsi.fill(this.root, el("div", { class: "rsi-grid-scroll", tabindex: 0, role: "group", "aria-label": "Maps, methods across, layers down" },
        el("table", { class: "rsi-grid" }, el("thead", {}, head), el("tbody", {}, ...body))));
    }

    button(key) {
      const canvas = el("canvas", { width: this.pixels ? this.pixels.width : SIDE, height: this.pixels ? this.pixels.height : SIDE });
      const note = el("span", { class: "rsi-note" }, "…");
      const button = el("button", { type: "button", class: "rsi-cell rsi-waiting", "data-key": key, onclick: () => this.chosen(key) }, canvas, note);
      if (this.pixels) canvas.getContext("2d").putImageData(this.pixels, 0, 0);
      this.buttons.set(key, { button, canvas, note });
      return button;
    }

    // values(key) gives {heat, shape}; only what changed is painted.
    show(run, cells, selected, look, values, stamp) {
      if (!this.pixels) return;
      this.build(run, cells);
      for (const [key, { button, canvas, note }] of this.buttons) {
        const cell = cells.get(key);
        button.setAttribute("aria-pressed", String(key === selected));
        if (!cell) continue;
        const now = `${cell.version} ${stamp}`;
        if (this.painted.get(key) === now) continue;
        this.painted.set(key, now);
        button.classList.toggle("rsi-waiting", !cell.done);
        const text = rsi.cellNote(cell);
        note.textContent = text;
        note.classList.toggle("rsi-alarm", Boolean(cell.refusal || (cell.done && cell.diagnosis.length)));
        button.title = cell.refusal || "";
        button.setAttribute("aria-label", `${cell.place || key.split("|").slice(0, 2).join(" at ")}: ${text}. Show it large.`);
        if (cell.refusal) continue;
        const { heat, shape } = values(key), pen = canvas.getContext("2d"), size = [canvas.width, canvas.height];
        const out = pen.createImageData(...size);
        rsi.paint(out.data, this.pixels.data, rsi.place(heat, shape, this.window, size), look);
        pen.putImageData(out, 0, 0);
      }
    }
  };

  rsi.cellNote = function (cell) {
    if (cell.refusal) return "not possible here";
    if (!cell.done) return "settling …";
    if (cell.diagnosis.length) return cell.diagnosis[0].cause;
    if (cell.course === null) return cell.layer === "input" ? "at the input" : cell.passes === 1 ? "1 pass" : `${cell.passes} passes`;
    return cell.error === null ? `${cell.passes} passes` : `error ${rsi.short(cell.error)}`;
  };
})(window.rsi);
