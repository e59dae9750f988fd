import assert from "node:assert/strict";
import { test } from "node:test";

import { all, DECK, find, makePage, press, stateWith, textOf, viewWith } from "./page.js";

makePage();
const { setCards } = await import("../../../static/js/table/cards.js");
const { makeActions, makeMe, makePicker, questionOf } = await import("../../../static/js/table/controls.js");
setCards({ sprite: "/s.svg", deck: DECK });

const calls = [];
const showMe = makeMe(find("#me"), { order: () => "color", sort: () => calls.push("sort") });
const showActions = makeActions(find("#actions"), { act: (action) => calls.push(action) });
const showPicker = makePicker({ stage: find("#stage"), me: find("#me") }, { answer: (action) => calls.push(action), cancel: () => calls.push("cancel") });
const takeCalls = () => calls.splice(0);
const clock = { seat: 0, left_ms: 9000, total_ms: 9000, bank_ms: 30_000, bank_total_ms: 60_000 };
const prompt = (changes, others, now = 0) => {
  showMe(stateWith(changes, others), now);
  return [textOf("#prompt"), find("#prompt").dataset.kind];
};
const actions = (changes, others) => {
  showActions(stateWith(changes, others), 0);
  return all("#actions button:not([hidden]):not([disabled])").map((button) => button.textContent);
};

test("your line shows your cards, your points and your running clock", () => {
  showMe(stateWith(), 0);
  assert.deepEqual([textOf("#me .count"), textOf("#me .seat-name"), textOf("#me .seat-line"), textOf("#me .bank")], ["3", "You", "0 points", ""]);
  showMe(stateWith({ clock }), 1000);
  assert.deepEqual([textOf("#me .seat-line"), textOf("#me .bank")], ["8 s left", "bank 30 s"]);
  showMe(stateWith({ clock }), 12_000);
  assert.deepEqual([textOf("#me .seat-line"), textOf("#me .bank")], ["bank", "27 s left"]);
  showMe(stateWith({ you: null }), 0);
  assert.equal(find("#me").hidden, true);
});

test("screen readers get the line as one sentence without the drawings", () => {
  const heard = () => textOf("#me > .vh");
  showMe(stateWith(), 0);
  assert.equal(heard(), "You, 3 cards, 0 points.");
  const silent = [...find("#me .seat-face").children].map((each) => each.getAttribute("aria-hidden"));
  assert.deepEqual(silent, ["true", "true", "true"]);
  showMe(stateWith({ clock }), 1000);
  assert.equal(heard(), "You, 3 cards, 0 points, 8 s left, bank 30 s.");
});

test("the prompt prefers a notice, then a pending action, then the next move", () => {
  assert.deepEqual(prompt({}, {}), ["Your turn.", undefined]);
  assert.deepEqual(prompt({}, { pending: { card: "c1", action: { play: "R7" } } }), ["Sending Red 7 …", "sending"]);
  assert.deepEqual(prompt({}, { word: { action: { call: true } } }), ["Sending …", "sending"]);
  assert.deepEqual(prompt({}, { notice: { text: "Green does not fit.", kind: "why" } }), ["Green does not fit.", "why"]);
  const seats = viewWith().seats.map((seat) => ({ ...seat, present: false, away_left_ms: 5000 }));
  assert.deepEqual(prompt({ turn: 1, seats }), ["Ben is away (5 s left).", undefined]);
});

test("a player who has not said UNO is reminded, even in their own turn or while others are away", () => {
  const seats = viewWith().seats.map((seat) => ({ ...seat, present: false, away_left_ms: 5000 }));
  const silent = { turn: 1, seats, prompt: "Say UNO!", may: { call: true, catch: [], windows: [{ seat: 0, left_ms: 1, total_ms: 2 }] } };
  assert.deepEqual(prompt(silent), ["Say UNO!", "uno"]);
  assert.deepEqual(prompt(silent, { word: { action: { call: true } } }), ["Sending …", "sending"]);
  assert.deepEqual(prompt({ ...silent, turn: 0, prompt: "Say UNO first!" }), ["Say UNO first!", "uno"]);
  const before = { call: true, catch: [], windows: [] };
  assert.deepEqual(prompt({ turn: 0, prompt: "Your turn.", may: before }), ["Your turn.", undefined]);
});

