// Pictures, names and order of cards: the sprite draws them, the deck that the server sends says all else.

import { svgUse } from "./dom.js";

/** @type {{sprite: string, deck: Protocol.DeckFacts}} */
const page = { sprite: "", deck: { cards: {}, orders: { arrival: "", color: "", number: "" }, noun: "", example: "" } };

/** Called once, with the sprite's address and the deck.
 * @param {{sprite: string, deck: Protocol.DeckFacts}} found */
export function setCards({ sprite, deck }) {
  Object.assign(page, { sprite, deck });
}

/** @param {string} card */
export function cardName(card) {
  return page.deck.cards[card]?.name ?? card;
}

/** A card's place when a hand is sorted.
 * @param {string} card @param {string} order "color" or "number" */
export function placeOf(card, order) {
  return page.deck.cards[card][/** @type {"color"|"number"} */ (order)];
}

/** What an order is called with this deck: playing cards have suits and ranks.
 * @param {string} order "arrival", "color" or "number" */
export function orderName(order) {
  return page.deck.orders[order];
}

/** What a colour is called with this deck. */
export function colorNoun() {
  return page.deck.noun;
}

/** A plain card, to show how one is typed. */
export function exampleCard() {
  return page.deck.example;
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
  return `${page.sprite}#${page.deck.cards[card]?.art ?? card}`;
}
