// Players' reactions: eight faces and "good game". Players who hide reactions cannot send them.

import { part } from "../elements.js";
import { h, onChange, svgUse } from "./dom.js";
import { isPlayer } from "./store.js";
import { gettext } from "../text.js";

/** @import { Prefs } from "./prefs.js" */
/** @import { Show } from "./store.js" */

/** @type {Record<Protocol.Reacted["shown"], string>} */
export const NAMES = {
  smile: gettext("Smile"), laugh: gettext("Laughter"), wow: gettext("Amazement"), sad: gettext("Sadness"),
  cross: gettext("Anger"), think: gettext("Thinking"), clap: gettext("Applause"), heart: gettext("Heart"), "good-game": gettext("Good game!"),
};
const SHOWN_MS = 2600;
const EDGE = 30;

/** Return a sentence about a player's reaction. @param {Protocol.Reacted} message @param {Protocol.WindowView} view */
export function reactionInWords({ seat, shown }, { you, seats }) {
  const name = seat === you ? gettext("You") : seats[seat].name;
  return gettext("%(name)s: %(reaction)s", { name, reaction: NAMES[shown] });
}

/** @typedef {{sprite: string, prefs: () => Prefs, send: (shown: string) => void, say: (text: string) => void}} Reacting */

/** Return a button for each reaction. @param {Reacting} reacting @param {(shown: string) => void} choose */
function choices({ sprite }, choose) {
  return Object.entries(NAMES).map(([shown, name]) =>
    h("button.reaction-choice", { type: "button", "data-shown": shown, title: name, onclick: () => choose(shown) },
      svgUse("reaction-sign", `${sprite}#${shown}`), h("span", {}, name)));
}

/** Create the choice of reactions, which opens from your own face over the lower edge of the felt.
 * In text mode it is always open.
 * @param {{face: Element, stage: HTMLElement, words: HTMLElement}} places @param {Reacting} reacting @returns {Show}
 */
export function makeReactions({ face, stage, words }, reacting) {
  /** @param {string} shown */
  const choose = (shown) => {
    reacting.send(shown);
    close();
  };
  const box = h("div.reactions", { id: "reactions", role: "group", "aria-label": gettext("React") }, ...choices(reacting, choose));
  const button = h("button.react", { type: "button", "aria-label": gettext("React"), "aria-expanded": "false", "aria-controls": "reactions", title: gettext("React"), onclick: () => (box.isConnected ? close() : open()) },
    svgUse("reaction-sign", `${reacting.sprite}#smile`));
  const inWords = h("div.reactions", { role: "group", "aria-label": gettext("React") }, ...choices(reacting, reacting.send));
  const open = () => {
    stage.append(box);
    button.setAttribute("aria-expanded", "true");
    part(box, ".reaction-choice").focus({ preventScroll: true });
  };
  const close = () => {
    const within = box.contains(document.activeElement);
    box.remove();
    button.setAttribute("aria-expanded", "false");
    if (within) button.focus({ preventScroll: true });
  };
  box.addEventListener("keydown", (event) => event.key === "Escape" && close());
  document.addEventListener("pointerdown", (event) => {
    const on = /** @type {Node} */ (event.target);
    if (!box.contains(on) && !button.contains(on)) close();
  });
  face.append(button);
  words.append(inWords);
  return onChange((state) => [offered(state, reacting.prefs())], (state) => {
    for (const each of [button, inWords]) each.hidden = !offered(state, reacting.prefs());
    if (button.hidden) close();
  });
}

/** Return whether this window can send reactions now.
 * @param {import("./store.js").State} state @param {Prefs} prefs */
const offered = ({ desk, view }, { reactions }) => isPlayer(view) && Boolean(desk?.may_react) && reactions;

/** Create the "Good game!" button on the final score sheet. It works once.
 * @param {Reacting} reacting @returns {{element: HTMLElement, show: Show}} */
export function makeGoodGame(reacting) {
  const element = h("button.sheet-good-game", { type: "button", onclick: () => {
    reacting.send("good-game");
    element.disabled = true;
  } }, svgUse("reaction-sign", `${reacting.sprite}#good-game`), h("span", {}, NAMES["good-game"]));
  return {
    element,
    show(state) {
      element.hidden = !offered(state, reacting.prefs());
    },
  };
}

/** Return a function that shows a reaction at the player's seat and announces it, unless reactions are hidden.
 * @param {HTMLElement} layer above the table, ignoring taps
 * @param {Reacting & {place: (seat: number) => DOMRect|undefined}} reacting
 * @returns {(message: Protocol.Reacted, view: Protocol.WindowView) => void} */
export function makeReacted(layer, { sprite, prefs, say, place }) {
  return (message, view) => {
    if (!prefs().reactions) return;
    say(reactionInWords(message, view));
    const at = place(message.seat);
    if (!at?.width || document.hidden) return;
    const bubble = h("span.reaction", { "data-shown": message.shown, "data-seat-shown": message.seat }, svgUse("reaction-sign", `${sprite}#${message.shown}`));
    for (const earlier of layer.querySelectorAll(`[data-seat-shown="${message.seat}"]`)) earlier.remove();
    bubble.style.left = `${Math.max(EDGE, at.left + at.width / 2)}px`;
    bubble.style.top = `${at.top + at.height / 2}px`;
    layer.append(bubble);
    setTimeout(() => bubble.remove(), SHOWN_MS);
  };
}
