// Pictures, names and sort order of cards. The pictures come from a sprite, everything else from the deck that the
// server sends.

import { svgPart, svgUse } from "./dom.js";

/** @typedef {{card: string, cards: string[], title: string, text: string}} Special */
/** @typedef {{changed: {title: string, text: string}[], specials: Special[], reasons: Record<string, string>}} HouseRules sent in the page */

/** @type {{sprite: string, deck: Protocol.DeckFacts, specials: Special[], reasons: Record<string, string>}} */
const page = { sprite: "", specials: [], reasons: {}, deck: { cards: {}, orders: { arrival: "", color: "", number: "" }, noun: "", example: "", labels: [] } };

/** Set the sprite, the deck and the house rules of the page. Call this once, before all other
 * functions.
 * @param {{sprite: string, deck: Protocol.DeckFacts, specials?: Special[], reasons?: Record<string, string>}} found
 */
export function setCards({ sprite, deck, specials = [], reasons = {} }) {
  Object.assign(page, { sprite, deck, specials, reasons });
}

/** @param {string} card */
export function cardName(card) {
  return page.deck.cards[card]?.name ?? card;
}

/** Return a card's name, its effect and its points. `title` and `text` are empty for a plain card.
 * @param {string} card */
export function cardHelp(card) {
  const { title = "", text = "" } = page.specials.find(({ cards }) => cards.includes(card)) ?? {};
  return { name: cardName(card), title, text, points: page.deck.cards[card]?.points ?? 0 };
}

/** Return a short reason for a draw out of turn, or "" if the card makes it clear.
 * @param {string} why */
export const drawReason = (why) => page.reasons[why] ?? "";

/** Return a card's position in a sorted hand. @param {string} card @param {string} order "color" or "number" */
export function placeOf(card, order) {
  return page.deck.cards[card][/** @type {"color"|"number"} */ (order)];
}

/** Return the label of a sort order. For playing cards, it names suits and ranks instead of colours and numbers.
 * @param {string} order "arrival", "color" or "number" */
export function orderName(order) {
  return page.deck.orders[order];
}

/** Return this deck's word for a colour, such as "suit". */
export function colorNoun() {
  return page.deck.noun;
}

/** Return a plain card as an example of how to type a card. */
export function exampleCard() {
  return page.deck.example;
}

/** @param {string} card */
export function cardFace(card) {
  const face = svgUse("card", href(card));
  if (page.deck.labels?.includes(card)) face.append(nameOn(cardName(card)));
  return face;
}

// The viewBox of a card, and the maximum width of a line of its name in the same units.
const CARD_BOX = "0 0 60 90";
const LINE = 42;
const MOST_LETTER = 10;
/** Width of a letter divided by its height. */
const LETTER = 0.62;

/** Draw the name of a card without a symbol on one or two lines at the bottom. @param {string} name */
function nameOn(name) {
  const lines = splitName(name);
  const size = Math.min(MOST_LETTER, LINE / (LETTER * Math.max(...lines.map(({ length }) => length))));
  const box = svgPart("svg", { viewBox: CARD_BOX });
  box.append(...lines.map((text, i) => {
    const line = svgPart("text", { "x": 30, "y": 79 - (lines.length - 1 - i) * size * 1.1, "text-anchor": "middle", "font-size": size, "font-weight": 800 });
    line.textContent = text;
    return line;
  }));
  return box;
}

/** Split a long name into two lines of similar length. @param {string} name @returns {string[]} */
function splitName(name) {
  const words = name.split(" ");
  if (name.length <= MOST_LETTER || words.length === 1) return [name];
  const cuts = words.slice(1).map((_, i) => [words.slice(0, i + 1).join(" "), words.slice(i + 1).join(" ")]);
  const longest = (/** @type {string[]} */ pair) => Math.max(...pair.map(({ length }) => length));
  return cuts.reduce((best, pair) => (longest(pair) < longest(best) ? pair : best));
}

export function cardBack() {
  return svgUse("card", href("back"));
}

/** @param {string} color */
export function shape(color) {
  return svgUse(`shape shape-${color}`, `${page.sprite}#s-${color}`);
}

/** Return the name of a card's picture. @param {string} card */
export const artOf = (card) => page.deck.cards[card]?.art ?? card;

/** @param {string} card */
const href = (card) => `${page.sprite}#${artOf(card)}`;
