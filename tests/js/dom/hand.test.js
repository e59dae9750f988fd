import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { replaceClock } from "../timers.js";
import { all, DECK, find, makePage, press, stateWith, viewWith } from "./page.js";

const page = makePage();
const { setCards } = await import("../../../static/js/table/cards.js");
const { focusHand, makeHand } = await import("../../../static/js/table/hand.js");
setCards({ sprite: "/s.svg", deck: DECK });

let played;
let order;
let show;

beforeEach(() => {
  find("#hand").remove();
  find("#table").append(Object.assign(document.createElement("section"), { id: "hand", tabIndex: -1 }));
  [played, order] = [[], "arrival"];
  show = makeHand(find("#hand"), { play: (...call) => played.push(call), order: () => order });
});

const listLabels = () => all(".card-button").map((button) => button.getAttribute("aria-label"));
const stops = () => all(".card-button").map((button) => button.tabIndex);
const cards = (...ids) => ids.map((id) => viewWith().cards.find((card) => card.id === id));

test("each card has its name, playability and position as its label", () => {
  show(stateWith(), 0);
  assert.deepEqual(listLabels(), ["Red 7, playable, 1 of 3", "Green 4, not playable, 2 of 3", "Wild, playable, 3 of 3"]);
  assert.deepEqual(all(".slot").map((slot) => slot.dataset.playable), ["true", undefined, "true"]);
});

test("the label of a card says if it was just drawn, selected or is pending", () => {
  show(stateWith({ drawn: "c1" }, { selected: "c3", pending: { card: "c2", action: {} } }), 0);
  assert.deepEqual(listLabels(), [
    "Red 7, just drawn, playable, 1 of 3",
    "Green 4, sending, 2 of 3",
    "Wild, selected, press again to play it, playable, 3 of 3",
  ]);
  assert.deepEqual(all("[data-drawn], [data-sending], [data-chosen]").map((slot) => slot.dataset.id), ["c1", "c2", "c3"]);
});

test("a tap plays the card, and its extra buttons add a call when the server offers it", () => {
  show(stateWith({ may: { uno: true, ocho: ["W"] } }), 0);
  assert.deepEqual(all(".with-uno:not([hidden])").map((button) => button.getAttribute("aria-label")), ["Play Red 7 and say UNO", "Play Wild and say UNO"]);
  assert.deepEqual(all(".with-ocho:not([hidden])").map((button) => button.getAttribute("aria-label")), ["Play Wild and say Ocho"]);
  for (const name of [".card-button", ".with-uno"]) find(name).click();
  all(".with-ocho")[2].click();
  assert.deepEqual(played, [["c1", {}], ["c1", { uno: true }], ["c3", { ocho: true }]]);
});

test("no play is offered while a move is pending, and no card works without a connection", () => {
  show(stateWith({ may: { uno: true } }, { pending: { card: "c1", action: {} } }), 0);
  assert.deepEqual(all(".with-uno:not([hidden])"), []);
  show(stateWith({}, { link: { name: "waiting", since: 0 } }), 0);
  assert.deepEqual(all(".card-button").map((button) => button.getAttribute("aria-disabled")), ["true", "true", "true"]);
});

test("viewers have no hand", () => {
  show(stateWith({ you: null, cards: undefined }), 0);
  assert.deepEqual([find("#hand").hidden, all(".slot").length], [true, 0]);
});

test("one card is the tab stop, and arrows, Home and End move the focus", () => {
  show(stateWith(), 0);
  assert.deepEqual(stops(), [0, -1, -1]);
  find(".card-button").focus();
  const walked = ["ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft", "Home", "End"].map((key) => {
    press(key);
    return document.activeElement.closest(".slot").dataset.id;
  });
  assert.deepEqual(walked, ["c2", "c3", "c3", "c2", "c1", "c3"]);
  assert.deepEqual(stops(), [-1, -1, 0]);
  assert.equal(press("x").defaultPrevented, false);
});

test("the focus stays on its card, or moves to the neighbour if the card is gone", () => {
  show(stateWith(), 0);
  all(".card-button")[1].focus();
  show(stateWith({ cards: cards("c3", "c2", "c1") }), 0);
  assert.equal(document.activeElement.closest(".slot").dataset.id, "c2");
  show(stateWith({ cards: cards("c3", "c1") }), 0);
  assert.equal(document.activeElement.closest(".slot").dataset.id, "c1");
  show(stateWith({ cards: [] }), 0);
  assert.equal(document.activeElement, find("#hand"));
});

test("the focus moves to a card just drawn", () => {
  show(stateWith(), 0);
  find(".card-button").focus();
  show(stateWith({ drawn: "c3" }), 0);
  assert.equal(document.activeElement.closest(".slot").dataset.id, "c3");
  document.activeElement.blur();
  focusHand();
  assert.equal(document.activeElement.closest(".slot").dataset.id, "c3");
});

