// Takes a player to a match that has started: after five seconds, once in each tab, unless the player is typing,
// chooses to stay, or has hidden the page. A table that is open in another tab does not call its player. If a match
// begins while the page is open, the page also plays a sound and shows a notification.

import { gettext, ngettext } from "../text.js";

const SECONDS = 5;
// A tab with the table answers sooner, even if it is hidden.
const ANSWER_MS = 1000;
const PLACE = document.getElementById("own-match");
const tabs = window.BroadcastChannel ? new BroadcastChannel("lastcard-tables") : null;
/** @type {Set<string>} */
const open = new Set();
let timer = 0;
/** Withdraws the current call of the player.
 * @type {() => void} */
let withdrawCall = () => {};

/** Return whether this tab has been at that table before. @param {string} address */
const went = (address) => sessionStorage.getItem(`went ${address}`) !== null;

/** @param {string} address */
const note = (address) => sessionStorage.setItem(`went ${address}`, "");

const typing = () => Boolean(document.activeElement?.closest("input, textarea, select, [contenteditable]"));

/** @param {HTMLElement} line @param {string} address */
function count(line, address) {
  const text = document.createElement("span");
  const stay = Object.assign(document.createElement("button"), { type: "button", textContent: gettext("Stay on this page") });
  let until = performance.now() + 1000 * SECONDS;
  const stop = () => {
    note(address);
    withdrawCall();
    clearInterval(timer);
    timer = 0;
    text.remove();
    stay.remove();
  };
  const tick = () => {
    if (document.hidden) until = performance.now() + 1000 * SECONDS;
    const left = Math.ceil((until - performance.now()) / 1000);
    text.textContent = ngettext("Your table will open in %(count)s second.", "Your table will open in %(count)s seconds.", Math.max(0, left));
    if (typing() || !line.isConnected || open.has(address)) return stop();
    if (left > 0) return;
    stop();
    location.assign(address);
  };
  stay.addEventListener("click", stop);
  line.append(text, stay);
  timer = window.setInterval(tick, 250);
  tick();
}

/** @returns {HTMLElement|null} */
const findLine = () => PLACE?.querySelector("[data-table]") ?? null;

/** Call the player by title, sound and notification. @param {HTMLElement} line @param {string} address */
async function call(line, address) {
  const worker = PLACE?.dataset.worker;
  if (!worker || went(address)) return;
  const { callPlayer } = await import("./call.js");
  withdrawCall();
  withdrawCall = callPlayer(line.querySelector("strong")?.textContent ?? "", worker);
}

/** @param {boolean} begins whether the notice appeared while the page was open */
function look(begins) {
  const line = findLine();
  if (!line) return withdrawCall();
  const { table = "", summons } = line.dataset;
  // The other tabs are asked again, because a crashed tab did not say that it was closed.
  line.hidden = open.delete(table);
  tabs?.postMessage({ asked: table });
  setTimeout(() => {
    line.hidden = open.has(table);
    if (summons && begins && line.isConnected && !open.has(table)) call(line, summons);
    if (summons && line.isConnected && !timer && !open.has(table) && !typing() && !went(summons)) count(line, summons);
  }, tabs ? ANSWER_MS : 0);
}

/** Another tab has opened or left the table. @param {MessageEvent<{open?: string, closed?: string}>} event */
function hear({ data }) {
  if (data.open) open.add(data.open);
  if (data.closed) open.delete(data.closed);
  const line = findLine();
  if (line) line.hidden = open.has(line.dataset.table ?? "");
}

if (PLACE) {
  if (tabs) tabs.onmessage = hear;
  new MutationObserver(() => look(true)).observe(PLACE, { childList: true });
  look(false);
  // Pages that follow their event already refresh the notice.
  const { event, style } = PLACE.dataset;
  if (event && !document.querySelector(`[data-refresh~="${event}"]`)) import("./waiting.js").then(({ waitForMatch }) => waitForMatch(PLACE));
  if (style) document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href: style }));
}
