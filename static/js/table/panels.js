// The banner, the connection sign and the log.

import { find, part } from "../elements.js";
import { cardFace, shape } from "./cards.js";
import { h, keyed, onChange, setAttribute, setLine, setText, takesRoom } from "./dom.js";
import { focusHand } from "./hand.js";
import { banner, isBrief, isPlayer, lineSign } from "./store.js";
import { gettext } from "../text.js";

/** @import { Banner, Show, State } from "./store.js" */

/** Create the banner, which shows lasting states in the table's grid.
 * @param {HTMLElement} root @param {Object<string, () => void>} buttons action of a banner's button, by code @returns {Show} */
export const makeBanner = (root, buttons) => makeSign(root, buttons, banner);

/** Create the sign in the bar for a lost connection. It moves nothing else.
 * @param {HTMLElement} root @param {() => void} wake @returns {Show} */
export function makeLineSign(root, wake) {
  const show = makeSign(root, { offline: wake }, lineSign);
  return (state, now) => {
    show(state, now);
    root.toggleAttribute("data-brief", isBrief(state, now));
  };
}

/** @param {Object<string, () => void>} buttons action of its button, by code
 * @param {HTMLElement} root @param {(state: State, now: number) => Banner|null} pick @returns {Show} */
function makeSign(root, buttons, pick) {
  const text = h("span");
  const aside = h("span", { "aria-hidden": "true" });
  const button = h("button.banner-button", { type: "button", onclick: () => buttons[root.dataset.code ?? ""]?.() });
  root.replaceChildren(h("span", {}, text, " ", aside), button);
  return (state, now) => {
    const now_shown = pick(state, now);
    const within = root.contains(document.activeElement);
    root.hidden = !now_shown;
    setAttribute(root, "data-code", now_shown?.code);
    setText(text, now_shown?.text ?? "");
    setText(aside, now_shown?.aside ?? "");
    aside.hidden = !aside.textContent;
    setText(button, now_shown?.button ?? "");
    button.hidden = !now_shown?.button;
    if (within && !takesRoom(button)) focusHand();
  };
}

/** Create the log, with the newest line last, and the line about the last action below the piles.
 * @param {HTMLElement} panel @param {HTMLElement} stage @param {{toggle: () => void}} handlers @returns {Show} */
export function makeLog(panel, stage, { toggle }) {
  // Focusable, so that keys can scroll it.
  const list = h("ol.log-lines", { tabindex: "0", "aria-labelledby": "log-title" });
  const last = h("button.ticker", { type: "button", title: gettext("Show what happened"), onclick: toggle });
  panel.replaceChildren(h("h2", { id: "log-title" }, gettext("What happened")), list);
  stage.append(last);
  const linesOf = makeKept();
  return onChange(({ view }) => [view], ({ view }) => {
    const nearEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 60;
    keyed(list, linesOf(view), (entry) => entry.n, makeLine, (line, entry) => setAttribute(line, "data-more", entry.more || null));
    if (nearEnd) list.scrollTop = list.scrollHeight;
    setLine(last, view.last || (isPlayer(view) ? "" : view.prompt));
    last.hidden = !last.textContent;
  });
}

/** Show or hide the log beside the table, or over the table in a narrow window. */
export function toggleLog() {
  const open = find("table").toggleAttribute("data-log");
  find("log-button").setAttribute("aria-expanded", String(open));
  const lines = part(find("log-panel"), ".log-lines");
  if (open) lines.scrollTop = lines.scrollHeight;
}

/** Return a function that collects the log lines of the hand, because the server sends only the last ones.
 * @returns {(view: Protocol.WindowView) => Protocol.LogLine[]} */
function makeKept() {
  /** @type {Protocol.LogLine[]} */
  let kept = [];
  /** @type {number|null} */
  let hand = null;
  return ({ match, log }) => {
    const earlier = match.hand === hand && log.length ? kept.filter(({ n }) => n < log[0].n) : [];
    [kept, hand] = [[...earlier, ...log], match.hand];
    return kept;
  };
}

/** @param {Protocol.LogLine} entry */
function makeLine(entry) {
  const pictures = [entry.card ? cardFace(entry.card) : null, entry.color ? shape(entry.color) : null];
  return h("li", {}, h("span.pictures", {}, ...pictures), h("span", {}, entry.text));
}
