// The order of the cards in your hand. Pure, but for remembering the choice.

import { gettext } from "../text.js";

const ORDERS = { arrival: gettext("as drawn"), color: gettext("by colour"), number: gettext("by number") };
const SUITED = { color: gettext("by suit"), number: gettext("by rank") };

const COLORS = "RYGBSHDC";
const FACES = ["A", "S", "R", "+2", "J", "Q", "K"];
const PLAYING = /^(10|[2-9AJQK])([SHDC])$/;
const COLORED = /^([RYGB])(\d|S|R|\+2)$/;

/** Cards of a view, in the chosen order; equal cards stay in the order of arrival.
 * @template {{card: string}} T
 * @param {T[]} cards @param {string} order @returns {T[]} */
export function sortCards(cards, order) {
  if (order === "arrival") return [...cards];
  const rank = order === "color" ? byColor : byNumber;
  return cards
    .map((card, i) => ({ card, key: [...rank(parts(card.card)), i] }))
    .sort((a, b) => compare(a.key, b.key))
    .map(({ card }) => card);
}

/** What an order is called with these colours: playing cards have suits and ranks.
 * @param {string} order @param {Protocol.Color[]} colors */
export function orderName(order, colors) {
  return (suited(colors) && SUITED[order]) || ORDERS[order];
}

/** @param {Protocol.Color[]} colors */
export function suited(colors) {
  return colors.some(({ color }) => "SHDC".includes(color));
}

/** @param {string} order */
export function nextOrder(order) {
  const names = Object.keys(ORDERS);
  return names[(names.indexOf(order) + 1) % names.length];
}

/** Colour and face of a card by its notation; colourless cards come after all colours.
 * @param {string} card */
function parts(card) {
  const [, color, face] = COLORED.exec(card) ?? [];
  if (color) return { color: COLORS.indexOf(color), face: faceRank(face), name: card };
  const [, rank, suit] = PLAYING.exec(card) ?? [];
  if (rank) return { color: COLORS.indexOf(suit), face: faceRank(rank), name: card };
  const dead = { DR: "R", BB: "B" }[card];
  return { color: dead ? COLORS.indexOf(dead) : COLORS.length, face: 50, name: card };
}

/** @param {string} face */
function faceRank(face) {
  return /^\d+$/.test(face) ? Number(face) : 20 + FACES.indexOf(face);
}

const byColor = ({ color, face, name }) => [color, face, name];
const byNumber = ({ color, face, name }) => [face, color, name];

function compare(a, b) {
  const at = a.findIndex((value, i) => value !== b[i]);
  if (at < 0) return 0;
  return a[at] < b[at] ? -1 : 1;
}
