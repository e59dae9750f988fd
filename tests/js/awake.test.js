import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { makeAwake } from "../../static/js/table/awake.js";

let asked;
let locks;
const wait = () => new Promise((done) => { setTimeout(done, 1); });
const wakeLock = {
  async request() {
    asked += 1;
    const lock = { released: false, listeners: [], addEventListener: (_, listener) => lock.listeners.push(listener), release() {
      lock.released = true;
      lock.listeners.forEach((listener) => listener());
    } };
    locks.push(lock);
    return lock;
  },
};

beforeEach(() => {
  [asked, locks] = [0, []];
  globalThis.document = /** @type {any} */ ({ visibilityState: "visible" });
});

test("U55: the screen stays on during play with a single wake lock", async () => {
  const awake = makeAwake(/** @type {any} */ (wakeLock));
  awake(true);
  awake(true);
  await wait();
  awake(true);
  assert.equal(asked, 1);
  awake(false);
  assert.equal(locks[0].released, true);
});

test("U55: a lock released by the browser is requested again once the page is visible", async () => {
  const awake = makeAwake(/** @type {any} */ (wakeLock));
  awake(true);
  await wait();
  locks[0].release();
  /** @type {any} */ (globalThis.document).visibilityState = "hidden";
  awake(true);
  assert.equal(asked, 1);
  /** @type {any} */ (globalThis.document).visibilityState = "visible";
  awake(true);
  await wait();
  assert.equal(asked, 2);
});

test("missing or refused wake locks are ignored", async () => {
  makeAwake(undefined)(true);
  const refusing = makeAwake(/** @type {any} */ ({ request: () => Promise.reject(new Error("battery")) }));
  refusing(true);
  await wait();
  refusing(false);
});
