import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { makePage } from "./page.js";

// Whether the page is hidden.
let hidden;

beforeEach(() => {
  makePage();
  hidden = true;
  Object.defineProperty(document, "hidden", { get: () => hidden, configurable: true });
});

/** Create a fake browser whose worker is installing until `start()`. `tray` contains the displayed notifications. */
function makeBrowserWithWorker() {
  const tray = [];
  const listeners = [];
  const coming = { state: "installing", postMessage: ({ bell }) => world.bells.push(bell), addEventListener: (_, listener) => listeners.push(listener) };
  const registration = {
    installing: coming,
    active: null,
    async showNotification(title, { body }) {
      if (!registration.active) throw new TypeError("No active registration available");
      tray.push({ title, body, close: () => tray.splice(0) });
    },
    getNotifications: async () => [...tray],
  };
  const world = { tray, bells: [], badges: [], registered: 0, registration };
  world.start = () => {
    registration.active = coming;
    listeners.forEach((listener) => listener());
  };
  const serviceWorker = {
    async register() {
      world.registered += 1;
      return registration;
    },
  };
  globalThis.isSecureContext = true;
  globalThis.Notification = /** @type {any} */ ({ permission: "granted" });
  const setAppBadge = async (count) => world.badges.push(count);
  Object.defineProperty(globalThis, "navigator", { value: { serviceWorker, setAppBadge }, configurable: true });
  return world;
}

const TURN = { title: "Your turn", body: "Play or draw." };
const wait = () => new Promise((done) => { setTimeout(done, 5); });
const shown = ({ tray }) => tray.map(({ title }) => title);

test("the worker starts when the bell is turned on, and the first notification waits for it", async () => {
  const { makeNotices } = await import("../../../static/js/table/notices.js");
  const world = makeBrowserWithWorker();
  const notify = makeNotices("/w.js");
  notify(false, null);
  await wait();
  assert.equal(world.registered, 0);
  notify(true, null);
  await wait();
  assert.equal(world.registered, 1);
  notify(true, TURN);
  notify(true, TURN);
  await wait();
  assert.deepEqual([shown(world), world.badges], [[], []]);
  world.start();
  await wait();
  notify(true, TURN);
  await wait();
  assert.deepEqual([shown(world), world.badges, world.registered], [["Your turn"], [1], 1]);
  notify(true, null);
  await wait();
  assert.deepEqual([shown(world), world.badges], [[], [1, 0]]);
});

test("a turn that ends before the worker starts is not called, and failed attempts are retried", async () => {
  const { makeNotices } = await import("../../../static/js/table/notices.js");
  const world = makeBrowserWithWorker();
  const notify = makeNotices("/w.js");
  notify(true, TURN);
  await wait();
  notify(true, null);
  world.start();
  await wait();
  assert.deepEqual([shown(world), world.badges], [[], []]);
  world.registration.active = null;
  world.registration.installing = null;
  notify(true, TURN);
  await wait();
  assert.deepEqual(shown(world), []);
  world.start();
  notify(true, TURN);
  await wait();
  assert.deepEqual(shown(world), ["Your turn"]);
});

test("the worker gets one message when the bell is turned on, and one when it is turned off", async () => {
  const { makeNotices } = await import("../../../static/js/table/notices.js");
  const world = makeBrowserWithWorker();
  world.start();
  const notify = makeNotices("/w.js");
  for (const on of [false, true, true, false, false, true]) {
    notify(on, null);
    await wait();
  }
  assert.deepEqual(world.bells, [true, false, true]);
});

test("notifications sent while the page was hidden are removed when it is visible", async () => {
  const { makeNotices } = await import("../../../static/js/table/notices.js");
  const world = makeBrowserWithWorker();
  world.start();
  const notify = makeNotices("/w.js");
  const look = async () => {
    await world.registration.showNotification("Your match has started", {});
    notify(true, null);
    await wait();
    return shown(world);
  };
  assert.deepEqual(await look(), ["Your match has started"]);
  hidden = false;
  assert.deepEqual([await look(), world.badges], [[], [0]]);
  hidden = true;
  assert.deepEqual(await look(), ["Your match has started"]);
  hidden = false;
  assert.deepEqual([await look(), world.badges], [[], [0, 0]]);
});
