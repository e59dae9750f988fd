// Pictures and names of cards: the sprite draws them, the server names them.

import { svgUse } from "./dom.js";

const page = { sprite: "", names: {}, wild: "W" };

/** Called once, with the sprite's address, the names by notation, and which face a wild has.
 * @param {{sprite: string, names: Record<string, string>, wild: string}} deck */
export function setCards({ sprite, names, wild }) {
  Object.assign(page, { sprite, names, wild });
}

/** @param {string} card */
export function cardName(card) {
  return page.names[card] ?? card;
}

/** @param {string} card */
export function cardFace(card) {
  return svgUse("card", href(card));
}

export function cardBack() {
  return svgUse("card", href("back"));
}

/** @param {string} color */
export function shape(color) {
  return svgUse(`shape shape-${color}`, `${page.sprite}#s-${color}`);
}

/** Show another card on a face that is there already.
 * @param {Element} svg @param {string} card */
export function turnFace(svg, card) {
  const use = svg.firstElementChild;
  if (use.getAttribute("href") !== href(card)) use.setAttribute("href", href(card));
}

/** @param {string} card */
function href(card) {
  return `${page.sprite}#${card === "W" ? page.wild : card}`;
}
