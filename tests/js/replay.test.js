import assert from "node:assert/strict";
import { test } from "node:test";

import { copiesOf, eventsOf, freshCards, luckAt, requestsPlayableMarks, stepAfter, stepDuration, stepOf, stepQuery, viewOf } from "../../static/js/replay/steps.js";

test("an address names its step, and a wrong one is brought to the nearest", () => {
  const steps = ["", "?step=3", "?step=99", "?step=-4", "?step=x"].map((search) => stepOf(search, 7));
  assert.deepEqual(steps, [0, 3, 7, 0, 0]);
});

test("arrows walk, Home and End jump, and the ends hold", () => {
  const keys = ["ArrowRight", "ArrowLeft", "Home", "End", "a"];
  assert.deepEqual(keys.map((key) => stepAfter(key, 3, 7)), [4, 2, 0, 7, null]);
  assert.deepEqual([stepAfter("ArrowLeft", 0, 7), stepAfter("ArrowRight", 7, 7)], [0, 7]);
});

test("drawn cards are marked, one copy each", () => {
  assert.deepEqual(freshCards(["R5", "B2", "R5"], ["R5"]), [false, true, true]);
});

test("equal cards are told apart by how many came before", () => {
  assert.deepEqual(copiesOf(["R5", "B2", "R5", "R5"]), [0, 0, 1, 2]);
});

test("speeds, and the address that keeps a step and its marks", () => {
  assert.deepEqual([0.5, 1, 2, 4].map(stepDuration), [3600, 1800, 900, 450]);
  assert.deepEqual([stepQuery(3, false), stepQuery(3, true)], ["?step=3", "?step=3&could=1"]);
  assert.deepEqual(["", "?step=3&could=1", "?could=0"].map(requestsPlayableMarks), [false, true, false]);
});

const step = (changes) => ({ seat: null, action: null, counts: { 0: 2, 1: 1 }, said_uno: [1], draw_pile: 90, turn: 0, ...changes });

test("the felt is shown a step as who watches the live table sees it", () => {
  const seats = [0, 1, 2].map((seat) => ({ seat, name: `P${seat}`, score: 5, dealer: seat === 2 }));
  const view = viewOf({ seats, colors: [], scoring: "lowest" }, step());
  assert.deepEqual([view.you, view.turn, view.match.scoring], [null, 0, "lowest"]);
  assert.deepEqual(view.seats.map(({ count, said_uno: said, present }) => [count, said, present]), [[2, false, true], [1, true, true], [0, false, true]]);
});

test("who has gone out says no UNO any more", () => {
  const view = viewOf({ seats: [{ seat: 1 }], colors: [], scoring: "lowest" }, step({ counts: { 1: 0 } }));
  assert.equal(view.seats[0].said_uno, false);
});

test("a card that was played flies to the pile, and drawn ones come from the other", () => {
  const played = step({ seat: 0, action: { play: "R7" }, counts: { 0: 1, 1: 3 }, draw_pile: 88 });
  assert.deepEqual(eventsOf(step(), played), [
    { event: "played", seat: 0, card: "R7", uno: false },
    { event: "drew", seat: 1, cards: 2, why: "turn" },
  ]);
  assert.deepEqual(eventsOf(step(), step({ seat: 0, action: { pass: true } })), []);
});

test("hands that were swapped are no cards drawn", () => {
  assert.deepEqual(eventsOf(step(), step({ counts: { 0: 1, 1: 2 } })), []);
});

test("of a step past the review, or without one, nothing is told of luck", () => {
  const luck = [{ chances: { 0: 62 }, better: "Better: blue.", text: "Chances." }];
  assert.deepEqual([0, 1].map((at) => luckAt({ luck }, at)), [luck[0], { chances: {}, better: "", text: "" }]);
});
