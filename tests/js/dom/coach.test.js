import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { DECK, find, makePage, stateWith, textOf, viewWith } from "./page.js";

let coach;
let told;
let taught;

beforeEach(async () => {
  makePage();
  const { makeCoach } = await import("../../../static/js/table/coach.js");
  const { setCards } = await import("../../../static/js/table/cards.js");
  setCards({ sprite: "", deck: DECK, specials: [{ card: "RS", cards: ["RS"], title: "Skip", text: "" }] });
  find("#stage").append(Object.assign(document.createElement("div"), { className: "discard" }));
  told = [];
  taught = false;
  coach = makeCoach(find("#coach"), find("#table"), { taught: () => taught, done: () => { taught = true; }, say: (text) => told.push(text) });
});

const step = (key, due = false) => ({ key, due, title: `About ${key}`, text: "A text.", hint: "A hint." });
const STEPS = [step("fits"), step("draw"), step("score")];
const show = (coached, match = {}) => coach.show(stateWith({ coach: coached, match: { ...viewWith().match, ...match } }), 0);

test("steps appear one at a time with their number and are announced once", () => {
  show(STEPS);
  show(STEPS);
  assert.deepEqual([textOf(".coach-title"), textOf(".coach-text"), textOf(".coach-place")], ["About fits", "A text.", "1 of 3"]);
  assert.deepEqual(told, ["About fits. A text."]);
  assert.equal(find("[data-coached]"), find(".discard"));
});

test("the step about playable cards names them", () => {
  show([step("fits", true)]);
  assert.equal(textOf(".coach-text"), "A hint.");
});

test("with two cards left, the step explains how to say UNO", () => {
  show([step("uno", true)]);
  assert.equal(textOf(".coach-text"), "A hint.");
  show([step("draw", true)]);
  assert.equal(textOf(".coach-text"), "A text.");
});

test("the player's actions lead to the next step, and the last one ends the coach", () => {
  show(STEPS);
  coach.hear([{ event: "played", seat: 1, card: "R5" }], 0);
  assert.equal(textOf(".coach-title"), "About fits");
  coach.hear([{ event: "played", seat: 0, card: "R5" }], 0);
  assert.equal(textOf(".coach-title"), "About draw");
  coach.hear([{ event: "drew", seat: 0, cards: 1, why: "turn" }], 0);
  assert.equal(textOf(".coach-title"), "About score");
  coach.hear([{ event: "over", winner: 1 }], 0);
  assert.deepEqual([taught, find("#coach").hidden, find("[data-coached]")], [true, true, null]);
  assert.equal(find("#table").hasAttribute("data-coach"), false);
});

test("a step that fits the current position comes next", () => {
  show(STEPS);
  show([STEPS[0], STEPS[1], step("score", true)]);
  assert.equal(textOf(".coach-title"), "About score");
});

test("the player can go on, skip the coach and start it again", () => {
  show(STEPS);
  find(".coach-next").click();
  assert.equal(textOf(".coach-title"), "About draw");
  find(".coach-skip").click();
  assert.equal(taught, true);
  taught = false;
  coach.again();
  show(STEPS);
  assert.equal(textOf(".coach-place"), "1 of 3");
});

test("its space is kept between hands, and it is absent without steps or after the match", () => {
  const kept = () => [find("#coach").hidden, find("#table").hasAttribute("data-coach")];
  show(STEPS, { phase: "between" });
  assert.deepEqual(kept(), [true, true]);
  show(undefined);
  assert.deepEqual(kept(), [true, false]);
  show(STEPS, { phase: "over" });
  assert.deepEqual(kept(), [true, false]);
});

test("the focus stays on its buttons when they change", () => {
  show(STEPS);
  find(".coach-next").focus();
  find(".coach-next").click();
  assert.equal(document.activeElement, find(".coach-next"));
});
