// Sorts the cards in your hand by the positions that the deck defines.

import { placeOf } from "./cards.js";

const ORDERS = ["arrival", "color", "number"];

/** Return the cards in the chosen order. Equal cards stay in the order of arrival.
 * @template {{card: string}} T
 * @param {T[]} cards @param {string} order @returns {T[]} */
export function sortCards(cards, order) {
  if (order === "arrival") return [...cards];
  return [...cards].sort((a, b) => placeOf(a.card, order) - placeOf(b.card, order));
}

/** @param {string} order */
export function nextOrder(order) {
  return ORDERS[(ORDERS.indexOf(order) + 1) % ORDERS.length];
}
