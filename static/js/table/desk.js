// Calls for a referee, and messages from the event's desk.

import { h, onChange } from "./dom.js";
import { gettext } from "../text.js";

/** @import { Show, State } from "./store.js" */

/** @type {[string, string][]} protocol code and label of each reason to call a referee */
export const REASONS = [
  ["rules", gettext("A question about the rules")],
  ["dispute", gettext("We can’t agree")],
  ["technical", gettext("Something isn’t working")],
  ["other", gettext("Something else")],
];

/** Return the line about the table's calls, or null if there are none. `own` is this player's call,
 * which only they can change.
 * @param {State} state @returns {{text: string, own: Protocol.Summons|null}|null} */
export function callShown({ desk, view }) {
  const calls = desk?.calls ?? [];
  const own = calls.find(({ seat }) => seat === view.you) ?? null;
  const call = own ?? calls[0];
  if (!call) return null;
  if (call.coming) return { text: gettext("A referee is coming."), own };
  if (own) return { text: gettext("You’ve called a referee."), own };
  return { text: gettext("%(name)s has called a referee.", { name: view.seats[call.seat]?.name ?? "" }), own };
}

/** @param {number} at in milliseconds */
const clock = (at) => new Date(at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

/** Create the notice above the felt with calls and messages from the desk. New ones are announced
 * to screen readers.
 * @param {HTMLElement} root @param {{call: (reason: string) => void, takeBack: () => void}} handlers @returns {Show}
 */
export function makeDesk(root, handlers) {
  return onChange(({ desk, view }) => [desk, view.seats.length], (state) => {
    const call = callShown(state);
    const messages = (state.desk?.messages ?? []).map(({ text, at }) => h("p", { dir: "auto" }, h("time", {}, clock(at)), ` ${text}`));
    root.replaceChildren(...(call ? [callParts(call, handlers)] : []), ...messages);
    root.hidden = !root.firstChild;
  });
}

/** @param {{text: string, own: Protocol.Summons|null}} shown @param {{call: (reason: string) => void, takeBack: () => void}} handlers */
function callParts({ text, own }, { call, takeBack }) {
  if (!own) return h("p", {}, text);
  const choices = [["", gettext("Reason (optional)")], ...REASONS].map(([word, title]) => h("option", { value: word, selected: word === own.reason }, title));
  /** @type {HTMLSelectElement} */
  const why = h("select", { "aria-label": gettext("Reason for the call"), onchange: () => call(why.value) }, ...choices);
  const back = h("button.banner-button", { type: "button", onclick: takeBack }, gettext("Undo"));
  return h("div.desk-call", {}, h("p", {}, text), why, back);
}

/** Return whether this window's player may call a referee now. @param {Pick<State, "desk"|"view">} state */
export function mayCall({ desk, view }) {
  return Boolean(desk?.may_call) && !desk?.calls.some(({ seat }) => seat === view.you);
}

/** Create the button that calls a referee with one tap. During a call it is invisible but keeps its
 * space.
 * @param {HTMLElement} button @param {{call: () => void}} handlers @returns {Show} */
export function makeCall(button, { call }) {
  button.addEventListener("click", call);
  return onChange(({ desk, view }) => [desk, view.you], (state) => {
    button.toggleAttribute("data-off", !mayCall(state));
  });
}
