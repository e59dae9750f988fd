// Fetches the live boards of tables in play every two seconds while the page is visible, and replaces the changed
// ones.

import { find } from "../elements.js";
import { keepNames } from "./names.js";

const PAUSE_MS = 2000;
const SPREAD_MS = 500;
const FAILED_MS = 10_000;

const place = find("boards");
const { boards: address = "", sheet = "" } = place.dataset;
// Without cookies, the server can use a cached response.
const credentials = "own" in place.dataset ? "same-origin" : "omit";
/** The server's HTML of each board. The displayed board may differ, for example after a translation.
 * @type {Map<string, string>} */
const sent = new Map();
let following = false;

/** Keep the boards up to date until there are none. */
export function follow() {
  if (following) return;
  following = true;
  addSheet();
  for (const board of place.querySelectorAll("li[id]")) sent.set(board.id, board.outerHTML);
  if (place.firstElementChild) wait(PAUSE_MS);
  else look();
}

/** @param {number} pause */
function wait(pause) {
  setTimeout(look, pause + Math.random() * SPREAD_MS);
}

async function look() {
  if (document.visibilityState === "hidden") {
    document.addEventListener("visibilitychange", look, { once: true });
    return;
  }
  const html = await fetch(address, { credentials }).then((answer) => (answer.ok ? answer.text() : null)).catch(() => null);
  if (html === null) return wait(FAILED_MS);
  const fresh = new DOMParser().parseFromString(html, "text/html");
  put(fresh.body);
  following = place.firstElementChild !== null;
  if (following) wait(PAUSE_MS);
}

/** @param {HTMLElement} fresh */
function put(fresh) {
  const list = place.querySelector("ul");
  const then = fresh.querySelector("ul");
  if (!list || !then) {
    place.replaceChildren(...fresh.childNodes);
    return;
  }
  const ids = new Set([...then.children].map((board) => board.id));
  for (const old of [...list.children]) if (!ids.has(old.id)) old.remove();
  [...then.children].forEach((board, at) => {
    const html = board.outerHTML;
    const shown = sent.get(board.id) === html ? document.getElementById(board.id) : null;
    sent.set(board.id, html);
    const now = shown ?? renew(/** @type {HTMLElement} */ (board));
    if (list.children[at] !== now) list.insertBefore(now, list.children[at] ?? null);
  });
}

/** Replace the old board with this one, and animate a newly played card. @param {HTMLElement} board */
function renew(board) {
  const old = document.getElementById(board.id);
  keepNames(board);
  if (!old) return board;
  const focused = old.contains(document.activeElement);
  if (old.dataset.top !== board.dataset.top) board.classList.add("played");
  old.replaceWith(board);
  if (focused) board.querySelector("a")?.focus();
  return board;
}

/** Add the style sheet for boards, unless the page already has it. */
function addSheet() {
  if (document.querySelector(`link[href="${CSS.escape(sheet)}"]`)) return;
  const link = document.createElement("link");
  Object.assign(link, { rel: "stylesheet", href: sheet });
  document.head.append(link);
}
