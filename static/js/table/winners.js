// The picture of the winners of a match, styled by static/css/end.css.

import { shape } from "./cards.js";
import { h } from "./dom.js";
import { faceClasses, faceLetter } from "./stage.js";

const SHAPES = 7;

/** Return the winners' faces with crowns among the deck's shapes. Hidden from screen readers, because the headline
 * names the winners.
 * @param {Protocol.SheetView} data @param {Protocol.WindowView} view */
export function winnersPicture({ over, winners }, { seats, colors }) {
  if (!over || !winners.length) return null;
  const shapes = Array.from({ length: SHAPES }, (_, i) => shape(colors[i % colors.length].color));
  return h("div.winners", { "aria-hidden": "true" }, h("span.winner-rays"), ...shapes, ...winners.map((seat) => crowned(seats[seat].face)));
}

/** @param {Protocol.Face} face */
function crowned(face) {
  return h("span.winner-face", {}, h("span.winner-crown"), h("span", { class: faceClasses(face) }, faceLetter(face)));
}
