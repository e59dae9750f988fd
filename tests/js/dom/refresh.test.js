import assert from "node:assert/strict";
import { test } from "node:test";

import { replaceClock, stopTimers } from "../timers.js";
import { makePage, textOf } from "./page.js";

const timers = stopTimers();
let now = 1_000_000;
replaceClock(() => now);
const { window } = makePage('<main data-refresh="cup" data-regions="tables" data-shape="a"><div id="tables">old</div></main>');
const sockets = [];
globalThis.window.addEventListener = () => {};
globalThis.setInterval = /** @type {any} */ (() => 0);
globalThis.DOMParser = window.DOMParser;
globalThis.WebSocket = /** @type {any} */ (
  class extends window.EventTarget {
    static OPEN = 1;
    constructor() {
      super();
      sockets.push(this);
    }
    hear(message) {
      this.dispatchEvent(new window.MessageEvent("message", { data: JSON.stringify(message) }));
    }
  }
);
const answers = [];
let asked = 0;
globalThis.fetch = /** @type {any} */ (
  () => {
    asked += 1;
    const [age, text, way = 0] = answers.shift();
    now += 1000 * way;
    const headers = new Headers(age === null ? {} : { "Page-Age": age });
    return Promise.resolve({ ok: true, redirected: false, headers, text: () => Promise.resolve(`<div id="tables">${text}</div>`) });
  }
);
await import("../../../static/js/pages/refresh.js");
const [socket] = sockets;

async function waitSeconds(seconds) {
  now += 1000 * seconds;
  timers.tick(1000 * seconds);
  for (let turn = 0; turn < 9; turn += 1) await Promise.resolve();
}

test("the page is fetched once, soon after a change", async () => {
  answers.push(["0.40", "new"]);
  socket.hear({ type: "changed", shape: "b" });
  assert.equal(asked, 0);
  await waitSeconds(2);
  assert.deepEqual([asked, textOf("#tables")], [1, "new"]);
  await waitSeconds(60);
  assert.equal(asked, 1);
});

test("a page rendered before the change is fetched again", async () => {
  answers.push(["3.90", "new"], ["0.00", "newest"]);
  socket.hear({ type: "changed", shape: "c" });
  await waitSeconds(2);
  assert.deepEqual([asked, textOf("#tables")], [2, "new"]);
  await waitSeconds(6);
  assert.deepEqual([asked, textOf("#tables")], [3, "newest"]);
  await waitSeconds(60);
  assert.equal(asked, 3);
});

test("a personal page is fetched once, because it is never a cached copy", async () => {
  answers.push([null, "own"]);
  socket.hear({ type: "changed", shape: "d" });
  await waitSeconds(2);
  await waitSeconds(60);
  assert.deepEqual([asked, textOf("#tables")], [4, "own"]);
});

test("a slow response does not count as newer", async () => {
  answers.push(["2.50", "old", 1], ["0.00", "new"]);
  socket.hear({ type: "changed", shape: "e" });
  await waitSeconds(2);
  assert.deepEqual([asked, textOf("#tables")], [5, "old"]);
  await waitSeconds(6);
  assert.deepEqual([asked, textOf("#tables")], [6, "new"]);
});

test("setting the clock back neither stops refreshing nor makes it endless", async () => {
  answers.push(["0.00", "newer"]);
  socket.hear({ type: "changed", shape: "f" });
  Date.now = () => 0;
  await waitSeconds(6);
  await waitSeconds(60);
  assert.deepEqual([asked, textOf("#tables")], [7, "newer"]);
  answers.push(["0.00", "newest"]);
  socket.hear({ type: "changed", shape: "g" });
  await waitSeconds(6);
  assert.deepEqual([asked, textOf("#tables")], [8, "newest"]);
});

test("a page that follows every hand fetches after the first message, because it may be a cached copy", async () => {
  document.querySelector("main").dataset.often = "";
  document.querySelector("main").dataset.shape = "h";
  const often = "../../../static/js/pages/refresh.js?often";
  await import(often);
  answers.push(["0.00", "told"]);
  sockets[1].hear({ type: "changed", shape: "h" });
  await waitSeconds(6);
  assert.deepEqual([asked, textOf("#tables")], [9, "told"]);
});

test("a part translated by the browser is replaced only when the server's text changes", async () => {
  const show = async (text) => {
    answers.push([null, text]);
    sockets[1].hear({ type: "changed", shape: text });
    await waitSeconds(6);
    await waitSeconds(6);
    return textOf("#tables");
  };
  assert.equal(await show("round one"), "round one");
  document.querySelector("#tables").innerHTML = "<font>prima ronda</font>";
  assert.equal(await show("round one"), "prima ronda");
  assert.equal(await show("<bdi>Asha</bdi> leads"), "Asha leads");
  assert.equal(document.querySelector("#tables bdi").translate, false);
});
