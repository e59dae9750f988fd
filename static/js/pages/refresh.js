// Pages about tables and rounds: when an event has news, fetch this page again and put the new
// parts in place. The server's HTML is the only source.
import { part } from "../elements.js";
import { listen } from "./live.js";
import { keepNames } from "./names.js";

const PAUSE_MS = 4000;
const SPREAD_MS = 1500;
// A page that visitors share may have been made so long ago, one that takes long to make up to
// PAUSE_MS: tournament/serving/page_cache.py.
const SHARED_MS = 500;
const page = part(document, "[data-refresh]");
const { refresh: events = "", regions = "", screen } = page.dataset;
const often = "often" in page.dataset;
// Moments are counted from when the page was opened: the reader's clock may be set meanwhile.
let last = -PAUSE_MS;
/** The server's own HTML of each part: scripts and translators may have changed what is shown.
 * @type {Map<string, string>} */
const sent = new Map();
let waiting = 0;
let heard = 0;

function soon() {
  if (waiting) return;
  const pause = Math.max(0, last + PAUSE_MS - performance.now()) + SHARED_MS + Math.random() * SPREAD_MS;
  waiting = setTimeout(refresh, pause);
}

async function refresh() {
  waiting = 0;
  last = performance.now();
  const text = await fetchPage().catch(soon);
  if (!text) return;
  const fresh = new DOMParser().parseFromString(text, "text/html");
  if (screen && fresh.querySelector("[data-screen]")?.getAttribute("data-screen") !== screen) return location.reload();
  for (const id of [...regions.split(" "), "own-match"]) {
    const now = document.getElementById(id);
    const then = fresh.getElementById(id);
    if (!now || !then) continue;
    const html = then.innerHTML;
    if ((sent.get(id) ?? now.innerHTML) !== html) put(now, then);
    sent.set(id, html);
  }
  followBoards(fresh);
}

/** Boards of tables in play keep themselves up to date. @param {Document} where */
async function followBoards(where) {
  if (where.querySelector("#boards > *")) (await import("./boards.js")).follow();
}

/** The page as it is now, nothing if it has moved; what failed once is asked for again. */
async function fetchPage() {
  const asked = performance.now();
  const answer = await fetch(location.href, { credentials: "same-origin" });
  if (answer.redirected) {
    location.reload(); // it asks to sign in again, or has moved
    return "";
  }
  if (!answer.ok) throw new Error(`The page answered ${answer.status}`);
  // Counted from when it was asked for: nobody knows how long the answer was on its way.
  if (asked - 1000 * Number(answer.headers.get("Page-Age")) < heard) soon();
  return answer.text();
}

/** @param {HTMLElement} now @param {HTMLElement} then */
function put(now, then) {
  const focused = document.activeElement?.getAttribute("href");
  const inside = now.contains(document.activeElement);
  const open = [...now.querySelectorAll("details[open][id]")].map((each) => each.id);
  keepNames(then);
  now.replaceChildren(...then.childNodes);
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
  /** @type {HTMLElement|null} */
  const again = inside && focused ? now.querySelector(`[href="${CSS.escape(focused)}"]`) : null;
  again?.focus();
}

/** What one event has to say. @returns {(message: Protocol.EventMessage) => void} */
function receiver() {
  let { shape } = page.dataset;
  return (message) => {
    if (message.type !== "changed") return;
    // Every hand pokes the event; only pages that show tables follow each of them. Those and pages
    // about several events, which know no shape, look at the first news too: what is shown may be
    // a visitors' copy of some seconds ago, or what the browser had when it went back.
    if (often || message.shape !== shape) {
      heard = performance.now();
      soon();
    }
    shape = message.shape;
  };
}

followBoards(document);
for (const event of events.split(" ")) listen(event, { onMessage: receiver() });
