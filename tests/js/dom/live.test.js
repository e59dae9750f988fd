import assert from "node:assert/strict";
import { test } from "node:test";

import { makePage } from "./page.js";

const { window } = makePage("<main></main>");
let steady = 50_000;
performance.now = () => steady;
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
    close() {
      this.readyState = 3;
    }
  }
);
const { listen } = await import("../../../static/js/pages/live.js");
listen("cup", { onMessage: () => {} });
const [socket] = sockets;

test("silence is counted in steady time, wherever the clock is set", () => {
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
