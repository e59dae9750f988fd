// The leaderboard: takes the server's rows, or what is new of them, shows who moved, marks the
// reader's own.
import { listen } from "./live.js";

const MOVED_MS = 8000;
const SLIDE = { duration: 600, easing: "cubic-bezier(.2,.7,.2,1)" };
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const board = document.getElementById("leaderboard");

function rowsOf(root) {
  return [...root.querySelectorAll("tr[data-rank]")];
}

function snapshot() {
  return new Map(
    rowsOf(board).map((row) => [
      row.id,
      { rank: Number(row.dataset.rank), points: Number(row.dataset.points), top: row.getBoundingClientRect().top },
    ]),
  );
}

function markMine() {
  document.getElementById(board.dataset.mine)?.classList.add("you");
}

// Who rises is lit up; who is only pushed down gets a small sign.
function mark(row, kind, text) {
  row.classList.add(kind);
  const sign = document.createElement("span");
  sign.className = `move ${kind}`;
  sign.textContent = text;
  row.querySelector(".rank").append(sign);
  setTimeout(() => {
    row.classList.remove(kind);
    sign.remove();
  }, MOVED_MS);
}

function showChange(row, before) {
  const rank = Number(row.dataset.rank);
  if (rank < before.rank) mark(row, "up", `▲${before.rank - rank}`);
  else if (rank > before.rank) mark(row, "down", `▼${rank - before.rank}`);
  if (Number(row.dataset.points) !== before.points) row.classList.add("scored");
  const distance = before.top - row.getBoundingClientRect().top;
  if (distance && !calm.matches) {
    row.animate([{ transform: `translateY(${distance}px)` }, { transform: "none" }], SLIDE);
  }
}

/** Has the page changed, and shows who has moved by that.
 *
 * @param {() => void} change
 */
function moving(change) {
  const before = snapshot();
  const focused = /** @type {HTMLElement} */ (document.activeElement);
  for (const row of rowsOf(board)) {
    row.classList.remove("scored", "up", "down");
    row.querySelector(".move")?.remove();
  }
  change();
  markMine();
  for (const row of rowsOf(board)) {
    if (before.has(row.id)) showChange(row, before.get(row.id));
  }
  const again = focused?.isConnected ? focused : document.getElementById(focused?.id);
  again?.focus();
}

function replace(html) {
  board.innerHTML = html;
  ranks = ranksNow();
}

/** @param {Protocol.Standings} news */
function update(news) {
  for (const [key, each] of Object.entries(news.rows)) renew(document.getElementById(`r${key}`), each);
  reorder(news.order.map(([key, at]) => ({ row: document.getElementById(`r${key}`), at })));
  for (const [at, rank] of news.ranks) ranks[at] = rank;
  rowsOf(board).forEach((row, at) => setRank(row, ranks[at]));
  if (news.state !== undefined) board.querySelector(".board-state").innerHTML = news.state;
  if (news.foot !== undefined) board.querySelector(".board-foot").innerHTML = news.foot;
}

/**
 * @param {HTMLElement} row
 * @param {Protocol.RowNews} news
 */
function renew(row, news) {
  const parts = row.querySelectorAll("[data-part]");
  for (const [number, html] of Object.entries(news.parts ?? {})) parts[Number(number)].innerHTML = html;
  if (news.kind !== undefined) row.className = news.kind;
  if (news.ranked !== undefined) row.querySelector(".rank-number").textContent = news.ranked ? "" : "–";
  if (news.points === undefined) return;
  row.dataset.points = String(news.points);
  row.querySelector(".points").textContent = String(news.points);
}

/** @param {{row: HTMLElement, at: number}[]} moves who stands where from now on, from the top */
function reorder(moves) {
  const body = board.querySelector("tbody");
  for (const { row } of moves) row.remove();
  for (const { row, at } of moves) body.insertBefore(row, body.rows[at] ?? null);
}

function setRank(row, rank) {
  const shown = row.querySelector(".rank-number");
  row.dataset.rank = String(rank);
  if (shown.textContent !== "–") shown.textContent = String(rank);
}

function ranksNow() {
  return rowsOf(board).map((row) => Number(row.dataset.rank));
}

let ranks = ranksNow();
// Of what is shown, as the server calls it.
let hash = board.dataset.hash ?? "";

/** Whether the message could be shown: false where it follows on something else than what is there.
 *
 * @param {Protocol.EventMessage} message
 */
function receive(message) {
  if (message.type !== "leaderboard" && message.type !== "standings") return true;
  if (message.type === "standings" && message.base !== hash) return false;
  moving(() => (message.type === "standings" ? update(message) : replace(message.html)));
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
