// The chart of win chances below a replay. Its marker follows the current step.

import { find, part } from "../elements.js";
import { setText } from "../table/dom.js";
import { luckAt, positionText } from "./steps.js";

/** Connect the chart with the replay. The returned function moves the marker to a step, or does nothing if there is
 * no chart.
 * @param {Protocol.ReplayPage} replay @param {(step: number) => void} show */
export function makeChances(replay, show) {
  if (!replay.luck.length) return () => {};
  /** @type {HTMLInputElement} */
  const range = find("chance-step");
  range.addEventListener("input", () => show(range.valueAsNumber));
  return (/** @type {number} */ step) => {
    const { chances, text } = luckAt(replay, step);
    range.value = String(step);
    range.setAttribute("aria-valuetext", `${positionText(step, replay.steps.length - 1)}. ${text}`);
    const x = `${(100 * step) / Math.max(1, replay.luck.length - 1)}%`;
    for (const end of ["x1", "x2"]) find("here").setAttribute(end, x);
    for (const [seat, chance] of Object.entries(chances)) mark(seat, x, chance);
  };
}

/** @param {string} seat @param {string} x @param {number} chance in percent */
function mark(seat, x, chance) {
  const dot = part(document, `[data-at="${seat}"]`);
  dot.setAttribute("cx", x);
  dot.setAttribute("cy", `${100 - chance}%`);
  setText(part(document, `[data-chance-of="${seat}"]`), `${chance}%`);
}
