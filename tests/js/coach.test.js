import assert from "node:assert/strict";
import { test } from "node:test";

import { learnt, stepToShow } from "../../static/js/table/coach.js";

const steps = (...due) => ["fits", "draw", "stack", "score"].map((key) => ({ key, due: due.includes(key) }));
const keyToShow = (due, read = [], current = null) => stepToShow(steps(...due), new Set(read), current)?.key;

test("a step that fits the current position comes first", () => {
  assert.equal(keyToShow(["stack"]), "stack");
  assert.equal(keyToShow([]), "fits");
});

test("a fitting step stays while it is being read, and no step appears twice", () => {
  assert.equal(keyToShow(["fits", "stack"], [], "stack"), "stack");
  assert.equal(keyToShow(["stack"], [], "fits"), "stack");
  assert.equal(keyToShow([], [], "stack"), "stack");
  assert.equal(keyToShow(["stack"], ["fits", "stack"]), "draw");
  assert.equal(keyToShow([], ["fits", "draw", "stack", "score"]), undefined);
});

test("six actions complete the six steps, and only the end of the hand counts for all players", () => {
  const own = (event) => learnt([{ seat: 0, ...event }], 0);
  assert.deepEqual(own({ event: "played", card: "R5" }), ["fits"]);
  assert.deepEqual(own({ event: "played", card: "R5", uno: true }), ["fits", "uno"]);
  assert.deepEqual(own({ event: "drew", cards: 1, why: "turn" }), ["draw"]);
  assert.deepEqual(own({ event: "drew", cards: 2, why: "penalty" }), ["stack"]);
  assert.deepEqual([own({ event: "called" }), own({ event: "caught" })], [["uno"], ["uno"]]);
  assert.deepEqual(learnt([{ event: "drew", seat: 1, cards: 1, why: "turn" }, { event: "over", winner: 1 }], 0), ["score"]);
});
