// Pictures and names of cards: the sprite draws them, the server names them.

import { svgUse } from "./dom.js";

const page = { sprite: "", names: {}, wild: "W" };

/** Called once, with the sprite's address, the names by notation, and which face a wild has. */
export function setCards({ sprite, names, wild }) {
  Object.assign(page, { sprite, names, wild });
}

export function cardName(card) {
  return page.names[card] ?? card;
}

export function cardFace(card) {
  return svgUse("card", href(card));
}

export function cardBack() {
  return svgUse("card", href("back"));
}

export function shape(color) {
  return svgUse(`shape shape-${color}`, `${page.sprite}#s-${color}`);
}

/** Show another card on a face that is there already. */
export function turnFace(svg, card) {
  const use = svg.firstElementChild;
  if (use.getAttribute("href") !== href(card)) use.setAttribute("href", href(card));
}

function href(card) {
  return `${page.sprite}#${card === "W" ? page.wild : card}`;
}
