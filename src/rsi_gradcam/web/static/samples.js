// Photos to begin with.
(function (rsi) {
  "use strict";
  const el = rsi.el;

  rsi.startSamples = function (element, { trigger, samples }) {
    if (!samples.length) return;
    rsi.fill(element.querySelector(".rsi-samples"), el("h3", {}, "Samples"), el("ul", {}, ...samples.map((sample) =>
      el("li", {}, el("button", { type: "button", "aria-label": `Sample photo: ${sample.title}`, onclick: () => trigger("picked", { name: sample.name }) },
        el("img", { src: sample.url, alt: "" }))))));
  };
})(window.rsi);
