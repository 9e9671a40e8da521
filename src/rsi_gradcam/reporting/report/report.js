"use strict";
(() => {
  const number = (text) => (text === "" || text === undefined || text === "nan" ? null : Number(text));
  const compare = (one, other) => {
    if (one === null || other === null) return (one === null) - (other === null);
    return typeof one === "string" ? one.localeCompare(other) : one - other;
  };
  const shown = (value) => (Math.abs(value) < 0.001 && value !== 0 ? value.toExponential(2) : value.toFixed(3));

  // A click on a heading sorts its table; what has no value stays at the end.
  const valueOf = (row, column, numeric) => {
    const text = row.cells[column].dataset.value;
    return numeric ? number(text) : text;
  };
  for (const table of document.querySelectorAll("table.sortable")) {
    const heads = [...table.tHead.rows[0].cells];
    const body = table.tBodies[0];
    heads.forEach((head, column) =>
      head.firstElementChild.addEventListener("click", () => {
        const down = head.getAttribute("aria-sort") === "ascending";
        for (const each of heads) each.setAttribute("aria-sort", "none");
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        const rows = [...body.rows];
        const numeric = rows.some((row) => row.cells[column].classList.contains("num"));
        const sign = down ? -1 : 1;
        rows.sort((one, other) => {
          const pair = [valueOf(one, column, numeric), valueOf(other, column, numeric)];
          return pair.includes(null) ? compare(...pair) : sign * compare(...pair);
        });
        body.append(...rows);
      })
    );
  }

  // The filters above the table of means.
  for (const form of document.querySelectorAll("form[data-for]")) {
    const rows = document.querySelectorAll(`#${form.dataset.for} tbody tr, .on-paper tbody tr`);
    const filter = () => {
      const text = form.elements.text.value.toLowerCase();
      const layer = form.elements.layer.value;
      for (const row of rows) {
        const control = row.classList.contains("control");
        const elsewhere = layer && row.dataset.layer !== layer && row.dataset.layer !== "input";
        const other = text && !row.textContent.toLowerCase().includes(text);
        row.hidden = Boolean((control && !form.elements.controls.checked) || elsewhere || other);
      }
    };
    form.addEventListener("input", filter);
    form.addEventListener("submit", (event) => event.preventDefault());
    filter();
  }

  // The gallery: which cards are there, in which order, and the number under each map.
  const tools = document.getElementById("tools");
  if (!tools) return;
  const list = document.getElementById("cards");
  const better = JSON.parse(tools.dataset.better);
  const cards = [...list.children].map((element) => ({
    element,
    index: Number(element.dataset.index),
    p: Number(element.dataset.p),
    dark: element.dataset.dark === "1",
    text: element.dataset.text,
    values: JSON.parse(element.dataset.values),
    layers: [...element.querySelectorAll(".layer")],
    maps: [...element.querySelectorAll(".map[data-key]")],
  }));
  const keyOf = (card, by, of) => {
    if (by === "index" || by === "p") return card[by];
    const found = card.values[of] ? card.values[of][by] : null;
    return found === undefined ? null : found;
  };
  const filtered = (card, said) =>
    (!said.text || card.text.includes(said.text)) && card.p >= said.least && (!said.dark || card.dark);
  const update = () => {
    const said = {
      by: tools.elements.by.value,
      of: tools.elements.of.value,
      text: tools.elements.text.value.toLowerCase(),
      least: Number(tools.elements.least.value) || 0,
      dark: tools.elements.dark.checked,
      layer: tools.elements.layer.value,
      controls: tools.elements.controls.checked,
    };
    const rising = said.by === "index" || better[said.by] === "lower";
    const sign = (tools.elements.end.value === "best") === rising ? 1 : -1;
    const order = [...cards].sort((one, other) => {
      const pair = [keyOf(one, said.by, said.of), keyOf(other, said.by, said.of)];
      const first = pair.includes(null) ? compare(...pair) : sign * compare(...pair);
      return first || one.index - other.index;
    });
    for (const card of order) {
      card.element.hidden = !filtered(card, said);
      for (const layer of card.layers) layer.hidden = Boolean(said.layer) && layer.dataset.layer !== said.layer;
      for (const map of card.maps) {
        map.hidden = !said.controls && map.classList.contains("control");
        const own = card.values[map.dataset.key];
        const value = own && said.by !== "index" && said.by !== "p" ? own[said.by] : null;
        map.querySelector(".value").textContent = value === null || value === undefined ? "" : shown(value);
      }
    }
    list.append(...order.map((card) => card.element));
    list.classList.toggle("bare-maps", Boolean(tools.elements.bare && tools.elements.bare.checked));
    tools.elements.of.disabled = said.by === "index" || said.by === "p";
    const count = cards.filter((card) => !card.element.hidden).length;
    document.getElementById("shown").textContent = `${count} of ${cards.length} shown`;
  };
  tools.addEventListener("input", update);
  tools.addEventListener("submit", (event) => event.preventDefault());
  update();
})();
