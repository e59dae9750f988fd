// Parts of the table that load when a player opens them: the menu and text mode.

import { makeMenu } from "./menu.js";
import { makeTextMode } from "./textmode.js";
import { answerInWords, tableInWords } from "./words.js";

/** @import { Show } from "./store.js" */
/** @typedef {Omit<Parameters<typeof makeMenu>[0], "words">} MenuOfTable */
/** @typedef {Omit<import("./textmode.js").TextTable, "tell">} TextOfTable */

/** Create the menu and text mode. `times` returns the clock in words; `cards` returns the sorted
 * hand.
 * @param {HTMLElement} root of the table in words
 * @param {{menu: MenuOfTable, text: TextOfTable, times: () => {clock: string|null, away: string|null}, cards: () => Protocol.HeldCard[]}} table
 * @returns {{openMenu: () => void, showText: Show}} */
export function makeAsked(root, { menu, text, times, cards }) {
  const words = () => tableInWords(text.state().view, times(), cards());
  const openMenu = makeMenu({ ...menu, words });
  const show = makeTextMode(root, {
    ...text,
    tell: (ask) => text.say(answerInWords(ask, text.state().view, times(), cards())),
  });
  return { openMenu, showText: (state, now) => show(state, now, words()) };
}
