import assert from "node:assert/strict";
import { test } from "node:test";

import { all, find, makePage } from "./page.js";

const row = (key, rank, points, { kind = "", shown = rank, matches = 1 } = {}) =>
  `<tr id="r${key}" data-rank="${rank}" data-points="${points}" class="${kind}"><td class="rank"><span class="rank-number">${shown}</span></td><th><a href="/p/${key}">P${key}</a></th><td class="number points">${points}</td><td class="wide">${matches}</td></tr>\n`;
const BOARD = `<p class="board-state">live</p><table><tbody>
${row(1, 1, 90)}${row(2, 2, 80)}${row(3, 3, 70)}${row(4, 4, 60)}</tbody></table><div class="board-legend"></div>`;

const { window } = makePage(`<div id="leaderboard" data-live="cup" data-hash="a" data-mine="r4">${BOARD}</div>`);
const sockets = [];
globalThis.window.addEventListener = () => {};
globalThis.setInterval = /** @type {any} */ (() => 0);
globalThis.WebSocket = /** @type {any} */ (
  class extends window.EventTarget {
    static OPEN = 1;
    sent = [];
    readyState = 1;
    constructor(address) {
      super();
      this.address = address;
      sockets.push(this);
    }
    send(text) {
      this.sent.push(JSON.parse(text));
    }
    hear(message) {
      this.dispatchEvent(new window.MessageEvent("message", { data: JSON.stringify(message) }));
    }
  }
);
await import("../../../static/js/pages/leaderboard.js");
const [socket] = sockets;
const listRows = () => all("tr[data-rank]").map((each) => [each.id, each.dataset.rank, find(`#${each.id} .rank-number`).textContent, each.dataset.points]);
const news = (base, hash, more) => ({ type: "standings", base, hash, version: 1, rows: {}, order: [], ranks: [], ...more });

test("the socket is told which board the page shows", () => {
  assert.equal(socket.address, "ws://table.test/ws/event/cup/?rows=a");
  assert.equal(find("#leaderboard").classList.contains("offline"), false);
});

test("a rising player passes the others, and ranks stay with the rows", () => {
  find("#r4 a").focus();
  socket.hear(news("a", "b", { rows: { 4: row(4, 2, 85) }, order: [[4, 1]] }));
  assert.deepEqual(listRows(), [
    ["r1", "1", "1", "90"],
    ["r4", "2", "2", "85"],
    ["r2", "3", "3", "80"],
    ["r3", "4", "4", "70"],
  ]);
  assert.equal(find("#r4 .points").textContent, "85");
  assert.equal(find("#r4 .move").textContent, "▲2");
  assert.equal(find("#r4 .move").getAttribute("aria-label"), "up 2 places");
  assert.equal(find("#r2 .move").getAttribute("aria-label"), "down 1 place");
  assert.equal(find("#r4").getAttribute("aria-current"), "true");
  assert.equal(find("#r4").className, "you up scored");
  assert.equal(document.activeElement, find("#r4 a"));
});

test("rows, ranks and surrounding texts are updated", () => {
  const rows = { 1: row(1, 1, 90, { kind: "through", matches: 2 }), 3: row(3, 4, 70, { shown: "–" }) };
  socket.hear(news("b", "c", { rows, ranks: [[1, 1]], state: "settled", legend: "<p>600</p>" }));
  assert.equal(find("#r1 .wide").textContent, "2");
  assert.equal(find("#r1").classList.contains("through"), true);
  assert.deepEqual(listRows().map((each) => each[2]), ["1", "1", "3", "–"]);
  assert.equal(find(".board-state").textContent, "settled");
  assert.equal(find(".board-legend").innerHTML, "<p>600</p>");
  assert.equal(find("#r4").classList.contains("scored"), false);
});

test("a player who is ranked again shows the rank", () => {
  socket.hear(news("c", "d", { rows: { 3: row(3, 4, 70) } }));
  assert.deepEqual(listRows().map((each) => each[2]), ["1", "1", "3", "4"]);
});

test("an open reason stays open when its row changes", () => {
  const why = (points) => row(1, 1, points).replace("</a>", "</a><details><summary>why?</summary></details>");
  socket.hear(news("d", "d2", { rows: { 1: why(90) } }));
  find("#r1 details").open = true;
  socket.hear(news("d2", "d3", { rows: { 1: why(91) } }));
  assert.equal(find("#r1 details").open, true);
  assert.equal(find("#r1 .points").textContent, "91");
});

test("changes of another board are ignored, and the whole board is requested", () => {
  const before = listRows();
  socket.hear(news("x", "y", { rows: { 1: row(1, 1, 1) } }));
  assert.deepEqual(listRows(), before);
  assert.deepEqual(socket.sent, [{ type: "sync" }]);
});

test("a whole board replaces the old one and is followed from then on", () => {
  socket.hear({ type: "leaderboard", html: BOARD, hash: "e", version: 3 });
  socket.hear(news("e", "f", { rows: { 2: row(2, 1, 95) }, order: [[2, 0]] }));
  assert.deepEqual(listRows().map((each) => [each[0], each[2]]), [["r2", "1"], ["r1", "2"], ["r3", "3"], ["r4", "4"]]);
  assert.equal(find("#r4").classList.contains("you"), true);
});
