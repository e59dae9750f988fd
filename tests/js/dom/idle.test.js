import assert from "node:assert/strict";
import { test } from "node:test";

import { makePage } from "./page.js";

const { window } = makePage("<main></main>");
window.setTimeout = () => 0;
const locks = [];
const wakeLock = {
  async request() {
    const lock = new window.EventTarget();
    locks.push(lock);
    return lock;
  },
};
Object.defineProperty(globalThis, "navigator", { value: { wakeLock }, configurable: true });
const wait = () => new Promise((done) => { setTimeout(done, 5); });

test("a hall screen stays on, also after it was hidden", async () => {
  await import("../../../static/js/pages/idle.js");
  await wait();
  assert.equal(locks.length, 1);
  locks[0].dispatchEvent(new window.Event("release"));
  document.dispatchEvent(new window.Event("visibilitychange"));
  await wait();
  assert.equal(locks.length, 2);
});
