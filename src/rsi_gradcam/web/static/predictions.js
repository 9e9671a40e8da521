// What the network thinks, and which classes are explained.
(function (rsi) {
  "use strict";
  const el = rsi.el;

  rsi.Predictions = class {
    constructor(root, chosen) {
      this.root = root;
      this.chosen = chosen;
      this.comparing = false;
    }

    show(state) {
      this.state = state;
      const focused = document.activeElement && document.activeElement.dataset ? document.activeElement.dataset.index : null;
      if (!state.predictions.length) { rsi.fill(this.root); return; }
      const compare = el("button", { class: "rsi-quiet", type: "button", "aria-pressed": String(this.comparing), onclick: () => this.compare() },
        this.comparing ? "Choose the second class …" : state.classes.length > 1 ? "Explain one class" : "Compare two classes");
      rsi.fill(this.root,
        el("h3", {}, "What the network sees"),
        el("ol", { class: "rsi-predictions", "aria-label": "Predicted classes, likeliest first" }, ...state.predictions.map((each) => this.row(each))),
        compare, this.other());
      if (focused) this.root.querySelector(`[data-index="${focused}"]`)?.focus();
    }

    row({ index, name, p }) {
      const place = this.state.classes.indexOf(index), first = name.split(",")[0];
      const bar = el("span", { class: "rsi-bar", style: `width:${Math.max(0.5, 100 * p)}%` });
      return el("li", {}, el("button", {
        type: "button", title: name, "data-index": index, "aria-pressed": String(place >= 0),
        "aria-label": `${first}, ${rsi.percent(p)}: explain this class`, class: "rsi-prediction",
        onclick: () => this.click(index),
      }, bar, el("span", { class: "rsi-name" }, first), el("span", { class: "rsi-p" }, rsi.percent(p))));
    }

    // Any class by its name.
    other() {
      const input = el("input", { type: "text", placeholder: "another class, by name", "aria-label": "Explain another class, by its name", maxlength: 80 });
      return el("form", { class: "rsi-other", onsubmit: (e) => { e.preventDefault(); if (input.value.trim()) this.chosen(this.state.classes, input.value.trim(), this.comparing); } },
        input, el("button", { class: "rsi-quiet", type: "submit" }, "Explain"));
    }

    compare() {
      if (this.state.classes.length > 1) { this.comparing = false; this.chosen([this.state.classes[0]]); return; }
      this.comparing = !this.comparing;
      this.show(this.state);
    }

    click(index) {
      const now = this.state.classes;
      if (!this.comparing) { this.chosen([index]); return; }
      if (now.includes(index)) return;
      this.comparing = false;
      this.chosen([now[0], index]);
    }
  };
})(window.rsi);