test("no card moves while a finger is down, and updates follow afterwards", async () => {
  show(stateWith(), 0);
  find("#hand").dispatchEvent(new Event("pointerdown"));
  show(stateWith({ cards: cards("c3") }), 0);
  assert.equal(all(".slot").length, 3);
  window.dispatchEvent(new Event("pointerup"));
  await new Promise((done) => { setTimeout(done, 5); });
  assert.equal(all(".slot").length, 1);
});

test("the page is measured once, and again after a resize", () => {
  const state = stateWith({ clock: { seat: 0, left_ms: 9000, total_ms: 9000 } });
  let measured = 0;
  Object.defineProperties(find("#hand"), { clientWidth: { value: 360 }, clientHeight: { get: () => (measured += 1) && 266 } });
  [0, 500, 1000, 5000].forEach((now) => show(state, now));
  order = "number";
  show(state, 5500);
  assert.equal(measured, 1);
  page.resized.at(-1)();
  assert.equal(measured, 2);
});

const held = (count) => Array.from({ length: count }, (_, i) => ({ id: `n${i}`, card: "R7", playable: true, why: "" }));
const places = () => all(".slot").map((slot) => slot.style.transform);

test("cards have fixed positions and keep their size during your turn", () => {
  Object.defineProperties(find("#hand"), { clientWidth: { value: 360 }, clientHeight: { value: 266 } });
  const hand = (count, changes = {}) => {
    const state = stateWith({ cards: held(count), ...changes });
    show({ ...state, view: { ...state.view, match: { ...state.view.match, hand: 1 } } }, 0);
    return find("#hand").style.getPropertyValue("--card-w");
  };
  assert.deepEqual([hand(9), hand(4), hand(4, { turn: 1 })], ["62px", "62px", "80px"]);
  assert.equal(new Set(places()).size, 4);
});

test("a hand that does not fit scrolls, and its area does not grow", () => {
  Object.defineProperties(find("#hand"), { clientWidth: { value: 360 }, clientHeight: { value: 160 } });
  const height = (count) => {
    show(stateWith({ cards: held(count) }), 0);
    return find(".cards").style.height;
  };
  assert.deepEqual([height(18), height(30)], ["", "204px"]);
  assert.equal(find("#hand").style.getPropertyValue("--card-w"), "32px");
});

test("dealt cards do not glow", () => {
  show(stateWith({ cards: [] }), 0);
  show(stateWith({ cards: cards("c1", "c2") }), 0);
  assert.equal(all("[data-fresh]").length, 0);
});

test("U57: cards received out of turn glow until the player acts", () => {
  show(stateWith({ cards: cards("c1", "c2") }), 0);
  const glowing = () => all("[data-fresh]").map((slot) => slot.dataset.id);
  assert.deepEqual(glowing(), []);
  show(stateWith(), 0);
  assert.deepEqual([glowing(), listLabels()[2]], [["c3"], "Wild, new, playable, 3 of 3"]);
  show(stateWith({ prompt: "Still your turn." }), 0);
  assert.deepEqual(glowing(), ["c3"]);
  show(stateWith({}, { pending: { card: "c1", action: {} } }), 0);
  assert.deepEqual(glowing(), []);
});

test("a second tap does not play the card that has slid under the finger", () => {
  let time = 10_000;
  const putBack = replaceClock(() => time);
  /** Tap at `x` after `ms`, where this card is now. */
  const tap = (id, ms, x = 50) => {
    time += ms;
    find(`[data-id="${id}"] .card-button`).dispatchEvent(new MouseEvent("click", { detail: 1, clientX: x, clientY: 50, bubbles: true }));
  };
  const playedIds = () => played.splice(0).map(([id]) => id);
  const slide = (after) => {
    time += after;
    show(stateWith({ cards: cards("c2", "c3") }), time);
  };
  show(stateWith({ cards: cards("c1", "c2", "c3") }), time);
  tap("c1", 2000);
  slide(30);
  tap("c2", 30);
  tap("c2", 300);
  assert.deepEqual(playedIds(), ["c1"]);
  tap("c2", 120);
  assert.deepEqual(playedIds(), ["c2"]);
  // The answer was slow, so the card moved just before the second tap.
  show(stateWith({ cards: cards("c1", "c2", "c3") }), time);
  tap("c1", 2000);
  slide(900);
  tap("c2", 50);
  assert.deepEqual(playedIds(), ["c1"]);
  // A tap elsewhere or by keyboard plays its card.
  tap("c3", 10, 120);
  find('[data-id="c2"] .card-button').click();
  assert.deepEqual(playedIds(), ["c3", "c2"]);
  putBack();
});
