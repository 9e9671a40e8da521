// The second tab: an evaluation's table, curves and photos.
(function (rsi) {
  "use strict";
  const el = rsi.el;
  const ARROWS = { higher: " ↑", lower: " ↓", neither: "" };
  const words = (name) => name.replace(/_/g, " ");

  rsi.StoreTab = class {
    // page: {trigger, server, names, token()}
    constructor(root, page) {
      Object.assign(this, page);
      this.root = root;
      this.asked = { text: "", least: 0, sort: "", of: "", falling: true, dark: false, page: 0 };
      if (!this.names.length) {
        rsi.fill(root, el("div", { class: "rsi-empty" }, el("p", {}, "No evaluation was named when the page was started."),
          el("p", { class: "rsi-hint" }, "Start it with ", el("code", {}, "rsi-gradcam app --store FOLDER"), "; ", el("code", {}, "rsi-gradcam evaluate run"), " makes one.")));
        return;
      }
      const select = el("select", { onchange: () => this.open(+select.value) }, ...this.names.map((name, i) => el("option", { value: i }, name)));
      this.notice = el("p", { class: "rsi-notice", role: "alert", hidden: true });
      rsi.fill(root, this.notice, rsi.control("Evaluation", select), this.body = el("div", { "aria-live": "polite" }, this.button = el("button", { type: "button", class: "rsi-quiet", onclick: () => this.open(+select.value) }, "Open")));
    }

    async ask(name, more) {
      let found;
      try { found = await this.server[name]({ token: await this.token(), store: this.place, ...more }); }
      catch { found = { fault: "The server does not answer. Is it still running?" }; }
      this.notice.textContent = found.fault || "";
      this.notice.hidden = !found.fault;
      return found.fault ? null : found;
    }

    async open(place) {
      this.place = place;
      rsi.fill(this.body, el("p", { class: "rsi-hint" }, "Reading the evaluation, and drawing its intervals …"));
      const study = await this.ask("study", {});
      if (!study) { rsi.fill(this.body, this.button); return; }
      this.study = study;
      this.asked = { ...this.asked, sort: "", of: study.series.length ? study.series[0].key : "", page: 0 };
      this.chartRoot = el("div", { class: "rsi-curves" });
      this.galleryRoot = el("div", {});
      rsi.fill(this.body,
        el("p", { class: "rsi-ground" }, study.ground),
        el("p", { class: "rsi-hint" }, Object.entries(study.funnel).map(([what, n]) => `${what}: ${n}`).join(" · ")),
        ...this.verdicts(), this.table(), this.curves(), this.tools(), this.galleryRoot,
        el("details", { class: "rsi-panel" }, el("summary", {}, "How these numbers are to be read"), ...study.notes.map((note) => el("p", {}, note))));
      await this.gallery();
    }

    verdicts() {
      const held = this.study.verdicts.filter((v) => !/^(no difference|unclear)/.test(v));
      return [el("h3", {}, "What it says"), el("ul", { class: "rsi-verdicts" }, ...(held.length ? held : ["No difference was seen."]).slice(0, 12).map((v) => el("li", {}, v)))];
    }

    table() {
      const { columns, rows } = this.study, best = (column, layer) => {
        const own = rows.filter((r) => !r.control && r.layer === layer && r.values[column.name]?.mean != null);
        const sign = column.better === "higher" ? 1 : column.better === "lower" ? -1 : 0;
        return sign && own.length > 1 ? Math.max(...own.map((r) => sign * r.values[column.name].mean)) * sign : null;
      };
      const head = el("tr", {}, el("th", { scope: "col" }, "Method"), el("th", { scope: "col" }, "Layer"), ...columns.map((c) => el("th", { scope: "col" }, words(c.name) + ARROWS[c.better])));
      const body = rows.map((row) => el("tr", { class: row.control ? "rsi-control-row" : null }, el("th", { scope: "row" }, row.title), el("td", {}, row.layer),
        ...columns.map((column) => {
          const v = row.values[column.name];
          if (!v || v.mean === null) return el("td", {}, "–");
          const bold = !row.control && best(column, row.layer) === v.mean;
          return el("td", {}, el(bold ? "strong" : "span", {}, rsi.short(v.mean)), el("small", {}, ` ${rsi.short(v.low)} … ${rsi.short(v.high)}`));
        })));
      return el("div", { class: "rsi-grid-scroll", tabindex: 0, role: "group", "aria-label": "Table of means" },
        el("table", { class: "rsi-table" }, el("caption", {}, "Means with 95% intervals. Bold: the best method at its layer. Grey: controls."), el("thead", {}, head), el("tbody", {}, ...body)));
    }

    curves() {
      const { curves } = this.study;
      if (!curves.length) return null;
      const layers = [...new Set(curves[0].lines.filter((l) => !l.control).map((l) => l.layer))];
      const which = el("select", { onchange: () => this.drawCurve(which.value, layer.value) }, ...curves.map((c) => el("option", { value: c.column }, words(c.column))));
      const layer = el("select", { onchange: () => this.drawCurve(which.value, layer.value) }, ...layers.map((l) => el("option", { value: l }, l)));
      this.drawCurve(curves[0].column, layers[0]);
      return el("section", {}, el("h3", {}, "Curves"), el("div", { class: "rsi-tools" }, rsi.control("Curve", which), rsi.control("At layer", layer)), this.chartRoot);
    }

    drawCurve(column, layer) {
      const curve = this.study.curves.find((c) => c.column === column), lines = curve.lines.filter((l) => l.layer === layer && !l.control).slice(0, 6);
      const last = curve.points[curve.points.length - 1] || 1, means = lines.flatMap((l) => l.means.filter((v) => v !== null));
      rsi.fill(this.chartRoot,
        rsi.chart({ series: lines.map((l) => ({ points: curve.points.map((t, i) => [last > 1 ? t / last : t, l.means[i] || 0]) })), x: last > 1 ? `share of ${last}` : "threshold", y: words(column), top: Math.max(...means, 1e-9) > 0.5 ? Math.max(1, ...means) : 0.5, title: `${words(column)} by threshold` }),
        rsi.legend(lines.map((l) => l.title)));
    }

    tools() {
      const ask = (change) => { Object.assign(this.asked, { page: 0 }, change); this.gallery(); };
      const text = el("input", { type: "search", maxlength: 80, onchange: () => ask({ text: text.value }) });
      const least = el("input", { type: "number", min: 0, max: 1, step: 0.05, value: 0, onchange: () => ask({ least: +least.value || 0 }) });
      const sort = el("select", { onchange: () => ask({ sort: sort.value }) }, el("option", { value: "" }, "the data set's order"), ...this.study.columns.map((c) => el("option", { value: c.name }, words(c.name))));
      const of = el("select", { onchange: () => ask({ of: of.value }) }, ...this.study.series.map((s) => el("option", { value: s.key }, `${s.title} at ${s.layer}`)));
      const way = el("select", { onchange: () => ask({ falling: way.value === "1" }) }, el("option", { value: 1 }, "high ones first"), el("option", { value: 0 }, "low ones first"));
      const dark = el("input", { type: "checkbox", id: "rsi-dark", onchange: () => ask({ dark: dark.checked }) });
      return el("section", {}, el("h3", {}, "Photos"), el("div", { class: "rsi-tools" }, rsi.control("Name or class", text), rsi.control("Sort by", sort), rsi.control("Of", of), rsi.control("Order", way), rsi.control("p from", least),
        el("div", { class: "rsi-check" }, dark, el("label", { for: "rsi-dark" }, "dark maps only"))));
    }

    async gallery() {
      const mine = this.turn = (this.turn || 0) + 1;
      const found = await this.ask("gallery", this.asked);
      if (!found || mine !== this.turn) return; // an earlier answer may come later
      const leaf = (by) => { this.asked.page = Math.max(0, this.asked.page + by); this.gallery(); };
      const end = found.begin + found.cards.length;
      rsi.fill(this.galleryRoot,
        el("p", { class: "rsi-hint", role: "status" }, found.count ? `${found.begin + 1} to ${end} of ${found.count}` : "No photo passes these filters."),
        el("ol", { class: "rsi-cards" }, ...found.cards.map((card) => this.card(card))),
        el("div", { class: "rsi-tools" }, el("button", { type: "button", class: "rsi-quiet", disabled: found.begin === 0, onclick: () => leaf(-1) }, "◀ Before"),
          el("button", { type: "button", class: "rsi-quiet", disabled: end >= found.count, onclick: () => leaf(1) }, "Next ▶")));
    }

    card(card) {
      const open = () => this.trigger("opened", { store: this.place, name: card.name });
      return el("li", { class: "rsi-panel" },
        el("h4", {}, card.category, card.p === null ? "" : ` ${rsi.percent(card.p)}`), el("p", { class: "rsi-hint" }, card.name),
        el("div", { class: "rsi-thumbs" }, ...card.maps.map((map) => el("figure", {}, el("img", { src: map.url, alt: map.title, loading: "lazy" }),
          el("figcaption", {}, map.title, map.value === null ? "" : `: ${rsi.short(map.value)}`, map.dark ? el("b", { class: "rsi-alarm" }, " dark") : null)))),
        el("button", { type: "button", class: "rsi-quiet", disabled: !card.openable, "aria-label": `Open ${card.name} in the explorer`, onclick: open }, card.openable ? "Open in the explorer" : "Photo out of reach"));
    }
  };

  rsi.startStore = function (element, page) {
    rsi.storeTab = new rsi.StoreTab(element.querySelector(".rsi-stores"), { ...page, token: () => rsi.viewer.known });
  };
})(window.rsi);
