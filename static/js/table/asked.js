// What is there only for who asks for it, and fetched then: the menu, and the table in words.

import { makeMenu } from "./menu.js";
import { makeTextMode } from "./textmode.js";
import { answerInWords, tableInWords } from "./words.js";

/** @import { Show } from "./store.js" */
/** @typedef {Omit<Parameters<typeof makeMenu>[0], "words">} MenuOfTable */
/** @typedef {Omit<import("./textmode.js").TextTable, "tell"> & {answer: (text: string) => void}} TextOfTable */

/** Build both; `times` and `cards` are the clock in words and the hand in its order, as they are now.
 * @param {HTMLElement} root of the table in words
 * @param {{menu: MenuOfTable, text: TextOfTable, times: () => {clock: string|null, away: string|null}, cards: () => Protocol.HeldCard[]}} table
 * @returns {{openMenu: () => void, showText: Show}} */
export function makeAsked(root, { menu, text, times, cards }) {
  const words = () => tableInWords(text.state().view, times(), cards());
  const openMenu = makeMenu({ ...menu, words });
  const show = makeTextMode(root, {
    ...text,
    tell: (ask) => text.answer(answerInWords(ask, text.state().view, times(), cards())),
  });
  return { openMenu, showText: (state, now) => show(state, now, words()) };
}
