import assert from "node:assert/strict";
import { test } from "node:test";

import { replaceClock, stopTimers } from "../timers.js";
import { makePage } from "./page.js";

const { window } = makePage("<main></main>");
const timers = stopTimers();
let state = "";
let steady = 50_000;
replaceClock(() => steady);
const ticks = [];
const sockets = [];
globalThis.setInterval = /** @type {any} */ ((tick) => ticks.push(tick));
globalThis.WebSocket = /** @type {any} */ (
  class extends window.EventTarget {
    static OPEN = 1;
    readyState = 1;
    sent = 0;
    constructor() {
      super();
      sockets.push(this);
    }
    send() {
      this.sent += 1;
    }
    hear() {
      this.dispatchEvent(new window.MessageEvent("message", { data: '{"type": "pong"}' }));
    }
    close() {
      this.readyState = 3;
    }
  }
);
const { listen } = await import("../../../static/js/pages/live.js");
listen("cup", { onMessage: () => {}, onState: (news) => (state = news) });
const [socket] = sockets;

test("a page is live once its socket sends a message", () => {
  assert.equal(state, "");
  socket.dispatchEvent(new window.Event("open"));
  assert.deepEqual([state, socket.sent], ["", 1]);
  socket.hear();
  timers.tick(8000);
  assert.deepEqual([state, sockets.length], ["live", 1]);
});

test("silence is measured by a steady clock, not by the wall clock", () => {
  const clock = Date.now;
  for (const hours of [-1, 1]) {
    Date.now = () => clock() + hours * 3_600_000;
    steady += 15_000;
    ticks[0]();
    assert.deepEqual([socket.readyState, socket.sent > 0], [1, true]);
  }
  steady += 15_000;
  ticks[0]();
  assert.equal(socket.readyState, 3);
  Date.now = clock;
});

test("a silent socket is closed, and after the third one the page asks whether the network blocks sockets", async () => {
  const asked = [];
  globalThis.fetch = /** @type {any} */ (async (address) => {
    asked.push(address);
    return { ok: false };
  });
  socket.dispatchEvent(Object.assign(new window.Event("close"), { code: 1006, reason: "" }));
  for (let number = 1; number <= 3; number += 1) {
    timers.tick(20_000);
    assert.equal(sockets.length, number + 1);
    assert.deepEqual(asked, []);
    timers.tick(8000);
    assert.equal(state, "offline");
  }
  for (let i = 0; i < 100_000 && !asked.length; i += 1) await new Promise((done) => setImmediate(done));
  assert.deepEqual(asked, ["/ws/advice/"]);
});
