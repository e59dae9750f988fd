import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { find, makePage, stateWith, textOf, viewWith } from "./page.js";

let coach;
let told;
let taught;

beforeEach(async () => {
  makePage();
  const { makeCoach } = await import("../../../static/js/table/coach.js");
  find("#stage").append(Object.assign(document.createElement("div"), { className: "discard" }));
  told = [];
  taught = false;
  coach = makeCoach(find("#coach"), { taught: () => taught, done: () => { taught = true; }, say: (text) => told.push(text) });
});

const step = (key, due = false) => ({ key, due, title: `About ${key}`, text: "A text.", hint: "A hint." });
const STEPS = [step("fits"), step("draw"), step("score")];
const show = (coached, match = {}) => coach.show(stateWith({ coach: coached, match: { ...viewWith().match, ...match } }), 0);

test("one step at a time, with its place, and it is read out once", () => {
  show(STEPS);
  show(STEPS);
  assert.deepEqual([textOf("h2"), textOf(".coach-place"), textOf(".coach-next")], ["About fits", "1 of 3", "Next"]);
  assert.deepEqual(told, ["About fits. A text. A hint."]);
  assert.equal(find("[data-coached]"), find(".discard"));
});

test("what the table shows now comes next; after the last the player is taught", () => {
  show(STEPS);
  show([STEPS[0], STEPS[1], step("score", true)]);
  find(".coach-next").click();
  assert.equal(textOf("h2"), "About score");
  find(".coach-next").click();
  assert.deepEqual([textOf("h2"), textOf(".coach-next")], ["About draw", "Done"]);
  find(".coach-next").click();
  show(STEPS);
  assert.deepEqual([taught, find("#coach").hidden, find("[data-coached]")], [true, true, null]);
});

test("it can be skipped, and begins again when asked for", () => {
  show(STEPS);
  find(".coach-skip").click();
  assert.equal(taught, true);
  taught = false;
  coach.again();
  show(STEPS);
  assert.equal(textOf(".coach-place"), "1 of 3");
});

test("there is nothing to explain without steps, or once the match is over", () => {
  show(undefined);
  assert.equal(find("#coach").hidden, true);
  show(STEPS, { phase: "over" });
  assert.equal(find("#coach").hidden, true);
});

test("the keyboard stays on its buttons while they change", () => {
  show(STEPS);
  find(".coach-next").focus();
  find(".coach-next").click();
  assert.equal(document.activeElement, find(".coach-next"));
});
