// Takes a player to a match that has started, after a countdown of five seconds and only once in each tab. The
// countdown restarts while the page is hidden. It ends if the player types or chooses to stay, or if the table is
// open in another tab. If the match begins while the page is open, the page also plays a sound and shows a
// notification.

import { gettext, ngettext } from "../text.js";

const SECONDS = 5;
// A tab that shows the table answers within this time, even if it is hidden.
const ANSWER_MS = 1000;
const PLACE = document.getElementById("own-match");
const tabs = window.BroadcastChannel ? new BroadcastChannel("lastcard-tables") : null;
/** @type {Set<string>} */
const open = new Set();
let timer = 0;
/** Cancels the player's current call.
 * @type {() => void} */
let withdrawCall = () => {};

/** Return whether this tab has already taken the player to the table. @param {string} address */
const hasVisited = (address) => sessionStorage.getItem(`went ${address}`) !== null;

/** @param {string} address */
const noteVisit = (address) => sessionStorage.setItem(`went ${address}`, "");

const isTyping = () => Boolean(document.activeElement?.closest("input, textarea, select, [contenteditable]"));

/** @param {HTMLElement} line @param {string} address */
function countDown(line, address) {
  const text = document.createElement("span");
  const stay = Object.assign(document.createElement("button"), { type: "button", textContent: gettext("Stay on this page") });
  let until = performance.now() + 1000 * SECONDS;
  const stop = () => {
    noteVisit(address);
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
    if (isTyping() || !line.isConnected || open.has(address)) return stop();
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
  if (!worker || hasVisited(address)) return;
  const { callPlayer } = await import("./call.js");
  withdrawCall();
  withdrawCall = callPlayer(line.querySelector("strong")?.textContent ?? "", worker);
}

/** @param {boolean} begins whether the notice appeared while the page was open */
function checkNotice(begins) {
  const line = findLine();
  if (!line) return withdrawCall();
  const { table = "", summons } = line.dataset;
  // Ask the other tabs again, because a crashed tab did not announce that it closed.
  line.hidden = open.delete(table);
  tabs?.postMessage({ asked: table });
  setTimeout(() => {
    line.hidden = open.has(table);
    if (summons && begins && line.isConnected && !open.has(table)) call(line, summons);
    if (summons && line.isConnected && !timer && !open.has(table) && !isTyping() && !hasVisited(summons)) countDown(line, summons);
  }, tabs ? ANSWER_MS : 0);
}

/** Handle a message from a tab that has opened or left a table. @param {MessageEvent<{open?: string, closed?: string}>} event */
function handleTabMessage({ data }) {
  if (data.open) open.add(data.open);
  if (data.closed) open.delete(data.closed);
  const line = findLine();
  if (line) line.hidden = open.has(line.dataset.table ?? "");
}

if (PLACE) {
  if (tabs) tabs.onmessage = handleTabMessage;
  new MutationObserver(() => checkNotice(true)).observe(PLACE, { childList: true });
  checkNotice(false);
  // On pages that follow an event, refresh.js updates the notice.
  const { event, style } = PLACE.dataset;
  if (event && !document.querySelector(`[data-refresh~="${event}"]`)) import("./waiting.js").then(({ waitForMatch }) => waitForMatch(PLACE));
  if (style) document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href: style }));
}
