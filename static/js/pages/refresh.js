// Updates pages about tables and rounds. When something in the event changes, the page is fetched again and the
// changed parts are replaced. All HTML comes from the server.
import { part } from "../elements.js";
import { listen } from "./live.js";
import { keepNames } from "./names.js";

const PAUSE_MS = 4000;
const SPREAD_MS = 1500;
// Maximum age of a shared page. A page that is slow to render may be up to PAUSE_MS old
// (tournament/serving/page_cache.py).
const SHARED_MS = 500;
const page = part(document, "[data-refresh]");
const { refresh: events = "", regions = "", screen } = page.dataset;
const often = "often" in page.dataset;
// Times count from when the page was opened, because the reader's clock may be changed.
let last = -PAUSE_MS;
/** The server's HTML of each part. Scripts and translators may have changed the displayed HTML.
 * @type {Map<string, string>} */
const serverHtml = new Map();
let waiting = 0;
let heard = 0;

function scheduleRefresh() {
  if (waiting) return;
  const pause = Math.max(0, last + PAUSE_MS - performance.now()) + SHARED_MS + Math.random() * SPREAD_MS;
  waiting = setTimeout(refresh, pause);
}

async function refresh() {
  waiting = 0;
  last = performance.now();
  const text = await fetchPage().catch(scheduleRefresh);
  if (!text) return;
  const fresh = new DOMParser().parseFromString(text, "text/html");
  if (screen && fresh.querySelector("[data-screen]")?.getAttribute("data-screen") !== screen) return location.reload();
  for (const id of [...regions.split(" "), "own-match"]) {
    const now = document.getElementById(id);
    const then = fresh.getElementById(id);
    if (!now || !then) continue;
    const html = then.innerHTML;
    if ((serverHtml.get(id) ?? now.innerHTML) !== html) replacePart(now, then);
    serverHtml.set(id, html);
  }
  followBoards(fresh);
}

/** Update the displayed boards of current matches live. @param {Document} where */
async function followBoards(where) {
  if (where.querySelector("#boards > *")) (await import("./boards.js")).follow();
}

/** Return the HTML of the current page, or "" if it was redirected. Rejects if the request fails. */
async function fetchPage() {
  const asked = performance.now();
  const answer = await fetch(location.href, { credentials: "same-origin" });
  if (answer.redirected) {
    location.reload(); // the address has changed, or the session has ended
    return "";
  }
  if (!answer.ok) throw new Error(`The page answered ${answer.status}`);
  // The page's age is added to the time of the request, because the response's transit time is unknown.
  if (asked - 1000 * Number(answer.headers.get("Page-Age")) < heard) scheduleRefresh();
  return answer.text();
}

/** @param {HTMLElement} now @param {HTMLElement} then */
function replacePart(now, then) {
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

/** Return a handler for the messages of one event. @returns {(message: Protocol.EventMessage) => void} */
function receiver() {
  let { shape } = page.dataset;
  return (message) => {
    if (message.type !== "changed") return;
    // Every hand causes a message, but most pages refresh only if the event's shape changes. Pages
    // about several events do not know the shape at first, so they also refresh after the first
    // message, because the displayed page may be outdated.
    if (often || message.shape !== shape) {
      heard = performance.now();
      scheduleRefresh();
    }
    shape = message.shape;
  };
}

followBoards(document);
for (const event of events.split(" ")) listen(event, { onMessage: receiver() });
