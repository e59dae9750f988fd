import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { all, DECK, find, makePage, viewWith } from "./page.js";

let page;
let motion;

/** Create a table with a hand, a pile and one opponent. Every box is 60 by 90 pixels at its own `left`. */
beforeEach(async () => {
  page = makePage();
  globalThis.matchMedia = () => page.motion;
  page.motion = { matches: false };
  const { setCards } = await import("../../../static/js/table/cards.js");
  const { Motion } = await import("../../../static/js/table/motion.js");
  setCards({ sprite: "/s.svg", deck: DECK });
  find("#hand").innerHTML = ["c1", "c2"].map((id) => `<li class="slot" data-id="${id}"><button><svg></svg></button></li>`).join("");
  find("#stage").innerHTML = '<div data-seat="1"><b class="ring"></b></div><button class="draw-pile"></button><div class="discard"><div></div></div>';
  page.window.Element.prototype.getBoundingClientRect = function box() {
    return { left: 70 * all("*").indexOf(this), top: 0, width: 60, height: 90 };
  };
  motion = new Motion(find("#flights"), find("#table"));
});

const listFlights = () => page.flights.map(({ element }) => element.querySelector("use")?.getAttribute("href") ?? element.className);
const finishFlights = () => page.flights.forEach((flight) => flight.onfinish?.());
const PLAYED = { event: "played", seat: 1, card: "R7" };

test("your card flies immediately, and is hidden in the hand", () => {
  motion.sendOff("c1", "R7");
  assert.deepEqual([listFlights(), all(".slot.away").length, all(".ghost").length], [["/s.svg#R7"], 1, 1]);
});

test("a refused card returns to the hand", () => {
  motion.sendOff("c1", "R7");
  motion.snapBack();
  finishFlights();
  assert.deepEqual([all(".away").length, all(".ghost").length], [0, 0]);
});

test("an accepted card flies on, and the pile's card appears when it lands", () => {
  motion.sendOff("c1", "R7");
  motion.release();
  assert.equal(find(".discard").lastElementChild.className, "away");
  finishFlights();
  assert.deepEqual([all(".away").length, all(".ghost").length], [0, 0]);
});

test("an opponent's card flies from their seat", () => {
  motion.show([PLAYED], motion.before(), viewWith({ top: "R7" }));
  assert.deepEqual(listFlights(), ["/s.svg#R7"]);
  assert.equal(page.flights[0].element.style.left, `${70 * all("*").indexOf(find(".ring"))}px`);
  finishFlights();
  assert.equal(all(".ghost").length, 0);
});

test("cards drawn by opponents fly face down, four at most", () => {
  motion.show([{ event: "drew", seat: 1, cards: 6 }], motion.before(), viewWith());
  assert.deepEqual(listFlights(), Array(4).fill("/s.svg#back"));
  finishFlights();
  assert.equal(all(".ghost").length, 0);
});

test("a card that you draw flies from the draw pile, and nothing else flies", () => {
  const before = motion.before();
  before.set("c1", { left: -5, top: 0 });
  before.delete("c2");
  motion.show([{ event: "drew", seat: 0, cards: 1 }], before, viewWith());
  assert.deepEqual(page.flights.map(({ element }) => element.className), ["ghost"]);
  assert.equal(find('[data-id="c2"]').className, "slot away");
});

test("nothing flies while the page catches up or after many plays", () => {
  motion.show([], motion.before(), viewWith());
  motion.show(Array(4).fill(PLAYED), motion.before(), viewWith({ top: "R7" }));
  assert.deepEqual(listFlights(), []);
});

test("a card that lands is flattened briefly", () => {
  const lands = motion.show([PLAYED], motion.before(), viewWith({ top: "R7" }));
  finishFlights();
  assert.equal(lands, 260);
  assert.deepEqual(page.flights.slice(1).map(({ element }) => element), [find(".discard").lastElementChild]);
});
