// Shows all players' cards on a commentator's table.

import { part } from "../elements.js";
import { cardFace, cardName } from "./cards.js";
import { h, keyed, onChange, setAttribute, setText } from "./dom.js";
import { sortCards } from "./sorting.js";

/** @import { Show } from "./store.js" */

/** Create the rows with the cards of each seat in the hand. Without an element for them, nothing is shown.
 * @param {HTMLElement|null} root @returns {Show} */
export function makeOpen(root) {
  if (!root) return () => {};
  const list = h("ol.open-list");
  const empty = h("p.open-none");
  root.replaceChildren(list, empty);
  return onChange(({ view }) => [view], ({ view }) => {
    const rows = view.open ?? [];
    setAttribute(list, "data-many", rows.length > 6 || null);
    keyed(list, rows, ({ seat }) => seat, makeRow, (row, { seat, cards }) => showRow(row, view.seats[seat], cards, view.turn === seat));
    setText(empty, rows.length ? "" : view.prompt);
  });
}

function makeRow() {
  return h("li.open-row", {}, h("h2.open-name", { translate: "no" }), h("div.open-cards"));
}

/** @param {HTMLElement} row @param {Protocol.SeatAtTable} seat @param {string[]} cards @param {boolean} turn */
function showRow(row, { name }, cards, turn) {
  setAttribute(row, "data-turn", turn || null);
  setText(part(row, ".open-name"), `${turn ? "▶\uFE0E " : ""}${name} · ${cards.length}`);
  const sorted = sortCards(cards.map((card) => ({ card })), "color");
  keyed(part(row, ".open-cards"), sorted, ({ card }, i) => `${card}${i}`, ({ card }) =>
    h("span", { role: "img", "aria-label": cardName(card) }, cardFace(card)));
}
