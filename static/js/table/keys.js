// Keyboard shortcuts for the buttons.

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

/** Return the letter of a key. On keyboards with another script, it is the Latin letter at the same position.
 * @param {KeyboardEvent} event */
function letterOf({ key, code }) {
  const isLatin = key.length > 1 || key <= "\u007f";
  return (isLatin ? key : code.replace("Key", "")).toLowerCase();
}

/** @param {() => boolean} enabled */
export function listenToKeys(enabled) {
  document.addEventListener("keydown", (event) => {
    // A held key counts as one press, because its repetitions could hit the next button.
    if (event.repeat && event.key === "Enter" && within(event, "button")) event.preventDefault();
    if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || within(event, "input, dialog")) return;
    const selector = BUTTONS[letterOf(event)];
    if (!selector || !enabled()) return;
    /** @type {HTMLButtonElement|null} */
    const button = document.querySelector(selector);
    if (button && !button.hidden && !button.disabled) button.click();
  });
}
