// Updates the leaderboard with all or only the changed rows, shows who has moved, and marks the reader's own row.
import { find, part } from "../elements.js";
import { ngettext } from "../text.js";
import { listen } from "./live.js";
import { keepNames } from "./names.js";

const MOVED_MS = 8000;
const SLIDE = { duration: 600, easing: "cubic-bezier(.2,.7,.2,1)" };
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const board = find("leaderboard");

/** @typedef {{rank: number, points: string|undefined, top: number}} Stood the former rank, points and position of a row */

/** @returns {HTMLTableRowElement[]} */
function rowsNow() {
  return Array.from(board.querySelectorAll("tr[data-rank]"));
}

/** @param {HTMLTableRowElement} row @returns {Stood} */
function readRow(row) {
  return { rank: Number(row.dataset.rank), points: row.dataset.points, top: row.getBoundingClientRect().top };
}

function snapshot() {
  return new Map(rowsNow().map((row) => [row.id, readRow(row)]));
}

function markMine() {
  const mine = document.getElementById(board.dataset.mine ?? "");
  mine?.classList.add("you");
  mine?.setAttribute("aria-current", "true");
}

// A row that moves up is highlighted. A row that moves down gets only a small sign.
/** @param {HTMLElement} row @param {"up"|"down"} kind @param {string} text @param {string} heard */
function mark(row, kind, text, heard) {
  row.classList.add(kind);
  const sign = document.createElement("span");
  sign.className = `move ${kind}`;
  sign.textContent = text;
  sign.setAttribute("role", "img");
  sign.setAttribute("aria-label", heard);
  part(row, ".rank").append(" ", sign);
  setTimeout(() => {
    row.classList.remove(kind);
    sign.remove();
  }, MOVED_MS);
}

/** @param {HTMLTableRowElement} row @param {Stood} before */
function showChange(row, before) {
  const { rank, points } = readRow(row);
  const n = Math.abs(rank - before.rank);
  if (rank < before.rank) mark(row, "up", `▲${n}`, ngettext("up %(count)s place", "up %(count)s places", n));
  else if (rank > before.rank) mark(row, "down", `▼${n}`, ngettext("down %(count)s place", "down %(count)s places", n));
  if (points !== before.points) row.classList.add("scored");
  const distance = before.top - row.getBoundingClientRect().top;
  if (distance && !calm.matches) {
    row.animate([{ transform: `translateY(${distance}px)` }, { transform: "none" }], SLIDE);
  }
}

/** Change the leaderboard, and show which rows have moved. @param {() => void} change */
function changeAndShowMoves(change) {
  const before = snapshot();
  const focused = /** @type {HTMLElement} */ (document.activeElement);
  const row = focused?.closest("tr");
  for (const each of rowsNow()) {
    each.classList.remove("scored", "up", "down");
    each.querySelector(".move")?.remove();
  }
  change();
  markMine();
  for (const each of rowsNow()) {
    const then = before.get(each.id);
    if (then) showChange(each, then);
  }
  /** @type {HTMLElement|null} */
  const again = focused?.isConnected || !row ? focused : document.querySelector(`#${row.id} :is(a, summary)`);
  again?.focus();
}

/** @param {string} html */
function replace(html) {
  board.innerHTML = html;
  keepNames(board);
  ranks = ranksNow();
}

/** @param {Protocol.StandingsMessage} news */
function update(news) {
  for (const [key, html] of Object.entries(news.rows)) replaceRow(find(`r${key}`), html);
  reorder(news.order.map(([key, at]) => ({ row: find(`r${key}`), at })));
  for (const [at, rank] of news.ranks) ranks[at] = rank;
  rowsNow().forEach((row, at) => setRank(row, ranks[at]));
  if (news.state !== undefined) part(board, ".board-state").innerHTML = news.state;
  if (news.legend !== undefined) part(board, ".board-legend").innerHTML = news.legend;
}

/** @param {HTMLElement} row @param {string} html */
function replaceRow(row, html) {
  const wasOpen = row.querySelector("details[open]") !== null;
  const { id } = row;
  row.outerHTML = html.trim();
  keepNames(find(id));
  if (wasOpen) document.querySelector(`#${row.id} details`)?.setAttribute("open", "");
}

/** @param {{row: HTMLElement, at: number}[]} moves the new position of each row, from the top */
function reorder(moves) {
  /** @type {HTMLTableSectionElement|null} */
  const body = board.querySelector("tbody");
  for (const { row } of moves) row.remove();
  for (const { row, at } of moves) body?.insertBefore(row, body.rows[at] ?? null);
}

/** @param {HTMLElement} row @param {number} rank */
function setRank(row, rank) {
  const shown = part(row, ".rank-number");
  row.dataset.rank = String(rank);
  if (shown.textContent !== "–") shown.textContent = String(rank);
}

function ranksNow() {
  return rowsNow().map((row) => Number(row.dataset.rank));
}

let ranks = ranksNow();
// The server's hash of the displayed leaderboard.
let hash = board.dataset.hash ?? "";

/** Show the message, or return false if it is based on a leaderboard other than the displayed one.
 * @param {Protocol.EventMessage} message */
function receive(message) {
  if (message.type !== "leaderboard" && message.type !== "standings") return true;
  if (message.type === "standings" && message.base !== hash) return false;
  changeAndShowMoves(() => (message.type === "standings" ? update(message) : replace(message.html)));
  hash = message.hash;
  return true;
}

markMine();
if (board.dataset.live) {
  listen(board.dataset.live, {
    shows: () => hash,
    onMessage: receive,
    onState(state, reason) {
      board.classList.toggle("offline", state === "offline");
      if (reason) board.querySelector(".board-state")?.setAttribute("data-offline", reason);
    },
  });
}
