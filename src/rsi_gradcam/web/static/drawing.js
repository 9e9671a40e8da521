// Elements, and small charts as SVG.
(function (rsi) {
  "use strict";
  const SVG = "http://www.w3.org/2000/svg";

  // el("button", {class: "x", onclick: f}, "text", child …)
  rsi.el = function (name, attributes, ...children) {
    const made = name.startsWith("svg:") ? document.createElementNS(SVG, name.slice(4)) : document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
      if (value === null || value === undefined || value === false) continue;
      if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
      else if (key === "value" || key === "checked") made[key] = value;
      else made.setAttribute(key, value === true ? "" : value);
    }
    made.append(...children.filter((each) => each !== null && each !== undefined));
    return made;
  };

  rsi.fill = function (parent, ...children) {
    parent.replaceChildren(...children.filter((each) => each !== null && each !== undefined));
    return parent;
  };

  // A chart of lines. series: [{name, points: [[x, y]], dots}], both axes from 0 to 1 unless `top` is given.
  rsi.chart = function ({ series, x, y, marker, top = 1, title }) {
    const W = 320, H = 170, L = 40, R = 10, T = 8, B = 34, el = rsi.el;
    const px = (v) => L + v * (W - L - R), py = (v) => H - B - (v / top) * (H - T - B);
    const chart = el("svg:svg", { viewBox: `0 0 ${W} ${H}`, class: "rsi-chart", role: "img", "aria-label": title });
    for (const t of [0, 0.25, 0.5, 0.75, 1]) {
      chart.append(el("svg:line", { x1: L, x2: W - R, y1: py(t * top), y2: py(t * top), class: "rsi-rule" }));
      if (t % 0.5 === 0) {
        chart.append(el("svg:text", { x: L - 5, y: py(t * top) + 3.5, class: "rsi-tick", "text-anchor": "end" }, rsi.short(t * top)));
        chart.append(el("svg:text", { x: px(t), y: H - B + 14, class: "rsi-tick", "text-anchor": "middle" }, String(t)));
      }
    }
    chart.append(el("svg:text", { x: (L + W - R) / 2, y: H - 5, class: "rsi-tick", "text-anchor": "middle" }, x));
    chart.append(el("svg:text", { x: 10, y: (T + H - B) / 2, class: "rsi-tick", "text-anchor": "middle", transform: `rotate(-90 10 ${(T + H - B) / 2})` }, y));
    if (marker !== null && marker !== undefined) {
      chart.append(el("svg:line", { x1: px(marker), x2: px(marker), y1: T, y2: H - B, class: "rsi-marker" }));
    }
    series.forEach((line, index) => {
      const points = line.points.map(([a, b]) => `${px(a).toFixed(2)},${py(b).toFixed(2)}`);
      chart.append(el("svg:polyline", { points: points.join(" "), class: `rsi-line rsi-line-${index}` }));
      if (line.dots) for (const [a, b] of line.points) chart.append(el("svg:circle", { cx: px(a), cy: py(b), r: 2.6, class: `rsi-dot rsi-line-${index}` }));
    });
    return chart;
  };

  rsi.legend = (names) => rsi.el("div", { class: "rsi-legend" }, ...names.map((name, index) => rsi.el("span", {}, rsi.el("i", { class: `rsi-key-${index}` }), name)));

  // A control with its label; `shown` tells its value beside it.
  rsi.control = function (label, input, shown) {
    const id = "rsi-" + label.toLowerCase().replace(/\W+/g, "-");
    input.id = id;
    return rsi.el("div", { class: "rsi-control" }, rsi.el("label", { for: id }, label), input, shown || null);
  };
})(window.rsi);
