// Pictures, names and order of cards: the sprite draws them, the deck that the server sends says all else.

import { svgUse } from "./dom.js";

/** @typedef {{card: string, cards: string[], title: string, text: string}} Special */
/** @typedef {{changed: {title: string, text: string}[], specials: Special[], reasons: Record<string, string>}} HouseRules as the page has them */

/** @type {{sprite: string, deck: Protocol.DeckFacts, specials: Special[], reasons: Record<string, string>}} */
const page = { sprite: "", specials: [], reasons: {}, deck: { cards: {}, orders: { arrival: "", color: "", number: "" }, noun: "", example: "" } };

/** Called once, with the sprite's address and the deck.
 * @param {{sprite: string, deck: Protocol.DeckFacts, specials?: Special[], reasons?: Record<string, string>}} found */
export function setCards({ sprite, deck, specials = [], reasons = {} }) {
  Object.assign(page, { sprite, deck, specials, reasons });
}

/** @param {string} card */
export function cardName(card) {
  return page.deck.cards[card]?.name ?? card;
}

/** What a card is called, does and counts; `title` and `text` are empty for a plain one.
 * @param {string} card */
export function cardHelp(card) {
  const { title = "", text = "" } = page.specials.find(({ cards }) => cards.includes(card)) ?? {};
  return { name: cardName(card), title, text, points: page.deck.cards[card]?.points ?? 0 };
}

/** Why somebody draws out of turn, in a word or two, or "" where the card has said it.
 * @param {string} why */
export const drawReason = (why) => page.reasons[why] ?? "";

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

/** What a card's picture is called. @param {string} card */
export const artOf = (card) => page.deck.cards[card]?.art ?? card;

/** @param {string} card */
const href = (card) => `${page.sprite}#${artOf(card)}`;
