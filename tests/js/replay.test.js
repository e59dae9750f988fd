import assert from "node:assert/strict";
import { test } from "node:test";

import { addressOf, freshCards, marksCould, stepAfter, stepOf, stepTime } from "../../static/js/replay/steps.js";

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

test("speeds, and the address that keeps a step and its marks", () => {
  assert.deepEqual([0.5, 1, 2, 4].map(stepTime), [3600, 1800, 900, 450]);
  assert.deepEqual([addressOf(3, false), addressOf(3, true)], ["?step=3", "?step=3&could=1"]);
  assert.deepEqual(["", "?step=3&could=1", "?could=0"].map(marksCould), [false, true, false]);
});
