import assert from "node:assert/strict";
import { test } from "node:test";

import { stepToShow } from "../../static/js/table/coach.js";

const steps = (...due) => ["fits", "draw", "stack", "score"].map((key) => ({ key, due: due.includes(key) }));
const shown = (due, read = [], current = null) => stepToShow(steps(...due), new Set(read), current)?.key;

test("what the table shows now is explained first", () => {
  assert.equal(shown(["stack"]), "stack");
  assert.equal(shown([]), "fits");
});

test("a step stays while it is being read, and does not come twice", () => {
  assert.equal(shown(["stack"], [], "fits"), "fits");
  assert.equal(shown(["stack"], ["fits"], "fits"), "stack");
  assert.equal(shown(["stack"], ["fits", "stack"]), "draw");
  assert.equal(shown([], ["fits", "draw", "stack", "score"]), undefined);
});
