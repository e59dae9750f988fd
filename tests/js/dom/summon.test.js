import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { find, makePage, stateWith, until, viewWith } from "./page.js";

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

/** Return whether the question is hidden at a table in this phase. */
function hidden(phase, { sheet = null, practice = false } = {}) {
  const match = { ...viewWith().match, phase, practice };
  question.show(stateWith({ match, sheet }), 0);
  return question.element.hidden;
}

test("the question appears before the first deal and on a score sheet, never during a hand", () => {
  assert.equal(hidden("waiting"), false);
  assert.equal(question.element.parentNode, find("#table"));
  assert.equal(hidden("playing"), true);
  assert.equal(question.element.isConnected, false);
  assert.equal(hidden("between", { sheet: { over: false } }), false);
  assert.equal(hidden("over", { sheet: { over: true } }), true);
});

test("the question is asked once, and never in practice", () => {
  assert.equal(hidden("waiting", { practice: true }), true);
  assert.equal(hidden("between", { practice: true, sheet: { over: false } }), true);
  prefs.asked = true;
  assert.equal(hidden("waiting"), true);
});

test("the bell shows whether this device calls, and a tap toggles it", () => {
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

test("a browser on an iPhone explains the Home Screen when the bell is turned on", async () => {
  const { makeCalling } = await import("../../../static/js/table/summon.js");
  const device = { prefs: () => prefs, change: (name, value) => { prefs[name] = value; }, choose: () => {} };
  const button = document.createElement("button");
  window.HTMLDialogElement.prototype.showModal = function open() { this.open = true; };
  makeCalling(find("#table"), button, device);
  const turnOn = (standalone) => {
    Object.defineProperty(globalThis, "navigator", { value: { standalone }, configurable: true });
    prefs.vibration = false;
    button.click();
  };
  turnOn(false);
  const dialog = await until(() => find("dialog.menu"));
  assert.equal(dialog.querySelectorAll("li").length, 3);
  dialog.remove();
  // The explanation has been loaded, so it would now open without delay.
  for (const standalone of [true, undefined]) {
    turnOn(standalone);
    await new Promise((resolve) => { setImmediate(resolve); });
    assert.deepEqual([prefs.vibration, find("dialog.menu")], [true, null]);
  }
});
