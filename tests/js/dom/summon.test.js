import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { find, makePage, stateWith, viewWith } from "./page.js";

let prefs;
let question;
let bell;
let called;

beforeEach(async () => {
  makePage();
  const { makeBell, makeQuestion } = await import("../../../static/js/table/summon.js");
  prefs = { asked: false, sound: "off", vibration: false, notices: false };
  called = [];
  question = makeQuestion(find("#table"), { prefs: () => prefs, answer: () => {} });
  const button = document.createElement("button");
  bell = { button, show: makeBell(button, { prefs: () => prefs, call: (on) => called.push(on) }) };
});

/** Whether the question is hidden at a table in that phase. */
function hidden(phase, { sheet = null, practice = false } = {}) {
  const match = { ...viewWith().match, phase, practice };
  question.show(stateWith({ match, sheet }), 0);
  return question.element.hidden;
}

test("it is asked before the first deal and on a score sheet, never over a hand", () => {
  assert.equal(hidden("waiting"), false);
  assert.equal(question.element.parentNode, find("#table"));
  assert.equal(hidden("playing"), true);
  assert.equal(question.element.isConnected, false);
  assert.equal(hidden("between", { sheet: { over: false } }), false);
  assert.equal(hidden("over", { sheet: { over: true } }), true);
});

test("it is asked once, and never in practice", () => {
  assert.equal(hidden("waiting", { practice: true }), true);
  assert.equal(hidden("between", { practice: true, sheet: { over: false } }), true);
  prefs.asked = true;
  assert.equal(hidden("waiting"), true);
});

test("the bell says whether this device calls, and a tap turns it round", () => {
  const pressed = () => {
    bell.show(stateWith(), 0);
    return bell.button.getAttribute("aria-pressed");
  };
  assert.equal(pressed(), "false");
  bell.button.click();
  prefs.vibration = true;
  assert.equal(pressed(), "true");
  bell.button.click();
  assert.deepEqual(called, [true, false]);
});

/** A browser whose worker is installing until `start()`; `tray` has what is shown. */
function browserWithWorker() {
  const tray = [];
  const listeners = [];
  const coming = { state: "installing", addEventListener: (_, listener) => listeners.push(listener) };
  const registration = {
    installing: coming,
    active: null,
    async showNotification(title, { body }) {
      if (!registration.active) throw new TypeError("No active registration available");
      tray.push({ title, body, close: () => tray.splice(0) });
    },
    getNotifications: async () => [...tray],
  };
  const world = { tray, badges: [], registered: 0, registration };
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
const soon = () => new Promise((done) => { setTimeout(done, 5); });
const shown = ({ tray }) => tray.map(({ title }) => title);

test("the worker starts when the bell is switched on, and the first notification waits for it", async () => {
  const { makeSummon } = await import("../../../static/js/table/summon.js");
  const world = browserWithWorker();
  const summon = makeSummon("/w.js");
  summon(false, null);
  await soon();
  assert.equal(world.registered, 0);
  summon(true, null);
  await soon();
  assert.equal(world.registered, 1);
  summon(true, TURN);
  summon(true, TURN);
  await soon();
  assert.deepEqual([shown(world), world.badges], [[], []]);
  world.start();
  await soon();
  summon(true, TURN);
  await soon();
  assert.deepEqual([shown(world), world.badges, world.registered], [["Your turn"], [1], 1]);
  summon(true, null);
  await soon();
  assert.deepEqual([shown(world), world.badges], [[], [1, 0]]);
});

test("a turn that ends before the worker has started is not called, and what failed is tried again", async () => {
  const { makeSummon } = await import("../../../static/js/table/summon.js");
  const world = browserWithWorker();
  const summon = makeSummon("/w.js");
  summon(true, TURN);
  await soon();
  summon(true, null);
  world.start();
  await soon();
  assert.deepEqual([shown(world), world.badges], [[], []]);
  world.registration.active = null;
  world.registration.installing = null;
  summon(true, TURN);
  await soon();
  assert.deepEqual(shown(world), []);
  world.start();
  summon(true, TURN);
  await soon();
  assert.deepEqual(shown(world), ["Your turn"]);
});
