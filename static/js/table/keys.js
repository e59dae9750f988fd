// Keyboard shortcuts for the buttons. A key does what its button does.

import { within } from "./dom.js";
import { gettext } from "../text.js";

export const KEYS = [
  ["← → ↑ ↓", gettext("move through your cards")],
  ["Enter", gettext("play the card")],
  ["?", gettext("show what the card does")],
  ["D", gettext("draw")], ["P", gettext("pass")], ["U", gettext("UNO!")], ["C", gettext("catch")], ["H", gettext("challenge")],
  ["S", gettext("sort your cards")], ["L", gettext("show what happened")], ["M", gettext("menu")], ["Esc", gettext("cancel")],
];

/** @type {Record<string, string>} */
const BUTTONS = {
  d: ".action-draw", p: ".action-pass", u: ".action-call", c: ".action-catch",
  h: ".action-challenge", s: ".sort", l: "#log-button", m: "#menu-button",
};

/** Return the letter of a key. If the keyboard does not write Latin letters, use the key's position; other
 * Latin layouts keep their own letters.
 * @param {KeyboardEvent} event */
function letterOf({ key, code }) {
  const isLatin = key.length > 1 || key <= "\u007f";
  return (isLatin ? key : code.replace("Key", "")).toLowerCase();
}

/** @param {() => boolean} enabled */
export function listenToKeys(enabled) {
  document.addEventListener("keydown", (event) => {
    // Holding a key down counts as one press, because the next button under it was not meant.
    if (event.repeat && event.key === "Enter" && within(event, "button")) event.preventDefault();
    if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || within(event, "input, dialog")) return;
    const selector = BUTTONS[letterOf(event)];
    if (!selector || !enabled()) return;
    /** @type {HTMLButtonElement|null} */
    const button = document.querySelector(selector);
    if (button && !button.hidden && !button.disabled) button.click();
  });
}
