// Pictures, names and order of cards: the sprite draws them, the deck that the server sends says all else.

import { svgUse } from "./dom.js";

const page = { sprite: "", deck: { cards: {}, orders: {}, noun: "" } };

/** Called once, with the sprite's address and the deck: its cards by notation ({name, art, color,
 * number}, the last two being places in a sorted hand), the names of the orders, and what a colour
 * is called. */
export function setCards({ sprite, deck }) {
  Object.assign(page, { sprite, deck });
}

export function cardName(card) {
  return page.deck.cards[card]?.name ?? card;
}

/** A card's place when a hand is sorted by "color" or "number". */
export function placeOf(card, order) {
  return page.deck.cards[card][order];
}

/** What an order is called with this deck: playing cards have suits and ranks. */
export function orderName(order) {
  return page.deck.orders[order];
}

/** What a colour is called with this deck. */
export function colorNoun() {
  return page.deck.noun;
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
  return `${page.sprite}#${page.deck.cards[card]?.art ?? card}`;
}
