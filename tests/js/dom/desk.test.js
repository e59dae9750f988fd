import assert from "node:assert/strict";
import { test } from "node:test";

import { find, makePage, textOf, viewWith } from "./page.js";

makePage();
const { callShown, makeCall, makeDesk } = await import("../../../static/js/table/desk.js");

/** @param {object} desk @param {object} [view] @returns {any} */
const at = (desk, view = {}) => ({ desk: { type: "desk", may_call: true, calls: [], messages: [], ...desk }, view: viewWith({ you: 0, ...view }) });
const summons = (seat, more = {}) => ({ seat, reason: "", at: 1, coming: false, ...more });

test("nothing is shown without a call or before the first message", () => {
  assert.equal(callShown({ ...at({}), desk: null }), null);
  assert.equal(callShown(at({})), null);
});

test("your own call comes first, and shows when a referee is coming", () => {
  const own = summons(0);
  assert.deepEqual(callShown(at({ calls: [summons(1), own] })), { text: "You’ve called a referee.", own });
  assert.equal(callShown(at({ calls: [summons(0, { coming: true })] })).text, "A referee is coming.");
});

test("another player's call is shown with their name and without buttons", () => {
  const state = at({ calls: [summons(1)] });
  assert.deepEqual(callShown(state), { text: `${state.view.seats[1].name} has called a referee.`, own: null });
});

test("messages show their time and disappear when they expire", () => {
  const root = find("#desk");
  const show = makeDesk(root, { call() {}, takeBack() {} });
  show(at({ messages: [{ id: 1, text: "Pause at noon.", at: 0 }] }), 0);
  assert.equal(root.hidden, false);
  assert.match(textOf("#desk"), /Pause at noon\.$/);
  show(at({}), 0);
  assert.equal(root.hidden, true);
});

test("your own call can be explained and cancelled", () => {
  const root = find("#desk");
  const done = [];
  const show = makeDesk(root, { call: (reason) => done.push(reason), takeBack: () => done.push("back") });
  show(at({ calls: [summons(0)] }), 0);
  const why = root.querySelector("select");
  why.value = "rules";
  why.dispatchEvent(new Event("change"));
  root.querySelector("button").click();
  assert.deepEqual(done, ["rules", "back"]);
});

test("the call button is visible to players who may call and have not called", () => {
  const button = find("#call");
  const done = [];
  const show = makeCall(button, { call: () => done.push("called") });
  const hidden = [at({}), at({ calls: [summons(1)] }), at({ calls: [summons(0)] }), at({ may_call: false }), { ...at({}), desk: null }].map((state) => {
    show(state, 0);
    return button.hasAttribute("data-off");
  });
  assert.deepEqual(hidden, [false, false, true, true, true]);
  button.click();
  assert.deepEqual(done, ["called"]);
});