test("the order of the cards is shown, and its button changes it", () => {
  showMe(stateWith(), 0);
  find(".sort").click();
  assert.deepEqual([find(".sort").getAttribute("aria-label"), takeCalls()], ["Cards sorted by colour. Change the order.", ["sort"]]);
});

test("a button is enabled if the server allows its action", () => {
  assert.deepEqual(actions({ may: { draw: true } }), ["Draw"]);
  assert.deepEqual(actions({ may: { pass: true, call: true } }), ["Pass", "UNO!"]);
  assert.deepEqual(actions({ may: { challenge: true, catch: [1] } }), ["Challenge", "Catch Ben"]);
  all("#actions button:not([hidden]):not([disabled])").forEach((button) => button.click());
  assert.deepEqual(takeCalls(), [{ challenge: true }, { catch: 1 }]);
});

test("while a move is pending, turn buttons are busy, but calls and catches are not", () => {
  assert.deepEqual(actions({ may: { draw: true, call: true } }, { pending: { card: null, action: { draw: true } } }), ["Draw", "UNO!"]);
  assert.deepEqual([find(".action-draw"), find(".action-call")].map((button) => button.getAttribute("aria-disabled")), ["true", null]);
});

test("without a connection no button works, and viewers have no buttons", () => {
  assert.deepEqual(actions({ may: { draw: true, call: true } }, { link: { name: "waiting", since: 0 } }), []);
  showActions(stateWith({ you: null }), 0);
  assert.equal(find("#actions").hidden, true);
});

test("buttons without a use under these rules or now are hidden", () => {
  const shown = () => all("#actions button:not([hidden])").map((button) => button.textContent);
  actions({ match: { ...viewWith().match, uno: false } });
  assert.deepEqual([shown(), find("#actions").hasAttribute("data-silent")], [["Draw"], true]);
  actions({});
  assert.deepEqual([shown(), find("#actions").hasAttribute("data-silent")], [["Draw"], false]);
  actions({ may: { pass: true, call: true, catch: [1] } });
  assert.deepEqual(shown(), ["Draw", "Pass", "UNO!", "Catch Ben"]);
});

test("the focus moves to the hand when the focused button is disabled", () => {
  actions({ may: { catch: [1] } });
  find(".action-catch").focus();
  actions({ may: { catch: [] } });
  assert.equal(document.activeElement, find("#hand"));
});

test("the colours offered by the server appear in your own line", () => {
  const asking = { action: { play: "W", uno: true }, card: "c3" };
  showPicker(stateWith({}, { asking }), 0);
  assert.deepEqual(all("#me .pick").map((button) => button.textContent), ["red", "blue"]);
  assert.equal(find(".picker").getAttribute("aria-label"), "Wild and UNO: choose a colour");
  assert.equal(document.activeElement, find(".pick"));
  all(".pick")[1].click();
  find(".pick-cancel").click();
  press("Escape", find(".pick"));
  assert.deepEqual(takeCalls(), [{ play: "W", uno: true, color: "B" }, "cancel", "cancel"]);
});

test("after a choice, the question disappears and the focus moves to the hand", () => {
  showPicker(stateWith({}, { asking: { action: { play: "W" }, card: "c3" } }), 0);
  find(".pick").focus();
  showPicker(stateWith(), 0);
  assert.deepEqual([all(".picker").length, document.activeElement], [0, find("#hand")]);
});

test("a seat is chosen on the felt", () => {
  const view = { actions: [{ play: "R7", with: 1 }] };
  showPicker(stateWith(view, { asking: { action: { play: "R7" }, card: "c1" } }), 0);
  assert.deepEqual(all("#stage .pick-seat").map((button) => button.textContent), ["Ben"]);
  find(".pick-seat").click();
  assert.deepEqual(takeCalls(), [{ play: "R7", with: 1 }]);
  showPicker(stateWith(), 0);
});

test("a mandatory choice of a colour cannot be cancelled", () => {
  const view = { may: { choose: true, colors: ["R", "G"] }, prompt: "Choose the colour" };
  const question = questionOf(stateWith(view));
  assert.deepEqual([question.kind, question.label, question.optional], ["choose", "Choose the colour", false]);
  showPicker(stateWith(view), 0);
  assert.deepEqual([all(".pick").map((button) => button.textContent), find(".pick-cancel")], [["red", "green"], null]);
  all(".pick")[1].click();
  assert.deepEqual(takeCalls(), [{ choose: "G" }]);
});
