import assert from "node:assert/strict";
import { test } from "node:test";

import { copiesOf, eventsOf, freshCards, luckAt, requestsPlayableMarks, stepAfter, stepDuration, stepOf, stepQuery, viewOf } from "../../static/js/replay/steps.js";

test("a URL names its step, and an invalid one leads to the nearest step", () => {
  const steps = ["", "?step=3", "?step=99", "?step=-4", "?step=x"].map((search) => stepOf(search, 7));
  assert.deepEqual(steps, [0, 3, 7, 0, 0]);
});

test("arrow keys move by one step, and Home and End go to the ends", () => {
  const keys = ["ArrowRight", "ArrowLeft", "Home", "End", "a"];
  assert.deepEqual(keys.map((key) => stepAfter(key, 3, 7)), [4, 2, 0, 7, null]);
  assert.deepEqual([stepAfter("ArrowLeft", 0, 7), stepAfter("ArrowRight", 7, 7)], [0, 7]);
});

test("drawn cards are marked one by one", () => {
  assert.deepEqual(freshCards(["R5", "B2", "R5"], ["R5"]), [false, true, true]);
});

test("equal cards are numbered", () => {
  assert.deepEqual(copiesOf(["R5", "B2", "R5", "R5"]), [0, 0, 1, 2]);
});

test("each speed has its duration, and the URL contains the step and its marks", () => {
  assert.deepEqual([0.5, 1, 2, 4].map(stepDuration), [3600, 1800, 900, 450]);
  assert.deepEqual([stepQuery(3, false), stepQuery(3, true)], ["?step=3", "?step=3&could=1"]);
  assert.deepEqual(["", "?step=3&could=1", "?could=0"].map(requestsPlayableMarks), [false, true, false]);
});

const step = (changes) => ({ seat: null, action: null, counts: { 0: 2, 1: 1 }, said_uno: [1], draw_pile: 90, turn: 0, ...changes });

test("the felt gets the view that a viewer of the live table would get", () => {
  const seats = [0, 1, 2].map((seat) => ({ seat, name: `P${seat}`, score: 5, dealer: seat === 2 }));
  const view = viewOf({ seats, colors: [], scoring: "lowest" }, step());
  assert.deepEqual([view.you, view.turn, view.match.scoring], [null, 0, "lowest"]);
  assert.deepEqual(view.seats.map(({ count, said_uno: said, present }) => [count, said, present]), [[2, false, true], [1, true, true], [0, false, true]]);
});

test("a player who has gone out no longer says UNO", () => {
  const view = viewOf({ seats: [{ seat: 1 }], colors: [], scoring: "lowest" }, step({ counts: { 1: 0 } }));
  assert.equal(view.seats[0].said_uno, false);
});

test("a played card flies to the pile, and drawn cards from the draw pile", () => {
  const played = step({ seat: 0, action: { play: "R7" }, counts: { 0: 1, 1: 3 }, draw_pile: 88 });
  assert.deepEqual(eventsOf(step(), played), [
    { event: "played", seat: 0, card: "R7", uno: false },
    { event: "drew", seat: 1, cards: 2, why: "turn" },
  ]);
  assert.deepEqual(eventsOf(step(), step({ seat: 0, action: { pass: true } })), []);
});

test("swapped hands do not count as drawn cards", () => {
  assert.deepEqual(eventsOf(step(), step({ counts: { 0: 1, 1: 2 } })), []);
});

test("a step without a review shows no luck", () => {
  const luck = [{ chances: { 0: 62 }, better: "Better: blue.", text: "Chances." }];
  assert.deepEqual([0, 1].map((at) => luckAt({ luck }, at)), [luck[0], { chances: {}, better: "", text: "" }]);
});
