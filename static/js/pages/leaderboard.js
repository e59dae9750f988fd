// The leaderboard: takes the server's rows as they are, shows who moved, marks the reader's own.
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

function replace(html) {
  const before = snapshot();
  const focused = document.activeElement?.id;
  board.innerHTML = html;
  markMine();
  for (const row of rowsOf(board)) {
    if (before.has(row.id)) showChange(row, before.get(row.id));
  }
  if (focused) document.getElementById(focused)?.focus();
}

let first = true;

/** @param {Protocol.EventMessage} message */
function receive(message) {
  if (message.type !== "leaderboard") return;
  // The page has just been made from the same rows: the first answer must not make it jump.
  if (!first || message.html.trim() !== board.innerHTML.trim()) replace(message.html);
  first = false;
}

markMine();
if (board.dataset.live) {
  listen(board.dataset.live, {
    rows: true,
    onMessage: receive,
    onState(state, reason) {
      board.classList.toggle("offline", state === "offline");
      if (reason) board.querySelector(".board-state")?.setAttribute("data-offline", reason);
    },
  });
}
