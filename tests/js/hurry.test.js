import assert from "node:assert/strict";
import { test } from "node:test";

import { Hurry, lastSeconds } from "../../static/js/table/hurry.js";

const clock = (ms, seat = 0) => /** @type {any} */ ({ seat, until: ms });

test("U56: only the last ten seconds are shown", () => {
  assert.deepEqual([clock(10_500), clock(10_000), clock(4200), clock(0), null].map(lastSeconds), [null, 10, 5, 0, null]);
});

test("U56: each of your own last five seconds ticks once", () => {
  const hurry = new Hurry(/** @type {any} */ (null));
  const ticks = [6000, 5000, 4800, 4000, 1000, 0].map((ms) => hurry.ticks(clock(ms), 0));
  assert.deepEqual(ticks, [false, true, false, true, true, false]);
  assert.equal(hurry.ticks(clock(3000, 1), 0), false);
  assert.equal(hurry.ticks(null, 0), false);
});
