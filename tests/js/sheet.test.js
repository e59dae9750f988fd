import assert from "node:assert/strict";
import { test } from "node:test";

import { inOrder } from "../../static/js/table/sheet.js";

const rows = [30, 0, 120, 50].map((total, seat) => ({ seat, total }));
const seats = (data, scoring) => inOrder({ rows, ...data }, scoring).map(({ seat }) => seat);

test("who won the hand comes first, then the best totals", () => {
  assert.deepEqual(seats({ winner: 1, over: false }, "winner-takes"), [1, 2, 3, 0]);
  assert.deepEqual(seats({ winner: 3, over: false }, "lowest"), [3, 1, 0, 2]);
  assert.deepEqual(seats({ winner: null, over: false }, "winner-takes"), [2, 3, 0, 1]);
});

test("at the end the match's winners come first", () => {
  assert.deepEqual(seats({ winner: 0, over: true, winners: [1] }, "elimination"), [1, 0, 3, 2]);
});

test("while the places are hidden, the rows at the end are in the order of the seats", () => {
  const hidden = rows.map((row) => ({ ...row, place: null }));
  const found = inOrder({ rows: hidden, over: true, winners: [] }, "winner-takes");
  assert.deepEqual(found.map(({ seat }) => seat), [0, 1, 2, 3]);
});
