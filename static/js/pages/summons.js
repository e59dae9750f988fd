// A player's match is on: after five seconds the page goes there, once in each tab, unless somebody
// types or says that they stay.

import { gettext, ngettext } from "../text.js";

const SECONDS = 5;
const PLACE = document.getElementById("own-match");
let timer = 0;

/** Whether this tab has gone to that table before, or come from it. @param {string} address */
const went = (address) => sessionStorage.getItem(`went ${address}`) !== null;

/** @param {string} address */
const note = (address) => sessionStorage.setItem(`went ${address}`, "");

const typing = () => Boolean(document.activeElement?.closest("input, textarea, select, [contenteditable]"));

/** @param {HTMLElement} line @param {string} address */
function count(line, address) {
  const text = document.createElement("span");
  const stay = Object.assign(document.createElement("button"), { type: "button", textContent: gettext("Stay on this page") });
  const until = Date.now() + 1000 * SECONDS;
  const stop = () => {
    note(address);
    clearInterval(timer);
    timer = 0;
    text.remove();
    stay.remove();
  };
  const tick = () => {
    const left = Math.ceil((until - Date.now()) / 1000);
    text.textContent = ngettext("Your table will open in %(count)s second.", "Your table will open in %(count)s seconds.", Math.max(0, left));
    if (typing() || !line.isConnected) return stop();
    if (left > 0) return;
    stop();
    location.assign(address);
  };
  stay.addEventListener("click", stop);
  line.append(text, stay);
  timer = window.setInterval(tick, 250);
  tick();
}

function look() {
  /** @type {HTMLElement|null} */
  const line = PLACE?.querySelector("[data-summons]") ?? null;
  const address = line?.dataset.summons;
  if (line && address && !timer && !typing() && !went(address)) count(line, address);
}

if (PLACE) {
  new MutationObserver(look).observe(PLACE, { childList: true });
  look();
}
